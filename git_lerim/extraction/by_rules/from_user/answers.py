"""Find decisions in the user's answers to a question tool or to a list of options."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from git_lerim.extraction.agent_orders import gives_order
from git_lerim.extraction.by_rules.findings import Finding
from git_lerim.extraction.by_rules.from_user.choices import (
    NO_SUBJECT,
    TRANSIENT,
    Choice,
    by_label,
    by_tool,
)
from git_lerim.extraction.by_rules.from_user.numbered import by_number
from git_lerim.extraction.by_rules.from_user.stated_answer import stated_answer
from git_lerim.extraction.by_rules.sentences.order_rank import CHORE
from git_lerim.extraction.by_rules.sentences.statements import LIMIT, title_of
from git_lerim.extraction.transcript.text import blocks, finished, plain, sentences
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.words import terms
from git_lerim.memories.memory import Origin, Primitive
from git_lerim.memories.quotes import Lead, in_quotes, quoted
from git_lerim.sessions.session import Record, Role

# a question of few words that asks for one thing, and what leaves open which thing it asks for
_ASKS = re.compile(
    r"(?:which|what|where|when|who|how (?:long|many|much|often|big|large))\b|"
    r"(?:welche[nrms]?|was|wo|wohin|womit|wann|wer|wie (?:lange|viele?|oft|groß))\b|"
    r"(?:quel(?:le)?s?|où|quand|qui|combien)\b|(?:cuál(?:es)?|qué|dónde|cuándo|cuántos?)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\b(?:you|we|i|me|approach\w*|options?|ways?|next|first|fix(?:es)?|solutions?|plans?|steps?|"
    r"changes?|designs?|variants?|versions?|scopes?|names?|titles?|colou?rs?|parts?|sections?|"
    r"tasks?|tests?|files?|directions?|strateg\w+|methods?|kinds?|types?|levels?|styles?|layouts?|"
    r"dir|du|ihr|schritt|farbe|teil|vous|tu|étape|paso)\b",
    re.IGNORECASE,
)
_NAMES_NOTHING = re.compile(
    r"(?:yes|no|both|all|none|neither|either|default|whatever|later|skip|unsure|not sure|keep|"
    r"same|first|second|last|ja|nein|beide|alle|keine[rs]?|oui|non|sí|ambos)\b",
    re.IGNORECASE,
)
# asks what the product is made for, though it says `you`: `Which versions do you target?`
_OF_PRODUCT = re.compile(
    r"\b(?:do|will) you (?:(?:want|need|plan|have|intend|expect) to )?"
    r"(?=(?:target|support|deploy|host|ship|use|run)\b)",
    re.IGNORECASE,
)
_RUN_ON = re.compile(r"(?<=[.!?])\s*(?=[A-Z])")
_OPTIONS_LEFT = 260
_LEAST_WORDS = 4  # of a sentence that says something; `The new flow:` does not


def answers(records: Sequence[Record], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield one decision for each of the agent's questions that the user answered.

    Questions about the session itself, such as whether to commit now, are left out.
    """
    for number, turn in enumerate(turns):
        if turn.automated or turn.disowned:
            continue
        for place, choice in enumerate(filter(_lasting, _choices(records, turn))):
            yield from _found(records, turn, number, (place, _without_orders(choice)))


def _choices(records: Sequence[Record], turn: Turn) -> Sequence[Choice]:
    by_its_tool = turn.said.role is Role.ANSWER
    chosen = by_tool(turn.said) if by_its_tool else by_label(records, turn)
    return [chosen] if chosen else list(by_number(records, turn))


def _found(
    records: Sequence[Record], turn: Turn, number: int, what: tuple[int, Choice]
) -> Iterator[Finding]:
    place, choice = what
    title = _title(choice)
    if title and choice.question:
        typed = turn.said.role is Role.PROMPT
        reading = _reading(records, turn) if choice.free and not typed else ""
        asked = turn.before if typed else None
        cited = (turn.index, asked, turn.replies[0] if reading else None)
        yield Finding(
            origin=Origin.ANSWER,
            primitive=Primitive.DECISION,
            title=title,
            body=_body(choice, reading),
            said=f"{choice.question} {choice.chosen} {choice.detail} {choice.said}",
            evidence=tuple(index for index in cited if index is not None),
            turn=number,
            place=f"answer{place}" if place else "",
            rank=3.0 + 0.3 * bool(choice.said) + 0.2 * bool(choice.detail),
        )


