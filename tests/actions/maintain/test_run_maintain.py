"""What `git lerim maintain` does to a store, in real repositories."""

import contextlib
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.inside import lerim
from support.memories import NOW, from_session
from support.repos import Repo, normal
from support.stores import put, stored

from git_lerim.actions.hooks import githook
from git_lerim.actions.maintain import daily
from git_lerim.memories import naming
from git_lerim.memories.feedback import Feedback, Voice
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import (
    Anchor,
    Edited,
    Kind,
    Memory,
    Origin,
    Primitive,
    Status,
)
from git_lerim.workspace import Workspace, open_workspace

SAYS = "Keep the session catalog in SQLite"
SAYS_TOO = "Always keep the session catalog in SQLite"


def made(name: str, title: str = SAYS, days: float = 10, **changes: Any) -> Memory:
    """Return a memory that so many days ago a session of its own gave."""
    given = {
        "title": title,
        "body": (
            "The session catalog lies in SQLite, because two writers lost rows of the JSON files."
        ),
        "origin": Origin.RULES,
        "confidence": 0.5,
    }
    return from_session(name, days, **(given | changes))


def learnt(name: str, title: str = SAYS, days: float = 10, **changes: Any) -> Memory:
    return made(
        name, title, days, **({"primitive": Primitive.LEARNING, "kind": Kind.FACT} | changes)
    )


def tip(repo: Repo) -> str:
    return repo.git("rev-parse", "lerim/memory")


def summaries(repo: Repo, *words: str) -> list[str]:
    return [
        action["summary"]
        for action in lerim(repo.path, "maintain", "--json", *words).json["actions"]
    ]


def test_what_is_said_twice_becomes_one_with_the_sources_of_both(repo: Repo) -> None:
    first, second = made("a", days=20, tags=("catalog",)), made("b", SAYS_TOO, tags=("sqlite",))
    put(repo, first, second)

    done = lerim(repo.path, "maintain", "--json").json
    (action,), run = done["actions"], done["run_id"]

    now = stored(repo)
    kept, gone = now[first.id], now[second.id]
    assert (kept.status, gone.status) == (Status.ACTIVE, Status.ARCHIVED)
    assert {source.session for source in kept.sources} == {"session-a", "session-b"}
    assert (kept.tags, kept.merged_from, kept.title, kept.confidence) == (
        ("catalog", "sqlite"),
        (second.id,),
        SAYS,
        0.5,
    )
    assert gone.related == (first.id,)
    assert action["commit"] == tip(repo)
    message = repo.git("log", "-1", "--format=%B", "lerim/memory")
    assert message.startswith(
        f"maintain: merge 2 memories: {SAYS}\n\n~ {first.id} {SAYS}\n- {second.id} {SAYS_TOO}\n"
    )
    assert "Reason: 2 say the same thing in 2 sessions, at least " in message
    assert (
        f"Lerim-Op: merge\nLerim-Run: {run}\nLerim-Changed: {first.id}\nLerim-Archived: {second.id}"
        in message
    )


def test_independent_sessions_raise_what_is_believed(repo: Repo) -> None:
    first = made("a", days=20)
    put(repo, first, made("b", SAYS_TOO))
    before = lerim(repo.path, "show", first.id, "--json").json[0]["effective_confidence"]

    lerim(repo.path, "maintain")

    assert lerim(repo.path, "show", first.id, "--json").json[0]["effective_confidence"] > before


def test_the_words_of_a_person_stay_whoever_came_first(repo: Repo) -> None:
    first, second = made("a", days=20), made("b", SAYS_TOO, origin=Origin.HUMAN)
    put(repo, first, second)

    lerim(repo.path, "maintain")

    now = stored(repo)
    assert (now[first.id].status, now[second.id].status) == (Status.ARCHIVED, Status.ACTIVE)


def test_what_a_sync_kept_out_as_said_already_is_merged_too(repo: Repo) -> None:
    first = made("a", days=20)
    second = made("b", SAYS_TOO, status=Status.SUPERSEDED, related=(first.id,))
    put(repo, first, second)

    lerim(repo.path, "maintain")

    assert stored(repo)[first.id].merged_from == (second.id,)


