"""Fast path for `git lerim hook AGENT EVENT`: answer an agent's hook without importing click.

It never fails: on any error it exits with 0 and prints nothing. It does nothing in a repository
that never used git-lerim. If the memory has changed since the last brief was prepared, the old
brief is printed, marked as outdated, while a background process prepares the next one.
"""

# ruff: noqa: PTH109, PTH112, PTH116, PTH118, PTH120 pathlib alone would cost more
# than all of this

import os
import sys

from git_lerim import private_files
from git_lerim.agents.hooks import events
from git_lerim.git import fast_repo
from git_lerim.screen import reader

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the cost of importing typing
if TYPE_CHECKING:
    from git_lerim.agents.hooks.payload import Event
    from git_lerim.recall.brief.brief import Pick
    from git_lerim.recall.brief.hook_choice import Source

LARGEST = 4 << 20  # bytes; a larger payload is read and ignored
PATIENCE = 2.0  # seconds without input, after which the input counts as complete
OLD = "The memory has changed since this text was prepared; a new one is on its way."
DEFAULT_BRANCH = "refs/heads/lerim/memory"
_AGAIN = 10  # seconds before another process may prepare a brief


def answer_hook(words: list[str]) -> int | None:
    """Answer an agent's hook and return 0; return None for other calls, such as `--help`."""
    if len(words) != 2 or any(word.startswith("-") for word in words):
        return None
    try:
        os.environ.update(reader.marked(os.environ))
        _open_closed()
        text = _answer(*words)
        if text:
            _write(text)
    except Exception:  # noqa: BLE001, S110 an agent must not suffer from us, whatever happens here
        pass
    return 0


def _answer(agent: str, name: str) -> str:
    if name not in events.MOMENTS.get(agent, ()) or os.environ.get("LERIM_HOOKS") == "0":
        return ""
    raw = _read()
    from git_lerim.agents.hooks import payload  # noqa: PLC0415 rarely needed

    event = payload.read(agent, name, raw)
    if event is None:
        return ""
    if event.cwd and os.path.isdir(event.cwd):
        os.chdir(event.cwd)
    around = fast_repo.find_repo(os.getcwd())
    if around is not None and _never_used(around[2]):
        return ""
    if event.moment in {events.END, events.COMPACTION}:
        from git_lerim.actions.hooks import hook_work  # noqa: PLC0415 rarely needed

        hook_work.start(event.agent, event.session, ended=event.moment == events.END)
        return ""
    return _text_for(event, around)


def _never_used(common: str) -> bool:
    """Return whether a repository never used git-lerim: no branch, no folder, no settings.

    A clone has the branch checked out if it is the remote's default branch: nobody chose that.
    """
    if (
        fast_repo.ref(common, DEFAULT_BRANCH)
        and f"refs/heads/{fast_repo.branch(common)}" != DEFAULT_BRANCH
    ):
        return False
    config = private_files.read_text(os.path.join(common, "config"), private_files.LARGE)
    return not os.path.isdir(os.path.join(common, "lerim")) and "[lerim" not in config


def _text_for(event: "Event", around: tuple[str, str, str] | None) -> str:
    """Return the text for an agent's event, and record its delivery."""
    from git_lerim.actions.hooks import hook_sources  # noqa: PLC0415

    try:
        source = hook_sources.open_source(event, around)
    except BlockingIOError as error:  # said once, at the start of a session
        text = str(error) if event.moment == events.START else ""
        return events.answer(event.agent, event.name, text) if text else ""
    return _compose(event, around, source) if source is not None else ""


