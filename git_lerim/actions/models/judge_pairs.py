"""Let a model judge pairs of memories, and ask again if its answer cannot be parsed."""

from collections.abc import Callable

from git_lerim.extraction.by_model import compare
from git_lerim.extraction.by_model.answer import Unusable
from git_lerim.extraction.by_model.compare import Judged, Question
from git_lerim.extraction.by_model.prompt import repair_json
from git_lerim.llm.base import Answer

Ask = Callable[[list[tuple[str, str]], dict[str, object]], Answer]  # takes messages and schema


def judge_pairs(question: Question, ask: Ask) -> tuple[list[Judged], list[str]]:
    """Ask for verdicts on pairs; return them, and pairs in the answer that were not asked about.

    Raises Unusable if the second answer cannot be parsed either, and whatever `ask` raises.
    """
    messages, schema = question.messages(), compare.schema()
    first = ask(messages, schema)
    try:
        return question.read(first.text, is_cut=first.is_cut)
    except Unusable as fault:
        repair = [("assistant", first.text), ("user", repair_json(fault))]
        second = ask([*messages, *repair], schema)
        return question.read(second.text, is_cut=second.is_cut)
