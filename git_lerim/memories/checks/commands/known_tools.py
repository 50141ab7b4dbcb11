"""Tables of known tools and their subcommands, and patterns of command lines."""

import re

from git_lerim.memories.checks.disguise import HOST

_words = re.compile(r"\S+").findall

ANY = frozenset("*")

# The allowed subcommands of each program; `*` allows all, because it only builds, checks or reads.
LOCAL = {
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
        "docker podman nerdctl": "compose build ps logs",
        "bazel deno": "build test fmt lint check clean",
        "pre-commit": "run install validate-config",
        "coverage": "report html xml json lcov combine erase",
        (
            "pytest tox nox ruff mypy black isort flake8 pylint "
            "tsc eslint prettier jest vitest rspec rubocop phpunit rake"
        ): "*",
        (
            "rustc gcc clang javac ninja ctest cmake "
            "meson gradle golangci-lint gofmt lint-imports sphinx-build mkdocs"
        ): "*",
        (
            "ls grep rg find diff cat sed awk head tail wc sort cd "
            "echo true tee mkdir touch which pwd time set sleep printf exit"
        ): "*",
    }.items()
    for program in _words(programs)
}

# Prefixes that run another command, which is judged in their place. Those in FETCHES download the
# command, so it must be one that the project declares.
RUNS = (
    "uv run",
    "poetry run",
    "pdm run",
    "pipenv run",
    "hatch run",
    "bundle exec",
    "git bisect run",
    "time",
)

