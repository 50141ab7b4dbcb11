from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from support.memories import memory
from support.repos import Repo
from support.stores import store_at

from git_lerim.actions import add_memory, edit_memory
from git_lerim.actions.add_memory import Note
from git_lerim.errors import BadMemory, UsageError
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import (
    BODY_LIMIT,
    TITLE_LIMIT,
    Anchor,
    Kind,
    Memory,
    Primitive,
    Source,
    Status,
)
from git_lerim.storage.base import Change, Stored
from git_lerim.workspace import Workspace, open_workspace

KEY = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"
SUMMARY = memory(
    id="summaryaaaaaa",
    primitive=Primitive.SUMMARY,
    title="A day's work",
    body="## Intent\n\nx\n\n## What happened\n\ny",
)


@pytest.fixture
def ws(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(repo.path)
    return open_workspace()


@pytest.fixture
def put(repo: Repo) -> Callable[..., Memory]:
    """Return what commits a memory as it is, and returns it."""

    def commit(one: Memory) -> Memory:
        path = naming.path_of(one, archived=one.status is Status.ARCHIVED)
        store_at(repo.path).commit(
            lambda _: Change(files={path: frontmatter.render(one)}, subject="put")
        )
        return one

    return commit


def stored(repo: Repo, one: Memory) -> Stored:
    snapshot = store_at(repo.path).snapshot()
    return {**snapshot.memories, **snapshot.summaries, **snapshot.handoffs}[one.id]


def note(text: str, **more: object) -> Note:
    return Note(**({"text": text, "primitive": Primitive.LEARNING, "kind": Kind.FACT} | more))  # type: ignore[arg-type]


def trailers(repo: Repo) -> list[str]:
    return repo.git("log", "-1", "--format=%(trailers:only)", "lerim/memory").splitlines()


# -- remember


def test_what_is_remembered_stands_in_the_store(ws: Workspace, repo: Repo) -> None:
    text = "Run the tests with TZ=UTC. Else two of them fail.\n\nAlways."
    done = add_memory.remember(ws, note(text, tags=("b", "a")))

    (made,) = done.memories
    assert stored(repo, made).memory == made
    assert (made.title, made.body, made.tags) == ("Run the tests with TZ=UTC", text, ("a", "b"))
    assert made.sources == ()
    assert (
        repo.git("log", "-1", "--format=%s", "lerim/memory")
        == "remember: Run the tests with TZ=UTC"
    )
    assert trailers(repo) == [
        "Lerim-Op: remember",
        f"Lerim-Added: {made.id}",
        "Lerim-Redactions: 0",
    ]


def test_what_is_remembered_twice_in_the_same_words_is_one(ws: Workspace, repo: Repo) -> None:
    first, again = (
        add_memory.remember(ws, note("Once. And no more.", tags=("a", "b"))) for _ in range(2)
    )
    later = add_memory.remember(
        replace(ws, now=ws.now + timedelta(days=20)),
        note(" Once.  And\nno more.\n", tags=("b",), title="Once"),
    )

    assert first.commit
    assert (
        (first.memories, None) == (again.memories, again.commit) == (later.memories, later.commit)
    )
    assert len(store_at(repo.path).snapshot().memories) == 1


@pytest.mark.parametrize(
    "more",
    [
        {"text": "Once. And more."},
        {"text": "ONCE."},
        {"tags": ("new",)},
        {"kind": Kind.PITFALL},
        {"primitive": Primitive.DECISION, "kind": None},
        {"anchors": (Anchor(path="file.txt", blob="a" * 40, commit="b" * 40),)},
        {"title": "Twice"},
    ],
)
def test_what_says_more_in_the_same_words_is_a_memory_of_its_own(
    ws: Workspace, repo: Repo, more: dict[str, object]
) -> None:
    add_memory.remember(ws, note("Once."))

    assert add_memory.remember(ws, note(**({"text": "Once."} | more))).commit  # type: ignore[arg-type]
    assert len(store_at(repo.path).snapshot().memories) == 2


def test_what_a_session_says_does_not_stand_for_a_persons_word(
    ws: Workspace, put: Callable[..., Memory]
) -> None:
    was = {"title": "Once", "body": "Once.", "kind": Kind.FACT, "primitive": Primitive.LEARNING}
    put(
        memory(
            id="aaaaaaaaaaaaa",
            at=ws.now.replace(microsecond=0),
            sources=(Source(agent="claude", session="s"),),
            **was,
        )
    )

    assert add_memory.remember(ws, note("Once.")).commit


def test_what_stands_in_the_archive_too_is_not_remembered(ws: Workspace, repo: Repo) -> None:
    (first,) = add_memory.remember(ws, note("Once.")).memories
    both = {
        naming.path_of(first, archived=archived): frontmatter.render(first)
        for archived in (False, True)
    }
    store_at(repo.path).commit(
        lambda _: Change(files=both, subject="as a merge by hand can leave it")
    )

    assert add_memory.remember(ws, note("Once.")).commit


def test_what_was_archived_can_be_remembered_anew(ws: Workspace) -> None:
    first = add_memory.remember(ws, note("Once."))
    edit_memory.forget(ws, [first.memories[0].id])

    anew = add_memory.remember(ws, note("Once."))

    assert anew.commit
    assert anew.memories[0].id != first.memories[0].id


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("x " * 200, None, "x…"),
        ("One line\nand another", "  ", "One line"),
        ("One. Two.", "Mine", "Mine"),
        ("...", "Mine", "Mine"),
        ("ends.", None, "ends"),
    ],
)
def test_a_title_is_given_or_made_of_the_first_sentence(
    ws: Workspace, text: str, title: str | None, expected: str
) -> None:
    (made,) = add_memory.remember(ws, note(text, title=title)).memories

    assert made.title.endswith(expected)
    assert len(made.title) <= TITLE_LIMIT


