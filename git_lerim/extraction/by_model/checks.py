"""Check a model's memories: their evidence, quotes, files, names and length."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from git_lerim.extraction.by_model.answer import Item
from git_lerim.extraction.by_model.known import Known
from git_lerim.extraction.by_model.quotations import is_users, misquoted
from git_lerim.extraction.by_model.support import OF_USERS, USERS, folded, unsupported
from git_lerim.extraction.by_model.transcript import Line, Transcript
from git_lerim.extraction.transcript.words import identifiers
from git_lerim.memories.memory import TITLE_LIMIT
from git_lerim.sessions.session import Role

BODY_LONGEST = 1500  # characters; more than one to four sentences need
_CITED = 12  # most cited records of one memory
_SHORTEST_QUOTE = 12  # characters, without spaces and marks
_STRANGE = 0.5  # share of unknown names above which a text is off topic
_FEW = 3
_GAP = re.compile(r"\s*(?:\[?\.\.\.\]?|\[?…\]?)\s*")
_URL = re.compile(r"https?://[^\s)>\]`\"']+")
_COMMAND = re.compile(r"`([^`\n]* [^`\n]*)`")
_VOUCHED = {Role.CALL, Role.PROMPT, Role.ANSWER, Role.REJECTION, Role.APPROVAL}
_WEAK = {Role.RESULT, Role.REPORT}  # evidence that is not enough by itself


class Shown:
    """The transcript that a model was shown, indexed so that its answer can be checked."""

    def __init__(
        self,
        transcript: Transcript,
        what: str = "session",
        is_own: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Index the transcript; `what` is the word for it in messages to the model.

        `is_own` returns whether a command runs only what the repository has.
        """
        self._what = what
        self._is_own = is_own
        self.numbered: Mapping[int, list[Line]] = transcript.numbered()
        self._folded = {
            number: folded("\n".join(line.text for line in lines))
            for number, lines in self.numbered.items()
        }
        self._lines = transcript.lines
        self._all = "".join(self._folded.values())
        self._text = transcript.text()
        self._run = "\n".join(
            folded(f"{line.text}\n{line.record.command or ''}")
            for line in transcript.lines
            if line.record.role in _VOUCHED and not line.is_prose
        )
        self._paths = {
            path.replace("\\", "/") for line in transcript.lines for path in line.record.files
        }

    def cited(self, item: Item) -> list[int]:
        """Return the numbers of the existing records that a memory cites or quotes."""
        numbers = {
            number for number in [*item.records, item.final_record] if number in self.numbered
        }
        return sorted(numbers | set(self._quoted_in(item.quote, numbers)))

    def faults(self, item: Item) -> list[str]:
        """Return the faults of a memory, one sentence each; an empty list if it may be kept."""
        found = [*self._of_evidence(item), *_of_text(item), *self._of_names(item)]
        found += self._of_quotations(item)
        if found:
            return found
        lines = (line for number in self.cited(item) for line in self.numbered[number])
        return list(unsupported(item, lines, self._all, self._what))

    def misquoted(self, text: str) -> list[str]:
        """Return what a text quotes as the user's, although they did not say it.

        In the repository's history, nobody is the user.
        """
        is_history = not self._roles(self.numbered) & USERS
        return [] if is_history else list(misquoted(text, self._lines))

    def keeps(self, one: Known | None, records: Iterable[int]) -> bool:
        """Return whether a memory stays as it is.

        It does if it quotes the user, and none of these records is the user's and later.
        """
        return (
            one is not None
            and one.is_users
            and not any(
                is_users(line.record)
                for number in records
                if number > one.last
                for line in self.numbered.get(number, ())
            )
        )

    def may_name(self, command: str) -> bool:
        """Return whether a memory may name a command, since it is no instruction from outside.

        It was run in the session or written there by the user, or it runs what the repository has.
        """
        return folded(command) in self._run or self._is_own(command)

    def files(self, item: Item) -> tuple[str, ...]:
        """Return the files that a memory names and that occur in the session, at most five."""
        return tuple(
            dict.fromkeys(
                path for path in item.files if path and self._is_file(path.replace("\\", "/"))
            )
        )[:5]

    def _is_file(self, path: str) -> bool:
        return path in self._text or any(
            known == path or known.endswith(f"/{path}") for known in self._paths
        )

    def _of_evidence(self, item: Item) -> Iterable[str]:
        missing = [number for number in item.records if number not in self.numbered]
        if missing or not item.records:
            yield (
                f"records {missing} are not in the {self._what}"
                if missing
                else "no record is cited"
            )
        if len(item.records) > _CITED:
            yield f"{len(item.records)} records are cited; name the 1 to 6 that show it"
        existing = [number for number in item.records if number in self.numbered]
        roles = self._roles(self.cited(item))
        quoted = self._quoted_in(item.quote, existing)
        if not quoted:
            yield f"the quote is in no record of the {self._what}, word for word"
        elif roles <= _WEAK:
            yield (
                "it rests on failed output or a sub-agent's report alone; cite who in the"
                f" {self._what} drew this conclusion"
            )
        elif item.basis in OF_USERS and not roles & USERS:
            yield (
                f"the basis is {item.basis}, but no cited record is the user's; cite where they"
                " said so, or name another basis"
            )
        elif item.basis in OF_USERS and not self._roles(quoted) & (USERS | {Role.REPLY}):
            yield (
                f"the basis is {item.basis}, but the quote is neither the user's nor the agent's"
                " to whom they agreed; quote them, or name another basis"
            )

    def _of_quotations(self, item: Item) -> Iterable[str]:
        for words in self.misquoted(f"{item.title}.\n{item.body}"):
            yield (
                f"{words[:80]!r} is quoted as the user's, but is in no record of theirs, word for"
                " word; quote them exactly, or leave the quotation out"
            )

    def _roles(self, numbers: Iterable[int]) -> set[Role]:
        return {line.record.role for number in numbers for line in self.numbered[number]}

    def _quoted_in(self, quote: str, first: Iterable[int]) -> list[int]:
        """Return a list with the number of the record that contains a quote, empty if none does.

        The records that the memory cites (`first`) are searched before all others. A quote that
        spans several cited records counts as contained in the first cited record. A quote that is
        too short is not searched for.
        """
        pieces = [plain for piece in _GAP.split(quote) if (plain := folded(piece))]
        if sum(map(len, pieces)) < _SHORTEST_QUOTE:
            return []
        cited = list(first)
        for numbers in (cited, self._folded):
            found = [
                number
                for number in numbers
                if all(piece in self._folded[number] for piece in pieces)
            ]
            if found:
                return found[:1]
        together = "".join(self._folded[number] for number in sorted(cited))
        return sorted(cited)[:1] if all(piece in together for piece in pieces) else []

    def _of_names(self, item: Item) -> Iterable[str]:
        text = f"{item.title}\n{item.body}"
        exact = [(url, [url.rstrip(".,;:")]) for url in _URL.findall(text)]
        exact += [
            (command, command.split()) for command in _COMMAND.findall(text) if _looks_run(command)
        ]
        # a command may be shortened (`gh pr edit 12 --body`), so its words are checked one by one
        for one, parts in exact:
            if any(folded(part) not in self._all for part in parts):
                yield (
                    f"{one!r} does not occur in the {self._what}; write it as it does, or leave it"
                    " out"
                )
        names = identifiers(item.title, item.body)
        strange = [name for name in names if folded(name) not in self._all]
        if len(strange) >= _FEW and len(strange) > _STRANGE * len(names):
            yield f"these names do not occur in the {self._what}: {', '.join(strange[:8])}"


def _of_text(item: Item) -> Iterable[str]:
    title, body = item.title.strip(), item.body.strip()
    if not title or len(title) > TITLE_LIMIT or "\n" in title:
        yield f"the title must be one line of at most {TITLE_LIMIT} characters"
    if len(body) < len("It is."):
        yield "the body is missing"
    elif len(body) > BODY_LONGEST:
        yield f"the body has {len(body)} characters; 1 to 4 sentences are wanted"


def _looks_run(command: str) -> bool:
    """Return whether text in backticks is a command line that could be run unchanged."""
    return bool(re.match(r"(?:sudo |\./|[a-z][\w.-]+ +(?:-|[a-z]+\b))", command)) and not re.search(
        r"<[^>]+>|…|\.\.\.|[{}]", command
    )


def distinct(items: Sequence[Item]) -> list[Item]:
    """Return the memories without those that have the same title as an earlier one."""
    found: dict[str, Item] = {}
    for item in items:
        found.setdefault(folded(item.title), item)
    return list(found.values())
