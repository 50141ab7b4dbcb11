"""Hold back other people's memories that could make an agent do harm.

Harmful memories are those that tell an agent to send data, hide something or skip a check.
"""

import os
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import Trees
from git_lerim.git.repo import Place, private_folder
from git_lerim.memories import naming
from git_lerim.memories.checks.injection_rules import OTHERS_VERSION, VERSION
from git_lerim.memories.memory import Memory
from git_lerim.private_files import OURS, read_text
from git_lerim.storage.reading import read_blob
from git_lerim.storage.trust.head_code import HeadCode
from git_lerim.storage.trust.other_texts import beside

RULES = f"rules {VERSION}.{OTHERS_VERSION}"
_SAVED = 200  # verdicts that are saved at once
_ANSWERS = "code"  # begins a row that says what verdicts depend on besides the memory


class Judge:
    """A judge of the files in one repository's store; each version is judged only once."""

    def __init__(self, place: Place, objects: Objects, files: Trees | None = None) -> None:
        """Prepare to judge, without reading anything yet.

        `objects` holds the code of HEAD; `files` holds the memories if they are elsewhere.
        """
        self._place = place
        self.code = HeadCode(place, objects)
        self._files = files or objects
        self._unsaved: list[str] = []

    def reason(self, blob: str) -> str:
        """Return why a person must accept a file before an agent sees it, or an empty string.

        When many files are judged, results are saved on the way: a hook that judges fetched files
        may be killed by its time limit, and the next hook continues from there.
        """
        if blob not in self._reasons:
            memory = read_blob(self._files, blob)
            self.code.about = blob
            self._reasons[blob] = self.doubts(memory) if isinstance(memory, Memory) else ""
            self._unsaved.append(f"{blob} {self._reasons[blob]}\n")
            if len(self._unsaved) == _SAVED:
                self._save()
        return self._reasons[blob]

    def id_of(self, path: str, blob: str) -> str | None:
        """Return the id of a file: from its path or, for a summary, from the file itself."""
        if (found := naming.id_in(path)) or not blob:
            return found
        memory = read_blob(self._files, blob)
        return memory.id if isinstance(memory, Memory) else None

    def finish(self) -> None:
        """Delete the saved results; call this when the commit to hand out has been recorded."""
        with suppress(OSError):
            self._saved.unlink()

    @cached_property
    def _reasons(self) -> dict[str, str]:
        with suppress(OSError):
            first, *rows, _ = read_text(self._saved, OURS).split("\n")  # the last may be cut off
            found = {blob: reason for blob, _, reason in (row.partition(" ") for row in rows)}
            if first == RULES:
                return self.code.current(found, found.pop(_ANSWERS, ""))
        return {}

    def _save(self) -> None:
        rows, self._unsaved = self._unsaved, []
        goes_on = len(self._reasons) > len(rows)
        flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        flags |= os.O_APPEND if goes_on else os.O_TRUNC
        with suppress(OSError):
            private_folder(self._place.own_dir)
            with os.fdopen(os.open(self._saved, flags, 0o600), "w", encoding="utf-8") as file:
                # the answers come first, because the end may be cut off
                rows = [f"{_ANSWERS} {self.code.asked(self._reasons)}\n", *rows]
                file.write("".join(rows if goes_on else [f"{RULES}\n", *rows]))

    @property
    def _saved(self) -> Path:
        return self._place.own_dir / "judged"

    def doubts(self, memory: Memory) -> str:
        """Return why somebody else's memory must be withheld, or an empty string.

        All its texts are judged, not only its title and body.
        """
        # most runs judge nothing
        from git_lerim.memories.checks.orders_of_others import doubts  # noqa: PLC0415

        return doubts(memory.title, memory.body, beside(memory), runs=self.is_own) or ""

    def is_own(self, command: str) -> bool:
        """Return whether all parts of a command line stay inside this repository."""
        from git_lerim.memories.checks.commands.command_lines import is_own  # noqa: PLC0415

        return is_own(command, self.code)
