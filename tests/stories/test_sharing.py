"""Two people, each with a clone, and a remote between them."""

import os
import shutil
import stat
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest
from support.claude import Recording
from support.memories import memory
from support.repos import Repo, bare, cloned
from support.stores import store_at
from support.troubles import program, read_only
from support.world import World

from git_lerim.actions.sharing import push
from git_lerim.git.remote import network
from git_lerim.memories.format.frontmatter import render
from git_lerim.memories.memory import Source
from git_lerim.memories.naming import memory_id, path_of
from git_lerim.storage.base import Change
from git_lerim.workspace import open_workspace

TOKEN = "ghp_" + "wJ4Wq7Zr2Kd8Xt5Vb1Nm3Pc6Yh9Lf0Sg2Aa4"
REF = "refs/heads/lerim/memory"


def ids(world: World, repo: Repo) -> dict[str, str]:
    return {
        row["title"]: row["id"] for row in world.lerim(repo.path, "list", "--all", "--json").json
    }


def remember(world: World, repo: Repo, text: str) -> None:
    assert world.lerim(repo.path, "remember", text).code == 0


def test_what_one_remembers_the_other_has_after_push_and_pull(
    world: World, ann: Repo, bob: Repo
) -> None:
    remember(world, ann, "Prices are rounded half to even.")
    remember(world, bob, "Tests need TZ=UTC.")

    first = world.lerim(ann.path, "push", "--yes")
    second = world.lerim(bob.path, "push", "--yes", "--json").json
    third = world.lerim(ann.path, "pull")

    assert "Pushed to origin" in first.out
    assert second["moved"]
    assert len(second["pulled"]["added"]) == 1
    assert third.out.splitlines()[0] == "Pulled 1 new memory from origin"
    assert ids(world, ann) == ids(world, bob)
    assert ann.git("rev-parse", REF) == bob.git("rev-parse", REF)
    assert world.lerim(ann.path, "pull").out == "already up to date\n"
    assert "Nothing to push to origin" in world.lerim(ann.path, "push").out


def test_a_pull_from_a_remote_without_a_memory_says_how_to_share(world: World, ann: Repo) -> None:
    remember(world, ann, "Prices are rounded half to even.")

    pulled = world.lerim(ann.path, "pull")

    said = "origin has no memory yet; to share yours: git lerim push\n"
    assert (pulled.code, pulled.out, pulled.err) == (0, "", said)


def test_what_was_not_pushed_yet_is_shown_by_diff(world: World, ann: Repo) -> None:
    remember(world, ann, "Prices are rounded half to even.")
    remember(world, ann, "Tests need TZ=UTC.")

    first = world.lerim(ann.path, "diff", "--unpushed").out
    world.lerim(ann.path, "push", "--yes")
    nothing = world.lerim(ann.path, "diff", "--unpushed")
    remember(world, ann, "Dates are written in ISO 8601.")
    later = world.lerim(ann.path, "diff", "--unpushed").out

    assert "Prices are rounded" in first
    assert "Tests need TZ" in first
    assert (nothing.out, nothing.err) == ("", "no changes\n")
    assert "Dates are written" in later
    assert "Prices are rounded" not in later
    assert world.lerim(ann.path, "diff", "HEAD", "--unpushed").code == 2


def test_status_names_the_tip_of_the_branch_and_what_is_read_with_it(
    world: World, ann: Repo, bob: Repo
) -> None:
    world.lerim(ann.path, "remember", "Tests need TZ=UTC.")
    world.lerim(ann.path, "push", "--yes")
    world.lerim(bob.path, "remember", "Prices are cents.")
    bob.git("fetch", "-q")

    status = world.lerim(bob.path, "status")

    tip = bob.git("rev-parse", "lerim/memory")
    assert status.out.startswith(f"branch    lerim/memory at {tip[:10]}, last changed ")
    assert ", read together with origin/lerim/memory\n" in status.out
    assert world.lerim(bob.path, "status", "--json").json["commit"] == tip
    world.lerim(bob.path, "pull")
    assert "read together" not in world.lerim(bob.path, "status").out


