import os
from pathlib import Path

import pytest
from support import repos
from support.repos import Repo
from support.stores import adding, decision, store_at

from git_lerim.errors import GitFailed
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.storage.base import Change
from git_lerim.storage.history.rewriting import Rewriting
from git_lerim.storage.sharing.tombstones import Purge

REF = "refs/heads/lerim/memory"


def rewritten(repo: Repo, *ids: str, tip: str = REF) -> tuple[Rewriting, str]:
    """Rewrite a history without some memories; return the rewriting and the new tip."""
    place = discover(repo.path, os.environ)
    rewriting = Rewriting(place, open_objects(place), Purge(frozenset(ids)))
    return rewriting, rewriting.history(repo.git("rev-parse", tip))


def titled(n: int, title: str, verb: str) -> Change:
    memory = decision(n, title)
    path = naming.path_of(decision(n))
    return Change(
        files={path: frontmatter.render(memory)},
        subject=f"{verb}: {title}"[:60],
        body=f"~ {memory.id} {title}",
    )


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_what_is_not_touched_stays_the_same_object(tmp_path: Path, form: str) -> None:
    repo = repos.normal(tmp_path / "repo", f"--object-format={form}")
    store = store_at(repo.path)
    before = [store.commit(adding(n)) for n in range(2)]
    store.commit(adding(2))
    store.commit(adding(3))

    rewriting, new = rewritten(repo, decision(2).id)

    assert rewriting.rewritten == 2
    assert repo.git("rev-parse", f"{new}~1") == before[1]
    assert repo.git("rev-list", "--count", new) == "4"  # the first one, 0, 1 and 3
    assert decision(2).id not in repo.git("ls-tree", "-r", "--name-only", new)
    assert rewritten(repo, decision(2).id, tip=new)[1] == new


def test_one_after_another_and_all_at_once_give_the_same_history(repo: Repo) -> None:
    store = store_at(repo.path)
    store.commit(adding(0, 1))
    store.commit(adding(2, 3))
    store.commit(lambda _: titled(1, "Another title for one", "edit"))
    store.commit(
        lambda _: Change(files=adding(5)(_).files, subject=f"undo: {store.tip() or ''}"[:18])
    )
    ids = [decision(n).id for n in (1, 2)]

    at_once = rewritten(repo, *ids)[1]
    first = rewritten(repo, ids[0])[1]

    assert rewritten(repo, *ids, tip=first)[1] == at_once
    told = repo.git("log", "--format=%B", at_once)
    assert "Another title" not in told
    assert not any(id_ in told for id_ in ids)


def test_a_commit_that_is_named_in_a_message_is_named_as_it_is_now(repo: Repo) -> None:
    store = store_at(repo.path)
    store.commit(adding(0))
    named = store.commit(adding(1))
    store.commit(
        lambda _: Change(
            files=adding(2)(_).files,
            subject=f"undo: {(named or '')[:12]}, x",
            body=f"reverts {named}.",
        )
    )

    new = rewritten(repo, decision(0).id)[1]

    now = repo.git("rev-parse", f"{new}~1")
    assert now != named
    assert repo.git("log", "-1", "--format=%s%n%b", new) == f"undo: {now[:12]}, x\nreverts {now}."


def test_a_title_that_was_cut_in_a_subject_goes_too(repo: Repo) -> None:
    title = "A secret that is so long that no subject of a commit could ever hold all of it"
    store_at(repo.path).commit(
        lambda _: Change(files={**adding(9)(_).files, **titled(1, title, "x").files}, subject="x")
    )
    store_at(repo.path).commit(lambda _: titled(1, title + "!", "remember"))
    store_at(repo.path).commit(
        lambda _: Change(
            files={**adding(8)(_).files, **titled(1, title, "x").files},
            subject=f"edit: {title[:40]}…",
        )
    )

    new = rewritten(repo, decision(1).id)[1]

    assert "A secret" not in repo.git("log", "--format=%B", new)
    assert repo.git("log", "-1", "--format=%s", new) == "edit: [purged]"


def test_authors_dates_and_what_git_cannot_decode_stay(repo: Repo) -> None:
    tip = store_at(repo.path).commit(adding(0, 1)) or ""
    data = repo.git("cat-file", "commit", tip).split("\n\n", 1)[0].encode()
    head = b"\n".join(
        line
        for line in data.split(b"\n")
        if not line.startswith((b"author", b"committer", b"parent"))
    )
    raw = (
        head
        + b"\nparent "
        + tip.encode()
        + b"\nauthor \xc5\xe4 <a@b> 5 +0130\ncommitter C <c@d> 6 -0700\nencoding latin1\n"
    )
    raw += b"gpgsig -----BEGIN\n abc\n -----END\n\nm\xe4ssage\n"
    odd = repo.git("hash-object", "-w", "-t", "commit", "--stdin", stdin=raw)

    new = rewritten(repo, decision(0).id, tip=odd)[1]

    told = repo.git("cat-file", "commit", new).encode(errors="surrogateescape")
    assert (
        b"author \xc5\xe4 <a@b> 5 +0130\ncommitter C <c@d> 6 -0700\nencoding latin1\n\nm\xe4ssage"
        in told
    )
    assert b"gpgsig" not in told


def test_a_history_that_is_cut_off_is_refused(repo: Repo, tmp_path: Path) -> None:
    for n in range(3):
        store_at(repo.path).commit(adding(n))
    repo.git(
        "clone",
        "-q",
        "--depth=1",
        "--branch=lerim/memory",
        f"file://{repo.path}",
        str(tmp_path / "shallow"),
    )

    with pytest.raises(GitFailed, match="cut off"):
        rewritten(Repo(tmp_path / "shallow"), decision(1).id)
