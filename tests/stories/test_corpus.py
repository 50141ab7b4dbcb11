"""Real sessions through the whole product, beside counts that share nothing with it."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.corpus import SHARED, corpus
from support.counts import Counts, lines
from support.counts_of_rows import cursor_chats
from support.homes import HOMES, Person, adoptable, at_home, counted, person

from git_lerim.agents import roster
from git_lerim.redaction.redactor import Redactor

pytestmark = pytest.mark.corpus

Listed = dict[str, dict[str, Any]]
Synced = Callable[[str, str], tuple[Person, Counts, Listed]]
GROWING = (
    "claude-code-768de5d6",
    "claude-code-86cc3044-glued",
    "claude-code-cc432c40",
    "codex-019ed50c",
)


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Synced:
    """Return what gives the person who synced an agent's home, what lies there, and what is listed;
    each is synced once.
    """

    @cache
    def sync(agent: str, below: str) -> tuple[Person, Counts, Listed]:
        home = corpus(f"sessions/{below}")
        counts = counted(agent, home)
        someone = at_home(tmp_path_factory.mktemp(agent), agent, home, adoptable(counts))
        report = someone.sync("--max-sessions", "10000")
        assert report["errors"] == []
        return someone, counts, someone.sessions()

    return sync


@pytest.mark.parametrize(("agent", "below"), HOMES)
def test_sessions_records_and_prompts_are_as_many_as_in_the_files(
    agent: str, below: str, synced: Synced
) -> None:
    _, counts, rows = synced(agent, below)

    listed = {name: (row["records"], row["prompts"]) for name, row in rows.items()}

    assert listed == {name: (count.records, count.prompts) for name, count in counts.items()}


@pytest.mark.parametrize(("agent", "below"), HOMES)
def test_each_session_is_extracted_or_left_for_a_true_reason(
    agent: str, below: str, synced: Synced
) -> None:
    someone, counts, rows = synced(agent, below)
    cited = {
        source["session"] for memory in someone.memories().values() for source in memory["sources"]
    }

    for name, row in rows.items():
        match row["state"]:
            case "extracted":
                assert (row["reason"], row["kept"] > 0) == ("", True)
            case "nothing":
                assert row["reason"] == "nothing worth keeping"
                assert row["kept"] > 0
                assert name not in cited
            case "empty":
                assert row["reason"] == "it has no messages"
                assert (row["kept"], counts[name].prompts) == (0, 0)
            case "unscoped":  # nobody could adopt it: it names no folder, or none that is a place
                assert row["reason"].startswith("its folder is gone")
                assert not any(place in adoptable(counts) for place in counts[name].cwds)
            case other:
                pytest.fail(f"{name} is {other}: {row['reason']}")


def test_a_second_sync_reads_nothing_and_changes_nothing(synced: Synced) -> None:
    someone, *_ = synced("claude", "claude-code/entireio+cli")
    before = someone.memories()

    again = someone.lerim("sync", "--window", "all", "-v")

    assert re.search(r"checked \d+ files, read 0 ", again.err), again.err
    assert someone.memories() == before


@pytest.mark.parametrize("below", ["cursor/Aleksey0x+CursorSync", "cursor/lerim-dev+lerim"])
def test_messages_of_cursor_come_in_the_order_of_their_headers(below: str, synced: Synced) -> None:
    someone, *_ = synced("cursor", below)
    said = {"prompt": 1, "reply": 2}
    compared = 0

    for path in sorted(corpus(f"sessions/{below}").rglob("state.vscdb")):
        for chat, (_, bubbles) in cursor_chats(path).items():
            kept = [r for r in someone.cached(chat) if r["role"] in said]
            for record in kept:
                bubble = bubbles[record["n"] - 1]
                compared += 1
                assert bubble["type"] == said[record["role"]]
                assert same_words(record["text"], bubble["text"])
            assert [r["n"] for r in kept] == [
                n for n, b in enumerate(bubbles, 1) if b["type"] in {1, 2} and b["text"].strip()
            ]

    assert compared > 5


def same_words(kept: str, stored: str) -> bool:
    """Compare texts, but for what was blanked and masked in the one that is kept."""
    words = re.split(r"\[REDACTED:[\w-]+\]|<\w+>|\S+@\S+", kept)
    return all(word.strip() in stored for word in words)


# -- sessions that grow


def snapshots(series: str) -> tuple[str, list[Path], str, list[str]]:
    """Return the agent, the snapshots in their order, the place of the file in the agent's home,
    and the folders.
    """
    folder = corpus(f"sessions/_growth/{series}")
    found = sorted(
        folder.glob("snapshot-*"), key=lambda path: int(re.findall(r"\d+", path.stem)[0])
    )
    objects = [o for _, o in lines(found[-1])]
    if series.startswith("codex"):
        cwds = {o["payload"]["cwd"] for o in objects if o["payload"].get("cwd")}
        name = (
            f"sessions/2026/06/17/rollout-2026-06-17T10-00-00-{objects[0]['payload']['id']}.jsonl"
        )
        return "codex", found, name, sorted(cwds)
    session = next(o["sessionId"] for o in objects if o.get("sessionId"))
    return (
        "claude",
        found,
        f"projects/x/{session}.jsonl",
        sorted({o["cwd"] for o in objects if o.get("cwd")}),
    )


def growing(folder: Path, series: str, states: list[Path]) -> Iterator[tuple[Person, int, str]]:
    """Sync one state after the other; yield the person, how many bytes were new, and what sync
    said.
    """
    agent, _, name, cwds = snapshots(series)
    someone = at_home(folder, agent, folder / "store", cwds)
    target = folder / "store" / name
    target.parent.mkdir(parents=True)
    size = 0
    for state in states:
        shutil.copyfile(state, target)
        ran = someone.lerim("sync", "--window", "all", "-v")
        assert ran.code == 0, ran.err
        size, before = target.stat().st_size, size
        yield someone, size - before, ran.err


@pytest.mark.parametrize("series", GROWING)
def test_a_session_synced_while_it_grows_gives_what_it_gives_at_once(
    series: str, tmp_path: Path
) -> None:
    states = snapshots(series)[1]
    size = 0

    for someone, new, said in growing(tmp_path / "steps", series, states):
        size += new
        ((bookmark,),) = someone.rows("catalog.sqlite3", "SELECT bookmark FROM sources")
        assert json.loads(bookmark)["offset"] == size
        assert f"checked 1 file, read 1 ({new / 1e6:.1f} MB)" in said  # nothing is read twice
    ((at_once, _, _),) = growing(tmp_path / "once", series, states[-1:])

    assert someone.active() == at_once.active()
    for memory in someone.memories().values():
        assert memory["status"] == "active" or explained(someone, memory["id"])


def explained(someone: Person, memory: str) -> bool:
    """Say whether a run told why it took a memory back."""
    runs = [
        json.loads(path.read_bytes()) for path in (someone.kept / "runs").glob("*/actions.json")
    ]
    return any(
        a["reason"] for run in runs for a in run if a["memory"] == memory and a["action"] != "add"
    )


def test_what_a_person_did_to_memories_of_a_growing_session_stays(tmp_path: Path) -> None:
    series = "codex-019ed50c"
    steps = growing(tmp_path, series, snapshots(series)[1])
    someone, _, _ = next(steps)
    if len(someone.active()) < 2:
        pytest.skip("the rules keep fewer than two memories of this session")
    edited, forgotten, *others = sorted(someone.active())
    assert someone.lerim("edit", edited, "--title", "A title of my own").code == 0
    assert someone.lerim("forget", forgotten).code == 0
    assert someone.lerim("protect", *others[:1]).code == 0 if others else True
    after = mine = someone.memories()

    for _ in steps:
        after = someone.memories()
        for name in (edited, forgotten, *others[:1]):
            kept = ("title", "body", "status", "tags", "confidence", "path")
            assert {key: after[name][key] for key in kept} == {key: mine[name][key] for key in kept}

    assert after[edited]["title"] == "A title of my own"
    assert after[forgotten]["status"] == "archived"


# -- two people


def test_two_people_have_the_same_memories_in_whatever_order_they_sync(tmp_path: Path) -> None:
    below = {
        "opencode": "opencode/savekirk+session-bridge",
        "gemini": "gemini-cli/savekirk+session-bridge",
    }
    homes = [(agent, corpus(f"sessions/{place}")) for agent, place in below.items()]
    places = {place for agent, home in homes for place in adoptable(counted(agent, home))}
    first, second = (
        person(tmp_path / "first", homes, places),
        person(tmp_path / "second", homes, places),
    )
    first.sync("--max-sessions", "10000")
    second.sync("--agent", "gemini", "--max-sessions", "1")
    while second.sync("--max-sessions", "3")["sessions_extracted"]:
        pass

    assert second.active() == first.active()
    assert set(second.memories()) == set(first.memories())
    assert first.sync("--force")["commits"] == []


# -- secrets


def test_no_secret_of_a_transcript_is_written_anywhere(synced: Synced) -> None:
    redactor = Redactor()
    texts = {text for agent, below in HOMES for text in told(agent, corpus(f"sessions/{below}"))}
    secrets = {text[found.start : found.end] for text in texts for found in redactor.find(text)}
    if not secrets:
        pytest.skip("the secrets of these transcripts were blanked before")

    for agent, below in HOMES:
        for name, data in synced(agent, below)[0].written().items():
            survived = [
                secret for secret in secrets if len(secret) >= 8 and in_json(secret) in data
            ]
            assert survived == [], f"{below}: {name}"


def told(agent: str, home: Path) -> set[str]:
    """Return every text in the records that an agent's reader gives, before anything is blanked."""
    module = roster.agent(agent)
    readings = [reading for source in module.find(home) for reading in module.read(source, None)]
    values = [
        each for r in readings for record in (*r.records, r.header) for each in fields(record)
    ]
    return {value for value in values if isinstance(value, str)}


