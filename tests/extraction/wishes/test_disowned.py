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
]
DISOWNED = [
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


def test_a_long_prompt_costs_time_in_proportion() -> None:
    assert grows_evenly(
        lambda size: own_words("Do this, and that. Bob says it. " * (size // 32)), 20_000
    )
