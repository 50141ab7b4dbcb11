"""Lists of what a product must do, say or look like hold no wishes about the work."""

import pytest
from support.costs import grows_evenly

from git_lerim.extraction.transcript.product_lists import without_product_lists
from git_lerim.extraction.transcript.user_text import paragraphs

WISH = "never use leftpad"


@pytest.mark.parametrize(
    "prompt",
    [
        "Build the booking form. The booking rules:\n- {}\n- show prices",
        "Feedback from the client on the landing page:\n1. show the logo\n2. {}\nplease apply",
        "QA feedback:\n- {}",
        "spec for the rate limiter\n\n* answer 429\n* {}",
        "Game logic as follows\n- {}\nimplement in rules.py",
        "Strings for the settings screen, please add them to en.json\n- {}",
        "Acceptance criteria:\n- shows totals\n\n- {}",
        "Here are the requirements:\n- totals\n  with tax\n- {}",
        "Things the customer complained about:\n1. {}",
        "Rules of the puzzle:\n- {}",
        "The system should behave like this:\n- {}",
        "Test cases for the validator:\n- {}",
        "Anforderungen:\n- {}",
        "Retours du client sur la page d'accueil :\n- {}",
        "Requisitos:\n- {}",
        "Правила бронирования:\n- {}",
        "客户反馈：\n- {}",
        "Which would you pick:\n1) always leftpad\n2) {}",
        "Which one is better?\na) always leftpad\nb) {}",
        "Welche Variante findest du besser?\n- {}",
        "Laquelle préfères-tu ?\n- {}",
        "Pick one:\n- {}",
        "Would you rather:\n- {}",
        "¿Cuál prefieres?\n- {}",
    ],
)
def test_a_list_about_the_product_is_left_out(prompt: str) -> None:
    assert "leftpad" not in str(paragraphs(prompt.replace("{}", WISH)))


@pytest.mark.parametrize(
    "prompt",
    [
        "Rules:\n- {}",
        "Build the parser. Coding rules:\n- {}",
        "Build the parser.\n\nRules for commits:\n- {}",
        "My requirements for your work:\n- {}",
        "Requirements for every commit:\n- {}",
        "Please follow these conventions:\n- {}",
        "How I want you to work:\n1. {}",
        "Acceptance criteria:\n- shows totals\n\nFrom now on:\n- {}",
        "Acceptance criteria:\n- shows totals\n\n{}",
        "The error handling rules:\n- {}",
        "Which branch are we on?\n- {}",
        "What should you do:\n- {}",
        "Was mir wichtig ist:\n- {}",
    ],
)
def test_a_list_about_the_work_stays(prompt: str) -> None:
    assert "leftpad" in str(paragraphs(prompt.replace("{}", WISH)))


@pytest.mark.parametrize("line", ["- a ", "the ", "Requirements ", "a-b ", "需求"])
def test_a_long_prompt_costs_time_in_proportion(line: str) -> None:
    assert grows_evenly(lambda size: without_product_lists([line * size, "- x"]), 2000)
