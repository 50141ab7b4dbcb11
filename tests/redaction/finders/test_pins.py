import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
PIN = "4829" + "13"


@pytest.mark.parametrize(
    "text",
    [
        "Always enter the pin {} at the door.",
        "The pin of the safe is {}",
        "My PIN is {}, never write it down.",
        "Die PIN lautet {}.",
        "The PIN code for the alarm was {} until May.",
        "unlock it with PIN {}",
    ],
)
def test_a_number_that_a_sentence_calls_a_pin_is_found(text: str) -> None:
    assert REDACTOR.redact(text.format(PIN))[0] == text.format("[REDACTED:pin]")


@pytest.mark.parametrize(
    "text",
    [
        "Pin 482913 is old, we pin 482913 of them.",
        "The pin 17 of the GPIO header is high.",
        "The pin 4829 threads use.",
        "The pin is 482913 bytes long.",
        "The pin of numpy is 1.26.4829, the pin of the image is 20240101.",
        "The pin 2024 is a year, the pin 1234 an example, the pin 0000 too.",
        "The pin to 482913 is gone; spin 482913, the pinned 482913.",
        "The pin has 4829 holes and is 4829mm long.",
    ],
)
def test_other_numbers_beside_pin_stay(text: str) -> None:
    assert REDACTOR.find(text) == []
