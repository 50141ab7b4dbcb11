from dataclasses import replace
from pathlib import Path

import pytest
from support.repos import Repo
from support.stores import adding, decision, store_at
from support.world import CATALOG, World

from git_lerim.actions.stats import stats
from git_lerim.commands.stats import _bar, _size
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Status
from git_lerim.recall.local import access_log
from git_lerim.storage.base import Change
from git_lerim.workspace import open_workspace


def test_an_empty_store_has_empty_numbers(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo.path)

    found = stats(open_workspace())

    assert (
        found["commit"],
        found["memories"]["total"],
        found["growth"],
        found["bytes"]["files"],
    ) == (None, 0, [], 0)
    assert found["sessions"]["scanned"] == 0
    assert not (repo.path / ".git/lerim").exists()


def test_the_numbers_of_a_store_are_told_from_its_files_its_commits_and_what_was_shown(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    store = store_at(repo.path)
    first = store.commit(adding(1, 2))
    blob = repo.git("rev-parse", "HEAD:hello.py")
    other = replace(
        decision(3), anchors=(Anchor(path="hello.py", blob=blob), Anchor(path="gone.py", blob=blob))
    )
    march = replace(
        decision(4),
        created=decision(4).created.replace(month=3),
        last_accessed="2026-04-05",
        anchors=(Anchor(path="hello.py", blob=blob),),
    )
    old = replace(decision(5), status=Status.SUPERSEDED, body="It was [REDACTED:password].")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Grace")
    files: dict[str, bytes | None] = {
        naming.path_of(one): frontmatter.render(one) for one in (other, march, old)
    }
    store_at(repo.path).commit(lambda _: Change(files=files, subject="more"))
    ids = [decision(n).id for n in range(6)]
    for shown in ([ids[1], ids[3]], [ids[1]], [ids[5], "zzzzzzzzzzzzz"]):
        access_log.log_shown(repo.path / ".git/lerim", shown, 1_771_588_800.0)

    found = stats(open_workspace())

    assert found["memories"]["by_status"] == {"active": 4, "superseded": 1}
    assert found["from"] == {"agents": {"by hand": 5}, "people": {"Grace": 3, "Ada Tester": 2}}
    assert found["growth"] == [
        {"month": "2026-02", "added": 4, "total": 4},
        {"month": "2026-03", "added": 1, "total": 5},
    ]
    assert found["code"] == {"no code": 2, "fresh": 2}
    use = found["use"]
    assert (use["shown"], use["memories_shown"]) == (3, 2)
    assert (use["shown_elsewhere"], use["never_shown"]) == (1, 1)
    most = found["use"]["most"][0]
    assert (most["id"], most["count"], most["last"]) == (ids[1], 2, "2026-02-20")
    assert (found["redactions"], found["history"]["commits"]) == (1, 3)
    before = stats(open_workspace(), first)
    assert (
        before["memories"]["total"],
        before["history"]["commits"],
        before["from"]["people"],
    ) == (2, 2, {"Ada Tester": 2})
    assert (before["use"], before["sessions"], before["code"], list(before["bytes"])) == (
        None,
        None,
        None,
        ["files"],
    )


def test_what_agents_noted_is_not_by_hand(sealed_world: Path, repo: Repo) -> None:
    world = World(sealed_world)
    world.lerim(repo.path, "remember", "Prices are integers, because floats round.")
    for text in ("The importer is slow.", "The exporter is slow."):
        world.lerim(repo.path, "remember", text, env={"CLAUDECODE": "1"})

    found = world.lerim(repo.path, "stats", "--json").json

    assert found["from"]["agents"] == {"agents' notes": 2, "by hand": 1}


def test_sessions_and_sizes_are_those_of_this_machine(sealed_world: Path, repo: Repo) -> None:
    world = World(sealed_world)
    world.session("claude-catalog.jsonl", repo.path)
    world.session("claude-rename.jsonl", repo.path, name=CATALOG.replace("5b0c", "6b0c"))
    assert world.lerim(repo.path, "sync", "--window", "all").code == 0

    found = world.lerim(repo.path, "stats", "--json").json

    assert found["sessions"]["by_state"] == {"extracted": 1, "nothing": 1}
    assert found["sessions"]["scanned"] == 2
    assert found["sessions"]["records"] >= found["sessions"]["records_kept"] > 0
    assert found["from"]["agents"] == {"claude": found["memories"]["total"]}
    assert all(found["bytes"][name] > 0 for name in ("files", "catalog", "transcripts", "runs"))
    assert found["handoffs"] == {}


def test_a_person_gets_charts_in_what_the_terminal_can_show(sealed_world: Path, repo: Repo) -> None:
    world = World(sealed_world)
    assert "no memory yet" in world.lerim(repo.path, "stats").err
    world.lerim(repo.path, "remember", "--decision", "Use SQLite, because it is there.")

    shown = world.lerim(repo.path, "stats", env={"PYTHONIOENCODING": "utf-8"})
    plain = world.lerim(repo.path, "stats", env={"PYTHONIOENCODING": "ascii"})

    assert (shown.code, plain.code, plain.out.isascii()) == (0, 0, True)
    assert shown.out.startswith("lerim/memory: 1 memory, 2 commits, 20")
    assert "  decision       1  ██████████████████████████████\n" in shown.out
    assert "  decision       1  ##############################\n" in plain.out
    assert "\x1b" not in shown.out
    assert world.lerim(repo.path, "stats", "--personal", "--json").json["memories"]["total"] == 0
    assert world.lerim(repo.path, "stats", "--at", "nonsense").code == 2


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 bytes"),
        (1023, "1023 bytes"),
        (1536, "1.5 KiB"),
        (20 << 20, "20 MiB"),
        (3 << 40, "3072 GiB"),
    ],
)
def test_a_size_is_told_in_the_unit_that_fits(number: int, text: str) -> None:
    assert _size(number) == text


def test_even_the_shortest_bar_is_seen() -> None:
    assert _bar(0.00001, 30)
    assert len(_bar(1.0, 30)) == 30
