from pathlib import Path

import pytest
from support.memories import memory
from support.repos import Repo
from support.stores import store_at

from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.recall.answers.answer import answer
from git_lerim.recall.answers.evidence import QuestionTerms
from git_lerim.recall.answers.quotation import quote
from git_lerim.recall.index.index import Index, current
from git_lerim.recall.search.query import parse
from git_lerim.storage.base import Change

GUIDE = """This guide expands the summary for version bumps, gates, and registry publishing.

## Requirements

- An editor of version `4.20` or newer
- A POSIX shell

## Local scripts

Do not run `make publish` on your own machine.
The registry trusts the build server alone, because it signs each package.

## Known problems

### The cache can corrupt the catalog

When two runs meet, `tool status` fails:

```
# not a heading
fatal: catalog is torn
```

**Impact:**
- `tool status` fails in the second run

**Recovery:**
```bash
tool rebuild --all
```
"""


@pytest.fixture
def index(repo: Repo, tmp_path: Path) -> Index:
    made = [
        memory(
            id=naming.memory_id("test", "1", "decision", 0), title="Working on the tool", body=GUIDE
        ),
        memory(
            id=naming.memory_id("test", "2", "decision", 0),
            title="Never log what a user typed",
            body="Ids will do.",
        ),
        memory(
            id=naming.memory_id("test", "3", "decision", 0),
            title="How logs are laid out",
            body=(
                "```\nuser-prompt: root of all logs\n  log a\n    log b of the user\n  log c\n```\n"
            )
            + "Each log has a user. " * 20,
        ),
    ]
    store_at(repo.path).commit(
        lambda _: Change(
            files={naming.path_of(one): frontmatter.render(one) for one in made}, subject="fill"
        )
    )
    return current(tmp_path, store_at(repo.path))


@pytest.mark.parametrize(
    ("question", "says", "heading"),
    [
        ("Can I publish from my machine?", "Do not run `make publish`", "Local scripts"),
        (
            "Why may only the build server publish to the registry?",
            "because it signs each package",
            "Local scripts",
        ),
        ("Which version of the editor do I need?", "`4.20` or newer", "Requirements"),
        (
            "tool status fails with a torn catalog. How do I repair it?",
            "tool rebuild --all",
            "The cache can corrupt the catalog",
        ),
    ],
)
def test_the_sentence_of_a_long_note_that_answers_is_quoted_under_its_heading(
    index: Index, question: str, says: str, heading: str
) -> None:
    found = quote("Working on the tool", GUIDE, QuestionTerms(index, parse(question)), question)

    assert says in found.text
    assert found.heading == heading


def test_a_comment_in_code_is_no_heading(index: Index) -> None:
    question = "When is the catalog torn?"

    found = quote("Working on the tool", GUIDE, QuestionTerms(index, parse(question)), question)

    assert found.heading == "The cache can corrupt the catalog"


def test_a_label_stays_with_what_it_introduces(index: Index) -> None:
    question = "recovery"

    found = quote("Working on the tool", GUIDE, QuestionTerms(index, parse(question)), question)

    assert found.text == "**Recovery:** tool rebuild --all"


def test_a_short_rule_comes_before_a_long_note_with_the_same_words(index: Index) -> None:
    found = answer(index, "May we log what the user typed?")

    assert found.quoted[0].hit.title == "Never log what a user typed"


def test_of_two_choices_the_answer_names_one(index: Index) -> None:
    (quoted,) = answer(index, "bash or a POSIX shell?").quoted

    assert "A POSIX shell" in quoted.text


def test_a_question_for_an_identifier_is_answered_only_by_what_has_it(index: Index) -> None:
    assert answer(index, "Why does tool_status fail in the second run?").quoted
    assert not answer(index, "Why does status_cache fail in the second run?").quoted


@pytest.mark.parametrize(
    "body", ["", "   ", "# Only a heading", "```\nnever closed", "x" * 5000, "## \n##\n"]
)
def test_any_body_is_quoted_within_the_limit(index: Index, body: str) -> None:
    found = quote("A title", body, QuestionTerms(index, parse("what is x?")), "what is x?")

    assert len(found.text) <= 500
