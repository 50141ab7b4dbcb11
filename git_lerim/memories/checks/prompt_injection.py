"""Detect prompt injection: text that orders an agent to do what only a human may order.

Disguised letters and addresses are made plain first. An order to send, download, hide, skip a
check, move secrets or run something is accepted only if the human gave it. The same order from a
tool, a file, a page or a colleague is suspicious, however it is worded.
"""

import re
from collections.abc import Iterable
from functools import cache

from git_lerim.memories.checks.commands.command_lines import Runs, commands_in, stray
from git_lerim.memories.checks.denials import is_denial, without_denied
from git_lerim.memories.checks.disguise import HOST, is_invisible, spelled_out, undisguised
from git_lerim.memories.checks.english.statements import is_statement
from git_lerim.memories.checks.injection_patterns import (
    ALWAYS,
    AWAY,
    EFFECTS,
    FORBIDS,
    IMPERATIVE,
    INSTALLS,
    LOCAL_GIT,
    MAY_BE_FORBIDDEN,
    MOVES_SECRETS,
    NORMS,
    PLAIN,
    SENTENCE,
    SHARED,
    TO_RUN,
    WORDINGS,
)
from git_lerim.memories.checks.injection_statements import STATED
from git_lerim.memories.checks.injection_words import may_find
from git_lerim.memories.checks.linear_search import Search

# `Never do X without asking` asks for the opposite of `Do X without asking`.
_UNLESS_ASKED = re.compile(
    r"(?P<forbids>\b(?:never|do not|don[’']t|(?:must|may|should) not|(?:must|should)n[’']t|"
    r"can(?:not|[’']t)|(?:nobody|no one) (?:may|must|should)) "
    r"(?!hesitat|wait|stop|bother|fear|worr|be\b|forget|ask|tell|refrain|avoid|fail|delay|pause|"
    r"mind|need|have)\w+\b[^,;:—–.!?\n]{0,80}?) without (?:first )?"
    r"(?:asking|telling|informing|notifying|consulting|(?:checking|confirming) with)\b",
    re.IGNORECASE,
)


def suspicion(text: str, *, heard: str | None = None, runs: Runs | None = None) -> str | None:
    """Return why a text must be withheld from agents, or None.

    `heard` is what the human said, if known; an order that is not in it is suspicious. `runs`
    returns whether a command stays inside the repository. Without `runs`, an order to run a command
    is suspicious only if it is a standing rule and `heard` is given; an order to install something
    is always suspicious.
    """
    if is_invisible(text):
        return "contains invisible characters"
    plain = unless_asked(undisguised(text))
    said = undisguised(heard) if heard else ""
    forms = tuple(dict.fromkeys((plain, spelled_out(plain))))
    around = "\n".join(forms)
    judged: set[str] = set()  # most sentences are the same in both forms
    for form in forms:
        sentences = [each for each in SENTENCE.split(form) if each not in judged]
        judged.update(sentences)
        if runs is not None and form is not plain:
            runs = _unless_spelled_out(runs, plain)
        if (
            reason := _worded(form)
            or _ordered(sentences, around, said, strictly=heard is not None, runs=runs)
            or _stated(sentences, said)
        ):
            return reason
    return None


def _unless_spelled_out(runs: Runs, plain: str) -> Runs:
    """Return a function that accepts what `runs` accepts, and also its spelled-out form.

    Spelling out replaces digits by letters, even in the paths of a command, which `runs` would then
    no longer recognize.
    """
    known = {spelled_out(command) for _, _, command in commands_in(plain) if runs(command)}
    return lambda command: command in known or runs(command)


def unless_asked(text: str) -> str:
    """Drop `without asking` and the like from a sentence that forbids acting without asking."""
    return _UNLESS_ASKED.sub(lambda found: found["forbids"], text)


def _worded(text: str) -> str | None:
    for reason, pattern in (*WORDINGS, *ALWAYS):
        if _finds(pattern, text) and (reason != AWAY or _finds(pattern, _without_statements(text))):
            return reason
    return None


def _without_statements(text: str) -> str:
    return "\n".join(each for each in SENTENCE.split(text) if not is_statement(each))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern on first use, because most runs need no pattern."""
    return re.compile(pattern, re.IGNORECASE)


@cache
def _search(pattern: str) -> Search:
    return Search(pattern, re.IGNORECASE)


def _finds(pattern: str, text: str) -> bool:
    return (
        (HOST in text or HOST not in pattern)
        and may_find(pattern, text)
        and _search(pattern).search(text)
    )


def _ordered(
    sentences: Iterable[str], around: str, said: str, *, strictly: bool, runs: Runs | None
) -> str | None:
    """Return why an order that the human did not give is suspicious, or None."""
    for sentence in filter(_is_order, sentences):
        if said and _holds(said, sentence):
            continue
        for reason, pattern in EFFECTS:
            if _finds(pattern, sentence) and not (
                (reason in MAY_BE_FORBIDDEN and _compiled(FORBIDS).search(sentence))
                or (reason == MOVES_SECRETS and is_statement(sentence))
            ):
                return f"gives an order that is not a person's: {reason}"
        if (runs is None or strictly) and _finds(INSTALLS, sentence):
            return "gives an order that is not a person's: installs what is not in this repository"
        if runs is not None and (
            strays := stray(
                (sentence,),
                around,
                lambda command: LOCAL_GIT.fullmatch(command) is not None or runs(command),
            )
        ):
            return strays
        if runs is None and strictly and _finds(NORMS, sentence) and _tells_to_run(sentence):
            return "gives an order that is not a person's: runs something each time"
    return None


def _stated(sentences: Iterable[str], said: str) -> str | None:
    """Return why a rule that the human did not state is suspicious, or None."""
    for sentence in sentences:
        for reason, pattern in STATED:
            if _finds(pattern, sentence) and not (said and _holds(said, sentence)):
                return f"states a rule that is not a person's: {reason}"
    return None


def _is_order(sentence: str) -> bool:
    return begins_as_order(sentence) or _finds(NORMS, sentence)


def begins_as_order(text: str) -> bool:
    """Return whether a text begins with an imperative, which `always` or `never` may precede."""
    return _compiled(rf"(?:always |never )?{IMPERATIVE}").match(text) is not None


def _tells_to_run(sentence: str) -> bool:
    """Return whether a sentence orders a command to be run, rather than only describing it."""
    for start, _, command in commands_in(sentence):
        before = sentence[:start]
        if not LOCAL_GIT.fullmatch(command) and _compiled(TO_RUN).search(before):
            return True
    return False


def _holds(said: str, sentence: str) -> bool:
    """Return whether a person gave the order in a sentence, and did not forbid or regret it.

    `said` is what the person said.
    """
    if not is_denial(sentence):
        said = without_denied(said)
    words = set(PLAIN.findall(sentence.lower()))
    return bool(words) and len(words & set(PLAIN.findall(said.lower()))) >= SHARED * len(words)
