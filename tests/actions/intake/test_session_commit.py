import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import msgspec
import pytest
from support.memories import edited, later, memory
from support.repos import Repo
from support.stores import put, store_at
from support.talk import HOUR, Talk

from git_lerim.actions.intake import session_commit
from git_lerim.actions.intake.session_memories import Kept, memories_of
from git_lerim.extraction.base import Brief, Candidate, Evidence
from git_lerim.extraction.reconcile import Action, Add, Skip
from git_lerim.extraction.rules_version import RULES_VERSION
from git_lerim.memories import confidence, naming
from git_lerim.memories.checks.lint_rules import check_memory
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import (
    BODY_LIMIT,
    TITLE_LIMIT,
    Kind,
    Memory,
    Origin,
    Primitive,
    Status,
)
from git_lerim.redaction.redactor import Redactor
from git_lerim.sessions.session import Header, Record, Role, Session
from git_lerim.storage.base import Change, Snapshot
from git_lerim.storage.code import Code
from git_lerim.workspace import open_workspace

MINE = "own-Secret-4711-zyx"
BRIEF = Brief(intent="Make the catalog fast. It was slow.", outcome="It is fast now.")
Make = Callable[..., Kept]


def candidate(**changes: object) -> Candidate:
    """Return a candidate that is right, but for the changes."""
    given = {
        "primitive": Primitive.DECISION,
        "title": "Use SQLite for the catalog",
        "body": "It is there already. JSON lost rows.",
        "confidence": 0.8,
        "evidence": (Evidence(records=((1, 2),)),),
        "origin": "u-1",
        "at": HOUR + 2000,
    }
    return Candidate(**(given | changes))  # type: ignore[arg-type]


def talk() -> Talk:
    return Talk().prompt("Use SQLite.").reply("I do.")