def test_a_pull_counts_what_others_changed_and_no_mere_look_at_it(
    world: World, ann: Repo, bob: Repo
) -> None:
    remember(world, ann, "Prices are rounded half to even.")
    remember(world, ann, "Tests need TZ=UTC.")
    world.lerim(ann.path, "push", "--yes")
    world.lerim(bob.path, "pull")
    edited, shown = (
        ids(world, ann)["Prices are rounded half to even"],
        ids(world, ann)["Tests need TZ=UTC"],
    )

    world.lerim(ann.path, "search", "TZ")
    world.lerim(ann.path, "edit", edited, "--title", "Prices are rounded up")
    world.lerim(ann.path, "push")

    assert "last_accessed: null" not in world.lerim(ann.path, "show", "--raw", shown).out
    told = (
        f"Pulled 0 new memories, 1 changed from origin\n"
        f"changed   {edited}  from Ada Tester: Prices are rounded up\n"
    )
    assert world.lerim(bob.path, "pull").out == told


def test_a_pull_names_what_both_sides_had_changed_and_a_few_of_much(
    world: World, ann: Repo, bob: Repo
) -> None:
    for n in range(7):
        remember(world, ann, f"Fact number {n} of seven.")
    world.lerim(ann.path, "push", "--yes")

    told = world.lerim(bob.path, "pull").out.splitlines()

    assert told[0] == "Pulled 7 new memories from origin"
    known = {id_: title for title, id_ in ids(world, ann).items()}
    assert all(line.endswith(f"  from Ada Tester: {known[line.split()[1]]}") for line in told[1:6])
    assert told[6:] == ["new       and 2 more; git lerim log -v lists them"]

    id_ = ids(world, ann)["Fact number 3 of seven"]
    world.lerim(ann.path, "edit", id_, "--title", "The third of seven")
    world.lerim(ann.path, "push")
    world.lerim(bob.path, "protect", id_)
    assert (
        world.lerim(bob.path, "pull").out == f"Pulled 0 new memories, 1 merged from origin\n"
        f"merged    {id_}  from Ada Tester: The third of seven\n"
    )


def test_a_pull_says_of_what_changed_that_it_was_archived(
    world: World, ann: Repo, bob: Repo
) -> None:
    remember(world, ann, "Prices are rounded half to even.")
    world.lerim(ann.path, "push", "--yes")
    world.lerim(bob.path, "pull")
    id_ = ids(world, ann)["Prices are rounded half to even"]
    world.lerim(ann.path, "forget", id_)
    world.lerim(ann.path, "push")

    assert (
        f"changed   {id_}  from Ada Tester: Prices are rounded half to even  (archived)\n"
        in world.lerim(bob.path, "pull").out
    )


def test_a_pull_says_that_it_brought_a_handoff_and_what_became_of_it(
    world: World, ann: Repo, bob: Repo
) -> None:
    remember(world, ann, "Prices are rounded half to even.")
    world.lerim(ann.path, "push", "--yes")
    world.lerim(bob.path, "pull")
    id_ = world.lerim(ann.path, "handoff", "begin", "Prices are floats.", "--json").json["id"]
    world.lerim(ann.path, "push")

    assert (
        world.lerim(bob.path, "pull").out == "Pulled 1 new handoff from origin\n"
        f"handoff   {id_}  from Ada Tester: Prices are floats\n"
    )
    world.lerim(ann.path, "handoff", "claim", "--agent", "codex")
    world.lerim(ann.path, "push")
    came = world.lerim(bob.path, "pull").out
    assert came.startswith(
        f"Pulled 1 changed handoff from origin\nhandoff   {id_}  from Ada Tester: Prices are floats"
        "  (was claimed by Ada Tester <"
    )
    assert " for codex at 20" in came
    other = world.lerim(bob.path, "handoff", "begin", "Totals are wrong.", "--json").json["id"]
    world.lerim(bob.path, "push", "--yes")
    told = world.lerim(ann.path, "pull", "--json").json
    assert (told["handoffs"], told["handoffs_changed"], told["claims_lost"], told["summaries"]) == (
        [other],
        [],
        [],
        [],
    )


def test_a_pull_says_that_it_brought_a_summary(world: World, ann: Repo, bob: Repo) -> None:
    world.session("claude-catalog.jsonl", ann.path)
    assert world.lerim(ann.path, "sync", "--window", "all").code == 0
    world.lerim(ann.path, "push", "--yes")

    assert ", 1 new summary from origin\n" in world.lerim(bob.path, "pull").out


