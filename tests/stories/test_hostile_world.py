"""Repositories, folders, variables and terminals that mean harm, or are only strange."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import repos, troubles
from support.memories import memory
from support.repos import Repo
from support.world import Ran, World

from git_lerim import cli
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Memory

PROGRAM = Path(sys.executable).with_name("git-lerim")
STRANGERS = (
    "click",
    "json",
    "git_lerim",
    "lerim",
    "pygit2",
    "msgspec",
    "sqlite3",
    "subprocess",
    "os",
    "pathlib",
    "sitecustomize",
)
EVERY_VERB = (
    ("init",), ("connect", "auto"), ("sync", "--window", "all"),
    ("sync", "--window", "all", "--force"), ("sync", "--dry-run"),
    ("sessions", "--all"), ("queue",), ("remember", "x", "--file", "hello.py:1"), ("list",),
    ("list", "--json"),
    ("list", "--at", "2026-01-01"), ("show", "{id}"), ("edit", "{id}", "--title", "y"),
    ("forget", "{id}"), ("restore", "{id}"),
    ("protect", "{id}"), ("log",), ("log", "{id}"), ("diff",), ("status",), ("lint",), ("doctor",),
    ("config",), ("allow",),
    ("search", "thing"), ("recall", "thing"), ("ask", "which thing?"), ("brief",), ("brief",),
    ("brief", "--for", "hello.py"),
    ("why", "hello.py"), ("why", "hello.py:1"), ("blame", "{id}"), ("stats",),
    ("handoff", "begin", "--next", "Go on."),
    ("handoff", "list"), ("review",), ("backup", "{new}.bundle"), ("backup", "restore", "{old}"),
    ("export", "{new}"),
    ("import", "{notes}"), ("undo", "lerim/memory"), ("pull", "{hub}", "--yes"),
    ("push", "{hub}", "--yes"),
    ("purge", "{id}", "--yes"),
    ("remember", "Another thing."),
    ("install", "--dry-run"), ("uninstall", "--dry-run"), ("feedback", "{id}", "used"), ("stale",),
    ("timeline", "{id}"),
    ("statusline",), ("skill",), ("maintain",), ("hook", "claude", "SessionStart"),
    ("logs",), ("tour",), ("completion", "bash"), ("reset", "--branch", "--yes"),
)  # fmt: skip
# Settings whose value git runs, and settings that lead it to do so.
RUN_BY_GIT = (
    "core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.sshCommand",
    "core.gitProxy",
    "core.alternateRefsCommand",
    "diff.external", "diff.markdown.textconv", "diff.markdown.command", "filter.x.clean",
    "filter.x.smudge", "filter.x.process",
    "merge.x.driver", "gpg.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand",
    "sequence.editor", "interactive.diffFilter",
    "trailer.x.cmd", "trailer.x.command", "pager.log", "pager.show", "pager.config", "pager.var",
    "pager.rev-list",
    "uploadpack.packObjectsHook", "remote.origin.uploadpack",
)  # fmt: skip
BENT = {
    "i18n.logOutputEncoding": "UTF-16",
    "commit.gpgSign": "true",
    "log.showSignature": "true",
    "protocol.ext.allow": "always",
    "trailer.x.key": "Lerim-Op",
    "trailer.separators": ":",
}


def installed(folder: Path, *words: str, **env: str) -> Ran:
    """Run the script that the installation made, as a hook or git itself would, with nothing to
    keep Python safe.
    """
    done = subprocess.run(
        [str(PROGRAM), *words], cwd=folder, env=os.environ | env, capture_output=True, check=False
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def piped(folder: Path, line: str, **env: str) -> Ran:
    """Run a line of shell in which `lerim` is the program."""
    script = f"lerim() {{ '{PROGRAM}' \"$@\"; }}\n{line}"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=os.environ | env,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def test_the_repositorys_own_modules_are_not_imported(world: World, repo: Repo) -> None:
    for name in STRANGERS:
        (repo.path / f"{name}.py").write_text(
            "open('/dev/stderr', 'w').write('IMPORTED'); raise SystemExit(77)\n"
        )
    for name in ("git_lerim", "lerim", "click"):
        (repo.path / name).mkdir()
        (repo.path / name / "__init__.py").write_text("raise SystemExit(77)\n")
    world.session("claude-catalog.jsonl", repo.path)

    for words in (("sync", "--window", "all"), ("list",), ("list",), ("doctor",)):
        ran = installed(repo.path, *words)

        assert ran.code == 0, ran.err
        assert "IMPORTED" not in ran.err


def test_variables_of_a_hook_do_not_lead_astray(world: World, repo: Repo, tmp_path: Path) -> None:
    other = repos.normal(tmp_path / "other")
    world.session("claude-catalog.jsonl", repo.path)
    index = (repo.path / ".git/index").read_bytes()
    hook = {
        "GIT_DIR": ".git",
        "GIT_INDEX_FILE": str(repo.path / ".git/index.lock"),
        "GIT_PREFIX": "",
        "GIT_EDITOR": ":",
        "GIT_REFLOG_ACTION": "commit",
        "GIT_AUTHOR_DATE": "@1760000000 +0000",
    }

    for words in (
        ("sync", "--window", "all"),
        ("list",),
        ("status",),
        ("remember", "x", "--file", "hello.py"),
    ):
        assert installed(repo.path, *words, **hook).code == 0
    elsewhere = installed(other.path, "list", "--json", GIT_DIR=str(repo.path / ".git"))

    assert repo.git("rev-parse", "lerim/memory")
    assert len(elsewhere.json) > 1  # the variable names the repository, as it does for git
    assert other.git("for-each-ref", "refs/heads/lerim") == ""
    assert (repo.path / ".git/index").read_bytes() == index
    assert not (repo.path / ".git/index.lock").exists()


def test_a_sync_in_a_real_hook_commits_to_the_right_place(world: World, repo: Repo) -> None:
    world.session("claude-catalog.jsonl", repo.path)
    hook = (
        troubles.program(
            repo.path / ".git/hooks", "post-commit", f"'{PROGRAM}' sync --window all 2>hook.err"
        )
        / "post-commit"
    )
    assert hook.exists()

    repo.commit({"b.py": "b\n"}, "second")

    assert repo.git("log", "-1", "--format=%s") == "second"
    assert "decision" in world.lerim(repo.path, "list").out
    assert repo.git("status", "--porcelain") == "?? hook.err"


@pytest.mark.parametrize(
    "name",
    [
        b"with spaces",
        b"new\nline",
        b"bytes \xff\xfe",
        b"-dash esc\x1b[2J quote'\"$(x)` %s{0}",
    ],
)
def test_a_strange_path_is_a_path(name: bytes, world: World, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(name)
    repo = repos.normal(folder)
    told = os.fsencode(str(folder)).decode(
        "utf-8", "replace"
    )  # an agent writes JSON, which cannot hold other bytes
    world.session("claude-catalog.jsonl", told)
    readable = told == str(folder)

    for words in (("sync", "--window", "all"), ("list",), ("doctor",),
        ("remember", "x", "--file", "hello.py"),
                  ("connect", "claude", "--path", ".")):  # fmt: skip
        done = subprocess.run([str(PROGRAM), *words], cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert b"\x1b" not in done.stdout + done.stderr

    listed = world.lerim(folder, "list", "--json").json
    assert len(listed) > 1 if readable else listed
    assert repo.git("status", "--porcelain") == ""


def test_a_reader_that_goes_away_early_is_no_error(
    world: World, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    big = {naming.path_of(m): frontmatter.render(m) for m in _many()}
    world.lerim(repo.path, "init")
    troubles.store(repo, big)
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")  # with it the kept listing is not used
    monkeypatch.delenv("GIT_CONFIG_NOSYSTEM")
    monkeypatch.delenv("GIT_CEILING_DIRECTORIES")

    for words in (
        "list --json",
        "list",
        "list",
        "log -v",
        "diff 2020-01-01",
        "lint",
        "show --raw aaaa",
    ):
        ran = piped(repo.path, f"set -o pipefail; lerim {words} | head -c1")

        assert "Traceback" not in ran.err, words
        assert "internal error" not in ran.err
        assert "BrokenPipe" not in ran.err


def test_a_verb_that_writes_finishes_without_its_reader(world: World, repo: Repo) -> None:
    for number in range(3):
        world.lerim(repo.path, "remember", f"Thing {number} is a thing of its own.")
    ids = [row["id"] for row in world.lerim(repo.path, "list", "--json").json]
    reading, writing = os.pipe()
    os.close(reading)

    for words in (
        ("install", "--hooks", "--yes"),
        ("install", "--project", "--yes", "--agent", "claude"),
        ("forget", *ids),
    ):
        done = subprocess.run(
            [str(PROGRAM), *words],
            cwd=repo.path,
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    os.close(writing)

    assert (repo.path / ".git/hooks/lerim").exists()
    assert (repo.path / ".claude/settings.json").exists()
    assert world.lerim(repo.path, "list", "--json").json == []


def test_streams_that_are_closed_or_full(
    world: World, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.lerim(repo.path, "remember", "One thing.")
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES"):
        monkeypatch.delenv(name)
    world.lerim(repo.path, "list")
    assert (repo.path / ".git/lerim/listing").exists()

    for words in ("list", "list --json", "status", "sync", "--help"):
        for ends in (">/dev/full", ">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
            ran = piped(repo.path, f"lerim {words} {ends}")
            assert "Traceback" not in ran.err, (words, ends)
            assert "internal error" not in ran.err, (words, ends, ran.err)
            assert ran.code == (1 if ends == ">/dev/full" and words != "sync" else 0), (
                words,
                ends,
                ran.err,
            )
    assert repo.git("fsck") == ""


def _many() -> list[Memory]:
    ids = [naming.memory_id("claude", f"record {n}", "decision", 0) for n in range(300)]
    return [
        memory(id=id_, title=f"Use thing {id_} for what it is good for", body="word " * 300)
        for id_ in ids
    ]


@pytest.mark.parametrize("kind", ["normal", "bare"])
def test_settings_of_a_hostile_repository_run_nothing(
    kind: str,
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    repo = repos.normal(tmp_path / "repo") if kind == "normal" else repos.bare(tmp_path / "repo")
    world.session("claude-catalog.jsonl", repo.path)
    world.lerim(repo.path, "remember", "A first thing, to be shown.")
    mark = tmp_path / "pwned"
    _arm(repo, tmp_path, mark)
    hub = repos.bare(tmp_path / "hub")
    repo.git("remote", "add", "hub", str(hub.path))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/rules.md").write_text("# Rules\n\n- Prices are rounded half to even.\n")
    world.lerim(repo.path, "backup", str(tmp_path / "old.bundle"))
    fixed = {
        "hub": "hub",
        "notes": tmp_path / "notes",
        "old": tmp_path / "old.bundle",
        "new": tmp_path / "new",
    }
    if kind == "normal":
        (repo.path / "hello.py").write_text(
            "print('changed, and longer')\n"
        )  # git has to look into it
    monkeypatch.chdir(repo.path)
    assert {words[0] for words in EVERY_VERB} == set(cli.VERBS) - {
        "mcp"
    }  # it answers a client, see test_server

    for words in EVERY_VERB:
        if kind == "bare" and "--file" in words:
            continue
        capfd.readouterr()
        cli.main(["list", "--all", "--json"])
        listed = json.loads(capfd.readouterr().out)
        code = cli.main(
            [word.format(id=listed[0]["id"] if listed else "none", **fixed) for word in words]
        )

        assert not mark.exists(), words
        assert code == 0 or (kind == "bare" and words[0] == "why"), (words, capfd.readouterr().err)
    repo.git("update-ref", "refs/heads/x", "refs/lerim/backup/memory", check=False)
    assert mark.exists()  # git itself does fall into it


def _arm(repo: Repo, folder: Path, mark: Path) -> None:
    touch = f"touch {mark}"
    script = troubles.program(folder / "evil", "hook", f"{touch}\ncat") / "hook"
    own = Path(repo.git("rev-parse", "--absolute-git-dir"))
    for name in ("reference-transaction", "post-commit", "pre-commit", "post-checkout",
        "post-index-change", "pre-auto-gc",
                 "fsmonitor-watchman", "post-rewrite", "update"):  # fmt: skip
        troubles.program(folder / "hooks", name, touch)
        troubles.program(own / "hooks", name, touch)
    for name in RUN_BY_GIT:
        repo.git("config", name, str(script))
    for name in ("alias.lerim", "alias.log", "credential.helper"):
        repo.git("config", name, f"!{touch}")
    for name, value in BENT.items():
        repo.git("config", name, value)
    repo.git("config", "core.hooksPath", str(folder / "hooks"))
    repo.git("config", "remote.origin.url", f"ext::sh -c '{touch}'")
    (own / "info" / "attributes").write_text("* filter=x diff=markdown merge=x\n")
