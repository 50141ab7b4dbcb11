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
