"""Wishes as people type them in chat, in the middle of work."""

import pytest
from support.rules import extract
from support.talk import Talk


def kept(prompt: str) -> list[str]:
    talk = Talk().prompt("which branch am i on").reply("You are on main.").prompt(prompt)
    return [one.title for one in extract(talk.edit("app.py").reply("Done.").session())]


@pytest.mark.parametrize(
    "wish",
    [
        "dont hard code urls in the client",
        "i dont like abbreviations in names",
        "can you always show the full path in your answers?",
        "could you please never use the word leverage?",
        "please keep the commit titles short in future, ok?",
        "Formatting: avoid nested ternaries unless they fit on one line",
        "the logs are read by operators, so keep stack traces out of anything at info level",
        "we deploy on fridays so never merge a migration after noon",
        "stick to plain css unless i agree, i like as few build steps as possible",
        "use absolute imports, the relative ones broke three times now",
        "could you please always link the file you are talking about?",
        "im colorblind so dont use red/green in charts",
        "dont amend commits, you broke my history twice",
    ],
)
def test_what_stands_around_a_wish_does_not_hide_it(wish: str) -> None:
    assert kept(wish)


@pytest.mark.parametrize(
    "said",
    [
        "can you add the new route?",
        "could you stop the dev server?",
        "can we always use the cached value here?",
        "can you always see the spinner?",
        "can you always reproduce it?",
        "tests fail on windows so use os.path.join in both",
        "users complain so make it faster",
        "use the blue one, i like it better",
        "the build is slow, so skip the docs target now",
        "i have a meeting so be quick",
        "the page is empty so add a placeholder",
        "use the second helper, the first one is broken",
        "Style: the button is blue now",
        "do not touch the header, i like the old one",
    ],
)
def test_what_stands_around_an_order_makes_it_no_wish(said: str) -> None:
    assert not kept(said)


@pytest.mark.parametrize(
    "wish",
    [
        "next time run the formatter before you hand over",
        "One note for next time: keep the diff small",
        "for future reference, our migrations live in db/migrate/, not in app/",
        "for all my projects: no semicolons in typescript",
        "our policy is: two approvals before a merge, no self merges",
        "our naming rule is: plural for tables, singular for models",
        "dont open the browser yourself, this holds for every session",
        "answer in two sentences, thats for all chats",
        "prefix events with the domain, thats how everybody does it here",
        "put the types next to the code, this is how we always do it",
        "i dont want any global state anywhere",
        "hey next time pls dont rewrite the whole file, just patch it",
        "btw for the future: keep migrations and code in separate commits",
        "as a general rule dont refactor while fixing bugs",
    ],
)
def test_what_says_how_long_a_wish_holds_makes_it_one(wish: str) -> None:
    assert kept(wish)


@pytest.mark.parametrize(
    "said",
    [
        "next time it crashes send me the log",
        "next time CI fails send me the log",
        "next time slot should be 10am",
        "the next time slot is free, book it",
        "for future reference, what was the command?",
        "the bug applies to all sessions",
        "make the button like the one in settings, thats how they did it",
        "i dont want the old button anywhere on the page",
        "i dont want the user to be logged out here",
        "we dont want to wait",
        "i dont want to lose data ever again",
        "next time the job runs it should skip the lock",
        "add a filter, for all projects and users",
        "for every project: list the last 3 builds",
        "across all tasks, the total is wrong",
    ],
)
def test_what_only_sounds_lasting_makes_no_wish(said: str) -> None:
    assert not kept(said)


@pytest.mark.parametrize(
    "wish",
    [
        "when you rename a column also adapt the seed data",
        "whenever you add a flag document it in docs/flags.md",
        "if a dependency is outdated, tell me, do not upgrade it yourself",
        "when you are in doubt about a name, ask me instead of guessing",
        "whenever something fails twice, stop and show me the output",
        "if you cant reproduce a bug, say so instead of guessing a fix",
        "when a command needs root, give it to me and i run it",
        "you must not deploy anything to production yourself",
        "you should not push to main, not even docs",
        "no more print debugging in committed code",
        "no more lodash, the standard library has it all",
        "you're not supposed to edit the snapshots by hand",
        "if a command needs the network ask me first",
        "before you delete files ask me",
        "when in doubt, ask",
        "every time you add a dependency tell me why",
    ],
)
def test_a_case_that_recurs_and_what_is_forbidden_make_a_rule(wish: str) -> None:
    assert kept(wish)


