import ast
from functools import cache
from pathlib import Path

import pytest

import git_lerim

PACKAGE = Path(git_lerim.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
DRAWERS = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "misc",
    "core",
    "manager",
    "service",
    "services",
    "base_utils",
    "tools",
}
LONGEST_MODULE = 300
LONGEST_FUNCTION = 60

# Modules that may be longer, and why.
LONGER = {
    "actions/sync.py": "one run, step by step, and the report of it",
    "extraction/by_rules/cues.py": "the one home of every word list",
    "extraction/reconcile.py": "one judgement of everything that a store says, whose parts explain each other",
}

# Modules that catch whatever comes, and why; everything else names what it expects.
BOUNDARIES = {
    "cli.py": "a bug becomes a sentence and a log",
    "actions/sync.py": "a transcript that nobody foresaw must not stop the others",
    "actions/discover.py": "a file that nobody foresaw must not stop the others",
}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_says_in_a_sentence_what_lives_there(path: Path) -> None:
    docstring = ast.get_docstring(tree(path))
    assert docstring
    assert docstring.splitlines()[0].endswith((".", "?", ":"))


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_fits_on_three_screens(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_MODULE or name(path) in LONGER


def test_every_exception_is_a_module_and_has_a_reason() -> None:
    assert set(LONGER) | set(BOUNDARIES) <= set(map(name, MODULES))
    assert all(LONGER.values())


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_no_function_is_longer_than_a_screen(path: Path) -> None:
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions}
    assert {each: lines for each, lines in long.items() if lines > LONGEST_FUNCTION} == {}


def test_there_is_no_drawer_for_odds_and_ends() -> None:
    assert [name(path) for path in MODULES if {path.stem, path.parent.name} & DRAWERS] == []


def test_the_init_of_a_room_is_its_sentence_and_nothing_else() -> None:
    busy = {name(p): len(tree(p).body) for p in MODULES if p.name == "__init__.py" and p.parent.parent == PACKAGE}
    assert {room: statements for room, statements in busy.items() if statements != 1} == {}


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_no_error_is_swallowed_whatever_it_is(path: Path) -> None:
    broad = [
        node.lineno
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"}))
        and not any(isinstance(inner, ast.Raise) and inner.exc is None for inner in ast.walk(node))
    ]
    assert len(broad) == (name(path) in BOUNDARIES)


def test_the_package_names_no_machine() -> None:
    words = ("/work/", "/tmp/venv", "/root/")  # noqa: S108 looked for, not used
    assert [(name(p), w) for p in MODULES for w in words if w in p.read_text(encoding="utf-8")] == []
