"""Recognize the prompts of shells and of other programs that show a command and its output."""

import re

# prose after a `$` or `%` that is the subject of a sentence: `$ is the name of jQuery here.`
PROSE = r"[ \t]+(?:is|are|was|means|stands|of|for|in|must|should|has|as)\b.*\w[.!]$"
_ENVIRONMENT = r"(?:\([\w. -]{1,40}\) )?"  # `(venv) $ make`
_MARK = rf"[$%#>❯](?!{PROSE}) *"
# Only a program writes these: `ada@host repo % make`, `bash-5.1# make`, `> app@1.0.0 build`
_PROMPT = re.compile(
    rf"{_ENVIRONMENT}(?:[$%>❯➜#] *(?:cat|bat|less|more|head|tail|type|curl|wget|gh|"
    r"git (?:show|log|diff))\b|[❯➜] +\S+ git:\(|"
    rf"(?:[\w.-]+@[\w.-]+(?::\S*| [~/]\S*)?|\[[\w.-]+@[^\]\n]{{1,60}}\]){_MARK}[a-z./~]|"
    rf"[\w.-]+@[\w.-]+ [\w.~/-]+ (?:\([^)\n]{{1,40}}\) ?)?{_MARK}[a-z./~]|"
    rf"[a-z]*sh-\d[\d.]*{_MARK}[a-z./~]|(?:PS )?[A-Z]:\\[^>\n]{{0,80}}> *[a-z])|"
    r">>> (?:[\w.]+(?:\(|\[| ?=)|(?:import|from|for|with|def|print) )|(?:In|Out) ?\[\d+\]: \S|"
    r"> (?:@[\w.-]+/)?[\w.-]+@\d\S* \S+$",
    re.IGNORECASE,
)
# a command at the prompt of a shell; the lines below are its output
_TYPED = re.compile(rf"{_ENVIRONMENT}(?:[~/][\w./~-]* ?)?[$%❯➜](?!{PROSE}) +[\w./~]")
_COMMAND = (
    r"(?:(?-i:[pc]?npm|npx|yarn|bun|deno|node|pip3?|uv|python3?|pytest|mypy|ruff|eslint|"
    r"tsc|git|gh|cargo|docker|kubectl|gradle|mvn|go (?:build|run|test|vet)|make [\w-]+)\b)"
)
# `npm install output:`, `stderr of git push:`, `I ran make test and got:`
_ANNOUNCED = re.compile(
    rf"{_COMMAND}[^:\n]{{0,60}} (?:output|stdout|stderr|logs?|result)[:：]$|"
    r"(?:the )?(?:output|stdout|stderr|logs?|result) (?:of|from) "
    rf"(?:`|{_COMMAND})[^:\n]{{0,60}}[:：]$|"
    rf"(?:(?:(?:when|if) )?(?:I |we )?(?:just )?(?:r[au]n|running)\b|{_COMMAND}"
    r"(?![^:\n]* (?:always|never|must|should)\b))[^:,\n]{1,80}\b"
    r"(?:got|gives?|shows|prints|outputs|returns)(?: me| us)?(?: this| that| the following)?"
    r"[:：]$",
    re.IGNORECASE,
)
# the name of a stream on a line of its own, or a command that shows a file, without a `$`
_UNMARKED = re.compile(
    r"(?:(?:test|build|console|terminal|linter|compiler|command) )?output$|std(?:out|err)$|"
    r"(?:cat|bat|less|head|tail)(?: -\S+| \d+)* (?:[\w.~-]*/)*[\w-][\w.-]*\.\w{1,5}$",
    re.IGNORECASE,
)
# `it fails on Safari. console says`
_PROGRAM_SAYS = re.compile(
    rf"(?:.*[.!?;,–-] )?(?:and |but )?(?:the |my |our |its )?(?:{_COMMAND}|console|terminal|shell|"
    r"logs?|ci|tests?|build|compiler|linter|type ?checker|server|browser|devtools|error|output|"
    r"(?:stack ?)?trace|logcat|sentry)(?: log| output| message| console)? "
    r"(?:says?|said|reads|shows?|prints?|gives?)[:：]?$",
    re.IGNORECASE,
)


def names_output(line: str) -> bool:
    """Return whether a line says that what stands below it was printed by a program."""
    return announces_output(line) or _PROGRAM_SAYS.match(line) is not None


def announces_output(line: str) -> bool:
    """Return whether a line says that the output of a command stands below it."""
    return _ANNOUNCED.match(line) is not None or _UNMARKED.match(line) is not None


def is_prompt(line: str) -> bool:
    """Return whether only a program writes such a line, so that all below it is output."""
    return _PROMPT.match(line) is not None


def is_command(line: str) -> bool:
    """Return whether a line is a command behind a `$` or the like, as users write it, too."""
    return _TYPED.match(line) is not None
