"""The shapes of the benchmark, each in all its decorations, with values of its own."""

import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from git_lerim.redaction.redactor import Redactor

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from redaction import survives
from secret_forms import DECORATIONS, FORMS, Case, cases

REDACTOR = Redactor()
CASES: dict[str, list[Case]] = {form: [] for form in FORMS}
for case in cases(seed=15, rounds=1):
    CASES[case.form].append(case)


def missed(some: Iterable[Case]) -> list[Case]:
    return [case for case in some if survives(REDACTOR.redact(case.text)[0], case.secret)]


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_blanked_in_nearly_all_its_variants(form: str) -> None:
    found = missed(CASES[form])

    assert len(CASES[form]) >= 10 * len(DECORATIONS)
    assert len(found) <= len(CASES[form]) * 0.05, [case.text for case in found]


@pytest.mark.parametrize("decoration", DECORATIONS)
def test_no_decoration_hides_more_than_the_bare_text(decoration: str) -> None:
    some = [
        case for each in CASES.values() for case in each if case.variant.endswith(f", {decoration}")
    ]

    assert len(missed(some)) <= len(some) * 0.03, [case.text for case in missed(some)]
