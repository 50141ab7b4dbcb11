"""Whatever five people do, and in whatever order they share it, all end with the same store, and nothing anybody said is gone."""

import tempfile
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from support.repos import Repo, bare, normal
from support.stores import adding, decision, store_at

from git_lerim.memories import frontmatter, naming
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage.base import Change, Snapshot

REF = "refs/heads/lerim/memory"
THEIRS = "refs/remotes/origin/lerim/memory"
PEOPLE = 5
MEMORIES = 4

people = st.integers(0, PEOPLE - 1)
memories = st.integers(0, MEMORIES - 1)


class Sharing(RuleBasedStateMachine):
    """Five clones of one hub."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.said: dict[str, str] = {}  # what a person wrote, and of which memory
        self.archived: set[str] = set()
        self.turn = 0

    @initialize(size=st.integers(2, PEOPLE))
    def begin(self, size: int) -> None:
        base = Path(self.folder.name)
        self.hub = bare(base / "hub")
        self.clones = [_clone(base / f"clone{number}", self.hub, f"Person {number}") for number in range(size)]
        store_at(self.clones[0].path).commit(adding(0, 1))
        for clone in self.clones:
            _push(clone)
            _pull(clone)

    @rule(who=people, which=memories)
    def add(self, who: int, which: int) -> None:
        memory = decision(which)
        store = store_at(self.clone(who).path)
        store.commit(
            lambda snapshot: (
                None
                if memory.id in snapshot.memories
                else Change(files={naming.path_of(memory): frontmatter.render(memory)}, subject="add")
            )
        )

    @rule(who=people, which=memories, paragraph=st.booleans())
    def edit(self, who: int, which: int, *, paragraph: bool) -> None:
        said = self.word()

        def edited(memory: Memory) -> Memory:
            return memory.having(body=f"{memory.body}\n\n{said}" if paragraph else said)

        if self.change(who, which, edited):
            self.said[said] = decision(which).id

    @rule(who=people, which=memories)
    def rename(self, who: int, which: int) -> None:
        said = self.word()
        if self.change(who, which, lambda memory: memory.having(title=said)):
            self.said[said] = decision(which).id

    @rule(who=people, which=memories)
    def tag(self, who: int, which: int) -> None:
        said = self.word()
        if self.change(who, which, lambda memory: memory.having(tags=(*memory.tags, said))):
            self.said[said] = decision(which).id

    @rule(who=people, which=memories, on=st.booleans())
    def protect(self, who: int, which: int, *, on: bool) -> None:
        self.change(who, which, lambda memory: memory.having(protected=on))

    @rule(who=people, which=memories)
    def archive(self, who: int, which: int) -> None:
        if self.change(who, which, lambda memory: memory.having(status=Status.ARCHIVED)):
            self.archived.add(decision(which).id)

    @rule(who=people)
    def pull(self, who: int) -> None:
        _pull(self.clone(who))

    @rule(who=people)
    def push(self, who: int) -> None:
        _push(self.clone(who))

    def teardown(self) -> None:
        """Let all share until nobody has anything new, and look."""
        try:
            if hasattr(self, "clones"):
                self.look()
        finally:
            self.folder.cleanup()

    def look(self) -> None:
        for _ in range(2):
            for clone in self.clones:
                _pull(clone)
                _push(clone)
        trees = {clone.git("rev-parse", "-q", "--verify", f"{REF}^{{tree}}", check=False) for clone in self.clones}
        assert len(trees) == 1
        snapshot = store_at(self.clones[0].path).snapshot()
        assert not list(snapshot.quarantined)
        for said, ident in self.said.items():
            memory = snapshot.memories[ident].memory
            stands = said in f"{memory.title}\n{memory.body}\n{memory.tags}"
            assert stands or ident in self.archived, f"{said} is gone"
        assert not any("<<<<<<<" in item.memory.body for item in snapshot.memories.values())
        self.clones[0].git("fsck", "--strict")

    def clone(self, who: int) -> Repo:
        return self.clones[who % len(self.clones)]

    def word(self) -> str:
        self.turn += 1
        return f"word{self.turn:03}x"

    def change(self, who: int, which: int, by: Callable[[Memory], Memory]) -> bool:
        """Change a memory as a person does; tell whether it was there."""

        def operation(snapshot: Snapshot) -> Change | None:
            stored = snapshot.memories.get(decision(which).id)
            if stored is None:
                return None
            self._note_replaced(stored.memory, by(stored.memory))
            new = by(stored.memory).having(updated=stored.memory.updated + timedelta(minutes=self.turn + 1))
            path = stored.path.removeprefix("archived/")
            target = f"archived/{path}" if new.status is Status.ARCHIVED else path
            files: Mapping[str, bytes | None] = {stored.path: None, target: frontmatter.render(new)}
            return Change(files=files, subject="edit")

        return store_at(self.clone(who).path).commit(operation) is not None

    def _note_replaced(self, before: Memory, after: Memory) -> None:
        """What a person put something else in the place of, knowingly, need not stand any more."""
        for said in list(self.said):
            was, now = (f"{memory.title}\n{memory.body}\n{memory.tags}" for memory in (before, after))
            if said in was and said not in now:
                del self.said[said]


def _clone(path: Path, hub: Repo, name: str) -> Repo:
    made = normal(path)
    made.git("config", "user.name", name)
    made.git("remote", "add", "origin", str(hub.path))
    return made


def _pull(clone: Repo) -> None:
    clone.git("fetch", "-q", "origin", f"+{REF}:{THEIRS}", check=False)  # the hub has none at first
    theirs = clone.git("rev-parse", "-q", "--verify", THEIRS, check=False)
    if theirs:
        store_at(clone.path).join(theirs, "origin")


def _push(clone: Repo) -> None:
    clone.git("push", "-q", "origin", f"{REF}:{REF}", check=False)  # refused where the hub has more: the next pull joins it


TestSharing = Sharing.TestCase
TestSharing.settings = settings(
    max_examples=5, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
