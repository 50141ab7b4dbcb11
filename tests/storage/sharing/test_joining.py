"""Two clones of one store that were changed apart, joined by meaning."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.memories import by_person
from support.repos import Repo, bare, normal
from support.stores import adding, decision, store_at, titles

from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory, Origin, Source, Status
from git_lerim.storage.base import Change, MergeResult, Snapshot
from git_lerim.storage.branch.tree_builder import MANY

REF = "refs/heads/lerim/memory"


class Clone:
    """A clone of the hub, with a store."""

    def __init__(self, folder: Path, hub: Repo, name: str) -> None:
        self.repo = normal(folder)
        self.hub = hub
        self.repo.git("config", "user.name", name)
        self.repo.git("remote", "add", "origin", str(hub.path))
        self.store = store_at(folder)

    def put(self, files: Mapping[str, bytes | None]) -> None:
        self.store.commit(lambda _: Change(files=files, subject="edit"))

    def change(self, number: int, by: Callable[[Memory], Memory]) -> None:
        """Change a memory as a person does, on whatever day the memory says."""

        def operation(snapshot: Snapshot) -> Change:
            stored = snapshot.memories[decision(number).id]
            new = by_person(stored.memory, by(stored.memory))
            path = stored.path.removeprefix("archived/")
            target = f"archived/{path}" if new.status is Status.ARCHIVED else path
            return Change(
                files={stored.path: None, target: frontmatter.render(new)}, subject="edit"
            )

        self.store.commit(operation)

    def pull(self) -> MergeResult | None:
        """Fetch, join, and return what was joined."""
        self.repo.git("fetch", "-q", "origin", f"+{REF}:refs/remotes/origin/lerim/memory")
        return self.store.join(
            self.repo.git("rev-parse", "refs/remotes/origin/lerim/memory"), "origin"
        )

    def push(self) -> None:
        self.repo.git("push", "-q", "origin", f"{REF}:{REF}")

    def tree(self) -> str:
        return self.repo.git("rev-parse", f"{REF}^{{tree}}")

    def titles(self) -> set[str]:
        return titles(self.store.snapshot())


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Clone, Clone]:
    hub = bare(tmp_path / "hub")
    ann, bob = Clone(tmp_path / "ann", hub, "Ann"), Clone(tmp_path / "bob", hub, "Bob")
    ann.store.commit(adding(1, 2))
    ann.push()
    bob.pull()
    return ann, bob


def exchange(ann: Clone, bob: Clone) -> None:
    ann.push()
    bob.pull()
    bob.push()
    ann.pull()
    assert ann.tree() == bob.tree()
    ann.repo.git("fsck", "--strict")


def test_what_two_added_apart_is_there_for_both(pair: tuple[Clone, Clone]) -> None:
    ann, bob = pair
    ann.store.commit(adding(3))
    bob.store.commit(adding(4))

    exchange(ann, bob)

    assert ann.titles() == {f"Use thing {n}" for n in (1, 2, 3, 4)}


def test_who_is_only_behind_moves_ahead_without_a_commit_of_their_own(
    pair: tuple[Clone, Clone],
) -> None:
    ann, bob = pair
    ann.store.commit(adding(3))
    ann.push()

    assert bob.pull() == MergeResult()
    assert bob.repo.git("rev-parse", REF) == ann.repo.git("rev-parse", REF)
    assert bob.pull() is None


def test_two_who_began_alone_share_the_first_commit(tmp_path: Path) -> None:
    hub = bare(tmp_path / "hub")
    ann, bob = Clone(tmp_path / "ann", hub, "Ann"), Clone(tmp_path / "bob", hub, "Bob")
    ann.store.commit(adding(1))
    bob.store.commit(adding(2))

    exchange(ann, bob)

    assert ann.titles() == {"Use thing 1", "Use thing 2"}


def test_histories_without_a_common_beginning_are_joined_too(pair: tuple[Clone, Clone]) -> None:
    ann, bob = pair
    tree = bob.repo.git("rev-parse", f"{REF}^{{tree}}")
    bob.repo.git("update-ref", REF, bob.repo.git("commit-tree", "-m", "anew", tree))
    bob.store.commit(adding(5))

    ann.store.commit(adding(6))
    exchange(ann, bob)

    assert ann.titles() == {f"Use thing {n}" for n in (1, 2, 5, 6)}


def test_two_edits_of_one_memory_become_one_and_name_who_said_what(
    pair: tuple[Clone, Clone],
) -> None:
    ann, bob = pair
    day = decision(1).created
    ann.change(1, lambda m: m.having(title="By Ann", updated=day.replace(year=2027)))
    bob.change(1, lambda m: m.having(title="By Bob", tags=("b",), updated=day.replace(year=2028)))

    exchange(ann, bob)

    merged = ann.store.snapshot().memories[decision(1).id].memory
    assert (merged.title, merged.tags) == ("By Bob", ("b",))
    assert "Ann, title: By Ann" in merged.body


def test_what_very_many_files_become_is_written_as_one_pack(pair: tuple[Clone, Clone]) -> None:
    ann, bob = pair
    many = range(10, 10 + MANY)
    ann.store.commit(adding(*many))
    ann.push()
    bob.pull()
    for one, word in ((ann, "Ann"), (bob, "Bob")):
        edited = [decision(n).having(title=f"By {word}, {n}") for n in many]
        one.put({naming.path_of(memory): frontmatter.render(memory) for memory in edited})
    ann.push()
    before = int(bob.repo.git("count-objects").split()[0])

    joined = bob.pull()

    assert joined is not None
    assert len(joined.merged) == MANY
    assert int(bob.repo.git("count-objects").split()[0]) - before < 20
    exchange(ann, bob)


def test_an_edit_beside_an_archiving_stands_in_the_archive(pair: tuple[Clone, Clone]) -> None:
    ann, bob = pair
    ann.change(1, lambda m: m.having(status=Status.ARCHIVED, updated=m.created.replace(year=2027)))
    bob.change(1, lambda m: m.having(title="Edited", updated=m.created.replace(year=2028)))

    exchange(ann, bob)

    stored = ann.store.snapshot().memories[decision(1).id]
    assert stored.path.startswith("archived/")
    assert stored.memory.title == "Edited"
    assert not list(ann.store.snapshot().quarantined)


def test_a_deleted_memory_that_somebody_edited_stays_and_no_new_one_is_taken_for_it(
    pair: tuple[Clone, Clone],
) -> None:
    ann, bob = pair
    path = naming.path_of(decision(1))
    alike = decision(7, "Use thing 1")
    ann.put({path: None, naming.path_of(alike): frontmatter.render(alike)})
    bob.change(1, lambda m: m.having(status=Status.SUPERSEDED))

    exchange(ann, bob)

    found = ann.store.snapshot().memories
    assert found[decision(1).id].memory.status is Status.SUPERSEDED
    assert found[alike.id].memory.status is Status.ACTIVE


def test_who_deleted_a_memory_gets_it_back_as_somebody_edited_it(pair: tuple[Clone, Clone]) -> None:
    ann, bob = pair
    ann.put({naming.path_of(decision(1)): None})
    bob.change(1, lambda m: m.having(status=Status.SUPERSEDED))
    bob.push()

    ann.pull()

    assert ann.store.snapshot().memories[decision(1).id].memory.status is Status.SUPERSEDED


def test_of_two_broken_files_of_one_memory_each_is_as_who_touched_it_left_it(
    pair: tuple[Clone, Clone],
) -> None:
    ann, bob = pair
    path = naming.path_of(decision(1))
    _commit_raw(ann, {path: b"z, at first\n", f"archived/{path}": b"z, at first\n"})
    ann.push()
    bob.pull()
    _commit_raw(ann, {path: b"a, of Ann\n"})
    _commit_raw(bob, {f"archived/{path}": b"b, of Bob\n"})

    exchange(ann, bob)

    assert ann.repo.git("show", f"{REF}:{path}") == "a, of Ann"
    assert ann.repo.git("show", f"{REF}:archived/{path}") == "b, of Bob"


def test_a_file_that_is_no_memory_is_carried_along_and_the_readable_version_wins(
    pair: tuple[Clone, Clone],
) -> None:
    ann, bob = pair
    path = naming.path_of(decision(1))
    _commit_raw(ann, {path: b"broken\n", "notes.txt": b"by hand\n"})
    bob.change(1, lambda m: m.having(title="Still a memory", updated=m.created.replace(year=2027)))

    exchange(ann, bob)

    assert ann.store.snapshot().memories[decision(1).id].memory.title == "Still a memory"
    assert [file.path for file in ann.store.snapshot().quarantined] == ["notes.txt"]


def _commit_raw(clone: Clone, files: Mapping[str, bytes]) -> None:
    """Commit files as somebody does who works on the branch by hand."""
    stream = b"commit %s\ncommitter X <x@example.com> 1800000000 +0000\ndata 1\nx\nfrom %s\n" % (
        REF.encode(),
        clone.repo.git("rev-parse", REF).encode(),
    )
    for path, data in files.items():
        stream += b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)
    clone.repo.git("fast-import", "--quiet", stdin=stream)


@given(
    st.lists(
        st.sampled_from(["add", "title", "tag", "archive", "body", "protect"]),
        min_size=3,
        max_size=3,
    )
)
@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_three_clones_end_alike_in_whatever_order_they_share(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[str]
) -> None:
    trees = set()
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        folder = tmp_path_factory.mktemp("three")
        hub = bare(folder / "hub")
        clones = [Clone(folder / name, hub, name) for name in ("ann", "bob", "eve")]
        clones[0].store.commit(adding(1))
        clones[0].push()
        for clone in clones[1:]:
            clone.pull()
        for n, kind in enumerate(kinds):
            _act(clones[n], kind, n)
        for n in (*order, *order):
            clones[n].pull()
            clones[n].push()
        assert len({clone.tree() for clone in clones}) == 1
        shown = "".join(
            f"{s.memory.title}\n{s.memory.body}\n{s.memory.tags}"
            for s in clones[0].store.snapshot().memories.values()
        )
        for n, kind in enumerate(kinds):
            assert kind not in {"add", "title", "tag", "body"} or f"{kind}{n}" in shown
        trees.add(clones[0].tree())
    if (
        len(set(kinds)) == len(kinds) and "archive" not in kinds
    ):  # three changes of three fields leave no choice
        assert len(trees) == 1


def _act(clone: Clone, kind: str, n: int) -> None:
    day = decision(1).created.replace(year=2027 + n)
    changes: dict[str, Callable[[Memory], Memory]] = {
        "title": lambda m: m.having(title=f"title{n}", updated=day),
        "tag": lambda m: m.having(tags=(f"tag{n}",), updated=day),
        "archive": lambda m: m.having(status=Status.ARCHIVED, updated=day),
        "body": lambda m: m.having(body=f"body{n}", updated=day),
        "protect": lambda m: m.having(protected=True, updated=day),
    }
    if kind == "add":
        new = decision(n + 10, f"add{n}")
        clone.put({naming.path_of(new): frontmatter.render(new)})
    else:
        clone.change(1, changes[kind])


def test_a_store_of_a_newer_layout_is_not_joined(pair: tuple[Clone, Clone]) -> None:
    ann, bob = pair
    _commit_raw(ann, {"format": b"2\n"})
    ann.push()

    with pytest.raises(Exception, match="layout 2"):
        bob.pull()


WHOLE = frontmatter.render(decision(1))
ANY_BYTES = st.one_of(
    st.binary(max_size=200),
    st.sampled_from(
        [
            WHOLE.replace(b"\n", b"\r\n"),
            b"\xef\xbb\xbf" + WHOLE,
            WHOLE + b"\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
            WHOLE.replace(b"title:", b"<<<<<<< ours\ntitle:"),
            WHOLE.replace(b"tags: []", b"tags: [*a]"),
            WHOLE.replace(decision(1).id.encode(), decision(2).id.encode()),
            WHOLE + b"x" * 40_000,
            b"---\n" + b"[" * 30_000,
            WHOLE[:60],
            WHOLE,
        ]
    ),
    st.integers(0, len(WHOLE)).flatmap(
        lambda at: st.binary(max_size=9).map(lambda put: WHOLE[:at] + put + WHOLE[at:])
    ),
)
MODES = st.sampled_from(["100644", "100755", "120000"])


@given(one=st.tuples(ANY_BYTES, MODES), other=st.tuples(ANY_BYTES, MODES), apart=st.booleans())
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_bytes_stand_there_a_join_ends_and_both_sides_come_to_the_same(
    repo: Repo, one: tuple[bytes, str], other: tuple[bytes, str], *, apart: bool
) -> None:
    repo.git("update-ref", "-d", REF)
    repo.git("update-ref", "-d", "refs/lerim/backup/memory")
    store_at(repo.path).commit(adding(2) if apart else adding(1, 2))
    path = naming.path_of(decision(1))
    base = repo.git("rev-parse", REF)
    tips = [_with_raw(repo, base, path, data, mode) for data, mode in (one, other)]
    trees = set()
    for mine, theirs in (tips, reversed(tips)):
        repo.git("update-ref", REF, mine)
        store = store_at(repo.path)
        store.join(theirs, "origin")
        trees.add(repo.git("rev-parse", f"{REF}^{{tree}}"))
        assert decision(2).id in store.snapshot().memories  # the others are as they were
        by_both = apart or (WHOLE, "100644") not in (
            one,
            other,
        )  # what one alone has broken is set aside with all
        readable = [tip for tip in tips if decision(1).id in store.snapshot(tip).memories]
        assert decision(1).id in store.snapshot().memories or not readable or not by_both

    assert len(trees) == 1


def _with_raw(repo: Repo, base: str, path: str, data: bytes, mode: str) -> str:
    """Return a commit on top of a base that has these very bytes at a path, as anybody could push
    it.
    """
    index = str(repo.path / ".git" / "index-of-a-test")
    blob = repo.git("hash-object", "-w", "--stdin", stdin=data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_INDEX_FILE", index)
        repo.git("read-tree", base)
        repo.git("update-index", "--add", "--cacheinfo", f"{mode},{blob},{path}")
        tree = repo.git("write-tree")
    Path(index).unlink()
    return repo.git("commit-tree", tree, "-p", base, "-m", "by hand", when="2026-05-01T10:00:00Z")


def test_joins_that_cross_each_other_end_alike(pair: tuple[Clone, Clone]) -> None:
    """Each joins the other's work before the other has joined theirs: two common bases, not one."""
    ann, bob = pair
    ann.change(1, lambda m: m.having(title="By Ann", updated=m.created.replace(year=2027)))
    bob.change(2, lambda m: m.having(title="By Bob", updated=m.created.replace(year=2027)))
    tips = [clone.repo.git("rev-parse", REF) for clone in (ann, bob)]
    for clone, tip in zip((ann, bob), reversed(tips), strict=True):
        clone.repo.git("fetch", "-q", str((bob if clone is ann else ann).repo.path), tip)
        clone.store.join(tip, "side")
    ann.change(1, lambda m: m.having(tags=("ann",), updated=m.updated.replace(year=2028)))
    bob.change(1, lambda m: m.having(tags=("bob",), updated=m.updated.replace(year=2029)))

    exchange(ann, bob)

    first, second = (ann.store.snapshot().memories[decision(n).id].memory for n in (1, 2))
    assert (first.title, second.title) == ("By Ann", "By Bob")
    assert sorted(first.tags) == ["ann", "bob"]


