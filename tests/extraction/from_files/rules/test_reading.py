import pytest

from git_lerim.extraction.from_files import rules
from git_lerim.extraction.from_files.base import File, Reading
from git_lerim.memories.memory import Kind


def read(text: str, path: str = "AGENTS.md") -> Reading:
    into = Reading()
    rules.read([File(name=path, path=path, text=text)], into)
    return into


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("- Use tabs, never spaces.", "Use tabs, never spaces"),
        (
            "* **Always** run `make lint` before you commit",
            "Always run `make lint` before you commit",
        ),
        ("1. Errors must be logged.", "Errors must be logged"),
        ("- Naming: use camelCase for functions", "Naming: use camelCase for functions"),
        ("- [ ] Please write tests first", "Write tests first"),
        ("- `make test`: runs all tests", "`make test`: runs all tests"),
        ("- Build: `npm run build`", "Build: `npm run build`"),
        ("Never commit to `main`. Open a pull request instead.", "Never commit to `main`"),
        ("- No `any` types without a reason", "No `any` types without a reason"),
        ("- Für Preise: never use floats", "Für Preise: never use floats"),
    ],
)
def test_a_rule_is_a_learning(line: str, title: str) -> None:
    assert [one.title for one in read(line).found] == [title]


@pytest.mark.parametrize(
    "text",
    [
        "# Always use headings",
        "```sh\nnever run this\n```",
        "- `src/api/` - the handlers of requests",
        "| always | never |\n|---|---|\n| use | this |",
        "> Always quote somebody.",
        "The API is written in Go and talks to a database.",
        "## Project structure\n\n- `src/`: use cases and handlers",
        "See docs/style.md for more.",
        "- Test files are exempt from some linters",
        "<!-- Always hide this. -->",
        "- Rules:",
        "Use it. " * 100,
    ],
)
def test_what_describes_or_is_code_is_no_rule(text: str) -> None:
    into = read(text)

    assert into.found == []
    assert into.left or text.startswith(("#", "<!--"))


def test_below_a_bullet_that_only_leads_each_is_a_rule_of_its_own() -> None:
    found = read(
        "## Style\n\n- Functions:\n  - must be short\n  - should do one thing:\n    no more\n- Use"
        " tabs.\n"
    ).found

    assert [one.title for one in found] == [
        "Functions: must be short",
        "Functions: should do one thing: no more",
    ]
    assert [one.records for one in found] == [((4, 4),), ((5, 6),)]
    assert found[0].body == "Functions: must be short\n\n(AGENTS.md: Style)"


def test_a_bullet_keeps_its_details() -> None:
    (one,) = read("- Always wrap errors:\n  - with `%w`\n  - and the name of the file\n").found

    assert one.body.startswith("Always wrap errors:\n- with `%w`\n- and the name of the file\n")


def test_a_rule_of_cursor_says_for_which_files_it_is() -> None:
    text = (
        "---\ndescription: Style\nglobs: **/*.ts\nalwaysApply: false\n---\n- Always use strict"
        " types.\n"
    )

    (one,) = read(text, ".cursor/rules/style.mdc").found

    assert one.body.endswith("(.cursor/rules/style.mdc; for **/*.ts)")
    assert one.records == ((6, 6),)


def test_how_a_thing_is_done_is_a_procedure() -> None:
    kinds = {
        one.title: one.kind
        for one in read("- Run `make lint` before you commit\n- Use short names everywhere\n").found
    }

    assert kinds == {
        "Run `make lint` before you commit": Kind.PROCEDURE,
        "Use short names everywhere": Kind.PREFERENCE,
    }


def test_the_origin_stays_when_a_rule_moves_or_its_end_changes() -> None:
    first = read("- Always write tests for new code, first.\n- Use tabs for it.\n").found[0]
    later = read(
        "# A\n\n- Use tabs for it.\n- Always write tests for new code, but not for prototypes.\n"
    ).found[1]

    assert first.origin == later.origin
