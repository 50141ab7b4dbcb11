import pytest
from support.memories import later, memory

from git_lerim.memories.memory import Kind, Memory, Primitive
from git_lerim.upkeep.likeness.frames import instead
from git_lerim.upkeep.likeness.opposition import opposed
from git_lerim.upkeep.likeness.pairs import near

Said = tuple[str, str]

INSTEAD: list[tuple[Said, Said]] = [
    (  # the later one gives up what the earlier one names
        ("The API returns `null` for unknown ids", "Callers get no error."),
        ("The API returns an empty list for unknown ids", "It is never `null`."),
    ),
    (
        ("Deploy the API to the EU region first", "Then wait an hour."),
        ("Deploy the API to the US region first", "No longer the EU region, by the way."),
    ),
    (
        ("The settings of the API live in `conf/base.yml`", "All defaults are there."),
        ("The settings of the API live in `conf/main.yml`", "They moved from `conf/base.yml`."),
    ),
    (  # it says that its own is new
        ("The API listens on port 8080", "Compose maps it."),
        ("The API listens on port 9090", "It does so now, and compose maps it."),
    ),
    (
        ("The job of the API runs daily", "See the chart."),
        ("The job of the API runs weekly", "The schedule was changed in the chart."),
    ),
    (
        ("The API of the shop runs in `cluster-a`", "Its machines are there."),
        ("The API of the shop runs in `cluster-b`", "Its machines were moved there."),
    ),
]
WEIGHED: list[tuple[Said, Said]] = [  # each weighs both
    (
        ("We chose React for the shop", "React fits better than Svelte: the team knows it."),
        ("We chose Svelte for the shop", "Svelte fits better than React: it is faster."),
    ),
]
BOTH_HOLD: list[tuple[Said, Said]] = [
    (  # nothing says that there is one port only
        ("The API listens on port 8080", "Compose maps it."),
        ("The API listens on port 9090", "Compose maps it."),
    ),
    (  # about something else
        ("Use double quotes in the code of the API", "Everywhere, from now on."),
        ("Use double quotes in the code of the shop", "Everywhere, from now on."),
    ),
    (  # nothing but the subject is the same
        ("The contacts bridge needs version 4", "It fails with others."),
        ("The contacts bridge is owned by Jonas now", "Ask Jonas."),
    ),
    (  # two places differ
        ("The API is owned by Marta", "Ask Marta."),
        ("The shop is owned by Jonas now", "Ask Jonas."),
    ),
    (
        ("The parser fails on Node 18", "A module is missing."),
        ("The parser fails on Node 22", "A file is left open."),
    ),
    *(
        (("The admin listens on port 8080", "As ever."), ("The admin listens on port 9090", body))
        for body in (
            "It now also serves metrics there.",
            "It now serves both ports.",
            "Not port 8080 alone: it listens there as well.",
            "It now listens there, too.",
        )
    ),
    (
        ("Use SQLite for the sales catalog", "One file is enough."),
        ("The sales catalog uses long polling", "Proxies cut sockets."),
    ),
]


def two(earlier: Said, after: Said, kind: Kind | None) -> tuple[Memory, Memory]:
    of = Primitive.LEARNING if kind else Primitive.DECISION
    one = memory(title=earlier[0], body=earlier[1], primitive=of, kind=kind)
    other = memory(id="b" * 13, title=after[0], body=after[1], at=later(3), primitive=of, kind=kind)
    return one, other


@pytest.mark.parametrize("kind", [None, Kind.FACT])
@pytest.mark.parametrize(("earlier", "after"), INSTEAD)
def test_another_value_that_is_said_to_be_new_contradicts(
    earlier: Said, after: Said, kind: Kind | None
) -> None:
    one, other = two(earlier, after, kind)

    assert instead(other, one)
    assert opposed(other, one)
    assert other.id in near([one, other])[one.id]


@pytest.mark.parametrize("kind", [None, Kind.PREFERENCE])
@pytest.mark.parametrize(("earlier", "after"), WEIGHED)
def test_two_choices_that_each_weigh_both_contradict(
    earlier: Said, after: Said, kind: Kind | None
) -> None:
    one, other = two(earlier, after, kind)

    assert instead(other, one)


def test_two_facts_that_mention_each_other_both_hold() -> None:
    one, other = two(
        ("The export runs at two", "Not with the backup."),
        ("The backup runs at two", "Not with the export."),
        Kind.FACT,
    )

    assert not instead(other, one)


@pytest.mark.parametrize("kind", [None, Kind.FACT])
@pytest.mark.parametrize(("earlier", "after"), BOTH_HOLD)
def test_what_differs_in_one_place_may_hold_both(
    earlier: Said, after: Said, kind: Kind | None
) -> None:
    one, other = two(earlier, after, kind)

    assert not instead(other, one)
    assert not opposed(other, one)
