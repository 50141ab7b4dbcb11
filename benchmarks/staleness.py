"""Are the memories called stale whose claims about the code no longer hold? One table for claims
that were judged by reading.

usage: python benchmarks/staleness.py TSV REPOSITORIES [--misses] [--anchors]
    [--base-url URL [--model NAME]]

TSV has a head line and the columns `repository`, `commit`, `path`, `title`, `body` and `judged`:
the name of a clone below the folder REPOSITORIES (bare or not), a commit of it, a file as it is
called there, what somebody claimed of that file's lines after reading it at that commit, and what a
reader judged at HEAD without having seen a verdict: `holds` or `broken`. Rows with anything else in
`judged` are left out. A claim names code as a memory does: identifiers in backticks, numbers and
strings as they stand.

Each claim becomes a memory's title, body and anchors as a sync would make them, and all claims of a
repository are judged together against its HEAD. Printed are precision and recall of `stale`, the
share of broken ones that were called so and of those that hold, seconds, and the same as a multiple
of one `git diff --stat` from the oldest of the commits to HEAD.

With --base-url, the model at that OpenAI-compatible endpoint (its key in OPENAI_API_KEY, if it
needs one) is asked about every claim whose lines changed, as `git lerim stale` asks. A second table
shows what its verdicts make of those of the words: where it is unsure or fails the checks, the
words decide.
"""

import argparse
import csv
import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from git_lerim.errors import ModelFailed
from git_lerim.extraction.by_model import still_true
from git_lerim.extraction.by_model.answer import Unusable
from git_lerim.extraction.by_model.still_true import Case, Judged, Question, Shown
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import Place, discover
from git_lerim.llm.base import Model
from git_lerim.memories.memory import Anchor
from git_lerim.upkeep.freshness.anchoring import anchors_in
from git_lerim.upkeep.freshness.code_changes import code_changes
from git_lerim.upkeep.freshness.freshness import Claim, Freshness, Verdict

Row = dict[str, str]
CODE = 8_000  # characters shown of one change, as `git lerim stale` does


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tsv", type=Path)
    parser.add_argument("repositories", type=Path)
    parser.add_argument(
        "--misses",
        action="store_true",
        help="print each claim that was judged otherwise, with what was lost",
    )
    parser.add_argument("--anchors", action="store_true", help="print where each claim was found")
    parser.add_argument("--base-url", help="of an endpoint whose model is asked about each change")
    parser.add_argument("--model", default="any", help="its name there (default: any)")
    args = parser.parse_args()
    asked = Asked(args.base_url, args.model) if args.base_url else None
    with args.tsv.open(encoding="utf-8", newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file, delimiter="\t")
            if row["judged"] in {"holds", "broken"}
        ]
    tally: Counter[tuple[str, bool]] = Counter()
    print(
        f"{'repository':<20} {'claims':>6} {'broken':>6} {'stale':>6} {'seconds':>8}"
        f" {'x diff --stat':>13}"
    )
    for name in dict.fromkeys(row["repository"] for row in rows):
        own = [row for row in rows if row["repository"] == name]
        place = discover(args.repositories / name, os.environ)
        began = time.perf_counter()
        freshness, claims, verdicts = judged(place, own)
        took = time.perf_counter() - began
        if asked:
            asked.about(own, freshness, claims, verdicts, is_told=args.misses)
        for row, claim in zip(own, claims, strict=True):
            verdict = verdicts[claim.id]
            tally[row["judged"], verdict.cause is not None] += 1
            if args.anchors or (
                args.misses and (verdict.cause is not None) != (row["judged"] == "broken")
            ):
                tell(row, claim, verdict)
        broken = sum(row["judged"] == "broken" for row in own)
        stale = sum(verdict.cause is not None for verdict in verdicts.values())
        once = diff_stat(place, own)
        print(f"{name:<20} {len(own):>6} {broken:>6} {stale:>6} {took:>8.2f} {took / once:>13.1f}")
    report(tally)
    if asked:
        asked.report()


