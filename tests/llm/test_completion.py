import json

from hypothesis import given
from hypothesis import strategies as st

from git_lerim.llm.completion import Stream

EVENTS = [
    {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]},
    {"choices": [{"index": 0, "delta": {"content": "Grüße, "}}]},
    {"choices": [{"index": 0, "delta": {"content": "Ada"}, "finish_reason": "stop"}]},
    {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}},
]
STREAMED = (
    "".join(f"data: {json.dumps(event, ensure_ascii=False)}\r\n\r\n" for event in EVENTS).encode()
    + b": ping\n\n"
)
PLAIN = b'{"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}'


def read(raw: bytes, size: int) -> tuple[str, Stream]:
    heard: list[str] = []
    stream = Stream(heard.append)
    for place in range(0, len(raw), size):
        stream.add(raw[place : place + size])
    stream.completion()
    return "".join(heard), stream


@given(st.integers(1, 60))
def test_a_stream_says_the_same_in_whatever_pieces_it_comes(size: int) -> None:
    heard, stream = read(STREAMED + b"data: [DONE]\n\n", size)
    whole = stream.completion()

    assert heard == "Grüße, Ada"
    assert whole is not None
    assert (whole.choices[0].message.content, whole.choices[0].finish_reason) == (
        "Grüße, Ada",
        "stop",
    )
    assert whole.usage is not None
    assert (whole.usage.prompt_tokens, whole.usage.completion_tokens) == (7, 3)


def test_an_answer_in_one_piece_is_understood_too() -> None:
    assert read(PLAIN, 9)[0] == "Hello"


def test_a_stream_without_an_end_is_no_answer() -> None:
    half = STREAMED[: STREAMED.index(b"Ada")]
    heard, stream = read(half, 11)

    assert heard == "Grüße, "
    assert stream.completion() is None


def test_what_is_no_completion_is_no_answer() -> None:
    assert read(b"<html>", 3)[1].completion() is None
