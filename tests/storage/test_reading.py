from collections.abc import Callable
from pathlib import Path

import pytest
from support.repos import Repo
from support.stores import adding, decision, store_at, titles

from git_lerim.errors import BranchBlocked, LerimError
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.storage import layout
from git_lerim.storage.base import Change, Quarantined

GOOD = frontmatter.render(decision(1))
PATH = naming.path_of(decision(1))
MONTH, NAME = PATH.rsplit("/", 1)


def raw_tree(repo: Repo, entries: list[tuple[str, bytes, str]]) -> str:
    """Write a tree of any content: git's own commands refuse the worst."""
    data = b"".join(
        mode.encode() + b" " + name + b"\0" + bytes.fromhex(blob) for mode, name, blob in entries
    )
    return repo.git("hash-object", "--literally", "-t", "tree", "-w", "--stdin", stdin=data)


def blob(repo: Repo, data: bytes = GOOD) -> str:
    return repo.git("hash-object", "-w", "--stdin", stdin=data)


def put(repo: Repo, tree: str) -> None:
    commit = repo.git("commit-tree", "-m", "evil", tree)
    repo.git("update-ref", "refs/heads/lerim/memory", commit)


def in_month(repo: Repo, entries: list[tuple[str, bytes, str]]) -> None:
    inner = raw_tree(repo, entries)
    put(
        repo,
        raw_tree(repo, [("40000", b"decisions", raw_tree(repo, [("40000", b"2026-02", inner)]))]),
    )


def aside(repo: Repo) -> tuple[Quarantined, ...]:
    snapshot = store_at(repo.path).snapshot()
    assert snapshot.memories == {}
    return tuple(snapshot.quarantined)


@pytest.mark.parametrize(
    ("mode", "name", "reason"),
    [
        ("120000", NAME.encode(), "a symbolic link that is not a memory"),
        ("100755", NAME.encode(), "an executable file that is not a memory"),
        ("160000", NAME.encode(), "a submodule that is not a memory"),
        ("100644", b"..", "a file that is not a memory"),
        ("100644", b"../../../escape.md", "a file that is not a memory"),
        ("100644", b"/etc/passwd", "a file that is not a memory"),
        ("100644", b".git", "a file that is not a memory"),
        ("100644", b"CON.md", "a file that is not a memory"),
        ("100644", NAME.upper().encode(), "a file that is not a memory"),
        (
            "100644",
            NAME.replace("-", "-\x1b]52;c;x\x07", 1).encode(),
            "a file that is not a memory",
        ),
        ("100644", b"\xff\xfe.md", "a file that is not a memory"),
        ("100644", NAME.encode() + b"\n", "a file that is not a memory"),
        ("100644", NAME.removesuffix(".md").encode(), "a file that is not a memory"),
    ],
)
def test_what_is_no_plain_file_of_a_good_name_is_set_aside(
    repo: Repo, mode: str, name: bytes, reason: str
) -> None:
    target = repo.git("rev-parse", "HEAD") if mode == "160000" else blob(repo)
    in_month(repo, [(mode, name, target)])

    (found,) = aside(repo)

    assert found.reason == reason
    assert found.path.startswith(f"{MONTH}/")
    assert found.path.isprintable()


@pytest.mark.parametrize(
    "shape",
    [
        lambda tree: [("40000", b"decisions", tree)],
        lambda tree: [("40000", b"..", tree)],
        lambda tree: [("40000", b".git", tree)],
        lambda tree: [("40000", b"memories", tree)],
        lambda tree: [("40000", b"archived", tree)],
        lambda tree: [("40000", b"handoffs", tree)],
        lambda tree: [("120000", b"decisions", tree)],
        lambda tree: [("160000", b"archived", tree)],
        lambda tree: [("40000", b"format", tree)],
    ],
)
def test_a_memory_in_the_wrong_folder_is_set_aside(
    repo: Repo, shape: Callable[[str], list[tuple[str, bytes, str]]]
) -> None:
    put(repo, raw_tree(repo, shape(raw_tree(repo, [("100644", NAME.encode(), blob(repo))]))))

    assert len(aside(repo)) == 1


def test_a_folder_too_deep_is_not_entered(repo: Repo) -> None:
    inner = raw_tree(repo, [("100644", NAME.encode(), blob(repo))])
    for _ in range(50):
        inner = raw_tree(repo, [("40000", b"2026-02", inner)])
    put(repo, raw_tree(repo, [("40000", b"decisions", inner)]))

    assert aside(repo) == (
        Quarantined(path="decisions/2026-02/2026-02", reason="a folder that is not a memory"),
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (
            GOOD.replace(decision(1).id.encode(), decision(2).id.encode()),
            "its file name has the ID",
        ),
        (
            GOOD.replace(b'"decision"', b'"learning"').replace(b"kind: null", b'kind: "fact"'),
            "does not belong in this",
        ),
        (b"", ""),
        (b"\xff\xff", "UTF-8"),
        (b"x" * 40_000, "40000 bytes"),
        (b"---\n\x1b[31m: [\n---\n", ""),
    ],
)
def test_a_file_whose_content_is_wrong_is_set_aside_with_the_reason(
    repo: Repo, data: bytes, reason: str
) -> None:
    in_month(repo, [("100644", NAME.encode(), blob(repo, data))])

    (found,) = aside(repo)

    assert found.path == PATH
    assert reason in found.reason
    assert found.reason.isprintable()


