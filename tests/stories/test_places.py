"""Places of a remote: one connection for all that is fetched, and a push to where git would push,
wherever it fetches from.
"""

from pathlib import Path

import pytest
from support import troubles
from support.prepared import Prepared
from support.repos import Repo, bare
from support.stores import store_at
from support.world import Ran, World

from git_lerim.git.remote import network
from git_lerim.git.remote.fetch import fetch_branch_and_folder

REF = "refs/heads/lerim/memory"
PROPOSAL = "refs/heads/lerim/proposal/ann/20260220-abc"


def run(world: World, repo: Repo, *words: str) -> Ran:
    ran = world.lerim(repo.path, *words)
    assert ran.code == 0, ran.err
    return ran


def titles(world: World, repo: Repo) -> set[str]:
    return {row["title"] for row in run(world, repo, "list", "--json").json}


@pytest.fixture
def shared(world: World, ann: Repo, bob: Repo, prepared: Prepared) -> World:
    """Return the world in which Ann has shared one memory, and Bob has it."""

    def share() -> None:
        run(world, ann, "remember", "Prices are rounded half to even.")
        run(world, ann, "push", "--yes")
        run(world, bob, "pull")

    prepared(share)
    return world


def proposed(ann: Repo, text: bytes = b"") -> None:
    """Let a branch that waits for review stand on the remote, beside or without the memory."""
    tip = ann.git("rev-parse", REF)
    if text:
        blob = ann.git("hash-object", "-w", "--stdin", stdin=text)
        tree = ann.git(
            "hash-object",
            "-t",
            "tree",
            "-w",
            "--literally",
            "--stdin",
            stdin=b"100644 .git\0" + bytes.fromhex(blob),
        )
        tip = ann.git("commit-tree", tree, "-p", tip, "-m", "x")
    ann.git("push", "-q", "origin", f"{tip}:{PROPOSAL}")


