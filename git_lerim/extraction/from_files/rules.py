"""Read rules for agents in CLAUDE.md, AGENTS.md, .cursorrules and the like as learnings.

Headings, code, tables and descriptions of the code are no rules; they are reported as left out.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from git_lerim.errors import BadMemory
from git_lerim.extraction.from_files import markdown
from git_lerim.extraction.from_files.found import File, Found, Reading
from git_lerim.extraction.transcript.text import plain, sentences
from git_lerim.memories.memory import TITLE_LIMIT, Kind, Primitive
from git_lerim.tokens import clip, words

NAMES = re.compile(
    r"(?:.*/)?(?:CLAUDE(?:\.local)?\.md|AGENTS?(?:\.override)?\.md|GEMINI\.md|\.(?:cursor|"
    r"windsurf|cline)rules|copilot-instructions\.md|[^/]+\.instructions\.md|[^/]+\.mdc|"
    r"\.(?:claude|cursor|windsurf)/rules/(?:.*/)?[^/]+\.md|\.clinerules/[^/]+\.md)"
)
_LONGEST = 600  # characters; longer text is an explanation
_FEWEST = 3  # words
_BRIEF = 200  # characters of a line that names a command
_LEAD = 60  # characters of a list's lead
_ORIGIN = 6  # words that identify a rule even if its end is rewritten
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(.*)$", re.MULTILINE)
_MUST = re.compile(
    r"\b(?:must|should|shall|may not|forbidden|not allowed|prohibited|mandatory|(?:is|are|"
    r"be)? ?required|preferred|you (?:need|have) to)\b|(?:^|[.;:,(!—–-]\s*|\b(?:and|but|please|so|"
    r"then)\s+)(?:do not|don[’']t|never|always|avoid|prefer|ensure|make sure|be sure)\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"(?:please |always |then |first,? |also |when(?:ever)?\b[^,]{3,80}, |if\b[^,]{3,80}, |"
    r"before\b[^,]{3,80}, |after\b[^,]{3,80}, |for\b[^,]{3,60}, |in\b[^,]{3,60}, )*(?:use|run|"
    r"write|add|keep|follow|check|test|commit|put|place|name|call|create|update|read|ask|return|"
    r"handle|include|validate|log|document|format|lint|import|export|wrap|define|limit|leave|"
    r"remove|delete|fix|start|stop|install|set|pass|treat|cover|mock|try|verify|confirm|consult|"
    r"respect|store|split|sort|group|match|mark|open|close|push|merge|rebase|squash|review|report|"
    r"explain|stick|stay|respond|reply|answer|work|think|plan|search|look|reuse|extend|declare|"
    r"annotate|type|throw|raise|catch|model|build|bump|pin|regenerate|generate|organi[sz]e|"
    r"structure|separate|expose|hide|inject|escape|default to|implement|no|max(?:imum)?|at most)\b",
    re.IGNORECASE,
)
_NAMES_A_THING = re.compile(
    r"(?:[\w`-]+ ){1,2}(?:is|are|was|were|has|have|contains?|lives?|runs?)\b", re.IGNORECASE
)  # `Test files are exempt`
_VERB_ONLY = re.compile(
    r"(?:use|add|keep|follow|put|ask|handle|include|validate|wrap|remove|delete|fix|verify|ensure|"
    r"respect)\b",
    re.IGNORECASE,
)
_DESCRIBES = re.compile(
    r"(?:`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\)|[\w./-]+/[\w./-]*|"
    r"[\w-]+\.\w{1,4})\s*(?:[-–—:=]|->|→|\(|is\b|are\b|contains?\b|holds?\b|provides?\b)"
)
_LAYOUT = re.compile(
    r"structure|layout|architecture|overview|director(?:y|ies)|tech(?:nology)? stack|\bstack\b|"
    r"about|introduction|background|components?|key files|project (?:description|information)|"
    r"table of contents|resources|references|links|see also|dependencies|features|glossary|"
    r"recent changes|technologies",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"`(?:\$ )?(?:sudo )?(?:[A-Z_]+=\S+ )*(?:npm|npx|pnpm|yarn|bun|make|just|cargo|go|python3?|"
    r"pytest|uv|uvx|tox|nox|ruff|mypy|docker|git|gh|mvn|gradle|\./\S+|bundle|rake|rails|composer|"
    r"php|dotnet|swift|bazel|terraform|kubectl|pre-commit|mise|task|poetry|pip|deno|mix|"
    r"sbt)\b[^`]*`"
)
_TELLS_COMMAND = re.compile(rf"(?:[^`:]{{2,40}}[:(–—-]+\s*)?{_COMMAND.pattern}")
_STEPS = re.compile(
    r"\b(?:run|before (?:commit|push|merg|open|creat|releas)\w*|after \w+ing|to (?:build|test|run|"
    r"release|deploy|install|start))\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_HEAD_LINE = re.compile(r"(description|globs|applyTo|paths|alwaysApply)\s*:\s*(.*)$")


@dataclass(frozen=True, slots=True)
class _Block:
    """A bullet with what is below it, or a paragraph."""

    text: str
    first: int
    last: int
    path: tuple[str, ...]
    sort: str  # item | paragraph | code | table | quote; the last three are no rules
    lead: str = ""  # a sub-bullet's parent


def read(files: Sequence[File], into: Reading) -> None:
    """Read files of rules."""
    for file in files:
        try:
            _read(file, into)
        except BadMemory as error:
            into.leave(file.name, str(error), failed=True)


def _read(file: File, into: Reading) -> None:
    head, body, first = _split(file.text)
    globs = head.get("globs") or head.get("applyTo") or head.get("paths") or ""
    count, taken = 0, into.found
    known: Counter[str] = Counter()
    for block in _blocks(markdown.uncommented(body), first):
        count += 1
        reason = _no_rule(block)
        if reason:
            into.leave(f"{file.name}:{block.first}", reason)
            continue
        said = f"{block.lead}: {_unmarked(block.text)}" if block.lead else _unmarked(block.text)
        path = " > ".join(block.path)
        origin = f"{file.name}#{path.casefold()}#{' '.join(words(said)[:_ORIGIN])}"
        known[origin] += 1
        where = f"{file.name}: {path}" if path else file.name
        taken.append(
            Found(
                file=file.name,
                origin=origin,
                primitive=Primitive.LEARNING,
                kind=Kind.PROCEDURE
                if _COMMAND.search(block.text) or (_STEPS.search(said) and "`" in said)
                else Kind.PREFERENCE,
                title=_title(said),
                body=f"{f'{block.lead}: ' if block.lead else ''}{_tidied(block.text)}\n\n({where}{f'; for {globs}' if globs else ''})",  # noqa: E501
                records=((block.first, block.last),),
                repeats=True,
            )
        )
    if not count:
        into.leave(file.name, "holds no rule")


def _split(text: str) -> tuple[dict[str, str], str, int]:
    """Return head, body and the body's first line; the head is often not YAML: `globs: *.ts`."""
    found = re.match(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", text, re.DOTALL | re.MULTILINE)
    if not found:
        return {}, text, 1
    pairs = [line for row in found[1].split("\n") if (line := _HEAD_LINE.match(row))]
    head = {pair[1]: pair[2].strip().strip("\"'")[:200] for pair in pairs}
    return head, text[found.end() :], text.count("\n", 0, found.end()) + 1


def _blocks(body: str, first: int) -> Iterator[_Block]:
    lines = body.split("\n")
    for part in markdown.sections(body, first):
        at = part.first + (1 if part.level else 0)
        raw = lines[at - first : part.last - first + 1]
        yield from _parts("\n".join(raw), at, part.path if part.level != 1 else ())


# a small state machine
def _parts(text: str, first: int, path: tuple[str, ...]) -> Iterator[_Block]:  # noqa: C901
    """Yield the blocks of one section."""
    pending: list[tuple[int, str]] = []
    sort, depth = "", 0

    def flush() -> Iterator[_Block]:
        if pending:
            yield from _shortened(
                _Block(
                    "\n".join(line for _, line in pending).rstrip(),
                    pending[0][0],
                    pending[-1][0],
                    path,
                    sort,
                )
            )
        pending.clear()

    for number, line, code in markdown.lines_outside_code(text, first):
        item = None if code else _ITEM.match(line)
        indent = len(line) - len(line.lstrip())
        if code:
            if sort not in {"code", "item"} or (sort == "item" and not indent):
                yield from flush()
                sort = "code"
            pending.append((number, line))
            continue
        if sort == "code":
            yield from flush()
            sort = ""
        if not line.strip():
            if sort != "item":
                yield from flush()
                sort = ""
        elif item and not (sort == "item" and len(item[1].expandtabs(4)) > depth):
            yield from flush()
            sort, depth = "item", len(item[1].expandtabs(4))
            pending.append((number, line))
        elif item or (sort == "item" and indent > depth) or (sort and sort != "item" and pending):
            pending.append((number, line))
        elif sort == "item" and pending and pending[-1][0] == number - 1:
            pending.append((number, line))  # an unindented continuation line of a bullet
        else:
            yield from flush()
            sort = (
                "table"
                if line.lstrip().startswith("|")
                else "quote"
                if line.lstrip().startswith(">")
                else "paragraph"
            )
            pending.append((number, line))
    yield from flush()


def _shortened(block: _Block) -> Iterator[_Block]:
    """Yield a bullet, or if it is long, its sub-bullets, each with the bullet as its lead."""
    lines = block.text.split("\n")
    below = [at for at, line in enumerate(lines) if at and (item := _ITEM.match(line)) and item[1]]
    lead = _unmarked(lines[0]).rstrip(":").strip()
    if (
        block.sort != "item"
        or not below
        or (len(block.text) <= _LONGEST // 2 and (not _is_heading(lines[0]) or _MUST.search(lead)))
    ):
        yield block
        return
    # each of them matched
    depth = min(len(_ITEM.match(lines[at])[1].expandtabs(4)) for at in below)  # type: ignore[index]
    # as above
    starts = [at for at in below if len(_ITEM.match(lines[at])[1].expandtabs(4)) == depth]  # type: ignore[index]
    own = "\n".join(lines[: starts[0]])
    if not _is_heading(lines[0]):
        yield _Block(own, block.first, block.first + starts[0] - 1, block.path, block.sort)
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        text, last = "\n".join(lines[start:end]).rstrip(), block.first + end - 1
        yield _Block(
            text,
            block.first + start,
            last,
            block.path,
            block.sort,
            lead if len(lead) <= _LEAD else "",
        )


def _is_heading(line: str) -> bool:
    """Return whether a bullet only introduces those below it."""
    said = _unmarked(line)
    return said.endswith(":") and len(words(said)) < 12


def _no_rule(block: _Block) -> str:  # noqa: PLR0911  each is a reason
    """Return why a block is not a rule; "" if it is one."""
    if block.sort in {"code", "table", "quote"}:
        return f"is {block.sort if block.sort == 'code' else f'a {block.sort}'}, not a rule"
    said = f"{block.lead}: {_unmarked(block.text)}" if block.lead else _unmarked(block.text)
    if len(words(said)) < _FEWEST:
        return "is too short to be a rule"
    if len(said) > _LONGEST:
        return "is too long to be one rule"
    if said.startswith("@") or re.fullmatch(
        r"(?:see|read|refer to)\b.{0,120}", said, re.IGNORECASE
    ):
        return "points elsewhere"
    if said.endswith((":", "?")):
        return "only leads to what follows"
    if not _rules(block, said):
        return "describes, and rules nothing"
    return (
        "explains too much to be a rule"
        if block.sort == "paragraph" and len(said) > _LONGEST * 2 // 3
        else ""
    )


def _rules(block: _Block, said: str) -> bool:
    """Return whether a text orders or forbids something, or names the command for it."""
    bound = bool(_MUST.search(re.sub(r"`[^`]*`", "`", said)))
    described = _DESCRIBES.match(_tidied(block.text)[:_LONGEST]) is not None
    if any(_LAYOUT.search(title) for title in block.path):
        return bound and not described
    if bound or (block.sort == "item" and len(said) <= _BRIEF and _TELLS_COMMAND.match(said)):
        return True
    after = re.sub(r"^[^:`]{2,40}:\s+", "", said)  # `Naming: use camelCase`
    ordered = any(
        _ORDERS.match(part) and (_VERB_ONLY.match(part) or not _NAMES_A_THING.match(part))
        for part in (said, after)
    )
    return ordered and (not described or after != said)


def _unmarked(text: str) -> str:
    """Return a block as one line, without bullet and emphasis."""
    item = _ITEM.match(text)
    bare = _CODE.sub("", (item[2] + text[item.end() :] if item else text)[: 4 * _LONGEST])
    said = plain(re.sub(r"\n[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+", "; ", bare))
    return re.sub(r"^\[[ xX]\] +", "", said).replace(":;", ":")


def _tidied(text: str) -> str:
    """Return a block without its bullet; a list below it stays a list."""
    lines = text.split("\n")
    item = _ITEM.match(lines[0])
    if not item:
        return text.strip()
    moved = [line for line in lines[1:] if line.strip()]
    shift = min((len(line) - len(line.lstrip()) for line in moved), default=0)
    return "\n".join([item[2], *(line[shift:] for line in moved)]).strip()


def _title(said: str) -> str:
    first = sentences(said)[0] if sentences(said) else said
    shown = re.sub(
        r"^(?:please|also|then)\s+",
        "",
        first.split("; ")[0] if len(first) > TITLE_LIMIT else first,
        flags=re.IGNORECASE,
    )
    return clip((shown[:1].upper() + shown[1:]).rstrip(".:;,! "), TITLE_LIMIT)
