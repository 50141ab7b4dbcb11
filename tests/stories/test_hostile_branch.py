"""A memory branch that a stranger, or a newer git-lerim, has written: it is read as far as it is
sound, and harms nobody.
"""

import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from support import troubles
from support.memories import memory
from support.repos import Repo
from support.world import Ran, World

from git_lerim import cli
from git_lerim.git import fast_repo
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter

ESCAPE = "\x1b]52;c;aGk=\x07\x1b[2J\x9b31m"
FORBIDDEN = (b"\x1b", b"\x07", b"\xc2\x9b")  # the last one is U+009B in UTF-8
GOOD = "k3v2qd2m7x4ab"
TITLE = 'title: "Use SQLite for the session catalog"'
READING = (
    ("list", "--all"), ("list", "--all", "--json"), ("show", GOOD), ("show", GOOD, "--raw"),
    ("show", GOOD, "--json"), ("log",),
    ("log", "-v"), ("log", "--json"), ("log", GOOD), ("diff",), ("diff", "--json"),
    ("diff", "2020-01-01"), ("status",),
    ("status", "--json"), ("lint",), ("lint", "--json"), ("doctor",), ("doctor", "--json"),
    ("sync", "--window", "all"),
    ("sync", "--window", "all", "--force", "--json"),
)  # fmt: skip
Run = Callable[..., Ran]


