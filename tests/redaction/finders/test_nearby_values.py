import json

import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
PASSWORD = "Wq7Tz" + "mLp39x"


@pytest.mark.parametrize(
    "text",
    [
        '{"value": "{}", "key": "DB_PASSWORD"}',
        '[{"value":"{}","name":"DB_PASSWORD"},{"value":"x","name":"HOST"}]',
        "- value: {}\n  name: DB_PASSWORD\n",
        "default = '{}', name = 'password'\n",
    ],
)
def test_a_value_before_its_name_is_found(text: str) -> None:
    for shown in (text, json.dumps({"output": text})):
        assert PASSWORD not in REDACTOR.redact(shown.replace("{}", PASSWORD))[0]


@pytest.mark.parametrize(
    "text",
    [
        '{"value": "Region-eu2", "key": "password_policy"}',
        '{"value": "${DB_PASSWORD}", "key": "DB_PASSWORD"}',
        '{"value": "https://db2.example.org", "label": "a", "key": "DB_PASSWORD"}',
    ],
)
def test_another_value_before_a_name_stays(text: str) -> None:
    assert REDACTOR.find(text) == []


@pytest.mark.parametrize("quotes", ['"""', "'''"])
@pytest.mark.parametrize("margin", ["", "\n", "\n    "])
def test_a_password_in_triple_quotes_is_found(quotes: str, margin: str) -> None:
    text = f"password = {quotes}{margin}{PASSWORD}{margin}{quotes}"

    for shown in (text, json.dumps({"output": text}), f"+{text}"):
        assert PASSWORD not in REDACTOR.redact(shown)[0]
    assert REDACTOR.find('class Token:\n    """Immutable."""\n') == []
    assert REDACTOR.find('class Password:\n    """Holds 2 words."""\n') == []
