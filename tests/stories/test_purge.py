"""A secret slipped into a memory: it is deleted from the whole history, here and on a remote, and
nobody brings it back.
"""

import contextlib
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from support import stores
from support.inside import lerim
from support.repos import Repo
from support.world import CATALOG, World

from git_lerim.actions import add_memory, edit_memory, purge
from git_lerim.actions.add_memory import Note
from git_lerim.memories.memory import Kind, Primitive
from git_lerim.workspace import open_workspace

REF = "refs/heads/lerim/memory"
LEAK = "the vault opens with mellon-seven"
TITLE = f"In this house {LEAK} for all doors"


def remember(repo: Repo, text: str) -> str:
    """Write a memory and return its id."""
    with contextlib.chdir(repo.path):
        note = Note(text=text, primitive=Primitive.LEARNING, kind=Kind.FACT)
        return add_memory.remember(open_workspace(), note).memories[0].id


def reachable(repo: Repo, *refs: str) -> str:
    """Return all that some refs lead to, messages and files, as one text."""
    names = repo.git("rev-list", "--objects", "--no-object-names", *refs).split("\n")
    return repo.git("cat-file", "--batch", stdin="\n".join(names) + "\n") + repo.git(
        "rev-list", "--objects", *refs
    )


def titles(repo: Repo) -> set[str]:
    return stores.titles(stores.store_at(repo.path).snapshot())


def leaked(repo: Repo) -> str:
    """Leave a leak with some history around it, and return its id."""
    remember(repo, "Prices are rounded half to even.")
    id_ = remember(repo, TITLE)
    with contextlib.chdir(repo.path):
        edit_memory.edit(
            open_workspace(),
            id_,
            lambda memory: replace(memory, title="A better title with mellon-seven"),
        )
        remember(repo, "Tests need TZ=UTC.")
        edit_memory.forget(open_workspace(), [id_])
    return id_


def test_every_version_goes_and_everything_else_stays(world: World, ann: Repo) -> None:
    id_ = leaked(ann)
    before = ann.git("log", "--reverse", "--format=%an %ae %at %ct %s", REF).split("\n")
    root = ann.git("rev-list", "--max-parents=0", REF)

    purged = world.lerim(ann.path, "purge", id_[:6], "--yes")

    assert purged.code == 0, purged.err
    held = reachable(ann, REF)
    assert "mellon-seven" not in held
    assert "mellon" not in ann.git("ls-tree", "-r", "--name-only", REF)
    assert titles(ann) == {"Prices are rounded half to even", "Tests need TZ=UTC"}
    after = ann.git("log", "--reverse", "--format=%an %ae %at %ct %s", REF).split("\n")
    assert after[:-1] == [
        line for line in before if "mellon" not in line
    ]  # what did nothing else is gone
    assert after[-1].endswith("purge: 1 memory deleted from the whole history")
    assert ann.git("rev-list", "--max-parents=0", REF) == root
    assert ann.git("fsck", "--strict", "--no-dangling") == ""
    assert world.lerim(ann.path, "lint").code == 0


def test_a_commit_that_did_more_keeps_that_and_its_trailers(world: World, ann: Repo) -> None:
    keep, leak = remember(ann, "Prices are rounded half to even."), remember(ann, TITLE)
    world.lerim(ann.path, "protect", keep, leak)

    world.lerim(ann.path, "purge", leak, "--yes")

    told = ann.git("log", "-1", "--format=%B", f"{REF}~1")
    assert f"~ {keep} Prices are rounded half to even\n" in told
    assert "~ [purged]\n" in told or "~ [purged]" in told.split("\n")
    assert f"Lerim-Changed: {keep}" in told
    assert "Lerim-Changed: [purged]" in told
    assert leak not in told
    assert "mellon" not in told


def test_what_was_purged_is_named_so_and_undo_says_that_it_cannot(world: World, ann: Repo) -> None:
    id_ = leaked(ann)
    world.lerim(ann.path, "purge", id_, "--yes")

    shown, undone = (
        world.lerim(ann.path, "show", id_[:6]),
        world.lerim(ann.path, "undo", "lerim/memory"),
    )

    assert (shown.code, undone.code) == (1, 2)
    assert f"{id_} was purged" in shown.err
    assert "a purge cannot be undone; the old branch is kept in refs/lerim/purged/" in undone.err


