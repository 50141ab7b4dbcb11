"""Secrets as tools print them, with colours and line numbers: they are written nowhere, and a push
with one stops.
"""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support.claude import Recording
from support.inside import lerim
from support.repos import Repo
from support.world import World

TOKEN = "ghp_" + "wJ4Wq7Zr2Kd8Xt5Vb1Nm3Pc6Yh9Lf0Sg2Aa4"
PASSWORD = "vK7" + "mQ2xR9tLw4Z"
REF = "refs/heads/lerim/memory"
DECORATIONS: dict[str, Callable[[str], str]] = {
    "coloured": lambda secret: f"\x1b[31m{secret}\x1b[0m",
    "coloured, without ESC": lambda secret: f"[1;31m{secret}[0m",
    "after an arrow": lambda secret: f"    12\u2192DB_PASSWORD={secret}",
    "numbered": lambda secret: f"    12\tDB_PASSWORD={secret}",
    "found by grep": lambda secret: f".env:12:DB_PASSWORD={secret}",
    "added in a diff": lambda secret: f"@@ -1 +1 @@\n-DB_HOST=a\n+DB_PASSWORD={secret}",
    "on the next line": lambda secret: f"Password:\n    {secret}",
    "in a table": lambda secret: f"| user | password |\n|---|---|\n| ann | {secret} |",
}


def written(repo: Repo, home: Path) -> dict[str, bytes]:
    """Return all objects of a repository, and all files that we keep beside it and at home."""
    batch = ["git", "cat-file", "--batch-all-objects", "--batch", "--buffer"]
    objects = subprocess.run(batch, cwd=repo.path, capture_output=True, check=True).stdout
    files = [
        path
        for folder in (repo.path / ".git" / "lerim", home / ".local")
        for path in folder.rglob("*")
        if path.is_file()
    ]
    return {"objects": objects} | {str(path): path.read_bytes() for path in files}


def test_a_secret_that_the_text_explains_is_blanked_in_the_name_of_the_branch(
    world: World, ann: Repo
) -> None:
    session = world.session("claude-catalog.jsonl", ann.path)
    text = session.read_text().replace('"gitBranch":"main"', f'"gitBranch":"fix/{PASSWORD}-login"')
    assert f"fix/{PASSWORD}" in text
    session.write_text(
        text.replace("with tests. Ask", f"with tests. The database password is {PASSWORD}. Ask")
    )

    world.lerim(ann.path, "sync", "--window", "all")
    ann.git("checkout", "-qb", f"wip/{PASSWORD}")
    world.lerim(
        ann.path, "remember", f"The database password is {PASSWORD}. It is changed each month."
    )
    world.lerim(ann.path, "handoff", "begin", f"The database password is {PASSWORD}. Change it.")

    shown = [
        world.lerim(ann.path, *verb).out
        for verb in (["list", "--json"], ["brief"], ["handoff", "list", "--json"])
    ]
    assert PASSWORD not in "".join(shown)
    assert [
        name for name, data in written(ann, world.home).items() if PASSWORD.encode() in data
    ] == []


@pytest.mark.parametrize("edited", [False, True])
def test_what_later_turns_out_to_be_a_secret_is_redacted_in_earlier_memories(
    edited: bool,  # noqa: FBT001 a case
    world: World,
    ann: Repo,
) -> None:
    recording = Recording(world.home, str(ann.path))
    recording.prompt(f"Always start {PASSWORD} first, because the staging box hangs otherwise.")
    world.lerim(ann.path, "sync", "--window", "all")
    (row,) = world.lerim(ann.path, "list", "--json").json
    assert PASSWORD in row["title"]
    if edited:
        world.lerim(ann.path, "edit", row["id"], "--tag", "staging")

    recording.prompt(f"The database password is {PASSWORD}. It is changed each month.")
    later = world.lerim(ann.path, "sync", "--window", "all")
    again = world.lerim(ann.path, "sync", "--window", "all", "--force")

    assert f"a secret in {row['id']}; earlier commits still have it; git lerim purge" in later.err
    assert "turned out to be a secret" not in again.err
    assert ann.git("ls-tree", "-r", "--name-only", REF).lower().count(PASSWORD.lower()) == 0
    assert PASSWORD not in ann.git("grep", "-h", "", REF)
    shown = world.lerim(ann.path, "list", "--json").out
    assert "Always start [REDACTED:assignment] first" in shown
    assert PASSWORD not in world.lerim(ann.path, "sessions", "--all", "--json").out
    assert world.lerim(ann.path, "purge", row["id"], "--yes").code == 0
    assert not ann.git("log", f"-S{PASSWORD}", REF)


