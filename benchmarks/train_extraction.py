"""Train the weights of extraction by rules on labelled sessions, and show how they do on sessions they were not trained on.

usage: train_extraction.py [--shared DIR] [--folds] [--write] [LABELS ...]

LABELS are folders of labels; without any, `eval/labels` of the shared folder. Only signals are learnt (numbers about a
passage, see `signals.py`), never words: no text of a session is in the weights. A passage is a good one when the memory
that would be made of it holds at least 60 % of the key terms of a labelled memory, as `score.py` of the labels counts;
it counts half where it rests on other records than the label says. A session counts by the root of its passages, so
that a long one does not outvote ten short ones. `--folds` trains without three sessions at a time, and without one
repository at a time, and scores what was left out: those are the honest figures. On 42 sessions of eight repositories
and agents, 3 of them without signal:

    trained on                  must  good  prec  F1    noise  cited  type
    all (not honest)            0.66  0.56  0.72  0.63  0      0.94   0.83
    all but three sessions      0.64  0.56  0.71  0.62  0      0.94   0.81
    all but the repository      0.59  0.53  0.69  0.60  0      0.95   0.82

The precision of the second line moves between 0.68 and 0.71 with which three are left out; its type stays. Whether a
memory is a decision or a learning is a second regression, on what `leanings.py` counts: there each labelled memory
counts once, however often the session tells it. Of two fifths of the passages it says no more than even; the same cues
tell the labels' own titles and bodies apart in 74 of 100.

The limits of choice.py and the cues were chosen on the same sessions, so a new one may do a little worse.
"""

import argparse
import importlib.util
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from pathlib import Path
from types import ModuleType
from typing import Any

from git_lerim.agents import roster
from git_lerim.agents.base import Source
from git_lerim.extraction import by_rules
from git_lerim.extraction.base import Candidate
from git_lerim.extraction.by_rules import model
from git_lerim.extraction.by_rules.body import Text, compose
from git_lerim.extraction.by_rules.leanings import leaning
from git_lerim.extraction.by_rules.signals import Scene, signals
from git_lerim.extraction.by_rules.titles import title
from git_lerim.sessions.session import Header, Record, Session

RIDGE = 30.0  # how strongly weights are drawn to those by hand: few labels, many signals
ELSEWHERE = 0.5  # what a good passage counts that stands elsewhere than the label says
LEANS_RIDGE = 1.0  # the same for those that tell decisions from learnings: few signals, each of one meaning
WEIGHTS = Path(model.__file__).with_name("weights.json")
BY_HAND = {
    "bias": -2.4, "cured": 2.4, "why": 0.8, "insight": 0.6, "cause": 0.5, "limit": 0.5, "choice": 0.4, "contrast": 0.3,
    "act_overlap": 1.0, "agrees": 0.8, "size": 0.8, "source_exchange": 0.8, "act_answer": 1.0, "act_rejection": 0.8,
    "act_correction": 0.4, "act_directive": 0.3, "echo": 0.5, "human_echo": 0.3, "heading_lesson": 0.4,
    "heading_decision": 0.3, "status": -0.6, "hedge": -0.5, "proposal": -0.3, "short": -0.6, "edits": -0.5,
    "transient": -0.5, "doubted": -0.8, "corrected": -0.4, "source_report": -1.0, "first_turn": -0.4, "heading_noise": -0.4,
}  # fmt: skip
Held = tuple[int, float, bool]  # a labelled memory, the share of its key terms, whether the records are the same
Row = tuple[dict[str, float], float, float]  # signals, how true it is that they stand for, how much it counts

