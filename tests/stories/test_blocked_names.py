"""Somebody pushes what keeps others from sharing: names that leave no room, and unsafe trees."""

from pathlib import Path

import pytest
from support import repos
from support.inside import lerim
from support.prepared import Prepared
from support.repos import Repo
from support.team import REF, remember, shared


@pytest.fixture
def main(ann: Repo, hub: Repo, prepared: Prepared) -> str:
    """Return a commit that the remote has, beside the memory of Ann."""

    def share() -> None:
        remember(ann, "Prices are integers in cents.")
        shared(ann)
        ann.git("push", "-q", "origin", "HEAD:refs/heads/main")

    prepared(share)
    return hub.git("rev-parse", "main")


@pytest.mark.parametrize("name", ["lerim", "lerim/memory/x"])
@pytest.mark.parametrize("is_fetched", [False, True])
def test_a_branch_of_the_remote_that_leaves_no_room_is_named(
    ann: Repo, hub: Repo, main: str, name: str, *, is_fetched: bool
) -> None:
    hub.git("update-ref", "-d", REF)
    hub.git("update-ref", f"refs/heads/{name}", main)
    if is_fetched:
        ann.git("fetch", "-q", "--prune")

    pushed = lerim(ann.path, "push", "--yes")

    assert pushed.code == 1
    assert f"has a branch {name}, which leaves no room for lerim/memory" in pushed.err
    assert ("origin, as last fetched, has" in pushed.err) == is_fetched
    assert "git config lerim.branch lerim-memory" in pushed.err


def test_code_on_the_remotes_branch_is_not_taken_for_the_memory(ann: Repo, bob: Repo) -> None:
    remember(ann, "Prices are in cents.")
    shared(ann)
    ann.git("push", "-q", "-f", "origin", f"HEAD:{REF}")
    bob.git("fetch", "-q")

    refused = lerim(bob.path, "init")

    assert refused.code == 1
    assert "lerim/memory of origin has no file `format`" in refused.err
    assert bob.git("for-each-ref", REF) == ""
    bob.git("branch", "lerim/memory", "origin/lerim/memory")  # as an older version took it
    ann.git("push", "-q", "-f", "origin", f"{REF}:{REF}")
    pulled = lerim(bob.path, "pull")
    assert pulled.code == 1
    assert "lerim/memory has no file `format`" in pulled.err
    assert bob.git("log", "--format=%s", REF) == ann.git("log", "--format=%s", "HEAD")


@pytest.mark.parametrize("name", ["lerim", "lerim/memory/x"])
@pytest.mark.parametrize("verb", ["pull", "push"])
def test_a_branch_that_is_gone_from_the_remote_is_named_with_the_way_out(
    bob: Repo, hub: Repo, main: str, name: str, verb: str
) -> None:
    tip = hub.git("rev-parse", REF)
    hub.git("update-ref", "-d", REF)
    hub.git("update-ref", f"refs/heads/{name}", main)
    bob.git("fetch", "-q", "--prune")
    remember(bob, "Tests need TZ=UTC.")
    hub.git("update-ref", "-d", f"refs/heads/{name}")
    hub.git("update-ref", REF, tip)

    refused = lerim(bob.path, verb, *(["--yes"] if verb == "push" else []))

    assert refused.code == 1
    assert f"has a branch {name}" in refused.err
    assert "git fetch --prune" in refused.err
    bob.git("fetch", "-q", "--prune")
    assert lerim(bob.path, "push", "--yes").code == 0


@pytest.mark.parametrize("there", [False, True])
def test_a_tag_that_git_takes_for_the_branch_is_named(
    ann: Repo, hub: Repo, main: str, *, there: bool
) -> None:
    hub.git("update-ref", f"refs/tags/{REF}", main)
    if not there:
        hub.git("update-ref", "-d", REF)
    remember(ann, "Tests need TZ=UTC.")

    pushed = lerim(ann.path, "push", "--yes")

    assert pushed.code == 1
    assert f"origin has a tag named {REF}" in pushed.err
    assert "ask its owner" in pushed.err


@pytest.mark.parametrize("make", ["sha1", "sha256"])
def test_tags_called_like_the_branch_do_not_keep_it_from_being_saved(
    make: str, tmp_path: Path
) -> None:
    options = f"--object-format={make}"
    ann, copy = (repos.normal(tmp_path / name, options) for name in ("ann", "copy"))
    remember(ann, "Prices are integers in cents.")
    for name in ("lerim/memory", "heads/lerim/memory", REF):
        ann.git("update-ref", f"refs/tags/{name}", "HEAD")

    saved = lerim(ann.path, "backup", str(tmp_path / "b.bundle"))
    restored = lerim(copy.path, "backup", "restore", str(tmp_path / "b.bundle"))

    assert (saved.code, restored.code) == (0, 0), saved.err + restored.err
    assert "integers in cents" in lerim(copy.path, "list").out
    heads = ann.git("bundle", "list-heads", str(tmp_path / "b.bundle"))
    assert heads == f"{ann.git('rev-parse', REF)} {REF}"
    ann.git("bundle", "verify", "-q", str(tmp_path / "b.bundle"))


def test_a_tree_that_git_refuses_to_fetch_is_named_as_the_reason(ann: Repo, bob: Repo) -> None:
    remember(ann, "Prices are integers in cents.")
    entry = b"40000 .git\0" + bytes.fromhex(ann.git("rev-parse", f"{REF}^{{tree}}"))
    tree = ann.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=entry)
    commit = ann.git("commit-tree", tree, "-p", REF, "-m", "Tidy up")
    ann.git("push", "-q", "origin", f"{commit}:{REF}")

    pulled = lerim(bob.path, "pull")

    assert pulled.code == 1
    assert f"{tree}: hasDotgit" in pulled.err
    assert "someone pushed this object" in pulled.err
