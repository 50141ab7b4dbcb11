"""Find command lines in a text, and tell which ones stay inside this repository.

Such commands build, test or read; they send and fetch nothing. A tool that can reach the network
is not trusted as a whole: only the subcommands that are known to stay local are allowed.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile

from git_lerim.memories.checks.commands.arguments import (
    Below,
    Repository,
    is_package_here,
    is_steered,
    is_tracked,
    is_unsafe,
    names_what_is_here,
    plain,
    publishes,
    runs_targets,
    script_of,
    sources,
    takes_code,
)
from git_lerim.memories.checks.commands.known_options import (
    PLAIN_OPTIONS,
    UNSAFE_ANY,
)
from git_lerim.memories.checks.commands.known_tools import (
    AGAIN,
    AMBIGUOUS,
    ANY,
    ARGUMENT,
    CLIENTS,
    FAILS,
    FETCHERS,
    FETCHES,
    FORBIDS,
    GOALS,
    HERE,
    IGNORED,
    INTERPRETERS,
    KEYWORD,
    LOCAL,
    MARKED,
    MODULES,
    MOST_ARGUMENTS,
    OTHERS,
    OUTPUT,
    OUTSIDE,
    PARTS,
    PATH,
    PUBLISHING,
    QUOTED,
    REACHING,
    RUN_MODULES,
    RUNNERS,
    RUNNING,
    RUNS,
    SCRIPTS,
    SETTING,
    SHAPE,
    SMALL,
    STEERING,
    UNMARKED,
    VARIABLE,
    VERSIONS,
    WANTS,
)
from git_lerim.memories.checks.disguise import HOST

_BEFORE, _AFTER = 200, 400  # characters searched before a command for a ban, after it for a failure
_LONGEST_RUNNING = 30  # characters: enough for any match of RUNNING and the character before it
Runs = Callable[[str], bool]  # tells whether a command stays inside the repository


def stray(sentences: Iterable[str], around: str, runs: Runs) -> str | None:
    """Return why sentences are withheld for a command that leaves the repository, or None.

    Such a command is harmless if its sentence forbids it, or if the sentence says that the command
    failed and `around`, the whole text, does not say to run it again. `runs` returns whether a
    command stays inside the repository.
    """
    again: bool | None = None  # searched at most once, because the text may be long
    for sentence in sentences:
        for start, end, command in commands_in(sentence):
            if runs(command) or FORBIDS.search(sentence[max(0, start - _BEFORE) : start]):
                continue
            if again is None:
                again = AGAIN.search(around) is not None
            if again or not FAILS.match(sentence[end : end + _AFTER]):
                return "asks to run something that is not in this repository"
    return None


def commands_in(sentence: str) -> Iterator[tuple[int, int, str]]:
    """Yield the start, end and text of each command line in a sentence."""
    for found in MARKED.finditer(sentence):
        command = (found[1] or found[2]).strip().removeprefix("$ ")
        if _is_command(command, is_run=bool(found[2] or _is_to_run(sentence, found.start()))):
            yield found.start(), found.end(), command
    plain = MARKED.sub(lambda found: "`" * len(found[0]), sentence)
    for found in UNMARKED.finditer(plain):
        program, arguments = found[1], found[2].split()
        is_run = _is_to_run(plain, found.start(1))
        flagged = (
            program.islower()
            and any(word.startswith("-") for word in arguments)
            and not sentence[: found.start(1)].strip()
        )
        if flagged or _is_named(program, *(arguments or ("",))[:2], is_run=is_run):
            shown = list(takewhile(lambda word: word not in SMALL, arguments))[
                : 1 if program in RUNNERS else None
            ]
            if len(shown) == MOST_ARGUMENTS:
                shown.append(HOST)  # more arguments follow unread, and may name any address
            yield found.start(1), found.end(2), " ".join((program, *shown)).rstrip(".:")


def _is_to_run(sentence: str, start: int) -> bool:
    """Return whether the words before a position order the reader to run what follows."""
    before = sentence[:start]
    words = before.rstrip()
    return words != before and RUNNING.search(words[-_LONGEST_RUNNING:] + " ") is not None


def _is_command(text: str, *, is_run: bool) -> bool:
    if not SHAPE.fullmatch(text) or KEYWORD.match(text):
        return False
    program, _, rest = text.partition(" ")
    if is_run or PATH.fullmatch(program):
        return is_run or "/" in program
    if program[0].isupper():
        return ARGUMENT.search(text) is not None
    return bool(rest) and (
        _is_known(program) or rest.split()[0] in PUBLISHING or ARGUMENT.search(text) is not None
    )


def _is_named(program: str, argument: str, second: str = "", *, is_run: bool) -> bool:
    """Return whether a program's name in prose and the words after it are a command."""
    if "." in program or "/" in program:
        return is_run
    if not argument or argument in SMALL or argument[0].isdigit() or not program.islower():
        return False
    asks = (argument in REACHING and second not in {"is", "are", "was", "were"}) or re.search(
        r"^-|[./@:]", argument
    ) is not None
    if program in AMBIGUOUS:
        return argument in REACHING or argument.startswith("-") or (is_run and program in RUNNERS)
    return program in FETCHERS or (asks and _is_known(program))


