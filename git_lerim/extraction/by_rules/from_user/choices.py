"""Find out which option a user chose, in a question tool or from a list by the agent."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from git_lerim.extraction.by_rules.sentences.statements import fits_quote
from git_lerim.extraction.transcript.text import blocks, finished, plain, sentences
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.words import terms
from git_lerim.sessions.session import Record, Role

_RECOMMENDED = re.compile(
    r"\s*\((?:recommended|recomendad[oa]|empfohlen|recommandée?|default|推荐|推奨|おすすめ)\)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^(?:option\s+)?([a-e]|[1-6])(?:[.):]|\s+[—–-])\s+", re.IGNORECASE)
_ANY_LABEL = re.compile(
    r"^(?:option\s+)?(?:[a-e]|[1-6])(?:[.):]|\s+[—–-])\s+|^option\s+(?:[a-e]|\d)\s*[:—–-]\s*",
    re.IGNORECASE,
)
_ONE = r"(?:[a-e]|[1-6])"
_PICKS = re.compile(
    rf"^\W*(?:(?:i think|yes|ok(?:ay)?|let[’']?s|go|with|do|i[’']d|say|prefer|options?|the|for|"
    rf"use)\W+){{0,4}}(?:options?\s+)?(?P<labels>{_ONE}(?:\s*(?:,|and|&|"
    rf"\+)\s*{_ONE})*)(?:(?P<sign>[.,:;)!])|\s+(?:is|sounds|looks|please|but|and|with|since|"
    rf"because|-)\b|\s*$)",
    re.IGNORECASE,
)
_NO_OPTION = re.compile(r"(?:something else|other|none|anderes|autre|otro)\b", re.IGNORECASE)
TRANSIENT = re.compile(
    r"\b(?:commit (?:it|this|now)|push|proceed|continue|go ahead|start (?:now|with|by)|next step|"
    r"execute|run (?:it|now)|look right|looks? (?:good|right|ok)|which (?:task|issue|ticket|one|"
    r"file|pr|branch)|what (?:next|would you like|should i do)|(?:do|would|did|have|are|could|"
    r"draws?) you\b|your\b|sweep|clean-?up|(?:this|este|esta|diese[nrms]?|"
    r"ce(?:tte)?) (?:plan[eo]?|task|session|change|pr|commit)|shall i|should i (?:also |now |"
    r"first )?(?:proceed|commit|push|continue|start|run|go|do|create|open|implement|apply|fix|"
    r"update|write|add)|want me to|do you want|would you like|ready|begin|which execution|"
    r"how (?:do|would) you (?:want|like) (?:me )?to)\b",
    re.IGNORECASE,
)
NO_SUBJECT = re.compile(
    r"^or\b|\boption [a-d\d]\b|^(?:which|what) (?:one|approach|option|way|of (?:these|them))\b|"
    r"\bhow far\b|^(?:welche[nrms]? (?:variante|lösung|option|möglichkeit|ansatz|weg)|wie weiter|"
    r"quel(?:le)?s? (?:approche|option|solution|variante)|(?:cuál|qué) (?:enfoque|opción|"
    r"solución))\b",
    re.IGNORECASE,
)
# Words that change the picked option.
_CHANGES = re.compile(
    r"\b(?:but|please|except|instead|rather|without|change|rename|call it|also|however|though)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """The user's answer to a question: one or more of the options, or an answer as typed."""

    question: str
    chosen: str
    detail: str = ""  # the agent's description of the chosen option
    left: tuple[str, ...] = ()
    said: str = ""  # the user's own words beyond the label
    free: bool = False  # the user chose no option, and typed an answer of their own


def by_tool(answer: Record) -> Choice | None:
    """Return what the user chose in a question tool, or None if it cannot be quoted.

    An answer that is not one of the options is returned as typed. The result is None if the
    question or the answer is empty, or if the answer contains swearing.
    """
    question, text = _one_line(answer.question or ""), answer.text.strip()
    if not question or not text or not fits_quote(text):
        return None
    chosen = [option for option in answer.options if _same(option, text) or _names(option, text)]
    left = tuple(
        _label(one) for one in answer.options if one not in chosen and not _NO_OPTION.match(one)
    )
    if not chosen:
        return Choice(question, _one_line(text), left=left, free=True)
    first, _, note = text.partition("\n")
    detail = _ANY_LABEL.sub("", chosen[0]).partition(": ")[2] if len(chosen) == 1 else ""
    return Choice(
        question,
        ", ".join(map(_label, chosen)),
        detail,
        left,
        said=_one_line(note) if _same(chosen[0], first) else "",
    )