@pytest.fixture
def code(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Code:
    monkeypatch.chdir(repo.path)
    return open_workspace().code


@pytest.fixture
def kept(code: Code) -> Make:
    """Return what makes memories of candidates."""

    def make(
        *candidates: Candidate, session: Session | None = None, brief: Brief | None = BRIEF
    ) -> Kept:
        return memories_of(
            session or talk().session(), candidates, brief, code, Redactor([("TOKEN", MINE)])
        )

    return make


def only(made: Kept) -> Memory:
    (found,) = made.memories
    return found


def timeless(session: Session, *numbers: int) -> Session:
    """Return a session some of whose records have no time."""
    records = [
        msgspec.structs.replace(r, at=None) if r.n in numbers else r for r in session.records
    ]
    return msgspec.structs.replace(session, records=tuple(records))


# -- from candidates to memories


def test_several_memories_of_one_origin_are_told_apart_by_their_order(kept: Make) -> None:
    made = kept(
        candidate(),
        candidate(title="B"),
        candidate(primitive=Primitive.LEARNING, kind=Kind.FACT),
        candidate(origin="o"),
    )

    expected = [
        ("u-1", "decision", 1),
        ("u-1", "decision", 2),
        ("u-1", "learning", 1),
        ("o", "decision", 1),
    ]
    assert [m.id for m in made.memories] == [naming.memory_id("claude", *each) for each in expected]


def test_the_place_in_a_record_is_part_of_the_id_and_the_other_candidates_are_not(
    kept: Make,
) -> None:
    first, second = candidate(), candidate(title="Keep batches on disk", place="1")

    assert only(kept(second)) == kept(first, second).memories[1]
    assert only(kept(second)).id == naming.memory_id("claude", "u-1/1", "decision", 1)


def test_a_memory_says_where_it_comes_from(kept: Make, code: Code) -> None:
    found = only(
        kept(
            candidate(
                evidence=(
                    Evidence(records=((1, 2),)),
                    Evidence(part="sub.jsonl", records=((3, 3),)),
                )
            )
        )
    )

    at = datetime.fromtimestamp(HOUR // 1000 + 2, UTC)
    assert (found.created, found.updated) == (at, at)
    assert [(s.part, s.records, s.at, s.commit) for s in found.sources] == [
        (None, ((1, 2),), at, code.head()),
        ("sub.jsonl", ((3, 3),), at, code.head()),
    ]


def test_a_source_names_the_branch_and_the_patch_of_its_commit(
    kept: Make, code: Code, repo: Repo
) -> None:
    records = [
        msgspec.structs.replace(record, branch="main") for record in talk().session().records
    ]
    session = msgspec.structs.replace(talk().session(), records=tuple(records))

    (source,) = only(kept(candidate(), session=session)).sources

    shown = subprocess.run(
        ["git", "show", str(source.commit)], cwd=repo.path, capture_output=True, check=True
    ).stdout
    told = subprocess.run(
        ["git", "patch-id", "--stable"], cwd=repo.path, input=shown, capture_output=True, check=True
    ).stdout
    assert (source.commit, source.branch) == (code.head(), "main")
    assert source.patch == told.split()[0].decode()


def test_a_detached_head_is_no_branch(kept: Make) -> None:
    records = [
        msgspec.structs.replace(record, branch="HEAD") for record in talk().session().records
    ]

    found = only(
        kept(candidate(), session=msgspec.structs.replace(talk().session(), records=tuple(records)))
    )

    assert found.sources[0].branch is None


@pytest.mark.parametrize("origin", Origin)
def test_a_memory_has_the_origin_of_its_candidate_and_the_confidence_of_that(
    kept: Make, origin: Origin
) -> None:
    found = only(kept(candidate(provenance=origin, confidence=0.123)))

    assert (found.origin, found.confidence, found.edited) == (
        origin,
        confidence.OF_ORIGIN[origin],
        None,
    )


def test_a_suspect_candidate_becomes_a_suspect_memory(kept: Make) -> None:
    found = only(kept(candidate(suspect="rests on tool output alone")))

    assert (found.status, found.suspect) == (Status.SUSPECT, "rests on tool output alone")


@pytest.mark.parametrize(
    ("without", "cited", "second"),
    [((2,), (2, 2), 1), ((1,), (1, 1), 2), ((2, 3), (3, 3), 1), ((1, 2), (1, 1), 3)],
)
def test_evidence_without_a_time_has_the_time_of_what_stands_beside_it(
    kept: Make, without: tuple[int, ...], cited: tuple[int, int], second: int
) -> None:
    session = timeless(talk().prompt("Go on.").session(), *without)

    found = only(kept(candidate(at=0, evidence=(Evidence(records=(cited,)),)), session=session))

    assert found.created.timestamp() == HOUR // 1000 + second
    assert found.sources[0].at is None


def test_evidence_of_a_part_without_times_has_the_first_time_of_the_session(kept: Make) -> None:
    found = only(kept(candidate(at=0, evidence=(Evidence(part="sub.jsonl", records=((1, 1),)),))))

    assert found.created.timestamp() == HOUR // 1000 + 1


def test_a_session_without_any_time_says_so(kept: Make) -> None:
    made = kept(candidate(at=0), session=timeless(talk().session(), 1, 2))

    assert made.summary
    assert [s.at for m in (*made.memories, made.summary) for s in m.sources] == [None, None]
    assert only(made).created.timestamp() == 0
    assert naming.valid_path(naming.path_of(only(made)))


OLD, NEW = (
    "The product catalog uses SQLite",
    "The product catalog moves to PostgreSQL instead of SQLite",
)


def long_talk() -> Session:
    """Return a session of five seconds whose first two records are known by a name."""
    talked = Talk().prompt("Use SQLite.", uuid="u-1").prompt("No, PostgreSQL.", uuid="u-2")
    return talked.reply("Done.").prompt("Good.").reply("Thanks.").session()


def created(made: Kept) -> list[int]:
    return [int(m.created.timestamp()) - HOUR // 1000 for m in made.memories]


def test_of_two_decisions_one_of_which_gives_up_the_other_each_dates_from_when_it_was_first_said(
    kept: Make,
) -> None:
    borne_out_late = candidate(title=OLD, origin="u-1", at=HOUR + 5000)
    instead = candidate(title=NEW, origin="u-2", at=HOUR + 4000)

    made = kept(borne_out_late, instead, session=long_talk())

    assert created(made) == [1, 2]
    assert [m.updated for m in made.memories] == [m.created for m in made.memories]
    assert [
        s.at and int(s.at.timestamp()) - HOUR // 1000 for m in made.memories for s in m.sources
    ] == [5, 4]
    assert created(kept(instead, borne_out_late, session=long_talk())) == [2, 1]


def test_a_decision_that_none_gives_up_dates_from_its_last_evidence(kept: Make) -> None:
    other = candidate(title="The order catalog uses PostgreSQL", origin="u-2", at=HOUR + 4000)

    assert created(kept(candidate(title=OLD, at=HOUR + 5000), other, session=long_talk())) == [5, 4]


def test_what_was_first_said_is_known_by_its_number_too_and_never_makes_a_decision_younger(
    kept: Make,
) -> None:
    numbered = candidate(title=OLD, origin="5b0c#3", at=HOUR + 5000)
    before_its_origin = candidate(title=NEW, origin="5b0c#5", at=HOUR + 4000)
    unknown = candidate(title=NEW, origin="nowhere", at=HOUR + 4000)

    assert created(kept(numbered, before_its_origin, unknown, session=long_talk())) == [3, 4, 4]


def test_a_decision_that_was_given_up_does_not_come_back_by_what_bore_it_out_later(
    kept: Make,
) -> None:
    made = kept(
        candidate(title=OLD, origin="u-1", at=HOUR + 5000),
        candidate(title=NEW, origin="u-2"),
        session=long_talk(),
    )

    actions = session_commit.plan(made, Snapshot(commit=None))

    assert [(a.memory.title, a.memory.status) for a in actions] == [
        (OLD, Status.SUPERSEDED),
        (NEW, Status.ACTIVE),
    ]


@pytest.mark.parametrize(("at", "year"), [(10**15, 9999), (-(10**15), 1970)])
def test_a_clock_that_was_wrong_breaks_nothing(kept: Make, at: int, year: int) -> None:
    found = only(kept(candidate(at=at)))

    assert found.created.year == year
    assert frontmatter.parse(frontmatter.render(found)) == found


@pytest.mark.parametrize(
    "named", ["hello.py", "./hello.py", "{repo}/hello.py", "file://{repo}/hello.py"]
)
def test_an_anchor_is_a_file_of_the_commit(kept: Make, code: Code, repo: Repo, named: str) -> None:
    (anchor,) = only(kept(candidate(files=(named.format(repo=repo.path),)))).anchors

    assert (anchor.path, anchor.blob, anchor.commit) == (
        "hello.py",
        repo.git("rev-parse", "HEAD:hello.py"),
        code.head(),
    )


@pytest.mark.parametrize(
    ("title", "is_about"),
    [
        ("Bitte antworte immer auf Deutsch", False),
        ("Please always use double quotes in python", False),
        ("Always format money with formatCents", True),
        ("Always round with `cents`", True),
        ("Keep all SQL in money.py", True),
    ],
)
def test_a_preference_is_about_the_code_that_it_names(
    repo: Repo, kept: Make, title: str, *, is_about: bool
) -> None:
    text = "const Deutsch = 'de'  // python\nfunction formatCents(cents) {}\n"
    repo.commit({"src/money.py": text}, when="2026-02-01T11:00:00Z")
    wish = {"primitive": Primitive.LEARNING, "kind": Kind.PREFERENCE, "files": ("src/money.py",)}

    assert bool(only(kept(candidate(title=title, **wish))).anchors) is is_about
    assert only(kept(candidate(title=title, files=("src/money.py",)))).anchors


def test_windows_paths_are_anchors_too(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"Src/Main.py": "x\n"}, when="2026-02-01T11:00:00Z")
    repo.git("config", "--global", "--add", "lerim.repositoryPath", "C:\\Work\\Shop")
    monkeypatch.chdir(repo.path)

    files = ("C:\\Work\\Shop\\Src\\Main.py", "Src\\Main.py", "C:\\Elsewhere\\hello.py")
    made = memories_of(
        talk().session(), [candidate(files=files)], None, open_workspace().code, Redactor()
    )

    assert [anchor.path for anchor in only(made).anchors] == ["Src/Main.py"]


def test_what_is_no_file_here_is_no_anchor(kept: Make) -> None:
    assert (
        only(
            kept(candidate(files=("none.py", "/etc/passwd", "..", "../hello.py", ".", "", "nul\0")))
        ).anchors
        == ()
    )


def test_there_are_at_most_five_anchors(repo: Repo, kept: Make) -> None:
    repo.commit({f"{n}.py": f"{n}\n" for n in range(8)}, when="2026-02-01T11:00:00Z")

    made = kept(candidate(files=tuple(f"{n}.py" for n in (7, 6, 5, 4, 3, 2, 1))))

    assert [anchor.path for anchor in only(made).anchors] == [
        "3.py",
        "4.py",
        "5.py",
        "6.py",
        "7.py",
    ]


def test_a_file_that_came_later_is_anchored_where_it_stands(repo: Repo, kept: Make) -> None:
    first = repo.git("rev-parse", "HEAD")
    late = repo.commit({"late.py": "x\n"}, when="2026-03-01T10:00:00Z")

    found = only(kept(candidate(files=("late.py", "hello.py"))))

    assert {source.commit for source in found.sources} == {first}
    assert {(anchor.path, anchor.commit) for anchor in found.anchors} == {
        ("hello.py", first),
        ("late.py", late),
    }


def test_the_commit_is_that_of_the_branch_at_the_time(repo: Repo, kept: Make) -> None:
    first = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit({"side.py": "x\n"}, when="2026-02-01T11:00:00Z")
    repo.git("checkout", "-q", "main")
    session = (
        Talk()
        .prompt("a", branch="main")
        .prompt("b", branch="side")
        .prompt("c")
        .prompt("d", branch="main")
        .prompt("e", branch="-x")
    )

    commits = [
        only(kept(candidate(at=HOUR + n * 1000), session=session.session())).sources[0].commit
        for n in (1, 2, 3, 4, 5)
    ]

    assert commits == [first, side, side, first, first]


def test_a_commit_that_the_session_named_counts_where_it_is_here(repo: Repo, kept: Make) -> None:
    first = repo.git("rev-parse", "HEAD")
    later_one = repo.commit({"b.py": "x\n"}, when="2026-03-01T10:00:00Z")

    found = [
        only(kept(candidate(commit=commit))).sources[0].commit
        for commit in (later_one[:8], "0" * 40, "no id", None)
    ]

    assert found == [later_one, first, first, first]


def test_text_keeps_its_limits_whatever_the_gate_makes_of_it(kept: Make) -> None:
    made = kept(candidate(title="word " * 40, body=f"{MINE} " * 199))
    long = kept(candidate(title="\u0958" * TITLE_LIMIT, body="x " * BODY_LIMIT))

    assert [check_memory(only(each)) for each in (made, long)] == [[], []]
    assert only(made).title.endswith("word…")
    assert len(only(long).body) <= BODY_LIMIT
    assert MINE not in only(made).body


def test_secrets_are_blanked_wherever_they_stand(kept: Make) -> None:
    found = candidate(
        title=f"Use {MINE}", body=f"Because {MINE}.", tags=("ok", MINE), suspect=f"says {MINE}"
    )
    made = kept(found, brief=Brief(intent=f"Try {MINE}.", outcome=f"{MINE} works."))

    assert MINE not in repr(made.memories) + repr(made.summary)
    assert only(made).tags == ("ok",)
    assert made.redactions == 4 + 3  # the summary's title is its intent


def test_a_tag_of_a_word_that_was_blanked_goes_with_it(kept: Make) -> None:
    made = kept(
        candidate(title="Use the cache", body=f"Because {MINE}.", tags=("cache", MINE.lower()))
    )

    assert only(made).tags == ("cache",)


# -- the summary


def test_there_is_a_summary_only_where_a_memory_came_or_code_changed(kept: Make) -> None:
    assert kept(candidate()).summary
    assert kept().summary is None
    assert kept(session=talk().edit("a.py").session()).summary
    assert kept(session=talk().edit("a.py", abandoned=True).session()).summary is None
    assert kept(session=talk().edit("a.py", failed=True).session()).summary is None
    assert kept(candidate(), brief=None).summary is None


def test_a_summary_has_a_title_and_cites_the_whole_session(kept: Make) -> None:
    summary = kept(
        candidate(), session=talk().reply("x", part="sub.jsonl").reply("y").session()
    ).summary

    assert summary
    assert summary.title == "Make the catalog fast"
    assert summary.sources[0].records == ((1, 4),)
    assert summary.created.timestamp() == HOUR // 1000 + 1
    assert summary.body.startswith("## Intent\n\nMake the catalog fast.")


# -- from memories to a commit


def committed(repo: Repo, made: Kept) -> str:
    """Commit what is kept and return the message; an empty one where nothing was committed."""
    actions = []

    def operation(snapshot: session_commit.Snapshot) -> Change | None:
        actions[:] = session_commit.plan(made, snapshot)
        return session_commit.change(made, actions, snapshot, session_commit.Run(id="sync-1"))

    found = store_at(repo.path).commit(operation)
    return repo.git("log", "-1", "--format=%B", found) if found else ""


def test_a_commit_says_what_came_and_from_where(repo: Repo, kept: Make, code: Code) -> None:
    made = kept(
        candidate(),
        candidate(
            title="Never sleep in a test",
            primitive=Primitive.LEARNING,
            kind=Kind.PITFALL,
            origin="o",
        ),
    )

    message = committed(repo, made).splitlines()

    assert message[0] == "sync: 1 decision, 1 learning from claude 5b0c"
    assert sorted(message[2:4]) == sorted(f"+ {m.id} {m.title}" for m in made.memories)
    assert message[5:] == [
        "Lerim-Op: sync", "Lerim-Run: sync-1", "Lerim-Session: 5b0c", "Lerim-Agent: claude",
        f"Lerim-Source-Commit: {code.head()}", f"Lerim-Model: rules/{RULES_VERSION}",
        *[f"Lerim-Added: {line.split()[1]}" for line in message[2:4]], "Lerim-Redactions: 0",
    ]  # fmt: skip


def test_the_commit_of_the_code_is_that_of_the_latest_evidence(repo: Repo, kept: Make) -> None:
    commits = [repo.commit({f"{n}.py": "x\n"}, when=f"2026-02-01T1{n}:00:00Z") for n in range(1, 5)]
    first = datetime(2026, 2, 1, 11, 30, tzinfo=UTC)
    times = [int(first.replace(hour=hour).timestamp() * 1000) for hour in (13, 14, 11, 12)]
    made = kept(
        *(
            candidate(at=at, origin=f"o{n}", title=f"Choose number {n}")
            for n, at in enumerate(times)
        )
    )

    assert f"Lerim-Source-Commit: {commits[3]}" in committed(repo, made)


@pytest.mark.parametrize(
    ("given", "subject"),
    [
        ((), "sync: summary from claude 5b0c"),
        (({"suspect": "odd"},), "sync: 1 set aside from claude 5b0c"),
        (
            ({}, {"title": "Use Redis for the queue", "body": "It is fast.", "origin": "o"}),
            "sync: 2 decisions from claude 5b0c",
        ),
    ],
)
def test_the_subject_counts_what_is_in_use(
    repo: Repo, kept: Make, given: tuple[dict[str, str], ...], subject: str
) -> None:
    made = kept(*(candidate(**each) for each in given), session=talk().edit("a.py").session())

    assert committed(repo, made).splitlines()[0] == subject


def test_what_changes_nothing_is_no_commit(repo: Repo, kept: Make) -> None:
    assert committed(repo, kept(candidate()))
    assert committed(repo, kept(candidate())) == ""
    assert committed(repo, kept()) != ""  # its own session took it back
    assert committed(repo, kept()) == ""


def test_a_summary_that_a_person_touched_stays(repo: Repo, kept: Make) -> None:
    committed(repo, kept(candidate()))
    (stored,) = store_at(repo.path).snapshot().summaries.values()
    mine = replace(stored.memory, title="In my own words", updated=later(), edited=edited())
    store_at(repo.path).commit(
        lambda _: Change(files={stored.path: frontmatter.render(mine)}, subject="edit")
    )

    grown = kept(candidate(), brief=Brief(intent="Other.", outcome="Another."))

    assert committed(repo, grown) == ""
    assert next(iter(store_at(repo.path).snapshot().summaries.values())).memory == mine


def test_a_summary_grows_in_its_own_file(repo: Repo, kept: Make) -> None:
    committed(repo, kept(candidate()))
    committed(repo, kept(candidate(), brief=Brief(intent="Other.", outcome="Another.")))

    (stored,) = store_at(repo.path).snapshot().summaries.values()
    assert stored.memory.title == "Other"
    assert stored.path == "summaries/2026-02/20260202-024001-claude-5b0c.md"


def test_a_memory_whose_id_a_colleagues_has_gets_another_one(repo: Repo, kept: Make) -> None:
    own = only(kept(candidate()))
    theirs = own.having(title="Use tabs", body="They asked for it.", sources=(), edited=edited())

    def author(id_: str) -> str:
        return "Mallory" if id_ == own.id else ""

    def planned() -> Action:
        snapshot = store_at(repo.path).snapshot()
        made = session_commit.with_free_ids(kept(candidate()), snapshot, author)
        (action,) = session_commit.plan(made, snapshot, author)
        return action

    put(repo, theirs)
    added = planned()
    put(repo, added.memory)

    assert (added.memory.title, added.memory.body) == (own.title, own.body)
    assert added.memory.id != own.id
    assert (type(added), type(planned())) == (Add, Skip)
    removed = dict.fromkeys([naming.path_of(theirs)])
    store_at(repo.path).commit(lambda _: Change(files=removed, subject="remove"))
    assert planned().memory.id == added.memory.id


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "Use tabs", "body": "They asked for it.", "status": Status.SUPERSEDED},
        {"title": "Use tabs", "body": "They asked for it.", "origin": Origin.MODEL},
        {"title": "Use tabs"},
        {"body": "They asked for it.", "sources": ()},
    ],
)
def test_a_session_s_words_never_replace_a_colleagues_under_their_name(
    repo: Repo, kept: Make, changes: dict[str, object]
) -> None:
    own = only(kept(candidate()))
    next_id = naming.memory_id("claude", own.id, own.primitive, 0)
    theirs = {id_: own.having(id=id_, **changes) for id_ in (own.id, next_id)}
    put(repo, *theirs.values())

    def planned() -> list[Action]:
        snapshot = store_at(repo.path).snapshot()

        def author(id_: str) -> str:
            return "Mallory" if id_ in theirs else ""

        made = session_commit.with_free_ids(kept(candidate()), snapshot, author)
        return session_commit.plan(made, snapshot, author)

    [added] = [action for action in planned() if isinstance(action, Add)]
    assert added.memory.id not in theirs
    assert (added.memory.title, added.memory.body) == (own.title, own.body)
    for action in planned():
        if action.memory.id in theirs:
            words = theirs[action.memory.id]
            assert (action.memory.title, action.memory.body) == (words.title, words.body)
    put(repo, *(action.memory for action in planned()))
    assert {type(action) for action in planned()} == {Skip}


