"""Describe a proposal in a pull request."""

from collections.abc import Iterator

from git_lerim.actions import diff
from git_lerim.actions.judged import WITHHELD
from git_lerim.actions.sharing.review_list import Waiting
from git_lerim.git.running.process import plain
from git_lerim.memories.memory import Memory
from git_lerim.redaction.finding import MARKER
from git_lerim.tokens import clip, counted, span

_NAMED = 5  # sources and anchors per memory
_WHY = 600  # characters per memory in a description


def description(waiting: Waiting) -> str:
    """Return the pull request's description in Markdown, without mentions of users."""
    texts = (item.memory.body + item.memory.title for item in waiting.content.after.values())
    blanked = sum(text.count(MARKER) for text in texts)
    parts = [
        (
            f"{title(waiting)}, proposed by git-lerim. Merge it into the memory branch, and into no"
            " other."
        )
    ]
    parts += ["\n".join(_section(waiting, each)) for each in waiting.differences]
    parts.append(f"Redactions: {counted(blanked, 'secret')} blanked before anything was written.")
    return "\n\n".join(parts) + "\n"


def title(waiting: Waiting) -> str:
    """Return the pull request's title."""
    counts = [f"{number} {word}" for word, number in waiting.counts().items() if number]
    return f"Memory: {', '.join(counts) or 'nothing'}"


def _section(waiting: Waiting, difference: diff.Difference) -> Iterator[str]:
    item = waiting.content.after.get(difference.id) or waiting.content.before[difference.id]
    memory = item.memory
    sort = f"{memory.primitive}{f' ({memory.kind})' if memory.kind else ''}"
    yield f"### {difference.change.capitalize()}: {_code(difference.title)}"
    yield f"{sort} `{memory.id}`, confidence {memory.confidence:.2f}"
    is_hidden = difference.title == WITHHELD
    body = "" if is_hidden else memory.body
    lines = difference.body or tuple(f" {line}" for line in body.splitlines())
    changed = [
        f"{name}: {before} → {after}"
        for name, before, after in difference.fields
        if name not in {"sources", "anchors"}
    ]
    text = clip("\n".join([*changed, *lines]), _WHY)
    if text:
        yield from ("```diff", text.replace("```", "'''"), "```")
    if not is_hidden:
        yield from (f"- from {_code(name)}" for name in _sources(memory))
        yield from (f"- about {_code(anchor.path)}" for anchor in memory.anchors[:_NAMED])


def sources(waiting: Waiting) -> list[str]:
    """Return the sessions that a proposal comes from, except those of withheld memories."""
    hidden = {each.id for each in waiting.differences if each.title == WITHHELD}
    memories = [item.memory for item in waiting.content.after.values()]
    return sorted({name for each in memories if each.id not in hidden for name in _sources(each)})


def _sources(memory: Memory) -> Iterator[str]:
    for source in memory.sources[:_NAMED]:
        commit = f", commit {source.commit[:10]}" if source.commit else ""
        records = f", records {', '.join(map(span, source.records))}" if source.records else ""
        yield f"{source.agent}/{source.session}{records}{commit}"
    if not memory.sources:
        yield "a person, by hand"


def _code(text: str) -> str:
    """Return text as inline code, in which a forge makes neither links nor mentions."""
    return f"`{plain(text).replace('`', chr(39))}`"