def test_it_asks_and_without_a_terminal_does_nothing(world: World, ann: Repo) -> None:
    id_ = leaked(ann)
    tip = ann.git("rev-parse", REF)

    asked = world.lerim(ann.path, "purge", id_)

    assert asked.code == 1
    assert id_ in asked.err
    assert ", rewriting " in asked.err
    assert ann.git("rev-parse", REF) == tip
    assert ann.git("for-each-ref", "refs/lerim/purged") == ""


def test_the_question_names_a_memory_by_its_latest_title(ann: Repo) -> None:
    id_ = remember(ann, "Prices are rounded half to even.")

    for day in range(7):
        title = f"Prices are rounded up, version {day}"
        with contextlib.chdir(ann.path):
            new = edit_memory.edit(open_workspace(), id_, partial(replace, title=title))
            planned = purge.plan(open_workspace(), [id_])
        assert new.memories[0].title == title
        assert planned.named == ((id_, title),)


def test_an_id_that_stands_where_a_remote_does_is_told_its_place(world: World, ann: Repo) -> None:
    id_ = leaked(ann)

    purged = world.lerim(ann.path, "purge", "--push", id_, "--yes")

    assert purged.code == 2
    assert "put its ID before --push" in purged.err


def test_it_rewrites_as_many_commits_as_it_asked_for(world: World, ann: Repo) -> None:
    id_ = leaked(ann)
    assert (
        world.lerim(ann.path, "remember", "Words that wait.", "--propose").code == 0
    )  # which leaves refs that follow

    asked = world.lerim(ann.path, "purge", id_)
    done = world.lerim(ann.path, "purge", id_, "--yes", "--json")

    assert f"rewriting {done.json['rewritten']} commits?" in asked.err


def test_one_ref_keeps_it_and_nothing_else_of_ours_does(world: World, ann: Repo) -> None:
    id_ = leaked(ann)
    world.lerim(ann.path, "search", "vault")
    tip = ann.git("rev-parse", REF)

    purged = world.lerim(ann.path, "purge", id_, "--yes")

    kept = ann.git("for-each-ref", "--format=%(refname)", "refs/lerim/purged")
    assert ann.git("rev-parse", kept) == tip
    assert f"{kept} still has the old history" in purged.err
    others = [
        name for name in ann.git("for-each-ref", "--format=%(refname)").split("\n") if name != kept
    ]
    assert "mellon" not in reachable(ann, *others, "--reflog")
    for path in (ann.path / ".git/lerim").rglob("*"):
        assert not path.is_file() or b"mellon" not in path.read_bytes(), path
    assert "not an ancestor" not in world.lerim(ann.path, "doctor").out
    assert kept in world.lerim(ann.path, "doctor").out
    ann.git("update-ref", "-d", kept)
    ann.git("gc", "-q", "--prune=now")
    assert ann.git("cat-file", "-t", tip, check=False) == ""
    assert kept not in world.lerim(ann.path, "doctor").out


def test_a_purge_that_was_ended_early_is_finished_by_the_next(world: World, ann: Repo) -> None:
    id_ = leaked(ann)
    world.lerim(ann.path, "purge", id_, "--yes")
    tip = ann.git("rev-parse", REF)
    old = ann.git("for-each-ref", "--format=%(objectname)", "refs/lerim/purged")
    ann.git("update-ref", "refs/lerim/backup/memory", old)

    again = world.lerim(ann.path, "purge", id_, "--yes")

    assert again.code == 0, again.err
    assert ann.git("rev-parse", REF) == tip == ann.git("rev-parse", "refs/lerim/backup/memory")


def test_no_sync_adds_it_again(world: World, ann: Repo) -> None:
    world.session("claude-catalog.jsonl", ann.path)
    assert world.lerim(ann.path, "sync", "--window", "all").code == 0
    rows = world.lerim(ann.path, "list", "--json").json
    id_ = next(row["id"] for row in rows if row["primitive"] == "decision")

    purged = world.lerim(ann.path, "purge", id_, "--yes")

    assert f"claude/{CATALOG}" in purged.err
    assert b"single writer" not in (ann.path / ".git/lerim/cache/transcripts.sqlite3").read_bytes()
    forced = world.lerim(ann.path, "sync", "--session", CATALOG, "--force").err
    assert f"claude/{CATALOG} contains purged data, so it is not extracted" in forced
    assert "by you" not in forced
    for words in (
        ("sync", "--window", "all"),
        ("reset", "--yes"),
        ("sync", "--window", "all", "--force"),
    ):
        done = world.lerim(ann.path, *words)
        assert done.code == 0
        assert (f"= {id_}  was purged" in done.out) == ("--force" in words)
        assert id_ not in {
            row["id"] for row in world.lerim(ann.path, "list", "--all", "--json").json
        }
    assert id_ not in ann.git("log", "--format=%B", REF)