@pytest.fixture
def lerim(
    sealed_world: Path,
    repo: Repo,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> Run:
    """Sync a sample session, and return what runs a verb without a process of its own and checks
    what it prints.
    """
    World(sealed_world).session("claude-catalog.jsonl", repo.path)
    monkeypatch.chdir(repo.path)

    def run(*words: str) -> Ran:
        capfdbinary.readouterr()
        code = cli.main(words)
        out, err = capfdbinary.readouterr()
        assert not any(byte in out + err for byte in FORBIDDEN), words
        assert b"internal error" not in err, (words, err)
        return Ran(code, out.decode(), err.decode())

    run("sync", "--window", "all")
    return run


def good(**changes: object) -> dict[str, str]:
    """Return the file of a memory that is sound but for the changes."""
    made = memory(**changes)
    return {naming.path_of(memory()): frontmatter.render(made).decode()}


def told(lerim: Run, name: str) -> None:
    """Check that every verb that reads works, and that the bad file is named and still there."""
    before = {m["id"] for m in lerim("list", "--all", "--json").json}
    assert len(before) > 1
    for words in READING:
        ran = lerim(*words)
        assert ran.code == 0 or (words[0] == "lint" and ran.code == 1), (words, ran.err)
    assert {m["id"] for m in lerim("list", "--all", "--json").json} >= before
    assert name in lerim("lint").out
    assert name in lerim("status").out


BROKEN = {
    "no front matter": "just text\n",
    "nothing": "",
    "no end of the front matter": "---\nid: x\n",
    "not YAML": '---\nid: "x\ntitle: [\n---\nbody\n',
    "another id": "---\nid: abcdefghijklm\n---\nbody\n",
    "conflict markers": "<<<<<<< HEAD\n---\nid: x\n=======\n---\n>>>>>>> theirs\n",
    "not UTF-8": b"---\nid: \xff\xfe\n---\n\xff\n",
    "NUL": b"---\nid: \x00\n---\n\x00\n",
    "a tag": "---\nid: !!python/object/apply:os.system ['touch pwned']\n---\nbody\n",
    "an anchor and aliases": (
        "---\na: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b]\n---\nbody\n"
    ),
    "a merge key": "---\n<<: {id: x}\ntitle: x\n---\nbody\n",
    "10,000 levels": "---\nid: " + "[" * 10_000 + "]" * 10_000 + "\n---\nbody\n",
    "10,000 levels by indentation": (
        "---\n" + "".join(" " * n + "a:\n" for n in range(120)) + "---\nbody\n"
    ),
    "10 MB of front matter": "---\nid: " + "x" * 10_000_000 + "\n---\nbody\n",
    "10 MB of body": good()[naming.path_of(memory())] + "x" * 10_000_000,
    "many keys": "---\n" + "".join(f"k{n}: 1\n" for n in range(1500)) + "---\nbody\n",
    "a number for a title": (
        "---\nid: k3v2qd2m7x4zz\nprimitive: decision\ntitle: 1e999999\ncreated:"
        " 99999-99-99\n---\nbody\n"
    ),
    "dates beyond time": (
        good()[naming.path_of(memory())].replace("2026-02-20T09:30:45Z", "99999-02-30T25:61:61Z")
    ),
    "confidence of infinity": (
        good()[naming.path_of(memory())].replace("confidence: 0.50", "confidence: .inf")
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_named_and_kept(what: str, lerim: Run, repo: Repo) -> None:
    path = "decisions/2026-02/20260220-broken-k3v2qd2m7x4zz.md"
    content = BROKEN[what]
    troubles.store(repo, {**good(), path: content})
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    told(lerim, "20260220-broken")

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < max(most, 300_000) + 300_000
    kept = repo.git("cat-file", "blob", f"lerim/memory:{path}", check=False)
    assert kept == (
        content if isinstance(content, str) else content.decode(errors="surrogateescape")
    ).rstrip("\n")
    assert lerim("forget", GOOD).code == 0
    assert repo.git("rev-parse", f"lerim/memory:{path}")
    assert not (repo.path / "pwned").exists()


def test_hostile_names_modes_and_links_are_set_aside(
    lerim: Run, repo: Repo, tmp_path: Path
) -> None:
    text = next(iter(good().values())).encode()
    month: list[troubles.Entry] = [
        (0o100644, b"..", text),
        (0o100644, b"../../x.md", text),
        (0o100644, b"/etc/cron.d/x.md", text),
        (0o100644, b".git", text),
        (0o100755, b"20260220-executable-k3v2qd2m7x4ab.md", text),
        (0o120000, b"20260220-link-k3v2qd2m7x4ab.md", b"/etc/passwd"),
        (0o160000, b"20260220-module-k3v2qd2m7x4ab.md", repo.git("rev-parse", "HEAD").encode()),
        (0o100644, b"CON.md", text),
        (0o100644, b"20260220-esc\x1b[2J\x07-k3v2qd2m7x4ab.md", text),
        (0o100644, b"20260220-\xff\xfe-k3v2qd2m7x4ab.md", text),
        (0o100644, b"20260220-new\nline-k3v2qd2m7x4ab.md", text),
        (0o100644, b"20260220-c1\xc2\x9b31m-k3v2qd2m7x4ab.md", text),
    ]
    troubles.store(repo, good())
    kept = repo.git("ls-tree", "-r", "lerim/memory", "decisions")
    troubles.store_raw(
        repo, {"learnings": month, "2026-02": month, "handoffs": month, "archived": month}
    )
    outside = sorted(p for p in tmp_path.rglob("*") if ".git" not in p.parts)

    for words in READING:
        ran = lerim(*words)
        assert ran.code == 0 or (words[0] == "lint" and ran.code == 1), (words, ran.err)
        assert "root:" not in ran.out + ran.err

    problems = lerim("lint", "--json").json
    assert sum(p["path"].startswith("learnings/") for p in problems) == len(month)
    assert sorted(p for p in tmp_path.rglob("*") if ".git" not in p.parts) == outside
    assert (
        kept.splitlines()[0] in repo.git("ls-tree", "-r", "lerim/memory", "decisions").splitlines()
    )


def test_no_escape_sequence_of_a_memory_reaches_the_terminal(lerim: Run, repo: Repo) -> None:
    quoted = '"\\e]52;c;aGk=\\a\\e[2J\\N{}"'.replace("\\N{}", "\\u009b")
    text = next(iter(good().values()))
    evil = (
        text.replace(TITLE, f"title: {quoted}")
        .replace("tags: []", f"tags: [{quoted}]")
        .replace('agent: "claude"', f"agent: {quoted}")
        .replace("suspect: null", f"suspect: {quoted}")
        .replace(
            "anchors: []",
            f"anchors:\n  - {{path: {quoted}, lines: null, symbol: {quoted}, blob: null, commit: null}}",  # noqa: E501
        )
        .replace("related: []", f"related: []\n{quoted}: {quoted}")
    )
    troubles.store(repo, {naming.path_of(memory()): evil + f"\nbody {ESCAPE}\n"})
    repo.git("config", "user.name", f"Eve {ESCAPE}")
    troubles.store(
        repo,
        {
            "decisions/2026-02/20260220-other-abcdefghijklm.md": (
                f"---\ntitle: {ESCAPE}\n---\n{ESCAPE}"
            )
        },
    )

    assert evil.count("\\e]52") == 8
    assert "]52;c;aGk=" in lerim("list", "--all").out
    for words in READING:
        lerim(*words)  # the fixture looks at every byte
    for words in (
        ("list", "--tag", ESCAPE),
        ("show", ESCAPE),
        ("log", ESCAPE),
        ("list", "--at", ESCAPE),
        ("forget", ESCAPE),
        ("connect", ESCAPE),
        ("logs", ESCAPE),
        (ESCAPE,),
        ("sync", "--window", ESCAPE),
        ("sync", "--session", ESCAPE),
        ("remember", f"Title {ESCAPE}. And a body {ESCAPE}.", "--tag", ESCAPE),
        ("list",),
        ("diff",),
        ("remember", "x", "--file", ESCAPE),
        ("connect", "codex", "--path", ESCAPE),
    ):
        lerim(*words)


def test_no_escape_sequence_of_a_session_reaches_the_terminal(
    lerim: Run, repo: Repo, sealed_world: Path
) -> None:
    world = World(sealed_world)
    escaped = "\\u001b]52;c;aGk=\\u0007\\u009b31m"
    evil = world.session(
        "claude-catalog.jsonl", repo.path, name="0000e5c0-7c1e-4d0b-9a55-0e6f2b9d1c01"
    )
    text = evil.read_text().replace("SQLite", f"SQLite{escaped}").replace("catalog",
        f"catalog{escaped}").replace(
        '"gitBranch":"main"', f'"gitBranch":"{escaped}"'
    ).replace('"uuid":"0000', '"uuid":"00e5')  # fmt: skip
    evil.write_text(text.replace(str(repo.path), f"{repo.path}/{escaped}"))
    broken = evil.with_name(f"broken{ESCAPE}.jsonl")
    broken.write_text("{" + ESCAPE + "\n")
    gone = world.session(
        "claude-catalog.jsonl", f"/gone/{ESCAPE}", name="0000901e-7c1e-4d0b-9a55-0e6f2b9d1c01"
    )
    assert gone.exists()

    for words in (
        ("sync", "--window", "all", "--dry-run"),
        ("sync", "--window", "all", "-v"),
        ("sessions", "--all"),
        ("status",),
        ("sessions", "--all", "--json"),
        ("sessions", "--unscoped"),
        ("sessions", "show", "0000e5c0"),
        ("list",),
        ("queue",),
        ("queue", "skip", "0000e5c0"),
        ("logs",),
        ("diff",),
        ("log", "-v"),
    ):
        assert lerim(*words).code == 0, words


def test_the_kept_listing_holds_no_escape_sequence(
    lerim: Run, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in fast_repo.redirecting_variables():  # under which no listing is cached
        monkeypatch.delenv(name)
    text = next(iter(good().values())).replace(TITLE, 'title: "a\\e[2Jb\\tc\\u2028d"')
    troubles.store(repo, {naming.path_of(memory()): text})

    first, second = lerim("list"), lerim("list")
    assert "[2Jb" in first.out

    assert first == second
    assert not any(byte in (repo.path / ".git/lerim/listing").read_bytes() for byte in FORBIDDEN)


def test_a_store_of_a_newer_version_is_read_and_not_written(lerim: Run, repo: Repo) -> None:
    troubles.store(repo, {"format": "2\n", **good()})
    tip = repo.git("rev-parse", "lerim/memory")

    for words in (("list",), ("show", GOOD), ("log",), ("diff",), ("status",)):
        assert lerim(*words).code == 0
    for words in (
        ("remember", "x"),
        ("forget", GOOD),
        ("edit", GOOD, "--title", "x"),
        ("protect", GOOD),
    ):
        ran = lerim(*words)
        assert ran.code == 1
        assert (
            "has layout 2; this git-lerim writes layout 1\nhint: install a newer git-lerim"
            in ran.err
        )
    assert lerim("sync", "--window", "all").code == 0  # there is nothing to write

    assert repo.git("rev-parse", "lerim/memory") == tip


def test_a_sync_into_a_newer_store_is_refused_and_loses_no_session(
    lerim: Run, repo: Repo, sealed_world: Path
) -> None:
    world = World(sealed_world)
    before = repo.git("cat-file", "blob", "lerim/memory:format")
    troubles.store(repo, {"format": "2\n"})
    world.codex("codex-prices.jsonl", repo.path)

    ran = lerim("sync", "--window", "all")
    assert ran.code == 1
    assert "has layout 2" in ran.err

    troubles.store(repo, {"format": before + "\n"})
    assert lerim("sync", "--window", "all", "--json").json["sessions_extracted"] == 1


def test_a_branch_that_is_no_memory_is_left_alone(lerim: Run, repo: Repo) -> None:
    repo.git("branch", "mine")
    repo.git("config", "lerim.branch", "mine")
    tip = repo.git("rev-parse", "mine")

    assert lerim("list", "--json").json == []
    for words in (("remember", "x"), ("sync", "--window", "all", "--force")):
        ran = lerim(*words)
        assert ran.code == 1
        assert (
            "mine has no file `format`, so it is not a memory branch; nothing was written"
            in ran.err
        )

    assert repo.git("rev-parse", "mine") == tip
