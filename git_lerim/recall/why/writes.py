"""Link a commit to the sessions that wrote its files. Pure functions."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from git_lerim.git.history.code_commits import Commit
from git_lerim.sessions.touched import Write

LATE = 2 * 3600  # seconds after a session's end in which its work is usually committed
DAY = 86400  # seconds before a commit in which writes to its other files count as evidence
LONG = 3 * DAY  # seconds after which a write no longer counts if another commit came in between

Key = tuple[str, str]  # agent and session
Found = tuple[Key, float, str]  # with certainty and reason


class Writes:
    """What sessions wrote before a commit: the files in question, or others that it changed."""

    def __init__(
        self,
        commit: Commit,
        names: Collection[str],
        since: Mapping[str, int],
        writes: Iterable[Write],
    ) -> None:
        """Initialize with a commit, and with `names`, `since` and `writes` of its `Evidence`."""
        self._commit = commit
        self._since = since
        self._names = frozenset(names)
        self._all = frozenset(commit.paths) | self._names
        self._sessions: dict[Key, list[Write]] = {}
        for write in writes:
            if write.path in self._all:
                self._sessions.setdefault((write.agent, write.session), []).append(write)

    def within(self) -> Iterator[Found]:
        """Yield the sessions that wrote a file between the file's previous commit and this one."""
        authored, committed = (
            self._commit.authored,
            max(self._commit.authored, self._commit.committed),
        )
        for key, writes in self._sessions.items():
            for until, doubt, what in (
                (authored + 60, 0.0, "committed"),
                (committed + 60, 0.2, "committed anew"),
            ):
                if found := self._ground(
                    key,
                    [each for each in writes if self._is_between(each, until)],
                    until - 60,
                    what,
                ):
                    yield key, found[1] - doubt, found[2]
                    break

    def _is_between(self, write: Write, until: int) -> bool:
        if write.at is None:
            return True
        before = self._since.get(write.path, 0)
        if before >= self._commit.authored:  # history was rewritten
            before = self._commit.authored - DAY
        begin = before if write.path in self._names else max(before, until - DAY)
        return begin < write.at / 1000 <= until

    def _ground(self, key: Key, writes: list[Write], until: int, what: str) -> Found | None:
        asked = [write for write in writes if write.path in self._names]
        if not writes:
            return None
        share = len({write.path for write in writes}) / max(len(self._all), 1)
        last = max((write.at for write in asked or writes if write.at is not None), default=None)
        if last is None:
            return (
                key,
                0.4 if asked else 0.2,
                ("wrote it at an unknown time" if asked else "wrote other files of this commit"),
            )
        gap = max(until - last / 1000, 0)
        near = 0.0 if gap <= LATE else 0.15
        when = f"{ago(gap)} before it was {what}"
        if asked:
            return key, 0.7 - near + 0.15 * share, f"wrote {asked[-1].path} {when}"
        return key, 0.3 - near + 0.3 * share, f"wrote other files of this commit {when}"

    def before(self) -> Iterator[Found]:
        """Yield the session that last wrote one of the files in question, unless that was long ago.

        This is a weak reason, because another commit changed the file in between.
        """
        times = [
            (write.at / 1000, key)
            for key, writes in self._sessions.items()
            for write in writes
            if write.path in self._names
            and write.at is not None
            and write.at / 1000 <= self._commit.authored
        ]
        if times and (gap := self._commit.authored - max(times)[0]) <= LONG:
            yield (
                max(times)[1],
                0.3,
                f"wrote it {ago(gap)} before; another commit changed it in between",
            )


def ago(seconds: float) -> str:
    """Return a duration in words, such as `3 hours`."""
    for size, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            number = round(seconds / size)
            return f"{number} {name}{'' if number == 1 else 's'}"
    return "less than a minute"
