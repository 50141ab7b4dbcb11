"""Ask the configured model whether memories about changed code are still true.

A verdict belongs to one wording of a memory and one change to its code, and is stored beside the
index. It does not change the memory: if the model finds a memory outdated or untrue, a change is
proposed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from git_lerim.actions.code import anchor_verdicts, freshness, visibility
from git_lerim.actions.code.freshness import ModelVerdict
from git_lerim.actions.models import model_answers
from git_lerim.actions.models.asking import Asking, size_of
from git_lerim.actions.models.model_answers import Key, ModelAnswers
from git_lerim.errors import Busy, ModelFailed, NewerFormat, ReadOnly
from git_lerim.extraction.by_model import still_true
from git_lerim.extraction.by_model.answer import Unusable
from git_lerim.extraction.by_model.still_true import Case, Judged, Question, Shown
from git_lerim.extraction.prompt_version import STILL_TRUE_VERSION
from git_lerim.llm.base import Answer
from git_lerim.memories.checks.gate import gated
from git_lerim.recall.fast import list_cache
from git_lerim.redaction.paths import is_ignored
from git_lerim.storage.base import Stored
from git_lerim.tokens import clip, counted, printable
from git_lerim.upkeep.freshness.code_changes import CodeChange, changed_by
from git_lerim.upkeep.freshness.snapshot import Snapshot
from git_lerim.workspace import Workspace

MOST = 60  # memories of one run
FEW = 30  # memories to look up one by one; for more, read the store once
_CODE = 8_000  # characters shown of one change
_NAME = 60  # characters of a model's name
_FAILED = "its answer did not pass the checks"

Say = Callable[[str], None]
IsWanted = Callable[[Sequence[str]], bool]  # takes the old and new paths of a memory's code


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A memory about changed code, with the changes and the key for a model's verdict."""

    item: Stored
    key: Key
    changes: tuple[CodeChange, ...]
    is_stale: bool  # judged by its words, without a model


@dataclass(slots=True, kw_only=True)
class Asked:
    """The result of asking a model: its verdicts, and the number of memories without one."""

    judged: list[tuple[Changed, ModelVerdict]] = field(default_factory=list)  # now or before
    left: int = 0  # memories without a verdict
    trouble: str = ""  # why they have none


def ask_model(ws: Workspace, head: str, is_wanted: IsWanted, say: Say) -> Asked:
    """Return verdicts on memories about changed code, asking the model for any not yet stored.

    Stale memories come first, then those whose code changed most. Raises BadSetting.
    """
    found = changed_memories(ws, head, is_wanted)
    asked = Asked()
    if not found:
        return asked
    try:
        with model_answers.opened(ws) as answers:
            known = [(each, answers.verdict(each.key)) for each in found]
            asked.judged = [(each, verdict) for each, verdict in known if verdict]
            waiting = [each for each, verdict in known if verdict is None]
            if waiting:
                _Run(ws, head, answers, asked).ask(waiting, say)
    except (Busy, NewerFormat, ReadOnly) as error:  # do not pay for verdicts that cannot be stored
        asked.left, asked.trouble = len(found) - len(asked.judged), str(error)
    return asked


def changed_memories(ws: Workspace, head: str, is_wanted: IsWanted) -> list[Changed]:
    """Return the memories about code that has changed, the most doubtful first."""
    doubtful = {id_: one for id_, one in freshness.of_all(ws, head).items() if _is_doubtful(one)}
    away = visibility.hidden_ids(ws) if doubtful else {}
    served = ws.store.served().memories if doubtful else {}
    if len(doubtful) > FEW:
        served = {item.memory.id: item for item in served.values()}
    items = [served[id_] for id_ in doubtful if id_ in served and id_ not in away]
    changes = anchor_verdicts.changes_at(ws, head, items) if items else {}
    found = [
        Changed(
            item=item,
            key=model_answers.key_of(item.memory.title, item.memory.body, changes[item.blob]),
            changes=changes[item.blob],
            is_stale=_is_stale(doubtful[item.memory.id]),
        )
        for item in items
        if (paths := _paths(changes[item.blob])) and is_wanted(paths) and not _is_private(ws, paths)
    ]
    return sorted(found, key=lambda each: (not each.is_stale, _left(each), each.item.memory.id))


def _is_doubtful(standing: freshness.CachedVerdict) -> bool:
    return bool(standing.cause) or not {"changed", "gone", "moved"}.isdisjoint(standing.anchors)