@pytest.mark.parametrize("text", ["", " \n ", "\u200b", "...", "x" * (BODY_LIMIT + 1)])
def test_what_cannot_be_a_memory_is_refused(ws: Workspace, repo: Repo, text: str) -> None:
    with pytest.raises((UsageError, BadMemory)):
        add_memory.remember(ws, note(text))

    assert store_at(repo.path).tip() is None


def test_a_text_that_its_blanking_makes_too_long_is_refused(ws: Workspace, repo: Repo) -> None:
    text = " ".join(f"password=hunt{n:03}x" for n in range(200))[:BODY_LIMIT]

    with pytest.raises(BadMemory, match="nothing was remembered: it has a body of"):
        add_memory.remember(ws, note(text))

    assert store_at(repo.path).tip() is None


def test_secrets_are_blanked_and_counted(ws: Workspace, repo: Repo) -> None:
    done = add_memory.remember(ws, note(f"It is {KEY}.", title=f"The key {KEY}", tags=(KEY, "ok")))

    assert done.redactions == 3
    assert "Lerim-Redactions: 3" in trailers(repo)
    assert done.memories[0].tags == ("ok",)
    assert KEY not in repo.git("cat-file", "--batch-all-objects", "--batch")


def test_a_secret_that_would_be_in_the_title_too_is_one(ws: Workspace) -> None:
    done = add_memory.remember(ws, note(f"The key is {KEY}."))

    assert (done.redactions, KEY in done.memories[0].title) == (1, False)


def test_a_file_is_named_from_where_one_stands(
    ws: Workspace, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = repo.commit({"src/a.py": "1\n2\n3\n"})
    monkeypatch.chdir(repo.path / "src")
    ws = open_workspace()

    expected = Anchor(
        path="src/a.py", lines=(2, 3), blob=repo.git("rev-parse", "HEAD:src/a.py"), commit=head
    )
    assert add_memory.anchor(ws, "a.py:2-3") == expected
    assert add_memory.anchor(ws, f"{repo.path}/src/a.py:2") == replace(expected, lines=(2, 2))
    assert add_memory.anchor(ws, "../hello.py").path == "hello.py"


def test_lines_in_the_wrong_order_are_named_in_the_right_one(ws: Workspace) -> None:
    with pytest.raises(UsageError, match=r"hello\.py:2-1 ends before it begins") as refused:
        add_memory.anchor(ws, "hello.py:2-1")

    assert refused.value.hint == "hello.py:1-2 names these lines"


@pytest.mark.parametrize(
    "named",
    [
        "none.py",
        "hello.py:0",
        "hello.py:2",
        "hello.py:1-2",
        "hello.py:1-0",
        "hello.py:" + "9" * 5000,
        "hello.py:x",
        "a\nb",
    ],
)
def test_a_file_or_a_line_that_is_not_there_is_refused(ws: Workspace, named: str) -> None:
    with pytest.raises(UsageError, match=r"no such file in HEAD|has no line"):
        add_memory.anchor(ws, named)


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("new.py:1", "no such file in HEAD: new.py / commit the file first, or leave out --file"),
        ("gone.py", "no such file in HEAD: gone.py / --file takes PATH, PATH:LINE or"),
        ("docs", "docs is a folder / --file takes PATH"),
        (".", ". is a folder / --file takes PATH"),
        ("../out.py", "no such file in this repository: ../out.py / --file takes PATH"),
    ],
)
def test_a_file_that_cannot_be_an_anchor_is_refused_with_what_helps(
    ws: Workspace, repo: Repo, named: str, told: str
) -> None:
    (repo.path / "docs").mkdir()
    (repo.path / "new.py").write_text("x\n")
    (repo.path.parent / "out.py").write_text("x\n")

    with pytest.raises(UsageError) as refused:
        add_memory.anchor(ws, named)

    assert f"{refused.value} / {refused.value.hint}".startswith(told)


# -- forget, restore, protect


# -- edit


def test_colours_and_links_are_removed_before_redaction(ws: Workspace) -> None:
    coloured = f"\x1b[31mUse \x1b]8;;https://example.org\x07{KEY[:9]}\x1b[0m{KEY[9:]}\x1b]8;;\x07"
    note = Note(text=coloured, primitive=Primitive.LEARNING, kind=Kind.FACT, tags=("\x1b[1mci",))

    (made,) = add_memory.remember(ws, note).memories
    changed = edit_memory.edit(ws, made.id, lambda m: replace(m, title="\x1b[1mBold\x1b[m"))

    assert (made.body, made.tags) == ("Use [REDACTED:github]", ("ci",))
    assert changed.memories[0].title == "Bold"
