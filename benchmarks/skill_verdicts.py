"""What a judge and a reader are given of the skill's measure, and what comes of their verdicts."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from git_lerim.actions.intake.adoption import UNHEARD

ENOUGH = 0.6  # of the key terms
_KEPT = {"active", "suspect"}
_MUSTS = """\
# Was it remembered?

Here are, session by session, statements that should have been remembered, and all that was. \
Write into `found.tsv`, behind
each statement's name, yes where one of the session's memories says it, in whatever words, so \
that who reads the memory alone
would act rightly; else no. One memory may say two.
"""


def packet(work: Path, labels: dict[str, Any], shown: Callable[[dict[str, Any]], str]) -> None:
    """Write what is judged: memories in an order that says nothing, with their sessions; and apart
    from it what must be there.
    """
    out, musts = work / "packet", work / "musts"
    if out.exists():
        raise SystemExit(f"{out} is there already, perhaps with verdicts; move it away first")
    out.mkdir(parents=True)
    musts.mkdir(exist_ok=True)
    mine = {name: kept(work, name) for name in labels}
    found = {memory["id"]: (name, memory) for name, memories in mine.items() for memory in memories}
    parts = [
        f"{_shown(memory)}\nEvidence: the session in session-{name}.md\n"
        for _, (name, memory) in sorted(found.items())
    ]
    for name in {name for name, _ in found.values()}:
        (out / f"session-{name}.md").write_text(shown(labels[name]), encoding="utf-8")
    (out / "packet.md").write_text("\n".join(parts), encoding="utf-8")
    (out / "verdicts.tsv").write_text(
        "".join(f"{row}\t\t\n" for row in sorted(found)), encoding="utf-8"
    )
    sections, rows = [_MUSTS], []
    for name, label in labels.items():
        wanted = {f"{name}.{each['id']}": each for each in wanted_of(label)}
        rows += wanted
        sections += [
            f"\n# Session {name}\n",
            *(f"- **{id_}** {each['title']}: {each['body']}" for id_, each in wanted.items()),
        ]
        sections += ["\nRemembered:\n", *(_shown(memory) for memory in mine[name])]
    (musts / "musts.md").write_text("\n".join(sections), encoding="utf-8")
    (musts / "found.tsv").write_text("".join(f"{row}\t\n" for row in rows), encoding="utf-8")
    print(f"{out}: {len(found)} memories; {musts}: {len(rows)} statements")


def table(work: Path, labels: dict[str, Any]) -> None:
    """Print the figures."""
    letters = _column(work / "packet" / "verdicts.tsv")
    if wrong := [id_ for id_, letter in letters.items() if letter not in {"A", "B", "C", "D"}]:
        raise SystemExit(f"no verdict: {', '.join(wrong)}")
    read = _column(work / "musts" / "found.tsv")
    by_reader = set(read.values()) <= {"YES", "NO"}
    found = total = 0
    for name, label in labels.items():
        mine, musts = kept(work, name), wanted_of(label)
        missed = (
            [each for each in musts if read[f"{name}.{each['id']}"] == "NO"]
            if by_reader
            else unmatched(musts, mine)
        )
        verdict = "".join(sorted(letters[memory["id"]] for memory in mine)) or "-"
        said = f"{len(musts) - len(missed)}/{len(musts)}"
        print(
            f"{name:4} must {said}  kept {len(mine)}  {verdict}  {'no signal' * label['no_signal']}"
        )
        print("".join(f"     missed: {each['title']}\n" for each in missed), end="")
        found, total = found + len(musts) - len(missed), total + len(musts)
    count = Counter(letters.values())
    needless = count["C"] + count["D"]
    print(
        f"must {found}/{total} = {found / max(1, total):.0%} by"
        f" {'the reader' if by_reader else 'key terms'}; "
        + "  ".join(
            f"{letter} {count[letter]} ({count[letter] / max(1, len(letters)):.0%})"
            for letter in "ABCD"
        )
        + f"; needless (C, D) {needless} in {len(labels)} sessions,"
        f" {3 * needless / len(labels):.1f} in three"
    )


def wanted_of(label: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a session's memory must have."""
    return [each for each in label["memories"] if each["importance"] == 3]


def _column(file: Path) -> dict[str, str]:
    """Return the second column of a file by the first, in capitals."""
    rows = (row.split("\t") for row in file.read_text(encoding="utf-8").splitlines() if row.strip())
    return {row[0]: row[1].strip().upper() if len(row) > 1 else "" for row in rows}


def _shown(memory: dict[str, Any]) -> str:
    kind = memory["primitive"] + (f", {memory['kind']}" if memory.get("kind") else "")
    return f"## {memory['id']}\n**{memory['title']}**  ({kind})\n\n{memory.get('body') or ''}\n"


def unmatched(wanted: list[dict[str, Any]], memories: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the labelled memories that no memory says; each memory says one at most: the one of
    which it has most key terms.
    """
    left = list(wanted)
    rated = [
        (covered(memory, each), n, m)
        for n, each in enumerate(wanted)
        for m, memory in enumerate(memories)
    ]
    taken: set[int] = set()
    for share, n, m in sorted(rated, key=lambda one: (-one[0], one[1:])):
        if share >= ENOUGH and m not in taken and wanted[n] in left:
            left.remove(wanted[n])
            taken.add(m)
    return left


def covered(memory: dict[str, Any], label: dict[str, Any]) -> float:
    """Return the share of a label's key terms that a memory has."""
    words = f"{memory['title']}\n{(memory.get('body') or '')[:700]}".lower()
    terms = label["key_terms"]
    return sum(
        any(each.strip() in words for each in term.lower().split("|") if each.strip())
        for term in terms
    ) / max(1, len(terms))


def kept(work: Path, name: str) -> list[dict[str, Any]]:
    """Return what would be handed out of what a session's model wrote. Exits where the session was
    not given to one.
    """
    file = work / "sessions" / f"{name}.json"
    if not file.exists():
        raise SystemExit(
            f"{name} was not asked about: `ask` comes first, or name the labels that were"
        )
    memories = json.loads(file.read_text(encoding="utf-8"))["memories"]
    # what is suspect for another reason is handed out by no session
    handed_out = [
        memory
        for memory in memories
        if memory["suspect"] in {None, UNHEARD} and memory["status"] in _KEPT
    ]
    return [memory for memory in handed_out if memory["heard"]]
