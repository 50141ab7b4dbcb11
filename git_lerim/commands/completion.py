"""`git lerim completion SHELL`: print a shell's completion script."""

import os
import re

import click
from click.shell_completion import get_completion_class

from git_lerim.commands.terminal import data, verb

# `git lerim <TAB>` reaches us through git's own completion, which calls a function of this name.
_GIT_BASH = """
_git_lerim() {
    local IFS=$'\\n' reply at=${__git_cmd_idx:-1}
    reply=$(env COMP_WORDS="git-lerim ${words[*]:at+1}" COMP_CWORD=$((cword - at)) \
_GIT_LERIM_COMPLETE=bash_complete git-lerim)
    COMPREPLY=()
    local line
    for line in $reply; do COMPREPLY+=("${line#*,}"); done
}
"""


@verb()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), required=False)
def command(shell: str | None) -> None:
    """Print the completion script of a shell; without its name, of the shell that you use.

    bash: git lerim completion bash >> ~/.bashrc

    zsh: git lerim completion zsh >> ~/.zshrc

    fish: git lerim completion fish > ~/.config/fish/completions/git-lerim.fish
    """
    name = shell or (re.sub(r".*/", "", os.environ.get("SHELL", "")))
    kind = get_completion_class(name)
    if kind is None:
        raise click.UsageError("no completion for this shell; name bash, zsh or fish")
    verbs = click.get_current_context().find_root().command
    completion = kind(verbs, {}, "git-lerim", "_GIT_LERIM_COMPLETE")  # as cli.py reads it
    own = _GIT_BASH if name == "bash" else ""
    data(f"{completion.source()}\n{own}", newline=False)
