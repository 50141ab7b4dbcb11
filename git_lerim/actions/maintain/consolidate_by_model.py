"""Let the model replace several small memories on one subject with a single memory.

Memories form a group if they share words and files; the model is asked about each group only once.
People's own words, and what they edited or protected, are left alone. If the model fails, nothing
is consolidated.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from git_lerim.actions.maintain.maintain_model import NEAR
from git_lerim.actions.models import model_answers
from git_lerim.actions.models.asking import Asking, size_of
from git_lerim.errors import BadMemory, ModelFailed
from git_lerim.extraction.by_model import consolidate
from git_lerim.extraction.by_model.answer import Unusable
from git_lerim.extraction.by_model.consolidate import LEAST, Question, Written
from git_lerim.extraction.by_model.neighbours import neighbours
from git_lerim.extraction.by_model.prompt import repair_json
from git_lerim.extraction.prompt_version import CONSOLIDATE_VERSION
from git_lerim.llm.base import Answer
from git_lerim.memories.checks import lint_rules
from git_lerim.memories.checks.gate import gated
from git_lerim.memories.checks.prompt_injection import suspicion
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Kind, Memory, Origin, Status
from git_lerim.memories.merging.compared import Comparisons
from git_lerim.tokens import counted
from git_lerim.upkeep.consolidation import superseded, united
from git_lerim.upkeep.eligible import may_change
from git_lerim.upkeep.steps import Step
from git_lerim.workspace import Workspace

MOST = 8  # memories of one group
_SMALL = 600  # characters of a memory that may become part of another one
_PERSONS = {Origin.HUMAN, Origin.ANSWER}

Group = tuple[Memory, ...]


class Consolidating:
    """One run in which a model replaces each group of memories with a single memory."""

    def __init__(self, ws: Workspace, asking: Asking) -> None:
        self._ws = ws
        self._asking = asking
        self.trouble = ""  # why some groups were not decided

    def steps(self, memories: Mapping[str, Memory]) -> Iterator[Step]:
        """Yield a step for each group that the model combined into one memory."""
        with model_answers.opened(self._ws) as answers:
            for group in groups(memories):
                question = _key(group)
                if answers.was_asked(question):
                    continue
                try:
                    written = write(self._ws, self._asking, group)
                except ModelFailed as error:
                    self.trouble = f"not all groups of memories were consolidated: {error}"
                    return
                except Unusable as error:
                    self.trouble = f"{counted(len(group), 'memory')} not combined: {error}"
                    written = None
                answers.note_asked(question)
                if written and (step := self._step(group, written, memories)):
                    yield step

    def _step(self, group: Group, written: Written, memories: Mapping[str, Memory]) -> Step | None:
        """Return the step that replaces a group of memories with the one that the model wrote.

        Return None if the new memory is unacceptable or already exists.
        """
        parts = [memory for memory in group if memory.id in written.ids]
        new = united(
            parts,
            (written.title, written.body),
            writer="",
            origin=Origin.MODEL,
            now=self._ws.now.replace(microsecond=0),
        )
        new, _ = gated(new, self._ws.redactor)
        if new.id in memories or not _is_acceptable(new, parts):
            return None
        return Step(
            operation="consolidate",
            summary=f"consolidate {counted(len(parts), 'memory')}: {new.title}",
            memories=tuple(superseded(part, new) for part in parts),
            added=(new,),
            reasons=(written.reason or "they are about one subject",),
            model=self._asking.name,
        )


def groups(memories: Mapping[str, Memory]) -> list[Group]:
    """Return disjoint groups of small, similar memories of the same type."""
    small = [memory for memory in memories.values() if _may_join(memory)]
    known = Comparisons(memories.values())
    near: dict[str, dict[str, float]] = defaultdict(dict)
    for like, one, other in neighbours(small, small, least=NEAR):
        earlier, later = sorted((one, other), key=lambda memory: (memory.created, memory.id))
        if _sort(one) == _sort(other) and not known.opposed(later, earlier):
            near[one.id][other.id] = near[other.id][one.id] = like
    found: list[Group] = []
    taken: set[str] = set()
    for id_ in sorted(near, key=lambda each: (-len(near[each]), each)):
        others = sorted(near[id_].keys() - taken, key=lambda each: (-near[id_][each], each))
        if id_ in taken or len(others) + 1 < LEAST:
            continue
        ids = [id_, *others[: MOST - 1]]
        taken.update(ids)
        found.append(tuple(sorted((memories[each] for each in ids), key=_when)))
    return found


def estimate(ws: Workspace, found: Sequence[Group]) -> list[int]:
    """Estimate the tokens of each request about a group, without sending any request."""
    if model_answers.exist(ws):
        with model_answers.opened(ws) as answers:
            found = [group for group in found if not answers.was_asked(_key(group))]
    return [size_of(_question(ws, group).messages()) for group in found]


def _question(ws: Workspace, group: Sequence[Memory], *, needs_all: bool = False) -> Question:
    return Question([gated(memory, ws.redactor)[0] for memory in group], needs_all=needs_all)


def write(
    ws: Workspace, asking: Asking, group: Sequence[Memory], *, needs_all: bool = False
) -> Written | None:
    """Let the model write one memory for a group; return None if it keeps the memories separate.

    Raises ModelFailed, Unusable.
    """
    question = _question(ws, group, needs_all=needs_all)

    def read(answer: Answer, _: bool) -> Written | None:  # noqa: FBT001 as Asking calls it
        return question.read(answer.text, is_cut=answer.is_cut)

    return asking.ask_checked(question.messages(), consolidate.schema(), read, repair_json)


def written_by_model(
    ws: Workspace, parts: Sequence[Memory], say: Callable[[str], None]
) -> tuple[str, str, str] | None:
    """Let the model draft one memory from those that a person chose.

    Return the draft's title and body, and the model's name. On failure, tell the user and return
    None.
    """
    try:
        asking = Asking(ws, "maintain", CONSOLIDATE_VERSION)
        try:
            found = write(ws, asking, parts, needs_all=True)
        finally:
            asking.count()
    except (ModelFailed, Unusable) as error:
        say(f"the model wrote no draft, so the old texts are joined: {error}")
        return None
    return (found.title, found.body, asking.name) if found else None


def _may_join(memory: Memory) -> bool:
    is_small = len(memory.title) + len(memory.body) <= _SMALL
    is_own = memory.origin in _PERSONS or memory.kind is Kind.PREFERENCE
    return memory.status is Status.ACTIVE and may_change(memory) and is_small and not is_own


def _sort(memory: Memory) -> tuple[object, ...]:
    return memory.primitive, memory.kind


def _when(memory: Memory) -> tuple[object, str]:
    return memory.created, memory.id


def _key(group: Group) -> str:
    texts = (text for memory in group for text in (memory.id, memory.title, memory.body))
    return model_answers.question_key("consolidate", str(CONSOLIDATE_VERSION), *texts)


def _is_acceptable(new: Memory, parts: Sequence[Memory]) -> bool:
    """Return whether a memory is valid and gives no orders that the old memories did not give."""
    before = "\n".join(f"{part.title}\n{part.body}" for part in parts)
    if suspicion(f"{new.title}\n{new.body}", heard="") and not suspicion(before, heard=""):
        return False
    try:
        frontmatter.render(new)
    except BadMemory:
        return False
    return not any(lint_rules.check_memory(new))