def test_a_summary_is_purged_by_its_id(world: World, ann: Repo) -> None:
    world.session("claude-catalog.jsonl", ann.path)
    world.lerim(ann.path, "sync", "--window", "all")
    path = ann.git("ls-tree", "-r", "--name-only", REF, "summaries")
    id_ = next(
        line for line in ann.git("show", f"{REF}:{path}").split("\n") if line.startswith("id: ")
    )[4:].strip('"')

    assert world.lerim(ann.path, "purge", id_, "--yes").code == 0

    assert path not in ann.git("log", "--name-only", "--format=", REF)
    world.lerim(ann.path, "reset", "--yes")
    world.lerim(ann.path, "sync", "--window", "all", "--force")
    assert ann.git("ls-tree", "-r", "--name-only", REF, "summaries") == ""


def test_a_memory_that_stands_in_the_past_alone_is_found(world: World, ann: Repo) -> None:
    id_ = leaked(ann)
    path = ann.git("ls-tree", "-r", "--name-only", REF, "archived")
    stream = (
        f"commit {REF}\ncommitter X <x@example.com> 1800000000 +0000\ndata 1\nx\nfrom"
        f" {ann.git('rev-parse', REF)}\nD {path}\n"
    )
    ann.git("fast-import", "--quiet", stdin=stream)

    assert world.lerim(ann.path, "purge", id_, "--yes").code == 0
    assert "mellon" not in reachable(ann, REF)
    assert world.lerim(ann.path, "purge", "zzzzz", "--yes").code == 1


def shared(world: World, ann: Repo, bob: Repo) -> str:
    """Let a leak be shared by two."""
    id_ = leaked(ann)
    assert world.lerim(ann.path, "push", "--yes").code == 0
    assert world.lerim(bob.path, "pull").code == 0
    return id_


def test_a_push_after_it_forces_nothing_and_names_the_way(
    world: World, ann: Repo, bob: Repo, hub: Repo
) -> None:
    id_ = shared(world, ann, bob)
    world.lerim(ann.path, "purge", id_, "--yes")
    there = hub.git("rev-parse", REF)

    pushed = world.lerim(ann.path, "push", "--yes")

    assert pushed.code == 1
    assert "origin still has memories that were purged here" in pushed.err
    assert "git lerim purge --push" in pushed.err
    assert hub.git("rev-parse", REF) == there
    asked = world.lerim(ann.path, "purge", "--push")
    assert asked.code == 1
    assert str(hub.path) in asked.err
    assert hub.git("rev-parse", REF) == there

    forced = world.lerim(ann.path, "purge", "--push", "origin", "--yes")

    assert forced.code == 0, forced.err
    assert "mellon" not in reachable(hub, REF)
    assert "clones, forks and bundles" in forced.err
    assert "still has memories that were purged here" not in forced.err
    assert "mellon" not in reachable(ann, REF, "refs/remotes/origin/lerim/memory")
    assert "Nothing to push" in world.lerim(ann.path, "push", "--yes").out


def test_what_others_pushed_meanwhile_is_kept(
    world: World, ann: Repo, bob: Repo, hub: Repo
) -> None:
    id_ = shared(world, ann, bob)
    remember(bob, "Bob was faster.")
    assert world.lerim(bob.path, "push", "--yes").code == 0

    forced = world.lerim(ann.path, "purge", id_, "--push", "--yes")
    assert "git lerim purge --push" not in forced.err

    assert forced.code == 0, forced.err
    assert "mellon" not in reachable(hub, REF)
    assert "Bob was faster" in titles(ann)