def test_a_memory_that_older_rules_worded_otherwise_keeps_its_id_in_a_new_clone(
    repo: Repo, kept: Make
) -> None:
    own = only(kept(candidate()))
    put(repo, own.having(body="They asked for it."))
    snapshot = store_at(repo.path).snapshot()

    made = session_commit.with_free_ids(kept(candidate()), snapshot, lambda _: "Ada elsewhere")

    assert only(made).id == own.id


@pytest.mark.parametrize("changes", [{"title": "Use tabs"}, {"body": "They asked for it."}])
def test_a_memory_that_gives_way_to_a_colleagues_words_is_named(
    repo: Repo, kept: Make, changes: dict[str, str]
) -> None:
    own = only(kept(candidate()))
    put(repo, own.having(edited=edited(), **changes))
    snapshot = store_at(repo.path).snapshot()

    (mine,), (theirs,) = (
        session_commit.plan(kept(candidate()), snapshot, lambda _, who=who: who)
        for who in ("", "Mallory")
    )

    assert mine.reason == "was edited by a person"
    assert theirs.reason in session_commit.NAMED


def test_a_colleagues_memory_is_no_note_of_the_sessions_agent(repo: Repo, kept: Make) -> None:
    note = memory(origin=Origin.AGENT, sources=(), title="Prefer tabs in makefiles")
    at = int(note.created.timestamp() * 1000)
    call = Record(n=0, role=Role.CALL, tool="remember", text=note.title, at=at)
    made = kept(session=Session(agent="claude", id="s", header=Header(), records=(call,)))
    put(repo, note)
    snapshot = store_at(repo.path).snapshot()

    (cited,) = session_commit.plan(made, snapshot)
    assert cited.memory.sources[0].session == "s"
    assert session_commit.plan(made, snapshot, lambda _: "Mallory") == []


