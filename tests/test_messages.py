"""What the program says is copied by people and by agents: no text of ours is a command that
destroys something.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import git_lerim
from git_lerim.cli import VERBS, cli

PACKAGE = Path(git_lerim.__file__).parent
DESTRUCTIVE = re.compile(
    r"""push\b.*(\s-f\b|--force|--mirror|--delete|\s:\S|\s\+\S)   # what others have on the remote
    |\bbranch\s+(-D|-d|--delete|-M|-f)\b
    |\bupdate-ref\b.*\s(-d|--delete)\b
    |\btag\s+-d\b
    |\breset\s+--hard\b|\bcheckout\s+(-f|--force|--)\s|\brestore\s+--(source|staged|worktree)|\bclean\s+-\w*[fdx]
    |\breflog\s+(expire|delete)\b|\bgc\b.*--prune|(?<!fetch)\bprune\b.*--expire|\bfilter-(branch|repo)\b
    |\bstash\s+(drop|clear)\b|\bworktree\s+remove\b.*--force
    |\brm\s+-\w*[rf]|\brmdir\s+/|\bunlink\s+/|\bshred\b|\btruncate\s+-s
    |\b(purge|reset|forget|uninstall|restore|undo)\b.*\s(--yes|-y)\b      # of our own verbs: asked, and answered at once
    """,  # noqa: E501
    re.VERBOSE,
)


def said(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield every text of a module that is no docstring, with `…` for what is filled in."""
    inside = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    documents = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
            yield node.lineno, "".join(str(part) for part in parts)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in inside | documents
        ):
            yield node.lineno, node.value


def test_no_text_of_ours_is_a_command_that_destroys_something() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line, text in said(ast.parse(path.read_text(encoding="utf-8")))
        if DESTRUCTIVE.search(text)
    ]

    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "run git push --force origin lerim/memory",
        "git push -f",
        "git push origin +lerim/memory",
        "git push origin :lerim/memory",
        "git push origin --delete lerim/memory",
        "git branch -D lerim/memory",
        "git update-ref -d refs/heads/lerim/memory",
        "delete it with rm -rf .git/lerim",
        "git reset --hard HEAD",
        "git gc --prune=now clears it",
        "git reflog expire --expire=now --all",
        "git lerim purge abcd --yes",
        "git lerim reset --branch --yes",
    ],
)
def test_what_destroys_is_recognised(text: str) -> None:
    assert DESTRUCTIVE.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "to replace it there: git lerim purge --push",
        "git push origin lerim/memory",
        "there is no terminal; --yes answers yes",
    ],
)
def test_what_asks_first_is_none(text: str) -> None:
    assert not DESTRUCTIVE.search(text)


PLACEHOLDER = re.compile(r"(?:^|[\s'\"(])\{[a-z_][\w.]*[^}\n]*\}")


def test_every_placeholder_of_a_message_is_filled() -> None:
    assert [
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line, text in said(ast.parse(path.read_text(encoding="utf-8")))
        if PLACEHOLDER.search(text)
    ] == []


COMMAND = re.compile(r"git lerim ([a-z]+)([^;,:()\n\"]*)")
OPTION = re.compile(r"(?<!\S)(--[a-z][a-z-]*|-[a-zA-Z])(?![\w-])")


def options(command: click.Command) -> set[str]:
    """Return the options of a verb and of its subcommands."""
    own = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return own.union({"-h", "--help"}, *map(options, below))


def test_every_option_of_ours_that_a_message_names_exists() -> None:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for line, text in said(ast.parse(path.read_text(encoding="utf-8"))):
            for verb, rest in COMMAND.findall(text):
                named = set(OPTION.findall(rest.split(". ")[0].split(" git ")[0]))
                if named and verb in VERBS:
                    command = cli.get_command(click.Context(cli), verb)
                    assert command is not None
                    if missing := named - options(command):
                        found.append(f"{path.relative_to(PACKAGE)}:{line}: {verb} {missing}")

    assert found == []