@pytest.mark.parametrize(
    "changes",
    [
        {"protected": True},
        {"edited": Edited(by="Ada <ada@example.org>", at=NOW)},
        {"status": Status.SUSPECT, "suspect": "x"},
    ],
)
@pytest.mark.parametrize("which", [0, 1])
def test_what_a_person_protected_or_edited_and_what_is_suspect_is_left_alone(
    repo: Repo, changes: dict[str, Any], which: int
) -> None:
    memories = [made("a", days=20), made("b", SAYS_TOO)]
    memories[which] = replace(memories[which], **changes)
    put(repo, *memories)
    before = tip(repo)

    assert lerim(repo.path, "maintain").err.splitlines()[0] == "nothing to do"
    assert tip(repo) == before


NEAR_MISSES = [
    ("Use a timeout of 30 seconds for uploads", "Use a timeout of 60 seconds for uploads"),
    ("Run the tests before the build", "Run the build before the tests"),
    ("Never cache the token endpoint", "Cache the token endpoint"),
    ("Use `npm` for the frontend packages", "Use `pnpm` for the frontend packages"),
    ("The parser reads `config.toml` first", "The parser reads `config.yaml` first"),
]


@pytest.mark.parametrize("titles", NEAR_MISSES)
def test_what_only_sounds_alike_is_not_merged(repo: Repo, titles: tuple[str, str]) -> None:
    put(repo, learnt("a", titles[0], body="x"), learnt("b", titles[1], body="x"))

    assert [text for text in summaries(repo) if text.startswith("merge")] == []


def test_nothing_to_do_is_no_commit_and_twice_is_once(repo: Repo) -> None:
    put(
        repo,
        made("a", days=20),
        made("b", SAYS_TOO),
        made("c", "Deploy from the release branch", days=3),
    )
    assert len(summaries(repo)) == 1
    before = tip(repo)

    assert summaries(repo) == summaries(repo, "--force") == []
    assert tip(repo) == before


def test_a_dry_run_tells_what_would_be_done_and_writes_nothing(repo: Repo) -> None:
    put(repo, made("a", days=20), made("b", SAYS_TOO))
    before = tip(repo)

    done = lerim(repo.path, "maintain", "--dry-run")

    assert f"merge 2 memories: {SAYS}\n" in done.out
    assert "would make 1 commit" in done.err
    assert tip(repo) == before
    assert len(summaries(repo)) == 1


def test_only_takes_the_names_of_actions(repo: Repo) -> None:
    put(repo, made("a", days=20), made("b", SAYS_TOO))

    assert summaries(repo, "--only", "archive,decay") == []
    assert lerim(repo.path, "maintain", "--only", "nope").code == 2
    assert len(summaries(repo, "--only", "merge")) == 1


# --- what retires


def archived(repo: Repo) -> dict[str, str]:
    """Return the reason for which each memory was archived."""
    actions = lerim(repo.path, "maintain", "--json").json["actions"]
    return {
        id_: why
        for each in actions
        for id_, why in zip(each["archived"], each["reasons"], strict=False)
    }


def test_what_was_superseded_long_ago_is_archived_and_bears_on_nothing(repo: Repo) -> None:
    old = made("a", status=Status.SUPERSEDED, days=90)
    new = made(
        "b", "Keep the session catalog in Postgres instead of SQLite", days=80, supersedes=(old.id,)
    )
    put(repo, old, new, days=70)

    assert archived(repo) == {old.id: "superseded for 70 days"}
    assert stored(repo)[old.id].related == (new.id,)
    assert lerim(repo.path, "sync").code == 0
    assert stored(repo)[new.id].status is Status.ACTIVE


def test_what_only_takes_back_a_wish_is_not_archived(repo: Repo) -> None:
    title = "Forget what I said about tabs"
    put(repo, made("a", title, status=Status.SUPERSEDED, origin=Origin.HUMAN, days=90), days=70)

    assert archived(repo) == {}


def test_what_was_superseded_lately_stays(repo: Repo) -> None:
    put(repo, made("a", status=Status.SUPERSEDED, days=90), days=20)

    assert archived(repo) == {}


