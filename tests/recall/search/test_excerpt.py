import pytest

from git_lerim.recall.search.excerpt import first_sentences


@pytest.mark.parametrize(
    ("title", "body", "told"),
    [
        (
            "Use SQLite",
            "It is there already. JSON lost rows.",
            "It is there already. JSON lost rows.",
        ),
        ("Use SQLite", "Use SQLite. It is there.", "It is there."),
        (
            "T",
            "First, e.g. this one. Then v. 2.5 of it!",
            "First, e.g. this one. Then v. 2.5 of it!",
        ),
        ("T", "One. " + "x" * 390 + " long. Two.", "One."),
        ("T", "w " * 400, ("w " * 200).strip()[:-1].strip() + "…"),
        ("T", "Why.\n\n## Also recorded\n\nOther.", "Why."),
        ("T", "テストはUTCで動かす。 次の文。", "テストはUTCで動かす。 次の文。"),
        ("T", "`f(...)` is one call. It is short.", "`f(...)` is one call. It is short."),
        ("T", "no end", "no end"),
        ("T", "", ""),
        ("B needs C", "B needs C.", ""),
        ("Not `a.` - b", "Not `a.` - b\n\n(RULES.md: Committing)", "(RULES.md: Committing)"),
        (
            "T",
            "In the user's words: “Yes, do so. " + "x" * 390 + " too.”",
            "In the user's words: “Yes, do so. " + "x" * 365 + "…”",
        ),
        (
            "A better title",
            "The user asked for this: “Please add a small command line. Never use click here.” "
            + "x" * 360,
            "The user asked for this: “Please add a small command line. Never use click here.”",
        ),
        ("T", "x" * 10_000, "x" * 399 + "…"),
    ],
)
def test_the_gist_of_a_body_is_its_first_sentences(title: str, body: str, told: str) -> None:
    assert first_sentences(title, body) == told


def test_a_shorter_excerpt_ends_at_an_earlier_sentence() -> None:
    body = f"The port is taken. {'Use 5433. ' * 20}"

    assert first_sentences("T", body, 40) == "The port is taken. Use 5433. Use 5433."
