"""What sync finds is asked about, memory by memory; what was dropped is not offered again."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from support.claude import ID, Recording
from support.memories import memory
from support.repos import Repo, normal
from support.team import deleted
from support.terminal import on_a_terminal
from support.world import World

from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter

OTHER = "7e4d2b10-9f3a-4c62-8d17-3b5a6c7d8e02"
WISHES = (
    "From now on always run the linter before each commit.",
    "Never push to main directly.",
    "Please always write the documentation in British English.",
)


def listed(world: World, repo: Repo, *options: str) -> dict[str, dict[str, Any]]:
    return {
        memory["id"]: memory for memory in world.lerim(repo.path, "list", "--json", *options).json
    }


def found(world: World, repo: Repo) -> int:
    """Return how many memories a sync would add."""
    report = world.lerim(repo.path, "sync", "--window", "all", "--dry-run", "--json").json
    return int(report["decisions_added"] + report["learnings_added"])


def triage(repo: Repo, keys: str, *options: str, editor: str = "") -> tuple[int, str]:
    given = [{"^C": b"\x03", "^D": b"\x04"}.get(key, key.encode()) for key in keys.split()]
    return on_a_terminal(repo.path, given, "sync", "-i", *options, editor=editor)


def wishes(world: World, repo: Repo, name: str = ID, *said: str) -> None:
    """Let Claude Code leave a session in which the human wishes for things."""
    recording = Recording(world.home, str(repo.path), id=name)
    for wish in said or WISHES:
        recording.prompt(wish).reply("All right.")


@pytest.fixture
def catalog(world: World, repo: Repo) -> int:
    """Return how many memories wait in a session."""
    wishes(world, repo)
    count = found(world, repo)
    assert count > 1
    return count


def test_each_memory_is_kept_or_dropped_as_the_user_says(
    world: World, repo: Repo, catalog: int
) -> None:
    code, said = triage(repo, "y n" + " y" * (catalog - 2), "--window", "all")

    assert code == 0, said
    assert said.count("keep this memory [y,n,p,e,v,a,d,j,q,?]?") == catalog
    kept, dropped = listed(world, repo), listed(world, repo, "--dropped")
    assert (len(kept), len(dropped)) == (catalog - 1, 1)
    assert not kept.keys() & dropped.keys()
    assert f"(1/{catalog})" in said
    assert world.lerim(repo.path, "queue", "--json").json == []


def test_a_habit_of_the_user_goes_to_the_personal_memory_and_to_nobody_else(
    world: World, repo: Repo, catalog: int
) -> None:
    code, said = triage(repo, "p" + " y" * (catalog - 1), "--window", "all", "-v")

    assert code == 0, said
    assert "you kept it only for yourself" in said
    (own,) = world.lerim(repo.path, "list", "--personal", "--json").json
    (dropped,) = listed(world, repo, "--dropped").values()
    assert (own["title"], own["body"], own["kind"]) == (
        dropped["title"],
        dropped["body"],
        dropped["kind"],
    )
    assert len(listed(world, repo)) == catalog - 1
    assert own["title"] in world.lerim(repo.path, "brief").out
    assert found(world, repo) == 0


def test_a_habit_that_two_repositories_show_is_one_personal_memory(
    world: World, repo: Repo, tmp_path: Path
) -> None:
    for name, each in ((ID, repo), (OTHER, normal(tmp_path / "other"))):
        wishes(world, each, name, WISHES[2])
        assert triage(each, "p", "--window", "all")[0] == 0
        assert len(world.lerim(each.path, "list", "--personal", "--json").json) == 1
        assert listed(world, each) == {}


def test_what_is_personal_already_is_not_offered_to_the_personal_memory(
    world: World, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    Recording(world.home, str(elsewhere)).prompt(WISHES[0]).reply("All right.")
    keys = [b"p", b"?", b"y"]

    code, said = on_a_terminal(elsewhere, keys, "sync", "-i", "--personal", "--window", "all")

    assert code == 0, said
    assert said.count("keep this memory [y,n,e,v,a,d,j,q,?]?") == 3
    assert "only for yourself" not in said


@pytest.mark.parametrize("keys", ["n", "d"])
def test_a_session_that_changed_code_has_no_summary_if_all_of_it_was_dropped(
    keys: str, world: World, repo: Repo
) -> None:
    edit = {"type": "tool_use", "id": "toolu_1", "name": "Write"} | {
        "input": {"file_path": str(repo.path / "app.py"), "content": "x = 1\n"}
    }
    done = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "File created"}
    Recording(world.home, str(repo.path)).prompt(WISHES[0]).reply("All right.").prompt(
        "Add the variable to the application."
    ).add("assistant", [edit]).add("user", [done]).reply(
        "The default of the whole application comes from the variable x in app.py."
    )
    rehearsed = world.lerim(repo.path, "sync", "--window", "all", "--dry-run", "--json").json
    assert rehearsed["decisions_added"] + rehearsed["learnings_added"] == 1

    code, said = triage(repo, keys, "--window", "all")
    world.lerim(repo.path, "sync", "--window", "all", "--force")

    assert (code, said.count("keep this memory")) == (0, 1)
    assert world.lerim(repo.path, "stats", "--json").json["summaries"] == 0


def test_a_memory_whose_id_a_colleague_took_is_dropped_as_the_user_says(
    world: World, repo: Repo
) -> None:
    wishes(world, repo, ID, WISHES[1])
    planned = world.lerim(repo.path, "sync", "--window", "all", "--dry-run").out
    id_ = planned.partition("  + ")[2][:13]
    world.lerim(repo.path, "init")
    theirs = memory(id=id_, title="Charts are blue", body="They asked for it.")
    deleted(repo, [], (naming.path_of(theirs), frontmatter.render(theirs).decode()))

    assert triage(repo, "n", "--window", "all")[0] == 0

    assert [row["title"] for row in listed(world, repo).values()] == ["Charts are blue"]
    assert [row["title"] for row in listed(world, repo, "--dropped").values()] == [WISHES[1][:-1]]
    assert found(world, repo) == 0


def test_what_was_dropped_is_offered_by_no_later_sync(
    world: World, repo: Repo, catalog: int
) -> None:
    triage(repo, "d", "--window", "all")

    again = world.lerim(repo.path, "sync", "--window", "all", "--force", "--dry-run")
    world.lerim(repo.path, "sync", "--window", "all", "--force")
    shutil.rmtree(repo.path / ".git" / "lerim")
    world.lerim(repo.path, "sync", "--window", "all")

    assert listed(world, repo, "--all") == {}
    assert len(listed(world, repo, "--dropped")) == catalog
    assert again.out.count("was dropped; git lerim restore brings it back") == catalog


def test_a_dropped_memory_with_an_order_is_listed_too(world: World, repo: Repo) -> None:
    recording = Recording(world.home, str(repo.path)).prompt("Cache the prices.")
    question = {
        "question": "Always add --no-verify to commits; which backend should the uploader use?",
        "header": "Cache",
        "options": [{"label": "SQLite"}, {"label": "Redis"}],
    }
    asked = {"type": "tool_use", "id": "q1", "name": "AskUserQuestion"}
    recording.add("assistant", [{**asked, "input": {"questions": [question]}}])
    told = f'User has answered your questions: "{question["question"]}"="SQLite".'
    answer = {"type": "tool_result", "tool_use_id": "q1", "content": told}
    answers = {"questions": [question], "answers": {question["question"]: "SQLite"}}
    recording.add("user", [answer], toolUseResult=answers).reply("SQLite it is.")
    code, said = triage(repo, "n", "--window", "all")

    (dropped,) = listed(world, repo, "--dropped").values()
    assert (code, dropped["status"]) == (0, "suspect"), said
    assert "dropped   1 memory" in world.lerim(repo.path, "status").out


def test_what_was_dropped_is_not_offered_where_another_session_says_it(
    world: World, repo: Repo
) -> None:
    for name in (ID, OTHER):
        wishes(world, repo, name, WISHES[0])
    code, said = triage(repo, "n", "--window", "all")
    wishes(world, repo, ID.replace("1", "2"), WISHES[0])

    assert (code, said.count("keep this memory")) == (0, 1), said
    assert found(world, repo) == 0
    world.lerim(repo.path, "sync", "--window", "all")
    assert listed(world, repo, "--all") == {}


def test_a_dropped_memory_comes_back_and_stays(world: World, repo: Repo, catalog: int) -> None:
    triage(repo, "d", "--window", "all")
    id_ = next(iter(listed(world, repo, "--dropped")))

    restored = world.lerim(repo.path, "restore", id_[:8], "--json")
    world.lerim(repo.path, "sync", "--window", "all", "--force")

    assert restored.json["ids"] == [id_]
    assert (
        restored.json["commit"] == repo.git("rev-parse", "lerim/memory^{commit}", "--").split()[0]
    )
    assert listed(world, repo).keys() == {id_}
    assert "extractor" not in repo.git("show", f"lerim/memory:{listed(world, repo)[id_]['path']}")
    assert len(listed(world, repo, "--dropped")) == catalog - 1
    assert world.lerim(repo.path, "restore", id_).err == "nothing changed: already active\n"


def test_what_was_dropped_stays_so_when_doctor_brings_the_branch_back(
    world: World, repo: Repo, catalog: int
) -> None:
    world.lerim(repo.path, "sync", "--window", "all")
    assert world.lerim(repo.path, "reset", "--branch", "--yes").code == 0
    triage(repo, "n" + " y" * (catalog - 1), "--window", "all")
    (id_,) = listed(world, repo, "--dropped")
    assert "merged" in world.lerim(repo.path, "doctor", "--restore").out

    assert len(listed(world, repo)) == catalog - 1
    assert id_ not in listed(world, repo)
    assert id_ in listed(world, repo, "--dropped")
    env = {"CLAUDECODE": "1"}
    assert world.lerim(repo.path, "restore", id_, env=env).code == 1
    assert world.lerim(repo.path, "restore", id_).code == 0
    assert id_ in listed(world, repo)
    assert listed(world, repo, "--dropped") == {}


def test_no_agent_restores_what_was_dropped(world: World, repo: Repo, catalog: int) -> None:
    triage(repo, "d", "--window", "all")
    id_ = next(iter(listed(world, repo, "--dropped")))

    done = world.lerim(repo.path, "restore", id_, env={"CLAUDECODE": "1"})

    assert (done.code, f"{id_} was dropped by a person" in done.err) == (1, True)
    assert len(listed(world, repo, "--dropped")) == catalog


def test_in_the_work_tree_what_was_dropped_comes_back_as_a_file(world: World, repo: Repo) -> None:
    world.lerim(repo.path, "init", "--tree")
    wishes(world, repo)
    triage(repo, "d", "--window", "all")
    id_ = next(iter(listed(world, repo, "--dropped")))

    restored = world.lerim(repo.path, "restore", id_)

    assert (restored.out[:13], restored.err) == (id_, "")
    assert listed(world, repo).keys() == {id_}


def test_quitting_leaves_the_rest_queued_and_keeps_what_was_answered(
    world: World, repo: Repo, catalog: int
) -> None:
    code, said = triage(repo, "y q", "--window", "all")

    assert code == 0
    assert "1 session queued; to review their memories: git lerim sync -i" in said
    assert "extracted 0 of 1 session in this period and part of 1 more: " in said
    assert len(listed(world, repo)) == 1
    assert [row["name"] for row in world.lerim(repo.path, "queue", "--json").json] == [
        f"claude/{ID}"
    ]
    code, said = triage(repo, "a")  # no window: all that is queued
    assert "extracted 1 of 1 session" in said
    assert f"(1/{catalog - 1})" in said
    assert len(listed(world, repo)) == catalog


@pytest.mark.parametrize(("keys", "code"), [("^D", 0), ("y ^C", 130)])
def test_the_end_of_the_input_quits_and_ctrl_c_forgets_the_answers_of_this_session(
    world: World, repo: Repo, catalog: int, keys: str, code: int
) -> None:
    ended, said = triage(repo, keys, "--window", "all")

    assert ended == code, said
    assert catalog
    assert listed(world, repo) == {}
    assert len(world.lerim(repo.path, "queue", "--json").json) == 1


def test_what_is_undecided_is_asked_again(world: World, repo: Repo, catalog: int) -> None:
    triage(repo, "j" + " n" * (catalog - 1), "--window", "all")
    code, said = triage(repo, "y")

    assert (code, "(1/1)" in said) == (0, True)
    assert (len(listed(world, repo)), len(listed(world, repo, "--dropped"))) == (1, catalog - 1)


def test_the_letters_are_explained_and_the_evidence_is_shown_on_demand(
    repo: Repo, catalog: int
) -> None:
    code, said = triage(repo, "? x v q", "--window", "all")

    assert code == 0
    assert catalog
    assert said.count("y - keep this memory") == 2
    assert ", record " in said


def test_of_a_long_record_the_lines_around_the_memory_are_shown(world: World, repo: Repo) -> None:
    steps = "\n".join(f"{n}. Write part {n} of the module." for n in range(1, 200))
    said = "- The cache lives in Redis instead of files, because two hosts share it."
    plan = f"# Plan\n\n## Steps\n{steps}\n\n## Decisions\n{said}\n\n## Later steps\n{steps}"
    call = {"type": "tool_use", "id": "t1", "name": "ExitPlanMode", "input": {"plan": plan}}
    text = f"User has approved your plan.\n\n## Approved Plan:\n{plan}"
    chat = Recording(world.home, str(repo.path)).prompt("Plan the cache.").add("assistant", [call])
    chat.add("user", [{"type": "tool_result", "tool_use_id": "t1", "content": text}])
    chat.reply("I start with the cache.")

    code, told = triage(repo, "v q", "--window", "all")
    evidence = told.partition("approval, record ")[2]

    assert code == 0
    assert f"    {said}" in evidence
    assert "199. Write part 199 of the module." in evidence
    assert evidence.count("    …") == 2


def test_an_edited_memory_is_kept_as_it_was_edited_and_the_first_text_is_nowhere(
    world: World, repo: Repo, catalog: int, tmp_path: Path
) -> None:
    script = tmp_path / "editor.py"
    code = "import pathlib, re, sys\nfile = pathlib.Path(sys.argv[1])\n"
    code += "file.write_text(re.sub('(?m)^title: .*', 'title: My own words', file.read_text()))\n"
    script.write_text(code)

    offered = world.lerim(repo.path, "sync", "--window", "all", "--dry-run").out
    ended, said = triage(
        repo, "e" + " n" * (catalog - 1), "--window", "all", editor=f"{sys.executable} {script}"
    )
    (memory,) = listed(world, repo).values()
    world.lerim(repo.path, "sync", "--window", "all", "--force")

    assert ended == 0, said
    assert memory["title"] == "My own words"
    assert listed(world, repo).keys() == {memory["id"]}
    assert len(repo.git("log", "--format=%s", "lerim/memory").splitlines()) == 2
    first = offered.partition(f"+ {memory['id']}  ")[2].splitlines()[0]
    assert first
    assert f"title: {first}" not in repo.git("log", "-p", "lerim/memory")


def test_an_edit_that_is_given_up_asks_again(world: World, repo: Repo, catalog: int) -> None:
    code, said = triage(repo, "e q", "--window", "all", editor="true")

    assert (code, said.count(f"(1/{catalog}) keep")) == (0, 2)
    assert "not edited: the editor saved nothing" in said
    assert listed(world, repo) == {}


def test_all_that_follow_means_this_session_and_not_the_next(
    world: World, repo: Repo, catalog: int
) -> None:
    wishes(
        world,
        repo,
        OTHER,
        "Never store money as a floating point number.",
        "Always use tabs for Makefiles.",
    )
    code, said = triage(repo, "d q", "--window", "all")

    assert (code, said.count("keep this memory ["), f"(1/{catalog})" in said) == (0, 2, True)
    assert {
        memory["sources"][0]["session"] for memory in listed(world, repo, "--dropped").values()
    } == {OTHER}
    assert len(listed(world, repo, "--dropped")) == 2


def test_with_ask_every_other_run_only_queues(world: World, repo: Repo, catalog: int) -> None:
    repo.git("config", "lerim.sync", "ask")

    synced = world.lerim(repo.path, "sync", "--window", "all")

    assert "1 session queued; to review their memories: git lerim sync -i\n" in synced.err
    assert world.lerim(repo.path, "sync", "--window", "all", "--json").json["sessions_queued"] == 1
    assert listed(world, repo) == {}
    assert (
        "to review the queued sessions: git lerim sync -i" in world.lerim(repo.path, "status").err
    )
    assert found(world, repo) == catalog  # a dry run shows what would be kept
    world.lerim(repo.path, "sync", "-i", "--yes")
    assert len(listed(world, repo)) == catalog


def test_with_ask_an_agent_decides_nothing(world: World, repo: Repo, catalog: int) -> None:
    repo.git("config", "lerim.sync", "ask")
    agent = {"CLAUDECODE": "1"}

    synced = world.lerim(repo.path, "sync", "--yes", "--window", "all", env=agent)
    asked = world.lerim(repo.path, "sync", "-i", "--yes", "--window", "all", env=agent)

    assert (synced.code, listed(world, repo), catalog > 0) == (0, {}, True)
    assert "1 session queued" in synced.err
    assert (asked.code, "only a person can do this" in asked.err) == (1, True)


def test_an_agent_skips_no_session_and_puts_back_none_that_a_person_skipped(
    world: World, repo: Repo, catalog: int
) -> None:
    agent = {"CLAUDECODE": "1"}
    world.lerim(repo.path, "sync", "--no-extract", "--window", "all")

    hidden = world.lerim(repo.path, "queue", "skip", ID, env=agent)
    assert (hidden.code, "only a person can do this" in hidden.err) == (1, True)
    assert "waiting" in world.lerim(repo.path, "queue", "list").out
    assert "skipped by you" in world.lerim(repo.path, "queue", "skip", ID).out
    refused = world.lerim(repo.path, "queue", "retry", ID, env=agent)

    assert (refused.code, "was skipped by a person" in refused.err) == (1, True)
    assert (listed(world, repo), catalog > 0) == ({}, True)
    assert "waiting" in world.lerim(repo.path, "queue", "retry", ID).out


def test_without_a_terminal_nothing_is_done(world: World, repo: Repo, catalog: int) -> None:
    asked = world.lerim(repo.path, "sync", "-i", "--window", "all")

    assert (asked.code, asked.out, catalog > 0) == (1, "", True)
    assert "cannot ask without a terminal; nothing was done" in asked.err
    assert not (repo.path / ".git" / "lerim").exists()


@pytest.mark.parametrize("option", ["--dry-run", "--no-extract"])
def test_options_that_contradict_each_other_are_refused(
    world: World, repo: Repo, option: str
) -> None:
    refused = world.lerim(repo.path, "sync", "-i", option)

    line = refused.err.splitlines()[0]
    assert (refused.code, line) == (2, f"git lerim: git lerim sync -i does not accept {option}")


def test_nothing_that_waits_is_no_question(repo: Repo) -> None:
    code, said = triage(repo, "", "--window", "all")

    assert (code, "keep this memory" in said) == (0, False)


def test_what_was_dropped_is_never_pushed(
    world: World, repo: Repo, catalog: int, tmp_path: Path
) -> None:
    hub = tmp_path / "hub"
    repo.git("init", "--bare", str(hub))
    repo.git("remote", "add", "origin", str(hub))
    triage(repo, "n" + " y" * (catalog - 1), "--window", "all")

    pushed = world.lerim(repo.path, "push", "--yes")

    assert pushed.code == 0, pushed.err
    assert "dropped" not in repo.git("ls-remote", "origin")
    (dropped,) = listed(world, repo, "--dropped").values()
    assert dropped["title"] not in repo.git("--git-dir", str(hub), "log", "-p", "--all")
