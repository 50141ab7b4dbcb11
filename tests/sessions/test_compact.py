import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.redaction.redactor import Redactor
from git_lerim.sessions import compact
from git_lerim.sessions.session import Role

SECRETS = Redactor()


def said(text: str) -> str:
    return compact.cut(Role.PROMPT, compact.said(text))


def failure(text: str) -> str:
    return compact.cut(Role.RESULT, compact.failure(text))


def line(tool: str, subject: str) -> str:
    return compact.cut(Role.CALL, compact.one_line(tool, subject))


def test_what_anybody_would_say_is_kept_whole() -> None:
    text = "Use SQLite.\n" * 1000
    assert said(text) == text


def test_a_pasted_log_keeps_its_two_ends_and_says_how_much_is_gone() -> None:
    text = "begin " + "x" * 100_000 + " end"
    cut = said(text)
    assert cut.startswith("begin ")
    assert cut.endswith(" end")
    assert len(cut) < compact.TEXT_LIMIT + 100
    assert f"[… {len(text) - compact.TEXT_LIMIT} characters …]" in cut


def test_a_failing_result_keeps_the_end_where_the_error_stands() -> None:
    cut = failure("pytest\n" + "." * 50_000 + "\nAssertionError: 1 != 2")
    assert cut.startswith("pytest\n")
    assert cut.endswith("AssertionError: 1 != 2")
    assert len(cut) < compact.HEAD + compact.TAIL + 100


@given(st.text(), st.text(max_size=2000))
def test_a_tool_call_is_one_line(tool: str, subject: str) -> None:
    shown = line(tool, subject)
    assert len(shown.splitlines()) <= 1
    assert len(shown) <= compact.LINE_LIMIT


def test_a_tool_call_without_a_subject_is_its_name() -> None:
    assert line("TodoWrite", "") == "TodoWrite"
    assert line("Bash", "git commit \\\n  -m x") == "Bash: git commit \\ -m x"


@pytest.mark.parametrize("length", [0, 100, 3_999, 4_000, 4_001, 9_000, 12_000, 12_001, 90_000])
def test_a_cut_counts_what_is_left_out_and_cuts_no_further_the_second_time(length: int) -> None:
    text = "".join(chr(0x4E00 + n % 20_000) for n in range(length))
    shown = failure(text)
    gap = re.search(r"\n\[… (\d+) characters …\]\n", shown)

    assert (gap is None) == (length <= compact.HEAD + compact.TAIL)
    left_out = int(gap[1]) - len(gap[0]) if gap else 0
    assert len(shown) + left_out == length
    assert text.startswith(shown[: gap.start() if gap else None])
    assert text.endswith(shown[gap.end() if gap else 0 :])
    assert compact.cut(Role.RESULT, shown) == shown


KEY = [
    f"{n:02}" + "Zk3vQ9xLw7Rt2Yp8Bn5Jd1Hs6Gf4Mc0AaXeUiOqWzTyPlKjHgFdSsNbVvCcMx"[:62]
    for n in range(20)
]
PRIVATE_KEY = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *KEY, "-----END RSA PRIVATE KEY-----"])


@given(st.integers(0, 15_000), st.sampled_from([12_000, 21_000, 60_000]))
def test_no_cut_keeps_half_of_a_secret(place: int, length: int) -> None:
    phrase = "correct horse battery staple nine lives"
    for secret, parts in (
        (PRIVATE_KEY, KEY),
        (f'password = "{phrase}"', ["correct horse", "nine lives"]),
    ):
        for at in (place, max(length - place, 0)):
            log = "a line of a log\n" * (length // 16)
            text = f"{log[:at]}\n{secret}\n{log[at:]}"
            for role, read in ((Role.RESULT, compact.failure), (Role.PROMPT, compact.said)):
                shown = compact.cut(role, SECRETS.redact(read(text))[0])
                assert not [part for part in parts if part in shown]


LONG_KEY = [
    "-----BEGIN PRIVATE " + "KEY-----",
    *(f"{n:03}{KEY[n % 20][::-1]}"[:64] for n in range(105)),
    "-----END PRIVATE " + "KEY-----",
]


@given(st.integers(0, 20_000))
def test_no_cut_keeps_a_part_of_a_key_longer_than_the_margin(place: int) -> None:
    text = "\n".join(("a line of a log\n" * 2_000, *LONG_KEY, "a line\n" * (place // 7)))

    for role, read in ((Role.RESULT, compact.failure), (Role.PROMPT, compact.said)):
        shown = compact.cut(role, SECRETS.redact(read(text))[0])
        assert not [part for part in LONG_KEY if part in shown]


@given(st.integers(200, 330))
def test_no_line_of_a_call_ends_in_half_a_passphrase(place: int) -> None:
    subject = f"{'word ' * 80}"[:place] + " --password='correct horse battery staple nine lives'"
    shown = compact.cut(Role.CALL, SECRETS.redact(compact.one_line("Bash", subject))[0])
    assert "correct horse" not in shown


BODY = "Zk3vQ9xLw7Rt2Yp8Bn5Jd1Hs6Gf4Mc0AaXeUiOqWzTyPlKjHgFdSsNbVvCcMx" * 2
TOKENS = [f"github_pat_{n:03}{BODY}"[:93] for n in range(150)]


@given(st.integers(0, 200))
def test_no_cut_keeps_half_a_token_of_a_text_that_redaction_shortened(place: int) -> None:
    text = "\n".join((*TOKENS, *TOKENS, "z" * place))
    for role, read in ((Role.RESULT, compact.failure), (Role.PROMPT, compact.said)):
        shown = compact.cut(role, SECRETS.redact(read(text))[0])
        assert not [token for token in TOKENS if token[:24] in shown or token[-24:] in shown]


@given(st.integers(0, 100))
def test_no_line_of_a_call_keeps_half_a_token(place: int) -> None:
    subject = " ".join(("q" * place, *TOKENS[:12]))
    shown = compact.cut(Role.CALL, SECRETS.redact(compact.one_line("Bash", subject))[0])
    assert not [token for token in TOKENS if token[:24] in shown]


@pytest.mark.parametrize(
    ("role", "text"),
    [
        (Role.PROMPT, "Always run ruff. [REDACTED:assignment]\n[… 100 characters …]\nin the log."),
        (Role.CALL, "Bash: curl -H [REDACTED:bearer] https://x.org && echo done…"),
    ],
)
def test_a_text_that_says_it_was_cut_is_kept_whole(role: Role, text: str) -> None:
    assert compact.cut(role, text) == text
