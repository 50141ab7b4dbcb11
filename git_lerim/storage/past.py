"""The store's past: which commit was the tip at a time, and what each commit did."""

import os
import re
from datetime import datetime

from git_lerim.errors import UsageError
from git_lerim.git.process import git_line, run_git
from git_lerim.git.repo import Place

# words of git's own dates; what has none of them git would take for "now" without a word
DATE_WORDS = re.compile(
    r"\b(ago|yesterday|today|noon|midnight|tea|last|(mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}",
    re.IGNORECASE,
)


def commit_at(place: Place, tip: str, at: str) -> str | None:
    """Return the commit of the store that `at` names: one of its own revisions, or the last one before a date.

    A revision of the code stands for the time it was committed.
    """
    named = (
        None if at.startswith("-") else git_line(place.git("rev-parse", "-q", "--verify", f"{at}^{{commit}}"), cwd=place.git_dir)
    )
    if named is None:
        return _before(place, tip, _date(at))
    if git_line(place.git("merge-base", "--is-ancestor", named, tip), cwd=place.git_dir) is not None:
        return named
    seconds = git_line(place.git("log", "-1", "--no-show-signature", "--format=%ct", named), cwd=place.git_dir)
    return _before(place, tip, f"{seconds} +0000")


def _date(at: str) -> str:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        if DATE_WORDS.search(at):
            return at
        hint = "for example: --at 2026-02-20, --at '2 weeks ago', --at v1.2"
        raise UsageError(f"{at!r} is neither a revision nor a date", hint=hint) from None
    if len(at) <= len("2026-02-20"):
        moment = moment.replace(hour=23, minute=59, second=59)  # a day means all of it
    return f"{int(moment.timestamp())} +0000"


def _before(place: Place, tip: str, date: str) -> str | None:
    found = run_git(place.git("rev-list", "-1", f"--before={date}", tip), cwd=place.git_dir)
    return os.fsdecode(found).strip() or None
