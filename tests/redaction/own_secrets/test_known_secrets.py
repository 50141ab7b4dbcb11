from pathlib import Path

import pytest

from git_lerim.redaction.own_secrets.known_secrets import KnownSecrets
from git_lerim.redaction.own_secrets.secret_sources import KNOWN
from git_lerim.redaction.redactor import Redactor

VALUES = ("vk7mq2xr9tlw4z", "k9#fj!2lqpx", "a/b+c7dd99e==")


def known(folder: Path) -> KnownSecrets:
    found = KnownSecrets(folder)
    found.learn(dict.fromkeys(VALUES, "assignment"), keep=True)
    return KnownSecrets(folder)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("text", ["{}", "start {}, now", "(x={})", "ß {}.", '{{"a":"{}"}}', "İ {}"])
def test_a_known_value_is_found_as_a_whole_word(tmp_path: Path, value: str, text: str) -> None:
    said = text.format(value.upper())

    (found,) = known(tmp_path).find(said)

    assert said[found.start : found.end] == value.upper()
    assert found.rule == "assignment"
    assert value not in (tmp_path / KNOWN).read_text("ascii")


@pytest.mark.parametrize(
    "text", ["xvk7mq2xr9tlw4z", "vk7mq2xr9tlw4z5", "vk7mq2xr9", "k9#fj!2lqpxs"]
)
def test_a_part_of_a_longer_word_is_not_found(tmp_path: Path, text: str) -> None:
    assert known(tmp_path).find(text) == []


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("administrator", "assignment"),
        ("python312", "assignment"),
        ("a1b2c3d", "assignment"),
        ("correct horse 42 battery", "assignment"),
        ("a1" * 101, "assignment"),
        ("abcd-12345", "pattern"),
    ],
)
def test_words_phrases_and_what_a_pattern_finds_are_not_learned(
    tmp_path: Path, value: str, rule: str
) -> None:
    found = KnownSecrets(tmp_path)

    assert not found.learn({value: rule}, keep=True)
    assert found.find(value) == []
    assert not (tmp_path / KNOWN).exists()


def test_two_repositories_have_different_digests(tmp_path: Path) -> None:
    first, second = (known(tmp_path / name) for name in "ab")

    assert first.find(VALUES[0])
    assert second.find(VALUES[0])
    lines = [(tmp_path / name / KNOWN).read_text("ascii").split("\n") for name in "ab"]
    assert not set(lines[0]) & set(lines[1]) - {""}


def test_a_text_that_was_clean_is_searched_again_after_learning(tmp_path: Path) -> None:
    redactor = Redactor().knowing(tmp_path)
    assert redactor.redact(VALUES[0]) == (VALUES[0], [])

    redactor.learn({VALUES[0]: "assignment"}, keep=False)

    assert redactor.redact(VALUES[0])[0] == "[REDACTED:assignment]"
    assert not (tmp_path / KNOWN).exists()


def test_what_the_user_allows_is_not_redacted(tmp_path: Path) -> None:
    known(tmp_path)

    redactor = Redactor(allow=[VALUES[0]]).knowing(tmp_path)

    assert redactor.find(f"{VALUES[0]} or {VALUES[1]}")[0].start > len(VALUES[0])
