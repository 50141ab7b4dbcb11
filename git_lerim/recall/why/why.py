"""Find the memories behind code: by anchored lines, by sessions that wrote it, by mentions."""

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from git_lerim.memories import naming
from git_lerim.memories.memory import Anchor, Memory
from git_lerim.recall.why import symbols
from git_lerim.recall.why.certainty import LIKELY, together, word
from git_lerim.recall.why.commit_links import Link

Lines = tuple[int, int]
Reason = tuple[float, str]  # certainty, and why

ON_LINES = "these lines"
_OBJECT = re.compile(r"(?<!\w)[0-9a-f]{7,64}(?!\w)")
_FIRST_HAND = 0.9  # factor of a session's certainty if its memory is also about the code otherwise
_SECOND_HAND = 0.55  # factor if the session is the only reason


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeQuery:
    """The code whose memories are wanted: a file, lines or folder, with its symbols and commits."""

    path: str  # relative to the root; empty for the root itself
    names: tuple[str, ...]  # the path, with former and later paths of the file
    lines: Lines | None = None
    folder: bool = False
    only: bool = True  # no other file has its base name
    symbols: tuple[str, ...] = ()  # defined in the lines or enclosing them
    commits: tuple[str, ...] = ()  # full ids of the commits that wrote the lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory with the reasons it was found, most certain first."""

    memory: Memory
    sureness: float
    how: tuple[str, ...]
    close: bool = True  # about the very lines, their symbol, commit or session; not just the file

    @property
    def word(self) -> str:
        """The hit's certainty as a word."""
        return word(self.sureness)


def hits(
    memories: Iterable[Memory],
    target: CodeQuery,
    links: Mapping[tuple[str, str], Link],
    present: Callable[[Anchor], Sequence[Lines] | None],
) -> list[Hit]:
    """Return the memories behind some code, most certain first.

    Memories about the lines themselves come before all others. `links` has the sessions that led to
    the code, by agent and session id. `present` returns where the lines of an anchor are now.
    """
    mention, named = _mention(target), symbols.finder(target.symbols)
    found = (
        _hit(
            memory,
            target,
            links,
            about=[*_by_anchors(memory, target, present), *_by_mentions(memory, target, mention)],
            close=[*_by_symbols(memory, target, named), *_by_commits(memory, target)],
        )
        for memory in memories
    )
    return sorted(filter(None, found), key=_order)


def _hit(
    memory: Memory,
    target: CodeQuery,
    links: Mapping[tuple[str, str], Link],
    *,
    about: list[Reason],
    close: list[Reason],
) -> Hit | None:
    """Combine the reasons for a memory into a hit; return None if there is no reason."""
    about.sort(reverse=True)
    sessions = _by_sessions(memory, links, factor=_FIRST_HAND if about or close else _SECOND_HAND)
    reasons = sorted([*about[:1], *close, *sessions], reverse=True)
    if not reasons:
        return None
    is_close = (
        bool(close)
        or target.lines is None
        or any(how.endswith(ON_LINES) for _, how in about)
        or any(sure >= LIKELY * _SECOND_HAND for sure, _ in sessions)
    )
    return Hit(
        memory=memory,
        sureness=together(sure for sure, _ in reasons),
        how=tuple(how for _, how in reasons),
        close=is_close,
    )


def _order(hit: Hit) -> tuple[bool, float, float, str]:
    return (
        not hit.close,
        -hit.sureness,
        -hit.memory.created.timestamp(),
        hit.memory.id,
    )


def _by_symbols(
    memory: Memory, target: CodeQuery, named: re.Pattern[str] | None
) -> Iterator[Reason]:
    """Yield a reason if a memory's anchor or its text names a symbol in or around the lines."""
    own = [
        anchor.symbol for anchor in memory.anchors if anchor.path in target.names and anchor.symbol
    ]
    if about := next(
        (symbol for symbol in own if symbol.rpartition(".")[2] in target.symbols), None
    ):
        yield 0.85, f"is about {about}"
    elif named and (match := named.search(f"{memory.title}\n{memory.body}")):
        yield (
            0.7 if own or any(anchor.path in target.names for anchor in memory.anchors) else 0.5,
            f"names {match[0].strip('`')}",
        )


