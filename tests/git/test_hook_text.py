"""What stays of a hook file when our part is taken out."""

import subprocess
from pathlib import Path

import pytest

from git_lerim.git import hook_text


def test_what_the_user_put_around_the_script_is_still_a_hook_that_runs(tmp_path: Path) -> None:
    script = b"#!/bin/sh\n# git-lerim hook v1\necho ours\n"
    around = script.replace(b"\n#", b'\nif [ "${CI-}" != 1 ]; then\n#', 1) + b"fi\necho done\n"

    left = hook_text.without_script(script, around)

    assert left == b'#!/bin/sh\nif [ "${CI-}" != 1 ]; then\n:\nfi\necho done\n'
    hook = tmp_path / "pre-push"
    hook.write_bytes(left)
    assert subprocess.run(["sh", hook], capture_output=True, check=True).stdout == b"done\n"


@pytest.mark.parametrize(
    "below",
    ["if false; then\n{last}fi\n", "cat <<END\n{last}END\n", "foo() {{\n    {last}}}\n"],
)
def test_the_end_of_the_script_is_not_sought_in_the_users_lines(tmp_path: Path, below: str) -> None:
    script = b"#!/bin/sh\n# git-lerim hook v1\necho ours\nexit $status\n"
    users = b"echo before\n", below.format(last="exit $status\n").encode()
    text = script.replace(b"\n#", b"\n" + users[0] + b"#", 1) + users[1]

    left = hook_text.without_script(script, text)

    assert left == b"#!/bin/sh\n" + users[0] + b":\n" + users[1]
    hook = tmp_path / "hook"
    hook.write_bytes(left)
    done = subprocess.run(["sh", "-n", hook], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_lines_within_the_script_are_kept_too() -> None:
    script = b"#!/bin/sh\n# git-lerim hook v1\necho ours\nexit $status\n"
    text = script.replace(b"exit", b"echo within\nexit") + b"if x; then\nexit $status\nfi\n"

    left = hook_text.without_script(script, text)

    assert left == b"#!/bin/sh\necho within\n:\nif x; then\nexit $status\nfi\n"


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        (None, True),
        (b"npx lint-staged\n", True),
        (b"#!/bin/ash\n", True),
        (b"#!/usr/bin/env mksh\n", True),
        (b"#!/usr/bin/env python3\n", False),
        (b"\x7fELF\x02\x01\x01\0\0\n", False),
        (b"MZ\x90\0\x03\n", False),
        (b"#!/bin/sh\ntail -c +40 $0 | gunzip | sh; exit\n\x1f\x8b\x08\0", False),
    ],
)
def test_only_a_shell_script_takes_our_line(*, text: bytes | None, takes: bool) -> None:
    assert hook_text.takes_line(text) is takes


@pytest.mark.parametrize("text", [b"#!/bin/sh\n", b"", b"#!/bin/sh\nexit 0\n", None])
def test_a_shared_hook_is_afterwards_what_it_was_before(text: bytes | None) -> None:
    run = b"run the script " + hook_text.LINE

    once = hook_text.with_line(run, text)

    assert hook_text.with_line(run, once) == once
    assert hook_text.without_line(once) == text
