"""Sessions written by hand, one call a record."""

from itertools import count
from typing import Any

from git_lerim.sessions.session import Header, Record, Role, Session

HOUR = 1_770_000_000_000


class Talk:
    """A session that grows record by record; records are numbered from 1."""

    def __init__(self, agent: str = "claude", name: str = "5b0c") -> None:
        self.agent, self.name = agent, name
        self.records: list[Record] = []
        self._numbers = count(1)

    def _add(self, role: Role, text: str, **fields: Any) -> "Talk":
        n = next(self._numbers)
        self.records.append(Record(n=n, role=role, text=text, at=HOUR + n * 1000, **fields))
        return self

    def prompt(self, text: str, **fields: Any) -> "Talk":
        return self._add(Role.PROMPT, text, **fields)

    def reply(self, text: str, **fields: Any) -> "Talk":
        return self._add(Role.REPLY, text, **fields)

    def answer(self, question: str, text: str, *options: str, **fields: Any) -> "Talk":
        return self._add(Role.ANSWER, text, question=question, options=options, **fields)

    def plan(self, text: str, **fields: Any) -> "Talk":
        return self._add(Role.APPROVAL, text, **fields)

    def refuse(self, text: str, **fields: Any) -> "Talk":
        return self._add(Role.REJECTION, text, **fields)

    def compacted(self, text: str, **fields: Any) -> "Talk":
        return self._add(Role.SUMMARY, text, **fields)

    def run(self, command: str, failure: str = "", **fields: Any) -> "Talk":
        call = f"call{len(self.records)}"
        self._add(Role.CALL, f"Bash: {command}", tool="Bash", command=command, call=call, **fields)
        return self._add(
            Role.RESULT,
            failure,
            tool="Bash",
            call=call,
            failed=bool(failure),
            exit_code=1 if failure else 0,
            **fields,
        )

    def look(self, *paths: str) -> "Talk":
        for path in paths:
            self._add(Role.CALL, f"Read: {path}", tool="Read")
            self._add(Role.RESULT, "", tool="Read")
        return self

    def edit(self, path: str, **fields: Any) -> "Talk":
        self._add(Role.CALL, f"Edit: {path}", tool="Edit", files=(path,), **fields)
        return self._add(Role.RESULT, "", tool="Edit", files=(path,), **fields)

    def session(self) -> Session:
        return Session(agent=self.agent, id=self.name, header=Header(), records=tuple(self.records))
