"""`git lerim why`: show the memories behind a piece of code."""

from collections.abc import Mapping

import click

from git_lerim.actions.judged import MARK, sharer
from git_lerim.actions.listing import iso, kind_column, state_marks, too_early
from git_lerim.actions.why.answer_json import as_json as to_json
from git_lerim.actions.why.why import Answer, why
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    at_option,
    data,
    data_json,
    heading,
    json_option,
    limit_option,
    say,
    styled,
    verb,
)
from git_lerim.memories.authors import agents_note
from git_lerim.sessions.session import moment
from git_lerim.tokens import clip, counted, local_times, span

_SESSIONS = 3  # shown for one commit
_POSSIBLE = 2  # shown if none is likely
_TITLE = 60
_SPANS = 5


@verb(paged=True)
@click.argument("path", metavar="PATH[:LINE[-LINE]]")
@limit_option(10, "Show at most N memories.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include suspect, superseded, archived and hidden memories.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Summarize it in a few sentences, with the model of lerim.askModel or lerim.model.",
)
@at_option
@json_option
def command(
    *, path: str, limit: int, everything: bool, explain: bool, at: str | None, as_json: bool
) -> None:
    """Show why code is the way it is: memories, and the commits and sessions that wrote it.

    For lines, first shows memories about these lines, their symbol, commit or session, then the
    commits, and last other memories about the file.
    """
    ws = opened()
    answer = why(ws, path, at=at, everything=everything)
    if explain:
        # only where a model is set
        from git_lerim.commands.explain import print_explanation  # noqa: PLC0415

        print_explanation(ws, answer, limit, as_json=as_json)
        return
    if as_json:
        data_json(to_json(ws, answer, limit))
        return
    shown = [answer.stored[hit.memory.id] for hit in answer.hits[:limit]]
    marks = state_marks(ws, shown)
    _print(
        answer, limit, {item.memory.id: marks[item.blob] for item in shown if item.blob in marks}
    )
    _say_rest(answer, limit, "" if answer.hits else too_early(ws, at))


def _print(answer: Answer, limit: int, marks: Mapping[str, str]) -> None:
    _say_state(answer)
    close = [hit.close for hit in answer.hits[:limit]]
    _print_hits(answer, limit, marks, close=True)
    if any(close) and answer.steps:
        data()
    _print_steps(answer)
    if not all(close):
        if any(close) or answer.steps:
            data()
        styled(heading("About this file:"))
        _print_hits(answer, limit, marks, close=False)


def _print_hits(answer: Answer, limit: int, marks: Mapping[str, str], *, close: bool) -> None:
    for hit in answer.hits[:limit]:
        memory = hit.memory
        if hit.close is close:
            item = answer.stored[memory.id]
            mark = (MARK if item.path in answer.doubts else "") + sharer(item)
            id_, title = heading(memory.id, fg="yellow"), heading(mark + memory.title, bold=True)
            states = [*filter(None, [marks.get(memory.id)]), *agents_note(memory.origin)]
            state = f"  ({', '.join(states)})" if states else ""
            styled(f"{id_}  {memory.created:%Y-%m-%d}  {kind_column(memory)}  {title}{state}")
            data(f"    {hit.word}: {'; '.join(hit.how)}")


def _print_steps(answer: Answer) -> None:
    for step, links in answer.steps:
        commit = step.commit
        where = ", ".join(map(span, step.lines[:_SPANS])) + (
            ", …" if len(step.lines) > _SPANS else ""
        )
        verb_ = "moved or indented " if step.moved else ""
        lines = (
            f"  ({verb_}line{'' if ',' not in where and '-' not in where else 's'} {where})"
            if where
            else ""
        )
        id_ = heading(commit.id[:10] or "work tree ", fg="yellow")
        who = (
            f"{local_times(iso(moment(commit.committed * 1000)))[:10]}  {commit.author[:20]}  "
            if commit.id
            else ""
        )
        styled(f"{id_}  {heading(who)}{heading(clip(commit.subject, _TITLE))}{lines}")
        sure = [link for link in links if link.word != "possible"]
        for link in (sure or links[:_POSSIBLE])[:_SESSIONS]:
            entry = answer.sessions.get((link.agent, link.session))
            title = (
                f"  “{clip(entry.header.heading, _TITLE)}”"
                if entry and entry.header.heading
                else ""
            )
            there = "" if entry else " (not on this machine)"
            data(
                f"    {link.agent}/{link.session}{there}  {link.word}: {'; '.join(link.how)}{title}"
            )


def _say_state(answer: Answer) -> None:
    target = answer.target
    if target.state == "gone":
        by = (
            f": removed in {target.gone.id[:10]}, {clip(target.gone.subject, _TITLE)!r}"
            if target.gone
            else ", except on another branch"
        )
        say(f"{target.path} no longer exists{by}" + (f"; now {answer.now}" if answer.now else ""))
    elif target.submodule:
        inside = target.path.removeprefix(f"{target.submodule}/")
        say(
            f"{target.path} is in the submodule {target.submodule}; to ask there: git -C"
            f" {target.submodule} lerim why {inside}"
        )
    elif target.state == "untracked":
        say(f"{target.path or 'this folder'} was never committed")


def _say_rest(answer: Answer, limit: int, early: str) -> None:
    if answer.cut:
        say(
            "this shallow clone lacks the commits that wrote these lines; to fetch them: git"
            " fetch --unshallow"
        )
    if len(answer.hits) > limit:
        say(f"{counted(len(answer.hits) - limit, 'more memory')}; use -n to see more")
    if early:
        say(early)
    elif not answer.hits:
        say(
            "no memories about this"
            + ("" if any(links for _, links in answer.steps) else ", and no known session wrote it")
        )