def by_label(records: Sequence[Record], turn: Turn) -> Choice | None:
    """Return the option in the agent's last reply that the user's prompt picks, or None.

    Such prompts are, for example, `A.` or `I think B, it leaves us space`.
    """
    text = turn.said.text.strip()
    picked = _PICKS.match(text)
    if turn.said.role is not Role.PROMPT or turn.before is None or len(text) > 500 or not picked:
        return None
    reply = records[turn.before].text
    options, question = _listed(reply), _asked(reply)
    labels = [
        label.upper() for label in re.findall(rf"\b{_ONE}\b", picked["labels"], re.IGNORECASE)
    ]
    own = _one_line(text[picked.end("labels") :].lstrip(" .,:;)-"))
    is_list = labels[0].isdigit() and picked["sign"] in {".", ")"} and len(own.split()) >= 3
    if len(options) < 2 or not question or is_list or any(label not in options for label in labels):
        return None
    chosen = [options.pop(label) for label in labels]
    if _CHANGES.search(own):
        return None
    detail = (
        " ".join(filter(None, [chosen[0][1], *_reasons(reply, labels[0])]))
        if len(chosen) == 1
        else ""
    )
    kept = own if len(terms(own)) >= 3 and fits_quote(own) and "?" not in own else ""
    return Choice(
        question,
        "; ".join(name for name, _ in chosen),
        detail,
        tuple(name for name, _ in options.values()),
        kept,
    )


def _reasons(reply: str, label: str) -> list[str]:
    """Return up to two reasons the agent listed for an option it recommended."""
    found = re.search(
        rf"\boption {label}\b[^\n]{{0,60}}\bbecause:?\W*\n((?:\s*[-*•] .+\n?)+)",
        reply,
        re.IGNORECASE,
    )
    items = (
        [plain(line.strip().lstrip("-*• ")) for line in found[1].splitlines() if line.strip()]
        if found
        else []
    )
    return [finished(item) for item in items[:2]]


def _listed(reply: str) -> dict[str, tuple[str, str]]:
    """Map the labels in a reply's last list of options to each option's name and description."""
    found: dict[str, tuple[str, str]] = {}
    for line in reply.splitlines():
        cells = (
            [plain(cell) for cell in line.strip().strip("|").split("|")]
            if line.lstrip().startswith("|")
            else [plain(line).lstrip("-*• ")]
        )
        match = _LABEL.match(cells[0])
        if not match:
            continue
        label = match[1].upper()
        if label in {"A", "1"}:
            found = {}
        name = cells[0][match.end() :]
        detail = cells[1] if len(cells) > 1 else ""
        if not detail:
            name, _, detail = _split(name)
        found[label] = (_RECOMMENDED.sub("", name).strip(" .:"), detail.strip())
    return found


def _split(option: str) -> tuple[str, str, str]:
    for sign in (" — ", " – ", ": ", " - ", ". "):
        if sign in option[:90]:
            return option.partition(sign)
    return option, "", ""


def _asked(reply: str) -> str:
    """Return the question a reply asks about its options, or "" if there is none.

    Of several questions, the one with the most topical words is returned.
    """
    asked = [
        one
        for block in blocks(reply)
        for one in sentences(block.text)
        if one.endswith("?") and len(terms(one)) >= 2
    ]
    bare = [
        re.sub(r"^(?:first |next |last |final )?question:?\s+", "", one, flags=re.IGNORECASE)
        for one in asked
    ]
    fair = [one for one in bare if not TRANSIENT.search(one) and not NO_SUBJECT.search(one)]
    return max(fair, key=lambda one: len(terms(one)), default="")


def _label(option: str) -> str:
    return _ANY_LABEL.sub("", _RECOMMENDED.sub("", option)).split(": ", 1)[0].strip()


def _same(option: str, text: str) -> bool:
    return _flat(option) == _flat(text) or _flat(option.split(": ", 1)[0]) == _flat(
        text.split("\n", 1)[0].split(": ", 1)[0]
    )


def _names(option: str, text: str) -> bool:
    """Return whether an answer, which may name several options, names this option."""
    return len(_label(option)) >= 4 and _flat(_label(option)) in [
        _flat(_label(one)) for one in re.split(r",\s+(?=[A-Z0-9.])|\n", text)
    ]


def _flat(text: str) -> str:
    return _RECOMMENDED.sub("", " ".join(text.split())).strip(" .").casefold()


def _one_line(text: str) -> str:
    return " ".join(text.split())
