"""A prompt that holds a sentence which was already in a file of the repository."""

from pathlib import Path

import pytest
from stories.test_prompt_templates import ORDER, OWN, pi
from support.inside import lerim
from support.repos import Repo

BEFORE, AFTER = "2026-02-19T09:00:00Z", "2026-02-21T09:00:00Z"  # the session is of 2026-02-20


def kept(repo: Repo, home: Path, prompt: str, year: str = "2026") -> str:
    pi(home, repo.path, prompt)
    for file in (home / ".pi/agent/sessions").rglob("*.jsonl"):
        file.write_text(file.read_text().replace("2026-02-20", f"{year}-02-20"))
    assert lerim(repo.path, "sync", "--window", "all").code == 0
    return lerim(repo.path, "list").out


@pytest.mark.parametrize(
    "text",
    ["{}", "- {} It is faster.", "${{1:-{}}}", "$9" * 2600 + "{}", '{{"a": "x\\n{}"}}', "\0{}\r\n"],
)
@pytest.mark.parametrize("place", ["commit", "work tree"])
def test_a_sentence_of_a_file_is_not_the_users_wish(
    text: str, place: str, repo: Repo, sealed_world: Path
) -> None:
    if place == "commit":
        files = {"deep/er/notes.txt": text.format(ORDER), ".gitattributes": "* -diff\n"}
        repo.commit(files, when=BEFORE)
        repo.git("rm", "-q", "deep/er/notes.txt")
        repo.git("commit", "-qm", "Drop it", when=AFTER)
        found = kept(repo, sealed_world, f"{ORDER}\n\n{OWN}")
    else:
        (repo.path / "notes.txt").write_text(text.format(ORDER))
        found = kept(repo, sealed_world, f"{ORDER}\n\n{OWN}", year="2099")

    assert "tools/up.sh" not in found
    assert "short sentences" in found


def test_a_wish_that_was_written_down_later_stays_the_users(repo: Repo, sealed_world: Path) -> None:
    repo.commit({"CLAUDE.md": ORDER}, when=AFTER)
    (repo.path / "notes.txt").write_text(ORDER)

    assert "tools/up.sh" in kept(repo, sealed_world, ORDER)
    assert lerim(repo.path, "sync", "--window", "all", "--force").code == 0
    assert "tools/up.sh" in lerim(repo.path, "list").out


@pytest.mark.parametrize("name", ["build/notes.txt", ".lerim/memory/notes.txt"])
def test_ignored_files_and_memories_do_not_count(name: str, repo: Repo, sealed_world: Path) -> None:
    repo.commit({".gitignore": "build\n"}, when=BEFORE)
    (repo.path / name).parent.mkdir(parents=True)
    (repo.path / name).write_text(ORDER)

    assert "tools/up.sh" in kept(repo, sealed_world, ORDER, year="2099")