def test_who_claimed_a_handoff_after_another_is_told_at_the_next_pull(
    world: World, ann: Repo, bob: Repo
) -> None:
    bob.git("config", "user.name", "Bob Tester")
    id_ = world.lerim(ann.path, "handoff", "begin", "Prices are floats.", "--json").json["id"]
    world.lerim(ann.path, "push", "--yes")
    world.lerim(bob.path, "pull")
    world.lerim(ann.path, "handoff", "claim", id_, "--agent", "codex")
    time.sleep(1.1)  # a claim is dated to the second
    world.lerim(bob.path, "handoff", "claim", id_, "--agent", "claude")
    world.lerim(ann.path, "push")

    lost = world.lerim(bob.path, "push", "--yes")

    assert (
        f"lost      {id_}  from Ada Tester: Prices are floats  (you had claimed it; it was claimed"
        " by Ada Tester <ada" in lost.out
    )
    assert "the earlier claim wins" in lost.err
    assert world.lerim(ann.path, "pull").out == "Pulled 0 new memories from origin\n"


def test_who_lost_a_claim_is_told_in_json_who_has_it(world: World, ann: Repo, bob: Repo) -> None:
    id_ = world.lerim(ann.path, "handoff", "begin", "Prices are floats.", "--json").json["id"]
    world.lerim(ann.path, "push", "--yes")
    world.lerim(bob.path, "pull")
    world.lerim(ann.path, "handoff", "claim", id_, "--agent", "codex")
    time.sleep(1.1)
    world.lerim(
        bob.path, "handoff", "claim", id_, "--agent", "claude"
    )  # another machine of the same person
    world.lerim(ann.path, "push")

    told = world.lerim(bob.path, "pull", "--json").json

    assert [(lost["id"], lost["claimed_by"]["agent"]) for lost in told["claims_lost"]] == [
        (id_, "codex")
    ]


def test_the_first_push_to_a_place_asks_and_the_next_does_not(
    world: World, ann: Repo, bob: Repo, tmp_path: Path
) -> None:
    remember(world, ann, "Prices are rounded half to even.")

    asked = world.lerim(ann.path, "push")
    assert asked.code == 1
    assert str(tmp_path / "hub") in asked.err
    assert "will be able to read them" in asked.err
    assert bob.git("ls-remote", "origin") == ""

    assert world.lerim(ann.path, "push", "--yes").code == 0
    remember(world, ann, "Tests need TZ=UTC.")
    assert world.lerim(ann.path, "push").code == 0

    other = bare(tmp_path / "fork")
    ann.git("remote", "set-url", "origin", str(other.path))
    assert "fork" in world.lerim(ann.path, "push").err  # the name is the same, the place is not


def test_the_question_before_the_first_push_counts_what_leaves_now(
    world: World, ann: Repo, bob: Repo
) -> None:
    for text in ("Prices are rounded half to even.", "Tests need TZ=UTC."):
        remember(world, ann, text)
    assert "push 2 memories to origin" in world.lerim(ann.path, "push").err
    world.lerim(ann.path, "push", "--yes")
    world.lerim(bob.path, "pull")

    assert "push all future memories to origin" in world.lerim(bob.path, "push").err
    remember(world, bob, "The cache is cleared at midnight.")

    asked = world.lerim(bob.path, "push")
    assert "push 1 memory to origin" in asked.err
    assert "will be able to read them" in asked.err


def test_a_push_says_that_earlier_versions_and_archived_memories_go_along(
    world: World, ann: Repo
) -> None:
    remember(world, ann, "Tests need TZ=UTC.")
    quiet = world.lerim(ann.path, "push")
    assert "a push includes" not in quiet.err
    remember(world, ann, "The codename is Walrus because of fun.")
    remember(world, ann, "The client Zanzibar pays late.")
    edited, archived = (
        world.lerim(ann.path, "search", word, "--json").json[0]["id"]
        for word in ("Walrus", "Zanzibar")
    )
    world.lerim(ann.path, "edit", edited, "--title", "Nothing here", "--body", "Nothing.")
    world.lerim(ann.path, "forget", archived)
    line = (
        "a push includes earlier versions of 1 memory and 1 archived memory; to see: git log -p"
        " lerim/memory; to remove one: git lerim purge ID\n"
    )

    assert line in world.lerim(ann.path, "push").err
    dry = world.lerim(ann.path, "push", "--dry-run")
    assert line in dry.out
    assert f"  {edited}  Nothing here  (with earlier versions)\n" in dry.out
    assert f"  {archived}  The client Zanzibar pays late  (archived)\n" in dry.out
    told = world.lerim(ann.path, "push", "--dry-run", "--json").json
    assert (told["earlier"], told["archived"]) == ([edited], [archived])
    unpushed = world.lerim(ann.path, "diff", "--unpushed")
    assert line in unpushed.err
    assert "    status:  → archived\n" in unpushed.out
    world.lerim(ann.path, "push", "--yes")
    assert world.lerim(ann.path, "diff", "--unpushed").err == "no changes\n"


