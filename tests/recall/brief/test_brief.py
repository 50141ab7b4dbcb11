import re
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.memories import AT, TEXT, memory

from git_lerim.memories import naming
from git_lerim.memories.memory import Anchor, Kind, Memory, Origin, Primitive, Source, Status
from git_lerim.recall.brief.brief import Brief, as_json, compose
from git_lerim.recall.brief.selection import MOST, candidates, others
from git_lerim.recall.index.index_reader import FORMAT, Document, Reader
from git_lerim.recall.index.index_writer import SCHEMA, Writer
from git_lerim.recall.local.verdicts import CachedVerdict
from git_lerim.tokens import at_most

KEY = b"k" * 32
STORED = TEXT.map(lambda text: text.encode("utf-8", "replace").decode())  # as a file can hold it


def learnt(n: int, title: str, body: str = "It is so.", **changes: Any) -> Memory:
    """Return the n-th memory, a day older than the one before."""
    kind = changes.pop("kind", None)
    path = changes.pop("path", None)
    anchors = (Anchor(path=path, blob="a" * 40),) if path else ()
    changes.setdefault("origin", Origin.HUMAN)
    return memory(
        id=naming.memory_id("claude", f"record {n}", "learning", 0),
        primitive=Primitive.LEARNING if kind else Primitive.DECISION,
        kind=kind, title=title, body=body, at=AT - timedelta(days=n), anchors=anchors, **changes,
    )  # fmt: skip


def index_of(*memories: Memory) -> Reader:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    connection.executescript(SCHEMA)
    writer = Writer(connection)
    for each in memories:
        writer.add(each, naming.path_of(each), "b" * 40)
    writer.finish({"format": FORMAT, "commit": "c", "tree": "t"})
    return Reader(connection)


def brief_of(*memories: Memory, budget: int = 2000, **asked: Any) -> Brief:
    return compose(candidates(index_of(*memories), **asked), budget, KEY)


def titles(brief: Brief, section: str = "") -> list[str]:
    return [pick.document.title for pick in brief.picks if section in {"", pick.section}]


STORE = (
    learnt(1, "Deploys pass staging", kind=Kind.INSIGHT),
    learnt(2, "Use SQLite for the catalog", path="src/catalog.py"),
    learnt(3, "The parser drops tabs", kind=Kind.PITFALL, path="src/parser.py"),
    learnt(4, "The catalog is opened late", kind=Kind.INSIGHT, path="src/catalog.py"),
    learnt(5, "Run the tests in UTC", kind=Kind.PREFERENCE),
    learnt(6, "Name branches after issues", kind=Kind.PREFERENCE),
    learnt(8, "Indent with tabs", kind=Kind.PREFERENCE, origin=Origin.AGENT),
    learnt(
        7,
        "Retries wait with jitter",
        "A socket that is refused is tried again after a random time.",
        kind=Kind.PROCEDURE,
    ),
)


def test_rules_come_first_then_the_files_at_hand_then_what_is_asked_then_what_is_new() -> None:
    brief = brief_of(
        *STORE,
        changed=["src/catalog.py"],
        prompt="why does the refused socket wait a random time?",
        everything=True,
    )

    assert titles(brief, "preference") == ["Run the tests in UTC", "Name branches after issues"]
    assert titles(brief, "code") == ["Use SQLite for the catalog", "The catalog is opened late"]
    assert titles(brief, "asked") == ["Retries wait with jitter"]
    assert titles(brief, "recent") == [
        "Deploys pass staging",
        "The parser drops tabs",
        "Indent with tabs",
    ]
    headings = [line for line in brief.text.splitlines() if line.endswith(":")]
    assert headings == [
        "Preferences and rules:",
        "On the files at hand:",
        "On what was asked:",
        "Recent decisions and lessons:",
    ]


def test_preferences_that_a_model_noted_come_before_what_is_new_and_apart_from_rules() -> None:
    noted = learnt(9, "Plans stay out of git", kind=Kind.PREFERENCE, origin=Origin.MODEL)

    brief = brief_of(noted, *(learnt(n, f"Fact number {n} about it") for n in range(20, 50)))

    assert titles(brief, "noted") == ["Plans stay out of git"]
    assert titles(brief, "preference") == []
    assert brief.text.index("Preferences, noted by a model:") < brief.text.index("Recent ")


