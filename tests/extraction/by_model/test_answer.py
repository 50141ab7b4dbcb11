import pytest
from support.costs import grows_evenly

from git_lerim.extraction.by_model import answer

THOUGHTS = 'The schema wants {"memories": [{"title"}]}, or ```json {} ```. Wait, {"a": 1}?'
JSON = '{"memories": []}'


@pytest.mark.parametrize(
    "text",
    [
        JSON,
        f"<think>{THOUGHTS}</think>\n{JSON}",
        f"\n<think>\n{THOUGHTS}\n</think>\n\n```json\n{JSON}\n```",
        f"{THOUGHTS}\n</think>\nHere it is: {JSON}",
    ],
)
def test_the_json_is_found_after_thoughts_that_hold_braces(text: str) -> None:
    assert answer.read(text, is_cut=False).memories == []


def test_a_tag_inside_the_json_is_part_of_it() -> None:
    text = '{"intent": "Strip </think> from answers", "memories": []}'

    assert answer.read(text, is_cut=False).intent == "Strip </think> from answers"


def test_thoughts_without_an_answer_are_refused() -> None:
    with pytest.raises(answer.Unusable, match="cut off"):
        answer.read(f"<think>{THOUGHTS}", is_cut=True)


@pytest.mark.parametrize("unit", ["[", "Well, wait. ", "```\n\n", "<think>"])
def test_a_long_answer_without_json_costs_time_in_proportion(unit: str) -> None:
    def refused(times: int) -> None:
        with pytest.raises(answer.Unusable):
            answer.read(unit * times, is_cut=False)

    assert grows_evenly(refused, 20_000)
