"""Choose a brief's memories: preferences, then those about code and prompt, then recent ones.

The choice is deterministic: it depends only on memories, files and prompt, and "recent" means
newest in the store. This module imports little, because hooks load it each time the user prompts an
agent.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from git_lerim.git.worktree import status_commands
from git_lerim.recall.brief.brief import Pick
from git_lerim.recall.brief.by_author import in_turn, newest_of_each
from git_lerim.recall.brief.prompt import files_named
from git_lerim.recall.brief.recent import ACTIVE, MODEL, is_loaded_anyway, recent
from git_lerim.recall.index.index_reader import Document, Reader, mark
from git_lerim.recall.local.verdicts import UNKNOWN, CachedVerdict

PREFERENCE = mark("kind", "preference")
HUMAN = "human"  # the origin of a person's own words
CLOSEST = {"decision", "pitfall"}  # among memories about the code at hand, these come first
MOST = {
    "preference": 24,
    "shared": 12,
    "code": 24,
    "asked": 12,
    "error": 3,
    "noted": 6,
    "recent": 8,
    "written": 24,  # recent ones that the user wrote by hand
}  # lines per section of the user's memories, and of those of others
LOOKED_AT = 40  # memories read for a section, of each
PATHS = 300  # changed files that are considered

_WORD = re.compile(r"\w+")

VerdictsOf = Callable[[list[Document]], dict[str, CachedVerdict]]


def candidates(  # noqa: PLR0913 options with defaults
    index: Reader,
    *,
    changed: Sequence[str] = (),
    prompt: str | None = None,
    everything: bool = False,
    personal: Reader | None = None,
    verdicts_of: VerdictsOf | None = None,
) -> list[Pick]:
    """Return the memories for a brief, section by section, best first, without duplicates.

    With a prompt, only memories about it or about files that it names are returned, unless
    `everything` is set. `changed` lists the files being worked on, uncommitted ones first.
    `verdicts_of` maps the blobs of memories to whether they still fit the code; stale memories come
    last in their section. Without a prompt, or with `everything`, memories beyond the limit of
    their section follow, for use if there is room.
    """
    # a command line may contain invalid UTF-8
    asked = (prompt or "").encode("utf-8", "replace").decode("utf-8")
    changed = [path for path in changed[:PATHS] if status_commands.is_text(path)]
    matching = _asked(index, changed, asked)
    if prompt is not None and not everything:
        found = _unique([*_of_code(index, (), asked), *matching])
        picks = [pick for pick in found if not pick.spare]
    else:
        near = [*_of_code(index, changed, asked), *matching]
        picks = list(_unique(_whole(index, near, personal)))
    if verdicts_of is not None:
        about = [pick for pick in picks if pick.document.anchors and not pick.personal]
        verdicts = verdicts_of([pick.document for pick in about])
        for pick in about:
            pick.verdict = verdicts.get(pick.document.blob, UNKNOWN)
    sections = {
        section: number
        for number, section in enumerate(dict.fromkeys(pick.section for pick in picks))
    }
    return sorted(
        picks, key=lambda pick: (sections[pick.section], pick.spare, pick.state == "stale")
    )


def _whole(index: Reader, near: list[Pick], personal: Reader | None) -> Iterator[Pick]:
    """Yield the memories of a whole brief by section; `near` are those about the code or prompt."""
    rules = _rules(index)
    yield from (Pick(document, "preference") for document in rules if not document.author)
    yield from wanted_everywhere(personal) if personal is not None else ()
    yield from (Pick(document, "shared") for document in rules if document.author)
    yield from near
    yield from (Pick(one, "noted") for one in _rules(index, MODEL) if not one.author)
    yield from recent(index, MOST["recent"])


def others(index: Reader, picks: Sequence[Pick], *, whole: bool) -> int:
    """Return how many active memories are not among `picks`; 0 for a brief that is not `whole`."""
    own = sum(not pick.personal for pick in picks)
    return max(0, index.size(ACTIVE)[0] - len(index.hidden) - own) if whole and own else 0


def wanted_everywhere(personal: Reader) -> list[Pick]:
    """Return the user's preferences for every repository, from the personal memory."""
    return [Pick(document, "preference", personal=True) for document in _rules(personal)]


def _rules(index: Reader, origin: str = HUMAN) -> list[Document]:
    """Return the preferences of one origin (by default, those of people), most confident first."""
    rules: list[Document] = []
    for keys in _keys_with(index, PREFERENCE):
        found = index.documents(keys, Document)
        rules += [one for one in found if one.origin == origin][:LOOKED_AT]
    return sorted(rules, key=lambda document: (-round(document.confidence, 1), -document.key))


