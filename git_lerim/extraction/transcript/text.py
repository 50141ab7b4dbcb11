"""Split Markdown and chat into blocks and clean sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LIST_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s")  # as it begins in a prompt
_FENCE = re.compile(r"^\s*(```|~~~)\s*([\w+-]*)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*)")
_ITEM = re.compile(r"^(\s*)(?:[-*+•]|\(?\d{1,2}[.)]|[a-z][.)])\s+(.*)")
_CHECKBOX = re.compile(r"^\[[ xX~-]\]\s*")
_TABLE = re.compile(r"^\s*\|(.*)\|\s*$")
_RULE = re.compile(r"^\s*([-=_*━─])\1{2,}\s*$")
_DRAWING = re.compile(r"[│├└┌┐┘╰╭━─▼▲]")
_BOLD_LEAD = re.compile(r"^(?:\*\*|__)(.{3,120}?)(?:\*\*|__)\s*(?:\(.{0,60}?\))?\s*[:.—–-]*\s*")
# Possessive, since otherwise every way to split the address of an unclosed link would be tried.
_LINK = re.compile(
    r"!?\[([^\[\]]{0,300}(?:\[[^\[\]]{0,100}\][^\[\]]{0,300}){0,5})\]\((?:[^()\s]{1,500}+|"
    r"\([^()]{0,200}\)){0,9}+(?:\s+\"[^\"]{0,200}\")?\)"
)
_HTML = re.compile(
    r"</?(?:details|summary|br|b|i|em|strong|sub|sup|p|div|kbd|img)(?:\s[^<>]{0,200})?/?>",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(
    r"\*\*([^*\n]+)\*\*|(?<![\w/.])__(?![a-z0-9]+__)(?=\w)([^_\n]+)__(?![\w./(])|"
    r"(?<![\w*`/])\*(?=[^\s*])([^*`\n]{1,120}?)\*(?![\w*])"
)
_EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200b-\u200d\u2060\ufeff]"
)
_MARKED = re.compile(r"[*_\[<]")
_SENTENCE_END = re.compile(
    r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[`]?[A-Z0-9`/_.~-]|[a-z]\w*(?:[./_]\w|[A-Z]))|[。！？]"
)
_SHORT = 8  # characters: more than the longest abbreviation
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|no|fig|resp)|\b[A-Z])\.$", re.IGNORECASE
)
_SHELL = {"bash", "sh", "shell", "console", "zsh", "powershell", "pwsh", "fish", "cmd", ""}
_COMMAND_LINE = re.compile(r"^\s*(?:\$ |> )?([a-z][\w./+-]*(?: [^\s].*)?)$")
_COMMAND = re.compile(
    r"^(?:[A-Z_][A-Z0-9_]*=\S+ )*(?:sudo )?(?:git|gh|npm|npx|pnpm|yarn|bun|bunx|deno|node|"
    r"python3?|pip3?|uv|uvx|poetry|pytest|tox|nox|ruff|mypy|go|cargo|rustup|make|cmake|ninja|mise|"
    r"just|task|docker|podman|kubectl|helm|terraform|aws|gcloud|az|bazel|gradle|\./\S+|mvn|dotnet|"
    r"ruby|bundle|rake|rails|php|composer|java|swift|xcodebuild|brew|apt|apt-get|dnf|curl|psql|"
    r"sqlite3|redis-cli|systemctl|ansible|vagrant|nix|golangci-lint|turbo|nx|lerna|vite|jest|"
    r"vitest|playwright|cypress|wrangler|flyctl|vercel|supabase|prisma|alembic|[a-z][\w-]+ (?:run|"
    r"test|build|check|install|status|list|--?[a-z][\w-]*))(?=\s|$)"
)
_ANY_TAG = re.compile(r"<(thinking|system-reminder|analysis)>.*?</\1>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list item, heading or table row; `lead` is its bold beginning."""

    kind: str  # paragraph | item | heading | row | command | quote
    text: str
    depth: int = 0
    lead: str = ""


@lru_cache(maxsize=128)
def blocks(markdown: str) -> tuple[Block, ...]:
    """Return the blocks of a text; drawings and code are dropped, short shell commands kept."""
    return tuple(
        _blocks((_ANY_TAG.sub(" ", markdown) if "</" in markdown else markdown).splitlines())
    )


def _blocks(lines: list[str]) -> Iterator[Block]:
    pending: list[str] = []
    state: tuple[str, int] = ("paragraph", 0)
    code: list[str] | None = None
    shell = False
    for line in lines:
        fence = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if fence and (code is None or not fence[2]):
            yield from _flush(pending, state)
            if code is None:
                code, shell = [], fence[2].lower() in _SHELL
            else:
                yield from _commands(code) if shell else ()
                code = None
            state = ("paragraph", 0)
        elif code is not None:
            code.append(line)
        elif line[:1].isalpha() and line[1:2] not in {".", ")"} and line.isascii():
            # fast path for most lines, which have no markup
            pending.append(line.strip())
        else:
            block, state = _line(line, pending, state)
            yield from block
    yield from _flush(pending, state)