def test_a_file_whose_object_is_missing_is_set_aside(repo: Repo) -> None:
    lost = blob(repo)
    in_month(repo, [("100644", NAME.encode(), lost)])
    (repo.path / ".git/objects" / lost[:2] / lost[2:]).unlink()

    assert "cannot be read" in aside(repo)[0].reason


def test_good_memories_beside_bad_ones_are_read_and_the_bad_stay_in_git(repo: Repo) -> None:
    link = ("120000", b"x.md", blob(repo, b"/etc/passwd"))
    month = raw_tree(
        repo, [("100644", b"..", blob(repo)), ("100644", NAME.encode(), blob(repo)), link]
    )
    decisions = ("40000", b"decisions", raw_tree(repo, [("40000", b"2026-02", month)]))
    put(repo, raw_tree(repo, [decisions, ("100644", b"format", blob(repo, b"1\n"))]))

    store_at(repo.path).commit(adding(2))

    snapshot = store_at(repo.path).snapshot()
    assert titles(snapshot) == {"Use thing 1", "Use thing 2"}
    assert len(snapshot.quarantined) == 2


def test_of_two_files_with_one_id_the_archived_one_wins(repo: Repo) -> None:
    store = store_at(repo.path)
    store.commit(lambda _: Change(files={PATH: GOOD, f"archived/{PATH}": GOOD}, subject="both"))

    snapshot = store.snapshot()

    assert snapshot.memories[decision(1).id].memory.status == "archived"
    assert list(snapshot.quarantined) == [
        Quarantined(path=PATH, reason=f"archived/{PATH} has the same id")
    ]


def test_of_two_active_files_with_one_id_the_first_by_path_wins(repo: Repo) -> None:
    other = PATH.replace("use-thing", "zzz")
    store = store_at(repo.path)
    store.commit(lambda _: Change(files={PATH: GOOD, other: GOOD}, subject="both"))

    snapshot = store.snapshot()

    assert snapshot.memories[decision(1).id].path == PATH
    assert [file.path for file in snapshot.quarantined] == [other]


def test_strangers_at_the_top_are_named(repo: Repo) -> None:
    put(
        repo,
        raw_tree(
            repo,
            [
                ("100644", b"vercel.json", blob(repo, b"{}")),
                ("120000", b"README.md", blob(repo, b"/etc/passwd")),
            ],
        ),
    )

    assert {file.path for file in aside(repo)} == {"vercel.json", "README.md"}


def test_a_store_without_end_is_read_up_to_the_limit(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "FILES_LIMIT", 5)
    store_at(repo.path).commit(adding(*range(9)))

    snapshot = store_at(repo.path).snapshot()

    assert len(snapshot.memories) == 5
    assert [item.reason for item in snapshot.quarantined] == [
        "it and later files are not read: the store has more than 5 files"
    ]


def test_nothing_is_written_outside_of_the_git_folder(repo: Repo, tmp_path: Path) -> None:
    before = {path for path in tmp_path.rglob("*") if ".git" not in path.parts}
    in_month(repo, [("100644", b"../../../../escape.md", blob(repo))])

    store_at(repo.path).snapshot()
    with pytest.raises(BranchBlocked):
        store_at(repo.path).commit(adding(2))

    assert {path for path in tmp_path.rglob("*") if ".git" not in path.parts} == before


def test_a_partial_clone_is_told_how_to_get_its_files(repo: Repo, tmp_path: Path) -> None:
    store_at(repo.path).commit(adding(1))
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=blob:none", f"file://{repo.path}", str(tmp_path / "clone"))
    store = store_at(tmp_path / "clone")
    store.attach("origin")
    away = repo.path.rename(tmp_path / "away")

    with pytest.raises(LerimError, match="this is a partial clone") as caught:
        dict(store.snapshot().memories)

    away.rename(repo.path)
    Repo(tmp_path / "clone").git("archive", "-o", str(tmp_path / "x.tar"), "lerim/memory")
    assert "git archive" in caught.value.hint
    assert titles(store_at(tmp_path / "clone").snapshot()) == {"Use thing 1"}


@pytest.mark.parametrize("left_out", ["blob:none", "tree:0"])
def test_a_partial_clone_fetches_its_files_at_once(
    repo: Repo, tmp_path: Path, left_out: str
) -> None:
    store_at(repo.path).commit(adding(*range(30)))
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", f"--filter={left_out}", f"file://{repo.path}", str(tmp_path / "clone"))
    store = store_at(tmp_path / "clone")
    packs = len(list((tmp_path / "clone/.git/objects/pack").glob("*.pack")))

    assert store.attach("origin")
    assert len(store.snapshot().memories) == 30

    assert len(list((tmp_path / "clone/.git/objects/pack").glob("*.pack"))) <= packs + 2
    assert store.commit(adding(100))
    assert Repo(tmp_path / "clone").git("fsck") == ""
