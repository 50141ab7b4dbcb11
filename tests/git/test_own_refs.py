"""Which refs this clone put where they are."""

import os
import threading

from support.repos import Repo

from git_lerim.git import own_refs
from git_lerim.git.commits.identity import Identity
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover

REF, OTHER = "refs/lerim/accepted", "refs/lerim/served"
WHO = Identity(b"git-lerim <none>", b"git-lerim <none>")


def test_a_ref_is_believed_as_this_clone_left_it_and_no_other_way(repo: Repo) -> None:
    place = discover(repo.path, {})
    objects, head = open_objects(place), repo.git("rev-parse", "HEAD")
    repo.git("update-ref", REF, head)
    assert own_refs.held(place, objects, REF) is None  # somebody else put it there

    own_refs.put(place, objects, REF, head, message="git-lerim: test", who=WHO)
    assert own_refs.held(place, objects, REF) == head
    repo.git("update-ref", OTHER, head)
    assert (
        own_refs.held(place, objects, OTHER) is None
    )  # what is known of one ref says nothing of another
    assert (place.own_dir / own_refs.NAME).stat().st_mode & 0o077 == 0

    repo.git("update-ref", REF, repo.commit({"a.txt": "a\n"}))
    assert own_refs.held(place, objects, REF) is None


def test_without_the_list_or_the_ref_nothing_is_believed(repo: Repo) -> None:
    place = discover(repo.path, {})
    objects, head = open_objects(place), repo.git("rev-parse", "HEAD")
    own_refs.put(place, objects, REF, head, message="git-lerim: test", who=WHO)

    (place.own_dir / own_refs.NAME).unlink()
    assert own_refs.held(place, objects, REF) is None
    own_refs.note(place, REF, head)
    own_refs.note(place, REF, head)
    assert (place.own_dir / own_refs.NAME).read_text() == f"{REF} {head}\n"
    repo.git("update-ref", "-d", REF)
    assert own_refs.held(place, objects, REF) is None


def test_where_nothing_can_be_noted_nothing_is_believed(repo: Repo) -> None:
    place = discover(repo.path, {})
    objects, head = open_objects(place), repo.git("rev-parse", "HEAD")
    place.own_dir.write_text("in the way")

    own_refs.put(place, objects, REF, head, message="git-lerim: test", who=WHO)

    assert own_refs.held(place, objects, REF) is None


def test_a_list_longer_than_any_of_ours_is_not_read(repo: Repo) -> None:
    place = discover(repo.path, {})
    own_refs.note(place, REF, repo.git("rev-parse", "HEAD"))
    os.truncate(place.own_dir / own_refs.NAME, 65 << 20)

    assert list(own_refs.noted(place, REF)) == []


def test_what_a_fetch_replaced_or_removed_is_put_back(repo: Repo) -> None:
    place = discover(repo.path, {})
    objects, first = open_objects(place), repo.git("rev-parse", "HEAD")
    second, foreign = repo.commit({"a.txt": "a\n"}), repo.commit({"b.txt": "b\n"})
    for commit in (first, second, first):
        own_refs.put(place, objects, REF, commit, message="git-lerim: test", who=WHO)

    for words in ([REF, foreign], ["-d", REF]):
        repo.git("update-ref", *words)
        assert own_refs.kept(place, objects, REF, WHO) == first
        assert repo.git("rev-parse", REF) == first
    repo.git("update-ref", OTHER, foreign)
    assert own_refs.kept(place, objects, OTHER, WHO) is None


def test_a_damaged_ref_gets_its_last_readable_value_back(repo: Repo) -> None:
    place = discover(repo.path, {})
    objects, first = open_objects(place), repo.git("rev-parse", "HEAD")
    own_refs.put(place, objects, REF, first, message="git-lerim: test", who=WHO)
    lost = "1234567890123456789012345678901234567890"
    own_refs.note(place, REF, lost)

    for content in ("", f"{lost}\n"):
        (repo.path / ".git" / REF).write_text(content)
        assert own_refs.held(place, objects, REF) is None
        assert own_refs.kept(place, objects, REF, WHO) == first
        assert repo.git("rev-parse", REF) == first
    kept = {path.read_text() for path in place.own_dir.glob("broken-refs-lerim-accepted-*")}
    assert kept == {"", f"{lost}\n"}

    (repo.path / ".git" / OTHER).write_text("")
    own_refs.put(place, objects, OTHER, first, message="git-lerim: test", who=WHO)
    assert own_refs.held(place, objects, OTHER) == first


def test_a_value_whose_writer_is_about_to_write_it_again_is_awaited(repo: Repo) -> None:
    place = discover(repo.path, {})
    objects, first = open_objects(place), repo.git("rev-parse", "HEAD")
    own_refs.put(place, objects, REF, first, message="git-lerim: test", who=WHO)
    second = repo.commit({"a": "1"})
    own_refs.put(place, objects, REF, second, message="git-lerim: test", who=WHO)
    pruned = repo.path / f".git/objects/{second[:2]}/{second[2:]}"
    aside = pruned.rename(repo.path / "aside")

    writer = threading.Timer(0.3, aside.rename, [pruned])
    writer.start()
    assert own_refs.kept(place, open_objects(place), REF, WHO) == second
    writer.join()
    assert repo.git("rev-parse", REF) == second


def test_a_locked_cache_is_left_as_it_is(repo: Repo) -> None:
    place = discover(repo.path, {})
    objects, head = open_objects(place), repo.git("rev-parse", "HEAD")
    lock = repo.path / f".git/{OTHER}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()

    own_refs.cache(place, objects, OTHER, head, message="git-lerim: test", who=WHO)
    assert own_refs.held(place, objects, OTHER) is None
    lock.unlink()
    own_refs.cache(place, objects, OTHER, head, message="git-lerim: test", who=WHO)
    assert own_refs.held(place, objects, OTHER) == head
