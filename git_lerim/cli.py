"""The table of verbs, and the one place where errors become words and exit codes."""

import importlib
import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from git_lerim import __version__
from git_lerim.errors import LerimError
from git_lerim.tokens import printable

# verb → what it does. A verb's module is imported when the verb runs, not before.
VERBS = {
    "init": "Make the memory branch, or take the remote's; offer what comes next.",
    "connect": "Say which agents' sessions are read, and where they lie.",
    "sync": "Read what the agents left; commit what was decided and learned.",
    "sessions": "Show the sessions that were found, and why some were not used.",
    "queue": "Show sessions that wait or failed; try them again or leave them out.",
    "remember": "Write one memory by hand.",
    "list": "List memories.",
    "show": "Show one memory.",
    "edit": "Change one memory in your editor.",
    "forget": "Archive memories; restore brings them back.",
    "restore": "Bring archived memories back.",
    "protect": "Keep memories from being archived or merged.",
    "log": "Show the history of the memory, one line a change.",
    "diff": "Show what changed between two states of the memory.",
    "status": "Show the state of memory, sessions and queue.",
    "lint": "Check every memory file; name what is wrong.",
    "doctor": "Check git, the branch and the local state; mend what can be mended.",
    "config": "Show every setting and where it comes from.",
    "logs": "Show what the last runs did.",
    "reset": "Delete the local state, or the memory branch; a backup stays.",
    "tour": "See the whole story on sample sessions in a throw-away repository.",
    "completion": "Print the completion script of a shell.",
}


class Verbs(click.Group):
    """A group whose verbs are modules of `git_lerim.commands`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's signature
        """Return the verbs in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 click's signature
        """Import a verb's module and return its command."""
        if cmd_name not in VERBS:
            return None
        command = importlib.import_module(f"git_lerim.commands.{cmd_name}").command
        assert isinstance(command, click.Command)  # noqa: S101 every module of the table has one
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 click's signature
        """Print the table, importing none of the verbs."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest verbs when there is no such one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib  # noqa: PLC0415 needed on a typing mistake only

            near = difflib.get_close_matches(args[0], VERBS)
            if near:
                raise click.UsageError(f"no such verb: {args[0]}. Did you mean {' or '.join(near)}?", ctx) from error
            raise click.UsageError(f"no such verb: {args[0]}", ctx) from error


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="git-lerim", message="%(prog)s %(version)s")
def cli() -> None:
    """Give this repository a memory: what coding agents decided and learned, kept on a branch of its own."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    try:
        result = cli.main(args=None if arguments is None else list(arguments), prog_name="git lerim", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        _say(f"git lerim: {error.format_message()}")
        if error.ctx is not None:
            _say(error.ctx.get_usage())
            _say(f"hint: {error.ctx.command_path} -h explains it")
        return 2
    except (KeyboardInterrupt, click.Abort):
        _say("git lerim: interrupted; what was committed stays, the rest is still queued")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader went away: nobody to tell
        return 0
    except LerimError as error:
        _say(f"git lerim: {error}")
        if error.hint:
            _say(f"hint: {error.hint}")
        return error.exit_code
    except Exception as error:  # noqa: BLE001 the last line of defence: a bug becomes a sentence and a log
        _say(f"git lerim: this is a bug of git-lerim ({type(error).__name__}); the details are in {_log_of_bug()}")
        return 1
    return result if isinstance(result, int) else 0


def _say(text: str) -> None:
    click.echo(printable(text), err=True)


def _log_of_bug() -> str:
    """Write what a bug report needs: versions and the trace, without the values of variables."""
    with tempfile.NamedTemporaryFile("w", prefix="git-lerim-", suffix=".log", delete=False, encoding="utf-8") as log:
        log.write(
            f"git-lerim {__version__}, Python {sys.version.split()[0]}, {sys.platform}, {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}\n"
        )
        log.write("\n".join(traceback.format_tb(sys.exc_info()[2])))
        log.write(f"{sys.exc_info()[0]}\n")
    return str(Path(log.name))
