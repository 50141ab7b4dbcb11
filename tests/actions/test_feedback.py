"""What a verdict on a memory changes, and what it leaves alone."""

from pathlib import Path
from typing import Any

import pytest
from support.inside import lerim
from support.repos import Repo, unborn
from support.team import remember
from support.world import Ran

from git_lerim.memories.feedback import VERDICTS

SAID = "Always run the exporter with TZ=UTC because the fixtures are in UTC."
KEY = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"


@pytest.fixture
def id_(repo: Repo) -> str:
    """Return the id of a memory that Ada wrote."""
    repo.commit({"src/export.py": "one\ntwo\nthree\n"})
    return lerim(
        repo.path, "remember", SAID, "--kind", "preference", "--file", "src/export.py:2"
    ).out.split()[0]


def as_bob(repo: Repo, *words: str, name: str = "Bob") -> Ran:
    repo.git("config", "user.name", name)
    repo.git("config", "user.email", f"{name.lower()}@example.org")
    try:
        return lerim(repo.path, *words)
    finally:
        repo.git("config", "--remove-section", "user")


def shown(repo: Repo, id_: str) -> dict[str, Any]:
    found: dict[str, Any] = lerim(repo.path, "show", id_, "--json").json[0]
    return found


def in_brief(repo: Repo, id_: str) -> bool:
    return f"[{id_}]" in lerim(repo.path, "brief").out


def test_a_verdict_is_one_row_and_one_commit_and_no_edit(repo: Repo, id_: str) -> None:
    before = shown(repo, id_)

    done = lerim(
        repo.path, "feedback", id_[:6], "helpful", "--reason", "It  saved\nan hour", "--json"
    ).json
    after = shown(repo, id_)

    assert [
        (row["author"], row["by"], row["verdict"], row["count"]) for row in after["feedback"]
    ] == [("Ada Tester <ada@example.org>", "person", "helpful", 1)]
    assert (after["edited"], after["updated"]) == (before["edited"], before["updated"])
    message = repo.git("log", "-1", "--format=%B", "lerim/memory")
    assert "Reason: It saved an hour" in message
    assert f"Lerim-Op: feedback\nLerim-Changed: {id_}" in message
    assert done["commit"] == repo.git("rev-parse", "lerim/memory")


def test_a_secret_in_a_reason_is_blanked(repo: Repo, id_: str) -> None:
    done = lerim(
        repo.path, "feedback", id_, "helpful", "--reason", f"I pushed with {KEY} and it worked"
    )

    assert KEY not in repo.git("log", "-1", "--format=%B", "lerim/memory")
    assert "redacted 1 secret in the reason" in done.err


def test_the_same_verdict_on_one_day_is_recorded_once_and_again_with_a_reason(
    repo: Repo, id_: str
) -> None:
    assert lerim(repo.path, "feedback", id_, "used", "--json").json["commit"]
    tip = repo.git("rev-parse", "lerim/memory")

    again = lerim(repo.path, "feedback", id_, "used")
    assert again.err == "nothing changed: already recorded today; use --reason to add a reason\n"
    assert repo.git("rev-parse", "lerim/memory") == tip
    assert (
        lerim(repo.path, "feedback", id_, "used", "--reason", "twice today", "--json").json["count"]
        == 2
    )


def test_every_verdict_says_that_it_was_recorded(repo: Repo, id_: str) -> None:
    said = [as_bob(repo, "feedback", id_, verdict).err for verdict in ("helpful", "used", "wrong")]
    again = as_bob(repo, "feedback", id_, "used", "--reason", "once more").err

    assert said[:2] == ["recorded: helpful\n", "recorded: used\n"]
    assert said[2].startswith("recorded; once a second person")
    assert again == "recorded: used, 2 times so far\n"


def test_who_wrote_a_memory_takes_it_out_of_brief_at_once_and_back_in(repo: Repo, id_: str) -> None:
    assert in_brief(repo, id_)

    said = lerim(repo.path, "feedback", id_, "wrong")

    assert "brief no longer shows it" in said.err
    assert not in_brief(repo, id_)
    assert "disputed: reported as wrong" in lerim(repo.path, "show", id_).out
    assert shown(repo, id_)["disputed"] is True
    lerim(repo.path, "feedback", id_, "confirmed")
    assert in_brief(repo, id_)
    assert [row["verdict"] for row in shown(repo, id_)["feedback"]] == ["confirmed"]


def test_of_others_two_people_are_needed(repo: Repo, id_: str) -> None:
    assert "a second person" in as_bob(repo, "feedback", id_, "wrong").err
    assert in_brief(repo, id_)
    as_bob(repo, "feedback", id_, "wrong", name="Cleo")
    assert not in_brief(repo, id_)


def test_a_person_who_confirms_answers_what_others_said_before(repo: Repo, id_: str) -> None:
    for name in ("Bob", "Cleo"):
        as_bob(repo, "feedback", id_, "wrong", name=name)
    assert not in_brief(repo, id_)

    lerim(repo.path, "feedback", id_, "confirmed")

    assert in_brief(repo, id_)
    assert "disputed" not in lerim(repo.path, "lint").out


