"""Judge what others put into a store by what it would have an agent do: what sends, hides or skips
a check is to wait.
"""

import re
from functools import cache

from git_lerim.git.engines.objects import Objects
from git_lerim.git.engines.trees import FILE, Trees
from git_lerim.git.repo import Place
from git_lerim.git.running.process import git_line
from git_lerim.memories.checks.injection_rules import OTHERS_VERSION, VERSION
from git_lerim.memories.memory import Memory
from git_lerim.storage.reading import read_blob

RULES = f"rules {VERSION}.{OTHERS_VERSION}"
# Tools that build, test and look, and send nothing by themselves.
_TOOLS = frozenset(
    re.findall(
        r"\S+",
        "pytest tox nox ruff mypy black isort flake8 pylint coverage git ls grep rg find diff cat"
        " sed awk head tail wc sort cd cmake ctest ninja bazel meson cargo go rustc gcc clang"
        " dotnet mvn gradle javac java tsc eslint prettier jest vitest pre-commit lint-imports"
        " sphinx-build mkdocs hatch poetry uv rake rspec rubocop bundle phpunit composer mix stack"
        " cabal swift flutter dart",
    )
)
_BUILT_IN = frozenset(
    ("ci", "install", "test", "start")
)  # what each project's package.json is meant by, without its scripts
_RUNNERS = {
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "just": ("justfile", "Justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
}
_SCRIPTS = ("npm", "pnpm", "yarn", "bun")
_INTERPRETERS = ("bash", "sh", "zsh", "python", "python3", "node", "ruby", "perl", "deno", "php")
_MODULES = frozenset(("unittest", "doctest", "compileall", "venv", "timeit", "json.tool", "build"))
_LARGEST = 1 << 20  # bytes of a file that names commands


class Judge:
    """Judges the files of one repository's store, each once."""

    def __init__(self, place: Place, objects: Objects, files: Trees | None = None) -> None:
        """Read nothing yet. `objects` hold the code of HEAD; `files` hold the memories, where they
        lie elsewhere.
        """
        self._place = place
        self._objects = objects
        self._files = files or objects
        self._reasons: dict[str, str] = {}

    def reason(self, blob: str) -> str:
        """Return why a file must not be handed to an agent before a person accepted it; empty where
        nothing speaks against.
        """
        if blob not in self._reasons:
            memory = read_blob(self._files, blob)
            text = (
                "\n".join((memory.title, memory.body, *memory.tags))
                if isinstance(memory, Memory)
                else ""
            )
            self._reasons[blob] = (self._doubts(text) or "") if text else ""
        return self._reasons[blob]

    def _doubts(self, text: str) -> str | None:
        # most runs judge nothing
        from git_lerim.memories.checks.orders_of_others import doubts  # noqa: PLC0415

        return doubts(text, runs=self.is_own)

    def is_own(self, command: str) -> bool:
        """Tell whether a command runs what stands in this repository, or a tool that only builds,
        tests and looks.
        """
        words = [word for word in command.split() if "=" not in word.split("/")[0]]
        if not words or any(mark in command for mark in ("$(", "`", ";", "|", "&&", ">")):
            return not words
        program, *rest = words
        if program in _TOOLS or words[:2] == ["docker", "compose"]:
            return True
        named = [word for word in rest if not word.startswith("-")]
        if program in _RUNNERS:
            return all(
                any(f"\n{target}:" in self._text(file) for file in _RUNNERS[program])
                for target in named
            )
        if program in _SCRIPTS:
            own = f'"{named[-1]}":' in self._text("package.json") if named else True
            return own or (len(named) == 1 and named[0] in _BUILT_IN)
        if program in _INTERPRETERS and "-m" in rest:
            module = next(iter(rest[rest.index("-m") + 1 :]), "")
            folder = module.replace(".", "/")
            return (
                module in _TOOLS
                or module in _MODULES
                or self._is_here(f"{folder}.py")
                or self._is_here(folder)
            )
        path = named[0] if program in _INTERPRETERS and named else program
        return self._is_here(path.removeprefix("./"))

    def _is_here(self, path: str) -> bool:
        head = _head(self._place)
        entry = self._objects.entry_at(head, path) if head and ".." not in path else None
        return entry is not None

    def _text(self, name: str) -> str:
        head = _head(self._place)
        entry = self._objects.entry_at(head, name) if head else None
        if entry is None or entry.mode != FILE or self._objects.size(entry.id) > _LARGEST:
            return ""
        return "\n" + self._objects.blob(entry.id).decode("utf-8", "replace")


@cache
def _head(place: Place) -> str | None:
    return git_line(place.git("rev-parse", "-q", "--verify", "HEAD^{commit}"), cwd=place.git_dir)
