"""`git lerim doctor`: check the installation and repair what is safe to repair."""

import click

from git_lerim.actions.doctor.branch_checks import restore as restore_branch
from git_lerim.actions.doctor.checkup import checkup
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    data,
    data_json,
    heading,
    json_option,
    personal_option,
    say,
    styled,
    verb,
)
from git_lerim.tokens import counted

_COLOURS = {"ok": "green", "warning": "yellow", "problem": "red"}


@verb()
@click.option(
    "--restore",
    is_flag=True,
    help="Merge back the lost commits of a deleted, rewound or replaced branch, and bring back your"
    " deleted proposals.",
)
@personal_option
@json_option
def command(*, restore: bool, personal: bool, as_json: bool) -> int:
    """Check git, the repository, the branch, the local state and the agents.

    Fixes what can be fixed without loss. Exits with 1 if a problem remains.
    """
    ws = opened(personal=personal, fallback=True, making=True)
    checks = [*(restore_branch(ws) if restore else ()), *checkup(ws)]
    if as_json:
        data_json(
            [{"name": c.name, "state": c.state, "says": c.says, "hint": c.hint} for c in checks]
        )
    else:
        for check in checks:
            styled(
                f"{heading(f'{check.state:<8}', fg=_COLOURS[check.state])} {heading(check.name)}:"
                f" {heading(check.says)}"
            )
            if check.hint:
                data(f"         {check.hint}")
    found = {word: sum(check.state == word for check in checks) for word in ("problem", "warning")}
    say(
        ", ".join(counted(number, word) for word, number in found.items() if number)
        or "no problems found"
    )
    return 1 if found["problem"] else 0
