"""The errors that users can see, and their exit codes.

LerimError                    1  failure
├── UsageError                2  the command line is invalid
├── BadSetting                1  a setting has an invalid value
├── NotARepository            1
├── GitMissing                1  git is not installed, or too old
├── GitFailed                 1  a git command failed
├── NoIdentity                1  git has no identity to commit with
├── BranchBlocked             1  the branch cannot be made or moved
├── NewerFormat               1  the store was written by a newer git-lerim
├── ReadOnly                  1  nothing can be written here
├── StoreMoved                1  someone else wrote at the same time; the operation is retried
├── BadMemory                 1  a memory file is invalid
├── UnknownMemory             1  a name matches no memory, session, run or commit, or several
├── Unreadable                1  a session, or a database of sessions, cannot be read
├── ModelFailed               1  a model failed to answer
├── NotAsked                  1  a model was not asked: a budget is spent, or it failed too often
├── Unsafe                    1  what would leave this machine seems to contain a secret
├── Declined                  1  a question was answered with no, or could not be asked
└── Busy                      4  another run holds the lock
"""

import errno

# a hint for a full disk, or where a quota or the limit on file sizes was reached
MAKE_SPACE = (
    "free some disk space, or raise the quota or the limit on file sizes (ulimit -f), then run the"
    " command again"
)
_NO_SPACE = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


def is_out_of_space(error: BaseException | None) -> bool:
    """Return whether a write failed because of a full disk, a quota or the limit on file sizes."""
    return isinstance(error, OSError) and error.errno in _NO_SPACE


class LerimError(Exception):
    """An error with a one-sentence message and a hint for the user."""

    exit_code = 1
    passing = False  # whether only one file or session failed, so that others can continue

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(LerimError):
    """The command line is invalid."""

    exit_code = 2


class BadSetting(LerimError):
    """A setting has an invalid value."""

    def __init__(self, message: str, *, hint: str = "", name: str = "") -> None:
        super().__init__(message, hint=hint)
        self.name = name  # of the setting, if its value could not be parsed


class NotARepository(LerimError):
    """The folder belongs to no git repository, or to one that may not be opened."""


class OutsideRepository(NotARepository):
    """Neither the folder nor a parent has a `.git`."""


class GitMissing(LerimError):
    """Git is not installed, or too old."""


class GitFailed(LerimError):
    """A git command failed."""


class NoIdentity(LerimError):
    """Git has no identity to commit with."""


class BranchBlocked(LerimError):
    """The memory branch cannot be created or moved."""


class NewerFormat(LerimError):
    """The store was written by a newer git-lerim: it can be read, but not written."""


class ReadOnly(LerimError):
    """Something cannot be written: no permission, a full disk, a read-only file system."""


class StoreMoved(LerimError):
    """Someone else changed a branch or file between reading and writing."""


class BadMemory(LerimError):
    """A memory file is invalid."""

    passing = True


class UnknownMemory(LerimError):
    """A name that the user gave matches no memory, session, run or commit, or matches several."""


class Unreadable(LerimError):
    """A session, or a database of sessions, cannot be read."""

    passing = True


class ModelFailed(LerimError):
    """A model failed to answer."""

    def __init__(self, message: str, *, hint: str = "", refused: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.refused = refused  # whether it refused this request: another one may succeed


class NotAsked(LerimError):
    """A model was not asked (budget spent, or too many failures); the session stays queued."""


class Unsafe(LerimError):
    """Text that would leave this machine seems to contain a secret."""


class Declined(LerimError):
    """The user answered a question with no, or could not be asked."""


class Busy(LerimError):
    """Another process holds the lock that is needed, so that this run cannot continue."""

    exit_code = 4
