from cProfile import Profile
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.costs import grows_evenly
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction import by_rules
from git_lerim.extraction.base import Candidate
from git_lerim.extraction.by_rules import MOST
from git_lerim.memories.memory import Kind, Primitive
from git_lerim.sessions.session import Header, Record, Role, Session


def catalog_talk() -> Talk:
    """A session with an answer, a correction that has a reason, and a failure that was repaired."""
    return (
        Talk()
        .prompt("The catalog of sessions gets slow with many files. How should we store it?")
        .look("src/catalog.py", "src/sync.py")
        .reply(
            "The catalog is one JSON file that is rewritten on every change, so each sync costs more than the one before it."  # noqa: E501
        )
        .answer(
            "Where should the catalog live?",
            "SQLite file",
            "SQLite file: one file beside the repository, safe with two writers because it locks",
            "One JSON file per session",
            "Keep the single JSON file",
        )
        .reply("SQLite it is.")
        .edit("src/catalog.py")
        .prompt(
            "Don't put the catalog database into the work tree, because linked worktrees have to share one catalog."  # noqa: E501
        )
        .reply(
            "You're right. The catalog database now lies in the git common dir, because linked worktrees must share one catalog."  # noqa: E501
        )
        .edit("src/catalog.py")
        .run(
            "make docs",
            "sphinx.errors.ThemeError: no theme named 'furo' found (missing theme.toml?)",
        )
        .reply(
            "The theme `furo` is only in the extra `docs`, so it is not found because the plain environment does not hold it."  # noqa: E501
        )
        .edit("Makefile")
        .run("make docs")
        .reply("The documentation builds.")
    )


def titles(session: Session) -> list[str]:
    return [one.title for one in extract(session)]


def found(session: Session, word: str) -> Candidate:
    hits = [one for one in extract(session) if word in f"{one.title} {one.body}"]
    assert hits, [(one.title, one.body) for one in extract(session)]
    return hits[0]


def test_an_answer_is_a_decision_with_every_option_that_was_not_taken() -> None:
    one = found(catalog_talk().session(), "SQLite file")
    assert one.primitive is Primitive.DECISION
    assert one.title == "Where should the catalog live? SQLite file"
    assert "Not chosen: One JSON file per session; Keep the single JSON file." in one.body


def test_a_prohibition_with_its_reason_is_a_decision_in_the_words_of_the_user() -> None:
    one = found(catalog_talk().session(), "work tree")
    assert one.primitive is Primitive.DECISION
    assert (
        one.title
        == "Don't put the catalog database into the work tree, because linked worktrees have to share one catalog"  # noqa: E501
    )
    assert one.files == ("src/catalog.py", "Makefile")


def test_a_repaired_failure_is_a_pitfall_with_command_error_cause_and_remedy() -> None:
    one = found(catalog_talk().session(), "furo")
    assert (one.primitive, one.kind) == (Primitive.LEARNING, Kind.PITFALL)
    assert one.body.startswith("The theme `furo` is only in the extra `docs`")
    assert (
        "`make docs` failed with “sphinx.errors.ThemeError: no theme named 'furo' found" in one.body
    )
    assert one.body.endswith("a change of `Makefile` made it pass.")


def test_evidence_comes_in_order_with_time_and_origin() -> None:
    session = catalog_talk().session()
    candidates = extract(session)
    assert len(candidates) == 3
    for one in candidates:
        spans = one.evidence[0].records
        number = int(one.origin.removeprefix("5b0c#"))
        assert any(first <= number <= last for first, last in spans)
        assert one.at == max(
            r.at or 0 for r in session.records if any(a <= r.n <= b for a, b in spans)
        )
    assert sorted(candidates, key=lambda one: one.evidence[0].records) == candidates


def test_the_same_session_gives_the_same_candidates() -> None:
    assert extract(catalog_talk().session()) == extract(catalog_talk().session())


def test_the_origin_is_the_record_s_own_id_where_it_has_one() -> None:
    named = tuple(replace(r, uuid=f"u{r.n}") for r in catalog_talk().records)
    assert all(
        one.origin.startswith("u")
        for one in extract(Session(agent="claude", id="5b0c", header=Header(), records=named))
    )


