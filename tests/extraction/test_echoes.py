import html
import json

import pytest
from support.memories import memory
from support.talk import Talk

from git_lerim.extraction.echoes import echoed, without_fences
from git_lerim.memories.memory import Kind, Memory, Origin, Primitive, Source
from git_lerim.recall.brief import prompt_fence
from git_lerim.sessions.session import Role

LINE = (
    "- [k3v4qd2m7x4ab] 2026-02-20 preference: From now on, always run the linter before a commit."
)
FENCE = prompt_fence.fence(["Preferences and rules:", LINE], b"k" * 32)
KNOWN = {
    "Use SQLite for the session catalog": "JSON files are lost when two processes write at once.",
    "Slugs keep the hyphen as separator": (
        "URLs of old articles use it; an underscore would break them."
    ),
    "Tests need TZ=UTC": "The date parser reads the local zone, so CI fails elsewhere.",
    "Migrations run inside one transaction": "A half-applied schema cannot be repaired by hand.",
    "The cache key contains the schema version": (
        "Old entries were read after an upgrade and crashed the worker."
    ),
}
ECHOES = {
    "Use SQLite for the session catalog": [
        "Use SQLite for the session catalog", "Keep using SQLite for the session catalog",
        "Use SQLite for the catalog because JSON files are lost when two processes write",
        "The session catalog uses SQLite, since two processes write at once",
    ],
    "Slugs keep the hyphen as separator": [
        "Slugs keep the hyphen as separator", "Keep the hyphen as the separator of slugs",
        "Slugs keep the hyphen because URLs of old articles use it",
        "The hyphen stays the slug separator, old URLs use it",
    ],
    "Tests need TZ=UTC": [
        "Tests need TZ=UTC", "Tests need TZ=UTC because the date parser reads the local zone",
        "The date parser reads the local zone, so tests need TZ=UTC",
        "Tests need TZ=UTC, otherwise CI fails",
    ],
    "Migrations run inside one transaction": [
        "Migrations run inside one transaction", "Run migrations inside one transaction",
        "Migrations run in one transaction because a half-applied schema cannot be repaired",
        "One transaction for migrations, a half-applied schema cannot be repaired by hand",
    ],
    "The cache key contains the schema version": [
        "The cache key contains the schema version", "Cache keys contain the schema version",
        "The schema version is in the cache key because old entries were read after an upgrade",
        "The cache key contains the schema version, old entries crashed the worker",
    ],
}  # fmt: skip


def known() -> list[Memory]:
    sources = (Source(agent="codex", session="another"),)
    return [
        memory(
            id=f"{number}".replace("0", "a").ljust(13, "b"), title=title, body=body, sources=sources
        )
        for number, (title, body) in enumerate(KNOWN.items())
    ]


def new(
    title: str, origin: Origin = Origin.ANSWER, body: str = "From the plan that the user approved."
) -> Memory:
    return memory(
        id="z" * 13,
        title=title,
        body=body,
        origin=origin,
        sources=(Source(agent="claude", session="this"),),
    )


@pytest.mark.parametrize(
    ("of", "title"), [(of, title) for of, titles in ECHOES.items() for title in titles]
)
def test_what_an_agent_repeats_of_what_it_was_given_is_an_echo(of: str, title: str) -> None:
    found = echoed(new(title), known())

    assert found is not None
    assert found.title == of


@pytest.mark.parametrize(
    "title",
    [
        "Use PostgreSQL instead of SQLite for the session catalog",
        "Slugs no longer keep the hyphen, use the underscore as separator",
        "The worker retries a failed upload three times",
        "Order numbers contain the year",
        "Drop the cache when the catalog is rebuilt",
    ],
)
def test_what_is_new_or_decides_otherwise_is_no_echo(title: str) -> None:
    assert echoed(new(title), known()) is None


def test_what_the_human_typed_is_no_echo() -> None:
    assert echoed(new("Use SQLite for the session catalog", Origin.HUMAN), known()) is None


def test_a_memory_of_this_session_does_not_stand_in_its_own_way() -> None:
    mine = known()[0].having(sources=(Source(agent="claude", session="this"),))

    assert echoed(new("Use SQLite for the session catalog"), [mine]) is None
    assert echoed(known()[1], known()[1:2]) is None


def test_another_kind_of_memory_that_says_the_same_is_an_echo() -> None:
    pitfall = new("Tests need TZ=UTC", Origin.REPAIR).having(
        primitive=Primitive.LEARNING, kind=Kind.PITFALL
    )

    assert echoed(pitfall, known()) is not None


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(FENCE, id="as it is: Claude, Codex, Copilot, Pi, OpenCode"),
        pytest.param(html.escape(FENCE, quote=False), id="escaped: Gemini, Qwen"),
        pytest.param(html.escape(html.escape(FENCE, quote=False), quote=False), id="escaped twice"),
        pytest.param(FENCE.replace("<", "\\u003c").replace(">", "\\u003e"), id="as JSON"),
        pytest.param(
            f"<hook_context>{html.escape(FENCE, quote=False)}</hook_context>",
            id="wrapped by Gemini",
        ),
        pytest.param(FENCE[: FENCE.rindex("</")], id="cut off before its end"),
    ],
)
def test_our_fence_is_taken_out_of_what_was_said(shown: str) -> None:
    session = Talk().prompt(f"Fix the parser.\n\n{shown}").reply("Done.").session()

    clean, ids = without_fences(session)

    assert ids == {"k3v4qd2m7x4ab"}
    assert "linter" not in json.dumps([record.text for record in clean.records])
    assert clean.records[0].text.startswith("Fix the parser.")


def test_a_prompt_that_is_nothing_but_our_fence_is_none() -> None:
    clean, _ = without_fences(Talk().prompt(FENCE).reply("All right.").session())

    assert [record.role for record in clean.records] == [Role.REPLY]


def test_a_session_without_a_fence_stays_as_it_is() -> None:
    session = Talk().prompt("Fix <the> parser of lerim-memory files").session()

    assert without_fences(session) == (session, frozenset())
