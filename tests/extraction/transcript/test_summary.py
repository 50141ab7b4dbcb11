from support.talk import Talk

from git_lerim.extraction.base import Brief
from git_lerim.extraction.transcript.summary import summarise


def test_a_session_in_brief_is_the_first_prompt_and_what_came_of_it() -> None:
    talk = Talk().prompt("Make the sync faster. It takes a minute with 2,000 sessions.\n\nThanks!")
    talk.reply("Let me look at the sync first.").look("src/sync.py").reply("I'll profile it now.")
    talk.reply(
        "Done. The sync reads a session only from where it stopped the last time, because the catalog now keeps the offset."  # noqa: E501
        " With 2,000 sessions and nothing new it takes 40 ms."
    )
    brief = summarise(talk.session())
    assert brief == Brief(
        intent="Make the sync faster. It takes a minute with 2,000 sessions.",
        outcome="The sync reads a session only from where it stopped the last time, because the catalog now keeps the offset."  # noqa: E501
        " With 2,000 sessions and nothing new it takes 40 ms.",
    )


def test_what_the_first_prompt_only_quotes_is_not_what_the_user_wanted() -> None:
    talk = Talk().prompt(
        "> Upload the whole folder after each session.\n\nWhat do you make of this remark?"
    )
    talk.reply("The remark asks for an upload that nothing in this repository is prepared for.")
    brief = summarise(talk.session())
    assert brief
    assert brief.intent == "What do you make of this remark?"


def test_a_short_good_bye_is_not_the_outcome() -> None:
    talk = Talk().prompt("Why does the build fail on Windows?").look("build.ps1")
    talk.reply(
        "The build fails because `Setpgid` exists on Unix only. A file with the build tag `!unix` gives the package a function that does nothing."  # noqa: E501
    )
    talk.prompt("commit it").reply("Committed as 1a2b3c4 on the branch.")
    brief = summarise(talk.session())
    assert brief
    assert brief.outcome.startswith("The build fails because `Setpgid` exists on Unix only.")


def test_where_nobody_asked_or_nothing_was_said_there_is_no_brief() -> None:
    assert summarise(Talk().session()) is None
    assert summarise(Talk().prompt("Fix the build of the exporter.").session()) is None
    assert (
        summarise(
            Talk().reply("The exporter writes its files in the order of their names.").session()
        )
        is None
    )