def _is_known(program: str) -> bool:
    return program in LOCAL or program in OTHERS or program in RUNNERS or program in INTERPRETERS


def is_own(command: str, repository: Repository) -> bool:
    """Return whether all parts of a command line stay inside a repository."""
    while found := VARIABLE.match(command):
        if STEERING.search(found[1]) or not SETTING.fullmatch(f"{found[1]}={found[2]}"):
            return False
        command = command[found.end() :]
    if IGNORED.search(command) or ">" in QUOTED.sub("", OUTPUT.sub("", command)):
        return False
    command = OUTPUT.sub(lambda found: found[0] if found[1] else "", command)
    for whole in filter(None, PARTS.split(command.strip())):
        outputs, part = OUTPUT.findall(f" {whole}"), OUTPUT.sub("", f" {whole}").strip()
        outputs += part.split()[1:] if part.startswith("tee ") else []
        if any(is_tracked(path, repository) for path in outputs if path):
            return False
        words = _words(part)
        # the script of these tools may begin with a slash
        spelled = part.split() if part.startswith(("sed ", "awk ", "grep ", "rg ")) else words
        if any(map(OUTSIDE.search, spelled)) or not _is_local(words, repository):
            return False
        if words[:1] == ["cd"]:
            repository = Below(repository, words[-1])
    return True


def _words(part: str) -> list[str]:
    """Split a command into words as a shell does."""
    try:
        return shlex.split(part)
    except ValueError:  # a quotation mark is missing
        return part.replace('"', "").replace("'", "").split()


def _is_local(words: list[str], repository: Repository) -> bool:
    if not words:
        return True
    if words[:2] == ["coverage", "run"]:
        return _is_interpreter_local("coverage", words[2:], repository)
    for runner in (*RUNS, *FETCHES):
        size = len(runner.split())
        if words[:size] == runner.split():
            return _runs_own(words[size:], repository, fetches=runner in FETCHES)
    return _is_program_local(words[0], words[1:], repository)


def _runs_own(words: list[str], repository: Repository, *, fetches: bool) -> bool:
    while words and words[0] in PLAIN_OPTIONS:
        words = words[1:]
    if not words or words[0].startswith("-") or (fetches and not repository.declares(words[0])):
        return not words
    return _is_local(words, repository)


def _is_program_local(program: str, rest: list[str], repository: Repository) -> bool:
    if program == "cd":
        return len(rest) == 1 and is_tracked(rest[0], repository)
    if program in RUNNERS:
        return runs_targets(program, rest, repository)
    if program in INTERPRETERS:
        return _is_interpreter_local(program, rest, repository)
    return (
        names_what_is_here(program, rest, repository)
        and not is_steered(program, rest, repository)
        and _is_request_local(program, rest, repository)
    )


def _is_interpreter_local(program: str, rest: list[str], repository: Repository) -> bool:
    """Return whether an interpreter runs a script, a module or a known tool of the repository."""
    words = script_of(program, rest)
    if words[:1] == ["-m"] and words[1:] and program in RUN_MODULES:
        module, folder = words[1], words[1].replace(".", "/")
        if module in LOCAL:
            return _is_program_local(module, words[2:], repository)
        is_here = repository.is_here(f"{folder}.py") or repository.is_here(folder)
        is_known = is_here or module in MODULES or repository.declares(module)
    else:
        is_known = rest in VERSIONS or (bool(words) and repository.is_here(plain(words[0])))
    return is_known and names_what_is_here(program, rest, repository)


def _is_request_local(program: str, rest: list[str], repository: Repository) -> bool:
    named = [word for word in rest if not word.startswith("-")]
    first = named[0] if named else ""
    if (program in SCRIPTS and first not in LOCAL[program]) or [program, first] == [
        "deno",
        "task",
    ]:
        target = named[1] if first in {"run", "task"} and named[1:] else first
        return repository.has_target(program, target) or not target
    if program in CLIENTS:
        return any(HERE.search(word) for word in named)
    if program in LOCAL:
        return _is_subcommand_local(program, named, rest, repository)
    is_here = repository.is_here(plain(program)) or repository.declares(program)
    return is_here and not publishes(program, named)


def _is_subcommand_local(
    program: str, named: list[str], rest: list[str], repository: Repository
) -> bool:
    """Return whether the subcommand of a known tool stays inside the repository."""
    first, targets = (named or [""])[0], named[1:]
    is_any = LOCAL[program] == ANY
    counts = is_any or program in GOALS
    if not UNSAFE_ANY.isdisjoint(rest) or (counts and publishes(program, named)):
        return False
    if is_any:
        return True
    if first == "install":  # allowed only for what the project names, not for what the text names
        from_here = all(is_package_here(target, repository) for target in targets)
        some = bool(targets) or not program.startswith("pip")
        return from_here and some and not is_unsafe(program, rest)
    if first == "run" and program == "go":
        return bool(targets) and is_package_here(targets[0], repository)
    if first in WANTS and not targets:
        return True  # the text only mentions the subcommand
    named_as = sources(rest) if first == "restore" else []
    reaches = program == "git" and takes_code(first, [*targets, *named_as], repository)
    goals = named if program == "mvn" else named[:1]
    return LOCAL[program].issuperset(goals) and not reaches and not is_unsafe(program, rest)