def test_a_pull_and_a_push_ask_the_remote_once_for_the_memory_and_for_proposals(
    shared: World, ann: Repo, bob: Repo, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    counting = troubles.program(
        tmp_path / "bin", "counting", f'echo x >>{calls}; exec git-upload-pack "$@"'
    )
    bob.git("config", "remote.origin.uploadpack", str(counting / "counting"))
    run(shared, bob, "push", "--yes")
    proposed(ann)
    calls.unlink()

    run(shared, bob, "pull")
    assert calls.read_text() == "x\n"
    assert bob.git("rev-parse", PROPOSAL.replace("heads", "remotes/origin"))
    run(shared, bob, "remember", "Tests need TZ=UTC.")
    run(shared, bob, "push")
    assert calls.read_text() == "x\nx\n"


def test_proposals_come_where_the_memory_is_gone_and_the_memory_where_there_is_no_proposal(
    shared: World, ann: Repo, bob: Repo, hub: Repo
) -> None:
    assert "already up to date" in run(shared, bob, "pull").out
    proposed(ann)
    hub.git("update-ref", "-d", REF)

    ran = run(shared, bob, "pull", "--json")

    assert bob.git("rev-parse", PROPOSAL.replace("heads", "remotes/origin")) == ann.git(
        "rev-parse", REF
    )
    assert not ran.json["moved"]
    assert "could not be fetched" not in ran.err


def test_a_proposal_that_git_refuses_keeps_no_memory_from_coming(
    shared: World, ann: Repo, bob: Repo
) -> None:
    proposed(ann, b"[core]\n")
    run(shared, ann, "remember", "Tests need TZ=UTC.")
    run(shared, ann, "push")

    ran = run(shared, bob, "pull")

    assert "1 new memory from origin" in ran.out
    assert "proposals could not be fetched: origin could not be read: git rejects" in ran.err


@pytest.mark.usefixtures("shared")
def test_proposals_that_never_end_keep_no_memory_from_coming(
    ann: Repo, bob: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = (
        f"test -e {tmp_path}/once || {{ touch {tmp_path}/once; exec sleep 60; }}; exec"
        ' git-upload-pack "$@"'
    )
    slow = troubles.program(tmp_path / "bin", "slow", once)
    bob.git("config", "remote.origin.uploadpack", str(slow / "slow"))
    monkeypatch.setattr(network, "PATIENCE", 0.5)

    theirs, why = fetch_branch_and_folder(
        store_at(bob.path).place, "origin", "lerim/memory", "lerim/proposal"
    )

    assert theirs == ann.git("rev-parse", REF)
    assert "longer than" in why


def test_a_remote_that_cannot_be_reached_is_tried_once(
    shared: World, bob: Repo, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    failing = troubles.program(tmp_path / "bin", "failing", f"echo x >>{calls}; exit 1")
    bob.git("config", "remote.origin.uploadpack", str(failing / "failing"))

    assert "origin could not be read" in shared.lerim(bob.path, "pull", "--yes").err
    assert calls.read_text() == "x\n"


def test_a_branch_that_was_deleted_on_the_remote_is_pushed_again_and_not_taken_for_there(
    shared: World, ann: Repo, hub: Repo
) -> None:
    hub.git("update-ref", "-d", REF)

    assert "Pushed to origin" in run(shared, ann, "push", "--yes").out
    assert hub.git("rev-parse", REF) == ann.git("rev-parse", REF)


def test_a_push_tells_the_truth_of_the_place_it_goes_to_and_not_of_the_one_that_is_fetched(
    shared: World, ann: Repo, bob: Repo, hub: Repo, tmp_path: Path
) -> None:
    fork = bare(tmp_path / "fork")
    ann.git("config", "remote.origin.pushurl", str(fork.path))

    asked = shared.lerim(ann.path, "push")
    assert (
        f"push 1 memory to origin ({fork.path})" in asked.err
    )  # it lacks what the place that is fetched has
    assert f"Pushed to origin ({fork.path})" in run(shared, ann, "push", "--yes").out
    assert fork.git("rev-parse", REF) == ann.git("rev-parse", REF)
    assert "Nothing to push to origin" in run(shared, ann, "push").out

    run(shared, bob, "remember", "Tests need TZ=UTC.")
    run(shared, bob, "push", "--yes")
    pushed = run(shared, ann, "push").out
    assert "1 new memory from origin" in pushed
    assert "Pushed to origin" in pushed
    assert fork.git("rev-parse", REF) == hub.git("rev-parse", REF)

    run(shared, ann, "remember", "Ports below 1024 need root.")
    run(shared, ann, "push")
    told = run(shared, ann, "pull")
    assert (told.out, told.err) == (
        "already up to date\n",
        "",
    )  # nobody took anything back of what is fetched

    fork.git("update-ref", "-d", REF)
    assert "Pushed to origin" in run(shared, ann, "push", "--yes").out
    assert run(shared, ann, "doctor").code == 0


@pytest.mark.parametrize("both", [False, True])
def test_a_push_asks_before_it_restores_a_branch_that_a_push_url_lost(
    shared: World, ann: Repo, hub: Repo, tmp_path: Path, *, both: bool
) -> None:
    fork = bare(tmp_path / "fork")
    for place in (hub, fork) if both else (fork,):
        ann.git("config", "--add", "remote.origin.pushurl", str(place.path))
    run(shared, ann, "push", "--yes")
    fork.git("update-ref", "-d", REF)

    would = run(shared, ann, "push", "--dry-run").err
    refused = shared.lerim(ann.path, "push")

    assert f"because origin ({fork.path}) no longer has lerim/memory" in would
    assert (refused.code, fork.git("for-each-ref")) == (1, "")
    assert f"restore 1 memory at origin ({fork.path}) for everybody?" in refused.err
    run(shared, ann, "push", "--yes")
    assert fork.git("rev-parse", REF) == ann.git("rev-parse", REF)
    assert "Nothing to push" in run(shared, ann, "push").out


def test_what_the_place_of_pushes_alone_has_is_joined_and_told(
    shared: World, ann: Repo, bob: Repo, hub: Repo, tmp_path: Path
) -> None:
    fork = bare(tmp_path / "fork")
    bob.git("remote", "add", "fork", str(fork.path))
    run(shared, bob, "remember", "Tests need TZ=UTC.")
    run(shared, bob, "push", "fork", "--yes")
    ann.git("config", "remote.origin.pushurl", str(fork.path))
    run(shared, ann, "remember", "The cache is cleared at midnight.")

    assert "push 1 memory to origin" in shared.lerim(ann.path, "push").err
    pushed = run(shared, ann, "push", "--yes", "--json").json

    assert (len(pushed["pulled"]["added"]), pushed["moved"], pushed["url"]) == (
        1,
        True,
        str(fork.path),
    )
    assert len(titles(shared, ann)) == 3
    assert fork.git("rev-parse", REF) == ann.git("rev-parse", REF) != hub.git("rev-parse", REF)


def test_what_the_place_of_pushes_has_of_others_waits_where_only_what_was_reviewed_is_believed(
    shared: World, ann: Repo, bob: Repo, tmp_path: Path
) -> None:
    fork = bare(tmp_path / "fork")
    bob.git("remote", "add", "fork", str(fork.path))
    run(shared, bob, "remember", "Tests need TZ=UTC.")
    run(shared, bob, "push", "fork", "--yes")
    ann.git("config", "remote.origin.pushurl", str(fork.path))
    ann.git("config", "lerim.trust", "reviewed")
    run(shared, ann, "remember", "The cache is cleared at midnight.")

    run(shared, ann, "push", "--yes")

    assert "Tests need TZ=UTC" not in titles(shared, ann)
    assert "The cache is cleared at midnight" in titles(shared, ann)


def test_every_place_that_a_push_goes_to_is_named_and_asked_for(
    shared: World, ann: Repo, hub: Repo, tmp_path: Path
) -> None:
    mirror = bare(tmp_path / "mirror")
    for place in (hub, mirror):
        ann.git("config", "--add", "remote.origin.pushurl", str(place.path))

    asked = shared.lerim(ann.path, "push")
    assert (asked.code, mirror.git("for-each-ref")) == (1, "")
    assert f"({hub.path}, {mirror.path})" in asked.err
    run(shared, ann, "push", "--yes")
    assert mirror.git("rev-parse", REF) == hub.git("rev-parse", REF)
    assert "Nothing to push to origin" in run(shared, ann, "push").out


def test_a_purge_replaces_the_history_where_a_push_goes(
    shared: World, ann: Repo, hub: Repo, tmp_path: Path
) -> None:
    fork = bare(tmp_path / "fork")
    ann.git("config", "remote.origin.pushurl", str(fork.path))
    run(shared, ann, "push", "--yes")
    id_ = run(shared, ann, "list", "--json").json[0]["id"]

    ran = run(shared, ann, "purge", id_, "--push", "--yes")

    assert f"Replaced the history on origin ({fork.path})" in ran.out
    assert fork.git("rev-parse", REF) == ann.git("rev-parse", REF) != hub.git("rev-parse", REF)


def test_a_proposal_is_offered_again_where_a_push_goes(
    shared: World, ann: Repo, bob: Repo, hub: Repo, tmp_path: Path
) -> None:
    fork = bare(tmp_path / "fork")
    bob.git("config", "remote.origin.pushurl", str(fork.path))
    run(shared, bob, "remember", "Tests need TZ=UTC.", "--propose")
    run(shared, bob, "review", "--open", "--yes")
    name = fork.git("for-each-ref", "--format=%(refname)")
    run(shared, ann, "remember", "The cache is cleared at midnight.")
    run(shared, ann, "push")
    run(shared, bob, "pull")  # the proposal is put on top of it

    assert "pushed to origin" in run(shared, bob, "review", "--open", "--yes").err

    assert fork.git("rev-parse", name) == bob.git("rev-parse", name)
    assert "is up to date on origin" in run(shared, bob, "review", "--open", "--yes").err
    assert hub.git("for-each-ref", "--format=%(refname)") == REF


def test_a_push_says_what_of_ones_own_waits_for_review_and_whether_it_is_published(
    shared: World, bob: Repo
) -> None:
    run(shared, bob, "push", "--yes")
    run(shared, bob, "remember", "Tests need TZ=UTC.", "--propose")
    name = bob.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/lerim/proposal")

    ran = run(shared, bob, "push")

    assert "Nothing to push to origin" in ran.out
    assert (
        f"your proposal {name}, with 1 file waiting for review, is not published; to publish it:"
        in ran.err
    )
    told = run(shared, bob, "push", "--json").json
    assert (told["proposal"], told["pending"]) == (name, 1)
    run(shared, bob, "review", "--open", "--yes")
    published = run(shared, bob, "push").err
    assert published.splitlines()[-1] == (
        f"your proposal {name}, with 1 file, is published on origin, waiting to be accepted"
    )
    run(shared, bob, "remember", "The cache is cleared at midnight.", "--propose")
    older = run(shared, bob, "push").err
    assert (
        f"your proposal {name}, with 2 files waiting for review, is published on origin in an older"
        " version; to update it: git lerim review --open; to accept it here"
    ) in older
    assert told["pulled"].keys() == run(shared, bob, "pull", "--json").json.keys()


def test_a_pull_says_and_a_push_asks_if_somebody_rewound_or_deleted_the_branch_of_the_remote(
    shared: World, ann: Repo, bob: Repo, hub: Repo
) -> None:
    run(shared, ann, "remember", "Tests need TZ=UTC.")
    run(shared, ann, "push")
    tip = ann.git("rev-parse", REF)
    hub.git("update-ref", REF, f"{REF}~1")

    told = run(shared, ann, "pull")
    assert told.out == "already up to date\n"
    said = (
        "origin lost 1 commit of lerim/memory, deleted or rewound by someone; nothing is lost here"
    )
    assert said in told.err
    assert said in run(shared, ann, "pull").err
    refused = shared.lerim(ann.path, "push")
    assert refused.code == 1
    assert "restore 1 memory at origin for everybody?" in refused.err
    assert hub.git("rev-parse", REF) != tip
    assert "Pushed to origin" in run(shared, ann, "push", "--yes").out
    assert hub.git("rev-parse", REF) == tip
    assert run(shared, ann, "pull").err == ""

    hub.git("update-ref", "-d", REF)
    gone = run(shared, ann, "pull", "--json")
    assert "origin no longer has lerim/memory, deleted or rewound by someone" in gone.err
    assert gone.json["lacking"] == 3
    would = run(shared, ann, "push", "--dry-run").err
    assert "would ask for confirmation, because origin no longer has lerim/memory" in would
    told = run(shared, ann, "push", "--dry-run", "--json").json
    assert (told["asks"], "origin no longer has" in told["lost"]) == (True, True)
    refused = shared.lerim(ann.path, "push")
    assert refused.err.startswith("origin no longer has lerim/memory, deleted or rewound by some")
    assert "restore 2 memories at origin for everybody?" in refused.err
    run(shared, ann, "push", "--yes")
    assert hub.git("rev-parse", REF) == tip
    assert "1 new memory" in run(shared, bob, "pull").out


def test_a_remote_that_never_had_a_commit_has_lost_none(
    shared: World, ann: Repo, bob: Repo, hub: Repo, tmp_path: Path
) -> None:
    ann.git("clone", "-q", "--bare", str(hub.path), str(tmp_path / "fork"))
    for repo in (ann, bob):
        repo.git("remote", "add", "fork", str(tmp_path / "fork"))
    run(shared, ann, "remember", "Tests need TZ=UTC.")
    ann.git("push", "-q", "fork", REF)
    run(shared, bob, "remember", "The cache is cleared at midnight.")
    run(shared, bob, "push", "--yes")
    run(shared, bob, "status")
    bob.git("fetch", "-q", "fork")

    for remote in ("fork", "origin", "fork"):
        bob.git("config", "lerim.remote", remote)
        told = [run(shared, bob, verb).err for verb in ("status", "pull", "list")]
        assert not [each for each in told if "lost" in each]
    assert "lost" not in run(shared, bob, "push", "origin").err

    bob.git("config", "lerim.remote", "origin")
    run(shared, bob, "pull")
    bob.git("config", "lerim.remote", "fork")
    run(shared, bob, "status")
    hub.git("update-ref", REF, f"{REF}~1")
    bob.git("fetch", "-q")
    assert "lost" not in run(shared, bob, "status").err
    bob.git("config", "lerim.remote", "origin")
    assert "origin lost" in run(shared, bob, "status").err


@pytest.mark.parametrize("fetches", [False, True])
@pytest.mark.parametrize("repair", ["put back", "deleted", "repaired on top"])
def test_a_refused_push_stops_nobody_after_the_remote_is_repaired(
    shared: World, ann: Repo, bob: Repo, hub: Repo, repair: str, *, fetches: bool
) -> None:
    good = ann.git("rev-parse", REF)
    troubles.store(bob, {"format": "99\n"})
    bob.git("push", "-q", "origin", REF)
    assert "has layout 99" in shared.lerim(ann.path, "pull").err
    run(shared, ann, "status")
    if repair == "put back":
        hub.git("update-ref", REF, good)
    elif repair == "deleted":
        hub.git("update-ref", "-d", REF)
    else:
        hub.git("update-ref", REF, hub.git("commit-tree", f"{good}^{{tree}}", "-p", REF, "-m", "x"))

    if fetches:
        ann.git("fetch", "-q", "--prune")
        assert ("origin no longer has" in run(shared, ann, "status").err) == (repair == "deleted")
    told = [run(shared, ann, "pull").err for _ in range(2)]
    lost = "origin no longer has lerim/memory, deleted or rewound by someone; nothing is lost here"
    assert [lost in each for each in told] == [repair == "deleted"] * 2
    assert repair == "deleted" or told == ["", ""]
    run(shared, ann, "remember", "Tests need TZ=UTC.")

    would = run(shared, ann, "push", "--dry-run").err
    assert ("because origin no longer has" in would) == (repair == "deleted")
    assert (shared.lerim(ann.path, "push").code == 0) == (repair != "deleted")
    run(shared, ann, "push", "--yes")
    assert hub.git("rev-parse", REF) == ann.git("rev-parse", REF)
    assert hub.git("show", f"{REF}:format") == ann.git("show", f"{good}:format")


def test_only_a_push_that_reaches_the_rewound_place_is_said_to_restore_it(
    shared: World, ann: Repo, bob: Repo, hub: Repo, tmp_path: Path
) -> None:
    asks = "asks to restore it there"
    run(shared, ann, "remember", "Tests need TZ=UTC.")
    run(shared, ann, "push")
    bob.git("fetch", "-q")
    run(shared, bob, "status")
    ann.git("remote", "add", "other", str(hub.path))
    run(shared, ann, "pull", "other")
    hub.git("update-ref", REF, f"{REF}~1")
    bob.git("fetch", "-q")

    ann.git("config", "remote.pushDefault", "fork")
    assert f"and git lerim push {asks}" in run(shared, ann, "pull", "--yes").err
    assert f"and git lerim push other {asks}" in run(shared, ann, "pull", "other", "--yes").err
    assert f"; git lerim push {asks}" in run(shared, bob, "status").err
    fork = bare(tmp_path / "fork")
    for repo in (ann, bob):
        repo.git("config", "remote.origin.pushurl", str(fork.path))
    pulled = run(shared, ann, "pull", "--yes").err
    assert "deleted or rewound by someone; nothing is lost here\n" in pulled
    assert "git lerim pull keeps here what it had\n" in run(shared, bob, "status").err


def test_what_was_fetched_and_read_is_kept_when_somebody_rewinds_the_remote(
    shared: World, ann: Repo, bob: Repo, hub: Repo
) -> None:
    bob.git("config", "lerim.trust", "reviewed")
    run(shared, bob, "remember", "Ports below 1024 need root.")
    run(shared, ann, "remember", "Tests need TZ=UTC.")
    run(shared, ann, "push")
    bob.git("fetch", "-q")
    hub.git("update-ref", REF, f"{REF}~1")

    told = run(shared, bob, "pull")

    assert "nothing is lost here" in told.err
    everything = {row["title"] for row in run(shared, bob, "list", "--all", "--json").json}
    assert "Tests need TZ=UTC" in everything
    assert titles(shared, bob) == {
        "Ports below 1024 need root"
    }  # it is no more our own than it was


@pytest.mark.parametrize("deleted", [False, True])
def test_a_plain_fetch_of_a_rewound_remote_is_named_and_a_pull_keeps_what_it_had(
    shared: World, ann: Repo, bob: Repo, hub: Repo, *, deleted: bool
) -> None:
    run(shared, bob, "remember", "Ports below 1024 need root.")
    run(shared, ann, "remember", "Tests need TZ=UTC.")
    run(shared, ann, "push")
    bob.git("fetch", "-q")
    assert "Tests need TZ=UTC" in titles(shared, bob)
    hub.git("update-ref", *(["-d", REF] if deleted else [REF, f"{REF}~1"]))
    bob.git("fetch", "-q", "--prune")

    first = run(shared, bob, "status").err
    run(shared, bob, "push", "--dry-run")
    again = run(shared, bob, "list").err
    told = run(shared, bob, "pull")

    said = "no longer has lerim/memory" if deleted else "lost 1 commit of lerim/memory"
    assert f"origin {said}, deleted or rewound by someone; git lerim pull keeps" in first
    assert said in again
    assert f"origin {said}, deleted or rewound by someone; nothing is lost here" in told.err
    assert "Tests need TZ=UTC" in titles(shared, bob)
    assert "rewound" not in run(shared, bob, "status").err


def test_a_purge_of_others_is_named_and_not_taken_for_a_branch_that_was_rewound(
    shared: World, ann: Repo, bob: Repo
) -> None:
    id_ = run(shared, ann, "list", "--json").json[0]["id"]
    run(shared, ann, "purge", id_, "--push", "--yes")

    told = run(shared, bob, "pull")

    title = "from Ada Tester: Prices are rounded half to even"
    assert told.out == (
        "Pulled 0 new memories, 1 purged from origin\n"
        f"purged    {id_}  {title}  (purged by Ada Tester)\n"
    )
    assert "deleted or rewound" not in told.err
    assert run(shared, bob, "pull", "--json").json["lacking"] == 0


def test_what_is_no_memory_on_the_remote_is_said_of_the_remote(
    shared: World, ann: Repo, bob: Repo
) -> None:
    ann.git("push", "-q", "-f", "origin", f"HEAD:{REF}")

    refused = shared.lerim(bob.path, "pull")
    assert "lerim/memory of origin has no file `format`" in refused.err
    ann.git("push", "-q", "-f", "origin", f"{REF}:{REF}")
    told = run(shared, bob, "pull")
    assert (told.out, told.err) == ("already up to date\n", "")


def test_a_purge_says_of_each_ref_that_still_holds_it_what_lets_it_go(
    shared: World, ann: Repo, bob: Repo
) -> None:
    id_ = run(shared, ann, "list", "--json").json[0]["id"]
    run(shared, bob, "remember", "Tests need TZ=UTC.", "--propose")
    run(shared, bob, "review", "--open", "--yes")
    run(shared, ann, "pull")
    own = bob.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/lerim/proposal")

    told = run(shared, bob, "purge", id_, "--yes").err
    assert (
        f"refs/remotes/origin/{own} still contains the purged text; to replace it there:"
        " git lerim review --open" in told
    )
    assert (
        "refs/remotes/origin/lerim/memory still contains the purged text; to replace it there: git"
        " lerim purge --push"
    ) in told
    told = run(shared, ann, "purge", id_, "--yes").err
    assert (
        f"{own} still contains the purged text; to replace it there: git lerim review --open"
        " (by its author, after a pull)" in told
    )
    run(shared, bob, "purge", "--push", "--yes")
    run(shared, bob, "review", "--open", "--yes")
    assert f"-{id_}.md" not in bob.git(
        "log", "--format=", "--name-only", f"refs/remotes/origin/{own}"
    )


def test_a_review_says_what_comes_next_and_that_a_rejection_stays_here(
    shared: World, ann: Repo, bob: Repo
) -> None:
    ids = [
        run(shared, bob, "remember", text, "--propose", "--json").json["id"]
        for text in ("Use tabs.", "Tests need TZ=UTC.")
    ]
    run(shared, bob, "review", "--open", "--yes")
    name = bob.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/lerim/proposal")
    run(shared, ann, "pull")

    told = run(shared, ann, "review", "accept", name, ids[0]).err
    assert (
        told == "accepted 1 memory, 1 left to review\nto share what you accepted: git lerim push\n"
    )
    assert "their author is not notified" in run(shared, ann, "review", "reject", name, ids[1]).err