@pytest.mark.parametrize("verb", ["pull", "remember"])
def test_a_colleague_s_clone_does_not_bring_it_back(
    world: World, ann: Repo, bob: Repo, hub: Repo, verb: str
) -> None:
    id_ = shared(world, ann, bob)
    remember(bob, "Bob found this.")
    world.lerim(ann.path, "purge", id_, "--push", "--yes")

    if verb == "remember":
        bob.git("fetch", "-q", "origin", f"+{REF}:refs/remotes/origin/lerim/memory")
        assert "git lerim pull deletes them here" in world.lerim(bob.path, "list").err
        remember(bob, "Bob wrote after a fetch.")
    else:
        pulled = world.lerim(bob.path, "pull")
        assert "refs/lerim/purged/" in pulled.err
    assert world.lerim(bob.path, "push", "--yes").code == 0
    world.lerim(ann.path, "pull")

    assert "mellon" not in reachable(hub, REF) + reachable(bob, REF, "refs/lerim/backup/memory")
    assert "Bob found this" in titles(ann)
    assert ann.git("rev-parse", REF) == bob.git("rev-parse", REF)


def test_a_clone_without_own_work_gets_the_very_same_history(
    world: World, ann: Repo, bob: Repo
) -> None:
    id_ = shared(world, ann, bob)
    other = remember(ann, "A second leak.")
    world.lerim(ann.path, "purge", id_, "--push", "--yes")
    world.lerim(ann.path, "purge", other, "--push", "--yes")

    world.lerim(bob.path, "pull")

    assert bob.git("rev-parse", REF) == ann.git("rev-parse", REF)
    assert bob.git("log", "--merges", "--format=%H", REF) == ""


def test_a_purge_of_what_was_never_pushed_holds_nothing_of_the_remote_back(
    ann: Repo, bob: Repo
) -> None:
    remember(ann, "Prices are rounded half to even.")
    lerim(ann.path, "push", "--yes")
    lerim(bob.path, "pull")
    leak = remember(ann, TITLE)
    lerim(ann.path, "purge", leak, "--yes")
    remember(bob, "Tests need TZ=UTC.")
    lerim(bob.path, "push", "--yes")
    ann.git("fetch", "-q")

    for _ in range(2):
        listed = lerim(ann.path, "list")
        assert "Tests need TZ=UTC" in listed.out
        assert listed.err == ""
    assert "purge --push" not in lerim(ann.path, "doctor").out
    lerim(ann.path, "pull")
    assert lerim(ann.path, "push", "--yes").code == 0
    assert "mellon" not in reachable(ann, REF)


def test_a_clone_made_after_a_purge_reads_what_the_team_has_at_once(ann: Repo, bob: Repo) -> None:
    leak = leaked(ann)
    lerim(ann.path, "push", "--yes")
    lerim(ann.path, "purge", leak, "--push", "--yes")
    bob.git("fetch", "-q")
    remember(bob, "Builds take ten minutes.")

    listed = lerim(bob.path, "list")

    assert "Tests need TZ=UTC" in listed.out
    assert "Builds take ten minutes" in listed.out
    assert listed.err == ""
    assert lerim(bob.path, "push", "--yes").code == 0
    assert "mellon" not in reachable(bob, REF)


def test_two_who_purge_different_memories_end_with_both(
    world: World, ann: Repo, bob: Repo, hub: Repo
) -> None:
    first = leaked(ann)
    second = remember(ann, "A second leak of sesame.")
    world.lerim(ann.path, "push", "--yes")
    world.lerim(bob.path, "pull")

    world.lerim(bob.path, "purge", second, "--yes")
    world.lerim(ann.path, "purge", first, "--push", "--yes")
    assert world.lerim(bob.path, "purge", "--push", "--yes").code == 0
    waits = world.lerim(ann.path, "pull")
    assert second in waits.out  # she wrote it herself
    world.lerim(ann.path, "pull", "--accept-purges")
    assert world.lerim(ann.path, "push").code == 0
    world.lerim(bob.path, "pull")

    assert ann.git("rev-parse", REF) == bob.git("rev-parse", REF) == hub.git("rev-parse", REF)
    held = reachable(hub, REF)
    assert "mellon" not in held
    assert "sesame" not in held


