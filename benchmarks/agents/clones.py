"""The repositories that tasks are done in: a clone with the memory of all earlier sessions, and a
copy of it for each run.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import transcripts
from tasks import Task

LERIM = str(Path(sys.executable).with_name("git-lerim"))
_STRANGE = (
    "GIT_", "LERIM_", "XDG_", "CLAUDE", "AI_AGENT", "CODEX_", "CURSOR_", "OPENCODE", "COPILOT_",
    "PI_", "GEMINI_", "QWEN_",
    "OPENAI_", "ANTHROPIC_", "PYTHON",
)  # fmt: skip


def seal(work: Path) -> None:
    """Give this process, and all that it starts, a home of its own and nothing of who runs it."""
    for name in [name for name in os.environ if name.startswith(_STRANGE)]:
        del os.environ[name]
    home = work / "home"
    home.mkdir(parents=True, exist_ok=True)
    os.environ |= {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "TZ": "UTC"}
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Ada\n\temail = ada@example.org\n", encoding="utf-8"
    )


def git(folder: Path, *words: str) -> str:
    """Run git in a folder and return what it printed. Exits with git's own words where it fails."""
    done = subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise SystemExit(f"git {words[0]} in {folder}: {done.stderr.strip()}")
    return done.stdout


def lerim(folder: Path, *words: str, stdin: str = "", **env: str) -> str:
    """Run git-lerim in a folder and return what it printed."""
    done = subprocess.run(
        [LERIM, *words],
        cwd=folder,
        env=os.environ | env,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"git lerim {words[0]} in {folder}: {done.stderr.strip()}")
    return done.stdout


def slug(repository: str) -> str:
    """Return a repository's name as a folder's."""
    return repository.replace("/", "+")


def check(tasks: dict[str, Task], sources: dict[str, Path]) -> list[str]:
    """Return what tasks name that their repositories do not have."""
    wrong = []
    for name, task in tasks.items():
        source = sources.get(task.repository)
        if source is None:
            wrong.append(f"{name}: no clone of {task.repository} was given")
            continue
        wanted = [
            task.commit,
            *(f"{task.commit}:{each.partition(':')[0]}" for each in task.task.open),
        ]
        for object_ in wanted:
            done = subprocess.run(
                ["git", "cat-file", "-e", object_], cwd=source, capture_output=True, check=False
            )
            wrong += [f"{name}: {task.repository} has no {object_}"] if done.returncode else []
    return wrong


def prepare(work: Path, tasks: dict[str, Task], sources: dict[str, Path], **env: str) -> None:
    """Clone each repository, store the sessions of its tasks in this home, and let git-lerim read
    them.

    `env`: the settings of a model that extracts; without them the rules do.
    """
    for repository in sorted({task.repository for task in tasks.values()}):
        mine = {name: task for name, task in tasks.items() if task.repository == repository}
        place = work / "repositories" / slug(repository)
        if place.exists():
            raise SystemExit(f"{place} is there already; choose another --work, or delete it")
        git(
            work,
            "clone",
            "-q",
            "--shared",
            "--no-checkout",
            str(sources[repository].resolve()),
            str(place),
        )
        git(place, "checkout", "-q", "--detach", next(iter(mine.values())).commit)
        for name, task in mine.items():
            for number, session in enumerate(task.sessions):
                transcripts.write(session, f"{name}/{number}", place, work / "home")
        report = json.loads(
            lerim(place, "sync", "--window", "all", "--max-sessions", "1000", "--json", **env)
        )
        print(
            f"{repository}: {report['sessions_extracted']} sessions; errors:"
            f" {report['errors'] or 'none'}"
        )
        print(lerim(place, "list"))


def copied(work: Path, name: str, task: Task, condition: str) -> Path:
    """Return a fresh copy of a task's prepared repository, at the commit in which the task
    begins.
    """
    source = work / "repositories" / slug(task.repository)
    if not source.exists():
        raise SystemExit(f"{source} is missing: `prepare` comes first")
    place = work / "copies" / condition / name
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(source, place, symlinks=True)
    git(place, "checkout", "-q", "-f", "--detach", task.commit)
    git(place, "clean", "-fdxq")
    return place