@pytest.mark.parametrize(
    "said",
    [
        "when you are done, push the branch",
        "if the test fails, look at the log",
        "if a user has no avatar, show the initials",
        "whenever the socket drops, reconnect",
        "if something is missing, add it",
        "when you renamed the column, did you also adapt the seed data?",
        "anything you find in the log goes to the ticket",
        "you must not have seen the last commit",
        "you should not need the token for that",
        "no more questions, go ahead",
        "no more changes please, ship it",
        "no more than 5 items per page",
        "if in doubt about the token check the env file",
        "you must not be logged in for that endpoint",
        "when you delete an item also update the counter badge",
        "when you add a todo it should appear on top",
        "if a build is older than 30 days, delete it",
        "if this commit has no author, dont crash",
    ],
)
def test_a_case_at_hand_makes_no_rule(said: str) -> None:
    assert not kept(said)


@pytest.mark.parametrize(
    "said",
    [
        "from now on use tabs. hm no, scrap that, leave it",
        "always squash. uh wait, forget it",
        "never use mocks. well, actually no, do as you like",
        "always run the linter. ah no, forget what i just said",
        "dont ever push to main. ok no, thats too strict, forget that",
        "never use mocks. hmm. no, forget it",
    ],
)
def test_a_wish_that_is_taken_back_after_a_pause_is_not_kept(said: str) -> None:
    assert not kept(said)


@pytest.mark.parametrize(
    "said",
    [
        "never use mocks. hmm, the old tests still do",
        "never push to main. no exceptions",
        "always use uv. no pip please",
        "never use mocks. oh and rename the file",
        "always use uv. ok, also rename the file",
    ],
)
def test_a_pause_alone_takes_nothing_back(said: str) -> None:
    assert kept(said)


@pytest.mark.parametrize(
    "said",
    [
        "Don't change any code, I just want to understand it",
        "dont edit anything, i only want an explanation",
        "do not touch any files, i am only asking",
        "Ugly code is ok, put it in scratch/, no docs needed",
        "quick and dirty is fine here, no types needed",
        "a prototype is enough, skip the tests",
        "No need for a migration, Tom is writing it",
    ],
)
def test_what_a_task_does_not_need_is_no_wish(said: str) -> None:
    assert not kept(said)


@pytest.mark.parametrize(
    "wish",
    [
        "don't change generated files, edit the template",
        "one line is always enough for commits, no body needed",
        "adding fields is fine, renaming or removing needs my ok",
        "no new dependencies without my ok",
    ],
)
def test_what_all_tasks_do_not_need_is_a_wish(wish: str) -> None:
    assert kept(wish)


@pytest.mark.parametrize(
    "wish",
    [
        "check the types before you report success. each time.",
        "give me fish commands. this applies to all my projects",
        "write the spec before the code. no exceptions",
        "run the formatter before you hand over. always.",
        "dont start docker yourself, i do that. same for all other repos",
    ],
)
def test_a_second_sentence_may_make_the_first_last(wish: str) -> None:
    assert kept(wish)


@pytest.mark.parametrize(
    "said",
    [
        "it fails on main. every time.",
        "CI breaks. each time.",
        "fix the login test. no exceptions were thrown",
        "did you run the tests? every time?",
        "remove this file. always",
        "show the banner. every time",
        "show a banner on every page. no exceptions",
    ],
)
def test_a_second_sentence_makes_no_report_a_wish(said: str) -> None:
    assert not kept(said)


def test_a_wish_may_be_short_and_follow_a_sigh() -> None:
    assert kept("this is a bun project. always bun") == ["Always bun"]
    assert kept("hmm ok but next time ask me before you move a file") == [
        "Next time ask me before you move a file"
    ]
    assert kept("write docs in plain words in this repo, others read them")
