"""List what a push sends, old versions included, and which items quote people's own words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from git_lerim.actions.mistrust import shown
from git_lerim.actions.sharing.secret_scan import new_files
from git_lerim.errors import BadMemory
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Primitive, Status
from git_lerim.memories.quotes import quote_of
from git_lerim.storage import layout
from git_lerim.storage.base import Stored
from git_lerim.tokens import clip, counted
from git_lerim.workspace import Workspace

_SHOWN = 10
_QUOTE = 120  # characters
_NOUNS = {Primitive.SUMMARY: "session summary", Primitive.HANDOFF: "handoff"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One memory, summary or handoff; its texts are safe to print."""

    id: str
    noun: str
    title: str
    quote: str  # what a person said in a session, or ""
    is_old: bool  # only an older version has the quote
    is_archived: bool = False
    has_earlier: bool = False  # versions with another title or text are sent, too


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The memories, summaries and handoffs that a push sends."""

    items: tuple[Item, ...] = ()

    @property
    def counts(self) -> str:
        """The number of items of each type, such as `3 memories and 1 session summary`."""
        return _counts(self.items)

    @property
    def quoting(self) -> tuple[Item, ...]:
        """The items that quote people, newest first."""
        return tuple(item for item in self.items if item.quote)

    @property
    def archived(self) -> tuple[Item, ...]:
        """The items that are archived; a push sends these, too."""
        return tuple(item for item in self.items if item.is_archived)

    @property
    def earlier(self) -> tuple[Item, ...]:
        """The items, deleted ones included, of which the push also sends older versions."""
        return tuple(item for item in self.items if item.has_earlier)

    def of(self, noun: str) -> tuple[Item, ...]:
        """Return the items of one type, such as `handoff`."""
        return tuple(item for item in self.items if item.noun == noun)


def sent_by(ws: Workspace, tip: str, known: str | None, proposed: Iterable[Stored] = ()) -> Sent:
    """Return the items that a push of the commit `tip` sends, newest first.

    `known` is a commit that the remote already has; what it contains is not sent. `proposed` are
    the items that a proposal adds or changes.
    """
    nouns: dict[str, str] = {}
    quoting: dict[str, Stored] = {}  # the latest version that quotes somebody
    texts: dict[str, set[tuple[str, str]]] = {}
    for path, blob in new_files(ws, tip, known):
        primitive = layout.primitive_at(path)
        if primitive is None:
            continue
        memory = _memory(ws, blob)
        id_ = memory.id if memory else naming.id_in(path) or path
        texts.setdefault(id_, set()).update(_texts(memory))
        nouns[id_] = _NOUNS.get(Primitive(primitive), "memory")
        last = quoting.get(id_)
        if memory and quote_of(memory) and (last is None or last.memory.updated < memory.updated):
            quoting[id_] = Stored(memory=memory, path=path, blob=blob)
    snapshot = ws.store.snapshot()
    stored = {**snapshot.memories, **snapshot.summaries, **snapshot.handoffs}
    stored |= {item.memory.id: item for item in proposed}
    earlier = {id_ for id_, sent in texts.items() if sent.difference(_texts_of(stored.get(id_)))}
    now = _redacted(ws, {id_: stored[id_] for id_ in nouns if id_ in stored})
    before = _redacted(ws, quoting)
    found = [
        replace(_item(id_, noun, now.get(id_), before.get(id_)), has_earlier=id_ in earlier)
        for id_, noun in nouns.items()
    ]
    ages = {id_: memory.created for id_, memory in {**before, **now}.items()}
    dated = sorted((item for item in found if item.id in ages), key=lambda i: (ages[i.id], i.id))
    return Sent(items=(*reversed(dated), *(item for item in found if item.id not in ages)))


def notes(sent: Sent) -> str:
    """Return what the user should read before a push: quotes of people, and older versions.

    The result is an empty string if the push sends neither.
    """
    history = history_line(sent)
    return quotes(sent) + (f"{history}\n" if history else "")


def quotes(sent: Sent) -> str:
    """Return lines that list the quotes of people, redacted, or "" if there are none."""
    quoting = sent.quoting
    if not quoting:
        return ""
    lines = [quoting_line(sent)]
    for item in quoting[:_SHOWN]:
        where = "  (in an older version, sent as part of the history)" if item.is_old else ""
        lines.append(f"  {item.id}  {item.title}: {clip(item.quote, _QUOTE)}{where}")
    more = [f"  and {len(quoting) - _SHOWN} more"] if len(quoting) > _SHOWN else []
    return "".join(f"{line}\n" for line in [*lines, *more])


def quoting_line(sent: Sent) -> str:
    """Return a line that says how many items quote people."""
    verb = "quotes" if len(sent.quoting) == 1 else "quote"
    return f"{_counts(sent.quoting)} {verb} what people said in their sessions:"


def history_line(sent: Sent) -> str:
    """Return a line about the earlier versions and archived items that are sent, or ""."""
    parts = [
        f"earlier versions of {_counts(sent.earlier)}" if sent.earlier else "",
        counted(len(sent.archived), "archived memory") if sent.archived else "",
    ]
    if not any(parts):
        return ""
    what = " and ".join(filter(None, parts))
    see = "to see: git log -p lerim/memory"
    return f"a push includes {what}; {see}; to remove one: git lerim purge ID"


def counted_kinds(kinds: Iterable[Primitive]) -> str:
    """Return how many there are of each kind, such as `2 memories and 1 handoff`."""
    return _counted([_NOUNS.get(kind, "memory") for kind in kinds])


def _counts(items: tuple[Item, ...]) -> str:
    return _counted([item.noun for item in items])


def _counted(nouns: Sequence[str]) -> str:
    parts = [
        counted(nouns.count(noun), noun) for noun in ("memory", *_NOUNS.values()) if noun in nouns
    ]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _item(id_: str, noun: str, now: Memory | None, before: Memory | None) -> Item:
    quote = quote_of(now) if now else ""
    return Item(
        id=id_,
        noun=noun,
        title=now.title if now else "an older version, deleted since",
        quote=quote or (quote_of(before) if before else ""),
        is_old=not quote and before is not None,
        is_archived=now is not None and now.status is Status.ARCHIVED,
    )


def _texts(memory: Memory | None) -> list[tuple[str, str]]:
    return [(memory.title, memory.body)] if memory else []


def _texts_of(item: Stored | None) -> list[tuple[str, str]]:
    return _texts(item.memory) if item else []


def _memory(ws: Workspace, blob: str) -> Memory | None:
    try:
        return frontmatter.parse(ws.store.content(blob))
    except BadMemory:
        return None


def _redacted(ws: Workspace, items: Mapping[str, Stored]) -> dict[str, Memory]:
    return {item.memory.id: item.memory for item, _ in shown(ws)(items.values())}
