"""Values are made at run time, so that no secret-shaped string is in this file."""

import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
CHOSEN = ("Sommer" + "2024!", "zebra-lamp" + "-41", "Regen!" + "Bogen", "Kanne" + "#5")
RANDOM = ("8fK2mQ9x" + "Zr4T", "d83jfk20sl" + "qp57zm", "K3Y-77af" + "-91bc-02de")


@pytest.mark.parametrize("value", CHOSEN)
@pytest.mark.parametrize(
    "text",
    [
        "credentials:\n- admin {}\n- guest {}\nThen restart it.",
        "Logins for the test systems:\n1. crm: mia / {}\n2. erp: mia / {}",
        "Passwords:\n* db - {}\n* cache - {}",
        "**Accounts:**\n\n- root = {}\n- ops → `{}`",
        "Here are the credentials you asked for\n\nweb01: {}\nweb02: {}",
        "Zugangsdaten:\n- admin: {}\n- Gast: {}",
        "Voici les identifiants :\n- admin : {}\n- invité : {}",
        "пароли:\n- база {}\n- почта {}",
        "密码如下：\n账号：\n- root {}\n- ops {}",
    ],
)
def test_each_password_in_a_list_that_is_announced_is_found(text: str, value: str) -> None:
    redacted, found = REDACTOR.redact(text.replace("{}", value))

    assert value not in redacted
    assert len(found) == 2
    assert redacted.splitlines()[0] == text.splitlines()[0]


@pytest.mark.parametrize("value", RANDOM)
@pytest.mark.parametrize(
    "text",
    [
        "I need you to use these:\n- staging: {}\n- prod: {}",
        "here are the keys:\n- {}\n- {}",
        "These are the API keys you asked for\n\nstripe: {}\nmailgun: {}",
        "Use these tokens for CI:\n  - {}\n  - {}",
        "The secrets are:\n• signing – {}\n• webhook – {}",
    ],
)
def test_each_key_in_a_list_that_is_announced_is_found(text: str, value: str) -> None:
    redacted, found = REDACTOR.redact(text.replace("{}", value))

    assert value not in redacted
    assert len(found) == 2


@pytest.mark.parametrize(
    "text",
    [
        "I need you to use these:\n- src/auth/login.ts\n- src/auth/session-v2.ts",
        "Use these versions:\n- node: 20.11.1\n- pnpm: 9.1.0",
        "We need these:\n- staging: web-node-18\n- prod: web-node-22",
        "here are the keys:\n- user_id\n- created_at\n- order-item-2",
        "Config keys:\n- cache.ttl = 300s\n- cache.region = eu-west-1",
        "Tokens:\n- INDENT\n- NUMBER_2",
        "Design tokens:\n- primary: #1a2b3c\n- radius: 8px\n- blue-500",
        "Credentials:\n- stored in ~/.aws/credentials\n- read by boto3 at start\n- never logged!",
        "Accounts:\n- checking #1234\n- savings #5678",
        "Passwords:\n- must have 12+ characters\n- must not be reused!\n- use argon2id",
        "Logins:\n- Google OAuth2\n- GitHub SSO\n- email/password",
        "Cache keys:\n- 9f86d081884c7d65" + "9a2feaa0c55ad015",
        "Commits with the token fix:\n- 4f8152c6\n- 4798b5ba1c",
        "Issue keys:\n- PROJ-123\n- AUTH-77\n- login-rework-12",
        "Check these files for the token:\n- tests/test_auth2.py\n- docs/login-2.md",
    ],
)
def test_a_list_of_other_things_stays(text: str) -> None:
    assert REDACTOR.find(text) == []
