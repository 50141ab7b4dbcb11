"""`git lerim lint`: check every memory file."""

from collections import Counter

from git_lerim.actions.lint import lint
from git_lerim.actions.missing_memory import missing_memory
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    at_option,
    data,
    data_json,
    json_option,
    personal_option,
    say,
    verb,
)
from git_lerim.memories.checks.lint_rules import TO_DECIDE
from git_lerim.tokens import counted

_NAMED = 100  # problems of a kind


@verb(paged=True)
@at_option
@personal_option
@json_option
def command(*, at: str | None, personal: bool, as_json: bool) -> int:
    """Check all memory files: format, limits, links, secrets.

    Exits with 1 if a problem is found. What is left for you to decide does not count: [waiting],
    [disputed] and [contradiction].
    """
    ws = opened(personal=personal, fallback=True)
    checked, problems = lint(ws, at)
    if at is None and (missing := missing_memory(ws)):
        say(f"warning: {missing}")
    left = sum(problem.rule in TO_DECIDE for problem in problems)
    faults = len(problems) - left
    if as_json:
        data_json(
            [{"path": p.path, "id": p.id, "rule": p.rule, "problem": p.sentence} for p in problems]
        )
    else:
        number = Counter[str]()
        for problem in problems:
            number[problem.rule] += 1
            if number[problem.rule] > _NAMED:
                continue
            data(f"{problem.path}: {problem.sentence} [{problem.rule}]")
        for rule in (rule for rule in number if number[rule] > _NAMED):
            more = counted(number[rule] - _NAMED, "more problem")
            data(f"{more} [{rule}]; git lerim lint --json lists all")
        to_decide = f", {left} left for you to decide" if left else ""
        say(f"checked {counted(checked, 'file')}: {counted(faults, 'problem')}{to_decide}")
    return 1 if faults else 0
