import pytest

from git_lerim.extraction.by_rules.titles import WORDS, clause, title


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