@pytest.mark.parametrize("in_tree", [False, True])
def test_a_memory_redacted_later_stays_the_users_own(
    in_tree: bool,  # noqa: FBT001 a case
    world: World,
    ann: Repo,
) -> None:
    if in_tree:
        world.lerim(ann.path, "init", "--tree")
    recording = Recording(world.home, str(ann.path))
    recording.prompt(f"Always build with --no-verify, {PASSWORD} needs it.")
    world.lerim(ann.path, "sync", "--window", "all")
    (row,) = world.lerim(ann.path, "list", "--json").json
    recording.prompt(f"The database password is {PASSWORD}. It is changed each month.")
    world.lerim(ann.path, "sync", "--window", "all")

    title = "Always build with --no-verify, [REDACTED:assignment] needs it"
    for verb in (["list"], ["brief"], ["show", row["id"]]):
        said = world.lerim(ann.path, *verb).out
        assert title in said
        assert PASSWORD not in said
    shown = world.lerim(ann.path, "show", row["id"]).out
    assert f"The user asked for this: \u201c{title}" in shown
    assert "shared" not in shown
    assert "withheld" not in world.lerim(ann.path, "lint").out


@pytest.mark.parametrize("by_title", [False, True])
def test_a_secret_is_redacted_in_the_file_name_that_an_edit_left(
    by_title: bool,  # noqa: FBT001 a case
    world: World,
    ann: Repo,
) -> None:
    recording = Recording(world.home, str(ann.path))
    recording.prompt(f"Always start {PASSWORD} first, because the staging box hangs otherwise.")
    world.lerim(ann.path, "sync", "--window", "all")
    (row,) = world.lerim(ann.path, "list", "--json").json
    edit = [] if by_title else ["--body", "The staging box hangs otherwise."]
    world.lerim(ann.path, "edit", row["id"], "--title", "Start the box first", *edit)
    recording.prompt(f"The database password is {PASSWORD}. It is changed each month.")

    later = world.lerim(ann.path, "sync", "--window", "all")
    again = world.lerim(ann.path, "sync", "--window", "all", "--force")

    assert f"a secret in {row['id']}; earlier commits still have it; git lerim purge" in later.err
    assert "turned out to be a secret" not in again.err
    assert PASSWORD.lower() not in ann.git("ls-tree", "-r", "--name-only", REF)
    shown = world.lerim(ann.path, "show", row["id"]).out
    assert "Start the box first" in shown
    assert "shared" not in shown


def test_in_a_work_tree_it_is_redacted_too(world: World, ann: Repo) -> None:
    world.lerim(ann.path, "init", "--tree")
    recording = Recording(world.home, str(ann.path))
    recording.prompt(f"Always start {PASSWORD} first, because the staging box hangs otherwise.")
    world.lerim(ann.path, "sync", "--window", "all")
    recording.prompt(f"The database password is {PASSWORD}. It is changed each month.")

    later = world.lerim(ann.path, "sync", "--window", "all")

    assert "your own commits may still have it" in later.err
    files = (path for path in (ann.path / ".lerim").rglob("*") if path.is_file())
    assert not any(PASSWORD in f"{path} {path.read_text()}" for path in files)


