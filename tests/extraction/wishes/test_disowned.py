import pytest

from git_lerim.extraction.wishes.disowned import is_disowned

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
