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

# zsh's own completion of git calls a function of this name, and offers the verb by this style.
_GIT_ZSH = """
_git-lerim() { _git_lerim_completion }
zstyle ':completion:*:*:git:*' user-commands lerim:'the memory of this repository'
"""
_GIT_FISH = """
function _git_lerim_through_git;
    set -l words (string replace --regex '^.*?\\blerim\\b' git-lerim -- (commandline -cp));
    for completion in (env _GIT_LERIM_COMPLETE=fish_complete COMP_WORDS="$words" \
            COMP_CWORD=(commandline -t) git-lerim);
        echo (string split --max 1 "," -- $completion)[2];
    end;
end;

complete --command git --condition '__fish_use_subcommand' --arguments lerim \
    --description 'The memory of this repository';
complete --command git --condition '__fish_seen_subcommand_from lerim' --no-files \
    --arguments '(_git_lerim_through_git)';
"""
_THROUGH_GIT = {"bash": _GIT_BASH, "zsh": _GIT_ZSH, "fish": _GIT_FISH}


@verb()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), required=False)
def command(shell: str | None) -> None:
    """Print the completion script for a shell (default: your current shell).

    bash: git lerim completion bash >> ~/.bashrc

    zsh: git lerim completion zsh >> ~/.zshrc

    fish: git lerim completion fish > ~/.config/fish/completions/git-lerim.fish
    """
    name = shell or (re.sub(r".*/", "", os.environ.get("SHELL", "")))
    kind = get_completion_class(name)
    if kind is None:
        raise click.UsageError("no completion for this shell; choose bash, zsh or fish")
    verbs = click.get_current_context().find_root().command
    completion = kind(verbs, {}, "git-lerim", "_GIT_LERIM_COMPLETE")  # as in cli.py
    # click's script for fish cuts a description at its first comma
    source = completion.source().replace('string split ","', 'string split --max 1 ","')
    data(f"{source}\n{_THROUGH_GIT[name]}", newline=False)