def test_a_bundle_of_old_does_not_bring_it_back(world: World, ann: Repo, tmp_path: Path) -> None:
    id_ = leaked(ann)
    world.lerim(ann.path, "backup", str(tmp_path / "old.bundle"))
    world.lerim(ann.path, "purge", id_, "--yes")

    restored = world.lerim(ann.path, "backup", "restore", str(tmp_path / "old.bundle"))

    assert restored.code == 0, restored.err
    assert "mellon" not in reachable(ann, REF)


def test_merges_are_kept(world: World, ann: Repo, bob: Repo) -> None:
    remember(bob, "Bob began alone.")
    world.lerim(bob.path, "push", "--yes")
    id_ = leaked(ann)
    world.lerim(ann.path, "pull")
    assert ann.git("rev-list", "--merges", "--count", REF) == "1"

    world.lerim(ann.path, "purge", id_, "--yes")

    assert ann.git("rev-list", "--merges", "--count", REF) == "1"
    assert "mellon" not in reachable(ann, REF)
    assert world.lerim(ann.path, "push", "--yes").code == 0  # the leak was never there


def test_the_user_s_own_branches_are_left_alone_and_named(world: World, ann: Repo) -> None:
    id_ = leaked(ann)
    ann.git("branch", "mine", REF)
    before = ann.git("rev-parse", "HEAD", "mine")

    purged = world.lerim(ann.path, "purge", id_, "--yes")

    assert ann.git("rev-parse", "HEAD", "mine") == before
    assert "refs/heads/mine still contains the purged text" in purged.err


def test_a_proposal_accepted_in_part_is_named_each_time_that_it_still_holds_a_leak(
    ann: Repo, bob: Repo
) -> None:
    remember(ann, "Prices are rounded half to even.")
    lerim(ann.path, "push", "--yes")
    lerim(bob.path, "pull")
    leak = lerim(bob.path, "remember", "--propose", TITLE).out.split()[0]
    lerim(bob.path, "remember", "--propose", "Tests need TZ=UTC.")
    lerim(bob.path, "review", "--open", "--yes")
    lerim(ann.path, "pull")
    ref = ann.git("for-each-ref", "--format=%(refname)", "refs/remotes/origin/lerim/proposal")
    proposal = lerim(ann.path, "review", "list").out.split()[0]
    lerim(ann.path, "review", "accept", proposal, leak, "--yes")
    lerim(ann.path, "push", "--yes")
    ann.git("tag", "tree", f"{REF}^{{tree}}")

    for _ in range(2):
        purged = lerim(ann.path, "purge", leak, "--yes", "--push")
        assert (
            f"{ref} still contains the purged text; to replace it there: git lerim review"
            in purged.err
        )
        assert "refs/tags/tree still contains the purged text" in purged.err
        assert "refs/remotes/origin/lerim/memory" not in purged.err
        checked = lerim(ann.path, "doctor").out
        assert f"{ref} still contains purged data" in checked
        assert "refs/tags/tree still contains purged data" in checked
    ann.git("update-ref", "-d", ref)
    ann.git("tag", "-d", "tree")
    assert "still contains purged data\n" not in lerim(ann.path, "doctor").out
    assert "still contains the purged text" not in lerim(ann.path, "purge", leak, "--yes").err


def test_the_author_is_told_how_a_published_proposal_loses_what_was_purged(
    ann: Repo, bob: Repo
) -> None:
    leak = lerim(bob.path, "remember", TITLE).out.split()[0]
    lerim(bob.path, "push", "--yes")
    lerim(bob.path, "edit", leak, "--title", f"{TITLE} again", "--propose")
    lerim(bob.path, "review", "--open", "--yes")
    ref = bob.git("for-each-ref", "--format=%(refname)", "refs/remotes/origin/lerim/proposal")
    name = ref.removeprefix("refs/remotes/origin/")
    lerim(ann.path, "pull")
    assert lerim(ann.path, "purge", leak, "--yes", "--push").code == 0
    lerim(bob.path, "pull")

    accepted = lerim(bob.path, "pull", "--accept-purges").err

    assert f"{ref} still contains the purged text; " in accepted
    opened = lerim(bob.path, "review", "--open", "--yes").err
    assert f"origin still has {name}; to withdraw what is yours, delete its branch" in opened
    way = "its author deletes that branch on the remote"
    assert way in accepted
    assert way in lerim(bob.path, "doctor").out
    bob.git("push", "-q", "--delete", "origin", name)
    assert "origin/lerim/proposal" not in lerim(bob.path, "doctor").out
    assert "to propose changes, use" in lerim(bob.path, "review", "--open", "--yes").err


