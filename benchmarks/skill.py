"""The skill: how much of what it should an agent remembers that has it and the tools, and how much
else.

usage: python benchmarks/skill.py [--eval FOLDER] [--data FOLDER] [--work FOLDER] STEP
  plan                 print the requests that `ask` would send, and their tokens; nothing is sent
  ask --base-url URL   give each session to a model, stretch by stretch, and carry out its calls; a
                       finished session is kept
  packet               write packet/ for a judge (JUDGE.md says how), and musts/ for a reader who
                       says which musts were remembered
  table                print what the two say; where nobody read musts/, the labels' key terms say
                       it

Sessions and labels are no part of this repository: --eval holds labels/*.json, --data what
`session_file` names. A session is shown as a model extracts from it (redacted, tool output cut), in
stretches of about --window tokens that end where the user speaks next. Each request has the skill,
the server's own text and tools, the stretch, and of what came before the user's words and the
model's calls with their answers. The calls go to a real `git lerim mcp`, in a repository that has
the files they name. A wish whose `user_words` no prompt holds is not counted as kept: it would
never be handed out.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openai import OpenAI, OpenAIError

from git_lerim.actions.skill import skill
from git_lerim.agents import roster
from git_lerim.agents.stored import stamped
from git_lerim.extraction.by_model.transcript import Line, shown, tokens
from git_lerim.redaction.redactor import Redactor
from git_lerim.sessions import gate
from git_lerim.sessions.session import Role, Session

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import skill_verdicts
from ground import LERIM, repository
from support.mcp import Peer

SHARED = Path(__file__).resolve().parents[2] / "shared"
SYSTEM = """\
You are a coding agent in the middle of a session with its user. Your own words and calls stand \
behind AGENT and CALL, the user's
behind USER and ANSWER. You are shown what has happened since you were last asked, and now make \
the calls of the memory's tools
that you would have made on the way: none, one or some, all of them in this one answer. Answer \
`nothing` if there are none.

# MCP server lerim

{instructions}

# Skill

{skill}"""
EARLIER = 300  # characters of each earlier word of the user
LINES = 5000  # of each file that a call names


def main() -> None:
    """Do one step."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=["plan", "ask", "packet", "table"])
    parser.add_argument("only", nargs="*", help="labels by name (default: all)")
    parser.add_argument("--eval", type=Path, default=SHARED / "eval")
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "sessions")
    parser.add_argument("--work", type=Path, default=Path("skill-benchmark"))
    parser.add_argument("--window", type=int, default=9000, help="tokens of a stretch, about")
    parser.add_argument("--base-url")
    parser.add_argument("--model", default="answerer")
    args = parser.parse_args()
    labels = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((args.eval / "labels").glob("*.json"))
    }
    labels = {name: label for name, label in labels.items() if not args.only or name in args.only}
    if not labels:
        raise SystemExit(f"no labels in {args.eval / 'labels'}")
    for name in [name for name in os.environ if name.startswith(("GIT_", "LERIM_", "XDG_"))]:
        del os.environ[name]
    home = args.work.resolve() / "home"
    home.mkdir(parents=True, exist_ok=True)
    os.environ["HOME"] = str(home)
    try:
        match args.step:
            case "plan":
                plan(args, labels)
            case "ask":
                ask(args, labels)
            case "packet":
                skill_verdicts.packet(
                    args.work, labels, lambda label: text(shown(session_of(args.data, label)).lines)
                )
            case _:
                skill_verdicts.table(args.work, labels)
    except OpenAIError as error:
        raise SystemExit(f"{args.base_url}: {error}; what is finished is kept") from error


def plan(args: argparse.Namespace, labels: dict[str, Any]) -> None:
    """Print what would be sent: about, since the model's own calls come on top."""
    with Peer(repository(fresh(args.work.resolve() / "plan"))) as peer:
        fixed = tokens(system(peer)) + tokens(json.dumps(tools(peer)))
    count = total = 0
    for name, label in labels.items():
        stretches = list(cut(session_of(args.data, label), args.window))
        size = sum(
            tokens(text(lines)) + tokens(earlier(before)) + fixed for before, lines in stretches
        )
        print(f"{name:4} {len(stretches)} requests, {size:,} tokens")
        count, total = count + len(stretches), total + size
    print(f"all  {count} requests, {total:,} tokens, {fixed:,} of each are skill and tools")


def ask(args: argparse.Namespace, labels: dict[str, Any]) -> None:
    """Give each session to the model, and write down what is in its repository at the end."""
    if not args.base_url:
        raise SystemExit("ask: --base-url names the model's endpoint")
    client = OpenAI(
        base_url=args.base_url,
        api_key=os.environ.get("SKILL_API_KEY", "none"),
        timeout=7200,
        max_retries=0,
    )
    for name, label in labels.items():
        file = args.work.resolve() / "sessions" / f"{name}.json"
        if file.exists():
            continue
        session = session_of(args.data, label)
        place = repository(fresh(args.work.resolve() / "repositories" / name))
        calls, used = converse(client, args, session, place)
        listed = subprocess.run(
            [LERIM, "list", "--all", "--json"],
            cwd=place,
            capture_output=True,
            text=True,
            check=False,
        )
        kept = json.loads(listed.stdout or "[]")
        said = " ".join(
            folded(record.text)
            for record in session.records
            if record.role in {Role.PROMPT, Role.ANSWER}
        )
        for memory in kept:
            words = next(
                (
                    call["arguments"].get("user_words", "")
                    for call in calls
                    if memory["id"] in call["answer"]
                ),
                "",
            )
            memory["heard"] = not words or folded(words) in said
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            json.dumps({"calls": calls, "memories": kept, "usage": used}, indent=1),
            encoding="utf-8",
        )
        print(
            f"{name}: {used['requests']} requests, {len(calls)} calls, {len(kept)} memories",
            flush=True,
        )


