"""Read rules files for agents, and make a memory of each rule."""

import re
from collections.abc import Sequence

from git_lerim.errors import BadMemory
from git_lerim.extraction.from_files import markdown
from git_lerim.extraction.from_files.base import Draft, File, Reading
from git_lerim.extraction.from_files.rules.blocks import blocks, tidied, unmarked
from git_lerim.extraction.from_files.rules.judge import COMMAND, why_no_rule
from git_lerim.extraction.transcript.text import sentences
from git_lerim.memories.memory import TITLE_LIMIT, Kind, Primitive
from git_lerim.tokens import clip, words

_ORIGIN = 6  # words that identify a rule even if its end is rewritten
_STEPS = re.compile(
    r"\b(?:run|before (?:commit|push|merg|open|creat|releas)\w*|after \w+ing|to (?:build|test|run|"
    r"release|deploy|install|start))\b",
    re.IGNORECASE,
)
_HEAD_LINE = re.compile(r"(description|globs|applyTo|paths|alwaysApply)\s*:\s*(.*)$")


def read(files: Sequence[File], into: Reading) -> None:
    """Read the rules in files as memories; record all other text as left out."""
    for file in files:
        try:
            _read(file, into)
        except BadMemory as error:
            into.leave(file.name, str(error), failed=True)


def _read(file: File, into: Reading) -> None:
    head, body, first = _split(file.text)
    globs = head.get("globs") or head.get("applyTo") or head.get("paths") or ""
    count = 0
    for block in blocks(markdown.uncommented(body), first):
        count += 1
        reason = why_no_rule(block)
        if reason:
            into.leave(f"{file.name}:{block.first}", reason)
            continue
        said = f"{block.lead}: {unmarked(block.text)}" if block.lead else unmarked(block.text)
        path = " > ".join(block.path)
        origin = f"{file.name}#{path.casefold()}#{' '.join(words(said)[:_ORIGIN])}"
        where = f"{file.name}: {path}" if path else file.name
        where = f"{where}; for {globs}" if globs else where
        lead = f"{block.lead}: " if block.lead else ""
        into.found.append(
            Draft(
                file=file.name,
                origin=origin,
                primitive=Primitive.LEARNING,
                kind=Kind.PROCEDURE
                if COMMAND.search(block.text) or (_STEPS.search(said) and "`" in said)
                else Kind.PREFERENCE,
                title=_title(said),
                body=f"{lead}{tidied(block.text)}\n\n({where})",
                records=((block.first, block.last),),
                repeats=True,
            )
        )
    if not count:
        into.leave(file.name, "contains no rules")


def _split(text: str) -> tuple[dict[str, str], str, int]:
    """Return the front matter, the body, and the number of the body's first line.

    The front matter is often not valid YAML, for example `globs: *.ts`.
    """
    found = re.match(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", text, re.DOTALL | re.MULTILINE)
    if not found:
        return {}, text, 1
    pairs = [line for row in found[1].split("\n") if (line := _HEAD_LINE.match(row))]
    head = {pair[1]: pair[2].strip().strip("\"'")[:200] for pair in pairs}
    return head, text[found.end() :], text.count("\n", 0, found.end()) + 1


def _title(said: str) -> str:
    first = sentences(said)[0] if sentences(said) else said
    shown = re.sub(
        r"^(?:please|also|then)\s+",
        "",
        first.split("; ")[0] if len(first) > TITLE_LIMIT else first,
        flags=re.IGNORECASE,
    )
    return clip((shown[:1].upper() + shown[1:]).rstrip(".:;,! "), TITLE_LIMIT)
