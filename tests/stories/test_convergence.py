"""Whatever five people do, and in whatever order they share it, all end with the same store, and
nothing anybody said is gone.

`CONVERGENCE=200 pytest tests/stories/test_convergence.py` tries 200 such stories instead of a few.
"""

import os
import tempfile
from collections.abc import Callable
from contextlib import chdir, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from support.repos import Repo, bare, normal
from support.stores import adding, decision, store_at

from git_lerim.actions import add_memory, edit_memory, undo
from git_lerim.actions.add_memory import Note
from git_lerim.actions.files import import_files
from git_lerim.actions.handoffs import begin_handoff, claim_handoff
from git_lerim.actions.handoffs.handoff_draft import Draft
from git_lerim.actions.sharing import push as share
from git_lerim.errors import Declined, UnknownMemory, UsageError
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.storage.base import Change, Snapshot
from git_lerim.workspace import Workspace, open_workspace

REF = "refs/heads/lerim/memory"
PEOPLE = 5
EXAMPLES = int(os.environ.get("CONVERGENCE", "3"))
FIRST = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)

people = st.integers(0, PEOPLE - 1)
memories = st.integers(0, 7)  # the n-th of those that are there


class Sharing(RuleBasedStateMachine):
    """Some clones of one hub."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.said: dict[str, str] = {}  # what a person wrote, and of which memory
        self.turn = 0

    @initialize(
        clocks=st.lists(st.sampled_from([-1500, -1, 0, 0, 1, 1500]), min_size=2, max_size=PEOPLE)
    )
    def begin(self, clocks: list[int]) -> None:
        base = Path(self.folder.name)
        self.hub = bare(base / "hub")
        self.notes = base / "notes"
        self.notes.mkdir()
        self.clocks = clocks  # of each person, in minutes before or behind
        self.clones = [
            _clone(base / f"clone{number}", self.hub, f"Person {number}")
            for number in range(len(clocks))
        ]
        store_at(self.clones[0].path).commit(adding(0, 1))
        for who in range(len(self.clones)):
            self.push(who)

    @rule(who=people, which=st.integers(0, 3))
    def sync(self, who: int, which: int) -> None:
        """Keep what a session said, which others may have as well."""
        memory = decision(which)
        self.act(
            who,
            lambda ws: ws.store.commit(
                lambda now: None if memory.id in now.memories else adding(which)(now)
            ),
        )

    @rule(who=people)
    def remember(self, who: int) -> None:
        said = self.word()
        note = Note(text=f"The {said} is kept. It is so.", primitive=Primitive.DECISION, kind=None)
        self.act(who, lambda ws: self.note(said, add_memory.remember(ws, note).memories[0].id))

    @rule(who=people, which=memories, how=st.sampled_from(["body", "paragraph", "title", "tag"]))
    def edit(self, who: int, which: int, how: str) -> None:
        said = self.word()

        def edited(memory: Memory) -> Memory:
            return {
                "body": memory.having(body=f"{said} is what counts."),
                "paragraph": memory.having(body=f"{memory.body}\n\n{said} counts too."),
                "title": memory.having(title=f"Use {said}"),
                "tag": memory.having(tags=(*memory.tags, said)),
            }[how]

        self.act(
            who,
            lambda ws: self.note(
                said, edit_memory.edit(ws, self.chosen(ws, which), edited).memories[0].id
            ),
        )

    @rule(who=people, which=memories, on=st.booleans())
    def protect(self, who: int, which: int, *, on: bool) -> None:
        self.act(who, lambda ws: edit_memory.protect(ws, [self.chosen(ws, which)], on=on))

    @rule(who=people, which=memories)
    def forget(self, who: int, which: int) -> None:
        self.act(who, lambda ws: edit_memory.forget(ws, [self.chosen(ws, which)]))

    @rule(who=people, which=memories)
    def restore(self, who: int, which: int) -> None:
        self.act(who, lambda ws: edit_memory.restore(ws, [self.chosen(ws, which)]))

    @rule(who=people, one=memories, other=memories)
    def merge(self, who: int, one: int, other: int) -> None:
        """Make one memory of two, as one who tidies up does: one holds what both said, the other
        goes into the archive.
        """

        def operation(ws: Workspace, now: Snapshot) -> Change | None:
            into, gone = (now.memories[self.chosen(ws, number)] for number in (one, other))
            statuses = {into.memory.status, gone.memory.status}
            if (
                into.memory.id == gone.memory.id
                or gone.memory.protected
                or statuses != {Status.ACTIVE}
            ):
                return None
            texts = f"{into.memory.body}\n\n{gone.memory.body}"
            joined = {"body": texts, "merged_from": (*into.memory.merged_from, gone.memory.id)}
            kept = into.memory.having(
                **joined, updated=edit_memory.edit_time(into.memory.updated, ws.now)
            )
            old = gone.memory.having(
                status=Status.ARCHIVED, updated=edit_memory.edit_time(gone.memory.updated, ws.now)
            )
            return Change(
                files=edit_memory.edited_files(into, kept) | edit_memory.edited_files(gone, old),
                subject="maintain: merge 2 memories",
            )

        self.act(who, lambda ws: ws.store.commit(lambda now: operation(ws, now)))

    @rule(who=people, back=st.integers(0, 5))
    def undo(self, who: int, back: int) -> None:
        self.act(
            who,
            lambda ws: undo.undo(
                ws, (list(ws.store.history())[back:] or list(ws.store.history()))[0].id
            ),
        )

    @rule(who=people)
    def take_in(self, who: int) -> None:
        """Import a folder of notes that all have, and that grows."""
        said = self.word()
        (self.notes / f"{said}.md").write_text(
            f"# The {said} is small\n\nIt holds a thousand {said} prices, because memory is dear.\n"
        )
        self.act(who, lambda ws: import_files.import_files(ws, self.notes))

    @rule(who=people)
    def hand_over(self, who: int) -> None:
        said = self.word()
        self.act(
            who,
            lambda ws: self.note(
                said, begin_handoff.begin(ws, Draft(text=f"Go on with {said}.")).row.memory.id
            ),
        )

    @rule(who=people)
    def claim(self, who: int) -> None:
        self.act(who, lambda ws: claim_handoff.claim(ws, None, agent="codex", session=f"of {who}"))

    @rule(who=people)
    def give_back(self, who: int) -> None:
        self.act(who, lambda ws: claim_handoff.release(ws, "codex", f"of {who}"))

    @rule(who=people)
    def pull(self, who: int) -> None:
        self.act(who, share.pull)

    @rule(who=people)
    def fetch(self, who: int) -> None:
        """Fetch as git does without us: what came is read, and joined by the next who writes."""
        self.clone(who).git("fetch", "-q", "origin", check=False)

    @rule(who=people)
    def push(self, who: int) -> None:
        self.act(who, lambda ws: share.push(ws, None, lambda _: None))

    def teardown(self) -> None:
        """Let all share until nobody has anything new, and look."""
        try:
            if hasattr(self, "clones"):
                self.look()
        finally:
            self.folder.cleanup()

    def look(self) -> None:
        for _ in range(2):
            for who in range(len(self.clones)):
                self.push(who)
        for who in range(len(self.clones)):
            self.pull(who)
        assert (
            len({clone.git("rev-parse", f"{REF}^{{tree}}") for clone in (*self.clones, self.hub)})
            == 1
        )
        snapshot = store_at(self.clones[0].path).snapshot()
        assert not list(snapshot.quarantined)
        there = _texts(snapshot)
        for said, ident in self.said.items():
            assert said in there.get(ident, "") or any(
                said in there[id_] for id_ in _made_of(snapshot, ident)
            ), f"{said} is gone"
        assert not any("<<<<<<<" in text or ">>>>>>>" in text for text in there.values())
        self.clones[0].git("fsck", "--strict")
        self.hub.git("fsck", "--strict")

    def clone(self, who: int) -> Repo:
        return self.clones[who % len(self.clones)]

    def word(self) -> str:
        self.turn += 1
        return f"word{self.turn:03}x"

    def note(self, said: str, ident: str) -> None:
        self.said[said] = ident

    def chosen(self, ws: Workspace, which: int) -> str:
        there = sorted(ws.store.snapshot().memories)
        return there[which % len(there)]

    def act(self, who: int, verb: Callable[[Workspace], object]) -> None:
        """Do something as a person does, at the time that their clock says; what they replaced
        knowingly need not stand on.
        """
        number = who % len(self.clones)
        now = FIRST + timedelta(minutes=self.turn + self.clocks[number], seconds=self.turn % 2)
        with chdir(self.clones[number].path):
            before = _texts(open_workspace().store.snapshot())
            with suppress(Declined, UsageError, UnknownMemory):
                verb(replace(open_workspace(), now=now))
            after = _texts(open_workspace().store.snapshot())
        everything, still = "\n".join(before.values()), "\n".join(after.values())
        gone = {said for said in self.said if said in everything and said not in still}
        for said in gone:
            del self.said[said]
        by = verb.__qualname__.split(".")
        assert not gone or "edit" in by or "undo" in by, f"{by} took away {gone}"


def _clone(path: Path, hub: Repo, name: str) -> Repo:
    made = normal(path)
    made.git("config", "user.name", name)
    made.git("remote", "add", "origin", str(hub.path))
    return made


def _texts(snapshot: Snapshot) -> dict[str, str]:
    """Return what each memory and handoff says, by id."""
    stored = [*snapshot.memories.items(), *snapshot.handoffs.items()]
    return {id_: frontmatter.render(item.memory).decode() for id_, item in stored}


def _made_of(snapshot: Snapshot, ident: str) -> list[str]:
    """Return the memories that one was merged into."""
    return [id_ for id_, stored in snapshot.memories.items() if ident in stored.memory.merged_from]


TestSharing = Sharing.TestCase
TestSharing.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
