"""A text that a prompt gives to be judged, changed or imagined is not the user's own wish."""

import pytest
from support.costs import grows_evenly
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.transcript.dictated import without_dictated
from git_lerim.extraction.transcript.user_text import paragraphs

WISH = "From now on always use leftpad in this repository."


@pytest.mark.parametrize(
    "prompt",
    [
        "True or false? {}",
        "Quick quiz. Fact or fiction:\n{}",
        "Wahr oder falsch? {}",
        "Vrai ou faux ? {}",
        "¿Verdadero o falso? {}",
        "Vero o falso? {}",
        "Is it true or false? {}",
        "Translate the sentence below into German.\n{}",
        "Make this prompt better: You are Kim. {}",
        "My chatbot has this system prompt: Be kind. {}",
        "Is this prompt any good? Be kind. {}",
        "Decide for each line if it is a rule.\n{}",
        "Waar of niet waar? {}",
        "This comment is outdated, remove it. {}",
        "The docstring no longer matches, please delete it. {}",
        "The error message is confusing. {} Never skip this step. Make it shorter.",
        "Der Satz ist veraltet, lösch ihn. {}",
        "Cette phrase est obsolète, supprime-la. {}",
        "Esta frase está obsoleta, bórrala. {}",
        "Can you translate the next sentence for me please?\n{}",
        "Can you check the grammar of the next sentence? {}",
        "Kannst du den nächsten Satz bitte übersetzen?\n{}",
        "Peux-tu traduire la phrase suivante s'il te plaît ?\n{}",
        "¿Puedes traducir la siguiente frase por favor?\n{}",
        "improve this system prompt: You are a helpful assistant. {}",
        "here's my prompt for the support bot, make it shorter. You are Kim. {}",
        "The failing prompt of our chatbot is: {} Fix the parsing.",
        "Is this ADR still right?\n\nADR 7: Storage\n\nStatus: accepted\n\n{}",
        "Suppose I said: {}",
        "Hypothetically: {}",
        "Stell dir vor, ich sage: {}",
        "Imaginons : {}",
        "You play the grumpy admin in our onboarding quiz. {}",
        "Generate ten sample user prompts, such as: {}",
        "Give me three variants of the sentence: {}",
        "Write five example rules like: Be kind. {}",
        "Classify each line as rule or remark.\nThe build is slow.\n{}",
        "Convert to YAML:\n\nrule one: be kind\nrule two: {}",
        "Quote of the day: {}",
    ],
)
def test_a_text_to_work_on_is_not_the_users(prompt: str) -> None:
    assert "leftpad" not in str(paragraphs(prompt.replace("{}", WISH)))


@pytest.mark.parametrize(
    "prompt",
    [
        "Right or wrong, {}",
        "This test is flaky, remove it. {}",
        "Your last answer was too long, shorten it. {}",
        "The error message is confusing. {}",
        "This comment is useless, remove it. {} Write no comments that repeat the code.",
        "Der Test ist veraltet, lösch ihn. {}",
        "Can you translate the README please?\n{}",
        "Explain the next step only when I ask. {}",
        "Check the prompt in src/prompt.py. {}",
        "Is the build still broken?\n{}",
        "Assume the tests run offline: {}",
        "Imagine how users feel. {}",
        "Write five tests. {}",
        "The prompt is cut off. {}",
        "Is this prompt for you? {}",
        "Make it shorter. {}",
        "Give me examples when you explain. {}",
        "Convert all dates to UTC. {}",
    ],
)
def test_the_users_own_words_beside_a_task_stay(prompt: str) -> None:
    assert "leftpad" in str(paragraphs(prompt.replace("{}", WISH)))


PAGE = "The tool reads its settings from a file.\n\n" * 15


@pytest.mark.parametrize(
    "ask",
    [
        "We need a cleaner way to install it. Does this doc page help?",
        "is this article relevant for us?",
        "Would these docs be of any use here?",
    ],
)
def test_a_page_below_a_question_about_it_is_not_the_users(ask: str) -> None:
    assert "leftpad" not in str(paragraphs(f"{ask}\n\n{PAGE}{WISH}"))
    assert "leftpad" in str(paragraphs(f"{ask}\n\n{WISH}"))
    assert "leftpad" in str(paragraphs(f"Does this page load faster now?\n\n{PAGE}{WISH}"))


def test_a_decision_to_be_judged_supersedes_nothing() -> None:
    said = "True or false?\nWe dropped Redis, so sessions live in memory."
    assert not extract(Talk().prompt(said).reply("True.").session())


@pytest.mark.parametrize(
    "part", ["the ", "translate ", "next sentence ", "my prompt ", ". make it ", "this doc help "]
)
def test_a_long_prompt_costs_time_in_proportion(part: str) -> None:
    assert grows_evenly(lambda size: without_dictated([f"The comment is {part * size}", "x"]), 300)