def _by_commits(memory: Memory, target: CodeQuery) -> Iterator[Reason]:
    """Yield a reason if a memory names a commit that wrote the lines."""
    named = _OBJECT.findall(f"{memory.title}\n{memory.body}")
    if found := next(
        (name for name in named if any(commit.startswith(name) for commit in target.commits)), None
    ):
        yield 0.9, f"names commit {found[:10]}"


def _by_anchors(
    memory: Memory, target: CodeQuery, present: Callable[[Anchor], Sequence[Lines] | None]
) -> list[Reason]:
    found = []
    for anchor in memory.anchors:
        if target.folder and any(
            anchor.path.startswith(f"{name}/") or not name for name in target.names
        ):
            found.append((0.6, f"is about {anchor.path}"))
        elif anchor.path in target.names:
            former = "" if anchor.path == target.path else f" (then {anchor.path})"
            sure, what = _on_lines(anchor, target, present)
            found.append((sure, f"is about {what}{former}"))
    return sorted(found, reverse=True)


def _on_lines(
    anchor: Anchor, target: CodeQuery, present: Callable[[Anchor], Sequence[Lines] | None]
) -> Reason:
    if target.lines is None or anchor.lines is None:
        return 0.7 if target.lines is None else 0.55, "this file"
    now = present(anchor)
    if now is None:
        return 0.5, "lines of this file that cannot be followed"
    if not now:
        return 0.4, "lines of this file that were changed since"
    first, last = target.lines
    if any(begin <= last and first <= end for begin, end in now):
        return 0.95, ON_LINES
    return 0.3, "other lines of this file"


def _mention(target: CodeQuery) -> Callable[[str], float]:
    """Return a function that rates how certainly a text mentions a path or a unique file name."""
    paths = [
        f"{name}/" if target.folder else name
        for name in target.names
        if "/" in name or (target.folder and name)
    ]
    names = [name.rpartition("/")[2] for name in target.names if target.only and not target.folder]
    whole, last = _finder(paths), _finder(names)

    def sureness(text: str) -> float:
        return 0.5 if whole and whole.search(text) else 0.35 if last and last.search(text) else 0.0

    return sureness


def _finder(names: Collection[str]) -> re.Pattern[str] | None:
    words = [re.escape(name) for name in names if len(name) > 2]
    return (
        re.compile(rf"(?<![\w-])(?<!\w\.)(?:{'|'.join(words)})(?:(?<=/)|(?![\w-])(?!\.\w))")
        if words
        else None
    )


def _by_mentions(
    memory: Memory, target: CodeQuery, mention: Callable[[str], float]
) -> Iterator[Reason]:
    sure = max(mention(memory.title), mention(memory.body))
    if sure:
        yield sure, f"mentions {target.path if sure > 0.4 else target.path.rpartition('/')[2]}"


def _by_sessions(
    memory: Memory, links: Mapping[tuple[str, str], Link], *, factor: float
) -> list[Reason]:
    """Return one reason if a session led to both memory and code, otherwise an empty list.

    Of several such sessions, the most certain one is the reason.
    """
    mine = [
        links[key] for source in memory.sources if (key := (source.agent, source.session)) in links
    ]
    best = max(mine, key=lambda link: link.sureness, default=None)
    return (
        [
            (
                round(best.sureness * factor, 2),
                f"{best.agent}/{naming.short_session(best.session)} {best.how[0]}",
            )
        ]
        if best
        else []
    )


def moved(old: Sequence[bytes], new: Sequence[bytes], lines: Lines) -> list[Lines]:
    """Return where some lines of an old text are in a new one.

    The result is empty if all of them were changed or removed.
    """
    head = next(
        (n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b),
        min(len(old), len(new)),
    )
    tail = next(
        (
            n
            for n, (a, b) in enumerate(
                zip(reversed(old[head:]), reversed(new[head:]), strict=False)
            )
            if a != b
        ),
        None,
    )
    tail = min(len(old), len(new)) - head if tail is None else tail
    middle = difflib.SequenceMatcher(
        None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=True
    )
    blocks = [
        (0, 0, head),
        *((a + head, b + head, size) for a, b, size in middle.get_matching_blocks()),
    ]
    blocks.append((len(old) - tail, len(new) - tail, tail))
    found = []
    for a, b, size in blocks:
        first, last = max(lines[0] - 1, a), min(lines[1], a + size)
        if first < last:
            found.append((first - a + b + 1, last - a + b))
    return found
