"""A long sentence is titled by the wish that it ends with, if its first clauses only lead to it."""

import pytest

from git_lerim.extraction.by_rules.sentences.main_clause import wish_at_end

ASK = "leave pyproject.toml and uv.lock as they are unless I've said yes to it"
CLEAN = "rubocop has to be clean before anything is committed"


@pytest.mark.parametrize(
    ("lead", "wish"),
    [
        ("I lost half a day because a dependency was bumped while fixing something else, so", ASK),
        ("Let me also mention that we're a team of five with different editors, so", CLEAN),
        ("j'ai passé la soirée à enlever lodash, donc", "pas de nouveau paquet sans me demander"),
    ],
)
def test_what_only_leads_to_a_wish_is_no_part_of_its_title(lead: str, wish: str) -> None:
    assert wish_at_end(f"{lead} {wish}.") == wish[:1].upper() + wish[1:]


@pytest.mark.parametrize(
    "sentence",
    [
        f"If you work in the billing package, so to say, {CLEAN}.",
        f"As for the migrations in billing: {CLEAN}.",
        f"Bob says: {CLEAN}.",
        f"When the release branch is open: {CLEAN}.",
        f"It is red, so for now {CLEAN}.",
        "The build is red, so please fix it.",
    ],
)
def test_what_limits_a_wish_or_gives_it_to_others_stays(sentence: str) -> None:
    assert wish_at_end(sentence) == ""
