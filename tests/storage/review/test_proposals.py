"""What a proposal changes, by content, whoever made it."""

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from support.memories import by_person, memory
from support.repos import Repo, normal
from support.shapes import needs_reftables
from support.stores import adding, decision, store_at, titles

from git_lerim.errors import BranchBlocked
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Status
from git_lerim.storage import layout
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.reading import TreeReader
from git_lerim.storage.review import proposals
from git_lerim.storage.review.proposal_changes import Content, Reviewed
from git_lerim.storage.review.proposing import ProposalStore

MEMORY = "refs/heads/lerim/memory"
HEADS = "refs/heads/lerim/proposal/"


def proposing(repo: Repo, remote: str | None = None) -> ProposalStore:
    return ProposalStore(discover(repo.path, os.environ), remote=remote)


def edited(n: int, body: str, hours: int = 1) -> Callable[[Snapshot], Change]:
    def operation(snapshot: Snapshot) -> Change:
        item = snapshot.memories[decision(n).id]
        new = replace(item.memory, body=body, updated=item.memory.updated + timedelta(hours=hours))
        return Change(
            files={item.path: frontmatter.render(by_person(item.memory, new))}, subject=f"edit: {n}"
        )

    return operation


def own_ref(repo: Repo) -> str:
    return repo.git("for-each-ref", "--format=%(refname)", HEADS)


def bodies(snapshot: Snapshot) -> dict[str, str]:
    return {stored.memory.title: stored.memory.body for stored in snapshot.memories.values()}


@pytest.mark.parametrize(
    ("committer", "user"),
    [
        ("Ada Lovelace <ada@example.org>", "ada-lovelace"),
        ("José Ñandú <jose@example.org>", "jose-nandu"),
        ("张伟 <zhang.wei@example.org>", "zhang-wei"),
        (".lock <..@x>", "lock"),
        ("../../HEAD.lock <a@x>", "head-lock"),
        ("a..b//c@{1} <a@x>", "a-b-c-1"),
        ("x" * 300 + " <a@x>", "x" * 50),
    ],
)
def test_a_person_is_called_by_words_that_a_ref_can_have(
    committer: str, user: str, repo: Repo
) -> None:
    assert proposals.user_of(committer) == user
    repo.git("check-ref-format", "--branch", f"lerim/proposal/{user}/20260220-abcdefgh")


def test_who_has_neither_a_name_nor_an_address_of_letters_gets_a_number() -> None:
    assert proposals.user_of("张伟 <张@x>") == proposals.user_of("张伟 <张@x>")
    assert len(proposals.user_of("张伟 <>")) == 8
    assert proposals.user_of("张伟 <>") != proposals.user_of("李娜 <>")


@pytest.mark.parametrize(
    ("branch", "folder"),
    [
        ("lerim/memory", "lerim/proposal"),
        ("lerim-memory", "lerim-memory-proposal"),
        ("memory", "memory-proposal"),
        ("a/b/memory", "a/b/proposal"),
        ("a/proposal", "a/proposal-proposal"),
    ],
)
def test_proposals_stand_beside_the_branch_whatever_it_is_called(
    branch: str, folder: str, repo: Repo
) -> None:
    assert layout.proposals(branch) == folder
    repo.git("update-ref", f"refs/heads/{branch}", "HEAD")
    repo.git("update-ref", f"refs/heads/{folder}/ada/20260220-abc", "HEAD")  # git takes both


