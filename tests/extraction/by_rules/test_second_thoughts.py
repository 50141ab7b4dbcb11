import pytest
from support.costs import grows_evenly
from support.rules import extract
from support.talk import Talk


def kept(*prompts: str) -> list[str]:
    talk = Talk()
    for text in prompts:
        talk.prompt(text).edit("src/a.py").reply("Done.")
    return [one.title for one in extract(talk.session())]


REDIS = "Let's use Redis for the cache because it's fast."
BUN = "Always use Bun as the runtime because it's fast."
NODE = "Go back to Node instead of Bun"


@pytest.mark.parametrize(
    ("first", "then", "titles"),
    [
        (
            REDIS,
            "hmm no, forget Redis, we take the in-process cache; Redis is one more thing to run",
            ["Forget Redis, we take the in-process cache; Redis is one more thing to run"],
        ),
        (BUN, f"Bun is slow on our CI machines. {NODE}.", [NODE]),
        ("Use yarn in this repo.", "sorry, I meant pnpm, not yarn.", ["Use pnpm in this repo"]),
        ("Use yarn in this repo.", "No, pnpm, not yarn!", ["Use pnpm in this repo"]),
        ("Always use yarn.", "I said pnpm, not yarn.", ["Always use pnpm"]),
    ],
)
def test_what_the_user_gives_up_later_in_the_session_is_not_kept(
    first: str, then: str, titles: list[str]
) -> None:
    assert kept(first, then) == titles
    assert kept(first, "Now write the parser.", then) == titles


@pytest.mark.parametrize(
    "then",
    [
        "Why does the log say npm, not yarn?",
        "The CI log says npm, not yarn.",
        "Use npm, not yarn, for now.",
        "Use npm, not yarn, in packages/legacy.",
        "Bob says: use npm, not yarn.",
        "> I meant npm, not yarn.",
        "I meant the page, not the menu.",
        "Forget the yarn logs, we take the next task.",
    ],
)
def test_what_only_names_the_choice_leaves_it(then: str) -> None:
    assert "Always use yarn in this repo" in kept("Always use yarn in this repo.", then)


def test_a_corrected_name_is_kept_with_both_of_the_users_sentences() -> None:
    talk = Talk().prompt("Use yarn in this repo.").edit("a.py").reply("Done.")
    (one,) = extract(talk.prompt("sorry, I meant pnpm, not yarn.").reply("Done.").session())

    assert one.body == (
        "The user asked for this: “Use yarn in this repo.” "
        "The user said this: “sorry, I meant pnpm, not yarn.”"
    )
    assert [cited.records for cited in one.evidence] == [((1, 1), (5, 5))]


@pytest.mark.parametrize("unit", ["a b ", "a, not ", "a.", "I meant a, not b. "])
def test_a_long_correction_is_read_in_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: kept("Always use yarn.", f"{unit * size}x"), 400)
