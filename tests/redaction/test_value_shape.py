import random
import string
from time import process_time

import pytest

from git_lerim.redaction.redactor import Redactor
from git_lerim.redaction.value_shape import is_code, is_mixed, is_random, is_worded

ALPHABETS = {
    "letters and digits": string.ascii_letters + string.digits,
    "small letters and digits": string.ascii_lowercase + string.digits,
    "letters": string.ascii_letters,
    "hexadecimal": "0123456789abcdef",
    "base64": string.ascii_letters + string.digits + "-_",
}


@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS)
@pytest.mark.parametrize("size", [16, 20, 32, 48])
def test_random_values_are_told_from_names(alphabet: str, size: int) -> None:
    source = random.Random(size)  # noqa: S311 - the same values each time
    values = ["".join(source.choices(alphabet, k=size)) for _ in range(1000)]

    assert sum(map(is_random, values)) >= 980


@pytest.mark.parametrize(
    "value",
    [
        "Uint8Array",
        "folderNode.ipnsPrivateKey",
        "Claude/Codex/Cursor",
        "Cross-folder",
        "payload.APIKey",
        "process.execPath",
        "Sha256",
        "X25519PublicKey",
        "hashlib.pbkdf2_hmac",
        "Vec::new()",
        "&self.key",
        "7.1.3",
        "0.82",
        "2024-05-13",
        "34:export",
        "src/app/main.py:191",
        "refs/heads/add-token-usage",
        "origin/someone/add-token-usage",
        "**PASS**",
        "getByAgentType()",
        "user?.token",
        "string",
        "required.",
        "${PASSWORD}",
        "temp_${email}",
        "10px",
    ],
)
def test_code_and_words_are_no_values(value: str) -> None:
    assert is_code(value)
    assert not is_random(value)


def test_names_are_worded() -> None:
    for name in (
        "readTokenFromHeader",
        "test_the_second_sync_is_quick",
        "CONNECTION_POOL_SIZE",
        "claude-3-5-sonnet-20241022",
    ):
        assert is_worded(name)


def test_a_row_of_open_brackets_is_judged_at_once() -> None:
    assert not is_code("x" + "[a.B" * 200 + "-1")


@pytest.mark.parametrize("run", ["a", "A", "V", "1"])
def test_a_value_with_a_long_run_of_one_character_is_judged_fast(run: str) -> None:
    began = process_time()

    for end in "aA1_":
        Redactor().find(f"https://example.org/?key=1{run * 60}{end}")
        is_mixed(f"x1{run * 60}{end}")
    assert process_time() - began < 1