@pytest.mark.parametrize("decorate", DECORATIONS.values(), ids=DECORATIONS)
def test_a_secret_in_a_session_is_written_nowhere(
    world: World, ann: Repo, decorate: Callable[[str], str]
) -> None:
    secret = PASSWORD if "password" in decorate("").lower() else TOKEN
    rollout = world.codex("codex-prices.jsonl", ann.path)
    records = [json.loads(line) for line in rollout.read_text().split("\n") if line]
    for record in records:
        payload = record["payload"]
        for name in ("message", "output"):
            if name in payload:
                payload[name] += f"\n\n{decorate(secret)}\n"
        for part in payload.get("content", []):
            part["text"] += f"\n\n{decorate(secret)}\n"
    rollout.write_text("\n".join(map(json.dumps, records)) + "\n")

    synced = world.lerim(ann.path, "sync", "--window", "all", "--json", "-v")
    world.lerim(ann.path, "export", str(ann.path.parent / "exported"))
    shown = [
        world.lerim(ann.path, *verb).out
        for verb in (["list", "--json"], ["brief"], ["log"], ["logs"], ["sessions", "--json"])
    ]

    assert synced.json["redactions"] > 0
    assert secret not in synced.out + synced.err + "".join(shown)
    assert [
        name for name, data in written(ann, world.home).items() if secret.encode() in data
    ] == []
    assert [
        path
        for path in (ann.path.parent / "exported").rglob("*")
        if path.is_file() and secret in path.read_text()
    ] == []
    assert world.lerim(ann.path, "push", "--yes").code == 0


def test_a_secret_in_what_is_remembered_is_written_nowhere(world: World, ann: Repo) -> None:
    for decorate in DECORATIONS.values():
        world.lerim(
            ann.path,
            "remember",
            "The export needs"
            f" this:\n\n{decorate(PASSWORD if 'password' in decorate('').lower() else TOKEN)}",
        )
    for option in (["--tag", TOKEN], ["--title", f"With {TOKEN}"]):
        world.lerim(
            ann.path, "remember", f"Prices are rounded half to even, see {option[0]}.", *option
        )

    assert len(world.lerim(ann.path, "list", "--json").json) >= 2
    for secret in (TOKEN, PASSWORD):
        assert [
            name for name, data in written(ann, world.home).items() if secret.encode() in data
        ] == []


def test_an_invisible_character_in_a_token_lets_it_through_no_gate(world: World, ann: Repo) -> None:
    hidden = [
        f"{TOKEN[:14]}{char}{TOKEN[14:]}"
        for char in map(chr, (1, 0x1B, 0x7F, 0x2065, 0x115F, 0x3164, 0xFFF9, 0xE0041, 0xE0100))
    ]
    rollout = world.codex("codex-prices.jsonl", ann.path)
    records = [json.loads(line) for line in rollout.read_text().split("\n") if line]
    for record in records:
        if "message" in record["payload"]:
            record["payload"]["message"] += f" {' '.join(hidden)}"
    rollout.write_text("\n".join(map(json.dumps, records)) + "\n")
    for number, each in enumerate(hidden):
        text = f"Staging number {number} is deployed with {each} since spring."
        lerim(ann.path, "remember", text)

    lerim(ann.path, "sync", "--window", "all")

    assert len(lerim(ann.path, "list", "--json").json) > len(hidden)
    assert TOKEN not in lerim(ann.path, "brief").out
    assert [name for name, data in written(ann, world.home).items() if TOKEN.encode() in data] == []


def imported(
    repo: Repo, *, author: str = "X", message: str = "x", files: dict[str, str] | None = None
) -> None:
    """Commit to the memory's branch what no gate of ours has seen."""
    stream = (
        f"commit {REF}\nauthor {author} <x@example.com> 1800000000 +0000\ncommitter {author}"
        " <x@example.com> 1800000000 +0000\n"
    )
    stream += f"data {len(message.encode())}\n{message}\nfrom {repo.git('rev-parse', REF)}\n"
    for path, text in (files or {}).items():
        stream += f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n"
    repo.git("fast-import", "--quiet", stdin=stream)