def test_what_nobody_used_for_long_fades_into_the_archive(repo: Repo) -> None:
    faded = learnt("a", "The linter needs ten seconds", days=170)
    rule = learnt("b", "Write tests in plain sentences", days=170, kind=Kind.PREFERENCE)
    choice = made("c", "Use tabs in Makefiles alone", days=170)
    used = learnt(
        "d",
        "The printer needs paper",
        days=170,
        last_accessed=f"{NOW - timedelta(days=40):%Y-%m-%d}",
    )
    put(repo, faded, rule, choice, used, days=165)

    assert archived(repo) == {faded.id: "confidence 0.10 of 0.50, below 0.20"}


def test_what_was_imported_lately_does_not_fade(repo: Repo) -> None:
    put(repo, learnt("a", days=400))

    assert archived(repo) == {}


def test_a_use_on_this_machine_is_recorded_before_anything_fades(repo: Repo) -> None:
    one = learnt("a", "The linter needs ten seconds", days=170)
    put(repo, one, days=165)
    lerim(repo.path, "show", one.id)

    (action,) = lerim(repo.path, "maintain", "--json").json["actions"]

    assert (action["action"], action["ids"]) == ("decay", [one.id])
    assert stored(repo)[one.id].last_accessed == f"{datetime.now(UTC):%Y-%m-%d}"
    assert stored(repo)[one.id].updated == one.updated


def test_what_its_author_calls_wrong_is_archived(repo: Repo) -> None:
    one = made("a")
    put(repo, one)
    lerim(repo.path, "feedback", one.id, "wrong")

    assert archived(repo) == {one.id: "called wrong by Ada Tester <ada@example.org>"}


# --- what cannot both hold


def test_a_later_memory_replaces_an_earlier_one_where_its_evidence_is_no_worse(repo: Repo) -> None:
    old = made("a", "Use Redis for the job queue", days=30, sources=())
    new = made("b", "Use RabbitMQ for the job queue", days=3)
    put(repo, old, new)

    (summary,) = summaries(repo)

    assert summary == "supersede: Use Redis for the job queue"
    now = stored(repo)
    assert (now[old.id].status, now[new.id].supersedes) == (Status.SUPERSEDED, (old.id,))


def test_what_the_words_do_not_settle_is_left_to_people_until_they_do(repo: Repo) -> None:
    old = made("a", "Use Redis for the job queue", days=30, origin=Origin.HUMAN, sources=())
    new = made("b", "Use RabbitMQ for the job queue", days=3)
    put(repo, old, new)

    for _ in range(2):  # the second answer comes from the note of the first
        done = lerim(repo.path, "maintain", "--json").json
        assert (done["actions"], done["contradictions"]) == ([], [[new.id, old.id]])
    lerim(repo.path, "feedback", new.id, "confirmed")
    assert summaries(repo) == ["supersede: Use Redis for the job queue"]


def test_a_pair_that_is_not_settled_shows_in_lint_status_review_and_brief(repo: Repo) -> None:
    old = made("a", "Use Redis for the job queue", days=30, origin=Origin.HUMAN, sources=())
    new = made("b", "Use RabbitMQ for the job queue", days=3)
    put(repo, old, new)
    lerim(repo.path, "maintain")

    assert (
        f"contradicts {old.id}: Use Redis for the job queue [contradiction]"
        in lerim(repo.path, "lint").out
    )
    assert lerim(repo.path, "status", "--json").json["contradictions"] == [[new.id, old.id]]
    assert (
        f"conflict  {new.id} and {old.id} contradict each other" in lerim(repo.path, "status").out
    )
    assert (
        f"{new.id} (Use RabbitMQ for the job queue) contradicts {old.id}"
        in lerim(repo.path, "review").err
    )
    brief = lerim(repo.path, "brief").out
    assert f"contradicts {old.id}: Use RabbitMQ" in brief
    assert f"contradicts {new.id}: Use Redis" in brief
    lerim(repo.path, "forget", old.id)
    assert lerim(repo.path, "status", "--json").json["contradictions"] == []
    assert "contradicts" not in lerim(repo.path, "brief").out


