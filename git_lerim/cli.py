"""The table of commands, and `main`, which turns errors into messages and exit codes."""

import contextlib
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TextIO

import click

from git_lerim import __version__
from git_lerim.errors import MAKE_SPACE, LerimError, is_out_of_space
from git_lerim.screen.held import Unwritten, silence
from git_lerim.screen.streams import encode_anything, open_closed
from git_lerim.tokens import printable, unknown
from git_lerim.verbs import GROUPS, INTERNAL, VERBS

COMPLETE = "_GIT_LERIM_COMPLETE"  # the variable by which a shell asks for completion


class Verbs(click.Group):
    """The click group of all commands, which are modules of `git_lerim.commands`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's signature
        """Return the names of all commands, in the order of the table."""
        return list(VERBS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 click's signature
        cmd_name: str,
    ) -> click.Command | None:
        """Import the module of a command, and return the command, or None if there is none."""
        if cmd_name not in VERBS and cmd_name not in INTERNAL:
            return None
        command = importlib.import_module(f"git_lerim.commands.{cmd_name}").command
        assert isinstance(command, click.Command)  # noqa: S101 every module of the table has one
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options before the verb. Raises click's UsageError for an unknown option."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            said = error.format_message().removesuffix(".")
            raise click.UsageError(f"{said}; a verb's options go after it", ctx) from error

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 click's signature
        formatter: click.HelpFormatter,
    ) -> None:
        """Print the verbs by group for the help, without importing any command."""
        width = max(map(len, VERBS))
        for name, verbs in GROUPS.items():
            with formatter.section(name):
                formatter.write_dl([(f"{verb:<{width}}", text) for verb, text in verbs.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name; if it is unknown, suggest the nearest ones."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(unknown("verb", args[0], VERBS), ctx) from error


@click.group(
    cls=Verbs,
    subcommand_metavar="VERB [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--no-pager", is_flag=True, help="Print long output without a pager.")
@click.version_option(__version__, prog_name="git-lerim", message="%(prog)s %(version)s")
def cli(*, no_pager: bool) -> None:
    """Give this repository a memory: what coding agents decided and learned, on its own branch."""


class Ended(KeyboardInterrupt):
    """An interrupt by a signal that terminates the program; its argument is the exit code."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    code = _explained(arguments)
    _flush(sys.stderr)
    return code


def _explained(arguments: Sequence[str] | None) -> int:
    """Run a command line; print any error as a message, and return the exit code."""
    try:
        open_closed()
        encode_anything()
        result = _run(arguments)
    except click.ClickException as error:
        return _explain(error)
    except (KeyboardInterrupt, click.Abort) as error:
        return _interrupted(error, arguments)
    except LerimError as error:
        _say(f"git lerim: {error}")
        if hint := MAKE_SPACE if is_out_of_space(error.__cause__) else error.hint:
            _say(f"hint: {hint}")
        return error.exit_code
    except OSError as error:
        return _excuse(error)
    # the last line of defence: a bug becomes a sentence and a log
    except Exception as error:  # noqa: BLE001
        result = _bug(error, arguments)
    return result


def _bug(error: Exception, arguments: Sequence[str] | None) -> int:
    """Report a bug or, if an interrupt caused the error, the interrupt; return the exit code."""
    behind: BaseException | None = error
    while behind is not None and not isinstance(behind, (KeyboardInterrupt, click.Abort)):
        behind = behind.__cause__ or behind.__context__
    if behind is not None:
        return _interrupted(behind, arguments)
    _say(f"git lerim: internal error ({type(error).__name__}), please report it; {_log_of_bug()}")
    return 1


def _interrupted(error: BaseException, arguments: Sequence[str] | None) -> int:
    kept = "; finished commits are kept" if getattr(error, "__notes__", []) else ""
    if _words(arguments)[:1] == ["sync"]:
        kept += "; the next sync continues"
    _say(f"git lerim: interrupted{kept}")
    return error.args[0] if isinstance(error, Ended) else 130


def _words(arguments: Sequence[str] | None) -> list[str]:
    words = list(sys.argv[1:] if arguments is None else arguments)
    named = [word for word in words[1:2] if word != "help"]
    return [*named, "--help"] if words[:1] == ["help"] else words  # as git does