TRUST = 0.5  # how far weights are drawn to those by hand, which know more sessions than there are labels


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled session with its passages' signals, which are good, and what those lean to by the label."""

    label: dict[str, Any]
    session: Session
    worths: list[Row]
    leanings: list[Row]
    repository: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--folds", action="store_true", help="score each session by weights trained without it")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    parser.add_argument("labels", nargs="*", type=Path, help="folders of labels")
    args = parser.parse_args()
    folders = args.labels or [args.shared / "eval" / "labels"]
    labels = [path for folder in folders for path in sorted(folder.glob("*.json"))]
    if not labels:
        sys.exit(f"no labels in {', '.join(map(str, folders))}")
    scorer = _scorer(args.shared / "eval" / "score.py")
    examples = [_example(path, args.shared / "data" / "sessions", scorer) for path in labels]
    trained = fit(examples)
    _show("trained, on all", [_row(scorer, one, trained) for one in examples])
    if args.folds:
        count = -(-len(examples) // 3)
        _show("without three", _left_out(scorer, [examples[at::count] for at in range(count)], examples))
        places = sorted({one.repository for one in examples})
        groups = [[one for one in examples if one.repository == place] for place in places]
        rows = _left_out(scorer, groups, examples)
        _show("without repository", rows)
        for place in places:
            _show(place, [row for row in rows if row["repository"] == place])
    if args.write:
        kept = {name: round(value, 3) for name, value in sorted(trained.items()) if abs(value) >= 0.004}
        WEIGHTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _left_out(scorer: ModuleType, groups: Iterable[Sequence[Example]], examples: Sequence[Example]) -> list[dict[str, Any]]:
    rows = []
    for group in groups:
        weights = fit([one for one in examples if all(one is not other for other in group)])
        rows += [_row(scorer, one, weights) for one in group]
    return rows


def _scorer(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", path)
    if spec is None or spec.loader is None:
        sys.exit(f"no scorer at {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _example(path: Path, sessions: Path, scorer: ModuleType) -> Example:
    label = json.loads(path.read_text(encoding="utf-8"))
    session = _read(label["agent"], sessions / label["session_file"].removeprefix("sessions/"))
    stage = by_rules.survey(session)
    found = [signals(stage, at) for at in range(len(stage.passages))]
    worths = [model.worth(one, model.trained()) for one in found]
    texts = [compose(stage, worths, at) for at in range(len(stage.passages))]
    names = [title(text.sentences, one.lead, one.heading, text.said) for text, one in zip(texts, stage.passages, strict=True)]
    held = [_held(stage, name, text, label, scorer) for name, text in zip(names, texts, strict=True)]
    share = 8 / sqrt(max(len(found), 1))
    lean = leaning(stage, found)
    leanings = [lean(at, names[at], texts[at]) if held[at] else {} for at in range(len(found))]
    return Example(
        label=label, session=session,
        worths=[
            (one, float(bool(golds)), share * (1.0 if not golds or any(touches for _, _, touches in golds) else ELSEWHERE))
            for one, golds in zip(found, held, strict=True)
        ],
        leanings=_weighed(leanings, worths, held, label),
        repository="/".join(label["session_file"].removeprefix("sessions/").split("/")[:2]),
    )  # fmt: skip


def _weighed(
    leanings: Sequence[dict[str, float]], worths: Sequence[float], held: Sequence[Sequence[Held]], label: dict[str, Any]
) -> list[Row]:
    """Return what each passage leans to, so that each labelled memory counts once, not by how often it is told."""
    shares = [[(gold, (value - 0.5) ** 2 * (1.0 if touches else ELSEWHERE)) for gold, value, touches in golds] for golds in held]
    parts = [
        (at, gold, worths[at] ** 2 * value / sum(other for _, other in golds))
        for at, golds in enumerate(shares)
        for gold, value in golds
    ]
    total = Counter[int]()
    for _, gold, value in parts:
        total[gold] += value
    return [
        (leanings[at], float(label["memories"][gold]["primitive"] == "decision"), value / max(total[gold], 1.0))
        for at, gold, value in parts
    ]


def _read(agent: str, path: Path) -> Session:
    stat = path.stat()
    source = Source(agent=agent, path=path, stamp=(stat.st_size,), modified=int(stat.st_mtime * 1000), size=stat.st_size)
    name, records = "", list[Record]()
    for reading in roster.agent(agent).read(source, None):
        name = reading.session or name
        records += reading.records
    return Session(agent=agent, id=name, header=Header(), records=tuple(records))


def _held(stage: Scene, name: str, text: Text, label: dict[str, Any], scorer: ModuleType) -> list[Held]:
    """Return the labelled memories that a text holds: which, how much of it, and whether it rests on the same records."""
    memory = {"title": name, "body": text.body}
    cited = [(stage.records[index].n,) * 2 for index in text.evidence]
    return [
        (at, value, scorer.touch(cited, [tuple(span) for span in one["records"]]))
        for at, one in enumerate(label["memories"])
        if (value := scorer.coverage(memory, one)) >= 0.6
    ]


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights: of what a passage is worth, and of what it leans to."""
    worths = _regression([row for one in examples for row in one.worths], RIDGE, BY_HAND)
    leanings = _regression([row for one in examples for row in one.leanings], LEANS_RIDGE, {})
    return worths | {"leans_bias" if name == "bias" else name: value for name, value in leanings.items()}


def _regression(rows: Sequence[Row], ridge: float, by_hand: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of a ridge logistic regression, by Newton's method."""
    names = [*sorted({name for one, _, _ in rows for name in one}), "bias"]
    place = {name: at for at, name in enumerate(names)}
    data = [
        ([(place[name], value) for name, value in one.items() if value] + [(len(names) - 1, 1.0)], good, count)
        for one, good, count in rows
    ]
    weights = [0.0] * len(names)
    for _ in range(6):
        slope = [ridge * (value - TRUST * by_hand.get(name, 0.0)) for name, value in zip(names[:-1], weights, strict=False)] + [
            0.0
        ]
        curve = [
            [ridge if row == column and row < len(names) - 1 else 1e-9 * (row == column) for column in range(len(names))]
            for row in range(len(names))
        ]
        for pairs, good, count in data:
            chance = 1 / (1 + exp(-sum(weights[at] * value for at, value in pairs)))
            bend = count * chance * (1 - chance)
            for at, value in pairs:
                slope[at] += count * (chance - good) * value
                line, scaled = curve[at], bend * value
                for other, by in pairs:
                    line[other] += scaled * by
        weights = [value - step for value, step in zip(weights, _solve(curve, slope), strict=True)]
    return dict(zip(names, weights, strict=True))


def _solve(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """Solve a symmetric positive system by Gaussian elimination."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        for below in range(at + 1, size):
            factor = rows[below][at] / rows[at][at]
            if factor:
                rows[below] = [value - factor * above for value, above in zip(rows[below], rows[at], strict=True)]
    found = [0.0] * size
    for at in reversed(range(size)):
        found[at] = (rows[at][size] - sum(rows[at][other] * found[other] for other in range(at + 1, size))) / rows[at][at]
    return found


def _row(scorer: ModuleType, one: Example, weights: dict[str, float]) -> dict[str, Any]:
    row: dict[str, Any] = scorer.score(one.label, [_plain(found) for found in by_rules.extract(one.session, weights)])
    return row | {"repository": one.repository}


def _plain(found: Candidate) -> dict[str, Any]:
    sources = [{"records": [list(span) for span in part.records]} for part in found.evidence]
    return {"title": found.title, "body": found.body, "primitive": str(found.primitive), "sources": sources}


def _show(name: str, rows: Sequence[dict[str, Any]]) -> None:
    total = {key: sum(row[key] for row in rows) for key in ("kept", "matched", "cited", "typed", "noise", "trapped")}
    must, good = (sum(row[key][0] for row in rows) / max(sum(row[key][1] for row in rows), 1) for key in ("must", "good"))
    precision = total["matched"] / max(total["kept"], 1)
    both = 2 * precision * good / (precision + good) if precision + good else 0.0
    cited, typed = (total[key] / max(total["matched"], 1) for key in ("cited", "typed"))
    print(f"{name[:28]:28} must {must:.2f}  good {good:.2f}  prec {precision:.2f}  F1 {both:.2f}", end="  ")
    print(f"noise {total['noise']}  traps {total['trapped']}  cited {cited:.2f}  type {typed:.2f}  kept {total['kept']}")


if __name__ == "__main__":
    main()