def test_two_that_people_confirmed_both_hold(repo: Repo) -> None:
    old, new = (
        made("a", "Use Redis for the job queue", days=30),
        made("b", "Use RabbitMQ for the job queue", days=3),
    )
    put(repo, old, new)
    for one in (old, new):
        lerim(repo.path, "feedback", one.id, "confirmed")

    done = lerim(repo.path, "maintain", "--json").json
    assert (done["actions"], done["contradictions"]) == ([], [])


# --- taken back, reviewed, everywhere


def test_undo_takes_a_run_back_and_it_is_not_done_again(repo: Repo) -> None:
    first, second = made("a", days=20), made("b", SAYS_TOO)
    put(repo, first, second)
    run = lerim(repo.path, "maintain", "--json").json["run_id"]

    assert lerim(repo.path, "undo", run).code == 0

    now = stored(repo)
    assert [now[id_].status for id_ in (first.id, second.id)] == [Status.ACTIVE] * 2
    assert now[first.id].merged_from == ()
    assert {source.session for source in now[first.id].sources} == {"session-a"}
    assert summaries(repo) == []


def test_git_revert_takes_an_action_back(repo: Repo, tmp_path: Path) -> None:
    first, second = made("a", days=20), made("b", SAYS_TOO)
    put(repo, first, second)
    before = repo.git("rev-parse", "lerim/memory^{tree}")
    lerim(repo.path, "maintain")
    other = Repo(tmp_path / "elsewhere")
    repo.git("worktree", "add", "-q", str(other.path), "lerim/memory")

    other.git("revert", "--no-edit", "HEAD")
    repo.git("worktree", "remove", str(other.path))

    assert repo.git("rev-parse", "lerim/memory^{tree}") == before
    assert {each.status for each in stored(repo).values()} == {Status.ACTIVE}


def test_what_is_proposed_waits_for_review(repo: Repo) -> None:
    put(repo, made("a", days=20), made("b", SAYS_TOO))
    before = tip(repo)

    done = lerim(repo.path, "maintain", "--propose")

    assert "merge 2 memories" in done.out
    assert tip(repo) == before
    name = repo.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/lerim/proposal")
    assert lerim(repo.path, "review", "accept", name, "--all").code == 0
    assert sorted(each.status for each in stored(repo).values()) == ["active", "archived"]


def test_it_works_in_the_work_tree(repo: Repo) -> None:
    assert lerim(repo.path, "init", "--tree").code == 0
    for one in (made("a", days=20), made("b", SAYS_TOO)):
        path = repo.path / ".lerim/memory" / naming.path_of(one)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(frontmatter.render(one))

    done = lerim(repo.path, "maintain", "--commit")

    assert "merge 2 memories" in done.out
    assert repo.git("log", "-1", "--format=%s").startswith("maintain: merge 2 memories")
    assert lerim(repo.path, "list", "--json").json[0]["merged_from"]
    assert lerim(repo.path, "maintain").err.splitlines()[0] == "nothing to do"


@pytest.mark.parametrize("options", [("--object-format=sha256",), ("--ref-format=reftable",)])
def test_it_works_where_git_alone_opens_the_repository(
    tmp_path: Path, options: Sequence[str]
) -> None:
    try:
        repo = normal(tmp_path / "other", *options)
    except AssertionError:
        pytest.skip("this git knows no such repository")
    for text in (SAYS, SAYS_TOO):
        lerim(repo.path, "remember", f"{text} because two writers lost rows of the JSON files.")

    run = lerim(repo.path, "maintain", "--json").json
    assert [action["action"] for action in run["actions"]] == ["merge"]
    assert lerim(repo.path, "undo", run["run_id"]).code == 0
    assert len(lerim(repo.path, "list", "--json").json) == 2


