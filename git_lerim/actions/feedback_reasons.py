"""The reasons that people gave with their feedback; only the commits of the memory have them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from git_lerim.actions.doubted_commits import readable
from git_lerim.errors import UsageError
from git_lerim.memories.feedback import RETRACTED, WRONG, Feedback
from git_lerim.storage.history.past import LoggedCommit
from git_lerim.storage.verdicts import is_by
from git_lerim.workspace import Workspace

REASON = "Reason: "  # begins the reason in a commit message
_REASON = re.compile(rf"^{REASON}(.+)$", re.MULTILINE)


_LIMIT = 1000  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One person's last commit with a verdict, and the reason in it."""

    author: str  # by git
    verdict: str
    reason: str  # may be empty


def clean_reason(ws: Workspace, reason: str) -> tuple[str, int]:
    """Return a reason on one line with secrets redacted, and how many there were.

    Raises UsageError if it is too long.
    """
    if len(reason) > _LIMIT:
        raise UsageError(
            f"the reason has {len(reason)} characters; the limit is {_LIMIT}", hint="shorten it"
        )
    text, secrets = ws.redactor.redact(" ".join(reason.encode("utf-8", "replace").decode().split()))
    return text, len(secrets)


def reasons(
    ws: Workspace, commits: Iterable[LoggedCommit], rows: Iterable[Feedback]
) -> list[Reason]:
    """Return the last commit with a reason, or else the last, for each of a memory's verdicts.

    `commits` are those that changed the memory, newest first. A verdict that no commit of its
    author gave is left out; so are reasons that an agent must not read.
    """
    given = [each for each in commits if ("Lerim-Op", "feedback") in each.trailers]
    told = readable(ws, given)
    found = []
    for row in rows:
        verdict = WRONG if row.verdict == RETRACTED else row.verdict
        by_author = [
            Reason(author=commit.author, verdict=verdict, reason=match[1] if match else "")
            for was, commit in zip(given, told, strict=True)
            if is_by(row.author, was.mail) and was.subject.startswith(f"feedback: {verdict}: ")
            for match in [_REASON.search(commit.body)]
        ]
        found += sorted(by_author, key=lambda each: not each.reason)[:1]
    return found