@pytest.mark.parametrize(
    "prompt",
    [
        "look at src/parser.py",
        "look at `parser.py`, please",
        "see ./src/parser.py:12.",
        "/home/ada/shop/src/parser.py fails",
    ],
)
def test_a_file_that_the_prompt_names_is_at_hand_before_those_that_are_changed(prompt: str) -> None:
    code = titles(
        brief_of(*STORE, changed=["src/catalog.py"], prompt=prompt, everything=True), "code"
    )

    assert code == [
        "The parser drops tabs",
        "Use SQLite for the catalog",
        "The catalog is opened late",
    ]


def test_a_folder_that_the_prompt_names_is_at_hand() -> None:
    assert len(titles(brief_of(*STORE, prompt="tidy src/ now"), "code")) == 0
    assert (
        len(
            titles(
                brief_of(
                    *STORE, learnt(9, "Deep", path="src/deep/er/x.py"), prompt="tidy src/deep"
                ),
                "code",
            )
        )
        == 1
    )


def test_a_changed_file_of_the_same_name_in_another_folder_is_not_at_hand() -> None:
    assert titles(brief_of(*STORE, changed=["catalog.py", "lib/catalog.py"]), "code") == []


def test_only_active_memories_are_handed_out() -> None:
    others = [
        learnt(
            20 + n, f"Not this {status}", kind=Kind.PREFERENCE, status=status, path="src/catalog.py"
        )
        for n, status in enumerate((Status.SUSPECT, Status.SUPERSEDED, Status.ARCHIVED))
    ]
    brief = brief_of(
        *STORE,
        *others,
        changed=["src/catalog.py"],
        prompt="not this suspect superseded archived src/catalog.py",
        everything=True,
    )

    assert "Not this" not in brief.text


def test_each_memory_is_told_once_and_so_is_what_two_say_alike() -> None:
    twins = [learnt(n, "Use  sqlite: for the catalog!", path="src/catalog.py") for n in (30, 31)]
    brief = brief_of(
        *STORE,
        *twins,
        changed=["src/catalog.py"],
        prompt="SQLite catalog in src/catalog.py",
        everything=True,
    )

    assert brief.text.lower().count("use sqlite") == 1
    assert len({pick.document.id for pick in brief.picks}) == len(brief.picks)


def judged(standing: CachedVerdict) -> Callable[[list[Document]], dict[str, CachedVerdict]]:
    """Return what says the same of all memories about code."""
    return lambda documents: {document.blob: standing for document in documents}


def test_a_stale_memory_says_since_when_and_comes_last_in_its_section() -> None:
    stale = CachedVerdict("stale", "changed", "1a2b3c4d" * 5)
    brief = brief_of(*STORE, changed=["src/catalog.py"], verdicts_of=judged(stale))

    assert "decision, stale since 1a2b3c4, src/catalog.py: Use SQLite" in brief.text
    assert "pitfall, stale since 1a2b3c4: The parser" in brief.text
    assert titles(brief, "recent")[-1] == "The parser drops tabs"
    assert as_json(brief)["memories"]
    fresh = brief_of(
        *STORE, changed=["src/catalog.py"], verdicts_of=judged(CachedVerdict("fresh", "fresh"))
    )
    assert "stale" not in fresh.text
    assert {pick.state for pick in fresh.picks} == {"", "fresh"}
    assert titles(fresh, "recent")[-1] != "The parser drops tabs"


def test_personal_preferences_are_joined_in_and_marked() -> None:
    personal = index_of(
        learnt(50, "Answer in French", kind=Kind.PREFERENCE),
        learnt(51, "Somewhere else", kind=Kind.INSIGHT),
    )
    brief = brief_of(*STORE, personal=personal)

    assert "preference, personal: Answer in French" in brief.text
    assert "Somewhere else" not in brief.text
    assert titles(brief, "preference")[0] == "Run the tests in UTC"


