"""The layout of a store: its constant first commit, its folders and its refs."""

import re

from git_lerim.memories import naming

BRANCH = "lerim/memory"
TREE = ".lerim/memory"  # the store's folder in a work tree
FORMAT = 1
NEWER = "install a newer git-lerim; if nobody has one, revert the commit that changed `format`"
FILES_LIMIT = 200_000  # files of each sort (see SORTS)
# entries in all folders of a fetched store: a forged one can use a tree any number of times
ENTRIES_LIMIT = 250_000

_FOLDERS = b"""\
- `decisions/`: choices that were made, with the reason and what was rejected
- `learnings/`: insights, procedures, pitfalls, preferences and facts
- `summaries/`: sessions in brief
- `handoffs/`: notes from one agent to the next
- `archived/`: what is no longer handed out
"""
README = (
    b"""\
# The memory of this repository

This branch holds what was decided and learned while people and coding agents worked on this \
repository.
git-lerim writes it. It shares no history with the code: never merge it into another branch.

%s
Each file is one memory. To change one, edit it here, or use `git lerim edit`; to take one back, \
`git lerim forget` or
`git revert`. `git log lerim/memory` tells where each came from. To hide this branch in the log \
of everything:
`git log --exclude='refs/heads/lerim/*' --all`.
"""
    % _FOLDERS
)
TREE_README = (
    b"""\
# The memory of this repository

This folder holds what was decided and learned while people and coding agents worked on this \
repository.
git-lerim writes it, for whoever has set `lerim.store` to `tree`; it is reviewed, merged and \
reverted like the code beside it.

%s
Each file is one memory. To change one, edit it here, or use `git lerim edit`; to take one back, \
`git lerim forget` or
`git revert`. `git log -- .lerim/memory` tells where each came from.
"""
    % _FOLDERS
)
ATTRIBUTES = b"""\
* text eol=lf
*.md diff=markdown merge=lerim
README.md merge
"""
ROOT_FILES = {"format": b"1\n", "README.md": README, ".gitattributes": ATTRIBUTES}
ROOT_IDENTITY = b"git-lerim <>"
ROOT_MESSAGE = b"Begin the memory of this repository\n"
ROOT_IDS = {
    "sha1": "54f5ac46355f565c1e77d31e7bc068c811aa8dc6",
    "sha256": "582fb75270780460aba506c1a529bbc89dec1a2640d8d2fe95d2a7705ce9c1a0",
}

PURGED = "purged"  # the folder of tombstones
SORTS = {
    "memories": ("decisions", "learnings"),
    "summaries": ("summaries",),
    "handoffs": ("handoffs",),
}
PRIMITIVES = {
    "decisions": "decision",
    "learnings": "learning",
    "summaries": "summary",
    "handoffs": "handoff",
}
_NUMBER = re.compile(rb"\s*([0-9]{1,9})")
_MONTH = re.compile(r"(?:archived/)?(?:decisions|learnings|summaries)/[0-9]{4}-(?:0[1-9]|1[0-2])")


# a commit with each memory in the version accepted last (see `trust.accepted`)
ACCEPTED = "refs/lerim/accepted"
# a commit with the last versions of memories that somebody else deleted (see `sharing.withdrawn`)
WITHDRAWN = "refs/lerim/withdrawn"
# a cached rebase of the user's proposal, until a commit moves its branch there
PENDING = "refs/lerim/pending"
# refs to objects being imported; those of killed processes are removed
TEMPORARY = "refs/lerim/tmp"
# the cached trusted memories, until the branch, the accepted ones or the allowed signers change
SERVED = "refs/lerim/served"
# a cached merge with what was fetched, until a commit moves the branch there
JOINED = "refs/lerim/joined"


def root_commit(tree: str) -> bytes:
    """Return the bytes of a store's first commit.

    It is the same in all clones, so that their histories can be merged.
    """
    who = ROOT_IDENTITY + b" 0 +0000\n"
    return (
        b"tree " + tree.encode() + b"\nauthor " + who + b"committer " + who + b"\n" + ROOT_MESSAGE
    )


def number_in(data: bytes) -> int | None:
    """Return the layout that a file `format` names, or None if the file is damaged."""
    found = _NUMBER.match(data)
    return int(found[1]) if found else None


def backup_ref(branch: str) -> str:
    """Return the ref that backs up a branch, so that its commits survive its deletion."""
    return "refs/lerim/backup/" + branch.removeprefix("lerim/")


def proposals(branch: str) -> str:
    """Return the prefix of the branch names of proposals, such as `lerim/proposal`."""
    folder, slash, name = branch.rpartition("/")
    return f"{folder}/proposal" if slash and name != "proposal" else f"{branch}-proposal"


def is_archived(path: str) -> bool:
    """Return whether a path is below the folder `archived`."""
    return path.startswith("archived/")


def is_month(path: str) -> bool:
    """Return whether a path is the folder of one month, such as `decisions/2026-02`."""
    return _MONTH.fullmatch(path) is not None


def is_folder(path: str) -> bool:
    """Return whether a path is one of the folders of a store, such as `learnings`."""
    return path.removeprefix("archived/") in PRIMITIVES or path == "archived" or is_month(path)


def primitive_at(path: str) -> str | None:
    """Return the type a memory at this path must have, or None if no memory belongs there."""
    return (
        PRIMITIVES[path.removeprefix("archived/").split("/", 1)[0]]
        if naming.valid_path(path)
        else None
    )


def is_memory(path: str) -> bool:
    """Return whether a path is valid for a decision or a learning."""
    return primitive_at(path) in {"decision", "learning"}
