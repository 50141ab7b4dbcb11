"""Command arguments that take memory ids, with shell completion."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from git_lerim.actions.completion import complete_ids

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def id_argument(name: str, metavar: str, **settings: Any) -> _Decorator:
    """Add an argument for memory ids; the shell completes only ids of active memories."""
    return click.argument(name, metavar=metavar, shell_complete=_active, **settings)


def any_id_argument(name: str, metavar: str, **settings: Any) -> _Decorator:
    """Add an argument for memory ids; the shell completes ids of memories of any status."""
    return click.argument(name, metavar=metavar, shell_complete=_all, **settings)


def id_or_path_argument(name: str, metavar: str) -> _Decorator:
    """Add an argument for the id of a memory or the path of a file."""
    return click.argument(name, metavar=metavar, shell_complete=_all_or_files)


def _active(context: click.Context, _: click.Parameter, typed: str) -> "list[CompletionItem]":
    return _items(context, typed, everything=False)


def _all(context: click.Context, _: click.Parameter, typed: str) -> "list[CompletionItem]":
    return _items(context, typed, everything=True)


def _all_or_files(
    context: click.Context, parameter: click.Parameter, typed: str
) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem  # noqa: PLC0415 only a shell asks

    return _all(context, parameter, typed) or [CompletionItem(typed, type="file")]


def _items(context: click.Context, typed: str, *, everything: bool) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem  # noqa: PLC0415 only a shell asks

    values = context.params.values()
    given = {word for value in values if isinstance(value, tuple) for word in value}
    personal = bool(context.params.get("personal"))
    found = complete_ids(typed, everything=everything, personal=personal)
    return [CompletionItem(id_, help=title) for id_, title in found if id_ not in given]
