from pathlib import Path

import pytest
from support import repos
from support.stores import decision

from git_lerim.git.repo import private_folder
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.storage import layout


@pytest.mark.parametrize("kind", ["sha1", "sha256"])
def test_the_first_commit_is_the_same_in_every_clone(tmp_path: Path, kind: str) -> None:
    made = repos.unborn(tmp_path / "new", f"--object-format={kind}")
    blobs = {
        name: made.git("hash-object", "-w", "--stdin", stdin=data)
        for name, data in layout.ROOT_FILES.items()
    }
    tree = made.git(
        "mktree", stdin="".join(f"100644 blob {blob}\t{name}\n" for name, blob in blobs.items())
    )

    commit = made.git(
        "hash-object", "-t", "commit", "-w", "--stdin", stdin=layout.root_commit(tree)
    )
    made.git("update-ref", "refs/heads/lerim/memory", commit)

    assert commit == layout.ROOT_IDS[kind]
    made.git("fsck", "--strict")
    made.git("rev-list", "--objects", "--all")


def test_the_first_files_are_fixed_for_ever() -> None:
    assert layout.ROOT_FILES["format"] == b"1\n"
    assert all(data.endswith(b"\n") and b"\r" not in data for data in layout.ROOT_FILES.values())


def test_every_folder_says_what_stands_in_it() -> None:
    path = naming.path_of(decision(1))

    assert frontmatter.parse(frontmatter.render(decision(1))) == decision(1)
    assert layout.primitive_at(path) == layout.primitive_at(f"archived/{path}") == "decision"
    assert layout.primitive_at("learnings/2026-02/20260201-x-aaaaaaaaaaaaa.md") == "learning"
    assert layout.primitive_at("README.md") is None


@pytest.mark.parametrize("path", ["decisions/2026-02", "archived/summaries/1999-12"])
def test_months_are_folders(path: str) -> None:
    assert layout.is_month(path)


@pytest.mark.parametrize(
    "path",
    [
        "decisions/2026-13",
        "handoffs/2026-02",
        "decisions/2026-02/x",
        "archived/2026-02",
        "decisions/..",
    ],
)
def test_nothing_else_is_a_month(path: str) -> None:
    assert not layout.is_month(path)


def test_each_branch_has_a_backup_of_its_own() -> None:
    assert layout.backup_ref("lerim/memory") == "refs/lerim/backup/memory"
    assert layout.backup_ref("lerim-memory") == "refs/lerim/backup/lerim-memory"


def test_our_folders_can_be_entered_by_their_user_alone(tmp_path: Path) -> None:
    assert private_folder(tmp_path / "lerim").stat().st_mode & 0o777 == 0o700
