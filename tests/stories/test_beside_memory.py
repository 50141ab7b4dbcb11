"""What git does for its user is the same in a repository with memory and in one without: both are
run and compared.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.repos import Repo, bare, normal
from support.stores import adding, store_at, titles

WHEN = "2026-03-01T12:00:00Z"
# what tells of the memory's branch, and what git says above and instead of such lines
OURS = re.compile(r"lerim/|^To ROOT/hub$|^Everything up-to-date$")
# What users type, by what they are at; `{hub}` is the remote, `{new}` a folder that is not there
# yet.
STORIES = {
    "push": (
        "push; push origin side; push -u origin side:other; push --tags; push --delete origin"
        " other; push"
    ),
    "push --all": "push --all; push --all --prune origin",
    "push, all that both have": "-c push.default=matching push; push origin :",
    "push --mirror": "push --mirror origin",
    "fetch": "fetch; fetch --all --prune --tags; fetch origin main; pull; pull --rebase",
    "clone": (
        "clone {hub} {new}/full; clone --depth=1 file://{hub} {new}/shallow; clone --single-branch"
        " {hub} {new}/one;clone --bare {hub} {new}/bare; clone . {new}/local"
    ),
    "gc": (
        "gc; gc --prune=now --aggressive; repack -adq; pack-refs --all; prune --expire=now;"
        " maintenance run;reflog expire --expire=now --all; gc --prune=now; push"
    ),
    "worktree": (
        "worktree add {new}/tree side; worktree add -b topic {new}/topic; worktree move {new}/tree"
        " {new}/there;worktree remove {new}/topic; worktree prune; worktree list"
    ),
    "rebase": (
        "rebase side; reset -q --hard ORIG_HEAD; rebase -i --autosquash --root; rebase --onto side"
        " HEAD~1; rebase clash;rebase --abort; pull --rebase; cherry-pick clash; cherry-pick"
        " --abort"
    ),
    "stash": (
        "stash push -u -m first; stash show -p; stash pop; stash --keep-index; stash branch kept;"
        " stash list"
    ),
    "branches": (
        "branch; switch -c topic; commit -q --allow-empty -m more; switch main; merge --no-ff -m"
        " merged topic;branch -d topic; branch --merged; tag v2; describe --tags; log --oneline;"
        " revert --no-edit HEAD^; clean -fdx;commit --amend -q -m otherwise; bisect start HEAD"
        " HEAD~1; bisect reset; checkout --detach; branch -vv"
    ),
}
ASKED = (
    "for-each-ref",
    "status --porcelain=v2 -b",
    "diff HEAD",
    "stash list",
    "log -g --format=%gs HEAD",
    "config --local --list",
    "worktree list --porcelain",
)


@dataclass(frozen=True)
class Side:
    """One of two worlds that are the same but for the memory."""

    root: Path

    @property
    def repo(self) -> Repo:
        return Repo(self.root / "repo")

    @property
    def hub(self) -> Repo:
        return Repo(self.root / "hub")

    def run(self, line: str) -> tuple[int, str, str]:
        """Run git as the user does, and return how it ended and what it said, without what tells of
        the memory's branch.
        """
        words = [word.format(hub=self.hub.path, new=self.root / "new") for word in line.split()]
        env = (
            os.environ
            | dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), WHEN)
            | {"GIT_SEQUENCE_EDITOR": "true"}
        )
        done = subprocess.run(
            ["git", *words],
            cwd=self.repo.path,
            env=env,
            capture_output=True,
            check=False,
            text=True,
        )
        return done.returncode, self.told(done.stdout), self.told(done.stderr)

    def told(self, text: str) -> str:
        """Leave out where this world lies, what tells of the memory, and how wide the columns are
        therefore.
        """
        rows = [
            row for row in text.replace(str(self.root), "ROOT").splitlines() if not OURS.search(row)
        ]
        return "\n".join(re.sub(r" +", " ", row) for row in rows)

    def state(self) -> dict[str, str]:
        """Return what the user has: in the repository, in the remote, and in what was cloned."""
        folders = [
            self.repo.path,
            self.hub.path,
            *sorted(path.parent for path in self.root.glob("new/*/.git")),
        ]
        return {
            f"{path.relative_to(self.root)}: {ask}": self.told(
                Repo(path).git(*ask.split(), check=False)
            )
            for path in folders
            for ask in ASKED
        }


def prepared(root: Path) -> Side:
    """Make a repository with some history, changes that are not committed, and a remote that has
    moved on.
    """
    root.mkdir()
    side = Side(root)
    hub, repo = bare(root / "hub"), normal(root / "repo")
    repo.git("remote", "add", "origin", str(hub.path))
    repo.commit({"a.py": "a = 1\n"}, "second", when=WHEN)
    repo.git("push", "-q", "-u", "origin", "main")
    repo.git("tag", "v1")
    for branch, files in (("side", {"b.py": "b = 1\n"}), ("clash", {"hello.py": "clash\n"})):
        repo.git("switch", "-q", "-c", branch, "HEAD~1")
        repo.commit(files, f"on {branch}", when=WHEN)
        repo.git("switch", "-q", "main")
    ahead = repo.git("commit-tree", "-p", "main", "-m", "by a colleague", "main^{tree}", when=WHEN)
    repo.git("push", "-q", "origin", f"{ahead}:refs/heads/colleague")
    repo.commit({"hello.py": "print('again')\n"}, "third", when=WHEN)
    repo.commit({"hello.py": "print('fixed')\n"}, "fixup! third", when=WHEN)
    return side


@pytest.mark.parametrize("story", STORIES)
def test_git_does_for_its_user_what_it_does_without_memory(story: str, tmp_path: Path) -> None:
    without, beside = prepared(tmp_path / "without"), prepared(tmp_path / "with")
    store = store_at(beside.repo.path)
    store.commit(adding(0))
    beside.repo.git("push", "-q", "origin", "lerim/memory")
    lines = STORIES[story].split(";")
    for number, line in enumerate(lines):
        for side in (without, beside):
            if story in {"stash", "branches"}:  # the others want a clean work tree
                (side.repo.path / "a.py").write_text(f"a = {number}\n")
                (side.repo.path / "new.py").write_text("new\n")
        store.commit(adding(number + 1))

        assert beside.run(line) == without.run(line), line
        assert beside.state() == without.state(), line

    assert titles(store_at(beside.repo.path).snapshot()) == {
        f"Use thing {n}" for n in range(len(lines) + 1)
    }
    beside.repo.git("rev-list", "--objects", "--quiet", "lerim/memory")


def test_what_moves_every_branch_moves_the_memory_and_nothing_else_does(tmp_path: Path) -> None:
    side = prepared(tmp_path / "with")
    store_at(side.repo.path).commit(adding(0))

    def there() -> list[str]:
        return [
            ref
            for ref in side.hub.git("for-each-ref", "--format=%(refname)").splitlines()
            if "lerim/" in ref
        ]

    for line in (
        "push",
        "push --tags",
        "push origin side",
        "-c push.default=matching push",
        "push --follow-tags",
    ):
        assert side.run(line)[0] == 0, line
        assert there() == [], line
    side.run("push --all")
    assert there() == ["refs/heads/lerim/memory"]  # a branch like any other; the README says so
    assert side.repo.git("ls-remote", "--symref", "origin", "HEAD").startswith(
        "ref: refs/heads/main"
    )
