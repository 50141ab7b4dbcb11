"""What an agent is told at the start: preferences first, then what concerns the code at hand and the prompt, then what is recent.

The same memories, files, prompt and budget give the same bytes: there is no clock in it; recent is what is newest in the store.
Imports almost nothing: a brief is made before an agent's every answer.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from git_lerim.git import at_head
from git_lerim.recall import fence
from git_lerim.recall.gist import gist
from git_lerim.recall.prompt import files_named, plain_query
from git_lerim.recall.reader import Document, Reader, mark, quoted
from git_lerim.recall.search import search
from git_lerim.recall.terms import STOP, terms
from git_lerim.tokens import at_most, clip

ACTIVE = (0,)  # the part of the index in which active memories are: suspect, superseded and archived ones are never handed out
RULES = (mark("kind", "preference"), mark("tag", "rule"), mark("tag", "rules"))
CLOSEST = {"decision", "pitfall"}  # of the code at hand, these come first
HEADINGS = {
    "preference": "Preferences and rules:",
    "shared": "What others shared asks for; the user did not say it:",
    "code": "On the files at hand:",
    "asked": "On what was asked:",
    "recent": "Recent:",
}
MOST = {"preference": 24, "shared": 12, "code": 24, "asked": 12, "recent": 8}  # lines: more cost more than they help
SHARE = {"preference": 0.4, "shared": 0.2, "code": 0.5, "asked": 1.0}  # of what is left of the budget, in the first round
LOOKED_AT = 40  # memories of a section that are read
ANCHORS = 8  # of a memory, that are compared with the code
PATHS = 300  # changed files that are looked up
SHORT = 4  # words of a prompt, from which a memory is to have two of them
WORTH = 0.4  # of the best score, from which a memory is taken to be about the prompt
MISSES = 4  # memories in a row that do not fit, after which no other is tried
LEAST = 12  # tokens: no line is shorter

_WORD = re.compile(r"\w+")


class Pick:
    """One memory, and why it was chosen."""

    __slots__ = ("document", "path", "pending", "personal", "section", "state")

    def __init__(self, document: Document, section: str, *, path: str = "", personal: bool = False) -> None:
        """Take a memory, the section it stands in, and the file at hand that it concerns."""
        self.document = document
        self.section = section
        self.path = path
        self.personal = personal
        self.pending = False  # it waits for review
        self.state = ""  # `fresh`, `stale`, `gone` or `unknown`, once it is known; of no code: empty

    def anchors(self) -> list[tuple[str, str | None]]:
        """Return path and blob of the code it is about, as far as that is looked at."""
        places = enumerate(self.document.places)
        return [(path, blob or None) for n, (path, blob) in places if n < ANCHORS or path == self.path]

    def judge(self, blobs: dict[str, str | None]) -> None:
        """Compare the code it is about with the blobs at HEAD."""
        found = [(path, state_of(path, blob, blobs)) for path, blob in self.anchors()]
        for state in ("gone", "stale", "fresh", "unknown"):
            changed = [path for path, told in found if told == state]
            if changed:
                self.state = state
                if state in {"gone", "stale"}:
                    self.path = self.path if self.path in changed else changed[0]
                return


class Brief:
    """The block, and what it is made of."""

    __slots__ = ("budget", "left_out", "picks", "text", "tokens")

    def __init__(self, text: str, picks: list[Pick], *, budget: int, tokens: int, left_out: int) -> None:
        """Take the text, empty where there is nothing to say, and the memories in it."""
        self.text = text
        self.picks = picks
        self.budget = budget
        self.tokens = tokens  # at most
        self.left_out = left_out  # memories that would have been in it, had there been room


Blobs = Callable[[list[str]], dict[str, str | None]]


def as_json(brief: Brief) -> dict[str, object]:
    """Return a brief as JSON has it: the block as an agent reads it, and the memories as they stand in their files."""
    return {
        "text": brief.text,
        "budget": brief.budget,
        "tokens_at_most": brief.tokens,
        "left_out": brief.left_out,
        "memories": [
            {
                "id": pick.document.id,
                "primitive": pick.document.primitive,
                "kind": pick.document.kind,
                "title": pick.document.title,
                "body": pick.document.body,
                "status": pick.document.status,
                "confidence": pick.document.confidence,
                "created": pick.document.created,
                "updated": pick.document.updated,
                "author": pick.document.author or None,
                "section": pick.section,
                "state": pick.state or None,
                "file": pick.path or None,
                "personal": pick.personal,
                "pending": pick.pending,
            }
            for pick in brief.picks
        ],
    }


def compose(picks: Sequence[Pick], budget: int, key: bytes, count: Callable[[str], int] = at_most) -> Brief:
    """Return the brief of the memories that fit into a budget of tokens, by a count that is never too low."""
    chosen = _fitting(picks, budget, count)
    while chosen:
        kept = [pick for pick in picks if pick in chosen]
        text = fence.fenced(list(_laid_out(kept, chosen)), key)
        tokens = count(text)
        if tokens <= budget:
            return Brief(text, kept, budget=budget, tokens=tokens, left_out=len(picks) - len(kept))
        chosen.popitem()
    return Brief("", [], budget=budget, tokens=0, left_out=len(picks))


def candidates(
    index: Reader, *, changed: Sequence[str] = (), prompt: str = "", personal: Reader | None = None, blobs: Blobs | None = None
) -> list[Pick]:
    """Return the memories to tell of, by section and best first, each once.

    `changed` are the files being worked on, those of the work tree first; `blobs` tells what stands at paths of HEAD.
    """
    prompt = prompt.encode("utf-8", "replace").decode("utf-8")  # as a command line may not be
    changed = [path for path in changed[:PATHS] if at_head.is_text(path)]
    rules = _rules(index)
    picks = [Pick(document, "preference") for document in rules if not document.author]
    if personal is not None:
        picks += [Pick(document, "preference", personal=True) for document in _rules(personal)]
    picks += [Pick(document, "shared") for document in rules if document.author]
    picks += [*_of_code(index, changed, prompt), *(Pick(document, "asked") for document in _asked(index, changed, prompt))]
    picks += [Pick(document, "recent") for document in index.documents(index.newest(ACTIVE, 3 * MOST["recent"]), Document)]
    picks = list(_once(picks))
    if blobs is not None:
        found = blobs(sorted({path for pick in picks if not pick.personal for path, blob in pick.anchors() if blob}))
        for pick in picks:
            if not pick.personal:
                pick.judge(found)
    return picks


def state_of(path: str, blob: str | None, blobs: dict[str, str | None]) -> str:
    """Tell how a file stands to what it was: `fresh`, `stale`, `gone`, or `unknown`."""
    if blob is None or path not in blobs:
        return "unknown"
    now = blobs[path]
    return "gone" if now is None else "fresh" if now == blob else "stale"


def line(pick: Pick, *, short: bool = False) -> str:
    """Return the line of a memory: id, day, what it is, what is to be known of it, title, and the sentences that matter."""
    document = pick.document
    facts = [document.kind or document.primitive, *[f"from {document.author}"] * bool(document.author)]
    facts += [*["personal"] * pick.personal, *["pending review"] * pick.pending]
    if pick.state in {"stale", "gone"}:
        facts.append(f"stale: {pick.path} {'changed since' if pick.state == 'stale' else 'is gone'}")
    elif pick.path:
        facts.append(pick.path)
    text = clip(document.title, 160)
    if told := "" if short else gist(document.title, document.body):
        text = f"{text}{'' if text.endswith(tuple('.!?:…。！？')) else '.'} {told}"
    return f"- [{document.id}] {document.created[:10]} {fence.safe(', '.join(facts))}: {fence.safe(text)}"


def _rules(index: Reader) -> list[Document]:
    keys = {key for term in RULES for key in _having(index, term)}
    documents = index.documents(sorted(keys, reverse=True)[:LOOKED_AT], Document)
    return sorted(documents, key=lambda document: (-round(document.confidence, 1), -document.key))


def _of_code(index: Reader, changed: Sequence[str], prompt: str) -> list[Pick]:
    """Return what is about files that the prompt names, then about those that are changed; decisions and pitfalls first."""
    near: dict[int, list[str]] = {}  # by key: the files at hand that a memory is about
    for named in files_named(prompt):
        for way in named:  # from the whole path to the bare name
            if found := _having(index, mark("path", way)):
                for key in found:
                    near.setdefault(key, []).append(way)
                break
    first = set(near)
    for path in changed:
        for key in _having(index, mark("path", path)):
            near.setdefault(key, []).append(path)
    keys = sorted(near, key=lambda key: (key not in first, -len(near[key]), -key))[: 2 * LOOKED_AT]
    rank = {key: place for place, key in enumerate(keys)}
    documents = sorted(
        index.documents(keys, Document),
        key=lambda document: (
            document.key not in first,
            (document.kind or document.primitive) not in CLOSEST,
            rank[document.key],
        ),
    )
    picks = (Pick(document, "code", path=_meeting(document, near[document.key], first)) for document in documents)
    return [pick for pick in picks if pick.path]


def _meeting(document: Document, near: list[str], first: set[int]) -> str:
    """Return the file that a memory is about and that is at hand; a changed file is at hand by its whole path only."""
    places = ((named, path) for named in near for path, _ in document.places)
    return next((p for n, p in places if p == n or (document.key in first and f"/{n}/" in f"/{p}/")), "")


def _asked(index: Reader, changed: Sequence[str], prompt: str) -> Sequence[Document]:
    query = plain_query(prompt)
    if not query:
        return []
    hits = search(index, query, limit=2 * MOST["asked"], paths=changed)
    wanted = set(terms(query)) - STOP
    least = 1 if len(wanted) < SHORT else 2  # of a longer prompt, one word alone says little
    return [hit for hit in hits if hit.score >= WORTH * hits[0].score > 0 and len(wanted & _terms(hit)) >= least]


def _terms(document: Document) -> set[str]:
    return set(terms(f"{document.title} {document.tags} {document.body}"))


def _having(index: Reader, term: str) -> list[int]:
    """Return the keys of the newest active memories that have a term."""
    return index.newest(ACTIVE, 4 * LOOKED_AT, quoted(term))


def _once(picks: Iterable[Pick]) -> Iterator[Pick]:
    """Yield each memory at its first place, and of those that say the same the first; no more of a section than is of use."""
    seen: set[object] = set()
    counts = dict.fromkeys(MOST, 0)
    for pick in picks:
        document = pick.document
        names = {document.id, " ".join(_WORD.findall(document.title.casefold())) or document.id}
        if document.status != "active" or counts[pick.section] >= MOST[pick.section] or names & seen:
            continue
        seen |= names
        counts[pick.section] += 1
        yield pick


def _fitting(picks: Sequence[Pick], budget: int, count: Callable[[str], int]) -> dict[Pick, str]:
    """Return what fits, in the order in which it is worth its room, with its line."""
    left = budget - count(fence.overhead())
    chosen: dict[Pick, str] = {}
    costs: dict[str, int] = {}
    for section, share in (*SHARE.items(), *dict.fromkeys(HEADINGS, 1.0).items()):
        room = int(left * share)
        headed = any(pick.section == section for pick in chosen)
        misses = 0
        for pick in picks:
            if misses == MISSES or room < LEAST:
                break  # what comes is of less worth, and no shorter
            if pick.section != section or pick in chosen:
                continue
            misses += 1
            for text in _forms(pick):
                cost = costs.get(text) or costs.setdefault(text, count(f"{text}\n"))
                needed = cost if headed else cost + count(f"{HEADINGS[section]}\n")
                if needed <= room:
                    chosen[pick] = text
                    headed = True
                    misses = 0
                    room -= needed
                    left -= needed
                    break
    return chosen


def _forms(pick: Pick) -> Iterator[str]:
    """Yield the line of a memory, then a shorter one."""
    yield line(pick)
    yield line(pick, short=True)


def _laid_out(picks: Iterable[Pick], lines: dict[Pick, str]) -> Iterator[str]:
    section = ""
    for pick in picks:
        if pick.section != section:
            section = pick.section
            yield HEADINGS[section]
        yield lines[pick]
