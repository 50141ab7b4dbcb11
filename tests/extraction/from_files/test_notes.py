import pytest

from git_lerim.bulk import WORTH_IT
from git_lerim.extraction.from_files import notes
from git_lerim.extraction.from_files.base import Draft, File, Reading
from git_lerim.memories.memory import BODY_LIMIT, Kind, Primitive, Status

BUILD = "The build needs Node 20, or it hangs at the end."
TOPIC = (
    "---\nname: run-tests-in-utc\ndescription: Run the tests in UTC.\nmetadata:\n  type:"
    " feedback\n---\nThey fail else.\n"
)


def read(texts: dict[str, str]) -> tuple[dict[str, Draft], Reading]:
    into = Reading()
    notes.read(
        [File(name=path, path=path, text=text) for path, text in sorted(texts.items())], into
    )
    return {one.title: one for one in into.found}, into


def test_the_memory_of_claude_is_read_topic_by_topic() -> None:
    found, into = read({
        "MEMORY.md": f"# Memory\n\n- [Tests](feedback_tests.md) — how\n\n## Build\n\n{BUILD}\n",
        "feedback_tests.md": TOPIC,
    })  # fmt: skip

    assert {title: (one.kind, one.body) for title, one in found.items()} == {
        "Run the tests in UTC": (Kind.PREFERENCE, "They fail else."),
        "Build": (Kind.FACT, BUILD),
    }
    assert into.left == []


def test_a_note_of_basic_memory_is_read() -> None:
    head = "title: Catalog\ntype: note\npermalink: a/catalog\ntags: [sqlite, '#db']"
    text = f"---\n{head}\n---\n# Catalog\n\n- [decision] Use SQLite #db\n"
    found, _ = read({"a/catalog.md": text})

    one = found["Catalog"]
    assert (one.body, one.tags, one.records) == (
        "- [decision] Use SQLite #db",
        ("sqlite", "db"),
        ((7, 9),),
    )


@pytest.mark.parametrize(
    ("path", "head", "sort"),
    [
        ("decisions/0001-a.md", "tier: semantic", (Primitive.DECISION, None)),
        ("gotchas/a.md", "tier: semantic", (Primitive.LEARNING, Kind.PITFALL)),
        ("_rules/a.md", "pinned: true", (Primitive.LEARNING, Kind.PREFERENCE)),
        ("notes/a.md", "kind: procedure", (Primitive.LEARNING, Kind.PROCEDURE)),
        ("a.md", "category: insight", (Primitive.LEARNING, Kind.INSIGHT)),
        ("a.md", "tags: [x, decision]", (Primitive.DECISION, None)),
        ("a.md", "type: whatever", (Primitive.LEARNING, Kind.FACT)),
    ],
)
def test_a_note_is_what_it_says_else_what_its_folder_says(
    path: str, head: str, sort: tuple[Primitive, Kind | None]
) -> None:
    found, _ = read({path: f"---\ntitle: A note\n{head}\n---\nText.\n"})

    assert (found["A note"].primitive, found["A note"].kind) == sort


def test_status_dates_and_confidence_are_kept() -> None:
    head = (
        "title: A\nstatus: archived\ncreated: 2024-01-02\nupdated:"
        " 2024-02-03T04:05:06Z\nconfidence: 0.4"
    )
    found, _ = read(
        {"a.md": f"---\n{head}\n---\nText.\n", "archive/b.md": "---\ntitle: B\n---\nText.\n"}
    )

    one = found["A"]
    assert (one.status, f"{one.created:%F}", f"{one.changed:%F}", one.confidence) == (
        Status.ARCHIVED, "2024-01-02", "2024-02-03", 0.4,
    )  # fmt: skip
    assert found["B"].status is Status.ARCHIVED


def test_what_is_no_note_is_named() -> None:
    _, into = read({
        "README.md": "---\ntitle: x\n---\nText.\n", "plain.md": "# No head\n\nText.\n",
        "titled.md": "---\ntitle: x\n---\n", "sessions/a.md": "---\ntitle: x\n---\nText.\n",
        "tabs.md": "---\n\ttitle: x\n---\nText.\n",
    })  # fmt: skip

    assert {one.place: (one.reason, one.failed) for one in into.left} == {
        "README.md": ("is named like an index of notes", False),
        "plain.md": ("has no front matter; to import it anyway, use --as notes", False),
        "titled.md": ("has no text besides its title", False),
        "sessions/a.md": ("is a session's or the tool's own file, not a note", False),
        "tabs.md": (
            "line 2 contains a tab, which is not allowed in front matter; put the text in quotes",
            True,
        ),
    }


def test_a_file_that_is_called_like_an_index_is_read_when_it_is_named() -> None:
    named, told = Reading(), Reading()
    file = File(name="README.md", path="README.md", text="# Tests\n\nThey need UTC.\n")
    notes.read([file], named, named=True)
    notes.read([file], told, loose=True, named=True)

    assert [one.reason for one in named.left] == [
        "has no front matter; to import it anyway, use --as notes"
    ]
    assert [(one.title, one.body) for one in told.found] == [("Tests", "They need UTC.")]


def test_many_notes_are_read_in_order_with_what_was_left_out() -> None:
    count = 2 * WORTH_IT
    texts = {f"{n:04}.md": f"---\ntitle: Note {n:04}\n---\n{BUILD}\n" for n in range(count)}
    texts["0007.md"] = "---\ntitle: &a b\n---\nx\n"
    texts[f"{count - 7:04}.md"] = "No front matter.\n"

    found, into = read(texts)

    assert list(found) == sorted(found)
    assert len(found) == count - 2
    assert [(one.place, one.failed) for one in into.left] == [
        ("0007.md", True),
        (f"{count - 7:04}.md", False),
    ]


def test_a_long_note_is_cut_with_a_word() -> None:
    found, _ = read({"a.md": f"---\ntitle: A\n---\n{'word ' * 3000}"})

    assert len(found["A"].body) <= BODY_LIMIT
    assert found["A"].body.endswith("(cut: a.md says more, 14999 characters in all)")
