"""Values are made at run time, so that no secret-shaped string is in this file."""

import random
from string import ascii_letters, ascii_uppercase, digits, hexdigits

import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()


def made(alphabet: str, size: int) -> str:
    source = random.Random(f"{alphabet}{size}")  # noqa: S311 - the same values each time
    return "".join(source.choices(alphabet, k=size - 1)) + "7"


BASE62 = ascii_letters + digits
VALUES = {
    "base64": made(BASE62 + "+/", 40),
    "letters and digits": made(BASE62, 32),
    "short": made(BASE62, 16),
    "small letters": made(ascii_letters[:26] + digits, 32),
    "base32": made(ascii_uppercase + "234567", 24),
    "hexadecimal": made(hexdigits[:16], 64),
    "0x": "0x" + made(hexdigits[:16], 64),
    "groups": "-".join(made(BASE62, 4 + at % 2) for at in range(5)),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize(
    "text",
    [
        "Always use the API key {} for the staging server.",
        "Fund the tests with the deployer private key {}.",
        "Call the metrics server with the token {}, never without it.",
        "The token {} expires in May.",
        "apikey {}",
        "encryption key `{}`",
        "consumer secret {}",
        "The vault unseal key is {} for dev.",
        "The HMAC secret was rotated to {} today.",
        "Der Token {} gilt bis Mai, der Schlüssel liegt daneben.",
        "Le jeton {} expire demain.",
        "Токен {} для сервера.",
    ],
)
def test_a_value_like_no_word_beside_a_word_for_a_secret_is_found(text: str, value: str) -> None:
    redacted, _ = REDACTOR.redact(text.format(value))

    assert value not in redacted
    assert redacted.startswith(text[:6])
    assert redacted.endswith(text.rpartition("{}")[2])


@pytest.mark.parametrize("text", ["Our key is {}.", "Use key {} for staging.", "With the key {},"])
def test_a_key_that_opens_nothing_named_is_found_if_its_value_is_mixed(text: str) -> None:
    assert VALUES["short"] not in REDACTOR.redact(text.format(VALUES["short"]))[0]
    assert REDACTOR.find(text.format(VALUES["hexadecimal"])) == []


@pytest.mark.parametrize("password", ["Winter20" + "26!", "Sommer" + "2024", "let" + "mein99!"])
@pytest.mark.parametrize(
    "text",
    [
        "Log in to staging as admin with password {} before the tests.",
        "user admin, password {}",
        "The password {} works on staging",
        "{} is the password",
        "Use {} as the password.",
        "Das Passwort {} gilt.",
        "le mot de passe {} marche",
    ],
)
def test_a_word_and_a_year_or_digits_and_a_sign_are_a_password(text: str, password: str) -> None:
    if text.startswith(("{}", "Use")) and not password.endswith("!"):
        pytest.skip("a word and a year before its name may be the name of something else")
    assert password not in REDACTOR.redact(text.format(password))[0]


def test_the_password_that_another_one_was_changed_to_is_found() -> None:
    password = "Blue-Otter" + "-77"

    for verb in ("was changed to", "changed to", "has been reset to", "is now set to"):
        redacted, _ = REDACTOR.redact(f"The db password {verb} {password} yesterday.")

        assert redacted == f"The db password {verb} [REDACTED:assignment] yesterday."


@pytest.mark.parametrize(
    "text",
    [
        "The password: set to {}",
        "Admin password: now changed to {}.",
        "The password for staging = reset to {}, as agreed.",
        "password - updated to '{}'",
    ],
)
def test_a_password_that_was_set_after_a_sign_is_found(text: str) -> None:
    for password in ("Hunter2" + "xyz", "hunter2" + "xyz", "Blue-Otter" + "-77"):
        assert REDACTOR.redact(text.format(password))[0] == text.format("[REDACTED:assignment]")


@pytest.mark.parametrize(
    "text",
    [
        "The API key is read from the environment.",
        "Rotate the token every 30 days, and the signing key every 12 months.",
        "The private key format is PKCS8, not PKCS1.",
        "The token bucket holds 100 tokens per second.",
        "Use password-less sudo on the runners.",
        "API_KEY_HEADER is X-Api-Key in every client.",
        "The token limit is 128000 for this model.",
        "The session token expires after 3600 seconds.",
        "Session 0198f3a2-7c41-7d2e-9b1a-5e6f7a8b9c0d counts its tokens twice.",
        "The commit 3f786850e387550fdab836ed7e6dc881de23001b removed the token.",
        "All tests pass in 3f786850e3, and the key test fails in 89e6c98d92.",
        "The cache key 3f786850e387550fdab836ed7e6dc881de23001b is stale.",
        "The primary key is user_id2, the sort key created_at.",
        "The cache key is sha256:" + VALUES["hexadecimal"] + ".",
        "The signing key " + VALUES["hexadecimal"][:40].upper() + " signs the tags.",
        "The signing key is 4AEE18F83AFDEB23 in git config.",
        "The deploy key SHA256:" + VALUES["base64"] + " belongs to CI.",
        "The SSH key AAAAC3NzaC1lZDI1" + VALUES["base64"] + " goes to the server.",
        "The encryption key age1" + VALUES["small letters"] + " is the public one.",
        "The token is a JWT with RS256.",
        "Use the token type Bearer2 in the header.",
        "The API key length is 32 characters.",
        "Store the secret in src/config/secrets2.yaml.",
        "The secret is mounted at /run/secrets/db_password2.",
        "Use secret version v1.29.3 of the chart.",
        "The key claude-sonnet-4-5-20250929 selects the model.",
        "Use the API key variable OPENAI_API_KEY2 instead.",
        "The token claude-3-5-sonnet-20241022 is a model's name.",
        "The access key id and the secret key come from ~/.aws/credentials.",
        "The password hash is PBKDF2 with SHA512!",
        "The password is hashed by Argon2id since 2024.",
        "The password: changed to argon2id, before it was set to PBKDF2.",
        "The password: set to be changed at the first login, reset to default after 5 tries.",
        "The password field in the OAuth2 form is hidden.",
        "Passwords follow NIST SP 800-63B since 2017.",
        "The password was changed to be longer than 12 characters.",
        "The token was reset to its default on 2026-01-05.",
        "The encryption key is AES-256-GCM, derived by HKDF-SHA256.",
        "The HMAC secret rotates on 2026-11-30T10:00:00Z.",
        "The secret santa list of 2024 is in docs/santa-2024.md.",
        "The token 0x7ffee4b8 is an address.",
        "The token ring 802.5 and key exchange X25519 are old.",
        "Das Token läuft nach 30 Tagen ab, der Schlüssel ist ED25519.",
        "La clé est RSA2048, le jeton expire en 2027.",
        "The key point in section 4.2.1 is the pass over pass2_results.",
        "The key Ctrl+Shift+F12 opens the search.",
        "The license key is checked by Keygen4 at start.",
        "Sort by key K2 and then by key name.",
        "The token getUserById2FromCache is a symbol of the parser.",
        "Read the token TestRename/keeps_ids_2 as a name.",
        "The secret projects/acme/secrets/db2/versions/1 is in use.",
        "The key acme/shop#1234 links the issue to the pull request.",
    ],
)
def test_what_is_said_about_secrets_stays(text: str) -> None:
    assert REDACTOR.redact(text) == (text, [])


@pytest.mark.parametrize("password", ["contraYlg" + "Ctj7", "motdepf" + "IZ4SO7", "hgflav" + "yfE"])
@pytest.mark.parametrize(
    "text",
    [
        "Usa siempre la contraseña {} para staging, nunca otra.",
        "Utilise toujours le mot de passe {}, jamais un autre.",
        "Always use the password {} on staging.",
    ],
)
def test_a_mixed_value_right_after_a_word_for_a_password_is_found(text: str, password: str) -> None:
    assert password not in REDACTOR.redact(text.format(password))[0]


@pytest.mark.parametrize(
    "text",
    [
        "The client secret for auth0 should always be {}, never the old one.",
        "The API token must be {}.",
        "My password's {}, always use it.",
        "My password’s {}",
        "The 2FA seed is {}, always use it in tests.",
    ],
)
def test_a_secret_that_a_sentence_gives_is_found(text: str) -> None:
    value = "M4I2QK7" + "GTB5ZX6WD"

    assert value not in REDACTOR.redact(text.format(value))[0]


@pytest.mark.parametrize(
    "text",
    [
        "The client secret should always be rotated.",
        "The key should always be order_id2.",
        "The token must be valid for 30d.",
        "My password's wrong.",
        "My password's 12 characters long.",
        "la contraseña incorrecta",
        "mot de passe oublié",
        "the password Argon2Variant9 hash",
        "The password XmlHttpRequest sends",
        "The password OAuth2Provider modules use it.",
    ],
)
def test_a_sentence_that_gives_no_secret_stays(text: str) -> None:
    assert REDACTOR.find(text) == []
