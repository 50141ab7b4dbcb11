"""What a person says later may end an earlier wish without saying so."""

import pytest
from support.memories import memory

from git_lerim.memories.memory import Kind, Origin, Primitive, Source
from git_lerim.memories.quotes import Lead
from git_lerim.memories.similarity.likely_changes import ends, overlap
from git_lerim.memories.similarity.taking_back import only_hints, takes_back

COMMIT = "Commit after each step you finish so I can follow along"
INFLUX = "Let's store the sensor readings in InfluxDB because we need downsampling"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (
            INFLUX,
            "I've had it with Influx. Move the readings to Timescale, it does the downsampling.",
        ),
        ("Always show me the diff first", "You don't need to show me diffs anymore, I trust you."),
        (
            "Frag mich bitte, bevor du neue Dateien anlegst",
            "Du musst nicht mehr nachfragen, wenn du eine neue Datei brauchst, leg sie einfach an.",
        ),
        ("分支名都以姓名开头", "分支名不用再以姓名开头了，改成工单号。"),
    ],
)
def test_words_tell_that_an_earlier_wish_has_ended(earlier: str, later: str) -> None:
    assert ends(later, earlier)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (COMMIT, "Why did you commit the build folder? Take it out."),
        (COMMIT, "The many small buttons are driving me nuts, please make just one."),
        (COMMIT, "Also put the ticket into the message of each commit."),
        ("Always show me the diff first", "The diff view is broken in Safari, fix it."),
        ("Write tests with pytest", ""),
    ],
)
def test_what_is_on_the_same_subject_ends_nothing(earlier: str, later: str) -> None:
    assert not ends(later, earlier)


def test_texts_without_a_word_in_common_have_no_overlap() -> None:
    assert set(overlap("Use tabs", "Write tests").values()) == {0.0}
    assert overlap("Use tabs", "Use tabs")["<share>"] == 1.0


def test_only_what_a_session_told_ends_a_wish_by_its_words_alone() -> None:
    said = "I've had it with Influx, move the readings to Timescale, it does the downsampling"
    fields = {"primitive": Primitive.LEARNING, "kind": Kind.PREFERENCE, "origin": Origin.HUMAN}
    first = memory(title=INFLUX, **fields)
    heard = memory(
        title=said,
        body=f"{Lead.CHANGED}“{said}.”",
        sources=(Source(agent="claude", session="s"),),
        **fields,
    )

    assert only_hints(heard)
    assert takes_back(heard, first)
    assert not takes_back(heard.having(sources=()), first)
    assert not takes_back(heard.having(origin=Origin.AGENT), first)


def test_a_wish_ends_another_one_by_a_lower_score_than_a_mere_hint() -> None:
    earlier = "ask me questions one at a time"
    later = "batch up your questions, it took us 20 minutes to get through them yesterday"

    assert ends(later, earlier, is_wish=True)
    assert not ends(later, earlier)