@pytest.mark.parametrize("skew", [-3650, -1, 0, 1, 3650])
def test_a_clock_that_is_wrong_loses_nothing(pair: tuple[Clone, Clone], skew: int) -> None:
    ann, bob = pair
    now = decision(1).created.replace(year=2027)
    ann.change(1, lambda m: m.having(title="By Ann", body="Ann says why.", updated=now))
    bob.change(
        1,
        lambda m: m.having(
            title="By Bob",
            body="Bob says why.",
            updated=max(m.updated + timedelta(seconds=1), now + timedelta(days=skew)),
        ),
    )

    exchange(ann, bob)

    merged = ann.store.snapshot().memories[decision(1).id].memory
    shown = f"{merged.title}\n{merged.body}"
    assert all(said in shown for said in ("By Ann", "By Bob", "Ann says why.", "Bob says why."))


def test_one_memory_in_two_files_is_one_after_a_join(pair: tuple[Clone, Clone]) -> None:
    ann, bob = pair
    twin = naming.path_of(decision(1)).replace("use-thing", "another-name-of")
    _commit_raw(
        ann,
        {
            twin: frontmatter.render(
                decision(1).having(tags=("twin",), updated=decision(1).created.replace(year=2027))
            )
        },
    )
    bob.change(1, lambda m: m.having(title="By Bob", updated=m.created.replace(year=2028)))

    exchange(ann, bob)

    merged = ann.store.snapshot().memories[decision(1).id].memory
    assert (merged.title, merged.tags) == ("By Bob", ("twin",))
    assert (
        len(
            [
                path
                for path in ann.repo.git("ls-tree", "-r", "--name-only", REF).split()
                if decision(1).id in path
            ]
        )
        == 1
    )