@pytest.mark.parametrize(
    ("commit", "where"),
    [
        ({"message": f"sync: the token is \x1b[31m{TOKEN}\x1b[0m"}, "the message of commit "),
        ({"message": f"sync\n\n  12\u2192DB_PASSWORD={PASSWORD}"}, "the message of commit "),
        ({"author": TOKEN}, "the identity of commit "),
        ({"files": {"notes.bin": f"\0\1 [31m{TOKEN}[0m"}}, "notes.bin, line 1"),
        (
            {"files": {"lerim.json": json.dumps({"db": f"+password: {PASSWORD}"})}},
            "lerim.json, line 1",
        ),
        ({"files": {f"learnings/{TOKEN}.txt": "x"}}, "the path of learnings/[REDACTED:github].txt"),
    ],
    ids=["message", "numbered message", "author", "binary", "JSON", "path"],
)
def test_a_push_stops_for_a_secret_wherever_it_stands(
    world: World, ann: Repo, hub: Repo, commit: dict[str, str], where: str
) -> None:
    world.lerim(ann.path, "remember", "Prices are rounded half to even.")
    imported(ann, **commit)  # type: ignore[arg-type]
    imported(ann, message="later")

    pushed = world.lerim(ann.path, "push", "--yes")

    assert pushed.code == 1
    assert where in pushed.err
    assert "hint: " in pushed.err
    assert not any(secret in pushed.err + pushed.out for secret in (TOKEN, PASSWORD))
    assert hub.git("for-each-ref") == ""


def test_a_secret_in_a_stray_file_is_named_by_lint_and_leaves_by_the_hint_of_push(
    world: World, ann: Repo, hub: Repo
) -> None:
    world.lerim(ann.path, "remember", "Prices are rounded half to even.")
    before = ann.git("rev-parse", REF)
    imported(ann, files={"notes.txt": f"See {TOKEN}\n"})
    world.lerim(ann.path, "remember", "Dates are written in ISO 8601.")

    linted = world.lerim(ann.path, "lint")
    refused = world.lerim(ann.path, "push", "--yes")

    assert "notes.txt: contains a possible secret (github) [secret]" in linted.out
    assert TOKEN not in linted.out + refused.err
    assert "git lerim purge ID" not in refused.err
    assert "git rebase -i" in refused.err
    aside = ann.path.parent / "aside"
    ann.git("worktree", "add", "-q", str(aside), "lerim/memory")
    added = ann.git("rev-list", "--reverse", f"{before}..{REF}").split("\n")[0]
    ann.git("-C", str(aside), "rebase", "-q", "--onto", before, added)
    ann.git("worktree", "remove", str(aside))
    assert world.lerim(ann.path, "push", "--yes").code == 0
    assert "notes.txt" not in hub.git("ls-tree", "-r", "--name-only", REF)
    assert len(world.lerim(ann.path, "list", "--json").json) == 2


@pytest.mark.parametrize("content", ["one\n", "two\n"])
def test_a_secret_in_a_path_stops_a_push_whatever_the_file_holds(
    content: str, world: World, ann: Repo, hub: Repo
) -> None:
    world.lerim(ann.path, "remember", "Prices are rounded half to even.")
    imported(ann, files={"notes/a.txt": "one\n", f"notes/z-{TOKEN}.txt": content})

    refused = world.lerim(ann.path, "push", "--yes")

    assert refused.code != 0
    assert "the path of" in refused.err
    assert TOKEN not in refused.err
    assert hub.git("for-each-ref") == ""


def test_a_push_lets_through_what_was_allowed(world: World, ann: Repo, hub: Repo) -> None:
    world.lerim(ann.path, "remember", "Prices are rounded half to even.")
    imported(ann, message=f"the token is {TOKEN}")
    ann.git("config", "--global", "lerim.redactAllow", TOKEN)

    assert world.lerim(ann.path, "push", "--yes").code == 0
    assert REF in hub.git("for-each-ref")


