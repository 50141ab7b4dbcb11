"""Real sessions in which words were replaced by secrets: none is written anywhere.

The transcripts of the corpus were redacted by those who gave them; so this plants its own, in
commands, paths, outputs and words.
"""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.corpus import corpus
from support.homes import adoptable, at_home, counted

pytestmark = pytest.mark.corpus

BODY = "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6hJ9kL2"
# common words, and what stands in their place; put together here, so that no secret-shaped text
# stands in this file
PLANTED = {
    "README": "ghp" + "_" + BODY[:36],
    "package": "AKIA" + "Q3EGRJ7X2M5TYVWN",
    "internal": "sk-ant" + "-api03-" + BODY,
    "settings": "xoxb" + "-123456789012-" + BODY[:24],
    "feature": "glpat" + "-" + BODY[:20],
    "origin": "npm" + "_" + BODY[:36],
}
WORDS = re.compile(rf"(?<![A-Za-z0-9_-])({'|'.join(PLANTED)})(?![A-Za-z0-9_-])")
COLUMNS = (("message", "data"), ("part", "data"), ("session", "title"), ("cursorDiskKV", "value"))


def planted(text: str | bytes | None) -> str | None:
    """Put secrets in place of words."""
    told = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return WORDS.sub(lambda found: PLANTED[found[0]], told) if told else told


def plant(store: Path) -> None:
    """Put secrets into a copy of an agent's home."""
    for path in [path for path in store.rglob("*") if path.is_file()]:
        path.chmod(0o644)
        if path.suffix in {".json", ".jsonl"}:
            path.write_text(planted(path.read_bytes()) or "", encoding="utf-8")
        elif path.suffix in {".db", ".vscdb"}:
            with closing(sqlite3.connect(path)) as db:
                db.create_function("planted", 1, planted)
                tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
                for table, column in COLUMNS:
                    if table in tables:
                        # four constants
                        db.execute(f"UPDATE {table} SET {column} = planted({column})")  # noqa: S608
                db.commit()


@pytest.mark.parametrize(
    ("agent", "below"),
    [
        ("claude", "claude-code/JanDeDobbeleer+oh-my-posh"),
        ("codex", "codex/Standard-Syntax+basic"),
        ("opencode", "opencode/savekirk+session-bridge"),
        ("cursor", "cursor/lerim-dev+lerim"),
        ("gemini", "gemini-cli/savekirk+session-bridge"),
        ("copilot", "copilot-cli/EntityProcess+agentv"),
        ("pi", "pi/codyborders+yinshi"),
    ],
)
def test_planted_secrets_are_written_nowhere(agent: str, below: str, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(corpus(f"sessions/{below}"), store, copy_function=shutil.copyfile)
    for folder in (store, *store.rglob("*")):
        folder.chmod(0o755)
    plant(store)
    someone = at_home(tmp_path / "person", agent, store, adoptable(counted(agent, store)))

    report = someone.sync("--max-sessions", "10000")

    assert report["redactions"] > 5
    for name, data in someone.written().items():
        survived = [word for word, secret in PLANTED.items() if secret.encode() in data]
        assert survived == [], name
