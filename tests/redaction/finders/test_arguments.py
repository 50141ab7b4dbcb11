import json

import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
PASSWORD = "Wq7Tz" + "mLp39x"


@pytest.mark.parametrize(
    "text",
    [
        'assert check_password("{}")',
        "user.set_password('{}')",
        'client.password("{}").build()',
        'builder.withPassword(\n    "{}")',
        'authenticateWithPassword("{}", user)',
        'assert make_password(b"{}", "bcrypt")',
        'parser.add_argument("--password", default="{}")',
        'parser.add_argument("-p", "--db-password", type=str, help="of the db (x)", default="{}")',
        'parser.add_argument(\n    "--password",\n    default="{}",\n)',
        "@click.option('--password', default='{}')",
        'expect "assword:"\nsend "{}\\r"',
        'expect "*?assword:*" {\n  send -- "{}\\r"\n}',
        'child.expect("[Pp]assword: ")\nchild.sendline("{}")',
    ],
)
def test_a_password_in_an_argument_is_found(text: str) -> None:
    for shown in (text, json.dumps({"output": text})):
        assert PASSWORD not in REDACTOR.redact(shown.replace("{}", PASSWORD))[0]


@pytest.mark.parametrize(
    "text",
    [
        'get_password("db-prod-2")',
        'prompt_password("Password 2")',
        'check_password("wrong-password")',
        'set_password_policy("Strong2Policy")',
        'setPasswordHash("argon2id")',
        "check_password(user.password2)",
        'parser.add_argument("--password", help="x2")\nf("-x", default="Ab12cd")',
        'parser.add_argument("--password-file", default="Pw2.txt")',
        'parser.add_argument("--password", default="")',
        'parser.add_argument("--token-limit", default="4096x")',
        'expect "assword:"\nsend "$password\\r"',
        'expect "assword:"\nsend_user "Wrong2 times"',
    ],
)
def test_arguments_without_a_password_stay(text: str) -> None:
    assert REDACTOR.find(text) == []