def test_it_works_in_a_shallow_clone_and_archives_nothing_too_early(
    repo: Repo, tmp_path: Path
) -> None:
    put(repo, learnt("a", "The linter needs ten seconds", days=300), days=290)
    put(repo, made("b", days=20), made("c", SAYS_TOO), days=2)
    repo.git(
        "clone",
        "-q",
        "--depth=1",
        "--no-single-branch",
        f"file://{repo.path}",
        str(tmp_path / "clone"),
    )
    clone = Repo(tmp_path / "clone")
    lerim(clone.path, "init")

    done = lerim(clone.path, "maintain", "--json").json["actions"]

    assert [action["action"] for action in done] == [
        "merge"
    ]  # when the other came, a shallow history does not tell


def test_an_empty_store_has_nothing_to_maintain(repo: Repo) -> None:
    done = lerim(repo.path, "maintain")

    assert (done.code, done.out) == (0, "")
    assert "nothing to do" in done.err


def test_what_a_confirmed_row_of_an_agent_says_settles_nothing(repo: Repo) -> None:
    row = Feedback(
        author="Ada Tester <ada@example.org>", by=Voice.AGENT, verdict="confirmed", day="2026-03-01"
    )
    old = made("a", "Use Redis for the job queue", days=30, origin=Origin.HUMAN, sources=())
    put(repo, old, made("b", "Use RabbitMQ for the job queue", days=3, feedback=(row,)))

    assert summaries(repo) == []


def test_with_auto_a_sync_maintains_once_a_day(repo: Repo) -> None:
    first = made("a", days=20)
    put(repo, first, made("b", SAYS_TOO))
    assert not daily.is_due(opened(repo))
    repo.git("config", "lerim.maintain", "auto")

    assert daily.run(opened(repo))

    assert stored(repo)[first.id].merged_from
    assert not daily.run(opened(repo))
    yesterday = (NOW - timedelta(days=1, minutes=1)).timestamp()
    os.utime(repo.path / ".git/lerim/maintained-at", (yesterday, yesterday))
    assert daily.is_due(opened(repo))


def opened(repo: Repo) -> Workspace:
    with contextlib.chdir(repo.path):
        return open_workspace()


def test_what_the_default_branch_contradicts_for_long_is_archived(repo: Repo) -> None:
    long_ago = f"{NOW - timedelta(days=120):%Y-%m-%dT12:00:00Z}"
    repo.commit(
        {"src/limits.py": "TRAYS = 5\nPAGES = 10\n"},
        when=f"{NOW - timedelta(days=200):%Y-%m-%dT12:00:00Z}",
    )
    ids = [
        lerim(
            repo.path,
            "remember",
            f"The limit `{name}` is {n}: {why}.",
            "--file",
            f"src/limits.py:{line}",
            "--decision",
        ).out.split()[0]
        for line, (name, n, why) in enumerate(
            [("TRAYS", 5, "the printer has as many"), ("PAGES", 10, "paper is dear")], start=1
        )
    ]
    repo.git("switch", "-q", "-c", "feature")
    repo.commit({"src/limits.py": "COUNT = 7\n"}, when=long_ago)
    assert archived(repo) == {}
    repo.git("switch", "-q", "main")
    head = repo.commit({"src/limits.py": "SHELVES = 7\nPAGES = 10\n"}, when=long_ago)

    assert archived(repo) == {
        ids[0]: f"stale for 120 days, and nobody confirmed it: src/limits.py changed in {head[:10]}"
    }
    assert stored(repo)[ids[1]].status is Status.ACTIVE


def test_what_named_a_file_alone_gets_the_lines_that_it_is_about(repo: Repo) -> None:
    head = repo.commit({"src/limits.py": "import os\n\nTRAYS = 5\n"})
    blob = repo.git("rev-parse", "HEAD:src/limits.py")
    mention = Anchor(path="src/limits.py", blob=blob, commit=head)
    says, silent = (
        made("a", "The limit TRAYS is 5", anchors=(mention,)),
        made("b", "We like printers", anchors=(mention,)),
    )
    edited = made(
        "c",
        "TRAYS is 5 for old printers",
        anchors=(mention,),
        edited=Edited(by="Ada <ada@example.org>", at=NOW),
    )
    put(repo, says, silent, edited)
    repo.commit({"src/limits.py": "import os\n\nTRAYS = 7\n"})

    assert summaries(repo, "--only", "anchors") == ["anchor: find the lines of 1 memory"]
    assert {id_: [one.lines for one in each.anchors] for id_, each in stored(repo).items()} == {
        says.id: [(3, 3)],
        silent.id: [None],
        edited.id: [None],
    }
    assert [row["id"] for row in lerim(repo.path, "stale", "--json").json] == [says.id]
    assert summaries(repo, "--only", "anchors") == []


