"""Recover what the user typed from a prompt in which an agent expanded a template.

Some agents store the expanded text of a slash command as the user's message.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

_BARE = r"\$ARGUMENTS|\$@|\$\d+|\$\{@?[:\d]+\}|\$[A-Z][A-Z0-9_]*\b|\{\{args\}\}"
_TYPED = rf"{_BARE}|\$\{{@?[:\d]+(?::-[^{{}}]*)?\}}"
_INSERTED = r"!`[^`]*`|[!@]\{|\{(?:file|env):[^{}]*\}"  # output and files
_PLACEHOLDER = re.compile(f"({_TYPED})|{_INSERTED}")
_ARGUMENTS = re.compile(f"({_TYPED})")
_REPEATED = re.compile(rf"({_BARE})(?:\s*(?:{_BARE}))+")
_DEFAULT = re.compile(r"\$\{(\d{1,9}):-([^{}]*)\}")
_NAME = re.compile(r"[a-z][\w:-]{0,40}")
_LEAST = 12  # characters of a template that identify it
_GIVEN = 10  # arguments
_COMPARED = 5000  # characters of a template; a prompt keeps more than that of its beginning


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A prompt template: its constant parts, in order, and whether other text is inserted."""

    name: str
    parts: tuple[str, ...]
    inserted: bool  # it also holds text that neither the user nor the template's author typed


def templates(name: str, text: str) -> Iterator[Template]:
    """Yield the forms that a file's text can take in a prompt, if enough of it is constant.

    The last arguments can have their default texts, and an agent inserts no output or file where
    it does not know the placeholder for it.
    """
    text = _REPEATED.sub(r"\1", _normal(text))
    forms = dict.fromkeys((text, *_with_defaults(text)))
    for placeholder in (_PLACEHOLDER, _ARGUMENTS):
        for form in forms:
            if found := template(name, form, placeholder):
                yield found


def _with_defaults(text: str) -> Iterator[str]:
    """Yield a text with the defaults of its last arguments, for each number of arguments given."""
    given = sorted({int(found[1]) for found in _DEFAULT.finditer(text[:_COMPARED])})
    for last in given[:_GIVEN]:
        yield _DEFAULT.sub(partial(_default, last), text)


def _default(last: int, argument: re.Match[str]) -> str:
    return argument[2] if int(argument[1]) >= last else argument[0]


def template(name: str, text: str, placeholder: re.Pattern[str] = _PLACEHOLDER) -> Template | None:
    """Parse a template from a file's text; return None if too little of it is constant."""
    text = _normal(text)
    parts, inserted = _parts(text[:_COMPARED], placeholder)
    if sum(map(len, parts)) < _LEAST:
        return None
    return Template(
        name=name if _NAME.fullmatch(name) else "command",
        parts=parts,
        inserted=inserted or len(text) > _COMPARED,
    )


def _parts(text: str, placeholder: re.Pattern[str]) -> tuple[tuple[str, ...], bool]:
    """Return the text between placeholders, and whether one of these is for output or a file."""
    parts, at, start, inserted = list[str](), 0, 0, False
    while found := placeholder.search(text, at):
        at = found.end()
        if found[0][-1] == "{":
            at = _closing(text, at)
        if at:
            parts.append(text[start : found.start()].strip())
            start, inserted = at, inserted or found[1] is None
        else:
            at = found.end()
    return (*parts, text[start:].strip()), inserted


def _closing(text: str, start: int) -> int:
    """Return the end of text in braces, counting braces in braces as Gemini CLI does; 0 if none."""
    depth = 1
    for brace in re.finditer(r"[{}]", text[start:]):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return start + brace.end()
    return 0


def typed(prompt: str, templates: Iterable[Template], below: str = "") -> str:
    """Return a prompt as the user typed it, with the command in place of a template's text.

    `below` is text that the agent stored after the prompt, perhaps the rest of a template in which
    a file was inserted. If several templates match, the one that covers most of the prompt is
    replaced. A prompt without a template is unchanged.
    """
    text, below = _normal(prompt), _normal(below)
    found = (_without(text, each, below) for each in templates)
    return min((each for each in found if each is not None), key=len, default=prompt)


def _without(text: str, template: Template, below: str) -> str | None:
    """Replace a template's text in a prompt by the command; return None if the text is not there.

    The template must begin and end at line breaks.
    """
    first, *others = template.parts
    start = f"\n{text}".find(f"\n{first}") if first else 0
    if start < 0:
        return None
    if template.inserted:
        # Gemini CLI stores what follows an inserted file apart from what stands before it
        is_part = len(text) >= _LEAST and text in template.parts
        is_there = is_part or _holds_most(f"{text}\n{below}", template.parts)
        return f"{text[:start]}/{template.name}" if is_there else None
    arguments, end = [f"/{template.name}"], start + len(first)
    for part in others:
        at = text.find(part, end)
        if at < 0:
            return None
        arguments.append(text[end:at].strip())
        end = at + len(part)
    rest = text[end:]
    if template.parts[-1] and rest and rest[0] != "\n":
        return None
    command = " ".join(filter(None, arguments))
    return f"{text[:start]}{command}{_spaced(rest)}"


def _holds_most(text: str, parts: Sequence[str]) -> bool:
    """Return whether a text contains at least half of a template's constant text.

    Other text may stand between the template's parts.
    """
    there = sum(len(part) for part in parts if part in text)
    return there >= max(_LEAST, sum(map(len, parts)) // 2)


def _spaced(rest: str) -> str:
    return f" {rest}" if rest and not rest[0].isspace() else rest


def _normal(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
