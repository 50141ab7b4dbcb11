"""Find a log in a prompt by the words that announce it: `why does it fail? log:`."""

import re

_LOG = (
    r"(?:logs?|output|stdout|stderr|stack ?trace|traceback|trace|console|"
    r"(?:error|warning)(?: message)?)"
)
# the last words of a line, behind the end of a sentence or clause
_ANNOUNCES = re.compile(
    r"(?:^|[.?!,;(–—-] )(?P<clause>(?:and |but )?(?:(?:here (?:is|are)|here['’]s|this is|from|"
    r"(?:i|we) (?:get|got|see)|(?:it|[\w-]+) (?:says?|prints?|shows?|logs?)|"
    r"the [\w.-]+ (?:says?|prints?|shows?|logs?)|(?:see|look at|check|read)) )?"
    r"(?:(?:(?:the|this|that|my|our|its|some|full) )+(?:[\w.-]+ ){0,2}|"
    r"(?:(?:server|build|test|ci|app|docker|npm|compiler|linter|debug|access|error|console) )+)?"
    rf"{_LOG}(?: (?:says|(?:of|from) [\w./-]+))?[:：])\s*$",
    re.IGNORECASE,
)
# what only programs write at the beginning of a line, also behind `log:`
_LEVEL = r"\[?(?:ERROR|FATAL|WARN(?:ING)?|INFO|DEBUG|TRACE)\b\]?"
_LOGGED = re.compile(
    rf"(?i:(?:the )?{_LOG}): *(?:{_LEVEL}|\d{{2,4}}[-:]\d|File \"|Traceback|at \S+ \()|"
    r".{0,200}?\b[A-Z]\w+Warning: "
)


def announced(line: str) -> int:
    """Return where the words begin that announce a log below a line, or -1 if none do."""
    found = _ANNOUNCES.search(line)
    return found.start("clause") if found else -1


def is_logged(text: str) -> bool:
    """Return whether a program wrote a line or sentence: `log: ERROR …`, `UserWarning: …`."""
    return _LOGGED.match(text) is not None


def without_logs(lines: list[str]) -> list[str]:
    """Return lines, with those of the paragraph below an announcement replaced by empty lines."""
    kept: list[str] = []
    begins = inside = False  # the log may begin after an empty line, and ends at the next one
    for line in lines:
        inside = bool(line.strip()) and (inside or begins)
        kept.append("" if inside else line)
        begins = (begins and not line.strip()) or announced(line) >= 0
    return kept