def _is_stale(standing: freshness.CachedVerdict) -> bool:
    cause = freshness.cause_of(standing)
    return cause is not None and cause.by_words


def _paths(changes: Sequence[CodeChange]) -> list[str]:
    return [path for each in changes for path in (each.path, each.now)]


def _is_private(ws: Workspace, paths: Sequence[str]) -> bool:
    return any(is_ignored(path, ws.settings["ignorePath"]) for path in paths)


def _left(changed: Changed) -> float:
    return min(each.left for each in changed.changes)


class _Run:
    """One run that asks the model about memories and stores its verdicts."""

    def __init__(self, ws: Workspace, head: str, answers: ModelAnswers, asked: Asked) -> None:
        self._ws = ws
        self._head = head
        self._answers = answers
        self._asked = asked

    def ask(self, waiting: Sequence[Changed], say: Say) -> None:
        """Ask about the waiting memories, up to a limit, until the model fails."""
        by_id = {each.item.memory.id: each for each in waiting}
        questions = still_true.batches([self._case(each) for each in waiting[:MOST]])
        self._asked.left = len(waiting)
        if len(waiting) > MOST:
            self._asked.trouble = f"asked about only {MOST}; run this again for the rest"
        try:
            asking = Asking(self._ws, "stale", STILL_TRUE_VERSION)
        except ModelFailed as error:
            self._asked.trouble = str(error)
            return
        size = sum(size_of(each.messages()) for each in questions)
        what = f"{counted(len(waiting[:MOST]), 'memory')} and the changes to their code"
        asking.announce(what, size, say)
        try:
            for question in questions:
                judged = self._judged(asking, question)
                self._keep(asking.name, [(by_id[one.id], one) for one in judged])
        except (ModelFailed, Unusable) as error:
            self._asked.trouble = str(error)
        finally:
            asking.count()

    def _case(self, changed: Changed) -> Case:
        """Return what the model is shown about a memory, without secrets."""
        memory, _ = gated(changed.item.memory, self._ws.redactor)
        code = tuple(
            Shown(path=each.path, now=each.now, lines=each.lines, diff=self._clean(each.diff))
            for each in changed.changes
        )
        return Case(
            id=memory.id,
            title=memory.title,
            body=memory.body,
            day=f"{memory.created:%Y-%m-%d}",
            code=code,
        )

    def _clean(self, text: str) -> str:
        """Return code without secrets, cut at the end of a line if it is long."""
        text = self._ws.redactor.redact(text)[0]
        return text if len(text) <= _CODE else text[:_CODE].rpartition("\n")[0] or text[:_CODE]

    def _judged(self, asking: Asking, question: Question) -> list[Judged]:
        """Ask a question; return a verdict on each memory, "unsure" without a valid answer."""

        def read(answer: Answer, is_last: bool) -> list[Judged]:  # noqa: FBT001 as Asking calls it
            reading = question.read if is_last else question.read_strictly
            return reading(answer.text, is_cut=answer.is_cut)

        found = asking.ask_checked(
            question.messages(), still_true.schema(), read, still_true.repair
        )
        known = {one.id for one in found}
        unsure = still_true.Verdict.UNSURE
        return found + [
            Judged(id=case.id, verdict=unsure, reason=_FAILED)
            for case in question.cases
            if case.id not in known
        ]

    def _keep(self, name: str, judged: Sequence[tuple[Changed, Judged]]) -> None:
        """Store verdicts, so that every command shows them."""
        kept = list(self._verdicts(name, judged))
        self._answers.keep([(each.key, verdict) for each, verdict in kept])
        anchor_verdicts.drop(self._ws, [each.item.blob for each, _ in kept])
        list_cache.drop(str(self._ws.place.common_dir))
        self._asked.judged += kept
        self._asked.left -= len(kept)

    def _verdicts(
        self, name: str, judged: Sequence[tuple[Changed, Judged]]
    ) -> Iterator[tuple[Changed, ModelVerdict]]:
        code = Snapshot(self._ws.place, self._ws.code.objects, self._head)
        name = clip(" ".join(printable(name).split()), _NAME)
        for changed, one in judged:
            is_bad = one.verdict in {still_true.Verdict.OUTDATED, still_true.Verdict.UNTRUE}
            since = next(filter(None, changed_by(code, changed.changes)), "") if is_bad else ""
            texts = {
                name: self._ws.redactor.redact(getattr(one, name))[0]
                for name in ("reason", "quote", "title", "body")
            }
            verdict = ModelVerdict(model=name, verdict=one.verdict.value, since=since, **texts)
            yield changed, verdict