def converse(
    client: OpenAI, args: argparse.Namespace, session: Session, place: Path
) -> tuple[list[dict[str, Any]], Counter[str]]:
    """Return the calls that a model made in the course of a session, with their answers, and what
    was used.
    """
    calls: list[dict[str, Any]] = []
    used: Counter[str] = Counter()
    with Peer(place, {"CLAUDE_CODE_SESSION_ID": session.id}) as peer:
        about, offered = system(peer), tools(peer)
        for before, lines in cut(session, args.window):
            past = earlier(before) + "".join(
                f"\nYour call {json.dumps(call, ensure_ascii=False)}" for call in calls
            )
            parts = [f"What came before, abridged:\n{past}"] if past else []
            messages = [
                {"role": "system", "content": about},
                {
                    "role": "user",
                    "content": "\n\n".join([*parts, f"What has happened since:\n{text(lines)}"]),
                },
            ]
            answer = client.chat.completions.create(
                model=args.model, messages=messages, tools=offered, temperature=0
            )  # type: ignore[call-overload]
            used["requests"] += 1
            if answer.usage:
                used["tokens"] += (answer.usage.prompt_tokens or 0) + (
                    answer.usage.completion_tokens or 0
                )
            wanted = answer.choices[0].message.tool_calls or []
            calls += [carried_out(peer, place, one.function) for one in wanted]
    return calls, used


def carried_out(peer: Peer, place: Path, function: Any) -> dict[str, Any]:
    """Carry out a call, after making the files that it names."""
    name = function.name.removeprefix("mcp__lerim__")
    try:
        arguments = json.loads(function.arguments or "{}")
    except ValueError as error:
        return {"name": name, "arguments": {}, "answer": f"error: {error}"}
    for named in arguments.get("files") or []:
        file = place / str(named).partition(":")[0]
        if file.resolve().is_relative_to(place) and ".git" not in file.parts and not file.exists():
            for folder in file.parents:
                if folder.is_file():  # named as a file before
                    folder.unlink()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("line\n" * LINES, encoding="utf-8")
            subprocess.run(["git", "add", "--all"], cwd=place, check=True)
            subprocess.run(["git", "commit", "-q", "-m", "file"], cwd=place, check=True)
    answer = peer.ask("tools/call", {"name": name, "arguments": arguments})
    said = (
        answer["result"]["content"][0]["text"]
        if "result" in answer
        else f"error: {answer['error']['message']}"
    )
    return {"name": name, "arguments": arguments, "answer": said}


def system(peer: Peer) -> str:
    """Return what each request begins with."""
    return SYSTEM.format(
        instructions=peer.hello()["instructions"],
        skill=skill().partition("---\n")[2].partition("---\n")[2].strip(),
    )


def tools(peer: Peer) -> list[dict[str, Any]]:
    """Return the server's tools as a model's endpoint takes them."""
    return [
        {
            "type": "function",
            "function": {
                "name": f"mcp__lerim__{tool['name']}",
                "description": tool["description"],
                "parameters": tool["inputSchema"],
            },
        }
        for tool in peer.ask("tools/list")["result"]["tools"]
    ]


def session_of(data: Path, label: dict[str, Any]) -> Session:
    """Return a labelled session, without secrets."""
    agent = roster.agent(label["agent"])
    source = stamped(agent.NAME, data / label["session_file"].removeprefix("sessions/"))
    if source is None:
        raise SystemExit(f"{label['session_file']} is not below {data}")
    reading = next(iter(agent.read(source, None)))
    records, _ = gate.redacted(reading.records, Redactor(), ())
    return Session(agent=agent.NAME, id=reading.session, header=reading.header, records=records)


def cut(session: Session, window: int) -> Iterator[tuple[list[Line], list[Line]]]:
    """Yield what came before, and a stretch; a stretch ends before a prompt where that leaves none
    of it very short.
    """
    lines = shown(session).lines
    begin = 0
    while begin < len(lines):
        size, end, spoken = 0, begin, begin
        while end < len(lines) and (size := size + tokens(lines[end].text)) <= window:
            if lines[end].record.role is Role.PROMPT and size > window // 2:
                spoken = end
            end += 1
        end = max(end, begin + 1)
        if end < len(lines) and spoken > begin:
            end = spoken
        yield lines[:begin], lines[begin:end]
        begin = end


def text(lines: list[Line]) -> str:
    """Return lines as a model reads them."""
    return "\n".join(line.text for line in lines)


def earlier(lines: list[Line]) -> str:
    """Return of earlier lines what the user said, each cut."""
    return "\n".join(
        line.text[:EARLIER] for line in lines if line.record.role in {Role.PROMPT, Role.ANSWER}
    )


def folded(words: str) -> str:
    """Return words as they are compared."""
    return " ".join(words.casefold().split())


def fresh(path: Path) -> Path:
    """Return a path that nothing has taken: what a broken run left is moved aside."""
    if path.exists():
        path.rename(path.with_name(f"{path.name}.{path.stat().st_mtime_ns}"))
    return path


if __name__ == "__main__":
    main()
