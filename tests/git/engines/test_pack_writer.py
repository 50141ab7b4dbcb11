import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import repos

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.engines.pack_writer import free_packs, name_of, write_pack
from git_lerim.git.repo import Place, discover

SIZES = (0, 1, 15, 16, 2047, 2048, 300_000)


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_what_is_written_together_is_what_git_itself_would_write(tmp_path: Path, form: str) -> None:
    repo = repos.normal(tmp_path / "repo", f"--object-format={form}")
    place = discover(repo.path, os.environ)
    objects = open_objects(place)
    made = [("blob", os.urandom(size)) for size in SIZES]
    tree = b"".join(
        b"100644 %d\0" % n + bytes.fromhex(name_of(place, *blob)) for n, blob in enumerate(made)
    )
    made.append(("tree", tree))

    objects.write_together({name_of(place, *each): each for each in made})

    for kind, data in made:
        name = name_of(place, kind, data)
        assert repo.git("cat-file", "-t", name) == kind
        assert (objects.blob if kind == "blob" else objects.raw_tree)(name) == data
    assert repo.git("fsck", "--strict").replace("dangling tree", "").strip() == name_of(
        place, "tree", tree
    )


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


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Return a repository with one commit."""
    return discover(repos.normal(tmp_path / "repo").path, os.environ)


def kept(place: Place) -> list[Path]:
    """Return the files that keep packs from a repack."""
    return list((place.common_dir / "objects/pack").glob("*.keep"))


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_no_repack_takes_what_has_no_ref_yet(tmp_path: Path, form: str) -> None:
    repo = repos.normal(tmp_path / "repo", f"--object-format={form}")
    place = discover(repo.path, os.environ)
    objects = open_objects(place)
    with objects.together():
        blob = objects.write_blob(b"text")

    repo.git("repack", "-adq")
    assert repo.git("cat-file", "-t", blob) == "blob"
    objects.settle()

    assert not kept(place)
    repo.git("repack", "-adq")
    assert repo.git("cat-file", "-t", blob, check=False) == ""


def test_a_pack_is_let_go_with_who_wrote_it(place: Place) -> None:
    objects = open_objects(place)
    objects.write_together({name_of(place, "blob", b"text"): ("blob", b"text")})
    assert kept(place)

    del objects
    gc.collect()

    assert not kept(place)


def test_a_pack_that_somebody_keeps_is_left_to_them(place: Place) -> None:
    objects = {name_of(place, "blob", b"text"): ("blob", b"text")}
    (file,) = write_pack(place, objects)
    file.write_text("mine")

    assert write_pack(place, objects) == []
    free_packs(place)

    assert kept(place) == [file]


def test_the_pack_of_a_killed_process_is_let_go_and_no_other(place: Place) -> None:
    (ours,) = write_pack(place, {name_of(place, "blob", b"ours"): ("blob", b"ours")})
    (theirs,) = write_pack(place, {name_of(place, "blob", b"theirs"): ("blob", b"theirs")})
    done = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"],
        capture_output=True,
        text=True,
        check=True,
    )
    theirs.write_text(f"git-lerim {done.stdout}")

    free_packs(place)

    assert kept(place) == [ours]