def test_what_is_accepted_by_cherry_picks_is_gone_and_the_rest_stays(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    mine = proposing(repo)
    mine.commit(adding(2))
    mine.commit(adding(3))
    first = repo.git("rev-parse", f"{own_ref(repo)}~1")
    store_at(repo.path).commit(adding(4))
    repo.git("worktree", "add", "-q", str(repo.path.parent / "forge"), "lerim/memory")
    Repo(repo.path.parent / "forge").git("cherry-pick", first)
    repo.git("worktree", "remove", "--force", str(repo.path.parent / "forge"))

    assert titles(mine.snapshot()) == {f"Use thing {n}" for n in (1, 2, 3, 4)}
    assert set(mine.pending()) == {naming.path_of(decision(3))}
    mine.renew()
    assert repo.git("log", "--format=%s", f"{MEMORY}..{own_ref(repo)}") == "sync: 1 decisions"
    assert repo.git("rev-parse", f"{own_ref(repo)}~1") == repo.git("rev-parse", MEMORY)


def test_what_was_accepted_and_edited_since_does_not_come_back(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    mine = proposing(repo)
    mine.commit(edited(1, "Mine."))
    mine.commit(adding(2))
    store_at(repo.path).commit(edited(1, "Mine."))  # a squash
    store_at(repo.path).commit(adding(2))
    store_at(repo.path).commit(edited(1, "Theirs, later.", hours=2))
    store_at(repo.path).commit(edited(2, "Theirs, later.", hours=2))

    assert set(bodies(mine.snapshot()).values()) == {"Theirs, later."}
    assert mine.pending() == {}
    assert mine.renew() is None
    assert own_ref(repo) == ""
    assert repo.git("for-each-ref", "refs/lerim/backup/proposal/") != ""


def test_what_a_reviewer_changed_before_accepting_it_stands(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    mine = proposing(repo)
    mine.commit(adding(2))

    def better(_: Snapshot) -> Change:
        new = replace(decision(2), body="Said better.")
        return Change(files={naming.path_of(new): frontmatter.render(new)}, subject="squash")

    store_at(repo.path).commit(better)

    assert bodies(mine.snapshot())["Use thing 2"] == "Said better."
    assert mine.pending() == {}


def test_two_edits_of_one_memory_are_both_in_what_is_proposed(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    mine = proposing(repo)
    mine.commit(edited(1, "Because it is good.\n\nMine.", hours=2))
    store_at(repo.path).commit(edited(1, "Theirs.\n\nBecause it is good.", hours=1))

    assert bodies(mine.snapshot())["Use thing 1"] == "Theirs.\n\nBecause it is good.\n\nMine."


def test_the_memory_stays_where_it_is_and_order_authors_and_messages_are_kept(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    before = repo.git("rev-parse", MEMORY)
    mine = proposing(repo)
    for n in (2, 3, 4):
        mine.commit(adding(n))
    told = repo.git("log", "--format=%an %ae %at %ct %B", f"{MEMORY}..{own_ref(repo)}")

    assert repo.git("rev-parse", MEMORY) == before
    assert titles(store_at(repo.path).snapshot()) == {"Use thing 1"}
    store_at(repo.path).commit(adding(9))
    mine.renew()
    assert repo.git("log", "--format=%an %ae %at %ct %B", f"{MEMORY}..{own_ref(repo)}") == told
    assert repo.git("fsck", "--strict", "--no-dangling") == ""


def test_what_is_read_is_worked_out_to_the_same_commits_and_moves_no_branch(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    proposing(repo).commit(adding(2))
    store_at(repo.path).commit(adding(3))
    before = repo.git("for-each-ref")

    worked_out = proposing(repo).view()
    assert proposing(repo).view() == worked_out
    assert repo.git("for-each-ref", "--exclude=refs/lerim/pending", check=False) in {before, ""}
    repo.git("update-ref", "-d", "refs/lerim/pending")
    assert repo.git("for-each-ref") == before
    assert proposing(repo).view() == worked_out


def test_the_first_to_propose_in_an_empty_repository_begins_the_memory_that_all_begin_with(
    repo: Repo,
) -> None:
    mine = proposing(repo)
    mine.commit(adding(1))

    assert repo.git("rev-parse", MEMORY) == layout.ROOT_IDS["sha1"]
    assert titles(mine.snapshot()) == {"Use thing 1"}


def test_many_writers_make_one_proposal_and_lose_nothing(repo: Repo) -> None:
    code = (
        "import sys,os;sys.path.insert(0,sys.argv[2]);from pathlib import Path;from"
        " git_lerim.git.repo import discover;from git_lerim.storage.review.proposing import"
        " ProposalStore;from support.stores import"
        " adding;s=ProposalStore(discover(Path('.'),os.environ));[s.commit(adding(100*int(sys.argv[1])+n))"  # noqa: E501
        " for n in range(5)]"
    )
    tests = str(Path(__file__).parents[2])
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(n), tests], cwd=repo.path)
        for n in range(1, 5)
    ]

    assert [each.wait(120) for each in running] == [0, 0, 0, 0]
    assert len(own_ref(repo).split("\n")) == 1
    assert len(proposing(repo).snapshot().memories) == 20


def test_what_is_taken_out_is_kept_by_a_ref_and_the_last_one_ends_the_proposal(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    mine = proposing(repo)
    mine.commit(adding(2))
    mine.commit(adding(3))
    tip = repo.git("rev-parse", own_ref(repo))

    assert mine.take_out([decision(2).id]) == own_ref(repo).removeprefix("refs/heads/")
    assert titles(mine.snapshot()) == {"Use thing 1", "Use thing 3"}
    assert mine.take_out([decision(3).id]) is None
    assert own_ref(repo) == ""
    kept = repo.git("for-each-ref", "--format=%(objectname)", "refs/lerim/backup/proposal/").split(
        "\n"
    )
    assert tip in kept
    assert titles(mine.snapshot()) == {"Use thing 1"}


def other(
    repo: Repo, files: dict[str, bytes | None], name: str = "bob/20260220-abc", base: str = MEMORY
) -> None:
    """Make a proposal of somebody else, with whatever files."""
    stream = (
        f"commit refs/remotes/origin/lerim/proposal/{name}\ncommitter Bob <b@x.org> 1800000000"
        " +0000\ndata 1\nx\n"
    )
    stream += f"from {repo.git('rev-parse', base)}\n"
    data = stream.encode()
    for path, content in files.items():
        mode = "120000" if content == b"/etc/passwd" else "100644"
        data += (
            f"D {path}\n".encode()
            if content is None
            else f"M {mode} inline {path}\ndata {len(content)}\n".encode() + content
        )
        data += b"\n" if content is not None else b""
    repo.git("fast-import", "--quiet", "--force", stdin=data)


def seen(repo: Repo) -> tuple[ProposalStore, proposals.Proposal, Content]:
    store = proposing(repo, "origin")
    [proposal] = [each for each in store.proposals() if not each.own]
    return store, proposal, store.proposed(proposal, store.reviewed())


def test_of_a_strangers_proposal_nothing_counts_but_memories(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    good, path = decision(2), naming.path_of(decision(1))
    files: dict[str, bytes | None] = {
        naming.path_of(good): frontmatter.render(good),
        naming.path_of(decision(3)): b"no memory\n",
        naming.path_of(decision(4)): b"/etc/passwd",
        "README.md": b"evil\n",
        "format": b"99\n",
        ".github/workflows/x.yml": b"on: push\n",
        path: None,
    }
    other(repo, files)

    _, proposal, content = seen(repo)

    assert (proposal.name, proposal.author, proposal.own) == (
        "lerim/proposal/bob/20260220-abc",
        "Bob <b@x.org>",
        False,
    )
    assert {item.memory.title for item in content.after.values()} == {"Use thing 2"}
    assert content.before == {}
    assert {file.path for file in content.aside} >= {
        "README.md",
        "format",
        path,
        naming.path_of(decision(3)),
    }


def test_what_was_rejected_of_another_stays_away_until_it_changes_and_their_ref_stays(
    repo: Repo,
) -> None:
    store_at(repo.path).commit(adding(1))
    good = decision(2)
    other(repo, {naming.path_of(m): frontmatter.render(m) for m in (good, decision(3))})
    before = repo.git("for-each-ref", "refs/remotes")
    store, proposal, content = seen(repo)

    store.reject(proposal.tip, content, [good.id])

    assert {item.memory.title for item in seen(repo)[2].after.values()} == {"Use thing 3"}
    assert repo.git("for-each-ref", "refs/remotes") == before
    repo.git("gc", "-q", "--prune=now")
    assert set(seen(repo)[2].after) == {decision(3).id}
    new: Memory = replace(good, body="Said better.")
    other(
        repo,
        {naming.path_of(new): frontmatter.render(new)},
        base="refs/remotes/origin/lerim/proposal/bob/20260220-abc",
    )
    assert set(seen(repo)[2].after) == {good.id, decision(3).id}


def test_a_list_of_rejected_versions_counts_only_where_it_was_made(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    other(repo, {naming.path_of(m): frontmatter.render(m) for m in (decision(2), decision(3))})
    store, proposal, content = seen(repo)
    store.reject(proposal.tip, content, [decision(2).id])

    (repo.path / ".git" / "lerim" / "own-refs").unlink()  # as in a mirror, which fetched the ref

    store, proposal, content = seen(repo)
    assert set(content.after) == {decision(2).id, decision(3).id}
    store.reject(proposal.tip, content, [decision(3).id])
    assert set(seen(repo)[2].after) == {decision(2).id}


def test_an_archived_memory_is_told_as_one_that_moved(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    mine = proposing(repo)
    old = naming.path_of(decision(1))
    gone = replace(decision(1), status=Status.ARCHIVED)
    mine.commit(
        lambda _: Change(
            files={old: None, f"archived/{old}": frontmatter.render(gone)}, subject="forget"
        )
    )

    content = mine.proposed(mine.proposals()[0], mine.reviewed())
    assert content.before[gone.id].path == old
    assert content.after[gone.id].path == f"archived/{old}"
    assert content.aside == ()


def test_a_proposal_of_an_unrelated_history_is_told_by_content_too(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    m = memory()
    repo.git(
        "fast-import",
        "--quiet",
        stdin=(
            b"commit refs/remotes/origin/lerim/proposal/bob/x\ncommitter Bob <b@x.org> 1800000000 +0000\ndata 1\nx\n"  # noqa: E501
            + f"M 100644 inline {naming.path_of(m)}\ndata {len(frontmatter.render(m))}\n".encode()
            + frontmatter.render(m)
            + b"\n"
        ),
    )

    assert set(seen(repo)[2].after) == {m.id}


def test_where_git_alone_reads_and_writes_it_goes_the_same_way(tmp_path: Path) -> None:
    there = normal(tmp_path / "sha256", "--object-format=sha256")
    store_at(there.path).commit(adding(1))
    mine = proposing(there)
    mine.commit(adding(2))
    mine.commit(edited(1, "Mine."))
    store_at(there.path).commit(adding(2))

    assert set(mine.pending()) == {naming.path_of(decision(1))}
    assert mine.renew() == own_ref(there).removeprefix("refs/heads/")
    other(there, {naming.path_of(decision(3)): frontmatter.render(decision(3))})
    store, proposal, content = seen(there)
    store.reject(proposal.tip, content, [decision(3).id])
    assert seen(there)[2].after == {}
    assert mine.take_out([decision(1).id]) is None
    assert there.git("fsck", "--strict", "--no-dangling") == ""


@needs_reftables
def test_in_a_reftable_a_proposal_stands_beside_the_memory(tmp_path: Path) -> None:
    there = normal(tmp_path / "table", "--ref-format=reftable")
    store_at(there.path).commit(adding(1))
    mine = proposing(there)
    mine.commit(adding(2))
    store_at(there.path).commit(adding(2))

    assert mine.pending() == {}
    assert mine.renew() is None
    assert own_ref(there) == ""


def test_reading_needs_no_name_where_nothing_is_proposed(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    repo.git("config", "user.useConfigOnly", "true")
    repo.git("config", "--global", "--unset", "user.email")
    mine = proposing(repo)

    assert titles(mine.snapshot()) == {"Use thing 1"}
    assert mine.warnings == []


def test_a_proposal_that_somebody_has_checked_out_is_left_alone(repo: Repo, tmp_path: Path) -> None:
    store_at(repo.path).commit(adding(1))
    mine = proposing(repo)
    mine.commit(adding(2))
    repo.git(
        "worktree",
        "add",
        "-q",
        str(tmp_path / "looking"),
        own_ref(repo).removeprefix("refs/heads/"),
    )

    with pytest.raises(BranchBlocked, match="is checked out"):
        mine.commit(adding(3))


def test_the_merge_bases_of_many_proposals_are_those_that_git_finds(repo: Repo) -> None:
    tree, number = repo.git("mktree", stdin=b""), itertools.count()

    def commit(*parents: str) -> str:
        given = [word for parent in parents for word in ("-p", parent)]
        return repo.git("commit-tree", tree, *given, "-m", f"{next(number)}")

    root, stranger = commit(), commit()
    left, right = commit(root), commit(root)
    memory = commit(left, right)
    crossed = commit(left, right)
    tips = [root, left, stranger, commit(memory), crossed, commit(left, stranger)]
    tips += [commit(crossed, root), commit(commit(right), left), commit(commit(root))]
    place = discover(repo.path, os.environ)
    objects = open_objects(place)
    alone, together = (Reviewed(place, objects, TreeReader(objects), memory) for _ in range(2))

    together.find_bases(tips)

    assert [together.base(tip) for tip in tips] == [alone.base(tip) for tip in tips]
    # of several, git decides by the time and id of each whether it is `left` or `right`
    assert {alone.base(tip) for tip in tips} | {right} == {root, left, right, memory, None}
