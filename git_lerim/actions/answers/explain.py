"""Let a model explain code from the commits, sessions and memories behind it, citing them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from git_lerim.actions.answers import asked_model
from git_lerim.actions.answers.asked_model import Reply, Request
from git_lerim.actions.judged import withheld
from git_lerim.actions.listing import iso, state_marks
from git_lerim.actions.why import code_lines
from git_lerim.actions.why.why import Answer
from git_lerim.errors import LerimError
from git_lerim.git.running.process import run_git
from git_lerim.memories.authors import agents_note
from git_lerim.recall.by_model.cited import Note, Sentence
from git_lerim.recall.by_model.prompt import text_of
from git_lerim.sessions.session import moment
from git_lerim.tokens import clip, span
from git_lerim.workspace import Workspace

__all__ = ["NOTHING", "Sentence", "as_json", "explain"]

NOTHING = "No known memory, commit or session explains this code."
MEMORIES = 12
SESSIONS = 3  # per commit
_MESSAGE = 1_500  # characters of a commit message
_SUMMARY = 800
_BODY = 2_000
_CODE = 60  # lines


def explain(
    ws: Workspace,
    answer: Answer,
    say: Callable[[str], None],
    hear: Callable[[Sentence], None],
    *,
    is_streamed: bool,
) -> Reply | None:
    """Ask the model to explain code; return None if nothing is known about that code.

    Raises LerimError if no model is set, and ModelFailed if it gives no usable answer.
    """
    if not ws.settings.answers_by:
        hint = (
            "to set one: git config --global lerim.model NAME; without --explain, git lerim"
            " why needs no model"
        )
        raise LerimError("why --explain needs a language model, and none is set", hint=hint)
    notes = [*_commits(ws, answer), *_sessions(ws, answer), *_memories(ws, answer)]
    if not notes:
        return None
    asked = answer.target
    lines = f", lines {span(asked.lines)}" if asked.lines else ""
    question = f"Why is {asked.path or 'this repository'}{lines} as it is?"
    request = Request(name="explain", notes=notes, question=question, code=_code(ws, answer))
    return asked_model.ask(ws, request, say, hear, is_streamed=is_streamed)


def as_json(reply: Reply | None) -> dict[str, Any]:
    """Return an explanation in the format of `why --explain --json`."""
    if reply is None:
        return {"model": None, "sentences": []}
    return {
        "model": reply.model,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "cost_usd": reply.cost_usd,
        "sentences": [{"text": one.text, "cites": list(one.ids)} for one in reply.sentences],
    }


def _commits(ws: Workspace, answer: Answer) -> Iterator[Note]:
    """Yield a note for each commit behind the code, oldest first, with its message."""
    steps = sorted(
        (step for step, _ in answer.steps if step.commit.id),
        key=lambda step: (step.commit.committed, step.commit.id),
    )
    for number, step in enumerate(steps, 1):
        commit = step.commit
        args = ws.place.git(
            "log", "-1", "--no-show-signature", "--format=%B", "--end-of-options", commit.id
        )
        message = run_git(args, cwd=ws.place.git_dir).decode("utf-8", "replace").strip()
        lines = (
            f", wrote lines {', '.join(map(span, step.lines[:5]))}"
            if step.lines and not step.moved
            else ""
        )
        facts = (
            f"commit {commit.id[:10]}, {_day(commit.committed * 1000)}, by {commit.author}{lines}"
        )
        yield Note(name=f"C{number}", id=commit.id[:10], facts=facts, text=clip(message, _MESSAGE))


def _sessions(ws: Workspace, answer: Answer) -> Iterator[Note]:
    """Yield a note for each known session behind the commits, with its summary."""
    found = {
        (link.agent, link.session): link
        for _, links in reversed(answer.steps)
        for link in links[:SESSIONS]
    }
    known = [(key, link) for key, link in found.items() if key in answer.sessions]
    summaries = {
        (source.agent, source.session): item.memory.body
        for item in (ws.store.served().summaries.values() if known else ())
        if not withheld(item)
        for source in item.memory.sources
    }
    for number, (key, link) in enumerate(known, 1):
        entry = answer.sessions[key]
        text = f"{entry.header.heading}\n{summaries.get(key, '')}".strip()
        if text:
            day = _day(entry.ended) if entry.ended is not None else "no date"
            facts = f"session of {link.agent}, {day}, {link.word}"
            yield Note(
                name=f"S{number}",
                id=f"{link.agent}/{link.session}",
                facts=facts,
                text=clip(text, _SUMMARY),
            )


def _memories(ws: Workspace, answer: Answer) -> Iterator[Note]:
    """Yield a note for each trusted memory about the code, oldest first.

    Other memories are left out, because the model's answer could not mark them as untrusted.
    """
    found = answer.hits[:MEMORIES]
    hits = [hit for hit in found if answer.stored[hit.memory.id].path not in answer.doubts]
    marks = state_marks(ws, [answer.stored[hit.memory.id] for hit in hits])
    for number, hit in enumerate(
        sorted(hits, key=lambda hit: (hit.memory.created, hit.memory.id)), 1
    ):
        memory, item = hit.memory, answer.stored[hit.memory.id]
        author = f"from {item.author}" if item.author else ""
        facts = [
            memory.kind or memory.primitive,
            f"{memory.created:%Y-%m-%d}",
            hit.word,
            marks.get(item.blob, ""),
            author,
            *agents_note(memory.origin),
        ]
        text = clip(text_of(memory.title, memory.body), _BODY)
        yield Note(name=f"M{number}", id=memory.id, facts=", ".join(filter(None, facts)), text=text)


def _code(ws: Workspace, answer: Answer) -> Sequence[str]:
    """Return the requested lines, or the first lines of the file."""
    if answer.target.folder or answer.target.state == "nowhere":
        return ()
    text = code_lines.content(ws, answer.target) or []
    first, last = answer.target.lines or (1, _CODE)
    return [
        line.decode("utf-8", "replace") for line in text[first - 1 : min(last, first + _CODE - 1)]
    ]


def _day(milliseconds: int) -> str:
    return iso(moment(milliseconds))[:10]