def test_a_secret_in_any_version_stops_the_push_and_is_not_named(
    world: World, ann: Repo, hub: Repo
) -> None:
    remember(world, ann, "Prices are rounded half to even.")
    path = next(
        iter(ann.git("ls-tree", "-r", "--name-only", REF, "learnings", "decisions").split("\n"))
    )
    text = ann.git("show", f"{REF}:{path}")
    for body in (text + f"\nThe token is {TOKEN}.\n", text + "\n"):
        stream = (
            f"commit {REF}\ncommitter X <x@example.com> 1800000000 +0000\ndata 1\nx\nfrom"
            f" {ann.git('rev-parse', REF)}\n"
        )
        stream += f"M 100644 inline {path}\ndata {len(body.encode())}\n{body}\n"
        ann.git("fast-import", "--quiet", stdin=stream)

    pushed = world.lerim(ann.path, "push", "--yes")

    assert pushed.code == 1
    assert f"possible secret in {path[-16:-3]}, line {len(text.split(chr(10))) + 1}" in pushed.err
    assert (
        "half-to-even" not in pushed.err
    )  # the name of a file has words of its title, which can be those of a secret
    assert TOKEN not in pushed.err + pushed.out
    assert "delete it with git lerim purge ID" in pushed.err
    ann.git("replace", f"{REF}~1", f"{REF}~2")  # git sends the commit as it was
    assert world.lerim(ann.path, "push", "--yes").code == 1
    assert hub.git("for-each-ref") == ""


def test_where_no_remote_is_known_the_line_that_adds_one_names_the_repository_that_is_meant(
    world: World, ann: Repo
) -> None:
    assert world.lerim(ann.path, "remember", "I like tabs.", "--personal").code == 0

    refused = world.lerim(ann.path, "push", "--personal")

    assert refused.code == 2
    assert "memory.git remote add origin URL" in refused.err
    ann.git("remote", "remove", "origin")
    refused = world.lerim(ann.path, "push")
    assert "to add it: git remote add origin URL" in refused.err


@pytest.mark.parametrize("verb", ["pull", "push"])
def test_a_token_in_a_url_is_not_printed(world: World, ann: Repo, verb: str) -> None:
    world.lerim(ann.path, "remember", "Prices are in cents", "--type", "decision")
    ann.git("remote", "remove", "origin")

    for who in ("ada:t0ken", "t0ken"):
        refused = world.lerim(ann.path, verb, f"https://{who}@example.org/shop.git")
        assert "t0ken" not in refused.out + refused.err
        assert "no such remote: 'https://example.org/shop.git'" in refused.err
        assert "git remote add origin URL" in refused.err


def test_a_remote_that_refuses_is_quoted_and_not_tried_again(
    world: World, ann: Repo, hub: Repo
) -> None:
    hook = hub.path / "hooks" / "pre-receive"
    hook.write_text(
        "#!/bin/sh\necho x >> calls\necho 'GH006: Protected branch update failed' >&2\nexit 1\n"
    )
    hook.chmod(hook.stat().st_mode | stat.S_IEXEC)
    remember(world, ann, "Prices are rounded half to even.")

    pushed = world.lerim(ann.path, "push", "--yes")

    assert pushed.code == 1
    assert "GH006: Protected branch update failed" in pushed.err
    assert (hub.path / "calls").read_text() == "x\n"
    assert "review --open" not in pushed.err  # which needs the branch that nobody could push
    assert "ask its owner to allow pushes to lerim/memory" in pushed.err


def test_push_options_that_the_remote_does_not_know_are_named_with_the_way_out(
    world: World, hub: Repo, ann: Repo
) -> None:
    world.lerim(ann.path, "remember", "Prices are rounded half to even.")
    hub.git("config", "receive.advertisePushOptions", "false")
    ann.git("config", "push.pushOption", "ci.skip")

    pushed = world.lerim(ann.path, "push", "--yes")
    again = world.lerim(
        ann.path, "push", "--yes", env={"GIT_CONFIG_PARAMETERS": "'push.pushOption='"}
    )

    assert pushed.code == 1
    assert "origin: the receiving end does not support push options\n" in pushed.err
    assert "git -c push.pushOption= lerim push" in pushed.err
    assert again.code == 0, again.err


