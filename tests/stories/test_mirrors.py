"""Remotes that mirror, and such of several places: their rules move nothing here, and each place is
told of as it is.
"""

from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo, bare, cloned
from support.troubles import program
from support.world import World

REF = "refs/heads/lerim/memory"


def out(repo: Repo, *words: str) -> str:
    ran = lerim(repo.path, *words)
    assert ran.code == 0, ran.err
    return ran.out


@pytest.mark.parametrize("rule", ["+refs/*:refs/*", "+refs/heads/*:refs/heads/*"])
def test_in_a_mirror_a_pull_joins_and_replaces_nothing(rule: str, ann: Repo, bob: Repo) -> None:
    out(bob, "remember", "Tests need TZ=UTC.")
    out(bob, "push", "--yes")
    ann.git("config", "--add", "remote.origin.fetch", rule)
    out(ann, "remember", "Prices are rounded half to even.")

    assert "1 new memory from origin" in out(ann, "pull")

    assert ann.git("rev-list", "--count", f"refs/remotes/origin/lerim/memory..{REF}") != "0"
    titles = out(ann, "list")
    assert "Prices are rounded" in titles
    assert "Tests need" in titles


def test_a_remote_that_mirrors_gets_the_memory_and_nothing_else(ann: Repo, hub: Repo) -> None:
    hub.git("fetch", "-q", str(ann.path), "main:other")
    ann.git("config", "remote.origin.mirror", "true")
    out(ann, "remember", "Prices are rounded half to even.")

    out(ann, "push", "--yes")

    assert hub.git("for-each-ref", "--format=%(refname)").split("\n") == [REF, "refs/heads/other"]


def test_what_one_of_several_places_refused_is_not_taken_for_fetched(
    ann: Repo, tmp_path: Path
) -> None:
    ann.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    out(ann, "remember", "Prices are rounded half to even.")
    out(ann, "push", "--yes")
    places = [bare(tmp_path / name) for name in ("takes", "refuses")]
    program(places[1].path / "hooks", "pre-receive", "exit 1")
    for place in places:
        ann.git("config", "--add", "remote.origin.pushurl", str(place.path))
    out(ann, "remember", "Tests need TZ=UTC.")

    assert lerim(ann.path, "push", "--yes").code == 1

    assert places[0].git("rev-parse", REF) == ann.git("rev-parse", REF)
    told = lerim(ann.path, "pull")
    assert (told.out, told.err) == (
        "already up to date\n",
        "",
    )  # and not that somebody took it back


def test_a_purge_of_several_places_tells_of_each_that_had_the_memory(
    ann: Repo, hub: Repo, tmp_path: Path
) -> None:
    out(ann, "remember", "Prices are rounded half to even.")
    out(ann, "remember", "The vault opens with mellon.")
    out(ann, "push", "--yes")
    empty = bare(tmp_path / "empty")
    for place in (hub, empty):
        ann.git("config", "--add", "remote.origin.pushurl", str(place.path))

    told = out(ann, "purge", _id(ann, "vault"), "--push", "--yes")

    assert f"Replaced the history on origin ({hub.path}), at" in told
    assert (hub.git("rev-parse", REF), empty.git("for-each-ref")) == (ann.git("rev-parse", REF), "")
    assert (
        f"({hub.path}, {empty.path})? Everyone" in lerim(ann.path, "push").err
    )  # of that one nobody agreed to anything


def test_after_a_purge_of_the_place_of_pushes_no_ref_of_ours_holds_it(
    ann: Repo, tmp_path: Path
) -> None:
    ann.git("config", "remote.origin.pushurl", str(bare(tmp_path / "fork").path))
    out(ann, "remember", "Prices are rounded half to even.")
    out(ann, "remember", "The vault opens with mellon.")
    out(ann, "push", "--yes")
    old = ann.git("rev-parse", REF)

    out(ann, "purge", _id(ann, "vault"), "--push", "--yes")

    held = ann.git("for-each-ref", "--format=%(refname)", "--contains", old).split("\n")
    assert [name for name in held if not name.startswith("refs/lerim/purged/")] == []


def test_a_pull_counts_what_the_remote_has_and_not_what_was_fetched_of_another(
    ann: Repo, bob: Repo, tmp_path: Path
) -> None:
    out(bob, "remember", "Tests need TZ=UTC.")
    out(bob, "push", "--yes")
    other = bare(tmp_path / "other")
    cid = cloned(other, tmp_path / "cid")
    out(cid, "remember", "Ports below 1024 need root.")
    out(cid, "push", "--yes")
    out(ann, "remember", "Prices are rounded half to even.")
    ann.git("remote", "add", "other", str(other.path))
    ann.git("fetch", "-q", "origin")

    told = out(ann, "pull", "other").splitlines()

    assert told[0] == "Pulled 1 new memory from other"
    assert told[1].endswith("Ports below 1024 need root")


def test_what_a_remote_lacks_is_counted_whatever_its_other_places_have(
    ann: Repo, bob: Repo, hub: Repo, tmp_path: Path
) -> None:
    out(ann, "remember", "Prices are rounded half to even.")
    out(ann, "push", "--yes")
    other = bare(tmp_path / "other")
    bob.git("remote", "set-url", "origin", str(other.path))
    out(bob, "remember", "Tests need TZ=UTC.")
    out(bob, "push", "--yes")
    for place in (hub, other):
        ann.git("config", "--add", "remote.origin.pushurl", str(place.path))
    hub.git("update-ref", REF, f"{REF}~1")

    told = lerim(ann.path, "push", "--yes", "--json").json["pulled"]

    assert (told["lacking"], len(told["added"])) == (1, 1)


def test_a_pull_of_nothing_new_asks_git_for_little(world: World, ann: Repo, tmp_path: Path) -> None:
    out(ann, "remember", "Prices are rounded half to even.")
    out(ann, "push", "--yes")
    trace = tmp_path / "trace"

    assert (
        world.lerim(ann.path, "pull", env={"GIT_TRACE": str(trace)}).out == "already up to date\n"
    )

    asked = [line.partition("built-in: git ")[2] for line in trace.read_text().split("\n")]
    assert [
        line for line in asked if line == "remote" or line.startswith("rev-list --count")
    ] == []  # no name is wrong, none lost


def _id(repo: Repo, word: str) -> str:
    rows = lerim(repo.path, "list", "--json").json
    return next(str(row["id"]) for row in rows if word in row["title"])
