import pytest

from git_lerim.extraction.by_rules.titles import WORDS, clause, tells_state, title


@pytest.mark.parametrize(
    ("sentence", "short"),
    [
        (
            "The root cause is that `busy_timeout` is zero by default, so a second writer fails at once instead of waiting.",
            "`busy_timeout` is zero by default, so a second writer fails at once",
        ),
        ("ok, let's move the tools to core/tools", "Move the tools to core/tools"),
        (
            "In practice, the index never conflicts because it is append-only and each run has its own folder on disk.",
            "The index never conflicts",
        ),
        ("Note that tests need TZ=UTC", "Tests need TZ=UTC"),
    ],
)
def test_a_clause_is_what_a_sentence_says_first(sentence: str, short: str) -> None:
    assert clause(sentence).rstrip("\x00") == short


def test_a_title_names_its_subject_rather_than_points_at_it() -> None:
    found = title(["This is why it fails.", "The exporter writes UTC, but the reader expects local time."], "", "", "")
    assert found == "The exporter writes UTC, but the reader expects local time"


def test_a_bold_lead_that_says_something_is_the_title() -> None:
    lead = "The force push is almost never necessary"
    assert title([f"{lead}.", "Runs lie in folders of their own."], lead, "", "") == lead


def test_a_title_is_never_long_nor_cut_inside_a_code_span() -> None:
    found = title(
        ["Line after line `a b c d e f g h i j k l m n o p` goes on and on without any end that one could see from here."],
        "",
        "",
        "",
    )
    assert len(found.split()) <= WORDS
    assert found.count("`") % 2 == 0


def test_a_short_question_with_its_answer_is_the_title() -> None:
    told = "Asked “Which store should the catalog use?”, the user chose “Option B: SQLite”."
    assert title([told, "Not chosen: JSON."], "", "", "") == "Which store should the catalog use? SQLite"


def test_an_enumeration_is_no_title_where_anything_else_is() -> None:
    told = "author, body, closed, closedAt, comments and commits are fields. The exporter keeps only the fields that it knows."
    assert title(told.split(". "), "", "", "") == "The exporter keeps only the fields that it knows"


@pytest.mark.parametrize(
    "line",
    [
        "It covers the module layout and the release workflow",
        "The specification slices are now committed",
        "PR #90 now has the fix for the retry loop",
        "One test needs updating due to the new message",
        "Type checking passes",
        "Scope: 26 Go files scanned, 14 touched",
        "Regression tests for both cases were added",
    ],
)
def test_how_the_work_stands_is_told_from_what_was_learned(line: str) -> None:
    assert tells_state(line)


@pytest.mark.parametrize(
    "line",
    [
        "Settings are resolved from the user's configuration, never from the repository",
        "Retries need a review queue",
        "The exporter lists every field that the reader includes",
        "The duplicate check was removed; `bytes.Equal` is kept",
        "Tests need TZ=UTC",
        "The codebase includes a second remote in its settings",
    ],
)
def test_what_was_learned_is_not_taken_for_how_the_work_stands(line: str) -> None:
    assert not tells_state(line)