def test_where_the_remote_has_no_memory_a_proposal_says_who_can_begin_it(
    world: World, ann: Repo
) -> None:
    ann.git("config", "lerim.review", "proposal")
    remember(world, ann, "Prices are rounded half to even.")

    opened = world.lerim(ann.path, "review", "--open", "--yes")

    assert opened.code == 1
    assert "ask someone with push access to run git lerim push first" in opened.err


DENIED = {
    "a key that it does not know": (
        "exit 255",
        "",
        "ann@example.org: Permission denied (publickey).",
    ),
    "no right to write": (
        "exit 1",
        "git-receive-pack",
        "ERROR: Permission to team/shop.git denied to ann.",
    ),
}


@pytest.mark.parametrize("why", DENIED)
def test_who_may_not_write_there_is_told_so_in_the_remotes_words(
    why: str, world: World, ann: Repo, hub: Repo, tmp_path: Path
) -> None:
    ends, at, says = DENIED[why]
    ssh = f'case "$*" in *{at}*) echo "{says}" >&2; {ends};; esac; exec git-upload-pack {hub.path}'
    ann.git("config", "core.sshCommand", str(program(tmp_path / "bin", "ssh", ssh) / "ssh"))
    ann.git("remote", "set-url", "origin", "ann@example.org:team/shop.git")
    remember(world, ann, "Prices are rounded half to even.")
    tip = ann.git("rev-parse", REF)

    pushed = world.lerim(ann.path, "push", "--yes")

    assert pushed.code == 1
    assert says.removeprefix("ERROR: ") in pushed.err
    assert "hint: nothing was changed; ask its owner for access" in pushed.err
    assert ann.git("rev-parse", REF) == tip
    assert hub.git("for-each-ref") == ""


def test_a_remote_whose_disk_takes_nothing_is_quoted(world: World, ann: Repo, hub: Repo) -> None:
    remember(world, ann, "Prices are rounded half to even.")
    with read_only(hub.path):
        pushed = world.lerim(ann.path, "push", "--yes")

    assert pushed.code == 1
    assert "remote unpack failed: unable to create temporary object directory" in pushed.err
    assert (
        "hint: the remote could not store the data; ask its owner to check disk space and"
        " permissions\n" in pushed.err
    )
    assert world.lerim(ann.path, "push", "--yes").code == 0


@pytest.mark.parametrize("name", ["nowhere", "--upload-pack=touch x", "", "../hub", "-"])
def test_a_remote_that_is_none_is_refused(
    world: World, ann: Repo, name: str, tmp_path: Path
) -> None:
    remember(world, ann, "Prices are rounded half to even.")

    for verb in ("pull", "push"):
        ran = world.lerim(ann.path, verb, "--", name)
        assert ran.code == (2 if name else ran.code)
        assert "Traceback" not in ran.err
    assert not list(tmp_path.rglob("x"))


def test_a_remote_beside_the_repository_is_found_from_any_folder(
    world: World, ann: Repo, hub: Repo
) -> None:
    ann.git("remote", "set-url", "origin", "../hub")
    (ann.path / "below").mkdir()
    remember(world, ann, "Prices are rounded half to even.")

    assert world.lerim(ann.path / "below", "push", "--yes").code == 0
    assert hub.git("rev-parse", REF) == ann.git("rev-parse", REF)
    assert world.lerim(ann.path / "below", "pull").out == "already up to date\n"


def test_a_remote_without_memory_and_one_that_is_gone_are_told_apart(
    world: World, ann: Repo, tmp_path: Path
) -> None:
    empty = world.lerim(ann.path, "pull")
    ann.git("remote", "set-url", "origin", str(tmp_path / "gone"))
    gone = world.lerim(ann.path, "pull")

    assert (empty.code, empty.out) == (0, "")
    assert "has no memory" in empty.err
    assert gone.code == 1
    assert "origin could not be read" in gone.err


