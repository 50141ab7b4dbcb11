from support.repos import Repo

from git_lerim.git import empty_objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import place_of


def test_only_empty_files_are_moved_aside(repo: Repo) -> None:
    commit = repo.commit({"a/b.txt": "b\n", "a/c.txt": "c\n"})
    blob, other = (repo.git("rev-parse", f"HEAD:a/{name}.txt") for name in "bc")
    path = repo.path / ".git/objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes(b"")
    place = place_of(repo.path / ".git")

    (moved,) = empty_objects.clear(place, open_objects(place), commit)

    assert moved.name.startswith("broken-object-")
    assert not path.exists()
    assert repo.git("cat-file", "-p", other) == "c"
    assert empty_objects.clear(place, open_objects(place), commit) == []