def test_what_was_used_often_and_confirmed_is_offered_as_a_patch(repo: Repo) -> None:
    repo.commit({"AGENTS.md": "# Rules\n\n- Be brief.\n"})
    rule = learnt("a", "Run the exporter with TZ=UTC", kind=Kind.PREFERENCE)
    put(repo, rule, learnt("b", "The printer has five trays"))
    for _ in range(5):
        lerim(repo.path, "show", rule.id)
    assert lerim(repo.path, "maintain", "--only", "promote").out == ""
    lerim(repo.path, "feedback", rule.id, "confirmed")

    done = lerim(repo.path, "maintain", "--only", "promote")

    assert (
        f"{rule.id} could go into the agents' instructions (used 6 times, confirmed by a person)"
        in done.err
    )
    assert (repo.path / "AGENTS.md").read_text() == "# Rules\n\n- Be brief.\n"
    repo.git("apply", stdin=done.out)
    assert (
        repo.path / "AGENTS.md"
    ).read_text() == "# Rules\n\n- Be brief.\n- Run the exporter with TZ=UTC.\n"
    assert lerim(repo.path, "maintain", "--only", "promote").out == ""


# --- by hand


def test_three_become_one_that_cites_all_of_them(repo: Repo) -> None:
    parts = [
        made(name, title, days)
        for name, title, days in (("a", "Keep it", 9), ("b", "Keep that", 8), ("c", "Keep this", 7))
    ]
    put(repo, *parts)

    done = lerim(
        repo.path, "maintain", "--consolidate", *(each.id for each in parts), "--json"
    ).json

    now = stored(repo)
    new = now[done["id"]]
    assert [now[each.id].status for each in parts] == [Status.SUPERSEDED] * 3
    assert set(new.supersedes) == {each.id for each in parts}
    assert {source.session for source in new.sources} == {"session-a", "session-b", "session-c"}
    assert new.edited is not None
    assert lerim(repo.path, "sync").code == 0
    assert summaries(repo) == []
    lerim(repo.path, "undo", done["commit"])
    assert [stored(repo)[each.id].status for each in parts] == [Status.ACTIVE] * 3


def test_what_cannot_be_consolidated_is_named(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [
        made("a", "Keep it"),
        made("b", "Keep that"),
        made("c", "Keep this", protected=True),
        learnt("d", "Keep those"),
    ]
    put(repo, *parts)
    a, b, c, d = (each.id for each in parts)

    assert (
        "consolidating needs at least 3 memories"
        in lerim(repo.path, "maintain", "--consolidate", a, b).err
    )
    assert "is protected" in lerim(repo.path, "maintain", "--consolidate", a, b, c).err
    assert "have different types" in lerim(repo.path, "maintain", "--consolidate", a, b, d).err
    assert lerim(repo.path, "maintain", a).code == 2
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "only a person" in lerim(repo.path, "maintain", "--consolidate", a, b, d).err


def test_the_worker_of_the_hooks_maintains_after_its_sync(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = made("a", days=20)
    put(repo, first, made("b", SAYS_TOO))
    repo.git("config", "lerim.maintain", "auto")
    monkeypatch.chdir(repo.path)

    githook.run(open_workspace(), "post-commit")

    assert stored(repo)[first.id].merged_from


def test_it_works_in_a_partial_clone(repo: Repo, tmp_path: Path) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    put(repo, made("b", days=20), made("c", SAYS_TOO))
    repo.git("clone", "-q", "--filter=blob:none", f"file://{repo.path}", str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    lerim(clone.path, "init")

    run = lerim(clone.path, "maintain", "--json").json

    assert [action["action"] for action in run["actions"]] == ["merge"]
    assert lerim(clone.path, "undo", run["run_id"]).code == 0
