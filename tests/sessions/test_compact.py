from hypothesis import given
from hypothesis import strategies as st

from git_lerim.sessions import compact


def test_what_anybody_would_say_is_kept_whole() -> None:
    text = "Use SQLite.\n" * 1000
    assert compact.said(text) == text


def test_a_pasted_log_keeps_its_two_ends_and_says_how_much_is_gone() -> None:
    text = "begin " + "x" * 100_000 + " end"
    cut = compact.said(text)
    assert cut.startswith("begin ")
    assert cut.endswith(" end")
    assert len(cut) < compact.TEXT_LIMIT + 100
    assert f"[… {len(text) - compact.TEXT_LIMIT} characters …]" in cut


def test_a_failing_result_keeps_the_end_where_the_error_stands() -> None:
    cut = compact.failure("pytest\n" + "." * 50_000 + "\nAssertionError: 1 != 2")
    assert cut.startswith("pytest\n")
    assert cut.endswith("AssertionError: 1 != 2")
    assert len(cut) < compact.HEAD + compact.TAIL + 100


@given(st.text(), st.text(max_size=2000))
def test_a_tool_call_is_one_line(tool: str, subject: str) -> None:
    line = compact.one_line(tool, subject)
    assert len(line.splitlines()) <= 1
    assert len(line) <= compact.LINE_LIMIT


def test_a_tool_call_without_a_subject_is_its_name() -> None:
    assert compact.one_line("TodoWrite", "") == "TodoWrite"
    assert compact.one_line("Bash", "git commit \\\n  -m x") == "Bash: git commit \\ -m x"
