"""The options and environment for running git safely in a hostile repository.

This module imports almost nothing, so that hot paths may use it.
"""

import os

SAFE = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.warnAmbiguousRefs=false",  # to warn, git would also read the ref named like each commit
    "-c",
    "core.alternateRefsCommand=true",  # prints nothing; an empty value would be run, too
    "-c",
    "protocol.ext.allow=never",
    "-c",
    "i18n.logOutputEncoding=UTF-8",
    "--no-pager",
)
# keep the configuration from running, coloring, following or omitting anything in a git log
PLAIN_LOG = (
    "--encoding=UTF-8",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-renames",
    "--no-follow",
    "--no-relative",
)
# Git contacts no remote for us, not even to fetch an object that a partial clone lacks: that would
# run programs that the repository's own configuration names. Git before 2.45 ignores the first
# variable; it starts a `git fetch`, which ends at once because no protocol is allowed.
OFFLINE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
EMPTY = "LERIM_EMPTY"  # the variable with which `--config-env` empties a setting
QUIET = {
    "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LERIM_HOOKS": "0", "LC_ALL": "C",
    # `git push` sends replaced objects as they are, so that is what we read, like libgit2
    "GIT_NO_REPLACE_OBJECTS": "1",
    EMPTY: "",
}  # fmt: skip
# Hooks export these (`git rev-parse --local-env-vars`), and they would redirect us to another
# repository or index, or change the meaning of a path or diff. GIT_CONFIG_* stays: it passes on
# `git -c lerim.x=y lerim`.
POINTING = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
)
BENDING = (
    "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
    "GIT_CONFIG", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_PAGER", "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
)  # fmt: skip


def clean_environment() -> dict[str, str]:
    """Return an environment for git that is offline, without prompts, and not redirected.

    It is this process's environment without variables such as GIT_DIR, which would make git use
    another repository or index.
    """
    return _kept() | QUIET | OFFLINE


def network_environment() -> dict[str, str]:
    """Return the environment for a fetch or push: that of `clean_environment`, but online."""
    return _kept() | QUIET


def _kept() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if name not in POINTING and name not in BENDING
    }


def emptied(key: str) -> tuple[str, ...]:
    """Return the git options that give a setting an empty value.

    For a key that contains `=`, the option `-c` cannot be used.
    """
    return (f"--config-env={key}={EMPTY}",) if "=" in key else ("-c", f"{key}=")
