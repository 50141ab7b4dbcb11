"""Find command lines in a text, and tell which ones stay inside this repository.

Those build, test or read; they send and fetch nothing. No tool is trusted as a whole: of one that
can reach the network, only subcommands that are known not to are allowed.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import Protocol

from git_lerim.memories.checks.disguise import HOST

_words = re.compile(r"\S+").findall
_ANY = frozenset("*")
# What each program may be asked to do; `*`: all, because it only builds, checks and looks.
_LOCAL = {
    program: frozenset(_words(subcommands))
    for programs, subcommands in {
        "git": (
            "status diff log show gc fsck blame ls-files ls-tree read-tree rev-parse rev-list"
            " branch stash worktree bisect checkout switch restore reset add commit merge rebase"
            " cherry-pick revert tag grep clean rm mv init describe reflog fetch pull"
        ),
        "go": "build test vet fmt mod generate list version env doc clean run",
        "cargo": "build test check clippy fmt run bench doc clean tree nextest",
        "dotnet swift flutter dart": "build test run restore format clean analyze",
        "mvn": "clean validate compile test package verify",
        "cabal stack": "build test run repl bench clean",
        "mix": "test format compile deps.get",
        "bundle composer": "install check test validate dump-autoload",
        "poetry pdm uv hatch": "install sync lock build check test fmt",
        "pip pip3": "install list show check freeze",
        "npm pnpm yarn bun": "ci install test start",
        "docker": "compose build ps logs",
        "bazel deno": "build test fmt lint check clean",
        "pre-commit": "run install validate-config",
        "pytest tox nox ruff mypy black isort flake8 pylint coverage tsc eslint prettier jest vitest rspec rubocop phpunit rake": (  # noqa: E501
            "*"
        ),
        "rustc gcc clang javac java ninja ctest cmake meson gradle golangci-lint gofmt lint-imports sphinx-build mkdocs": (  # noqa: E501
            "*"
        ),
        "ls grep rg find diff cat sed awk head tail wc sort cd echo true tee mkdir touch which pwd time set sleep printf exit": (  # noqa: E501
            "*"
        ),
    }.items()
    for program in _words(programs)
}
# Programs that run another one, which is judged in their place; those of the second kind fetch what
# is not declared here.
_RUNS = (
    "uv run",
    "poetry run",
    "pdm run",
    "pipenv run",
    "hatch run",
    "bundle exec",
    "git bisect run",
    "time",
)
_FETCHES = (
    "npx",
    "pnpm exec",
    "npm exec",
    "yarn exec",
    "bunx",
    "uvx",
    "uv tool run",
    "pipx run",
    "pnpm dlx",
    "yarn dlx",
)
_PLAIN_OPTIONS = frozenset(
    _words(
        "-q -s --quiet --frozen --locked --no-sync --dev --all-extras --all-groups --no-install"
        " --silent --"
    )
)
_RUNNERS = ("make", "just", "task")
_SCRIPTS = ("npm", "pnpm", "yarn", "bun")
_INTERPRETERS = ("bash", "sh", "zsh", "python", "python3", "node", "ruby", "perl", "deno", "php")
_CLIENTS = ("curl", "wget", "http")
_HERE = re.compile(r"^(?:https?://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?:[:/]|$)")
_MODULES = frozenset(("unittest", "doctest", "compileall", "venv", "timeit", "json.tool", "build"))
# Programs that reach out, by name, for texts that do not mark a command as one; of the first few
# any use of the name is a command.
_FETCHERS = ("npx", "uvx", "bunx", "pipx", "sudo")
_OTHERS = frozenset(
    _words(
        "gem curl wget nc ssh scp rsync eval exec chmod chown rm dd kubectl helm terraform brew apt"
        " apt-get dnf yum pacman apk snap choco winget conda mamba nix cpan cpanm luarocks opam"
        " rustup gh glab aws gcloud az twine ansible-galaxy claude code"
    )
).union(_FETCHERS)
# Words of English, too: a command only with what is asked of it.
_AMBIGUOUS = frozenset(
    _words(
        "go make just task mix stack code find sort time true head tail which touch cd nix snap"
        " echo diff node eval exec set sleep exit"
    )
)
_REACHING = frozenset(
    _words(
        "install i add get publish push clone upload deploy apply release login require"
        " archive.install global plugin mcp run exec shell dlx config remote submodule gh-deploy"
        " self tool"
    )
)
_PUBLISHING = frozenset(
    ("publish", "push", "upload", "deploy", "release", "gh-deploy", "install", "add", "login")
)
_WANTS = frozenset(
    (
        "i",
        "add",
        "get",
        "clone",
        "run",
        "exec",
        "dlx",
        "tool",
        "self",
        "remote",
        "submodule",
        "config",
    )
)
_SMALL = frozenset(
    _words(
        "is was are were and or in on for from because has have needs picks fails failed the a an"
        " to which but over instead as at of with than that it its does do not can cannot will must"
        " should may when where so broke breaks rewrote hangs hung"
    )
)
_OUTSIDE = re.compile(
    rf"{HOST}|^[<>]*(?:/(?!/|dev/null)|~|\.\.(?:/|$))|\w@[\w^~-]|^\w+::|\$\(|\$\{{?[A-Z]|`|<\(|<<|^git\+"
)
_UNSAFE = frozenset(
    _words(
        "-c -x -C -exec -toolexec -vettool --exec --ext-diff --textconv --output --upload-pack"
        " --no-verify --no-gpg-sign -g --global --registry -i --index-url --extra-index-url"
    )
)
_VARIABLE = re.compile(r"\s*([A-Z_][A-Z0-9_]*)=([\w.,+/|-]*)(?:\s|$)")
_STEERING = re.compile(
    r"^(?:GIT_|LD_|DYLD_|HUSKY|SKIP)|OPT(?:ION)?S$|INDEX|PROXY|REGISTRY|VERIFY|REJECT"
)
_OUTPUT = re.compile(r"\s\d?>{1,2}\s*(?:&\d|/dev/null|(?![/~.])[\w./-]+)(?=\s|$)")
_PARTS = re.compile(r"\s*(?:&&|\|\||[;|])\s*")

_MARKED = re.compile(r"`([^`\n]{2,300})`|(?:^|\n)\$ (.+)")
_RUNNING = re.compile(
    r"\b(?:run|running|execute|invoke|source|call|launch|start|type)(?: the| a)?\s+\Z",
    re.IGNORECASE,
)
_SHAPE = re.compile(
    r"(?:\$ )?(?:[A-Z_]+=\S* )*(?:\.{0,2}/|~/)?[a-zA-Z][\w.+-]*(?:/[\w.+-]+)*(?: [^\s(){}=;].*)?"
)
_KEYWORD = re.compile(
    r"(?:import|from|async|await|def|class|return|const|let|var|type|public|private|static|new|"
    r"yield|if|for|else|not|is|in|select|order|group|where|null|no|cannot|error|except|raise|"
    r"throw|while|with|as|function)\b|[\w-]+: "
)
_ARGUMENT = re.compile(rf"\s(?:--?[a-zA-Z]|[\"']|\S+@\S|(?:\.{{1,2}}|~)?/\S|{HOST})")
_PATH = re.compile(r"(?:\.{1,2}/|~/|/)[\w.-]+\S*|\S+\.(?:sh|ps1|bat)")
_UNMARKED = re.compile(
    r"(?:^[-*>•#\s\d.)]*|[.:;,—(]\s*|\b(?:run|running|execute|invoke|source|use|using|with|via|by|"
    r"do|call|then|and|through|is|to|of)\s+)(?=((?:\.{0,2}/)?[\w./-]+\.(?:sh|py|js|ts|rb|pl|ps1|"
    r"bat)\b|\./\S+|[a-z][a-z0-9-]+)((?: [^\s,;()]+)*))",
    re.IGNORECASE,
)


# How a sentence says that a command is not to be run, or of no use.
_FORBIDS = re.compile(
    r"(?:\b(?:never|not|don[’']t|avoid|instead of|rather than|no longer|nor)(?: (?:use|using|run|"
    r"running|call|push|commit|do|with|plain|bare|a|the|to))* |\b(?:before|after) (?:each |every |"
    r"a |the |you )?(?=`?git push`?(?:$|[\s,.;]*$|, )))[`]?$",
    re.IGNORECASE,
)
_FAILS = re.compile(
    r"`?(?: \w[\w.]*){0,4}? (?:fails|failed|breaks|broke|hangs|hung|errors|crashe[sd]|rewrote|"
    r"overwrites|overwrote|times out|timed out|does not|doesn[’']t|cannot|(?:was|is|"
    r"were) (?:not available|slow|wrong|broken|removed|dropped|rejected|replaced|superseded|not|"
    r"forbidden|blocked|the reason)|picks the wrong|printed nothing|only prints|prints nothing)\b"
)
_AGAIN = re.compile(
    r"\b(?:run|use|try|start|repeat|rerun|retry) (?:it|that|this|them|again|twice|the command)\b",
    re.IGNORECASE,
)


class Repository(Protocol):
    """What a repository knows about its own commands."""

    def is_here(self, path: str) -> bool:
        """Tell whether git tracks a path."""

    def has_target(self, runner: str, target: str) -> bool:
        """Tell whether a Makefile or the like defines a target, or package.json a script."""

    def declares(self, tool: str) -> bool:
        """Tell whether the project declares a tool as a dependency or builds it."""


Runs = Callable[[str], bool]  # tells whether a command keeps to the repository


def stray(sentences: Iterable[str], around: str, runs: Runs) -> str | None:
    """Return a reason to hold back sentences with a foreign command, unless they warn of it."""
    for sentence in sentences:
        for start, end, command in commands_in(sentence):
            if runs(command) or _FORBIDS.search(sentence[:start]):
                continue
            if not _FAILS.match(sentence[end:]) or _AGAIN.search(around):
                return "orders to run what is not in this repository"
    return None


def commands_in(sentence: str) -> Iterator[tuple[int, int, str]]:
    """Yield the command lines of a sentence with their positions."""
    for found in _MARKED.finditer(sentence):
        command = (found[1] or found[2]).strip().removeprefix("$ ")
        if _is_command(
            command, is_run=bool(found[2] or _RUNNING.search(sentence[: found.start()]))
        ):
            yield found.start(), found.end(), command
    plain = _MARKED.sub(lambda found: "`" * len(found[0]), sentence)
    for found in _UNMARKED.finditer(plain):
        program, arguments = found[1], found[2].split()
        is_run = _RUNNING.search(plain[: found.start(1)]) is not None
        flagged = (
            not sentence[: found.start(1)].strip()
            and program.islower()
            and any(word.startswith("-") for word in arguments)
        )
        if flagged or _is_named(program, *(arguments or ("",))[:2], is_run=is_run):
            shown = list(takewhile(lambda word: word not in _SMALL, arguments))[
                : 1 if program in _RUNNERS else None
            ]
            yield found.start(1), found.end(2), " ".join((program, *shown)).rstrip(".:")


def _is_command(text: str, *, is_run: bool) -> bool:
    if not _SHAPE.fullmatch(text) or _KEYWORD.match(text):
        return False
    program, _, rest = text.partition(" ")
    if is_run or _PATH.fullmatch(program):
        return is_run or "/" in program
    if program[0].isupper():
        return _ARGUMENT.search(text) is not None
    return bool(rest) and (
        _is_known(program) or rest.split()[0] in _PUBLISHING or _ARGUMENT.search(text) is not None
    )


def _is_named(program: str, argument: str, second: str = "", *, is_run: bool) -> bool:
    """Tell whether words of prose are a command, by the program and its subcommand."""
    if "." in program or "/" in program:
        return is_run
    if not argument or argument in _SMALL or argument[0].isdigit() or not program.islower():
        return False
    asks = (argument in _REACHING and second not in {"is", "are", "was", "were"}) or re.search(
        r"^-|[./@:]", argument
    ) is not None
    if program in _AMBIGUOUS:
        return argument in _REACHING or argument.startswith("-") or (is_run and program in _RUNNERS)
    return program in _FETCHERS or (asks and _is_known(program))


def _is_known(program: str) -> bool:
    return (
        program in _LOCAL or program in _OTHERS or program in _RUNNERS or program in _INTERPRETERS
    )


def is_own(command: str, repository: Repository) -> bool:
    """Tell whether all parts of a command line stay inside a repository."""
    while found := _VARIABLE.match(command):
        if _STEERING.search(found[1]) or found[2].startswith("/"):
            return False
        command = command[found.end() :]
    parts = _PARTS.split(_OUTPUT.sub("", command).strip())
    return all(_is_local(part.split(), repository) for part in parts if part)


def _is_local(words: list[str], repository: Repository) -> bool:
    if any(_OUTSIDE.search(word) for word in words):
        return not words
    if not words:
        return True
    for runner in (*_RUNS, *_FETCHES):
        size = len(runner.split())
        if words[:size] == runner.split():
            return _runs_own(words[size:], repository, fetches=runner in _FETCHES)
    return _is_program_local(words[0], words[1:], repository)


def _runs_own(words: list[str], repository: Repository, *, fetches: bool) -> bool:
    while words and words[0] in _PLAIN_OPTIONS:
        words = words[1:]
    if not words or words[0].startswith("-") or (fetches and not repository.declares(words[0])):
        return not words
    return _is_local(words, repository)


def _is_program_local(program: str, rest: list[str], repository: Repository) -> bool:
    named = [word for word in rest if not word.startswith("-")]
    first = named[0] if named else ""
    if program in _RUNNERS:
        return all(repository.has_target(program, target) for target in named) and not _is_unsafe(
            rest
        )
    if (program in _SCRIPTS and first not in _LOCAL[program]) or [program, first] == [
        "deno",
        "task",
    ]:
        target = named[1] if first in {"run", "task"} and named[1:] else first
        return repository.has_target(program, target) or not target
    if program in _CLIENTS:
        return any(_HERE.search(word) for word in named)
    if program in _LOCAL:
        return _asks_only_local(program, named, rest, repository)
    if program in _INTERPRETERS:
        return _is_script_here(rest, named, repository)
    return (
        repository.is_here(program.removeprefix("./")) or repository.declares(program)
    ) and first not in _PUBLISHING


def _asks_only_local(
    program: str, named: list[str], rest: list[str], repository: Repository
) -> bool:
    """Tell whether a known tool is only asked to stay inside the repository."""
    first, targets = (named or [""])[0], named[1:]
    if _LOCAL[program] == _ANY:
        return first not in _PUBLISHING
    if first == "install":  # what is installed is named by the project, not by whoever wrote this
        from_here = all(
            target.startswith(".") or (re.search(r"[./]", target) and repository.is_here(target))
            for target in targets
        )
        return from_here and bool(targets or not program.startswith("pip")) and not _is_unsafe(rest)
    if first == "run" and program == "go":
        return bool(targets) and (targets[0].startswith(".") or repository.is_here(targets[0]))
    if first in _WANTS and not targets:
        return True  # no more than its name
    reaches = (
        program == "git" and first in {"fetch", "pull"} and any(":" in target for target in targets)
    )
    goals = named if program == "mvn" else named[:1]
    return _LOCAL[program].issuperset(goals) and not reaches and not _is_unsafe(rest)


def _is_unsafe(rest: list[str]) -> bool:
    return any(word.partition("=")[0] in _UNSAFE for word in rest)


def _is_script_here(rest: list[str], named: list[str], repository: Repository) -> bool:
    if "-m" in rest:
        module = next(iter(rest[rest.index("-m") + 1 :]), "")
        folder = module.replace(".", "/")
        known = module in _MODULES or _LOCAL.get(module) == _ANY or repository.declares(module)
        return known or repository.is_here(f"{folder}.py") or repository.is_here(folder)
    return (
        bool(named)
        and not _is_unsafe(rest)
        and "-e" not in rest
        and repository.is_here(named[0].removeprefix("./"))
    )
