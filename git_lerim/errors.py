"""Everything that can go wrong and be told to a person.

LerimError                    1  could not
├── UsageError                2  the command line makes no sense
├── BadSetting                1  a setting has a value it cannot have
├── NotARepository            1
├── GitMissing                1  git is not installed, or too old
├── GitFailed                 1  a git command did not do what it was asked
├── NoIdentity                1  git does not know who commits
├── BranchBlocked             1  the branch cannot be made or moved
├── NewerFormat               1  the store was written by a newer git-lerim
├── ReadOnly                  1  nothing can be written here
├── StoreMoved                1  someone else wrote at the same time; the operation is tried again
├── BadMemory                 1  a memory file is not one
├── UnknownMemory             1  no memory, or more than one, has this id
├── Unreadable                1  a session, or a database of sessions, cannot be read
├── ModelFailed               1  a model was asked and did not answer as it should
├── NotAsked                  1  a model was not asked in this run: a budget is spent, or it failed
                              too often
├── Unsafe                    1  what would leave this machine holds a secret
├── Declined                  1  a question was answered with no, or could not be asked
├── PartlyDone                3  some sessions failed; each was named
└── Busy                      4  another run holds the lock
"""


class LerimError(Exception):
    """A fact a user can be told in one sentence, and what to do about it."""

    exit_code = 1
    passing = False  # whether it concerns one file or session alone, so that the others can go on

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(LerimError):
    """The command line makes no sense."""

    exit_code = 2


class BadSetting(LerimError):
    """A setting has a value it cannot have."""


class NotARepository(LerimError):
    """The folder belongs to no git repository."""


class GitMissing(LerimError):
    """Git is not installed, or too old."""


class GitFailed(LerimError):
    """A git command did not do what it was asked."""


class NoIdentity(LerimError):
    """Git does not know who commits."""


class BranchBlocked(LerimError):
    """The memory branch cannot be made or moved."""


class NewerFormat(LerimError):
    """The store was written by a newer git-lerim; it can be read, not written."""


class ReadOnly(LerimError):
    """Nothing can be written here: permissions, a full disk, a read-only file system."""


class StoreMoved(LerimError):
    """Someone else moved the branch between reading and writing."""


class BadMemory(LerimError):
    """A memory file is not one."""

    passing = True


class UnknownMemory(LerimError):
    """No memory, or more than one, has this id."""


class Unreadable(LerimError):
    """A session, or a database of sessions, cannot be read."""

    passing = True


class ModelFailed(LerimError):
    """A model was asked and did not answer as it should."""

    def __init__(self, message: str, *, hint: str = "", refused: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.refused = (
            refused  # because of what it was asked: asking it for something else may work
        )


class NotAsked(LerimError):
    """A model was not asked about a session in this run, which stays queued."""


class Unsafe(LerimError):
    """What would leave this machine holds what looks like a secret."""


class Declined(LerimError):
    """A question was answered with no, or could not be asked."""


class PartlyDone(LerimError):
    """Some sessions failed; each was named."""

    exit_code = 3


class Busy(LerimError):
    """Another run holds the lock."""

    exit_code = 4
