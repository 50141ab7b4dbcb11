import importlib
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import click
import pytest

from git_lerim import __version__
from git_lerim.cli import VERBS
from git_lerim.config import KEYS

PAGE = Path(__file__).parents[1] / "man" / "git-lerim.1"
PACKAGE = Path(__file__).parents[1] / "git_lerim"
OF_EVERY_VERB = {"-h", "--help", "-q", "--quiet", "-v", "--verbose", "--color", "--no-pager"}
_OPTION = re.compile(r"(?<![\w-])(?:--[a-z][a-z-]+|-[a-z](?![\w-]))")


@cache
def text() -> str:
    """Return the page without the marks of roff."""
    bare = re.sub(r"\\f[BIRP]", "", PAGE.read_text(encoding="ascii")).replace("\\-", "-")
    return re.sub(r"(?m)^\.BR? |^\.BI |\"", "", bare)


@cache
def section(name: str) -> str:
    """Return what stands below a heading."""
    return "\n" + re.split(r"(?m)^\.SH ", text().split(f"\n.SH {name}\n", 1)[1])[0]


def of_verb(verb: str) -> str:
    """Return what is said of a verb: its heading and what stands below."""
    found = [
        part
        for part in section("VERBS").split("\n.SS git lerim ")[1:]
        if re.match(rf"{verb}\b", part)
    ]
    (part,) = found or [""]
    return part


def options_of(verb: str) -> set[str]:
    command: click.Command = importlib.import_module(f"git_lerim.commands.{verb}").command
    return {
        name
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden
        for name in parameter.opts
    }


def test_the_page_tells_of_every_verb_in_the_order_of_the_table_and_of_no_other() -> None:
    assert re.findall(r"\n\.SS git lerim ([a-z]+)", section("VERBS")) == list(VERBS)


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "recall"])  # which is `search`
def test_the_page_tells_of_every_option_of_a_verb_and_of_no_other(verb: str) -> None:
    named = {
        option
        for line in of_verb(verb).splitlines()
        if _is_tag(line)
        for option in _OPTION.findall(line)
    }

    assert named == options_of(verb) - OF_EVERY_VERB


def test_the_page_names_every_ref_of_our_own() -> None:
    source = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    names = set(re.findall(r'"refs/lerim/([a-z]+)', source)) - {"tmp"}

    assert {name for name in names if not re.search(rf"\b{name}\b", section("FILES"))} == set()


def _is_tag(line: str) -> bool:
    """Tell a line that names options from one that tells of them."""
    return line.startswith(("-", "Options:"))


def test_the_options_of_every_verb_are_explained_once() -> None:
    assert set(_OPTION.findall(section("OPTIONS"))) >= OF_EVERY_VERB
    assert all(options_of(verb) & {"-q", "-v"} == {"-q", "-v"} for verb in VERBS)


def test_the_page_tells_of_every_setting_and_of_no_other() -> None:
    named = re.findall(r"(?m)^\.TP\nlerim\.(\w+)$", section("SETTINGS"))

    assert sorted(named) == sorted(KEYS)


def test_something_reads_every_setting() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in (PAGE.parents[1] / "git_lerim").rglob("*.py")
    )

    assert set(KEYS) - set(re.findall(r"settings\[\"(\w+)\"\]", source)) == {
        "askModel"
    }  # it is read beside `model`


@pytest.mark.parametrize("name", [name for name, key in KEYS.items() if key.default])
def test_the_page_names_the_default_of_a_setting(name: str) -> None:
    told = re.split(r"\n\.TP\n", section("SETTINGS").split(f"\nlerim.{name}\n", 1)[1])[0]

    assert str(KEYS[name].default) in told


def test_the_page_names_every_variable_by_which_an_agent_says_where_it_keeps_its_sessions() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (PAGE.parents[1] / "git_lerim" / "agents").rglob("*.py")
    )
    read = set(re.findall(r'env(?:\.get\(|\[)"([A-Z_]+)"', source))

    assert read >= {"CLAUDE_CONFIG_DIR", "CODEX_HOME"}
    assert [name for name in sorted(read) if name not in section("ENVIRONMENT")] == []


def test_the_page_is_of_this_version() -> None:
    assert f"git-lerim {__version__}" in text().split("\n.SH", 1)[0]


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_the_page_is_set_without_a_warning() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", str(PAGE)],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert done.stderr == ""
    assert "remember [TEXT...]" in re.sub(r".\x08|\x1b\[[0-9;]*m", "", done.stdout)
