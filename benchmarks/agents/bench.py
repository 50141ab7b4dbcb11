"""Does memory help? Small tasks that need something said in an earlier session, done with memory
and without.

usage: python benchmarks/agents/bench.py [--tasks FOLDER] [--work FOLDER] STEP
  check OWNER/NAME=CLONE…    the tasks are whole, and name what the clones have
  prepare OWNER/NAME=CLONE…  clone again, let git-lerim read the earlier sessions (with a model:
                             --model NAME --base-url URL)
  run with|without           let a model do the tasks at --base-url; what was done is not done again
  packet                     write packet/packet.md for a reader, and key.json, which the reader
                             must not see
  table GRADES               print the table from the reader's grades.tsv

Nothing is fetched: CLONE is a repository on this disk. A session begins with the prompt and the
files that the task opens; the model reads, searches, edits, asks and finishes by tools. With memory
it is also given what the hooks print at the start, to the prompt and for each file, and the tools
of `git lerim mcp`, both from the installed program. Each run has a fresh copy of the repository.
Whoever answers for the model should answer all tasks without memory before any with it, or be
another for each.
"""

import argparse
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import clones
import grading
import session
from openai import OpenAI, OpenAIError
from tasks import Task, loaded

Results = dict[tuple[str, str], dict[str, Any]]


def main() -> None:
    """Do one step."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tasks", type=Path, default=Path(__file__).with_name("tasks"))
    parser.add_argument(
        "--work",
        type=Path,
        default=Path("agents-benchmark"),
        help="where everything goes (agents-benchmark)",
    )
    steps = parser.add_subparsers(dest="step", required=True)
    for name in ("check", "prepare"):
        step = steps.add_parser(name)
        step.add_argument("sources", nargs="+", metavar="OWNER/NAME=CLONE")
    for name in ("prepare", "run"):
        step = steps.choices.get(name) or steps.add_parser(name)
        step.add_argument("--base-url", help="of an OpenAI-compatible endpoint")
        step.add_argument("--model", default="" if name == "prepare" else "answerer")
        step.add_argument(
            "--api-key-from",
            default="AGENTS_API_KEY",
            metavar="NAME",
            help="the variable that holds its key",
        )
    steps.choices["run"].add_argument("condition", choices=["with", "without"])
    steps.choices["run"].add_argument(
        "--rounds", type=int, default=session.ROUNDS, help="requests of a session at most"
    )
    steps.choices["run"].add_argument("--only", nargs="*", metavar="TASK", help="these tasks")
    steps.add_parser("packet").add_argument("--seed", type=int, default=1)
    steps.add_parser("table").add_argument("grades", type=Path)
    args = parser.parse_args()
    steps_ = {"check": _check, "prepare": _prepare, "run": _run, "packet": _packet, "table": _table}
    try:
        steps_[args.step](args, loaded(args.tasks))
    except OpenAIError as error:
        raise SystemExit(f"{args.base_url}: {error}; what is done is kept") from error


def _check(args: argparse.Namespace, tasks: dict[str, Task]) -> None:
    wrong = clones.check(tasks, _sources(args))
    if wrong:
        raise SystemExit("\n".join(wrong))
    kinds = [task.grading.kind for task in tasks.values()]
    turns = sum(len(each.turns) for task in tasks.values() for each in task.sessions)
    print(
        f"{len(tasks)} tasks, {turns} turns: "
        + ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
    )


def _prepare(args: argparse.Namespace, tasks: dict[str, Task]) -> None:
    sources, key = _sources(args), os.environ.get(args.api_key_from, "none")
    _check(args, tasks)
    clones.seal(args.work.resolve())
    env = {
        "LERIM_MODEL": args.model,
        "LERIM_API_BASE": args.base_url,
        "LERIM_API_KEY": key,
        "LERIM_MODEL_TIMEOUT": "7200",
    }
    env = env if args.model else {}
    clones.prepare(args.work.resolve(), tasks, sources, **env)


def _run(args: argparse.Namespace, tasks: dict[str, Task]) -> None:
    work = args.work.resolve()
    if not args.base_url:
        raise SystemExit("run: --base-url names the model's endpoint")
    client = OpenAI(
        base_url=args.base_url,
        api_key=os.environ.get(args.api_key_from, "none"),
        timeout=7200,
        max_retries=0,
    )
    clones.seal(work)
    folder = work / "results" / args.condition
    folder.mkdir(parents=True, exist_ok=True)
    for name, task in tasks.items():
        file = folder / f"{name}.json"
        if file.exists() or (args.only and name not in args.only):
            continue
        place = clones.copied(work, name, task, args.condition)
        result = session.run(name, task, place, args.condition, client, args.model, args.rounds)
        file.write_text(json.dumps(asdict(result), indent=1), encoding="utf-8")
        print(
            f"{args.condition} {name}: {result.requests} requests, {len(result.diff.splitlines())}"
            " lines of diff",
            flush=True,
        )


def _packet(args: argparse.Namespace, tasks: dict[str, Task]) -> None:
    count = grading.packet(tasks, _results(args.work), args.work, args.seed)
    print(f"{args.work / 'packet' / 'packet.md'}: {count} answers of {2 * len(tasks)}")


def _table(args: argparse.Namespace, _: dict[str, Task]) -> None:
    key = json.loads((args.work / "key.json").read_text(encoding="utf-8"))
    print(grading.table(grading.grades(args.grades, key), _results(args.work)))


def _results(work: Path) -> Results:
    files = sorted((work / "results").glob("*/*.json"))
    return {
        (file.stem, file.parent.name): json.loads(file.read_text(encoding="utf-8"))
        for file in files
    }


def _sources(args: argparse.Namespace) -> dict[str, Path]:
    given = dict(one.partition("=")[::2] for one in args.sources)
    return {name: Path(path).resolve() for name, path in given.items()}


if __name__ == "__main__":
    main()
