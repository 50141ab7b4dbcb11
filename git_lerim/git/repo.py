"""Find the repository, its work trees and its root commits."""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from git_lerim import private_files
from git_lerim.errors import GitFailed, LerimError, NotARepository, OutsideRepository
from git_lerim.git import fast_repo
from git_lerim.git.endless_files import endless_file
from git_lerim.git.running import process
from git_lerim.git.running.environment import emptied
from git_lerim.git.running.process import endless, git_line, plain, repository_variables, run_git

# rev-parse echoes unknown options: this separates answers that may contain newlines
MARK = "--lerim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A repository: its folders, the formats of its objects and refs, and known answers of git."""

    git_dir: Path
    common_dir: Path  # shared by all worktrees
    worktree: (
        Path | None
    )  # None in a bare repository, inside `.git`, and where core.worktree names another folder
    bare: bool
    object_format: str = "sha1"
    ref_format: str = "files"
    known: dict[str, object] = field(default_factory=dict, compare=False, repr=False)

    @property
    def own_dir(self) -> Path:
        """The folder for git-lerim's local files, which are never shared."""
        return self.common_dir / "lerim"

    def git(self, *args: str) -> list[str]:
        """Return arguments for git, after options that select this repository from any folder."""
        process.refuse_endless_refs(str(self.git_dir), str(self.common_dir), args)
        # otherwise git resolves paths from core.worktree where that is the current folder
        top = [] if self.bare or self.worktree else ["--work-tree=."]
        return [f"--git-dir={self.git_dir}", *top, *_guards(self, written(self)), *args]


def _configurations(place: Place) -> tuple[Path, Path]:
    return place.common_dir / "config", place.git_dir / "config.worktree"


def written(place: Place) -> tuple[int, ...]:
    """Return when the repository's own configuration was last changed."""
    times = []
    for path in _configurations(place):
        with suppress(OSError):
            times.append(path.stat().st_mtime_ns)
    return tuple(times)


@cache
def _guards(place: Place, written: tuple[int, ...]) -> Sequence[str]:  # noqa: ARG001 for the cache
    """Return the git options that disable the hooks that are defined in git's configuration.

    `core.hooksPath` does not disable a hook configured as `hook.NAME.command` (git 2.54). Git is
    asked only if the repository's own configuration may define one.
    """
    text = b""
    for path in _configurations(place):
        with suppress(OSError):
            text += private_files.read_small(path, private_files.LARGE).lower()
    if not any(section in text for section in (b"[hook", b"[include")):
        return ()
    asked = ("config", "--name-only", "-z", "--get-regexp", r"^hook\..*\.")
    listed = run_git([f"--git-dir={place.git_dir}", *asked], check=False)
    names = {key.rpartition(".")[0] for key in os.fsdecode(listed).split("\0") if key}
    return [word for name in sorted(names) for word in emptied(f"{name}.enabled")]


def private_folder(path: Path) -> Path:
    """Create a folder that only its owner can enter, and return it."""
    private_files.make_folders(path)
    return path


def discover(start: Path, environ: Mapping[str, str]) -> Place:
    """Find the repository that contains a folder, or that GIT_DIR names. Raises NotARepository."""
    asked = (
        "--is-bare-repository",
        "--is-inside-work-tree",
        "--show-object-format",
        "--show-ref-format",
        "--show-cdup",
    )
    pointed = repository_variables(environ)
    _refuse_endless(start, pointed)
    try:
        answer = run_git(["rev-parse", *asked, MARK, "--absolute-git-dir"], cwd=start, env=pointed)
    except GitFailed as error:
        if "not a git repository" not in str(error):
            raise
        kind = NotARepository if pointed or fast_repo.has_dot_git(start) else OutsideRepository
        hint = "run it in a repository, or create one with git init"
        raise kind(f"{plain(str(start))} is not in a git repository", hint=hint) from error
    facts, _, found = os.fsdecode(answer).partition(f"{MARK}\n")
    if not found:
        raise GitFailed(
            "git rev-parse returned nothing", hint="git may have been killed; try again"
        )
    bare, inside, object_format, ref_format, *up = facts.split("\n")
    git_dir = Path(found.removesuffix("\n"))
    if "GIT_DIR" not in pointed:
        _refuse_planted(start, git_dir)
    worktree = Path(os.path.normpath(start.absolute() / up[0])) if inside == "true" else None
    if "GIT_WORK_TREE" not in pointed and (worktree is None or not _leads_to(worktree, git_dir)):
        worktree = _beside(git_dir) if "GIT_DIR" in pointed and bare == "false" else None
    return Place(
        git_dir=git_dir,
        common_dir=_our_common_dir(git_dir),
        worktree=worktree,
        bare=bare == "true",
        object_format=object_format,
        ref_format=("files" if ref_format.startswith("--") else ref_format),
    )


def here() -> Path:
    """Return the current folder. Raises LerimError if it was deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise LerimError(
            "the current folder no longer exists", hint="change to an existing folder"
        ) from error


def place_of(git_dir: Path) -> Place:
    """Return the `Place` of a bare repository that git-lerim made, without running git."""
    return Place(git_dir=git_dir, common_dir=git_dir, worktree=None, bare=True)


def common_dir_of(git_dir: Path) -> Path:
    """Return the folder that a git directory shares with the repository's other worktrees."""
    try:
        return Path(
            os.path.normpath(
                git_dir / os.fsdecode(private_files.read_small(git_dir / "commondir")).rstrip("\n")
            )
        )
    except OSError:
        return git_dir


