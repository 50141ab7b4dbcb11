"""A model's verdicts on pairs of memories, as rows of their files."""

from support.memories import memory

from git_lerim.memories.format.frontmatter import parse, render
from git_lerim.memories.merging.compared import Compared, Relation
from git_lerim.memories.merging.merging import merge_same

OTHER = "k3qazb5mrw2fg"


def row(verdict: Relation) -> Compared:
    return Compared(other=OTHER, verdict=verdict)


def test_a_file_holds_the_verdicts_and_one_without_any_has_no_such_line() -> None:
    data = render(memory(compared=(row(Relation.REPLACES),)))

    assert f'compared:\n  - ["{OTHER}", "replaces"]\n'.encode() in data
    assert parse(data).compared == (row(Relation.REPLACES),)
    assert b"compared" not in render(memory())


def test_of_two_verdicts_on_one_pair_the_more_cautious_stays() -> None:
    merged = merge_same(
        memory(compared=(row(Relation.REPLACES),)), memory(compared=(row(Relation.BOTH),))
    )

    assert merged.compared == (row(Relation.BOTH),)
