"""Words for a screen or a file, and messages to others, are no wishes of the user."""

import pytest
from support.costs import grows_evenly
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.wishes.says import Wish, looks_like_one, wish_in


@pytest.mark.parametrize(
    "said",
    [
        "tell Joe in the thread to always rebase before pushing",
        "Could you tell Priya that we never backport?",
        "ask the reviewer to never squash the two commits",
        "Let Sam know that he should always tag releases.",
        "Joe should be told that he must never restart the queue by hand",
        "the banner on the login page should say never share your password",
        "The splash screen says “Always back up first”, make it bigger.",
        "The third slide is titled Always Be Closing Connections",
        "print Never run as root in red",
        "I want the bot to answer every issue with Please always attach a log",
        'Someone wrote a comment "must always be called with lock held" above it',
        "There's a TODO never call this twice in the scheduler",
        "The client says the hero should never be centered, move it left.",
        "My boss thinks developers should never touch the database",
        "Lin wrote that we must never cache the token",
        "write to the customer that he should always update before calling",
        "Schreib Karla eine Mail, dass wir nie freitags deployen",
        "Escríbele a Juan que nunca suba archivos a main",
        "Tekst na banerze ma brzmieć: nigdy nie podawaj hasła",
        "客户说标题永远不要居中",
        "Sag Jan, er soll nie auf main pushen",
        "Dis à Paul de toujours rebaser avant de pousser",
        "Pídele a Luis que nunca use la rama main",
        "Pede ao revisor para nunca fazer squash destes commits",
        "Ricorda al team di non pushare mai su main",
        "Vertel het team dat ze nooit op main mogen pushen",
        "Poproś Anię, żeby nigdy nie pushowała na main",
        "Скажи Ивану, чтобы он всегда делал ребейз",
        "提醒小李永远不要直接推送到主分支",
        "佐藤さんに、必ずリベースしてからプッシュするように伝えて",
        "Rename the heading to From now on always use yarn",
        "Imagine I told you to always use yarn and never npm",
        "Imagine you are a senior engineer who always uses vim",
        "Act as a reviewer who never accepts long functions",
        "Hypothetically speaking, from now on always use yarn",
    ],
)
def test_words_for_others_to_read_or_say_are_no_wish(said: str) -> None:
    assert looks_like_one(said)


@pytest.mark.parametrize(
    "said",
    [
        "tell me whenever you touch the schema",
        "act as a reviewer from now on: never accept long functions",
        "change the docs to never mention npm, from now on use yarn there",
        "ask me to review every migration",
        "remind me to bump the version before every release",
        "Always ask subagents to never write files outside of the work tree.",
        "every log line should say which request it belongs to",
        "commit subjects should always start with a verb",
        "always say in the commit why you made the change",
        "never commit a comment that says what the code does",
        "whenever you write a banner, keep it to one line",
        "from now on print errors to stderr",
        "a speed claim in a commit message needs a benchmark, from now on",
        "The next time you think a rewrite is needed, always ask me.",
        "Lin said we must never force-push here, so please never do that.",
        "Die Doku sagt Tabs, also nimm bitte überall Tabs",
        "Sag mir immer Bescheid, bevor du pushst",
        "Schreib Tests immer so, dass sie ohne Netz laufen",
        "Demande-moi toujours avant de supprimer un fichier",
        "Avísame siempre antes de hacer push",
        "Vraag altijd toestemming voordat je pusht",
        "Скажи мне всегда, прежде чем пушить",
    ],
)
def test_a_wish_for_the_agent_is_kept(said: str) -> None:
    assert wish_in(said) is not Wish.NONE


def test_a_conclusion_from_what_somebody_said_is_kept() -> None:
    said = "Lin said we must never force-push here, so please never do that."
    (kept,) = extract(Talk().prompt(said).reply("Understood.").session())
    assert "force-push" in kept.title


def test_what_a_commit_message_should_say_is_kept() -> None:
    said = "the commit message should say what changed, never how"
    assert extract(Talk().prompt(said).reply("Understood.").session())


@pytest.mark.parametrize(
    "part", ["tell Joe ", "says ", "a", "さんに", "he has a ", "so; ", "「必ず"]
)
def test_a_long_prompt_costs_time_in_proportion(part: str) -> None:
    assert grows_evenly(lambda size: looks_like_one(f"The {part * size}"), 2000)
