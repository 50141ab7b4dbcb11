from git_lerim.recall.index.terms import terms
from git_lerim.recall.search.render import WIDTH, excerpt, lines
from git_lerim.recall.search.search import Hit


def hit(**changes: object) -> Hit:
    row = Hit.__new__(Hit)
    given = {
        "id": "k3v2qd2m7x4ab",
        "created": "2026-02-20T09:30:45Z",
        "kind": None,
        "primitive": "decision",
        "title": "Use SQLite",
        "line": "It needs no server.",
        "source": "claude 5b0c1a2f",
        "author": "",
        "origin": "human",
    }
    for name, value in (given | changes).items():
        setattr(row, name, value)
    return row


def test_a_hit_is_two_lines_and_says_when_it_is_not_fresh() -> None:
    assert (
        lines(
            [(hit(), "fresh"), (hit(source="", kind="pitfall"), "stale")],
            {"server"},
            coloured=False,
        )
        == "k3v2qd2m7x4ab  2026-02-20  decision    Use SQLite\n    It needs no server.  [claude"
        " 5b0c1a2f]\nk3v2qd2m7x4ab  2026-02-20  pitfall     Use SQLite  (stale)\n    It needs no"
        " server.\n"
    )


def test_a_line_says_nothing_that_the_title_says() -> None:
    same = lines([(hit(line="Use SQLite."), "fresh")], (), coloured=False)
    cut = hit(title="Use SQLite for the…", line="Use SQLite for the catalog.", source="")

    assert same == "k3v2qd2m7x4ab  2026-02-20  decision    Use SQLite\n    [claude 5b0c1a2f]\n"
    assert lines([(cut, "fresh")], (), coloured=False).endswith("for the…\n    …catalog.\n")


def test_a_long_line_is_cut_around_the_first_word_that_was_looked_for() -> None:
    line = "filler " * 2000 + "the SQLite catalog " + "filler " * 2000

    shown = excerpt(line, set(terms("sqlite")))

    assert "the SQLite catalog" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) <= WIDTH + 2


def test_a_line_without_any_of_the_words_is_shown_from_its_beginning() -> None:
    assert excerpt("word " * 100, {"other"}).startswith("word word")


def test_nothing_can_steer_the_terminal() -> None:
    shown = lines(
        [(hit(title="a\x1b[2Jb", line="c\u202ed", source="e\x07"), "gone")], (), coloured=False
    )

    assert not {"\x1b", "\u202e", "\x07"} & set(shown)
