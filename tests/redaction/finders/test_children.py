import json

import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
PASSWORD, OTHER = "Wq7Tz" + "mLp39x", "Kv4Rt" + "YnB82z"


@pytest.mark.parametrize(
    "text",
    [
        "passwords:\n  - {}\n  - [OTHER]",
        "passwords:\n- '{}'\n- '[OTHER]'\nnext: 1",
        "password:\n  production: {}\n  staging: [OTHER]",
        'db:\n  password:  # of each\n    # first\n    production: "{}"\n\n    staging: [OTHER]\n',
        "passwords:\n  bob: {}\n  info:\n    since: 2020\n  ann: [OTHER]",
        '{"passwords": {"bob": "{}", "ann": "[OTHER]"}}',
        "PASSWORDS = {\n    'bob': '{}',\n    'ann': '[OTHER]',\n}",
    ],
)
def test_each_password_below_a_name_is_found(text: str) -> None:
    for shown in (text, json.dumps({"output": text})):
        redacted, _ = REDACTOR.redact(shown.replace("{}", PASSWORD).replace("[OTHER]", OTHER))

        assert PASSWORD not in redacted
        assert OTHER not in redacted


@pytest.mark.parametrize(
    "text",
    [
        "password:\n  min_length: 12\n  algorithm: Argon2id\n  hash: Sha512",
        "password:\n  encoder: argon2id\n  provider: users2",
        "password:\n  type: string\n  format: password2\n  description: At least 8 characters.",
        "password:\n  label: 'Mindestens 8 Zeichen'\n  error: Passwort2",
        "password: null\nversion: v1Beta2",
        "password:\nproduction: v1.Beta2x",
        "passwords:\n  - ${FIRST}\n  - <second>",
        "secrets:\n  - db_password_1\n  - web-key-2",
        '"password": {"type": "string", "minLength": "8"}',
        "const password = {type: String, required: true}",
    ],
)
def test_what_describes_a_password_stays(text: str) -> None:
    assert REDACTOR.find(text) == []