@pytest.mark.parametrize("how", ["rewound", "deleted", "another history"])
def test_what_the_remote_lost_comes_back_from_whoever_has_it(
    pair: tuple[Clone, Clone], how: str
) -> None:
    ann, bob = pair
    ann.store.commit(adding(3))
    ann.push()
    bob.pull()
    if how == "deleted":
        ann.hub.git("update-ref", "-d", REF)
    elif how == "rewound":
        ann.hub.git("update-ref", REF, f"{REF}~1")
    else:
        ann.hub.git("config", "user.name", "X")
        ann.hub.git("config", "user.email", "x@y.z")
        root = bob.repo.git("rev-list", "--max-parents=0", REF)
        ann.hub.git("update-ref", REF, ann.hub.git("commit-tree", f"{root}^{{tree}}", "-m", "anew"))
    bob.store.commit(adding(4))

    if how != "deleted":
        bob.pull()
    bob.push()
    ann.pull()

    assert ann.titles() == bob.titles() == {f"Use thing {n}" for n in (1, 2, 3, 4)}
    assert ann.tree() == bob.tree() == ann.hub.git("rev-parse", f"{REF}^{{tree}}")


@pytest.mark.parametrize(
    ("was", "ours", "theirs", "becomes"),
    [
        (None, ("a", "100755"), ("b", "100644"), ("b", "100644")),  # a plain file before any other
        (None, ("a", "120000"), ("b", "100755"), ("b", "100755")),
        (
            ("a", "100644"),
            ("a", "100644"),
            ("b", "100755"),
            ("b", "100755"),
        ),  # who did not touch it has no say
        (("a", "100644"), ("b", "100644"), ("b", "100644"), ("b", "100644")),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_of_a_file_that_is_no_memory_always_the_same_version_stands(
    repo: Repo,
    was: tuple[str, str] | None,
    ours: tuple[str, str],
    theirs: tuple[str, str],
    becomes: tuple[str, str],
    *,
    swapped: bool,
) -> None:
    store_at(repo.path).commit(adding(1))
    base = repo.git("rev-parse", REF)
    base = _with_raw(repo, base, "notes.txt", was[0].encode(), was[1]) if was else base
    tips = [
        _with_raw(repo, base, "notes.txt", data.encode(), mode) for data, mode in (ours, theirs)
    ]
    mine, other = reversed(tips) if swapped else tips
    mine = _with_raw(repo, mine, "more.txt", b"so that both have moved", "100644")
    repo.git("update-ref", REF, mine)

    store_at(repo.path).join(other, "origin")

    assert repo.git("ls-tree", REF, "notes.txt").split()[0] == becomes[1]
    assert repo.git("show", f"{REF}:notes.txt") == becomes[0]


def test_the_newest_layout_that_both_can_read_stands(repo: Repo) -> None:
    store_at(repo.path).commit(adding(1))
    base = repo.git("rev-parse", REF)
    older, newer = b"0 \n", b"1\n\n"  # the older one has the higher id
    mine, other = (_with_raw(repo, base, "format", data, "100644") for data in (older, newer))
    repo.git("update-ref", REF, mine)

    store_at(repo.path).join(other, "origin")

    assert repo.git("show", f"{REF}:format").strip() == "1"


def test_what_one_alone_archived_is_in_the_archive_alone(pair: tuple[Clone, Clone]) -> None:
    ann, bob = pair
    ann.change(1, lambda m: m.having(status=Status.ARCHIVED, updated=m.created.replace(year=2027)))
    bob.change(2, lambda m: m.having(status=Status.ARCHIVED, updated=m.created.replace(year=2027)))
    bob.change(1, lambda m: m.having(tags=("b",), updated=m.created.replace(year=2028)))

    exchange(ann, bob)

    files = ann.repo.git("ls-tree", "-r", "--name-only", REF, "decisions", "archived").split("\n")
    assert sorted(files) == sorted(f"archived/{naming.path_of(decision(n))}" for n in (1, 2))
    assert ann.store.snapshot().memories[decision(1).id].memory.tags == ("b",)


def test_who_archived_and_who_edited_are_named_by_their_names(pair: tuple[Clone, Clone]) -> None:
    ann, bob = pair
    ann.change(1, lambda m: m.having(status=Status.ARCHIVED, updated=m.created.replace(year=2027)))
    bob.change(1, lambda m: m.having(title="Edited", updated=m.created.replace(year=2028)))

    exchange(ann, bob)

    body = ann.store.snapshot().memories[decision(1).id].memory.body
    assert "2027-02-02 Ann, status: archived this beside an edit of Bob on 2028-02-02" in body


def test_what_was_added_is_told_and_what_was_only_changed_is_not_told_as_added(
    pair: tuple[Clone, Clone],
) -> None:
    ann, bob = pair
    ann.change(1, lambda m: m.having(title="Changed", updated=m.created.replace(year=2027)))
    ann.store.commit(adding(3))
    ann.push()
    bob.store.commit(adding(4))

    joined = bob.pull()

    assert joined is not None
    assert (joined.added, joined.merged) == ([decision(3).id], [])


def test_what_both_changed_alike_is_not_told_as_merged(pair: tuple[Clone, Clone]) -> None:
    ann, bob = pair
    for clone in pair:
        clone.change(1, lambda m: m.having(title="Changed", updated=m.created.replace(year=2027)))
    ann.store.commit(adding(3))
    ann.push()
    bob.store.commit(adding(4))

    joined = bob.pull()

    assert joined is not None
    assert (joined.added, joined.merged) == ([decision(3).id], [])


def before_the_origin(memory: Memory) -> bytes:
    """Return a memory's file as it was written before there were an origin, edits and feedback."""
    lines = frontmatter.render(memory).decode().split("\n")
    older = "\n".join(
        line for line in lines if not line.startswith(("origin: ", "edited: ", "feedback: "))
    )
    return older.replace(", branch: null, patch: null", "").encode()


@pytest.mark.parametrize("shared", [True, False])
def test_a_clone_that_wrote_a_memory_anew_and_one_that_did_not_end_with_the_same_bytes(
    tmp_path: Path, *, shared: bool
) -> None:
    hub = bare(tmp_path / "hub")
    ann, bob = Clone(tmp_path / "ann", hub, "Ann"), Clone(tmp_path / "bob", hub, "Bob")
    cited = decision(1).having(sources=(Source(agent="claude", session="1", records=((1, 2),)),))
    path, old = naming.path_of(cited), before_the_origin(cited)
    ann.put({path: old})
    if shared:  # else both began alone, from the same session
        ann.push()
        bob.pull()
    else:
        bob.put({path: old})
    assert bob.repo.git("show", f"{REF}:{path}") == old.decode().rstrip()

    ann.change(
        1,
        lambda m: m.having(
            origin=Origin.HUMAN, sources=tuple(replace(s, branch="main") for s in m.sources)
        ),
    )
    bob.store.commit(adding(2))
    exchange(ann, bob)

    anew = cited.having(origin=Origin.HUMAN, sources=(replace(cited.sources[0], branch="main"),))
    assert ann.repo.git("show", f"{REF}:{path}") == frontmatter.render(anew).decode().rstrip()
