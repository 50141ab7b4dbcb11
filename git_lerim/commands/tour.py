"""`git lerim tour`: a demonstration in a throw-away repository."""

import tempfile
from pathlib import Path

import click

from git_lerim.actions.tour import tour
from git_lerim.commands.terminal import data, heading, say, styled, verb
from git_lerim.errors import UsageError


@verb()
@click.option(
    "--keep",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Keep the sample repository in this new folder.",
)
def command(*, keep: Path | None) -> int:
    """Demonstrate git-lerim on sample sessions in a temporary repository.

    Runs sync, log, list, show and diff, explaining each step.
    """
    if keep is not None:
        if keep.exists() and not (keep.is_dir() and not any(keep.iterdir())):
            raise UsageError(
                f"{keep} exists already and is not an empty folder",
                hint="--keep needs the name of a new folder",
            )
        keep.mkdir(parents=True, exist_ok=True)
        failed = _walk(keep.absolute())
        say(f"the repository is in {keep / 'shop'}; to use its sessions, set HOME={keep / 'home'}")
        return failed
    with tempfile.TemporaryDirectory(
        prefix="git-lerim-tour-", ignore_cleanup_errors=True
    ) as folder:
        return _walk(Path(folder).resolve())


def _walk(folder: Path) -> int:
    failed = 0
    for step in tour(folder):
        styled(heading(step.why, bold=True))
        styled(heading(f"$ {step.command}", fg="cyan"))
        data(step.output)
        data()
        failed |= step.failed
    return failed
