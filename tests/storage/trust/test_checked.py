from pathlib import Path

from git_lerim.redaction.redactor import Redactor
from git_lerim.storage.trust import checked

TOKEN = "ghp_" + "R4nd0mQ7w8E2r5T1y6U3i9O0pA4s7D2fG5hJ"


def test_only_texts_with_secrets_are_named_and_only_clean_ones_are_noted(tmp_path: Path) -> None:
    found = checked.opened(tmp_path, {}, tuple, ())
    texts = ["Tests need TZ=UTC.", f"The token is {TOKEN}."]

    for _ in range(2):
        assert found.with_secrets(texts, Redactor) == {texts[1]}
        found.save()

    assert [found.holds(text) for text in texts] == [True, False]