def test_what_a_colleague_anchored_to_a_secret_is_not_handed_out(
    world: World, ann: Repo, bob: Repo
) -> None:
    bob.commit({"prices.py": "x = 1\n"})
    world.lerim(bob.path, "remember", "Prices are rounded half to even.", "--file", "prices.py")
    path = bob.git("ls-tree", "-r", "--name-only", REF, "learnings", "decisions").split("\n")[0]
    text = bob.git("show", f"{REF}:{path}").replace("prices.py", f"src/{TOKEN}.py") + "\n"
    imported(bob, files={path: text})
    bob.git("push", "-q", "origin", REF)

    world.lerim(ann.path, "pull")
    (listed,) = world.lerim(ann.path, "list", "--json").json

    folder = ann.path.parent / "exported"
    world.lerim(ann.path, "export", str(folder))
    verbs = (
        ["show", listed["id"]],
        ["show", listed["id"], "--raw"],
        ["brief"],
        ["search", "prices"],
    )

    assert listed["anchors"] == []
    assert TOKEN not in "".join(world.lerim(ann.path, *verb).out for verb in verbs)
    assert not any(TOKEN in file.read_text() for file in folder.rglob("*.md"))


def test_a_secret_that_a_colleague_pushed_is_not_printed_from_the_history(ann: Repo) -> None:
    lerim(ann.path, "remember", "The bucket is read with a key.", "--quiet")
    path = ann.git("ls-tree", "-r", "--name-only", REF, "decisions", "learnings").split()[0]
    text = ann.git("show", f"{REF}:{path}").replace("with a key", f"with {TOKEN}")
    text = text.rstrip() + f"\n\nIts token is {TOKEN}.\n"
    size = len(text.encode())
    imported(ann, message=f"Note {TOKEN}", files={"notes.txt": "no memory\n"})
    stray = ann.git("rev-parse", REF)
    ann.git(
        "fast-import", "--quiet",
        stdin=f"commit {REF}\ncommitter Mallory <mallory@example.org> 1790000000 +0000\n"
        f"data {len(TOKEN) + 4}\nAdd {TOKEN}\nfrom {REF}^0\n"
        f"M 100644 inline {path}\ndata {size}\n{text}\n",
    )  # fmt: skip
    commit = ann.git("rev-parse", REF)
    id_ = path.removesuffix(".md")[-13:]

    for words in (
        ["log"], ["log", id_, "--json"], ["log", "--format", "%s"], ["diff"], ["diff", "--json"],
        ["diff", "--unpushed"], ["blame", id_], ["blame", id_, "--json"],
        ["undo"], ["undo", stray], ["undo", "--yes", commit], ["log"],
        ["undo", "--yes", REF],  # which brings back what was undone
    ):  # fmt: skip
        ran = lerim(ann.path, *words)
        assert TOKEN not in ran.out + ran.err, words
        assert ran.code == 0 or words[0] == "undo", (words, ran.err)
    assert TOKEN in ann.git("show", f"{REF}:{path}")
    assert TOKEN[:20] not in ann.git("log", "-1", "--format=%B", REF)


def test_a_secret_in_a_colleagues_title_is_in_no_message_of_the_users_commits(ann: Repo) -> None:
    lerim(ann.path, "remember", "The bucket is read with a key.", "--quiet")
    path = ann.git("ls-tree", "-r", "--name-only", REF, "decisions", "learnings").split()[0]
    text = ann.git("show", f"{REF}:{path}").replace("with a key", f"with {TOKEN}") + "\n"
    ann.git(
        "fast-import", "--quiet",
        stdin=f"commit {REF}\ncommitter Mallory <mallory@example.org> 1790000000 +0000\n"
        f"data 4\nEditfrom {REF}^0\nM 100644 inline {path}\ndata {len(text.encode())}\n{text}\n",
    )  # fmt: skip
    id_ = path.removesuffix(".md")[-13:]

    for words in (
        ["protect", id_], ["protect", id_, "--off"], ["feedback", id_, "helpful"],
        ["forget", id_], ["restore", id_], ["show", id_], ["stats"],
        ["edit", id_, "--tag", "s3"],
    ):  # fmt: skip
        ran = lerim(ann.path, *words)
        assert ran.code == 0, (words, ran.err)
        assert TOKEN not in ran.out + ran.err, words
        message = ann.git("log", "-1", "--format=%B", REF)
        assert TOKEN[:20] not in message, words  # a subject may be cut within it
