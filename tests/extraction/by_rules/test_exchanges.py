from git_lerim.extraction.by_rules.exchanges import error_line, recommended

OFFER = """The queue can be kept in three ways.

1. **In memory** - fast, but lost when the process dies
2. **In SQLite** - survives a crash and needs no server
3. **In Redis** - survives a crash and needs a server

I'd recommend option 2, because nothing of ours may need a server. Want me to go on?"""


def test_a_number_accepts_the_option_it_names() -> None:
    assert recommended(OFFER, "3") == ["In Redis - survives a crash and needs a server"]


def test_a_yes_accepts_what_was_recommended() -> None:
    assert recommended(OFFER, "yes") == ["I'd recommend option 2, because nothing of ours may need a server."]


def test_the_line_of_an_error_is_the_one_that_names_it() -> None:
    output = (
        "collected 12 items\n\ntests/test_a.py F\n    assert x == y\nE   ValueError: the offset lies behind the end\n1 failed"
    )
    assert error_line(output) == "E ValueError: the offset lies behind the end"
    assert error_line("Exit code 1") == ""
    assert error_line("fatal: unable to read e53647ba1f1e5203") == "fatal: unable to read e53647ba1f1e5203"
