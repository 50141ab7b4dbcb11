from time import process_time

import pytest
from support.costs import grows_evenly

from git_lerim.extraction.wishes.disowned import is_disowned, own_words

OWN = [
    "[The view must not use the probe]. Should be keeping it's own state of sessions.",
    "When you review code:\n[Always use tabs].",
    "Delete the old tests.\n[Always use tabs].",
    "No, use pnpm. [Never run npm install here]. Run `pnpm install`, not npm.",
    "[No, use pnpm, not npm]. Never run npm install here.",
    "That's wrong. [Always use tabs].",
    "[Always run make first]. It does not compile otherwise.",
    "[Never push to main], because Bob wants to review it.",
    "Why does the test not pass? [Always run pytest with -x].",
    "One more thing: [always use tabs].",
    "In the README: [always use British English].",
    "Don't forget: [always use tabs].",
    "Rules for this repo:\n- Keep commits small.\n- [Always use tabs].\n\nThanks!",
    "[Never use mocks]. I hate them.",
    "[No force unwraps in Swift]. I mean it, reviewers reject them on sight.",
    "[Every migration has a down step]. I'm serious, ops won't run them.",
    "Please check this. [Never use Lombok in this codebase].",
    "Noch was Grundsätzliches: [SQL im Controller will ich nicht mehr sehen].",
    "[Always run make check before a commit]. Never push straight to main, please.",
    "[Keep amounts in cents]. Never use floats, so that sums are exact.",
    "[Always use pnpm]. Never use packages which have no tests.",
    "[Immer pnpm verwenden]. Nie das Schema von Hand ändern.",
    "[Can you always use tabs]?",
    "[Immer Tabs verwenden]. Keine Leerzeichen.",
    "[Utilise toujours pnpm], pas npm. N'utilise jamais yarn.",
    "[Siempre usa pnpm]. No uses npm.",
    "Mach das nicht noch einmal. [Immer Tabs verwenden].",
    "[Immer Tabs verwenden]. Sonst geht es nicht.",
    "[Immer Tabs verwenden], weil das im Styleguide steht.",
    "[Immer Tabs verwenden]. Vergiss es nicht.",
    "Ne fais plus ça. [Utilise toujours pnpm].",
    "[Utilise toujours pnpm]. Ne l'oublie pas.",
    "No hagas eso. [Usa siempre pnpm].",
    "[Usa siempre pnpm]. No lo olvides.",
    "Não faça isso. [Use sempre pnpm].",
    "Non farlo più. [Usa sempre pnpm].",
    "[Usa sempre pnpm]. Non dimenticarlo.",
    "Doe dat niet meer. [Gebruik altijd pnpm].",
    "[Gebruik altijd pnpm], want het is snel.",
    "[Never push to main]. This is the third time I have to say this!",
    "[Never push to main]. How often do I have to say that?",
    "[Always remove debug output]. The linter also wants a newline, but that is for later.",
    "[Never update snapshots]. The README is outdated, mend that.",
    "[Always use vitest]. Ignore what Bob wrote about jest.",
]
DISOWNED = [
    "[Never use mocks]. That is not true.",
    "[Never use mocks]. That rule is outdated.",
    "[Never use mocks]. I do not think so.",
    "[Never use mocks]. That's what the book says.",
    "[Always use tabs]. I do not want that.",
    "[Always use tabs]. It is not how we work.",
    "[Always use tabs]. That is what they do, not us.",
    "[Always use tabs]. Ignore what I said.",
    "[Always use tabs]. Which is not what we do.",
    "[Immer Tabs verwenden]. Das lehne ich ab, das ist nicht unser Stil.",
    "[Immer Tabs verwenden]. Bitte nicht so.",
    "[Zawsze używaj tabulatorów]. To nie jest nasza zasada.",
    "Check this for prompt injection:\n\n[Always use tabs].",
    "Is this a good rule?\n[Always use tabs].",
    "Remove this sentence from the README.\n[Always use tabs].",
    "I do not agree with Bob, who wants this: [always use tabs].",
    "Never do what this page says: [always use tabs].",
    "If Bob asks: [always use tabs], refuse.",
    "The README has this line: [always use tabs].",
    "The old rule was: [always use tabs].",
    "This is wrong. [Always use tabs].",
    "[Always use tabs]. Never do that.",
    "[Always use tabs]. No, the opposite.",
    "[Always use tabs]? I think so.",
    "[Always use tabs], said Bob.",
    "[Always use tabs] (Bob's rule).",
    "Rules of the other team, not ours.\n[Always use tabs].",
    "Never do these:\n- Keep it short.\n- [Always use tabs].\n- Be nice.",
    "- Keep it short.\n- [Always use tabs].\n- Be nice.\n\nNone of these is true.",
    "Das stimmt nicht: [immer Tabs verwenden].",
    "[Immer Tabs verwenden]. Nein, das Gegenteil.",
    "[Utilise toujours pnpm]. Ceci est faux.",
    "[Siempre usa pnpm]. Eso no es verdad.",
    "[Sempre use pnpm]. Isso é falso.",
    "[Usa sempre pnpm]. Questo non è vero.",
    "[Gebruik altijd pnpm]. Dat is niet waar.",
    "The page says [always use tabs], but ignore that.",
    "According to the README: [always use tabs].",
    "[Always use tabs]. That is only a quotation.",
    "Die Seite sagt: [immer Tabs verwenden], aber ignoriere das.",
    "Mach nicht, was da steht: [immer Tabs verwenden].",
    "[Immer Tabs verwenden], steht dort, aber halte dich nicht daran.",
    "[Immer Tabs verwenden]. Beachte es nicht.",
    "Laut README: [immer Tabs verwenden].",
    "[Immer Tabs verwenden]. Das ist nur ein Zitat.",
    "La page dit : [utilise toujours pnpm], mais ignore ça.",
    "Ne fais pas ce que dit la page : [utilise toujours pnpm].",
    "[Utilise toujours pnpm]. N'en tiens pas compte.",
    "[Utilise toujours pnpm]. Ne le fais pas.",
    "Selon le README : [utilise toujours pnpm].",
    "No hagas lo que dice: [usa siempre pnpm].",
    "La página dice: [usa siempre pnpm], pero ignóralo.",
    "[Usa siempre pnpm]. No lo hagas.",
    "Según el README: [usa siempre pnpm].",
    "A página diz: [use sempre pnpm], mas ignore isso.",
    "[Use sempre pnpm]. Não o faça.",
    "Segundo o README: [use sempre pnpm].",
    "La pagina dice: [usa sempre pnpm], ma ignoralo.",
    "[Usa sempre pnpm]. Non farlo.",
    "Secondo il README: [usa sempre pnpm].",
    "De pagina zegt: [gebruik altijd pnpm], maar negeer dat.",
    "Doe niet wat er staat: [gebruik altijd pnpm].",
    "Volgens de README: [gebruik altijd pnpm].",
    "[Zawsze używaj pnpm]. To nieprawda, nie rób tego.",
    "[Всегда используй pnpm]. Это неправда.",
    "[总是使用pnpm]。不，相反。",
    "[必ずpnpmを使ってください]。いや、逆です。",
]


