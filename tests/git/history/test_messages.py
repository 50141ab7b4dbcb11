from pathlib import Path

from support.repos import Repo, normal

from git_lerim.git.history.messages import FileChange, changes, diffs, messages
from git_lerim.git.repo import Place, discover, head


def place_of(repo: Repo) -> tuple[Place, str]:
    place = discover(repo.path, {})
    tip = head(place)
    assert tip
    return place, tip


def test_whole_messages_come_oldest_first(repo: Repo) -> None:
    repo.commit({"a": "1\n"}, "Grow\n\nBecause of\n\nthis.", when="2026-02-03T10:00:00Z")
    found = list(messages(*place_of(repo), 0))

    assert [message.text.strip() for message in found] == ["first", "Grow\n\nBecause of\n\nthis."]
    assert found[1].parents == (found[0].id,)
    assert found[1].at == 1770112800


def test_a_time_and_paths_limit_them(repo: Repo) -> None:
    repo.commit({"a": "1\n"}, "second", when="2026-02-03T10:00:00Z")
    repo.commit({"b/c": "1\n"}, "third", when="2026-02-04T10:00:00Z")
    place, tip = place_of(repo)

    assert [each.text.strip() for each in messages(place, tip, 1770150000)] == ["third"]
    assert [each.text.strip() for each in messages(place, tip, 0, ["a", "b"])] == [
        "second",
        "third",
    ]
    assert list(messages(place, tip, 0, [":(glob)**"])) == []


def test_changes_count_lines_by_file(repo: Repo) -> None:
    (repo.path / "blob").write_bytes(b"\0\1")
    repo.git("add", "blob")
    id_ = repo.commit({"hello.py": "print('hi')\n", "é b": "1\n2\n"}, "second")
    place, _ = place_of(repo)

    assert changes(place, [id_]) == {
        id_: (
            FileChange(path="blob", added=None, removed=None),
            FileChange(path="hello.py", added=1, removed=1),
            FileChange(path="é b", added=2, removed=0),
        )
    }


def test_diffs_are_those_of_the_wanted_files_alone(repo: Repo) -> None:
    id_ = repo.commit({"é b": "1\n", "other": "2\n"}, "second")
    later = repo.commit({"other": "3\n"}, "third")
    place, _ = place_of(repo)

    assert diffs(place, {id_: ["é b"], later: ["other"]}) == {
        id_: "é b\n@@ -0,0 +1 @@\n+1",
        later: "other\n@@ -1 +1 @@\n-2\n+3",
    }


def test_no_program_that_the_repository_names_is_run(tmp_path: Path) -> None:
    repo = normal(tmp_path / "repo")
    mark = tmp_path / "was-run"
    repo.git("config", "diff.evil.textconv", f"touch {mark}; cat")
    repo.git("config", "diff.external", f"touch {mark}")
    id_ = repo.commit({".gitattributes": "* diff=evil\n", "a": "1\n"}, "second")
    place, _ = place_of(repo)
    changes(place, [id_])

    assert "+1" in diffs(place, {id_: ["a"]})[id_]
    assert not mark.exists()
