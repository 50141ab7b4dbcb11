import pytest
from support.memories import memory

from git_lerim.extraction.dropped import DroppedBefore
from git_lerim.memories.memory import Memory, Primitive, Source

OTHER = "a" * 13


def said(
    title: str,
    *records: tuple[int, int],
    id_: str = OTHER,
    part: str | None = None,
    session: str = "s",
) -> Memory:
    source = Source(agent="claude", session=session, part=part, records=records)
    return memory(id=id_, title=title, sources=(source,))


def before(dropped: Memory) -> DroppedBefore:
    return DroppedBefore([dropped], lambda _: "rules/1")


WISH = said("Never push to main directly", (5, 5), id_="b" * 13)


@pytest.mark.parametrize(
    ("extractor", "same"), [("rules/1", False), ("rules/2", True), ("a-model/1", True)]
)
def test_another_extractor_is_known_by_the_evidence_and_the_same_one_by_the_id(
    extractor: str,
    same: bool,  # noqa: FBT001
) -> None:
    found = said("Run the linter before each commit", (5, 5))

    assert before(WISH).has(found, extractor) is same
    assert before(WISH).has(found.having(id=WISH.id), "rules/1")


@pytest.mark.parametrize(
    "found",
    [
        said("Run the linter", (5, 9)), said("Run the linter", (4, 4)),
        said("Run the linter", (5, 5), session="t"),
        said("Run the linter", (5, 5), part="agent-1"), said("Run the linter"),
    ],
)  # fmt: skip
def test_what_rests_on_other_records_is_offered(found: Memory) -> None:
    assert not before(WISH).has(found, "rules/2")


def test_the_same_claim_on_some_of_the_same_records_is_known_whoever_finds_it() -> None:
    assert before(WISH).has(said("Never push to main directly!", (2, 9)), "rules/1")
    assert not before(WISH).has(said("Never push to main directly!", (7, 9)), "rules/1")


@pytest.mark.parametrize("session", ["s", "t"])
def test_the_same_text_is_known_wherever_it_is_said_again(session: str) -> None:
    again = said("Never push to  main directly", (70, 70), session=session)

    assert before(WISH).has(again, "rules/1")
    assert not before(WISH).has(again.having(primitive=Primitive.LEARNING), "rules/1")


def test_a_decision_that_became_a_learning_is_known_by_its_records() -> None:
    found = said("Never push to main directly", (5, 5)).having(primitive=Primitive.LEARNING)

    assert before(WISH).has(found, "rules/2")