def toplevel_of(path: str) -> tuple[Path, Path] | None:
    """Return the work tree around a folder, and the work tree's common directory, or None.

    Git is not run. The result is None if the folder does not exist or is in no work tree.
    """
    folder = Path(path)
    try:
        if not folder.is_absolute() or not folder.is_dir():
            return None
    except OSError:  # e.g. name too long, or no permission
        return None
    for place in (folder, *folder.parents):
        git_dir = _git_dir_at(place / ".git")
        if git_dir is not None:
            return place, common_dir_of(git_dir)
    return None


def worktrees(place: Place) -> list[Path]:
    """Return the folders of all worktrees, even of deleted ones.

    The folder of a bare repository is not a worktree and is left out.
    """
    if (
        place.worktree
        and place.git_dir == place.common_dir
        and not (place.common_dir / "worktrees").exists()
    ):
        return [place.worktree]  # the only one: no process needed
    listed = run_git(place.git("worktree", "list", "--porcelain"), cwd=place.git_dir)
    entries = os.fsdecode(listed).removesuffix("\n\n").split("\n\nworktree ")
    found = []
    for entry in entries:
        path, *facts = re.split(
            r"\n(?=bare$|HEAD [0-9a-f]+$)",
            entry.removeprefix("worktree "),
            maxsplit=1,
            flags=re.MULTILINE,
        )
        if not (facts and facts[0].startswith("bare")):
            found.append(Path(path))
    return found


def tracked(worktree: str, names: Sequence[str]) -> set[str]:
    """Return the files among `names` that are in a work tree's index."""
    output = run_git(
        ["--literal-pathspecs", "ls-files", "-z", "--", *names], cwd=Path(worktree), check=False
    )
    return {os.fsdecode(name) for name in output.split(b"\0")}


def head(place: Place) -> str | None:
    """Return the commit of HEAD, or None before the first commit."""
    return git_line(
        place.git("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), cwd=place.git_dir
    )


def root_commits(place: Place) -> list[str]:
    """Return the root commits in the history of HEAD; a shallow clone has none."""
    tip = head(place)
    if tip is None or (place.common_dir / "shallow").exists():
        return []
    return list(_roots(place, tip))


@cache
def _roots(place: Place, tip: str) -> tuple[str, ...]:
    return tuple(
        run_git(place.git("rev-list", "--max-parents=0", tip), cwd=place.git_dir).decode().split()
    )


def _git_dir_at(dot_git: Path) -> Path | None:
    try:
        if dot_git.is_dir():
            return dot_git if (dot_git / "HEAD").exists() else None
        link = os.fsdecode(private_files.read_small(dot_git))
    except OSError:
        return None
    if not link.startswith("gitdir: "):
        return None
    target = Path(os.path.normpath(dot_git.parent / link.removeprefix("gitdir: ").rstrip("\n")))
    return target if target.is_dir() else None


def _refuse_endless(start: Path, pointed: Mapping[str, str]) -> None:
    """Raise LerimError if git would wait for a pipe or device in this repository."""
    git_dir = str(start / pointed["GIT_DIR"]) if "GIT_DIR" in pointed else ""
    common = fast_repo.linked_to(git_dir) or git_dir
    around = (str(start), git_dir, common) if git_dir else fast_repo.located(str(start))
    if around and (path := endless_file(*around)):
        raise endless(path)


def _refuse_planted(start: Path, git_dir: Path) -> None:
    """Raise NotARepository for a bare repository inside another repository's work tree.

    Anybody may have committed it there, and git would trust its configuration unless
    `safe.bareRepository` is `explicit`.
    """
    real = Path(os.path.realpath(git_dir))
    if ".git" in real.parts or real not in (stood := Path(os.path.realpath(start)), *stood.parents):
        return
    for folder in real.parents:
        around = _git_dir_at(folder / ".git")
        if around is not None and Path(os.path.realpath(around)) != real:
            what = (
                f"{plain(str(git_dir))} is a bare repository inside the work tree"
                f" {plain(str(folder))}"
            )
            hint = (
                "its settings may come from a commit of that work tree; if you trust the bare"
                " repository, run: git --git-dir=PATH lerim VERB"
            )
            raise NotARepository(f"{what}; it was not opened", hint=hint)


def _our_common_dir(git_dir: Path) -> Path:
    """Return the common directory; raise LerimError if it contains a suspicious entry.

    Such an entry is a link or a special file where git and git-lerim never create one.
    """
    common = common_dir_of(git_dir)
    if path := fast_repo.strange_entry(str(common), depth=4):
        raise LerimError(
            f"{plain(path)} is a link or a special file, which git and git-lerim never make there",
            hint="delete it to continue; if you did not make it, do not trust this folder",
        )
    return common


def _leads_to(worktree: Path, git_dir: Path) -> bool:
    """Return whether a work tree belongs to the repository in `git_dir`.

    It may not, because core.worktree can name any folder.
    """
    dot_git = worktree / ".git"
    found = dot_git if dot_git.is_dir() else _git_dir_at(dot_git)
    return found is not None and os.path.realpath(found) == os.path.realpath(git_dir)


def _beside(git_dir: Path) -> Path | None:
    return git_dir.parent if git_dir.name == ".git" else None
