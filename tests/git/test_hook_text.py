"""What stays of a hook file when our part is taken out."""

import subprocess
from pathlib import Path

from git_lerim.git import hook_text


def test_what_the_user_put_around_the_script_is_still_a_hook_that_runs(tmp_path: Path) -> None:
    script = b"#!/bin/sh\n# git-lerim hook v1\necho ours\n"
    around = script.replace(b"\n#", b'\nif [ "${CI-}" != 1 ]; then\n#', 1) + b"fi\necho done\n"

    left = hook_text.without_script(script, around)

    assert left == b'#!/bin/sh\nif [ "${CI-}" != 1 ]; then\n:\nfi\necho done\n'
    hook = tmp_path / "pre-push"
    hook.write_bytes(left)
    assert subprocess.run(["sh", hook], capture_output=True, check=True).stdout == b"done\n"