def _run(arguments: Sequence[str] | None) -> int:
    """Run a command line, or a shell's completion request, with click; raise all errors."""
    if asked := os.environ.get(COMPLETE):
        from click.shell_completion import shell_complete  # noqa: PLC0415 only a shell asks for it

        return shell_complete(cli, {}, "git-lerim", COMPLETE, asked)
    try:
        with _ending_well(), cli.make_context("git lerim", _words(arguments)) as ctx:
            result = _invoked(ctx)
    except click.exceptions.Exit as left:
        result = left.exit_code
    if sys.stdout is not None:
        sys.stdout.flush()
    return result if isinstance(result, int) else 0


def _invoked(ctx: click.Context) -> object:
    """Run the command; if it is interrupted or cannot print, add to the error what it committed."""
    try:
        return cli.invoke(ctx)
    except (OSError, KeyboardInterrupt, click.Abort) as error:
        committed, file = ctx.meta.get("git_lerim.committed"), getattr(error, "filename", None)
        if committed is not None and file is None and (sentence := committed()):
            error.add_note(sentence)
        raise


@contextlib.contextmanager
def _ending_well() -> Iterator[None]:
    """Context manager: end at SIGTERM or SIGHUP as at Ctrl-C, keeping finished commits."""
    import signal  # noqa: PLC0415 an interrupt while it is loaded is caught too

    def end(number: int, _: object) -> None:
        raise Ended(128 + number)

    numbers = [getattr(signal, each) for each in ("SIGTERM", "SIGHUP") if hasattr(signal, each)]
    # not those that nohup ignores
    taken = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    try:
        with contextlib.suppress(ValueError):  # in another thread than the main one
            for number in taken:
                signal.signal(number, end)
        yield
    finally:
        with contextlib.suppress(ValueError):
            for number in taken:
                signal.signal(number, signal.SIG_DFL)


def _explain(error: click.ClickException) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":  # click 8.1 has no such class
        _say(error.format_message())
        return error.exit_code
    said = error.format_message()
    # without click's capital letter and full stop
    _say(f"git lerim: {said[:1].lower()}{said[1:].removesuffix('.')}")
    if isinstance(error, click.UsageError) and error.ctx is not None:
        _say(error.ctx.get_usage())
        _say(f"hint: see {error.ctx.command_path} -h")
    return error.exit_code


def _excuse(error: OSError) -> int:
    is_output = not _flush(sys.stdout) or isinstance(error, Unwritten)
    if isinstance(error, BrokenPipeError):
        return 0  # the reader went away: nobody to tell
    where = f" ({error.filename})" if error.filename else ""
    notes = getattr(error, "__notes__", [])
    what = "cannot write to standard output: " if is_output or notes else ""
    _say(f"git lerim: {what}{error.strerror or error}{where}")
    for note in notes or ([MAKE_SPACE] if is_out_of_space(error) else []):
        _say(f"hint: {note}")
    return 1


def _flush(stream: TextIO | None) -> bool:
    """Flush a stream; if it is broken, silence it, so that Python does not complain at exit.

    Return whether all of it was written.
    """
    if stream is None:
        return True
    try:
        stream.flush()
    except OSError:
        silence(stream)
        return False
    return True


def _say(text: str) -> None:
    with contextlib.suppress(OSError):  # nobody can be told
        click.echo(printable(text), err=True)


def _log_of_bug() -> str:
    """Log a bug (versions, and the traceback without values); return a sentence naming the log."""
    import tempfile  # noqa: PLC0415 these load much, and there should be no bug
    import traceback  # noqa: PLC0415
    from datetime import UTC, datetime  # noqa: PLC0415

    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="git-lerim-", suffix=".log", delete=False, encoding="utf-8"
        ) as log:
            now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
            log.write(
                f"git-lerim {__version__}, Python {sys.version.split()[0]}, {sys.platform}, {now}\n"
            )
            log.write("\n".join(traceback.format_tb(sys.exc_info()[2])))
            log.write(f"{sys.exc_info()[0]}\n")
    except OSError as error:
        return f"writing a log failed ({error.strerror})"
    return f"details are in {log.name}"
