"""What all commands share: common options, output, and questions to the user."""

import contextlib
import functools
import json
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeGuard

import click

from git_lerim.errors import Declined, UsageError
from git_lerim.screen import colour, progress, terminal_size, wrapping
from git_lerim.screen.held import Held
from git_lerim.tokens import printable, printable_json, unknown

_Function: TypeAlias = Callable[..., Any]


@dataclass(slots=True)
class _Output:
    """The options that decide how the running command prints."""

    level: int = 1  # 0 quiet, 1 normal, 2 verbose
    colour: str | None = None
    held: Held = field(default_factory=Held)
    # whether stderr (True) and stdout (False) show colours; git is asked only once
    coloured: dict[bool, bool] = field(default_factory=dict)


_OUTPUT = [_Output()]


class Verb(click.Command):
    """A click command that rejects empty arguments, which an unset shell variable may cause."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Raises click's UsageError for an empty one or an unknown option."""
        if not ctx.resilient_parsing:
            try:
                given = self.make_parser(ctx).parse_args(args=list(args))[0]
            except click.NoSuchOption as error:
                known = [
                    name
                    for parameter in self.get_params(ctx)
                    for name in parameter.opts
                    if name.startswith("--")
                ]
                raise click.UsageError(unknown("option", error.option_name, known), ctx) from error
            for parameter in self.params:
                words = given.get(parameter.name or "")
                is_blank = any(
                    isinstance(word, str) and not word.strip()
                    for word in (words if _is_many(words) else [words])
                )
                if is_blank and parameter.default != "":  # an empty default allows an empty value
                    name = (
                        max(parameter.opts, key=len)
                        if isinstance(parameter, click.Option)
                        else "an argument"
                    )
                    raise click.UsageError(f"{name} is empty", ctx)
        return super().parse_args(ctx, args)


def _is_many(words: object) -> TypeGuard[Iterable[object]]:
    return isinstance(words, (list, tuple))


def verb(
    kind: type[Verb] = Verb, *, paged: bool = False
) -> Callable[[Callable[..., Any]], click.Command]:
    """Turn a function into a command with the common options; if `paged`, page long output."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        @functools.wraps(function)
        def run(
            *args: Any, quiet: bool, verbose: bool, color: str | None, no_pager: bool, **kwargs: Any
        ) -> Any:
            _OUTPUT[0] = _Output(level=0 if quiet else 2 if verbose else 1, colour=color)
            before_verb = click.get_current_context().find_root().params.get("no_pager")
            if not paged or no_pager or before_verb or not sys.stdout.isatty():
                return function(*args, **kwargs)
            with _OUTPUT[0].held.until_done(sys.stdout):
                return function(*args, **kwargs)

        for option in _OPTIONS:
            run = option(run)
        command: click.Command = click.command(
            cls=kind, context_settings={"help_option_names": ["-h", "--help"]}
        )(run)
        return command

    return decorate


_OPTIONS = (
    click.option("--no-pager", is_flag=True, help="Print long output without a pager."),
    click.option(
        "--color",
        type=click.Choice(colour.WHEN),
        help="Whether to colour the output.  [color.ui: auto]",
    ),
    click.option("-v", "--verbose", is_flag=True, help="Print more details on stderr."),
    click.option("-q", "--quiet", is_flag=True, help="Print only errors on stderr."),
)


class Whole(click.ParamType):  # type: ignore[type-arg]  # older versions of click take none
    """The type of an option that takes an integer of at least `least`."""

    name = "whole number"

    def __init__(self, least: int) -> None:
        """Set the smallest number that is valid."""
        self._least = least

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return an argument, or a default value, as a number."""
        if isinstance(value, str) and not (
            re.fullmatch(r"[0-9]{1,18}", value) and int(value) >= self._least
        ):
            self.fail(f"{value!a} is not a whole number of at least {self._least}", param, ctx)
        return int(value)


def limit_option(
    default: int | None = None, what: str = "Show at most N (default: all)."
) -> Callable[[_Function], _Function]:
    """Return a decorator that adds an option for the maximum number of results."""
    return click.option(
        "-n", "--limit", metavar="N", type=Whole(1), default=default, show_default=True, help=what
    )


def takes_no(form: str, **options: object) -> None:
    """Raise UsageError if an option is given that has no effect in this form of a command."""
    for name, value in options.items():
        if value:
            raise UsageError(
                f"git lerim {form} does not accept --{name.replace('_', '-')}",
                hint=f"see git lerim {form.partition(' ')[0]} -h",
            )