def test_no_message_has_a_whole_destructive_command(world: World, ann: Repo, bob: Repo) -> None:
    id_ = shared(world, ann, bob)
    said = [
        world.lerim(ann.path, "purge", id_),
        world.lerim(ann.path, "purge", id_, "--yes"),
        world.lerim(ann.path, "push"),
    ]
    said += [
        world.lerim(ann.path, "purge", "--push"),
        world.lerim(ann.path, "doctor"),
        world.lerim(ann.path, "purge"),
    ]

    text = "".join(ran.out + ran.err for ran in said)
    for command in (
        "update-ref -d",
        "push --force",
        "push -f",
        "branch -D",
        "rm -",
        "gc --prune",
        "reset --hard",
        "filter-",
    ):
        assert command not in text


def logged(repo: Repo) -> str:
    """Return all that refs and reflogs lead to, except the ref that keeps the old history."""
    return reachable(repo, "--exclude=refs/lerim/purged/*", "--all", "--reflog")


def test_no_reflog_keeps_it_once_the_proposal_is_replaced_too(ann: Repo) -> None:
    id_ = remember(ann, TITLE)
    assert lerim(ann.path, "push", "--yes").code == 0
    assert lerim(ann.path, "remember", "--propose", "Logs are JSON because of jq.").code == 0
    assert lerim(ann.path, "review", "--open", "--yes").code == 0
    assert lerim(ann.path, "purge", id_, "--push", "--yes").code == 0
    assert "mellon" in logged(ann)

    assert lerim(ann.path, "review", "--open", "--yes").code == 0

    assert "mellon" not in logged(ann)


def test_a_colleague_s_pull_leaves_it_in_no_reflog(ann: Repo, bob: Repo) -> None:
    id_ = remember(ann, TITLE)
    assert lerim(ann.path, "remember", "--propose", "Logs are JSON because of jq.").code == 0
    assert lerim(ann.path, "push", "--yes").code == 0
    assert lerim(ann.path, "review", "--open", "--yes").code == 0
    assert lerim(bob.path, "pull").code == 0
    remember(bob, "Prices are rounded half to even.")
    assert lerim(ann.path, "purge", id_, "--push", "--yes").code == 0
    assert lerim(bob.path, "pull").code == 0
    assert lerim(ann.path, "review", "--open", "--yes").code == 0

    assert lerim(bob.path, "pull").code == 0

    assert "mellon" not in logged(bob)
    assert "Prices are rounded half to even" in titles(bob)


def test_doctor_names_a_reflog_that_keeps_it_and_cleans_those_of_ours(ann: Repo) -> None:
    id_ = remember(ann, TITLE)
    assert lerim(ann.path, "push", "--yes").code == 0
    ann.git("branch", "mine", REF)
    old = ann.git("rev-parse", REF)
    assert lerim(ann.path, "purge", id_, "--push", "--yes").code == 0
    ann.git("branch", "-f", "mine", REF)
    new = ann.git("rev-parse", REF)
    for value in (old, new):  # as a fetch by git itself does
        ann.git("update-ref", "refs/remotes/origin/lerim/memory", value)

    told = lerim(ann.path, "doctor").out

    assert "the reflog of refs/heads/mine still leads to purged data" in told
    assert "removed from backups and reflogs what a purge or a fetch had left there" in told
    ann.git("reflog", "expire", "--expire-unreachable=now", "refs/heads/mine")
    assert "mellon" not in logged(ann)
    assert "the reflog of" not in lerim(ann.path, "doctor").out


def test_nothing_false_is_said_after_a_whole_purge(ann: Repo) -> None:
    id_ = remember(ann, TITLE)
    assert lerim(ann.path, "push", "--yes").code == 0
    assert lerim(ann.path, "remember", "--propose", "Logs are JSON because of jq.").code == 0
    assert lerim(ann.path, "review", "--open", "--yes").code == 0

    ran = lerim(ann.path, "purge", id_, "--push", "--yes")

    assert "Replaced the history on origin" in ran.out
    assert "still has memories purged here" not in ran.err
    assert lerim(ann.path, "list").code == 0  # makes caches again
    assert "had left there" not in lerim(ann.path, "doctor").out