def test_no_tag_of_a_remote_stands_for_its_memory(world: World, ann: Repo) -> None:
    ann.git("push", "-q", "origin", "HEAD:refs/tags/refs/heads/lerim/memory")

    pulled = world.lerim(ann.path, "pull")

    assert (pulled.code, pulled.out) == (0, "")
    assert "has no memory" in pulled.err
    assert ann.git("for-each-ref", "refs/remotes/origin/lerim") == ""


def test_a_clone_that_has_only_fetched_the_memory_is_told_so_and_how_to_take_it(
    world: World, ann: Repo, bob: Repo
) -> None:
    remember(world, ann, "Prices are rounded half to even.")
    world.lerim(ann.path, "push", "--yes")
    bob.git("fetch", "-q")

    shown = world.lerim(bob.path, "status").out
    told = world.lerim(bob.path, "status", "--json").json

    assert "lerim/memory: none yet; git lerim init creates it from origin/lerim/memory\n" in shown
    assert (told["commit"], told["fetched"]) == (None, "origin/lerim/memory")
    assert world.lerim(bob.path, "init").code == 0
    assert world.lerim(bob.path, "status", "--json").json["fetched"] is None
    assert ids(world, bob) == ids(world, ann)


def test_nothing_of_the_user_s_is_touched_by_push_and_pull(
    world: World, ann: Repo, bob: Repo
) -> None:
    bob.git("push", "-q", "origin", "main")
    bob.git("tag", "v1")
    bob.git("push", "-q", "origin", "v1")
    remember(world, bob, "Tests need TZ=UTC.")
    world.lerim(bob.path, "push", "--yes")
    before = (
        ann.git("status", "--porcelain"),
        ann.git("rev-parse", "HEAD"),
        (ann.path / ".git/config").read_bytes(),
    )

    world.lerim(ann.path, "pull")
    world.lerim(ann.path, "push", "--yes")

    assert (
        ann.git("status", "--porcelain"),
        ann.git("rev-parse", "HEAD"),
        (ann.path / ".git/config").read_bytes(),
    ) == before
    assert not (ann.path / ".git/FETCH_HEAD").exists()
    assert ann.git("tag") == ""
    assert ann.git("for-each-ref", "--format=%(refname)", "refs/remotes").split("\n") == [
        "refs/remotes/origin/lerim/memory"
    ]


def test_the_user_s_hooks_do_not_run(world: World, ann: Repo, tmp_path: Path) -> None:
    for name in ("pre-push", "reference-transaction", "post-update"):
        hook = ann.path / ".git/hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran-{name}\nexit 1\n")
        hook.chmod(0o755)
    remember(world, ann, "Prices are rounded half to even.")

    assert world.lerim(ann.path, "push", "--yes").code == 0
    assert not list(tmp_path.glob("ran-*"))


def test_four_who_push_at_once_all_get_through(world: World, hub: Repo, tmp_path: Path) -> None:
    clones = [cloned(hub, tmp_path / f"clone{n}") for n in range(4)]
    for n, one in enumerate(clones):
        remember(world, one, f"Fact number {n} of four.")
    started = [_start(one, "push", "--yes") for one in clones]

    assert [process.wait(240) for process in started] == [
        0
    ] * 4  # each can lose to the three others, and wins then

    for one in clones:
        world.lerim(one.path, "pull")
    assert len({one.git("rev-parse", REF) for one in clones}) == 1
    assert len(ids(world, clones[0])) == 4
    hub.git("fsck", "--strict")


def _start(repo: Repo, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "git_lerim", *words]
    return subprocess.Popen(
        command, cwd=repo.path, env=os.environ | {"PYTHONSAFEPATH": "1"}, stderr=subprocess.DEVNULL
    )


@pytest.fixture
def silent(tmp_path: Path) -> Path:
    """Return a program that takes a connection and says nothing."""
    program = tmp_path / "silent"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize("alone", [True, False])
def test_a_remote_that_never_answers_is_given_up(
    ann: Repo, silent: Path, monkeypatch: pytest.MonkeyPatch, world: World, *, alone: bool
) -> None:
    monkeypatch.setattr(network, "PATIENCE", 0.5)
    monkeypatch.setattr(network, "BACKGROUND", 0.5)
    ann.git("config", "remote.origin.uploadpack", str(silent))
    monkeypatch.chdir(ann.path)

    with pytest.raises(Exception, match="longer than"):
        push.pull(open_workspace(), alone=alone)
    assert world.lerim(ann.path, "list").code == 0