def fields(record: Any) -> Iterator[Any]:
    """Yield the values of a record's fields, those of lists one by one."""
    for name in record.__struct_fields__:
        value = getattr(record, name)
        yield from value if isinstance(value, tuple) else (value,)


def in_json(text: str) -> bytes:
    """Return a text as it would stand in a file of ours."""
    return json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "replace")


@pytest.mark.parametrize(
    ("agent", "below"),
    [
        ("claude", "claude-code/git-ai"),
        ("codex", "codex/savekirk+session-bridge"),
        ("copilot", "copilot-cli/eitatech+gatomia-vscode"),
        ("cursor", "cursor-agent/git-ai"),
        ("gemini", "../recordings/gemini/.gemini"),
        ("pi", "pi/codyborders+yinshi"),
    ],
)
def test_no_bookmark_holds_words_wherever_a_session_is_cut(
    agent: str, below: str, tmp_path: Path
) -> None:
    module = roster.agent(agent)
    home = corpus(f"sessions/{below}")
    source, *_ = module.find(home)
    stored = source.path.read_bytes().splitlines(keepends=True)
    place = tmp_path / source.path.relative_to(home)
    place.parent.mkdir(parents=True, exist_ok=True)

    for end in range(1, len(stored) + 1, max(1, len(stored) // 15)):
        place.write_bytes(b"".join(stored[:end]))
        (grown,) = [each for each in module.find(tmp_path) if each.path == place]
        (reading,) = module.read(grown, None)
        kept = json.dumps(reading.bookmark.state if reading.bookmark else {})
        words = {
            value
            for r in reading.records
            for value in (r.text, r.command)
            if value and value != r.tool and r.tool not in QUOTED
        }
        assert [each for each in words if len(each) > 12 and json.dumps(each)[1:-1] in kept] == []


QUOTED = {
    "ask_user",
    "exit_plan_mode",
}  # of Copilot: their results quote them; `discover` blanks secrets in what is kept


# -- recordings of the newest clients, whose script is known

NOTHING = "What does slug.py do?"
DECIDES = "Where should the slug separator be defined? Decide and record it."
FAILS, RESUMED = "The slug test fails. Find out why and fix it.", "Also handle the empty title."
HELPER, COMPACT = "Use a helper to count the lines of slug.py.", "/compact keep the decisions"
RECORDED = {
    "claude": ".claude",
    "codex": ".codex",
    "gemini": ".gemini",
    "opencode": ".local/share/opencode",
}
PLAYED = [[NOTHING], [DECIDES], [FAILS, RESUMED], [HELPER]]
MORE = {
    "claude": [
        [NOTHING],
        [DECIDES],
        [FAILS, RESUMED],
        [HELPER, COMPACT, NOTHING],
        [COMPACT, NOTHING, RESUMED],
    ]
}  # the last: a fork


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Person]:
    @cache
    def sync(agent: str) -> Person:
        home = corpus(f"recordings/{agent}/{RECORDED[agent]}")
        someone = person(
            tmp_path_factory.mktemp(agent) / "x", [(agent, home)], ["/home/ada/projects"]
        )
        someone.sync()
        return someone

    return sync


def script(prompt: str) -> list[dict[str, Any]]:
    """Return the turns that were played to a prompt."""
    path = SHARED / "tools" / "clients" / "script.json"
    if not path.exists():
        pytest.skip("needs ../shared/tools/clients/script.json, which is not here")
    for scenario in json.loads(path.read_bytes())["scenarios"]:
        if scenario.get("match", "\0") in prompt:
            turns: list[dict[str, Any]] = scenario["turns"]
            return turns
    return []


@pytest.mark.parametrize("agent", RECORDED)
def test_a_recorded_session_has_what_its_script_played(
    agent: str, recorded: Callable[[str], Person]
) -> None:
    someone = recorded(agent)
    found = []
    for name in someone.sessions():
        records = someone.cached(name)
        own = [r for r in records if not r.get("part")]
        prompts = [r["text"] for r in own if r["role"] == "prompt"]
        turns = [turn for prompt in prompts for turn in script(prompt)]
        ops = [op for turn in turns for op in turn.get("ops", ())]
        scripted = [op["cmd"] for op in ops if op["op"] == "shell"]
        found.append(prompts)

        replies = [r["text"] for r in own if r["role"] == "reply"]
        assert [text for text in replies if text != "Done."] == [
            turn["text"] for turn in turns if turn["text"]
        ]
        assert [
            r["command"] for r in own if r["role"] == "call" and r.get("command") in scripted
        ] == scripted
        failing = [(command_of(r, own), r.get("exit_code")) for r in own if r.get("failed")]
        assert failing == ([("python3 test_slug.py", 1)] if FAILS in prompts else [])
        touched = {
            Path(file).name for r in own if r["role"] == "result" for file in r.get("files", ())
        }
        assert touched == {Path(op["path"]).name for op in ops if op["op"] in {"write", "edit"}}
        helpers = {r["part"] for r in records if r.get("part")}
        assert len(helpers) == sum(op["op"] == "agent" for op in ops)
        assert [r["command"] for r in records if r.get("part") and r.get("command")] == [
            "wc -l slug.py"
        ] * len(helpers)

    assert sorted(found) == sorted(MORE.get(agent, PLAYED))


def command_of(result: dict[str, Any], records: list[dict[str, Any]]) -> str | None:
    """Return the command whose result this is."""
    return next(
        (
            r.get("command")
            for r in records
            if r["role"] == "call" and r.get("call") == result.get("call")
        ),
        None,
    )


@pytest.mark.parametrize("agent", RECORDED)
def test_a_recorded_session_without_signal_gives_nothing_and_a_fork_nothing_twice(
    agent: str, recorded: Callable[[str], Person]
) -> None:
    someone = recorded(agent)
    memories = someone.memories().values()
    cited = {source["session"] for memory in memories for source in memory["sources"]}

    for name, row in someone.sessions().items():
        prompts = [
            r["text"] for r in someone.cached(name) if r["role"] == "prompt" and not r.get("part")
        ]
        if prompts == [NOTHING]:
            assert row["state"] == "nothing"
            assert name not in cited
    titles = [memory["title"] for memory in memories if memory["status"] == "active"]
    assert len(titles) == len(set(titles))


def test_forks_share_the_memories_of_their_common_history(synced: Synced) -> None:
    someone, *_ = synced("claude", "claude-code/JanDeDobbeleer+oh-my-posh")
    active = someone.active().values()

    assert len({title for title, _ in active}) == len(active) > 0
