import pytest
from support.costs import grows_evenly

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
BODY = "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6hJ9kL2"


@pytest.mark.parametrize("digits", ["12345678", "6123456789"])
@pytest.mark.parametrize(
    "text",
    [
        "https://api.telegram.org/bot{}/getMe",
        "https://api.telegram.org/file/bot{}/photos/1.jpg",
        "POST /bot{}/sendMessage HTTP/1.1",
        "TOKEN {}",
    ],
)
def test_the_token_of_a_telegram_bot_is_found(text: str, digits: str) -> None:
    token = f"{digits}:AA{BODY[:33]}"

    redacted, _ = REDACTOR.redact(text.format(token))

    assert redacted == text.format("[REDACTED:telegram]")


@pytest.mark.parametrize(
    "text", [f"robot6123456789:AA{BODY[:33]}", f"/bot61:AA{BODY[:33]}", "/bot6123456789:AAx/getMe"]
)
def test_what_only_resembles_the_token_of_a_telegram_bot_stays(text: str) -> None:
    assert REDACTOR.find(text) == []


def test_a_token_of_several_thousand_characters_is_redacted_to_its_end() -> None:
    token = "fm2_" + "lJPECAAAxB9k" * 300

    assert Redactor().redact(f"FLY={token} done")[0].endswith("] done")
    assert "lJPECAAA" not in Redactor().redact(f"x {token} done")[0]


@pytest.mark.parametrize("words", ["copy", "insert into"])
def test_a_long_name_of_a_table_costs_time_in_proportion(words: str) -> None:
    def read(size: int) -> None:
        REDACTOR.redact(f"{words} {'a' * size}%3D there.\n\n" * 300)

    assert grows_evenly(read, 16)


@pytest.mark.parametrize(
    "key",
    ["ABCDE-FGHIJ-" + "K2B3C-4D5E6", "7KQ2-W9XD-" + "MM4T-2ZPA", "FGHIJ-" + "CEH79-CJGGA-ABCDE"],
)
def test_a_license_key_is_found(key: str) -> None:
    redacted, _ = REDACTOR.redact(f"Always activate with {key}, never the trial.")

    assert redacted == "Always activate with [REDACTED:license-key], never the trial."


@pytest.mark.parametrize(
    "text",
    [
        "AAAA-BBBB-CCCC-DDDD",
        "1234-5678-9012-3456",
        "2024-2025-2026-ABCG",
        "MODEL-ABC12-DEF34",
        "TEST-CASE-NAME-2024",
        "ISO-IEC-27001-2022",
        "3F2A-9C1D-4B5E-6F70",
        "123E4567-E89B-12D3-A456-426614174000",
    ],
)
def test_groups_that_are_no_license_key_stay(text: str) -> None:
    assert REDACTOR.find(text) == []