def _without_orders(choice: Choice) -> Choice:
    """Return a choice without the agent's sentences that give an order; its questions are kept."""
    asked = sentences(choice.question)
    return replace(
        choice,
        question=" ".join(
            one for one in asked if one.endswith(("?", "？")) or not gives_order(one)
        ),
        detail="" if gives_order(choice.detail) else choice.detail,
        left=tuple(one for one in choice.left if not gives_order(one)),
    )


def _lasting(choice: Choice) -> bool:
    return bool(choice.free and _own_statement(choice)) or (
        not TRANSIENT.search(_OF_PRODUCT.sub("", choice.question))
        and not NO_SUBJECT.search(choice.question)
        and (len(set(terms(choice.question))) >= 2 or _asks_for_one_thing(choice))
        and (len(choice.chosen) >= 2 or choice.chosen.isdigit())
    )


def _asks_for_one_thing(choice: Choice) -> bool:
    """Return whether a question of few words is clear with its answer: `Which cache? Redis`."""
    asks = _ASKS.match(choice.question)
    return bool(
        asks
        and terms(choice.question[asks.end() :])
        and not _VAGUE.search(choice.question)
        and (terms(choice.chosen) or choice.chosen.isdigit())
        and not _NAMES_NOTHING.match(choice.chosen)
    )


def _title(choice: Choice) -> str:
    """Return a title for a choice: the user's own statement, else the question with its answer.

    For example, `When should the summary be generated?` becomes `The summary should be generated at
    commit time`, if the answer continues the sentence. If the title is too long, it is the answer
    or its description, or "" if neither is clear on its own.
    """
    if choice.free and (own := _own_statement(choice)):
        return own
    question, chosen = plain(choice.question), plain(choice.chosen).rstrip(" .")
    title = stated_answer(question, chosen)
    if len(title) > LIMIT:
        title = stated_answer(re.sub(r"\s*\([^()]*\)", "", question), chosen)
    return (
        title
        if len(title) <= LIMIT and title.count("`") % 2 == 0
        else _stated(chosen) or _stated(plain(choice.detail))
    )


def _own_statement(choice: Choice) -> str:
    """Return the first sentence of a free-text answer, or "" if it is unclear by itself."""
    stated = _stated(choice.chosen)
    return "" if CHORE.match(stated) or TRANSIENT.search(stated) else stated


def _stated(text: str) -> str:
    """Return the first sentence of a text as a title, or "" if it cannot be one."""
    return title_of(_RUN_ON.split(text, maxsplit=1)[0])


def _reading(records: Sequence[Record], turn: Turn) -> str:
    """Return how the agent understood an answer: the beginning of its reply to it.

    What the agent says only after it went to work is about its work.
    """
    first = turn.replies[0] if turn.replies else turn.index
    worked = any(one.role is Role.CALL for one in records[turn.index : first])
    reply = blocks(records[first].text) if turn.replies and not worked else ()
    said = sentences(reply[0].text) if reply and reply[0].kind == "paragraph" else ()
    told = " ".join(
        finished(one) for one in said if not one.endswith("?") and len(one.split()) >= _LEAST_WORDS
    )
    return "" if gives_order(told) else told


def _body(choice: Choice, reading: str) -> str:
    did = Lead.ANSWERED if choice.free else Lead.CHOSE
    parts = [f"Asked {in_quotes(choice.question)}, {quoted(did, choice.chosen)}."]
    parts += [finished(choice.detail)] if choice.detail else []
    parts += [f"{quoted(Lead.OWN_WORDS, choice.said)}."] if choice.said else []
    parts += [f"The agent understood: {in_quotes(reading)}"] if reading else []
    # an answer in the user's own words may agree with an option
    offered = "Offered" if choice.free else "Not chosen"
    parts += [f"{offered}: {'; '.join(choice.left)[:_OPTIONS_LEFT]}."] if choice.left else []
    return " ".join(parts)
