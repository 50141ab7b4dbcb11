import io
import json
import os
import pty
import select
import sys
import unicodedata
from collections.abc import Callable, Iterator

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_lerim.commands import terminal
from git_lerim.errors import Declined

pytestmark = pytest.mark.filterwarnings(
    "ignore:This process .* is multi-threaded:DeprecationWarning"
)  # the child does nothing with them

HOSTILE = "\x1b[2J\x1b]0;owned\x07 \x9b31m \x08\x7f\r\u202e\u2066\u200b\ud800 end"
CHARACTERS = st.characters(exclude_categories=()) | st.sampled_from(HOSTILE)
TEXT = st.lists(CHARACTERS, max_size=15).map("".join)


@pytest.fixture(autouse=True)
def talkative() -> Iterator[None]:
    yield
    terminal._OUTPUT[0] = terminal._Output()


def safe(text: str) -> bool:
    return not any(
        unicodedata.category(c) in {"Cc", "Cs", "Cf"} and c not in "\n\t"
        for c in text
        if not 0x600 <= ord(c) <= 0x8E2
    )


@pytest.mark.parametrize(
    "speak",
    [terminal.data, terminal.say, lambda text: terminal.styled(terminal.heading(text, bold=True))],
)
def test_nothing_in_a_text_steers_the_terminal(
    speak: Callable[[str], None], capfd: pytest.CaptureFixture[str]
) -> None:
    speak(HOSTILE)
    out, err = capfd.readouterr()
    assert safe(out + err)
    assert "owned" in out + err


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.recursive(
        TEXT | st.integers(),
        lambda x: st.lists(x, max_size=3) | st.dictionaries(TEXT, x, max_size=3),
        max_leaves=5,
    )
)
def test_json_says_what_it_was_given_and_steers_nothing(
    capsys: pytest.CaptureFixture[str], value: object
) -> None:
    terminal.data_json(value)
    out = capsys.readouterr().out
    assert json.loads(out) == value
    assert not any(unicodedata.category(c) in {"Cc", "Cs"} and c not in "\n\t" for c in out)


def test_json_is_ascii_where_the_terminal_knows_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="latin-1", errors="backslashreplace")
    monkeypatch.setattr(sys, "stdout", plain)
    terminal.data_json({"title": "naïve — 😀"})
    plain.flush()
    assert json.loads(plain.buffer.getvalue().decode("ascii")) == {"title": "naïve — 😀"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "said\n"),
        (["-q"], ""),
        (["--quiet", "-v"], ""),
        (["-v"], "said\nmore\n"),
        (["--verbose"], "said\nmore\n"),
    ],
)
def test_quiet_and_verbose_are_options_of_every_verb(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    @terminal.verb()
    @click.option("--name")
    def command(name: str) -> int:
        """Do something."""
        terminal.say("said")
        terminal.detail("more")
        terminal.data(name)
        return 3

    assert command.main([*options, "--name", "x"], standalone_mode=False) == 3
    assert capsys.readouterr() == ("x\n", told)


def test_what_one_verb_was_told_is_not_remembered_by_the_next(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @terminal.verb()
    def command() -> None:
        """Do something."""
        terminal.say("said")

    command.main(["-q"], standalone_mode=False)
    command.main([], standalone_mode=False)
    assert capsys.readouterr().err == "said\n"


def test_a_question_without_a_terminal_is_declined_and_says_what_would_answer_it() -> None:
    says = "cannot ask without a terminal, so nothing was done: everyone will be able to read it$"
    with pytest.raises(Declined, match=says) as caught:
        terminal.confirm("everyone will be able to read it", yes=False)
    assert "--yes" in caught.value.hint
    assert caught.value.exit_code == 1


def test_a_question_with_closed_streams_is_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(Declined):
        terminal.confirm("delete everything?", yes=False)


def test_yes_is_the_answer_that_was_given_before(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.confirm("delete everything?", yes=True)
    assert capsys.readouterr() == ("", "")


def on_a_terminal(work: Callable[[], None], keys: bytes = b"") -> tuple[int, str]:
    """Run something in a process of its own on a terminal, press keys, and return its exit code and
    what the terminal showed.
    """
    child, screen = pty.fork()
    if child == 0:  # pragma: no cover
        code = 99
        try:
            sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
            sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
            work()
            code = 0
        except Declined:
            code = 1
        except (click.Abort, KeyboardInterrupt):
            code = 130
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    os.write(screen, keys)
    shown = b""
    while select.select([screen], [], [], 10)[0]:
        try:
            more = os.read(screen, 4096)
        except OSError:
            break
        if not more:
            break
        shown += more
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(screen)
    return code, shown.decode()


@pytest.mark.parametrize(
    ("keys", "code"), [(b"y\n", 0), (b"n\n", 1), (b"\n", 1), (b"what\ny\n", 0), (b"\x04", 130)]
)
def test_a_question_on_a_terminal_takes_no_for_an_answer(keys: bytes, code: int) -> None:
    ended, shown = on_a_terminal(
        lambda: terminal.confirm("delete\x1b[2J everything?", yes=False), keys
    )
    assert ended == code
    assert "\x1b" not in shown
    assert "[y/N]" in shown


def test_a_heading_has_a_style_on_a_terminal_and_none_where_colour_is_not_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @terminal.verb()
    def titled() -> None:
        terminal.styled(terminal.heading("title\x1b[5m", bold=True))

    def work() -> None:
        titled.main([], standalone_mode=False)

    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[1mtitle\\x1b[5m\x1b[0m" in on_a_terminal(work)[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in on_a_terminal(work)[1]
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in on_a_terminal(work)[1]