format_option = click.option(
    "--format",
    "template",
    metavar="FORMAT",
    help="Format of each line, with git's placeholders such as '%h %s' (see git help lerim).",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
no_model_option = click.option(
    "--no-model", is_flag=True, help="Do not use a language model, even if one is configured."
)
yes_option = click.option("--yes", is_flag=True, help="Answer yes to every question.")
personal_option = click.option(
    "--personal", is_flag=True, help="Use your personal memory instead of this repository's."
)


PARTLY_DONE = 3  # exit code if some sessions or files failed
COMMITTED = "git_lerim.committed"  # key in `meta`: a function that says what was committed
DATE = "a date (2026-02-20), a time, an age (7d, 24h) or '2 weeks ago'"
at_option = click.option(
    "--at",
    metavar="REV|DATE",
    help=f"Show the memory as of a revision or DATE: {DATE}.",
)


def data(text: str = "", *, newline: bool = True, hang: int = 0) -> None:
    """Print data on stdout, with control characters escaped.

    On a terminal, long lines are wrapped; `hang` is the width of the label that they start with.
    Without `newline`, the text is neither wrapped nor followed by a line feed.
    """
    if newline:
        styled(printable(text), hang)
    else:
        _OUTPUT[0].held.write(sys.stdout, printable(text))


def heading(text: str, **style: Any) -> str:
    """Return a text with control characters escaped, styled if stdout shows colours."""
    return click.style(printable(text), **style) if is_coloured() else printable(text)


def is_coloured(*, err: bool = False) -> bool:
    """Return whether stdout shows colours; with `err`, whether stderr does."""
    known = _OUTPUT[0].coloured
    if err not in known:
        known[err] = colour.is_coloured(sys.stderr if err else sys.stdout, _OUTPUT[0].colour)
    return known[err]


def styled(text: str, hang: int = 0) -> None:
    """Print a line whose parts were escaped by `heading`; on a terminal, it is wrapped."""
    if terminal_size.is_terminal(sys.stdout):
        text = wrapping.wrap(text, terminal_size.columns(sys.stdout), hang)
    _OUTPUT[0].held.write(sys.stdout, text + "\n")


def as_is(text: str) -> None:
    """Print a text made by `--format` as it is: its values are already escaped."""
    _OUTPUT[0].held.write(sys.stdout, text + "\n")


def data_json(value: Any) -> None:
    """Print a value as JSON on stdout."""
    unicode = (sys.stdout.encoding or "").replace("-", "").casefold() == "utf8"
    text = printable_json(json.dumps(value, ensure_ascii=not unicode, indent=2))
    _OUTPUT[0].held.write(sys.stdout, text + "\n")


def print_now() -> None:
    """Print the output held back for a pager, and hold back no more.

    This is needed if the user must answer a question or is watching the output.
    """
    _OUTPUT[0].held.release()


def say(text: str, *, is_error: bool = False) -> None:
    """Print a message on stderr; with --quiet, only if it is an error."""
    if is_error or _OUTPUT[0].level > 0:
        _talk(printable(text))


def is_quiet() -> bool:
    """Return whether the command prints only errors."""
    return _OUTPUT[0].level == 0


def detail(text: str) -> None:
    """Print a message on stderr if the user chose --verbose."""
    if _OUTPUT[0].level > 1:
        _talk(printable(text))


def _talk(text: str, *, newline: bool = True) -> None:
    """Print a text on stderr, ignoring errors."""
    with contextlib.suppress(OSError):
        progress.clear()
        text += "\n" if newline else ""
        if sys.stderr and sys.stderr.isatty():
            _OUTPUT[0].held.write(sys.stderr, text)
        else:
            click.echo(text, nl=False, err=True)


def can_ask() -> bool:
    """Return whether a person at a terminal can see and answer a question."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty())


def say_styled(text: str, *, newline: bool = True, **style: Any) -> None:
    """Print a question, or a part of one, on stderr, with a style if stderr shows colours."""
    safe = printable(text)
    _talk(click.style(safe, **style) if is_coloured(err=True) else safe, newline=newline)


def confirm(question: str, *, yes: bool) -> None:
    """Print all lines of a text, and ask the question in its last line.

    With `yes`, the question is not asked. Raises Declined if the answer is no, or if nobody can
    answer.
    """
    print_now()
    *notice, question = question.split("\n")
    for line in notice:
        say(line)
    if yes:
        return
    if not can_ask():
        raise Declined(
            f"cannot ask without a terminal, so nothing was done: {question}",
            hint="pass --yes to answer yes",
        )
    if not agrees(question, default=False):
        raise Declined("nothing was done")


def agrees(question: str, *, default: bool) -> bool:
    """Ask a question until the user answers yes or no; return True for yes.

    An empty answer means the default.
    """
    answers = {"y": True, "yes": True, "n": False, "no": False, "": default}
    shown = f"{printable(question)} [{'Y/n' if default else 'y/N'}]"
    while True:
        given: str = click.prompt(shown, default="", show_default=False, err=True)
        if (found := answers.get(given.strip().lower())) is not None:
            return found
        click.echo("git lerim: answer y or n", err=True)