FETCHES = (
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

RUNNERS = ("make", "just", "task")

SCRIPTS = ("npm", "pnpm", "yarn", "bun")

INTERPRETERS = ("bash", "sh", "zsh", "python", "python3", "node", "ruby", "perl", "php", "java")

# Programs that only read, print or write what they are told, so any path may be named.
READERS = frozenset(
    _words(
        "git ls cat grep rg find diff sed awk head tail wc sort echo true tee mkdir touch which pwd"
        " printf curl wget http"
    )
)

# Programs that take several goals, of which each counts.
GOALS = frozenset(_words("gradle gradlew mvn mvnw rake docker podman nerdctl mkdocs"))

CLIENTS = ("curl", "wget", "http")

HERE = re.compile(r"^(?:https?://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?:[:/]|$)")

RUN_MODULES = ("python", "python3", "coverage")  # by `-m`
VERSIONS = (["--version"], ["-version"])

MODULES = frozenset(("unittest", "doctest", "compileall", "venv", "json.tool", "build"))

# Programs that reach beyond the repository, by which commands are found in prose without backticks.
# Any mention of one in FETCHERS counts as a command.
FETCHERS = ("npx", "uvx", "bunx", "pipx", "sudo")

OTHERS = frozenset(
    _words(
        "gem curl wget nc ssh scp rsync eval exec chmod chown rm dd kubectl helm terraform brew apt"
        " apt-get dnf yum pacman apk snap choco winget conda mamba nix cpan cpanm luarocks opam"
        " rustup gh glab aws gcloud az twine ansible-galaxy claude code"
    )
).union(FETCHERS)

# Programs that are also English words: a command only together with a known subcommand.
AMBIGUOUS = frozenset(
    _words(
        "go make just task mix stack code find sort time true head tail which touch cd nix snap"
        " echo diff node eval exec set sleep exit"
    )
)

REACHING = frozenset(
    _words(
        "install i add get publish push clone upload deploy apply release login require"
        " archive.install global plugin mcp run exec shell dlx config remote submodule gh-deploy"
        " self tool"
    )
)

PUBLISHING = frozenset(
    ("publish", "push", "upload", "deploy", "release", "gh-deploy", "install", "add", "login")
)

WANTS = frozenset(
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

SMALL = frozenset(
    _words(
        "is was are were and or in on for from because has have needs picks fails failed the a an"
        " to which but over instead as at of with than that it its does do not can cannot will must"
        " should may when where so broke breaks rewrote hangs hung"
    )
)

OUTSIDE = re.compile(
    rf"{HOST}|^[<>]*(?:/(?!/|dev/null)|~|\.\.(?:/|$))|\w@[\w^~-]|^\w+::|\$\(|\$\{{?[A-Z]|`|<\(|<<"
    r"|^git\+"
)

VARIABLE = re.compile(r"\s*([A-Z_][A-Z0-9_]*)=([\w.,+/|-]*)(?:\s|$)")

# Harmless settings of variables: the variables named here with any value, and all others only with
# values such as `true`, since any other value could name what a tool loads.
SETTING = re.compile(
    r"(?:TZ|LANG|LC_[A-Z]+|NODE_ENV|R(?:AILS|ACK)_ENV|GO(?:OS|ARCH)|RUST_LOG)=.*|"
    r"\w+=(?:\d+|true|false|yes|no|on|off|all|tests?|prod\w*|dev\w*|debug|info|warn\w*|error|"
    r"UTC|C)?",
    re.IGNORECASE,
)

# Variables that steer what runs, skip a check, or change where packages come from.
STEERING = re.compile(
    r"^(?:GIT_|LD_|DYLD_|HUSKY|SKIP|LEFTHOOK|OVERCOMMIT|PRE_COMMIT|NPM_CONFIG_|PIP_|UV_|YARN_|"
    r"PNPM_|BUN_|POETRY_|GONOSUM|GOFLAGS)|OPT(?:ION)?S$|INDEX|PROXY|REGISTRY|VERIFY|REJECT|"
    r"SUMDB|INSECURE|PRIVATE|SSL|TLS"
)

# where an output goes; the group is a file
OUTPUT = re.compile(r"\s\d?>{1,2}\s*(?:&\d|/dev/null|(?![/~.])(?!\S*/\.)([\w./-]+))(?=[\s;|]|$)")
# what hides that a check failed
IGNORED = re.compile(r"(?:\|\||;)\s*(?:true|:|exit 0)(?=[\s;|&]|$)|\|\|\s*echo\b")
# What `>` may stand in, beside the output: quotations, placeholders such as `<name>`, and arrows.
QUOTED = re.compile(
    r"\"[^\"]*\"|'[^']*'|(?:<\w[\w./-]*>|[=-]>(?=\s))(?!\s*(?:\S*/)?\.[\w-]+/|\s+\.)"
)

PARTS = re.compile(r"\s*(?:&&|\|\||[;|&])\s*")

MARKED = re.compile(r"`([^`\n]{2,300})`|(?:^|\n)\$ (.+)")

RUNNING = re.compile(
    r"\b(?:run|running|execute|invoke|source|call|launch|start|type)(?: the| a| our)?"
    r"(?: (?:file|script|program|tool|binary|helper))?\s+\Z",
    re.IGNORECASE,
)

SHAPE = re.compile(
    r"(?:\$ )?(?:[A-Z_]+=\S* )*(?:\.{0,2}/|~/)?[a-zA-Z][\w.+-]*(?:/[\w.+-]+)*(?: [^\s(){}=;].*)?"
)

KEYWORD = re.compile(
    r"(?:import|from|async|await|def|class|return|const|let|var|type|public|private|static|new|"
    r"yield|if|for|else|not|is|in|select|order|group|where|null|no|cannot|error|except|raise|"
    r"throw|while|with|as|function)\b|[\w-]+: "
)

ARGUMENT = re.compile(rf"\s(?:--?[a-zA-Z]|[\"']|\S+@\S|(?:\.{{1,2}}|~)?/\S|{HOST})")

PATH = re.compile(r"(?:\.{1,2}/|~/|/)[\w.-]+\S*|\S+\.(?:sh|ps1|bat)")

MOST_ARGUMENTS = 60
UNMARKED = re.compile(
    r"(?:^[-*>•#\s\d.)]*|[.:;,—(]\s*|\b(?:run|running|execute|invoke|source|use|using|with|via|"
    r"start|launch|file|script|program|binary|helper|by|do|call|then|and|through|is|to|of)\s+)"
    r"(?=((?:\.{0,2}/)?[\w./-]{1,120}\.(?:sh|py|js|ts|rb|pl|ps1|bat)\b|\./\S+|"
    r"[a-z][\w.-]*/[\w./-]++(?! (?:tests?|suites?|checks?|jobs?|builds?|pairs?)\b)|"
    r"[a-z][a-z0-9-]+)"
    rf"((?: [^\s,;()]+){{0,{MOST_ARGUMENTS}}}))",
    re.IGNORECASE,
)

# FORBIDS: words before a command that say not to run it. FAILS: words after it that say that it
# does not work.
FORBIDS = re.compile(
    r"(?:\b(?:never|not|don[’']t|avoid|instead of|rather than|no longer|nor)(?: (?:use|using|"
    r"run|running|call|push|commit|do|with|plain|bare|a|the|to))* |\b(?:before|after) (?:each |"
    r"every |a |the |you )?(?=`?git push`?(?:$|[\s,.;]*$|, )))[`]?$",
    re.IGNORECASE,
)

FAILS = re.compile(
    r"`?(?: \w[\w.]*){0,4}? (?:fails|failed|breaks|broke|hangs|hung|errors|crashe[sd]|rewrote|"
    r"overwrites|overwrote|times out|timed out|does not|doesn[’']t|cannot|(?:was|is|"
    r"were) (?:not available|slow|wrong|broken|removed|dropped|rejected|replaced|superseded|"
    r"not|forbidden|blocked|the reason)|picks the wrong|printed nothing|only prints|"
    r"prints nothing)\b"
)

AGAIN = re.compile(
    r"\b(?:run|use|try|start|repeat|rerun|retry) (?:it|that|this|them|again|twice|"
    r"the command)\b",
    re.IGNORECASE,
)
