import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
PASSWORD = "GB3L85QP" + "NOLcnb"


@pytest.mark.parametrize("password", [PASSWORD, "Sommer" + "2024!"])
@pytest.mark.parametrize(
    "call",
    [
        "smtp.login('bot@x.io', '{}')",
        'client.login("admin", "{}")',
        "login(username='admin', password='{}')",
        "requests.get(url, auth=('admin', '{}'))",
        "auth=HTTPBasicAuth('admin', '{}')",
        "auth = aiohttp.BasicAuth('admin', '{}')",
        'authenticate("admin",\n    "{}")',
        "net use z: \\\\server\\share {} /user:bob",
    ],
)
def test_the_password_in_a_call_that_logs_in_is_found(call: str, password: str) -> None:
    assert password not in REDACTOR.redact(call.format(password))[0]


@pytest.mark.parametrize(
    "text",
    [
        "recovery code: {}-{}-{}",
        "The recovery codes are {}, {}, {}.",
        "backup codes: {} {} {}",
        "TOTP seed {}{}{}",
        "The SNMP community string is {}{}{} for the switch.",
    ],
)
def test_codes_and_seeds_are_found(text: str) -> None:
    codes = ["8f3k9d" + "2m", "1q7z" + "9x8c", "7d6s" + "5a4f"]

    redacted, _ = REDACTOR.redact(text.format(*codes))

    assert not [code for code in codes if code in redacted]


def test_the_private_part_of_an_rsa_key_value_is_found() -> None:
    part = "kEgAXOw4Nx4IjJ4QqpOpl76jSR" + "lqBFOCTplA9Hc3jlVYxLmaXs7n2T9zNMN5"

    redacted, _ = REDACTOR.redact(f"<RSAKeyValue><D>{part}</D></RSAKeyValue>")

    assert redacted == "<RSAKeyValue><D>[REDACTED:private-key]</D></RSAKeyValue>"


@pytest.mark.parametrize("text", ["The community string is {}.", "community string {} for it"])
def test_a_community_string_may_be_a_word_and_a_digit(text: str) -> None:
    word = "moni" + "tor1"

    assert word not in REDACTOR.redact(text.format(word))[0]


@pytest.mark.parametrize(
    "text",
    [
        "Call login('user', 'password') in the tests.",
        "auth=(user, password) is passed to requests.get.",
        'Call client.login(username, os.environ["PW2"]) first.',
        "auth=('user', 'pass') is an example.",
        "login('admin', 'dashboard')",
        "auth=('token', env.TOKEN2)",
        "The recovery code path is in auth/recovery2.py.",
        "The backup code runs at 02:30 each night.",
        "the backup code python3 script, the recovery code node18 worker",
        "The TOTP seed is shown once in step2.",
        "The community string is set by snmp-v2c.",
        "<p>Some_words_in_a_paragraph_without_any_spaces_at_all</p>",
    ],
)
def test_calls_and_codes_without_a_secret_stay(text: str) -> None:
    assert REDACTOR.redact(text) == (text, [])