def test_a_session_gives_five_memories_at_most() -> None:
    talk = Talk().prompt("hello")
    for wish in (
        "Always run the linter before you commit.",
        "Never add a dependency without asking.",
        "I prefer pathlib over os.path.",
        "From now on write every comment in English.",
        "We use tabs in Makefiles and nowhere else.",
        "Don't touch files below vendor/, they are generated.",
        "No emojis in the docs please.",
    ):
        talk.prompt(wish).reply("Will do.")
    assert len(extract(talk.session())) == MOST == 5


@pytest.mark.parametrize(
    "said",
    [
        "rename the variable `foo` to `bar` in src/app.py please",
        "commit and push",
        "Run the tests again and tell me what fails.",
        "what does `sync --force` do?",
        "looks good, thanks",
        "make the muted grey a bit brighter",
        "/compact keep the plan",
    ],
)
def test_chores_questions_and_thanks_leave_nothing(said: str) -> None:
    talk = (
        Talk()
        .prompt("Show me how the app starts.")
        .look("src/app.py")
        .reply("It starts in `main`.")
    )
    talk.prompt(said).edit("src/app.py").reply("Done. All tests pass.")
    assert titles(talk.session()) == []


def test_what_the_agent_says_of_its_own_accord_leaves_nothing() -> None:
    talk = Talk().prompt("Please look at the upload.").look("src/up.py")
    talk.reply(
        "The upload must always keep one connection open, because the proxy cuts idle ones after 60 seconds."  # noqa: E501
    ).edit("src/up.py")
    talk.compacted("## Key Decisions\n- The index is kept in Redis because the team knows it.")
    assert titles(talk.session()) == []


def test_prompts_of_programs_and_plans_that_are_pasted_leave_nothing() -> None:
    order = "Always write the report to `report.md`, never to the terminal."
    brief = "# Task\n\n## Context\n\nA dashboard.\n\n## Rules\n\n" + order
    for said in (
        brief,
        f"The user is not available. {order}",
        f"Stop hook feedback: {order}",
        f"PostToolUse:Bash hook additional context: {order}",
        f"You are an expert reviewer. {order}",
    ):
        assert titles(Talk().prompt(said).reply("Working on it.").edit("a.py").session()) == []


def test_pasted_review_comments_leave_nothing() -> None:
    talk = Talk().prompt(
        "The fetch runs without a timeout and should never block. Consider using a context with a timeout so that it must end."  # noqa: E501
    )
    assert titles(talk.reply("Added a timeout.").edit("fetch.go").session()) == []


def test_what_was_rewound_leaves_nothing() -> None:
    records = tuple(replace(r, abandoned=True) for r in catalog_talk().records)
    assert extract(Session(agent="claude", id="5b0c", header=Header(), records=records)) == []


def test_a_message_for_another_chat_leaves_nothing() -> None:
    talk = catalog_talk()
    talk.prompt("Never use gradients on the landing page, because the brand changed").reply(
        "Good call."
    ).edit("web/landing.css")
    talk.prompt("sorry, wrong chat, ignore my last message").reply("No problem.")
    assert not [one for one in extract(talk.session()) if "gradients" in one.title]


def test_what_a_sub_agent_is_told_or_says_leaves_nothing() -> None:
    talk = catalog_talk()
    before = extract(talk.session())
    talk.prompt(
        "Always keep the archive in `archive.tar`, because tar keeps the modes", part="agent-1"
    )
    talk.run("make dist", "ValueError: no archive named archive.zip", part="agent-1")
    talk.reply(
        "The archive is not found because `make dist` needs `archive.tar`.", part="agent-1"
    ).edit("Makefile", part="agent-1")
    talk.run("make dist", part="agent-1")
    assert extract(talk.session()) == before


def test_redacted_text_is_text() -> None:
    hidden = [
        replace(r, text=r.text.replace("work tree", "[REDACTED:api-key]"))
        for r in catalog_talk().records
    ]
    assert found(
        Session(agent="claude", id="5b0c", header=Header(), records=tuple(hidden)),
        "[REDACTED:api-key]",
    )


def test_profanity_is_not_quoted() -> None:
    talk = (
        Talk()
        .prompt("Never touch the fucking vendor folder, because it is generated.")
        .reply("Understood.")
        .edit("a.py")
    )
    assert titles(talk.session()) == []


def test_an_empty_session_leaves_nothing() -> None:
    assert extract(Session(agent="claude", id="x", header=Header(), records=())) == []


