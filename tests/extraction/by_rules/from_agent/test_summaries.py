import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.memories.memory import Kind, Origin, Primitive

SUMMARY = """# Goal
Split the modes.

# Key Decisions Made
- **The session class is the core** - all logic lives in it, modes only read and print
- **Keep the old entry point** - new files instead of changed ones, so both can be compared
- Looked at the tests

# User Preferences
- `npm run check` must pass before each commit

# Next steps
- Delete the tests of the old entry point, because nobody runs them
"""


WISH = "and so `npm run check` must pass before each commit you make!"


def begun(*, wish: str = WISH) -> Talk:
    talk = Talk().prompt("Could a session class serve all modes, and the entry point with it?")
    return talk.reply("Yes.").prompt(wish).run("npm run check").reply("Yes.")


def test_listed_decisions_and_preferences_are_kept_until_somebody_speaks_of_them_again() -> None:
    talk = begun().compacted(SUMMARY)
    talk.prompt("now remove the old entry point").edit("src/main.ts").reply("Done.")
    preference, decision = extract(talk.session())
    assert decision.primitive is Primitive.DECISION
    assert decision.provenance is Origin.RULES
    assert decision.title == (
        "The session class is the core - all logic lives in it, modes only read and print"
    )
    assert (preference.kind, preference.provenance) == (Kind.PREFERENCE, Origin.RULES)
    assert preference.title == "`npm run check` must pass before each commit"


def test_the_last_list_counts() -> None:
    later = "# Key decisions\n- The modes share one loop - the session class only stores"
    talk = begun().compacted(SUMMARY).reply("Going on.")
    titles = [one.title for one in extract(talk.compacted(later).reply("Done.").session())]
    assert "The modes share one loop - the session class only stores" in titles
    assert not any("core" in title for title in titles)


def test_what_nobody_spoke_of_is_the_agent_s_alone() -> None:
    talk = Talk().prompt("Please look at the upload.").reply("Ok.").compacted(SUMMARY)
    assert extract(talk.session()) == []


@pytest.mark.parametrize(
    "said",
    [
        "did npm run check pass before each commit?",
        "`npm run check` must never pass before a commit.",
        "`npm run check` must pass.",
        "Do not let `npm run check` pass before each commit.",
        "The plan says: `npm run check` must pass before each commit.",
    ],
)
def test_a_preference_that_the_user_did_not_wish_is_not_kept(said: str) -> None:
    session = begun(wish=said).compacted(SUMMARY).prompt("Go on.").reply("Done.").session()
    kept = [(one.kind, one.provenance) for one in extract(session)]
    assert (Kind.PREFERENCE, Origin.RULES) not in kept


def test_what_a_summary_adds_to_a_preference_is_left_out() -> None:
    summary = SUMMARY.replace("each commit", "each commit - never ask before a push")
    found = extract(begun().compacted(summary).reply("Going on.").session())
    (preference,) = (one for one in found if one.kind is Kind.PREFERENCE)
    assert preference.title == "`npm run check` must pass before each commit"
    assert "push" not in preference.body


def test_a_preference_that_turns_a_wish_around_is_not_kept() -> None:
    summary = "# User preferences\n- No check before each commit"
    found = extract(begun().compacted(summary).reply("Going on.").session())
    assert Kind.PREFERENCE not in [one.kind for one in found]
