from support.talk import Talk

from git_lerim.extraction.transcript.unfinished import unfinished


def test_a_session_that_ended_well_leaves_nothing_open() -> None:
    talk = (
        Talk()
        .prompt("Make the sync faster.")
        .edit("src/sync.py")
        .reply("The sync reads only what is new, and all tests pass.")
    )
    talk.prompt("Thanks!").reply("You are welcome.")

    left = unfinished(talk.session())

    assert (left.questions, left.steps, left.files) == ((), (), ("src/sync.py",))
    assert left.last == 6


def test_what_the_agent_asked_last_is_open() -> None:
    talk = (
        Talk().prompt("Rename the store.").reply("Which name? Both are free.").prompt("You choose.")
    )
    talk.reply(
        "It is called `depot` now. Should the old name `store` stay as an alias for one release?"
    )

    assert unfinished(talk.session()).questions == (
        "Should the old name `store` stay as an alias for one release?",
    )


def test_what_the_human_asked_and_nobody_answered_is_open() -> None:
    talk = (
        Talk()
        .prompt("Fix the parser.")
        .reply("The parser reads empty files now.")
        .prompt("ok. What does it return for a BOM?")
    )

    left = unfinished(talk.session())

    assert left.questions == ("Unanswered: What does it return for a BOM?",)
    assert left.steps == ()


def test_a_wish_that_nobody_got_to_comes_next_even_behind_a_thank_you() -> None:
    talk = (
        Talk()
        .prompt("Fix the parser for empty files. They come from the exporter.")
        .prompt("ok")
        .prompt("好的")
    )

    assert unfinished(talk.session()).steps == ("Continue with: Fix the parser for empty files.",)
    assert unfinished(Talk().prompt("thanks").session()).steps == ()


def test_the_last_list_of_what_comes_next_counts() -> None:
    talk = (
        Talk()
        .prompt("Begin with the import.")
        .reply("Done with the reader.\n\n## Next steps\n\n- Write the mapper\n- Delete `old.py`\n")
    )
    assert unfinished(talk.session()).steps == ("Write the mapper", "Delete `old.py`")

    talk.prompt("Write the mapper").reply(
        "The mapper is there.\n\n**Remaining work:**\n1. Delete `old.py`\n2. Document it\n\nThat is"
        " all."
    )
    assert unfinished(talk.session()).steps == ("Delete `old.py`", "Document it")

    talk.prompt("And the docs?").reply("Options:\n- one\n- two\n")
    assert unfinished(talk.session()).steps == ("Delete `old.py`", "Document it")


def test_without_a_list_the_last_reply_s_own_words_count() -> None:
    talk = (
        Talk()
        .prompt("Port it.")
        .reply("The reader is ported. The writer still needs a lock on Windows. All tests pass.")
    )

    assert unfinished(talk.session()).steps == ("The writer still needs a lock on Windows.",)


def test_a_session_that_broke_off_says_where() -> None:
    talk = (
        Talk().prompt("Fix the build.").edit("build.py").run("make all", failure="error: no rule")
    )

    left = unfinished(talk.session())

    assert left.steps == (
        "Continue with: Fix the build.",
        (
            "The session broke off after `make all`, which failed: look at the work tree for what"
            " is half done"
        ),
    )
    assert left.files == ("build.py",)


def test_what_was_rewound_and_what_a_sub_agent_said_does_not_count() -> None:
    talk = (
        Talk()
        .prompt("Fix the build.")
        .reply("The build is fixed.")
        .prompt("Now rewrite everything!", abandoned=True)
    )
    talk.reply("Should the parser of the sub-agent go?", part="agent-1.jsonl")

    left = unfinished(talk.session())

    assert (left.questions, left.steps) == ((), ())


def test_an_empty_session_leaves_nothing() -> None:
    left = unfinished(Talk().session())

    assert (left.questions, left.steps, left.files, left.last) == ((), (), (), 0)