def test_who_edited_a_memory_last_wrote_it(repo: Repo, id_: str) -> None:
    as_bob(repo, "edit", id_, "--title", "Run the exporter with TZ=UTC")

    assert as_bob(repo, "feedback", id_, "wrong", "--json").json["disputed"]


def test_an_agent_only_lowers_it(repo: Repo, id_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    for _ in range(2):
        done = lerim(repo.path, "feedback", id_, "wrong", "--reason", "it failed", "--json").json

    assert done["confidence"] == pytest.approx(0.9 * 0.8)
    assert not done["disputed"]
    assert in_brief(repo, id_)


def test_show_gives_the_confidence_that_feedback_tells(
    repo: Repo, id_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "confidence 0.90\n" in lerim(repo.path, "show", id_).out
    monkeypatch.setenv("CLAUDECODE", "1")

    said = lerim(repo.path, "feedback", id_, "wrong")

    assert "its confidence is now 0.72" in said.err + said.out
    monkeypatch.delenv("CLAUDECODE")
    assert "confidence 0.72\n" in lerim(repo.path, "show", id_).out


def test_a_person_who_confirms_sets_the_anchors_to_the_code_of_today(
    repo: Repo, id_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = repo.commit({"src/export.py": "one\n2\nthree\n"})
    monkeypatch.setenv("CLAUDECODE", "1")
    lerim(repo.path, "feedback", id_, "confirmed")
    assert shown(repo, id_)["anchors"][0]["state"] == "changed"
    monkeypatch.delenv("CLAUDECODE")

    lerim(repo.path, "feedback", id_, "confirmed")

    (anchor,) = shown(repo, id_)["anchors"]
    assert anchor["commit"] == head
    assert anchor["blob"] == repo.git("rev-parse", "HEAD:src/export.py")
    assert anchor["state"] == "fresh"


def test_the_anchors_of_a_confirmed_memory_follow_the_code_to_where_it_went(repo: Repo) -> None:
    code = "".join(f"line_{number} = {number}\n" for number in range(1, 9))
    repo.commit({"src/limits.py": code})
    said = "The limit `line_5` is 5 because the printer has five trays."
    id_ = lerim(repo.path, "remember", said, "--file", "src/limits.py:5").out.split()[0]
    repo.git("mv", "src/limits.py", "src/bounds.py")
    repo.commit({"src/bounds.py": "# moved here\n" + code})

    lerim(repo.path, "feedback", id_, "confirmed")

    (anchor,) = shown(repo, id_)["anchors"]
    assert (anchor["path"], anchor["lines"], anchor["state"]) == ("src/bounds.py", [6, 6], "fresh")


def test_what_is_gone_is_no_anchor_of_a_confirmed_memory(repo: Repo, id_: str) -> None:
    repo.git("rm", "-q", "src/export.py")
    repo.git("commit", "-q", "-m", "remove")

    lerim(repo.path, "feedback", id_, "confirmed")

    assert shown(repo, id_)["anchors"] == []


def test_undo_takes_a_verdict_back(repo: Repo, id_: str) -> None:
    commit = lerim(repo.path, "feedback", id_, "wrong", "--json").json["commit"]

    assert lerim(repo.path, "undo", commit).code == 0

    assert shown(repo, id_)["feedback"] == []
    assert in_brief(repo, id_)


def test_lint_and_stats_tell_of_it(repo: Repo, id_: str) -> None:
    lerim(repo.path, "feedback", id_, "helpful")
    as_bob(repo, "feedback", id_, "wrong")

    linted = lerim(repo.path, "lint")
    assert "is reported as wrong by Bob <bob@example.org> [disputed]" in linted.out
    assert linted.code == 0  # so that a hook lets a push through
    assert lerim(repo.path, "stats", "--json").json["feedback"] == {"helpful": 1, "wrong": 1}


def test_lint_names_an_agent_that_calls_a_memory_wrong(
    repo: Repo, id_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    lerim(repo.path, "feedback", id_, "wrong")

    linted = lerim(repo.path, "lint")

    who = "an agent of Ada Tester <ada@example.org>"
    assert f"is reported as wrong by {who} [disputed]" in linted.out


def test_two_clones_that_gave_verdicts_apart_have_both(
    repo: Repo, id_: str, tmp_path: Path
) -> None:
    bare = unborn(tmp_path / "bare.git", "--bare")
    repo.git("remote", "add", "origin", str(bare.path))
    repo.git("push", "-q", "origin", "main")
    assert lerim(repo.path, "push", "--yes").code == 0
    repo.git("clone", "-q", str(bare.path), str(tmp_path / "clone"))
    other = Repo(tmp_path / "clone")
    other.git("config", "user.name", "Bob")
    other.git("config", "user.email", "bob@example.org")
    lerim(other.path, "pull")
    assert lerim(other.path, "feedback", id_, "wrong").code == 0
    assert lerim(other.path, "push", "--yes").code == 0
    as_bob(repo, "feedback", id_, "wrong", name="Cleo")

    lerim(repo.path, "pull")

    assert {row["author"] for row in shown(repo, id_)["feedback"]} == {
        "Bob <bob@example.org>",
        "Cleo <cleo@example.org>",
    }
    assert not in_brief(repo, id_)


def test_a_handoff_takes_no_feedback_and_an_unknown_verdict_is_a_usage_error(repo: Repo) -> None:
    remember(repo, SAID)
    handoff = lerim(repo.path, "handoff", "begin", "Finish the exporter", "--json").json
    assert lerim(repo.path, "feedback", handoff["id"], "helpful").code == 2
    assert lerim(repo.path, "feedback", handoff["id"], "great").code == 2


def test_a_disputed_memory_is_marked_wherever_a_stale_one_is(repo: Repo, id_: str) -> None:
    verbs = [
        ("list",), ("search", "exporter"), ("ask", "how do we run the exporter?"),
        ("ask", "who reads the exporter in the night?"), ("why", "src/export.py"), ("show", id_),
    ]  # fmt: skip
    before = [lerim(repo.path, *words).out for words in verbs]
    lerim(repo.path, "feedback", id_, "wrong", "--reason", "CI no longer builds it")
    after = {" ".join(words): lerim(repo.path, *words).out for words in verbs}

    assert not [out for out in before if "disputed" in out]
    assert [verb for verb, out in after.items() if "disputed" not in out] == []
    assert "  (disputed)\n" in after["list"]
    assert f"{SAID.removesuffix('.')}  (disputed)\n" in after["search exporter"]
    name = "Ada Tester <ada@example.org>"
    assert f"said    wrong (its author): {name} on " in after[f"show {id_}"]


def test_what_a_person_calls_stale_is_named_so_until_it_is_confirmed(
    repo: Repo, id_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    verbs = [
        ("stale",), ("list",), ("search", "exporter"), ("brief",), ("show", id_), ("stale", "src"),
    ]  # fmt: skip
    with monkeypatch.context() as agent:
        agent.setenv("CLAUDECODE", "1")
        by_agent = lerim(repo.path, "feedback", id_, "stale")
    told_by_agent = [lerim(repo.path, *words).out for words in verbs]

    said = lerim(repo.path, "feedback", id_, "stale", "--reason", "we went back")
    told = [lerim(repo.path, *words).out for words in verbs]
    row = lerim(repo.path, "stale", "--json").json[0]
    lerim(repo.path, "feedback", id_, "confirmed")
    confirmed = [lerim(repo.path, *words).out for words in verbs]

    assert by_agent.code == 0
    assert not [out for out in (*told_by_agent, *confirmed) if "called stale" in out]
    assert [out for out in told if "called stale by Ada Tester" not in out] == []
    assert "now called stale: list, stale and brief say so" in said.err
    assert (row["id"], row["cause"], row["called_stale"]) == (id_, None, "Ada Tester")
    assert lerim(repo.path, "stale").out == ""


def test_what_a_person_calls_stale_comes_last_in_the_brief(repo: Repo, id_: str) -> None:
    other = lerim(repo.path, "remember", "Use tabs.", "--kind", "preference").out.split()[0]
    lerim(repo.path, "feedback", other, "stale")

    text = lerim(repo.path, "brief").out

    assert text.index(id_) < text.index(other)
    assert lerim(repo.path, "brief", "--json").json["memories"][-1]["state"] == "stale"


def test_who_restores_a_disputed_memory_learns_that_it_stays_out_of_the_brief(
    repo: Repo, id_: str
) -> None:
    lerim(repo.path, "feedback", id_, "wrong")
    assert lerim(repo.path, "maintain", "--force", "--no-model").code == 0
    assert "(archived)  (disputed)" in lerim(repo.path, "list", "--all").out

    done = lerim(repo.path, "restore", id_)

    step = f"feedback {id_} confirmed"
    assert (
        f"{id_} is still disputed, and brief leaves it out; if it is true: git lerim {step}\n"
        in done.err
    )
    assert not in_brief(repo, id_)
    lerim(repo.path, *step.split())
    assert in_brief(repo, id_)
    assert "disputed" not in lerim(repo.path, "restore", id_).err


def test_a_wrong_that_a_confirmation_answers_is_said_not_to_count(repo: Repo, id_: str) -> None:
    lerim(repo.path, "feedback", id_, "confirmed")

    said = as_bob(repo, "feedback", id_, "wrong").err

    assert "this does not count, because a person confirmed it on " in said
    assert in_brief(repo, id_)


def test_the_help_names_the_verdicts_that_it_takes_and_says_what_they_mean(repo: Repo) -> None:
    _, _, line = " ".join(lerim(repo.path, "help").out.split()).partition(" feedback Report ")
    text = " ".join(lerim(repo.path, "feedback", "-h").out.split())

    assert all(verdict in line.partition(".")[0] for verdict in VERDICTS)
    assert all(f"{verdict} (" in text for verdict in VERDICTS)
