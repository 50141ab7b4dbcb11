import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()


def test_a_name_with_a_number_after_the_word_for_a_password_stays_in_prose() -> None:
    for text in (
        "password Python3 modules",
        "password OAuth2, which we use",
        "- password Web3 of it",
    ):
        assert REDACTOR.find(text) == []


@pytest.mark.parametrize(
    "text",
    ["password {}", "user bob\npassword {}\nhost a", "> password {}", "password {} # of bob"],
)
@pytest.mark.parametrize("password", ["Python" + "3", "tr0ub" + "4dor", "Winter" + "2024"])
def test_a_password_after_its_name_alone_in_a_line_is_found(text: str, password: str) -> None:
    assert password not in REDACTOR.redact(text.format(password))[0]
