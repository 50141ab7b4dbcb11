from support.talk import Talk

from git_lerim.extraction import by_rules
from git_lerim.extraction.base import Dropped


def test_an_answer_and_plans_that_give_nothing_are_named_with_the_reason() -> None:
    talk = Talk().prompt("Build the importer.").plan("# First draft\n\n1. Read").reply("Changed.")
    talk.plan("# Importer\n\n## Steps\n1. Read the file\n2. Test").edit("importer.py")
    talk.answer("Shall I commit this?", "Yes", "Yes", "No").reply("Committed.")

    dropped = [one for one in by_rules.extract(talk.session()) if isinstance(one, Dropped)]
    assert [(one.text, one.reason) for one in dropped] == [
        ("First draft", "a later plan was approved"),
        ("Importer", "the plan states no decision with its reason"),
        (
            "Shall I commit this? Yes",
            "the answer is about the work at hand, or is not clear on its own",
        ),
    ]
    assert [one.evidence[0].records for one in dropped] == [((2, 2),), ((4, 4),), ((7, 7),)]


def test_an_answer_that_is_kept_is_not_named() -> None:
    talk = Talk().prompt("Build it.").answer("Where should events be stored?", "SQLite", "SQLite")

    given = by_rules.extract(talk.reply("Ok.").session())
    assert [one for one in given if isinstance(one, Dropped)] == []
