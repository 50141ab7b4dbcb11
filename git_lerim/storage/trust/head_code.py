"""Answer questions about the code at HEAD, and remember each question with its answer.

A verdict on a memory stays valid while the questions that were asked for it, such as whether HEAD
contains a path, have the same answers, whichever commit is checked out.
"""

import json
import re
from collections.abc import Collection, Mapping
from functools import cached_property

from git_lerim.git import repo
from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FILE, LINK, SUBMODULE
from git_lerim.git.repo import Place
from git_lerim.private_files import parse_json

_TARGETS = {
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "just": ("justfile", "Justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
}
_MANIFESTS = (
    "package.json",
    "pyproject.toml",
    "requirements-dev.txt",
    "Gemfile",
    "composer.json",
    "Cargo.toml",
    "mix.exs",
)
_LARGEST = 1 << 20  # bytes of a file that names commands


class HeadCode:
    """The files, targets and tools of the code that is checked out."""

    def __init__(self, place: Place, objects: Objects) -> None:
        """Prepare without reading anything yet; `objects` holds the code."""
        self._place = place
        self._objects = objects
        self.about = ""  # the blob whose memory is judged
        self._asked: dict[str, dict[str, bool]] = {}  # by blob: questions, and their answers
        self._known: dict[str, bool] = {}

    @cached_property
    def head(self) -> str | None:
        """The commit of HEAD, or None before the first commit."""
        return repo.head(self._place)

    def asked(self, blobs: Collection[str]) -> str:
        """Return, as JSON for `outdated`, the questions asked about some blobs, and the answers."""
        return json.dumps({blob: self._asked[blob] for blob in self._asked if blob in blobs})

    def outdated(self, line: str) -> set[str] | None:
        """Return the blobs about which some answer in `line` (see `asked`) has changed.

        Return None if `line` is unreadable. The questions about the other blobs are remembered as
        if they were asked again.
        """
        try:
            before = parse_json(line)
        except ValueError:
            return None
        if not isinstance(before, dict):
            return None
        changed = {blob for blob, asked in before.items() if not self._is_current(asked)}
        self._asked |= {blob: before[blob] for blob in before if blob not in changed}
        return changed

    def current(self, reasons: Mapping[str, str], line: str) -> dict[str, str]:
        """Return the reasons, by blob, that still hold; `line` has the answers (see `asked`).

        None of them holds if `line` is unreadable.
        """
        old = self.outdated(line)
        if old is None:
            return {}
        return {blob: reason for blob, reason in reasons.items() if blob not in old}

    def _is_current(self, asked: object) -> bool:
        return isinstance(asked, dict) and all(
            self._answer(question) == answer for question, answer in asked.items()
        )

    def is_here(self, path: str) -> bool:
        """Return whether HEAD contains a path."""
        return self._ask(f"here {path}")

    def has_target(self, runner: str, target: str) -> bool:
        """Return whether a Makefile or similar file has a target, or package.json has a script."""
        return self._ask(f"target {runner} {target}")

    def declares(self, tool: str) -> bool:
        """Return whether the project declares a tool as a dependency or builds it."""
        return self._ask(f"tool {tool}")

    def _ask(self, question: str) -> bool:
        return self._asked.setdefault(self.about, {}).setdefault(question, self._answer(question))

    def _answer(self, question: str) -> bool:
        if question not in self._known:
            self._known[question] = self._found(question)
        return self._known[question]

    def _found(self, question: str) -> bool:
        kind, _, name = question.partition(" ")
        if kind == "here":
            return self._is_here(name)
        if kind == "tool":
            word = rf"(?<![\w@/.-]){re.escape(name)}(?![\w/-]|\.\w)"
            return re.search(word, self._declared) is not None or self._is_here(f"cmd/{name}")
        runner, _, target = name.partition(" ")
        if runner in _TARGETS:
            return any(_defines(self._text(file), target) for file in _TARGETS[runner])
        return f'"{target}":' in self._text("deno.json" if runner == "deno" else "package.json")

    def _is_here(self, path: str) -> bool:
        is_inside = path and path[0] != "/" and ".." not in path
        entry = self._objects.entry_at(self.head, path) if self.head and is_inside else None
        return entry is not None and entry.mode not in {LINK, SUBMODULE}  # these lead elsewhere

    @cached_property
    def _declared(self) -> str:
        return "".join(map(self._text, _MANIFESTS))

    def _text(self, name: str) -> str:
        entry = self._objects.entry_at(self.head, name) if self.head else None
        if entry is None or entry.mode != FILE or self._objects.size(entry.id) > _LARGEST:
            return ""
        return "\n" + self._objects.blob(entry.id).decode("utf-8", "replace")


def _defines(text: str, target: str) -> bool:
    """Return whether a Makefile or the like has a rule for a target."""
    rules = (line.partition(":")[0] for line in text.splitlines() if ":" in line)
    return any(
        target in rule.split() and not rule[:1].isspace() and "=" not in rule and "#" not in rule
        for rule in rules
        if target in rule
    )
