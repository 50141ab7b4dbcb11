from pathlib import Path

import pytest
from support import repos
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.errors import GitFailed
from git_lerim.git.repo import discover
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Memory
from git_lerim.storage.base import Change
from git_lerim.storage.branch.grep import literal_part, search_files


def keep(repo: Repo, *memories: Memory) -> str:
    files: dict[str, bytes | None] = {
        naming.path_of(memory): frontmatter.render(memory) for memory in memories
    }
    made = store_at(repo.path).commit(lambda _: Change(files=files, subject="import: some"))
    assert made
    return made


def found(repo: Repo, commit: str, *texts: str) -> list[str]:
    return sorted(
        stored.memory.title
        for stored in search_files(discover(repo.path, {}), commit, texts).values()
    )


def test_only_what_holds_one_of_the_texts_is_read(repo: Repo) -> None:
    commit = keep(repo, *(decision(n) for n in range(1, 6)))

    assert found(repo, commit, "Use thing 2", "Use thing 4") == ["Use thing 2", "Use thing 4"]
    assert found(repo, commit, "thing 9") == found(repo, commit) == found(repo, commit, "") == []


def test_it_is_the_same_as_the_store_reads(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1, 2, 3))
    snapshot = store_at(repo.path).snapshot()
    assert snapshot.commit

    assert search_files(discover(repo.path, {}), snapshot.commit, ["Because"]) == snapshot.memories


@pytest.mark.parametrize(
    "name", ["größte datei.py", 'a "quoted"\\name.py', "日本語.py", "tab\there.py"]
)
def test_the_piece_of_a_name_that_is_written_as_it_is_finds_it(name: str, repo: Repo) -> None:
    commit = keep(repo, decision(1).having(anchors=(Anchor(path=f"src/{name}"),)), decision(2))

    assert found(repo, commit, literal_part(name)) == ["Use thing 1"]


def test_a_file_that_is_no_memory_is_left_out(repo: Repo) -> None:
    commit = keep(repo, decision(1))
    path = naming.path_of(decision(1))
    other = repo.git("hash-object", "-w", "--stdin", stdin="Use thing 1, in no form at all\n")
    wrong = naming.path_of(decision(2))
    for at, blob in ((path.replace("decisions/", "decisions/x"), other), (wrong, other)):
        repo.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{at}")
    tree = repo.git("write-tree")
    repo.git("reset", "-q")
    made = repo.git("commit-tree", tree, "-p", commit, "-m", "by hand")

    assert found(repo, made, "Use thing 1") == []


def test_a_partial_clone_is_left_to_the_store(repo: Repo, tmp_path: Path) -> None:
    commit = keep(repo, decision(1))
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=blob:none", repo.path.as_uri(), str(tmp_path / "partial"))

    with pytest.raises(GitFailed):
        found(Repo(tmp_path / "partial"), commit, "thing")


def test_a_missing_commit_is_a_failure_and_not_an_empty_answer(tmp_path: Path) -> None:
    with pytest.raises(GitFailed):
        found(repos.normal(tmp_path / "repo"), "0" * 39 + "1", "thing")
