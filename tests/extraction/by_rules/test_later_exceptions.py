import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction import by_rules
from git_lerim.extraction.base import Candidate

WISH = "table names singular please, like `parcel` not `parcels`"
TITLE = "Table names singular please, like `parcel` not `parcels`"


def told(*messages: str) -> Talk:
    talk = Talk().prompt("hi").reply("Hi.")
    for message in messages:
        talk = talk.prompt(message).reply("OK.")
    return talk


@pytest.mark.parametrize(
    "exception",
    [
        "no wait, leave the existing ones, only new tables",
        "only for new tables",
        "but not for the legacy schema",
        "exceptions: join tables and views, they stay plural",
        "one exception: the legacy schema",
        "except the legacy schema",
        "und nur bei neuen Tabellen",
    ],
)
def test_the_next_message_may_limit_a_wish(exception: str) -> None:
    (one,) = extract(told(WISH, exception).session())
    assert one.title == TITLE
    assert one.body == f"The user asked for this: “{WISH}. … {exception}.”"
    assert one.evidence[0].records == ((3, 3), (5, 5))


def test_an_exception_is_no_change_of_mind() -> None:
    found = by_rules.extract(told(WISH, "only for new tables").session())
    assert [one.title for one in found if isinstance(one, Candidate)] == [TITLE]


@pytest.mark.parametrize(
    "message",
    [
        "only for the existing tables?",
        "not in this branch",
        "only for now",
        "only commit the migration",
        "only if it is easy",
        "keep the old fixtures",
        "no wait, the tests are red",
        "unless you object, commit now",
        "exceptions: log them all in the middleware",
        "exceptions are handled in `middleware.py`",
        "Tom wrote:\n\n> except the legacy schema",
    ],
)
def test_what_limits_nothing_or_only_the_work_at_hand_is_not_added(message: str) -> None:
    wish = next(one for one in extract(told(WISH, message).session()) if one.title == TITLE)
    assert wish.body == f"The user asked for this: “{WISH}.”"


def test_a_later_message_has_to_name_what_it_limits() -> None:
    named = "exception to the singular table names: the legacy schema"
    (one,) = extract(told(WISH, "add a migration", named).session())
    assert one.body.endswith(f" … {named}.”")

    (one,) = extract(told(WISH, "add a migration", "only for new tables").session())
    assert one.body.endswith("`parcels`.”")


def test_of_two_wishes_the_one_that_an_exception_names_is_limited() -> None:
    both = "Always squash before merging a branch. Never use print for debugging."
    exception = "exception: release branches and a branch of Tom"
    found = extract(told(both, exception).session())
    assert {one.title: exception in one.body for one in found} == {
        "Always squash before merging a branch": True,
        "Never use print for debugging": False,
    }
    assert not any("…" in one.body for one in extract(told(both, "exception: Tom").session()))
