"""What git's hooks are written as, and that it goes again without a trace."""

import hashlib
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.repos import Repo

from git_lerim import file_edits
from git_lerim.git import hooks, repo
from git_lerim.git.repo import Place

LINES = [
    "[core]\n",
    "\tbare = false\n",
    '[hook "other"]\n',
    "\tcommand = true\n",
    "\tevent = post-commit\n",
    "# note\n",
    "\n",
    "[a]",
]


@pytest.fixture
def place(repo: Repo) -> Place:
    return found(repo.path)


def found(path: Path) -> Place:
    return repo.discover(path, {})


@given(lines=st.lists(st.sampled_from(LINES)))
def test_a_configuration_without_our_sections_is_what_it_was(lines: list[str]) -> None:
    config = hooks.configuration(
        Place(git_dir=Path("x"), common_dir=Path("x"), worktree=None, bare=True)
    )
    before = "".join(lines).encode()
    after = config.add(before)
    assert config.add(after) == after
    stripped = config.strip(after)
    assert stripped == before or stripped == before + b"\n"  # a last line that lacked its end


def test_git_reads_the_configuration_that_we_write(place: Place) -> None:
    edit = file_edits.addition(hooks.configuration(place))
    assert edit is not None
    file_edits.apply(edit)
    asked = ["git", "-C", str(place.common_dir), "config", "--get"]
    for event in hooks.EVENTS:
        command = subprocess.run(
            [*asked, f"hook.lerim-{event}.command"], capture_output=True, text=True, check=True
        ).stdout
        checked = subprocess.run(
            ["sh", "-n", "-c", command], capture_output=True, text=True, check=False
        )
        assert (checked.returncode, checked.stderr) == (0, "")
        event_of = subprocess.run(
            [*asked, f"hook.lerim-{event}.event"], capture_output=True, text=True, check=True
        )
        assert event_of.stdout.strip() == event


def test_what_a_person_added_to_a_section_stays_until_the_section_goes(place: Place) -> None:
    config = hooks.configuration(place)
    config.path.write_bytes(config.add(config.path.read_bytes()))
    subprocess.run(
        ["git", "-C", str(place.common_dir), "config", "hook.lerim-pre-push.enabled", "false"],
        check=True,
    )
    switched_off = config.path.read_bytes()
    assert config.add(switched_off) == switched_off
    assert b"lerim" not in (config.strip(switched_off) or b"")


@pytest.mark.parametrize("name", ["lerim", "chained", "chained-pre-push", "line", "line-pre-push"])
def test_a_shell_understands_what_the_hooks_run(name: str) -> None:
    text = (
        hooks.template(name)
        .replace(b"@PYTHON@", b"'/a b/python'")
        .replace(b"@BRANCH@", b"refs/heads/x")
    )
    done = subprocess.run(["sh", "-n"], input=text, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_template_that_changes_leaves_its_text_for_those_who_have_it() -> None:
    """If this fails, copy the text of the last release to `hooks/earlier/NAME-NUMBER`."""
    names = {"chained": "2377da2e", "chained-pre-push": "1387028c"}
    sums = {name: hashlib.sha256(hooks.template(name)).hexdigest()[:8] for name in names}
    assert sums == names


def test_a_python_whose_path_has_every_odd_character_is_run(repo: Repo, tmp_path: Path) -> None:
    odd = tmp_path / "a 'b' \"c\" $d `e` é"
    odd.mkdir()
    python = odd / "python"
    python.write_text(f'#!/bin/sh\necho "$@" >>"{tmp_path}/said"\n')
    python.chmod(0o755)
    place = found(repo.path)
    for edit in hooks.installation(place, "lerim/memory", str(python))[0]:
        file_edits.apply(edit)
    assert hooks.program(place) == str(python)
    pushed = "refs/heads/lerim/memory 1 refs/heads/lerim/memory 2\n"
    subprocess.run(
        [place.common_dir / "hooks/lerim", "pre-push"],
        cwd=repo.path,
        input=pushed,
        text=True,
        check=True,
    )
    assert (tmp_path / "said").read_text() == "-P -m git_lerim githook -q --scan pre-push\n"


def test_our_line_in_a_hook_of_husky_stands_before_whatever_ends_it(tmp_path: Path) -> None:
    place = Place(git_dir=tmp_path, common_dir=tmp_path, worktree=tmp_path, bare=False)
    (tmp_path / "config").write_text("")
    files = [file for file in hooks._files(place) if ".husky" in file.path.parts]
    for before in (b"#!/bin/sh\nexit 0\n", b"npx lint-staged\nexit 0", b"#!/bin/sh", b""):
        after = files[0].add(before)
        assert files[0].add(after) == after
        assert after.index(b"# git-lerim hook\n") < after.find(b"exit 0") or b"exit" not in before
        assert (files[0].strip(after) or b"").removesuffix(b"\n") == before.removesuffix(
            b"\n"
        ) or before == b"#!/bin/sh"