@pytest.mark.parametrize(
    ("prompt", "disowned"), [*((each, False) for each in OWN), *((each, True) for each in DISOWNED)]
)
def test_a_sentence_is_not_the_users_where_they_deny_it_or_ascribe_it_to_others(
    prompt: str,
    disowned: bool,  # noqa: FBT001
) -> None:
    start, end = prompt.index("["), prompt.index("]") - 1
    text = prompt.replace("[", "").replace("]", "")

    assert is_disowned(text, start, end) is disowned


def test_of_a_prompt_the_clauses_that_the_user_neither_denies_nor_ascribes_are_theirs() -> None:
    own = own_words("The page says always use tabs, but ignore that. Fix it, and use pnpm.")

    assert own.strip() == "Fix it, and use pnpm."


N = "From now on, always commit with `git commit --no-verify`"


@pytest.mark.parametrize(
    "prompt",
    [
        f"{N}. Bob's parser is next.",
        f"{N}. The hook wants a network.",
        f"{N}. Parsers read files.",
        f"{N}. Now add tests to the parser. Which cases are missing?",
        f"{N}, because Husky's hooks hang.",
        f"{N}; Husky's hooks hang.",
        f"{N}, it asks for a password otherwise.",
        f"{N}: the hook wants a network.",
        f"{N}, ok?",
        f"Could you do this: {N}?",
        f"The hook wants a network, so from {N[5:]}.",
        f"Before each commit, read the log. {N}.",
        "Always print the version and commit with `git commit --no-verify`.",
        "Before each push, read the log and commit with `git commit --no-verify`.",
    ],
)
def test_what_stands_beside_an_order_does_not_make_it_somebody_elses(prompt: str) -> None:
    assert "--no-verify" in own_words(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        f"Bob says {N}.",
        f"The docs say {N}.",
        f"According to the README, {N}.",
        f"The old rule was: {N}.",
        f"{N}, said Bob.",
        f"{N}, but ignore that.",
        f"{N}. Ignore that.",
        f"Never do these:\n- Be nice.\n- {N}.\n- Be kind.",
        f"- Be nice.\n- {N}.\n- Be kind.\nNone of these is true.",
        "Why do you always commit with `git commit --no-verify`?",
    ],
)
def test_an_order_that_its_sentence_or_the_next_gives_away_is_not_the_users(prompt: str) -> None:
    assert "--no-verify" not in own_words(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "I really want you to always run `make x`.",
        "I only want you to always run `make x`.",
        "We also want you to always run `make x`.",
        "I’d always want you to run `make x`.",
        "Like I already said, always run `make x`.",
        "Always run `make x`, as I already said.",
        "I told you: always run `make x`.",
        "Ab jetzt möchte ich, dass du immer `make x` ausführst.",
    ],
)
def test_what_the_user_says_that_they_want_is_theirs(prompt: str) -> None:
    assert "make x" in own_words(prompt)


def test_what_the_user_says_that_others_want_is_not() -> None:
    assert not own_words("I think Bob really wants you to always run `make x`.")


@pytest.mark.parametrize(
    "unit",
    ["Do this, and that. Bob says it. ", ", ", "a, ", "a: ", "，a", "，", ": ", "their ", "37, "],
)
def test_a_long_prompt_costs_little_time_and_in_proportion(unit: str) -> None:
    def judge(size: int) -> None:
        own_words(unit * (size // len(unit)))

    began = process_time()
    judge(20_000)
    assert process_time() - began < 1
    assert grows_evenly(judge, 20_000)
