"""What of a store in the work tree is handed out: all but what others committed and what no colleague may order an agent to do.

A file that nobody else committed is the user's own. `refs/lerim/accepted-tree` leads to a blob that names what was accepted.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property

from git_lerim.errors import LerimError, NoIdentity
from git_lerim.git import repo
from git_lerim.git.disk import Disk
from git_lerim.git.objects import Objects
from git_lerim.git.process import plain, run_git
from git_lerim.git.repo import Place
from git_lerim.git.signature import identity
from git_lerim.memories import naming
from git_lerim.storage import layout
from git_lerim.storage.authors import named
from git_lerim.storage.base import Quarantined
from git_lerim.storage.judge import RULES, Judge
from git_lerim.storage.judging import File
from git_lerim.storage.past import SOBER

ACCEPTED = "refs/lerim/accepted-tree"
_KEPT = "judged"  # the name under which reasons are kept for later processes


class TreeTrust:
    """Judges the files of a store in the work tree, each version once."""

    def __init__(self, place: Place, disk: Disk, objects: Objects) -> None:
        """Read nothing yet."""
        self._place = place
        self._disk = disk
        self._objects = objects
        self._held: dict[tuple[str, str], str] = {}

    def reason(self, path: str, blob: str) -> str:
        """Return why a file waits to be accepted, safe to print; empty where it is handed out."""
        if (path, blob) not in self._held:
            reason = self._reasons.get(blob)
            if reason is None:
                reason = self._reasons[blob] = self._judge.reason(blob)
                self._is_new = True
            author = self._other(path) if reason and blob not in self.accepted else ""
            self._held[path, blob] = f"from {author}: it {reason}; git lerim pull --accept hands it out" if author else ""
        return self._held[path, blob]

    def passed(self, file: File) -> File:
        """Return a file that is handed out with who else committed it, and any other as one that is set aside."""
        if isinstance(file, Quarantined):
            return file
        if not (reason := self.reason(file.path, file.blob)):
            author = self._others.get(file.path, "")
            return replace(file, author=author) if author else file
        return Quarantined(path=file.path, reason=reason)

    def waiting(self, files: Mapping[str, str]) -> dict[str, str]:
        """Return the reason of each file that waits, by path; the files are given by path with their blobs."""
        found = {path: self.reason(path, blob) for path, blob in files.items() if naming.valid_path(path)}
        if self._is_new:
            self._disk.tell(_KEPT, {"rules": RULES, "reasons": {blob: self._reasons[blob] for blob in self._reasons}})
        return {path: reason for path, reason in found.items() if reason}

    def accept(self, blobs: Collection[str]) -> None:
        """Hand out some versions of files from now on."""
        listed = "".join(f"{blob}\n" for blob in sorted(self.accepted.union(blobs)))
        git = self._place.git_dir
        written = run_git(self._place.git("hash-object", "-w", "--stdin"), cwd=git, input=listed.encode()).decode().strip()
        run_git(self._place.git("update-ref", "-m", "git-lerim: accept", ACCEPTED, written), cwd=git)
        self.__dict__.pop("accepted", None)
        self._held.clear()

    @cached_property
    def accepted(self) -> frozenset[str]:
        """The blobs that the user accepted."""
        kept = self._objects.ref(ACCEPTED)
        return frozenset(self._objects.blob(kept).decode("ascii", "replace").split()) if kept else frozenset()

    _is_new = False

    @cached_property
    def _reasons(self) -> dict[str, str]:
        kept = self._disk.told(_KEPT) or {}
        reasons = kept.get("reasons") if kept.get("rules") == RULES else None
        return {str(blob): str(reason) for blob, reason in reasons.items()} if isinstance(reasons, dict) else {}

    @cached_property
    def _judge(self) -> Judge:
        return Judge(self._place, self._objects, self._disk)

    def _other(self, path: str) -> str:
        """Return who else has changed a file, as git names them; empty where it is the user's own."""
        if (head := repo.head(self._place)) is None:
            return ""
        spec = f":(literal,top){layout.TREE}/{path}"
        try:
            log = self._place.git("log", "--format=%an <%ae> <%ce> in %h", *SOBER, head, "--", spec)
            authors = run_git(log, cwd=self._place.git_dir).decode("utf-8", "replace").splitlines()
        except LerimError:
            return "somebody"
        return plain(next((author for author in authors if author.count(f"<{self._mail}>") < 2), ""))

    @cached_property
    def _others(self) -> dict[str, str]:
        """Who else committed each file last, by its path in the store; of a file that only the user committed, nobody."""
        head = repo.head(self._place)
        if head is None:
            return {}
        spec = f":(literal,top){layout.TREE}"
        form = "--format=%x01%an%x00%ae%x00%ce"
        log = self._place.git("log", "-z", "--no-merges", "--name-only", form, *SOBER, head, "--", spec)
        found: dict[str, str] = {}
        try:
            entries = run_git(log, cwd=self._place.git_dir).decode("utf-8", "replace").split("\x01")[1:]
        except LerimError:
            return {}
        for name, mail, by, *paths in (entry.split("\0") for entry in entries):
            for path in paths if {mail, by} != {self._mail} else ():
                found.setdefault(path.lstrip("\n").removeprefix(f"{layout.TREE}/"), named(name))
        return found

    @cached_property
    def _mail(self) -> str:
        try:
            return identity(self._place).author.rpartition(b"<")[2].rstrip(b">").decode("utf-8", "replace")
        except NoIdentity:
            return "\n"
