"""Decide whether a block of text in an agent rules file is a rule."""

import re

from git_lerim.extraction.from_files.rules.blocks import LONGEST, MUST, Block, tidied, unmarked
from git_lerim.tokens import words

_FEWEST = 3  # words
_BRIEF = 200  # characters of a line that names a command
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
)  # such as `Test files are exempt`
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
COMMAND = re.compile(
    r"`(?:\$ )?(?:sudo )?(?:[A-Z_]+=\S+ )*(?:npm|npx|pnpm|yarn|bun|make|just|cargo|go|python3?|"
    r"pytest|uv|uvx|tox|nox|ruff|mypy|docker|git|gh|mvn|gradle|\./\S+|bundle|rake|rails|composer|"
    r"php|dotnet|swift|bazel|terraform|kubectl|pre-commit|mise|task|poetry|pip|deno|mix|"
    r"sbt)\b[^`]*`"
)
_TELLS_COMMAND = re.compile(rf"(?:[^`:]{{2,40}}[:(–—-]+\s*)?{COMMAND.pattern}")


def why_no_rule(block: Block) -> str:  # noqa: PLR0911  each is a reason
    """Return why a block is not a rule; "" if it is one."""
    if block.sort in {"code", "table", "quote"}:
        return f"is {block.sort if block.sort == 'code' else f'a {block.sort}'}, not a rule"
    said = f"{block.lead}: {unmarked(block.text)}" if block.lead else unmarked(block.text)
    if len(words(said)) < _FEWEST:
        return "is too short to be a rule"
    if len(said) > LONGEST:
        return "is too long to be one rule"
    if said.startswith("@") or re.fullmatch(
        r"(?:see|read|refer to)\b.{0,120}", said, re.IGNORECASE
    ):
        return "only refers elsewhere"
    if said.endswith((":", "?")):
        return "only introduces a list"
    if not _rules(block, said):
        return "describes something, but is not a rule"
    return (
        "is an explanation, not a rule"
        if block.sort == "paragraph" and len(said) > LONGEST * 2 // 3
        else ""
    )


def _rules(block: Block, said: str) -> bool:
    """Return whether a text orders or forbids something, or gives a command to run."""
    bound = bool(MUST.search(re.sub(r"`[^`]*`", "`", said)))
    described = _DESCRIBES.match(tidied(block.text)[:LONGEST]) is not None
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