class Asked:
    """What a model says of the claims whose code changed."""

    def __init__(self, base_url: str, model: str) -> None:
        """Take the endpoint."""
        from git_lerim.llm.chat import Chat  # noqa: PLC0415 it loads openai

        key = os.environ.get("OPENAI_API_KEY", "none")
        self.model: Model = Chat(model=model, base=base_url, key=lambda _: key, patience=3600.0)
        self.tally: Counter[tuple[str, bool]] = Counter()
        self.said: Counter[tuple[str, str]] = Counter()
        self.calls = self.tokens_in = self.tokens_out = 0
        self.seconds = 0.0

    def about(
        self,
        rows: Sequence[Row],
        freshness: Freshness,
        claims: Sequence[Claim],
        verdicts: dict[str, Verdict],
        *,
        is_told: bool,
    ) -> None:
        """Ask about the claims of one repository, and count what became of each."""
        cases = [case for one in claims if (case := case_of(freshness, one, verdicts[one.id]))]
        found = {one.id: one for each in still_true.batches(cases) for one in self.judged(each)}
        shown = {case.id for case in cases}
        for row, one in zip(rows, claims, strict=True):
            said = found[one.id].verdict if one.id in found else still_true.Verdict.UNSURE
            stale = verdicts[one.id].cause is not None
            if said is not still_true.Verdict.UNSURE:
                stale = said is not still_true.Verdict.TRUE
            self.tally[row["judged"], stale] += 1
            self.said[row["judged"], said.value if one.id in shown else "not asked"] += 1
            if is_told and stale != (row["judged"] == "broken") and one.id in found:
                print(f"  {row['judged']}, {said} by the model: {row['path']}: {row['title']}")
                print(f"    {found[one.id].reason} | {found[one.id].quote}")

    def judged(self, question: Question) -> list[Judged]:
        """Ask once, and once more for an answer with faults, as `git lerim stale` does."""
        messages, began = question.messages(), time.perf_counter()
        try:
            text, is_cut = self.answer(messages)
            try:
                return question.read_strictly(text, is_cut=is_cut)
            except Unusable as fault:
                again = [("assistant", text), ("user", still_true.repair(fault))]
                text, is_cut = self.answer([*messages, *again])
                return question.read(text, is_cut=is_cut)
        except (ModelFailed, Unusable) as error:
            print(f"  {len(question.cases)} claims were not judged: {error}")
            return []
        finally:
            self.seconds += time.perf_counter() - began

    def answer(self, messages: list[tuple[str, str]]) -> tuple[str, bool]:
        """Return an answer, and whether it was cut off."""
        found = self.model.ask(messages, still_true.schema())
        self.calls += 1
        self.tokens_in += found.tokens_in
        self.tokens_out += found.tokens_out
        return found.text, found.is_cut

    def report(self) -> None:
        """Print what was said of the claims, and what that makes of the verdicts."""
        print(f"\nwith the model: {self.calls} calls, {self.tokens_in} tokens in,", end=" ")
        print(f"{self.tokens_out} out, {self.seconds:.0f} s")
        names = [*still_true.Verdict, "not asked"]
        print(f"{'judged':<10}" + "".join(f"{name:>10}" for name in names))
        for judged in ("broken", "holds"):
            print(f"{judged:<10}" + "".join(f"{self.said[judged, name]:>10}" for name in names))
        report(self.tally)


def case_of(freshness: Freshness, claim: Claim, verdict: Verdict) -> Case | None:
    """Return what the model is shown of a claim; None if its lines did not change."""
    changes = code_changes(freshness.code, claim, verdict)
    code = tuple(
        Shown(path=each.path, now=each.now, lines=each.lines, diff=each.diff[:CODE])
        for each in changes
    )
    shown = Case(id=claim.id, title=claim.title, body=claim.body, day="then", code=code)
    return shown if code else None


def judged(place: Place, rows: Iterable[Row]) -> tuple[Freshness, list[Claim], dict[str, Verdict]]:
    """Make memories of claims, and judge them against HEAD."""
    objects = open_objects(place)
    claims = [claim(objects, number, row) for number, row in enumerate(rows)]
    head = git(place, "rev-parse", "HEAD")
    freshness = Freshness(place, objects, head)
    return freshness, claims, freshness.verdicts(claims)


def claim(objects: Objects, number: int, row: Row) -> Claim:
    """Return a claim with the anchors that a sync would give it."""
    commit = objects.full_id(row["commit"])
    entry = commit and objects.entry_at(commit, row["path"])
    if not entry:
        raise SystemExit(f"{row['repository']}: {row['commit']} has no file {row['path']}")
    file = Anchor(path=row["path"], blob=entry.id, commit=commit)
    anchors = anchors_in(objects.blob(entry.id), file, row["title"], row["body"])
    return Claim(id=str(number), title=row["title"], body=row["body"], anchors=tuple(anchors))


def tell(row: Row, claim: Claim, verdict: Verdict) -> None:
    """Print one claim with what was made of it."""
    print(
        f"  {row['judged']}, called {'stale' if verdict.cause else 'true'}: {row['path']}:"
        f" {row['title']} | {row['body']}"
    )
    for anchor, state in zip(claim.anchors, verdict.states, strict=True):
        lost = ", ".join(
            one.text + (f" beside {'/'.join(one.beside)}" if one.beside else "")
            for one in state.lost
        )
        print(
            f"    {anchor.lines} {anchor.symbol}: {state.state} {state.path} {state.lines}"
            f" {f'lost {lost}' if lost else ''}"
        )


def diff_stat(place: Place, rows: Iterable[Row]) -> float:
    """Return how many seconds one `git diff --stat` takes from the oldest commit to HEAD."""
    dated = [
        (git(place, "log", "-1", "--format=%ct", row["commit"]), row["commit"]) for row in rows
    ]
    oldest = min(dated, key=lambda pair: int(pair[0]))[1]
    began = time.perf_counter()
    diff = ["git", *place.git("diff", "--stat", oldest, "HEAD")]
    subprocess.run(diff, capture_output=True, check=False)  # a clone may lack blobs
    return time.perf_counter() - began


def git(place: Place, *words: str) -> str:
    return (
        subprocess.run(["git", *place.git(*words)], capture_output=True, check=True)
        .stdout.decode("utf-8", "replace")
        .strip()
    )


def report(tally: Counter[tuple[str, bool]]) -> None:
    found, missed = tally["broken", True], tally["broken", False]
    wrong, right = tally["holds", True], tally["holds", False]
    print(
        f"\nbroken and called stale   {found}/{found + missed} ="
        f" {found / max(found + missed, 1):.1%}  (recall)"
    )
    print(
        f"holding and called stale  {wrong}/{wrong + right} = {wrong / max(wrong + right, 1):.1%}"
    )
    print(
        f"precision                 {found}/{found + wrong} = {found / max(found + wrong, 1):.1%}"
    )


if __name__ == "__main__":
    main()
