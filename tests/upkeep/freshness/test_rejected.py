import pytest

from git_lerim.upkeep.freshness.rejected import without_rejected


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The pool should not use idleSockets from probe.py", "The pool should not from probe.py"),
        ("Never call `os.fork()` before `start()`", "Never before `start()`"),
        ("Do not call `pop` without `lock`", "Do not without `lock`"),
        ("Use `slots`, not `dict`, in `Row`", "Use `slots`, not , in `Row`"),
        ("Return not `None` but `[]`", "Return not but `[]`"),
        ("Use `slots` instead of `dict` for `Row`", "Use `slots` instead of for `Row`"),
        ("Don't use `a` and `b`", "Don't"),
        ("Get rid of LegacyView. Use GridView", "Get rid of. Use GridView"),
        ("For now remove all liveRows", "For now remove"),
        ("The flag `--fast` was removed", "The flag was removed"),
        ("`open` stays (the `isLocked()` checks were removed)", "`open` stays (the were removed)"),
        ("`legacyPath` is no longer used", "is no longer"),
        ("Rename `old_name` to `new_name`", "Rename to `new_name`"),
        ("Raise LIMIT from 10 to 20", "Raise LIMIT from to 20"),
    ],
)
def test_what_the_code_should_not_have_is_left_out(text: str, left: str) -> None:
    assert " ".join(without_rejected(text).split()).replace(" .", ".") == left


@pytest.mark.parametrize(
    "text",
    [
        "`close` removes `tmp` from `rows`",
        "`flush` calls `clean()` to remove `tmp_dir`",
        "Expired `rows` are removed by `sweep`",
        "`seek` is not only `slow` but `lossy`",
        "`if not ready` guards `start`",
        "`load` reads from `head` to `tail`",
    ],
)
def test_what_code_does_is_kept(text: str) -> None:
    assert without_rejected(text) == text