def _compose(event: "Event", around: tuple[str, str, str] | None, source: "Source") -> str:
    # imported here to keep the other paths fast
    from git_lerim.recall.brief import brief, delivered, hook_choice, prompt_fence  # noqa: PLC0415
    from git_lerim.recall.local import access_log  # noqa: PLC0415
    from git_lerim.tokens import at_most, counter  # noqa: PLC0415

    path = delivered.path_of(source.folder, event.agent, event.session, event.helper)
    given = delivered.read(path)
    is_late = event.moment == events.PROMPT and event.agent in events.LATE and not given
    picks = _picks(event, around, source, {} if event.moment == events.TASK else given)
    if event.moment == events.TASK:
        delivered.note_task(path, [pick.document for pick in picks])
        return ""
    if is_late and event.prompt:
        picks = [
            *picks,
            *hook_choice.at_start(source, {pick.document.id: pick.document.blob for pick in picks}),
        ]
    begins = is_late or event.moment in {events.START, events.HELPER}
    budget = source.brief_tokens * begins + source.prompt_tokens * (not begins or is_late)
    count = counter(source.model) or at_most
    note = "" if source.is_current or not picks else OLD
    made = brief.compose(picks, budget, prompt_fence.local_key(source.folder), count, note=note)
    if made.picks:
        delivered.note(path, [pick.document for pick in made.picks])
    if not begins:
        access_log.log_shown(source.folder, [pick.document.id for pick in made.picks])
    handoff = _handoff(event, source)
    if source.wants_work or not source.is_current:
        _refresh(source.folder)
    text = made.text + handoff
    if text:
        delivered.log(source.folder, event.agent, event.name, count(text))
    return events.answer(event.agent, event.name, text) if text else ""


def _picks(
    event: "Event", around: tuple[str, str, str] | None, source: "Source", given: dict[str, str]
) -> "list[Pick]":
    from git_lerim.agents.hooks.payload import below  # noqa: PLC0415 keep the other paths fast
    from git_lerim.recall.brief import delivered, hook_choice  # noqa: PLC0415

    if event.moment == events.START:
        picks = hook_choice.at_start(source, given)
        # a session that continues is not filled up again
        return [one for one in picks if not given or not one.spare or one.document.id in given]
    if event.moment == events.HELPER:
        noted = delivered.task(delivered.path_of(source.folder, event.agent, event.session))
        return hook_choice.at_task(source, event.prompt, noted, given)
    if event.moment in {events.PROMPT, events.TASK}:
        return hook_choice.at_prompt(source, event.prompt, given)
    if event.moment == events.FAILURE:
        return hook_choice.at_failure(source, event.error, given) if event.error else []
    if not source.file_notes or around is None:
        return []
    paths = [
        path for one in event.files if (path := below(around[0], event.cwd or os.getcwd(), one))
    ]
    return hook_choice.at_files(source, paths, given)


def _handoff(event: "Event", source: "Source") -> str:
    """Claim the open handoff for a session that starts; return its text, or "" if there is none."""
    if event.moment != events.START or event.source in {"resume", "compact"} or not event.session:
        return ""
    from git_lerim.recall.brief import hook_choice  # noqa: PLC0415 keep the other paths fast

    if not hook_choice.has_open_handoff(source):
        return ""
    from git_lerim.actions.hooks import hook_handoff  # noqa: PLC0415 rarely needed

    return hook_handoff.claim_text(event.agent, event.session)


def _refresh(folder: str) -> None:
    """Prepare the next brief in another process, unless one was started moments ago."""
    import time  # noqa: PLC0415 rarely needed

    from git_lerim.actions.hooks import hook_work  # noqa: PLC0415

    mark = os.path.join(folder, "briefs", "asked")
    try:
        if time.time() - os.stat(mark).st_mtime < _AGAIN:
            return
    except OSError:
        pass
    private_files.make_folders(os.path.dirname(mark))
    os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    hook_work.start("", "", ended=False)


def _open_closed() -> None:
    """Connect closed standard streams to the null device, so that no file takes their numbers."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _read() -> bytes:
    """Return standard input, or nothing if it is a terminal or too large."""
    if os.isatty(0):
        return b""
    import select  # noqa: PLC0415

    parts, size = [], 0
    while os.name != "posix" or select.select([0], [], [], PATIENCE)[0]:
        part = os.read(0, 1 << 16)
        if not part:
            break
        size += len(part)
        if size <= LARGEST:
            parts.append(part)
    return b"".join(parts) if size <= LARGEST else b""


def _write(text: str) -> None:
    """Write to the descriptor of stdout, because flushing Python's stream could fail at exit."""
    data = text.encode("utf-8", "replace")
    while data:
        data = data[os.write(1, data) :]
    if sys.stdout is not None:
        sys.stdout.flush()
