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


def begun() -> Talk:
    talk = Talk().prompt("Could a session class serve all modes, and the entry point with it?")
    return talk.reply("Yes.").prompt("did npm run check pass on each commit?").reply("Yes.")


def test_listed_decisions_and_preferences_are_kept_until_somebody_speaks_of_them_again() -> None:
    talk = begun().compacted(SUMMARY)
    talk.prompt("now remove the old entry point").edit("src/main.ts").reply("Done.")
    preference, decision = extract(talk.session())
    assert decision.primitive is Primitive.DECISION
    assert decision.provenance is Origin.RULES
    assert decision.title == (
        "The session class is the core - all logic lives in it, modes only read and print"
    )
    assert preference.kind is Kind.PREFERENCE
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
