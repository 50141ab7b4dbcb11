import os
from pathlib import Path

import pytest
from support import repos

from git_lerim.git.objects import open_objects
from git_lerim.git.packing import name_of
from git_lerim.git.repo import discover

SIZES = (0, 1, 15, 16, 2047, 2048, 300_000)


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_what_is_written_together_is_what_git_itself_would_write(tmp_path: Path, form: str) -> None:
    repo = repos.normal(tmp_path / "repo", f"--object-format={form}")
    place = discover(repo.path, os.environ)
    objects = open_objects(place)
    made = [("blob", os.urandom(size)) for size in SIZES]
    tree = b"".join(b"100644 %d\0" % n + bytes.fromhex(name_of(place, *blob)) for n, blob in enumerate(made))
    made.append(("tree", tree))

    objects.write_together({name_of(place, *each): each for each in made})

    for kind, data in made:
        name = name_of(place, kind, data)
        assert repo.git("cat-file", "-t", name) == kind
        assert (objects.blob if kind == "blob" else objects.raw_tree)(name) == data
    assert repo.git("fsck", "--strict").replace("dangling tree", "").strip() == name_of(place, "tree", tree)


def test_what_is_written_together_outlives_a_gc_beside_us(tmp_path: Path) -> None:
    repo = repos.normal(tmp_path / "repo")
    objects = open_objects(place := discover(repo.path, os.environ))
    name = name_of(place, "blob", b"kept")
    objects.write_together({name: ("blob", b"kept")})
    repo.git("gc", "-q", "--prune=now")

    objects.settle()

    assert repo.git("cat-file", "blob", name) == "kept"


def test_nothing_is_written_where_there_is_nothing_to_write(tmp_path: Path) -> None:
    repo = repos.normal(tmp_path / "repo")

    open_objects(discover(repo.path, os.environ)).write_together({})

    assert not list((repo.path / ".git" / "objects" / "pack").iterdir())