def test_every_line_has_the_id_and_the_day() -> None:
    brief = brief_of(*STORE)
    lines = [line for line in brief.text.splitlines() if line.startswith("- ")]

    assert len(lines) == len(brief.picks) == len(STORE)
    for line, pick in zip(lines, brief.picks, strict=True):
        assert line.startswith(f"- [{pick.document.id}] {pick.document.created[:10]} ")


@pytest.mark.parametrize("budget", [180, 250, 400, 700])
def test_every_line_has_its_author_however_tight_the_budget(budget: int) -> None:
    long = "apart from the other modules, since all of them are built by different teams elsewhere"
    picks = candidates(
        index_of(*(learnt(n, f"Keep module {n} {long}", "Because. " * 9) for n in range(20)))
    )
    for pick in picks:
        pick.document.author = "Mallory"
    brief = compose(picks, budget, KEY)

    assert brief.picks
    for line in [line for line in brief.text.splitlines() if line.startswith("- ")]:
        assert re.match(
            r"- \[\w{13}\] \d{4}-\d\d-\d\d decision, from Mallory, not the user: Keep", line
        )


def test_equal_inputs_give_equal_bytes_in_whatever_order_memories_were_indexed() -> None:
    asked: dict[str, Any] = {"changed": ["src/catalog.py"], "prompt": "socket", "everything": True}

    assert brief_of(*STORE, **asked).text == brief_of(*reversed(STORE), **asked).text


@pytest.mark.parametrize("budget", [1, 50, 100, 150, 200, 300, 500, 1000, 100_000])
def test_a_brief_is_never_over_its_budget_and_uses_what_it_has(budget: int) -> None:
    many = [
        learnt(100 + n, f"Rule number {n} of many", "Because. " * 30, kind=Kind.PREFERENCE)
        for n in range(60)
    ]
    brief = brief_of(*STORE, *many, budget=budget, changed=["src/catalog.py"])

    assert at_most(brief.text) <= brief.tokens <= budget
    assert bool(brief.text) == bool(brief.picks) == (budget >= 150)
    if budget in {500, 1000}:
        assert brief.tokens > budget * 0.8
        assert titles(brief, "code")  # preferences leave room
        assert brief.left_out


def test_twenty_four_wishes_of_a_usual_length_fit_into_a_brief() -> None:
    wish = "put fixtures into tests/conftest.py, we had four copies of the db fixture at some point"
    many = [
        learnt(
            100 + n,
            f"In part {n}, {wish}",
            f"The user asked for this: “in part {n}, pls {wish}.”",
            kind=Kind.PREFERENCE,
        )
        for n in range(24)
    ]
    brief = brief_of(*many, budget=1850, everything=True)

    assert len(brief.picks) == 24
    assert brief.text.count("The user asked for this") == 24


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(STORED.map(lambda text: f"x{text}"[:100]), STORED), min_size=1, max_size=4),
    st.integers(1, 700),
)
def test_whatever_memories_say_there_is_one_fence_within_the_budget(
    texts: list[tuple[str, str]], budget: int
) -> None:
    brief = brief_of(
        *(learnt(n, title, body, kind=Kind.PREFERENCE) for n, (title, body) in enumerate(texts)),
        budget=budget,
    )

    assert at_most(brief.text) <= budget
    assert brief.text.count("<") in {0, 2}
    assert {line[0] for line in brief.text.splitlines()[2:-1]} <= {"-", "P"}