def test_a_memory_that_a_colleague_claims_to_have_merged_is_kept(repo: Repo, kept: Make) -> None:
    own = only(kept(candidate()))
    put(repo, memory(merged_from=(own.id,)))
    snapshot = store_at(repo.path).snapshot()

    (mine,), theirs = (
        session_commit.plan(kept(candidate()), snapshot, lambda _, who=who: who)
        for who in ("", "Mallory")
    )

    assert mine.reason.startswith("was merged into ")
    assert mine.reason not in session_commit.NAMED
    (added,) = (each for each in theirs if each.memory.id == own.id)
    assert isinstance(added, Add)
    put(repo, own)
    (left,) = session_commit.plan(
        kept(candidate()), store_at(repo.path).snapshot(), lambda id_: "" if id_ == own.id else "M"
    )
    assert left.reason == "is stored already"


def test_a_file_that_somebody_broke_by_hand_is_neither_overwritten_nor_added_again(
    repo: Repo, kept: Make
) -> None:
    committed(repo, kept(candidate()))
    (path,) = (item.path for item in store_at(repo.path).snapshot().memories.values())
    store_at(repo.path).commit(
        lambda _: Change(files={path: b"my notes, half done\n"}, subject="break")
    )
    made = kept(
        candidate(title="Another title, another path"),
        candidate(origin="o", title="Choose Redis", body="It is fast."),
    )

    actions = session_commit.plan(made, store_at(repo.path).snapshot())
    committed(repo, made)

    assert [type(action) for action in actions] == [Add, Skip]
    assert actions[1].reason.startswith("its file is set aside")
    assert repo.git("show", f"lerim/memory:{path}") == "my notes, half done"
    assert repo.git("ls-tree", "-r", "--name-only", "lerim/memory", "decisions").count(".md") == 2


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [(1, "memory", "1 memory"), (2, "memory", "2 memories"), (0, "decision", "0 decisions")],
)
def test_things_are_counted_as_people_do(number: int, noun: str, said: str) -> None:
    assert session_commit.counted(number, noun) == said
