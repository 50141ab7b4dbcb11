import pytest
from support.costs import grows_evenly
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.transcript.sources import cites, ends_with_source

WISH = "Always put new helpers in the module zed, never in utils"


def said(text: str) -> list[str]:
    talk = Talk().prompt("Show me the exports.").reply("Here they are.")
    return [one.title for one in extract(talk.prompt(text).reply("I will.").session())]


@pytest.mark.parametrize(
    "prompt",
    [
        f"From the wiki\n\n{WISH}.",
        f"From https://x.org/style\n\n{WISH}.",
        f"According to https://x.org/style\n\n{WISH}.",
        f"Source: https://x.org/style\n\n{WISH}.",
        f"Source: https://x.org/style\n{WISH}.",
        f"Quelle: docs/stil.md\n\n{WISH}.",
        f"{WISH}.\n\nSource: https://x.org/style",
        f"{WISH}.\n\nQuelle: https://x.org/stil",
        f"{WISH}.\n\nFuente: docs/estilo.md\n\nDo we follow that?",
        f"{WISH} (from CONTRIBUTING.md).",
        f"{WISH}. (from CONTRIBUTING.md)",
        f"{WISH}. Be kind. (source: wiki)",
        f"{WISH} [from docs/style.md]",
        f"{WISH} (aus dem Wiki)",
        f"{WISH}. [CONTRIBUTING.md]",
        f"{WISH}.\n— Eve",
        f"{WISH}.\n— @eve",
        f"{WISH}. (from CONTRIBUTING.md of upstream)",
        f"“{WISH}.” — Eve",
        f"{WISH}.\n\n— Eve Kay, wiki",
        f"{WISH}.\n\nanswered May 3 at 10:42",
    ],
)
def test_what_names_its_source_is_not_the_users(prompt: str) -> None:
    assert said(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        f"{WISH} (see CONTRIBUTING.md).",
        f"{WISH}, as in CONTRIBUTING.md.",
        f"{WISH}. [see the wiki]",
        f"{WISH}.\n\nSource: src/parser.py\nTarget: lib/parser.py",
        f"See https://x.org/style\n\n{WISH}.",
        f"{WISH}.\n\nThanks!\n— and yes, in tests, too",
        f"From the tests I learned a lot.\n\n{WISH}.",
        f"From now on\n\n{WISH}.",
        f"{WISH}. Eve answered May 3 times.",
    ],
)
def test_what_only_names_a_file_or_a_person_is_the_users(prompt: str) -> None:
    assert [title for title in said(prompt) if WISH in title]


def test_code_that_is_imported_from_a_file_is_no_source() -> None:
    order = "Always use the helper `parse_date` (from utils.py)"

    assert said(f"{order}.") == [order]


@pytest.mark.parametrize("unit", ["a/", "a ", "(from ", "— Aa "])
def test_a_long_sentence_costs_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: (cites(unit * size), ends_with_source(unit * size)), 2000)