def _line(
    line: str, pending: list[str], state: tuple[str, int]
) -> tuple[list[Block], tuple[str, int]]:
    """Process one line outside code; return the blocks it completes, and the new state."""
    done: list[Block] = []
    said = line.strip()
    first = said[:1]
    if not said or _RULE.match(line) or line.startswith("::"):
        done += _flush(pending, state)
        return done, ("paragraph", 0)
    if first == "#" and (heading := _HEADING.match(line)):
        done += _flush(pending, state)
        done += _flush([heading[1]], ("heading", 0))
        return done, ("paragraph", 0)
    if first == "|" and (row := _TABLE.match(line)):
        done += _flush(pending, state)
        done += _row(row[1]) if state[0] == "row" else []
        ruled = set(row[1]) <= set("|-: ")
        return done, ("row" if ruled or state[0] == "row" else "paragraph", 0)
    if not line.isascii() and len(_DRAWING.findall(line)) > 1:
        return done, state
    if item := _ITEM.match(line):
        done += _flush(pending, state)
        pending.append(_CHECKBOX.sub("", item[2]))
        return done, ("item", len(item[1].expandtabs(4)) // 2)
    plain = said if said.startswith(">=") else said.lstrip("> ")
    if plain != said and not pending:
        state = ("quote", 0)
    pending.append(plain)
    return done, state


def _flush(pending: list[str], state: tuple[str, int]) -> list[Block]:
    raw = " ".join(pending).strip()
    pending.clear()
    if not raw:
        return []
    bold = _BOLD_LEAD.match(raw)
    text = plain(raw)
    return [Block(state[0], text, state[1], plain(bold[1]) if bold else "")] if text else []


def _row(inner: str) -> list[Block]:
    cells = [plain(cell) for cell in inner.replace(r"\|", "/").split("|")]
    cells = [cell for cell in cells if cell and not set(cell) <= set("-: ")]
    if len(cells) < 2:
        return []
    return [Block("row", f"{cells[0]}: {', '.join(cells[1:])}", 0, cells[0])]


def _commands(code: list[str]) -> list[Block]:
    lines = [line for line in code if line.strip() and not line.lstrip().startswith("#")]
    if not 0 < len(lines) <= 3:
        return []
    found = [match[1].strip() for line in lines if (match := _COMMAND_LINE.match(line))]
    if len(found) < len(lines) or not all(_COMMAND.match(line) for line in found):
        return []
    return [Block("command", " && ".join(f"`{line}`" for line in found if len(line) < 240))]


def plain(text: str) -> str:
    """Return a text without Markdown's emphasis, links and emoji; code spans stay."""
    if _MARKED.search(text):
        text = _LINK.sub(r"\1", text) if "[" in text else text
        if "<" in text:
            text = "`".join(
                part if odd % 2 else _HTML.sub(" ", part)
                for odd, part in enumerate(text.split("`"))
            )
        text = (
            _EMPHASIS.sub(lambda match: match[1] or match[2] or match[3], text)
            if "*" in text or "_" in text
            else text
        )
    return " ".join((text if text.isascii() else _EMOJI.sub("", text)).split())


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text that contains no Markdown."""
    found: list[str] = []
    start = 0
    ends = [(end.start() + 1, end.end()) for end in _SENTENCE_END.finditer(text)]
    for end, after in [*ends, (len(text), 0)]:
        piece = text[start:end]
        if found and _ABBREVIATION.search(found[-1][-_SHORT:]):
            found[-1] = f"{found[-1]} {piece}"
        elif piece := piece.strip():
            found.append(piece)
        start = after
    return tuple(found)


def holds_in_order(text: str, first: re.Pattern[str], then: re.Pattern[str]) -> bool:
    """Return whether a text matches `first` and, after that match, `then`.

    A single expression for both, with `.*` between them, would take time quadratic in the text's
    length.
    """
    found = first.search(text)
    return found is not None and then.search(text, found.end()) is not None


_ENDS = (".", "!", "?", "…", "。", "！", "？")


def finished(sentence: str) -> str:
    """Return a sentence with a full stop if it has no end mark."""
    bare = sentence.rstrip(" ,;:—–-")
    return (
        bare if bare.endswith((*_ENDS, *(f"{end}”" for end in _ENDS), ".)", '."')) else f"{bare}."
    )