def test_a_count_that_the_parts_do_not_add_up_to_is_kept_all_the_same() -> None:
    picks = candidates(index_of(*STORE))
    brief = compose(picks, 300, KEY, lambda text: len(text) // 4 + 3 * text.count("\n") ** 2)

    assert brief.picks
    assert brief.tokens <= 300


def test_one_word_of_a_long_prompt_brings_nothing_in() -> None:
    assert (
        titles(
            brief_of(*STORE, prompt="please translate the whole manual of the socket wrench"),
            "asked",
        )
        == []
    )
    assert titles(brief_of(*STORE, prompt="socket"), "asked") == ["Retries wait with jitter"]


def test_with_a_prompt_only_what_matches_it_is_handed_out() -> None:
    matching = brief_of(
        *STORE, changed=["src/catalog.py"], prompt="the refused socket waits in src/parser.py"
    )
    whole = brief_of(
        *STORE, changed=["src/catalog.py"], prompt="the refused socket", everything=True
    )

    assert titles(matching) == ["The parser drops tabs", "Retries wait with jitter"]
    assert {pick.section for pick in whole.picks} == {"preference", "code", "asked", "recent"}
    assert brief_of(*STORE, changed=["src/catalog.py"], prompt="").text == ""


def test_of_a_long_note_the_line_that_answers_the_prompt_is_handed_out() -> None:
    filler = "\n".join(
        f"The chapter {n} of this guide is about something else altogether, as chapters are."
        for n in range(20)
    )
    note = learnt(
        1,
        "Guide",
        f"{filler}\nA corrupted worktree index is repaired with git read-tree HEAD.\n{filler}",
    )

    brief = brief_of(note, prompt="How is a corrupted worktree index repaired?")

    assert "repaired with git read-tree HEAD" in brief.text


def test_the_line_of_a_long_note_stands_after_its_heading_and_not_in_another_section() -> None:
    filler = "Chapters of a guide are about something else altogether, as chapters are. " * 8
    body = (
        f"Welcome to the guide.\n\n## Dates\n\n{filler}\n\n- Filter messages with --since\n\n##"
        f" Colours\n\n{filler}"
    )

    brief = brief_of(learnt(1, "Guide", body), prompt="Filter the messages by their date")

    assert "Guide. Dates: Filter messages with --since" in brief.text


def test_a_rule_is_recent_news_before_a_long_note_of_which_one_line_tells_little() -> None:
    note = learnt(
        2,
        "Guide",
        "The guide has many chapters about many different things that people may want to know. "
        * 40,
    )
    rule = learnt(
        1,
        "Rebuild each package whose source was changed",
        "A stale build had been published before anybody saw.",
    )

    assert titles(brief_of(rule, note)) == [rule.title, note.title]


def test_rules_that_agents_load_anyway_come_after_all_other_news() -> None:
    from_file = Source(agent="import", session="docs/CLAUDE.md", records=(), at=AT)
    rules = [
        learnt(n, f"Rule number {n} of the file", kind=Kind.PREFERENCE, sources=(from_file,),
            origin=Origin.IMPORT)
        for n in range(70)
    ]  # fmt: skip

    brief = brief_of(*rules, learnt(80, "Use SQLite for the catalog"))

    assert titles(brief)[0] == "Use SQLite for the catalog"
    assert len(titles(brief)) == 8


def test_what_says_nothing_is_not_recent_news() -> None:
    assert titles(brief_of(*STORE, learnt(0, "x", "x"), learnt(9, "Ok", "Ok."))) == titles(
        brief_of(*STORE)
    )


def test_what_says_more_is_recent_before_what_is_a_little_newer() -> None:
    long = learnt(
        2,
        "The importer skips empty rows",
        "A row without a key would end the import of the whole file on Mondays.",
    )

    assert titles(brief_of(learnt(1, "Imports work", "They do."), long)) == [
        long.title,
        "Imports work",
    ]


@pytest.mark.parametrize(
    ("title", "body", "line"),
    [
        ("Use SQLite", "Use SQLite.", "Use SQLite"),
        (
            "Use SQLite for the catalog",
            "Use SQLite for the catalog, because it needs no server.",
            None,
        ),
        ("Tabs, not spaces", "The user asked for this: “Tabs, not spaces.”", None),
        ("タブを使う", "The user asked for this: “タブを使う。”", None),
        (
            "Use SQLite for the catalog",
            "It needs no server.",
            "Use SQLite for the catalog. It needs no server.",
        ),
    ],
)
def test_a_body_that_repeats_its_title_is_printed_once(
    title: str, body: str, line: str | None
) -> None:
    assert brief_of(learnt(1, title, body)).text.count(f": {line or body}\n") == 1


def test_an_empty_memory_gives_nothing() -> None:
    brief = brief_of(prompt="anything in src/a.py?", changed=["a"])

    assert (brief.text, brief.picks, brief.left_out) == ("", [], 0)
    assert as_json(brief)["memories"] == []


def test_a_prompt_that_is_full_of_operators_and_odd_bytes_is_a_prompt() -> None:
    for prompt in (
        'kind:fact -socket "',
        "tag: path:src NOT *",
        "\udcff\x00 'refused",
        '"""',
        "-",
        "socket " * 5000,
    ):
        brief_of(*STORE, prompt=prompt, changed=["src/\udcff.py"])


def of_session(name: str, *memories: Memory) -> list[Memory]:
    sources = [replace(memories[0].sources[0], session=name)]
    return [replace(each, sources=tuple(sources)) for each in memories]


def test_one_session_does_not_fill_what_is_recent() -> None:
    work = [learnt(n, f"The gradient of panel {n} is drawn last") for n in range(1, 12)]
    older = learnt(40, "Deploys wait for the staging check")

    brief = brief_of(*of_session("s1", *work), *of_session("s2", older))

    assert titles(brief, "recent")[3] == "Deploys wait for the staging check"


def spread(numbers: range) -> list[Memory]:
    """Return memories of as many sessions, the newest first."""
    quoted = [learnt(n, f"The gradient of panel {n} is drawn last") for n in numbers]
    return [of_session(f"s{n}", each)[0] for n, each in zip(numbers, quoted, strict=True)]


def test_what_a_person_wrote_by_hand_comes_before_what_only_fills_the_budget() -> None:
    written = [
        replace(learnt(n, f"The cache of region {n} is filled at night"), sources=())
        for n in range(30, 44)
    ]

    shown = titles(brief_of(*written, *spread(range(1, 60)), budget=1400), "recent")

    assert sum("cache" in title for title in shown) == len(written)
    assert sum("gradient" in title for title in shown) >= MOST["recent"]


def test_a_brief_with_room_is_filled_with_older_memories_of_sessions() -> None:
    brief = brief_of(*spread(range(1, 23)))

    assert len(titles(brief, "recent")) == 22
    assert brief.left_out == 0


def test_rules_beyond_their_limit_fill_a_brief_too_and_come_last() -> None:
    rules = [learnt(n, f"Rule {n} of many rules", kind=Kind.PREFERENCE) for n in range(70, 100)]

    shown = brief_of(*rules, *spread(range(1, 61)), budget=9000)

    assert len(titles(shown, "preference")) == MOST["preference"]
    assert sum(title.startswith("Rule") for title in titles(shown, "recent")) == 6
    assert titles(shown, "recent")[0].startswith("The gradient")


def test_a_prompt_gets_nothing_that_only_fills_the_budget() -> None:
    assert titles(brief_of(*spread(range(1, 23)), prompt="what is for lunch?")) == []


def test_rules_that_agents_load_anyway_fill_no_brief() -> None:
    source = Source(agent="import", session="CLAUDE.md")
    loaded = [
        replace(learnt(n, f"Rule number {n} of the project"), sources=(source,))
        for n in range(1, 20)
    ]

    assert len(titles(brief_of(*loaded), "recent")) == MOST["recent"]


def test_what_does_not_compete_is_counted_among_others() -> None:
    index = index_of(*spread(range(1, 80)))
    picks = candidates(index)

    assert len(picks) + others(index, picks, whole=True) == 79
    assert others(index, picks, whole=False) == 0


def test_the_decisions_of_a_model_come_before_its_facts() -> None:
    facts = [
        learnt(n, f"The endpoint number {n} answers in JSON", kind=Kind.FACT, origin=Origin.MODEL)
        for n in range(1, 4)
    ]
    trap = learnt(5, "The parser drops tabs at once", kind=Kind.PITFALL, origin=Origin.MODEL)

    brief = brief_of(*of_session("s1", *facts), *of_session("s2", trap))

    assert titles(brief, "recent")[0] == "The parser drops tabs at once"


def test_what_a_model_thinks_few_would_keep_is_left_out_where_there_is_enough() -> None:
    made = [
        learnt(n, f"The exporter {n} writes its totals last", origin=Origin.MODEL, worth=n / 10)
        for n in (2, 3, 5, 6, 7, 8)
    ]
    spread = [of_session(f"s{n}", each)[0] for n, each in enumerate(made)]

    brief = brief_of(*spread)

    assert [title.split()[2] for title in titles(brief, "recent")] == ["8", "7", "6", "5"]
    assert len(titles(brief_of(*spread[:3]), "recent")) == 3