def _of_code(index: Reader, changed: Sequence[str], prompt: str) -> list[Pick]:
    """Return the memories about files that the prompt names, then those about changed files.

    In each of the two groups, decisions and pitfalls come first. The user's memories and those of
    others alternate.
    """
    # the files at hand that a memory is about, by key: the user's memories, and those of others
    near: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})

    def add(path: str) -> bool:
        found = _keys_with(index, mark("path", path))
        for files, keys in zip(near, found, strict=True):
            for key in keys:
                files.setdefault(key, []).append(path)
        return any(found)

    for named in files_named(prompt):
        for way in named:  # from the whole path to the file name
            if add(way):
                break
    first = {*near[0], *near[1]}
    for path in changed:
        add(path)
    picks = (
        Pick(document, "code", path=_file_at_hand(document, files[document.key], first))
        for files in near
        for document in _closest(index, files, first)
    )
    return list(in_turn(pick for pick in picks if pick.path))


def _closest(index: Reader, near: dict[int, list[str]], first: set[int]) -> list[Document]:
    """Return the memories in `near`, those whose keys are in `first` before the others.

    `near` maps the key of each memory about named or changed files to these files. Within each of
    the two groups, decisions and pitfalls come first; after that, memories about more of the files
    come before memories about fewer.
    """
    keys = sorted(near, key=lambda key: (key not in first, -len(near[key]), -key))[: 2 * LOOKED_AT]
    return sorted(
        index.documents(keys, Document),
        key=lambda document: (
            document.key not in first,
            (document.kind or document.primitive) not in CLOSEST,
        ),
    )


def _file_at_hand(document: Document, near: list[str], first: set[int]) -> str:
    """Return the named or changed file that a memory is about, or an empty string.

    A changed file counts only if its whole path matches.
    """
    places = ((named, path) for named in near for path, _ in document.places)
    return next(
        (p for n, p in places if p == n or (document.key in first and f"/{n}/" in f"/{p}/")), ""
    )


def _asked(index: Reader, changed: Sequence[str], prompt: str) -> list[Pick]:
    """Return memories about a prompt; the user's memories and those of others alternate."""
    if not prompt.strip():
        return []
    from git_lerim.recall.brief.asked import about  # noqa: PLC0415 most briefs have no prompt

    hits = about(index, prompt, 2 * MOST["asked"], changed)
    return list(in_turn(Pick(hit, "asked") for hit in hits))


def _keys_with(index: Reader, term: str) -> tuple[list[int], list[int]]:
    """Return the keys of the newest active memories with a term: the user's, and others'."""
    return newest_of_each(index, ACTIVE, 4 * LOOKED_AT, term)


def _unique(picks: Iterable[Pick]) -> Iterator[Pick]:
    """Yield each memory once; those beyond the limit of their section come last, marked as spare.

    The limit applies separately to the user's memories and to those of others. Of memories with the
    same title, only one is yielded, the user's own if there is one. Beyond the limit, memories from
    files that agents load anyway are left out.
    """
    usable = [p for p in picks if p.document.status == "active" and not p.document.disputed]
    own = {_plain_title(pick.document) for pick in usable if not pick.document.author}
    seen: set[tuple[str, str]] = set()
    counts: Counter[tuple[str, bool]] = Counter()
    beyond: list[Pick] = []
    for pick in usable:
        names = _names(pick.document)
        if names & seen or (pick.document.author and _plain_title(pick.document) in own):
            continue
        limit = _limit(pick), bool(pick.document.author)
        if counts[limit] >= MOST[limit[0]]:
            beyond.append(pick)
            continue
        seen |= names
        counts[limit] += 1
        yield pick
    for pick in beyond:
        names = _names(pick.document)
        if not (names & seen or is_loaded_anyway(pick.document)):
            seen |= names
            pick.section, pick.spare = "recent", True
            yield pick


def _names(document: Document) -> set[tuple[str, str]]:
    """Return a memory's id and title, each labelled, as a title may equal another memory's id."""
    return {("id", document.id), ("title", _plain_title(document))}


def _plain_title(document: Document) -> str:
    return " ".join(_WORD.findall(document.title.casefold())) or document.id


def _limit(pick: Pick) -> str:
    """Return the name of the limit (a key of `MOST`) that a memory counts towards.

    Usually this is the memory's section; recent memories that the user wrote have their own limit.
    """
    is_written = pick.section == "recent" and by_users_hand(pick.document)
    return "written" if is_written else pick.section


def by_users_hand(document: Document) -> bool:
    """Return whether the user wrote a memory, rather than a session, an agent or a colleague."""
    return document.origin == HUMAN and not (document.author or document.session)
