import pytest

from git_lerim.extraction.from_files import adr
from git_lerim.extraction.from_files.base import Draft, File, Reading
from git_lerim.memories.memory import BODY_LIMIT, Status

MADR = """\
---
status: "{status}"
date: 2024-03-04
decision-makers: ada
---
# Use SQLite for the events

## Context and Problem Statement

Where do the events go?

## Considered Options

* SQLite
* Kafka

## Decision Outcome

Chosen option: "SQLite", because it is there already.

### Consequences

* Good, because nothing new runs.

## Pros and Cons of the Options

### Kafka

* Bad, because of operations.
"""
OLD_MADR = """\
# {title}

* Status: {status}
* Deciders: ada
* Date: 2021-05-06

## Context and Problem Statement

It was asked.

## Decision Outcome

Chosen option: "X".
"""


def read(**texts: str) -> tuple[dict[str, Draft], Reading]:
    into = Reading()
    files = [
        File(name=f"docs/{name}.md", path=f"{name}.md", text=text)
        for name, text in sorted(texts.items())
    ]
    adr.read(files, into)
    return {one.file.removeprefix("docs/").removesuffix(".md"): one for one in into.found}, into


@pytest.mark.parametrize(
    ("status", "stands"),
    [
        ("accepted", Status.ACTIVE), ("Accepted on 2024-01-02", Status.ACTIVE),
        ("~~proposed~~ accepted", Status.ACTIVE),
        ("deprecated", Status.ARCHIVED), ("superseded by ADR-0009", Status.SUPERSEDED),
        ("rejected", Status.ACTIVE),
        ("{{proposed | rejected | accepted}}", Status.ACTIVE),
    ],
)  # fmt: skip
def test_the_status_of_a_record_is_that_of_its_memory(status: str, stands: Status) -> None:
    found, _ = read(one=MADR.replace("{status}", status))

    assert found["one"].status is stands
    assert (
        found["one"].title
        == ("Rejected: " if status == "rejected" else "") + "Use SQLite for the events"
    )


def test_the_decision_comes_first_and_nothing_is_missing() -> None:
    found, _ = read(one=MADR.format(status="accepted"))

    body = found["one"].body
    assert body.startswith(
        'Chosen option: "SQLite", because it is there already.\n\n### Consequences\n\n* Good'
    )
    assert "## Considered Options\n\n* SQLite\n* Kafka" in body
    assert body.endswith("* Bad, because of operations.")
    assert f"{found['one'].created:%Y-%m-%d}" == "2024-03-04"


def test_a_long_record_is_cut_with_a_word() -> None:
    found, _ = read(one=MADR.format(status="accepted") + "more words. " * 1000)

    body = found["one"].body
    assert len(body) <= BODY_LIMIT
    assert body.startswith("Chosen option")
    assert "(cut: docs/one.md says more, " in body


def test_the_form_of_older_records_is_read() -> None:
    found, _ = read(one=OLD_MADR.format(title="ADR-7: Use X", status="accepted"))

    assert found["one"].title == "Use X"
    assert f"{found['one'].created:%Y-%m-%d}" == "2021-05-06"
    assert found["one"].body.startswith('Chosen option: "X".')
    assert "Deciders" not in found["one"].body


@pytest.mark.parametrize(
    "link", ["[ADR-0002](0002-b.md)", "ADR-0002", "[2. B](./0002-b.md#x)", "[[0002-b]]", "2"]
)
def test_links_between_records_are_followed_from_either_side(link: str) -> None:
    old = OLD_MADR.format(title="A", status=f"superseded by {link}")
    found, into = read(**{"0001-a": old, "0002-b": OLD_MADR.format(title="B", status="accepted")})

    assert found["0001-a"].status is Status.SUPERSEDED
    assert found["0002-b"].supersedes == (found["0001-a"].origin,)
    assert into.left == []

    one, two = (
        OLD_MADR.format(title="A", status="accepted"),
        OLD_MADR.format(title="B", status="accepted\n\nSupersedes " + link),
    )
    found, _ = read(
        **{
            "0001-a": one,
            "0002-b": (
                two.replace("2. B", "1. A").replace("0002-b", "0001-a").replace("ADR-0002", "ADR-1")
            ),
        }
    )
    assert link == "2" or found["0001-a"].status is Status.SUPERSEDED


def test_a_link_to_a_record_that_is_not_there_is_named() -> None:
    _, into = read(**{"0001-a": OLD_MADR.format(title="A", status="superseded by ADR-0099")})

    assert [one.reason for one in into.left] == [
        "names as its successor '99', which is not one of these records"
    ]


def test_what_a_proposal_would_supersede_stands() -> None:
    two = (
        OLD_MADR.format(title="B", status="proposed")
        + "\n## Links\n\n* Supersedes [A](0001-a.md)\n"
    )
    found, _ = read(**{"0001-a": OLD_MADR.format(title="A", status="accepted"), "0002-b": two})

    assert [(name, one.status) for name, one in found.items()] == [("0001-a", Status.ACTIVE)]


def test_a_status_that_nobody_knows_is_named() -> None:
    found, into = read(one=MADR.replace("{status}", "simmering"))

    assert found["one"].status is Status.ACTIVE
    assert into.left[0].reason == "has an unknown status, 'simmering'; treated as accepted"


def test_bad_front_matter_fails_alone() -> None:
    found, into = read(
        bad="---\na: &x [1]\n---\n## Decision\n", good=MADR.format(status="accepted")
    )

    assert list(found) == ["good"]
    assert [(one.place, one.failed) for one in into.left] == [("docs/bad.md", True)]