def test_what_a_fetch_brought_is_in_the_answers_that_come_at_once(
    world: World, ann: Repo, bob: Repo
) -> None:
    remember(world, ann, "Prices are rounded half to even.")
    world.lerim(ann.path, "push", "--yes")
    world.lerim(bob.path, "pull")
    for verb in (
        ["list"],
        ["search", "rounded"],
        ["brief"],
    ):  # what these keep is what the next one prints
        assert "half to even" in world.lerim(bob.path, *verb).out
    remember(world, ann, "Totals are rounded half up, by law.")
    world.lerim(ann.path, "push")

    bob.git("fetch", "-q")

    for verb in (["list"], ["search", "rounded"], ["brief"]):
        assert "by law" in world.lerim(bob.path, *verb).out
        assert "by law" in world.lerim(bob.path, *verb).out


def test_a_secret_that_a_colleague_let_through_is_not_handed_out(
    world: World, ann: Repo, bob: Repo
) -> None:
    remember(world, bob, "Tests need TZ=UTC.")
    path = next(
        iter(bob.git("ls-tree", "-r", "--name-only", REF, "learnings", "decisions").split("\n"))
    )
    text = (
        bob.git("show", f"{REF}:{path}").replace("Tests need", f"With the token {TOKEN} tests need")
        + "\n"
    )
    stream = (
        f"commit {REF}\ncommitter X <x@example.com> 1800000000 +0000\ndata 1\nx\nfrom"
        f" {bob.git('rev-parse', REF)}\n"
    )
    bob.git(
        "fast-import",
        "--quiet",
        stdin=stream + f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n",
    )
    bob.git("push", "-q", "origin", REF)

    world.lerim(ann.path, "pull")

    for verb in (["search", "tests"], ["ask", "which token do tests need?"], ["brief"]):
        shown = world.lerim(ann.path, *verb).out
        assert "[REDACTED:" in shown
        assert TOKEN not in shown


def test_what_contradicts_after_a_pull_is_settled_by_the_evidence(
    world: World, ann: Repo, bob: Repo
) -> None:
    earlier = _synced(ann, "1", "Use tabs for indentation in Python files", "2026-02-01T10:00:00Z")
    later = _synced(
        bob, "2", "Do not use tabs for indentation in Python files", "2026-02-05T10:00:00Z"
    )
    world.lerim(ann.path, "push", "--yes")

    world.lerim(bob.path, "push", "--yes")
    world.lerim(ann.path, "pull")

    for repo in (ann, bob):
        standing = {
            row["id"]: row["status"]
            for row in world.lerim(repo.path, "list", "--all", "--json").json
        }
        assert standing == {earlier: "superseded", later: "active"}
    assert ann.git("rev-parse", REF) == bob.git("rev-parse", REF)


def _synced(repo: Repo, session: str, title: str, when: str) -> str:
    """Let a sync have kept one decision of a session."""
    at = datetime.fromisoformat(when)
    cited = Source(agent="claude", session=session, records=((1, 2),), at=at)
    made = memory(
        id=memory_id("claude", session, "decision", 1),
        title=title,
        body=f"{title}.",
        at=at,
        sources=(cited,),
    )
    store_at(repo.path).commit(
        lambda _: Change(files={path_of(made): render(made)}, subject="sync: 1 decision")
    )
    return made.id


def test_the_first_push_shows_each_quote_even_one_that_a_person_replaced_since(
    world: World, ann: Repo
) -> None:
    for number, wish in enumerate(("Never push to main directly.", "Never use tabs in YAML.")):
        session = f"5b0c1a2f-0000-4000-8000-0000000000{number:02}"
        Recording(world.home, str(ann.path), id=session).prompt(wish).reply("All right.")
    world.lerim(ann.path, "sync", "--window", "all")
    rows = world.lerim(ann.path, "list", "--json").json
    ids = {row["title"]: row["id"] for row in rows}
    edited = ids["Never use tabs in YAML"]
    world.lerim(ann.path, "edit", edited, "--body", "Tabs break the parser.")

    asked = world.lerim(ann.path, "push").err

    assert "2 memories quote what people said in their sessions:\n" in asked
    kept = ids["Never push to main directly"]
    assert f"  {kept}  Never push to main directly: “Never push to main directly.”\n" in asked
    assert (
        f"  {edited}  Never use tabs in YAML: “Never use tabs in YAML.”"
        "  (in an older version, sent as part of the history)\n" in asked
    )