records = st.builds(
    Record, n=st.integers(1, 50), role=st.sampled_from(list(Role)), text=st.text(max_size=200),
    failed=st.booleans(), abandoned=st.booleans(),
    options=st.lists(st.text(max_size=20), max_size=3).map(tuple),
    question=st.none() | st.text(max_size=40),
    files=st.lists(st.text(max_size=9), max_size=2).map(tuple),
    command=st.none() | st.text(max_size=30), call=st.none() | st.sampled_from(["a", "b"]),
)  # fmt: skip


@given(st.lists(records, max_size=25))
@settings(max_examples=60, deadline=None)
def test_no_session_is_too_strange(given_records: list[Record]) -> None:
    for one in extract(
        Session(agent="claude", id="x", header=Header(), records=tuple(given_records))
    ):
        assert one.title
        assert len(one.title) <= 120
        assert one.body
        assert 0 < one.confidence <= 1


@pytest.mark.parametrize(
    "piece",
    ["[", "![", "*a ", "**", "`a ", "[a](", "|a", "- a\n", "<thinking>", "<a>", "no, ", "always ",
        "never use ", "1. a\n", "could you a, ", "a?, ", "a/", "a.", "when a, ",
        "以后", "i'm ing ", "https://a.b/ ", ", ", "a: ", "，", "，a", "37, "],
)  # fmt: skip
def test_hostile_text_costs_no_more_than_its_length(piece: str) -> None:
    def read(size: int) -> None:
        text = piece * (size // len(piece))
        talk = (
            Talk()
            .prompt(text)
            .prompt(f"Always run `make x` before each commit.\n{'Run x. ' * 200}\n{text}")
            .look("a", "b")
            .reply(f"{text}\nWhich?")
            .answer(text[:3000], text, text[:90], "b")
            .edit("x.py")
        )
        talk.run("x", text).reply(f"Because {text}").run("x").prompt(f"A. {text}")
        extract(talk.session())

    assert grows_evenly(read, 5_000)


@pytest.mark.parametrize(
    "reply",
    [
        "{}.",
        "The parser lookup was wrong because the cache key lacked a branch. {}.",
        "You're right. {}.",
    ],
)
@pytest.mark.parametrize("word", ["was ", "fix ", "not "])
def test_a_sentence_of_four_times_the_length_costs_about_four_times_as_much(
    reply: str, word: str
) -> None:
    def cost(length: int) -> float:
        talk = Talk().prompt("The build fails with an error in the parser").edit("parser.py")
        session = talk.reply(reply.format(word * (length // 4))).session()
        began = process_time()
        extract(session)
        return process_time() - began

    most = 10 * min(cost(10_000 + more) for more in (0, 4, 8))
    assert any(cost(40_000 + more) < most for more in (0, 4, 8))


def test_twice_as_many_findings_cost_about_twice_as_much() -> None:
    def calls(turns: int) -> int:
        talk = Talk()
        for turn in range(turns):
            talk.prompt(f"Wire module number m{turn} up").edit("a.py")
            notes = (
                f"- The loader_{turn}_{item} never reads cfg{turn}_{item}.toml before the plugin"
                for item in range(20)
            )
            talk.reply("\n".join(["Done.\n\n## Gotchas", *notes]))
        session = talk.session()
        extract(session)  # fills the caches of words
        counted = Profile()
        counted.runcall(extract, session)
        return sum(entry.callcount for entry in counted.getstats())

    assert calls(40) < 3 * calls(20)


def test_few_items_of_one_list_are_considered() -> None:
    notes = "\n".join(
        f"- The loader_{n} never reads cfg{n}.toml before plugin_{n}" for n in range(99)
    )
    talk = Talk().prompt("Wire the loaders up").edit("a.py").reply(f"Done.\n\n## Gotchas\n{notes}")

    assert len(extract(talk.session())) <= MOST


def test_what_the_agent_decided_is_named_where_the_order_beside_it_is_dropped() -> None:
    order = "Use `retry_all` for uploads instead of `retry_one`, because batches get lost."
    talk = Talk().prompt(order).edit("up.py")
    talk.reply("Uploads now retry the whole batch with `retry_all` instead of single files.")
    before = [one.title for one in extract(talk.session())]
    talk.prompt("forget about retry_one, because batches").reply("Ok.")
    given = by_rules.extract(talk.session())

    assert before == [order.rstrip(".")]
    assert any(
        "the whole batch" in getattr(one, "title", getattr(one, "text", "")) for one in given
    )