def test_a_push_names_the_session_summaries_and_the_quotes_of_every_rule(
    world: World, ann: Repo
) -> None:
    reported = "Never let the export stop at a customer that has no address."
    edit = {
        "type": "tool_use",
        "id": "toolu_1",
        "name": "Write",
        "input": {"file_path": str(ann.path / "export.py"), "content": "checked = True\n"},
    }
    done = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "File created"}
    Recording(world.home, str(ann.path)).prompt(reported).add("assistant", [edit]).add(
        "user", [done]
    ).reply(
        "The export crashed because the address was read before it was checked. The check now"
        " comes first, and a customer without an address gets an empty line in the file."
    )
    world.lerim(ann.path, "sync", "--window", "all")

    would = world.lerim(ann.path, "push", "--dry-run")
    listed = world.lerim(ann.path, "push", "--dry-run", "--json").json
    asked = world.lerim(ann.path, "push").err

    said = "1 memory and 1 session summary quote what people said in their sessions:"
    assert "would push 1 memory and 1 session summary in 2 commits to origin" in would.out
    assert "push 1 memory and 1 session summary to origin" in asked
    assert (said in would.out, said in asked) == (True, True)
    assert asked.count(f": “{reported}”\n") == 2
    assert (len(listed["summaries"]), len(listed["quoting"])) == (1, 2)


def test_the_first_push_says_how_many_quotes_of_people_leave_and_shows_ten(
    world: World, ann: Repo
) -> None:
    wishes = (
        "Never push to main directly.", "Always run the linter before each commit.",
        "Never store money as a float.",
        "Always write the documentation in British English.", "Never use tabs in YAML files.",
        "Always pin the versions of our dependencies.", "Never log the addresses of customers.",
        "Always sort the imports alphabetically.", "Never commit the generated files.",
        "Always name branches after issues.",
        "Never delete the audit table.", "Always test the migrations on a copy.",
    )  # fmt: skip
    for number, wish in enumerate(wishes):
        session = f"5b0c1a2f-0000-4000-8000-0000000000{number:02}"
        Recording(world.home, str(ann.path), id=session).prompt(wish).reply("All right.")
    kept = world.lerim(ann.path, "sync", "--window", "all", "--json").json["learnings_added"]
    world.lerim(ann.path, "remember", "Typed by hand and no quote.")

    asked = world.lerim(ann.path, "push")
    first = world.lerim(ann.path, "push", "--yes")
    world.lerim(ann.path, "remember", "Another one.")
    second = world.lerim(ann.path, "push")

    said = f"{kept} memories quote what people said in their sessions:"
    assert kept > 10
    assert (asked.code, said in asked.err, f"push {kept + 1} memories to origin" in asked.err) == (
        1,
        True,
        True,
    )
    assert (first.code, said in first.err, f"  and {kept - 10} more" in first.err) == (
        0,
        True,
        True,
    )
    assert sum(line.startswith("  ") for line in first.err.splitlines()) == 11
    assert "no quote" not in first.err
    assert (second.code, "people said" in second.err) == (0, False)


@pytest.mark.parametrize("verb", [["pull"], ["push", "--yes"]])
def test_what_a_fetch_brings_is_named_though_another_write_joins_it(
    verb: list[str], world: World, ann: Repo, bob: Repo, tmp_path: Path
) -> None:
    remember(world, bob, "Prices are rounded half to even.")
    world.lerim(bob.path, "push", "--yes")
    world.lerim(ann.path, "pull")
    remember(world, bob, "Times are kept in UTC.")
    world.lerim(bob.path, "push", "--yes")
    git = shutil.which("git")
    own = f'{sys.executable} -m git_lerim remember "The queue is short."'
    once = f"[ -e {tmp_path}/once ] || {{ touch {tmp_path}/once; {own} >&2; }}"
    script = (
        f'case " $* " in *" fetch "*) {git} "$@"; r=$?; {once}; exit $r;; esac; exec {git} "$@"'
    )
    path = f"{program(tmp_path / 'bin', 'git', script)}{os.pathsep}{os.environ['PATH']}"

    told = world.lerim(ann.path, *verb, env={"PATH": path})

    assert (tmp_path / "once").exists()
    assert "1 new memory" in told.out + told.err
    assert "Times are kept in UTC" in told.out + told.err
    assert "queue" not in told.out.replace("Pushed", "")
