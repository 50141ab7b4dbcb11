"""Decisions the user made when asked: by a question tool, or by picking a listed option."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from git_lerim.extraction.by_rules.findings import Finding, quoted
from git_lerim.extraction.by_rules.statements import LIMIT, fits_quote, title_of
from git_lerim.extraction.transcript.text import blocks, finished, plain, sentences
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.words import terms
from git_lerim.memories.memory import Origin, Primitive
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
_TRANSIENT = re.compile(
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
_SHOULD = re.compile(
    r"^(?P<frame>(?:for|in|on|when|if|with)\b[^,?]{3,70},\s+)?(?:how|where|when|what|"
    r"which)(?:\s+\w+){0,2}?\s+(?P<modal>should|must|can)\s+(?P<subject>(?:the|a|an|this|our|new|"
    r"each|every)?\s?.{2,60}?)\s+(?P<verb>(?:be|appear|live|happen|look|work|behave|show|display|"
    r"store|handle|run|go|come|support|use|return|contain|include|store|read|write|fail|sit|sort|"
    r"open|render|report|act|treat|count|stay|remain|default)\b.*)$",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(
    r"^or\b|\boption [a-d\d]\b|^(?:which|what) (?:one|approach|option|way|of (?:these|them))\b|"
    r"\bhow far\b",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"(?:at|in|on|by|with|when|after|before|as|per|via|never|always|only|from|under|below|beside|"
    r"next to|inside|outside)\b",
    re.IGNORECASE,
)
_TAKES_OBJECT = {
    "use", "show", "display", "contain", "return", "support",
    "include", "read", "store", "write", "open", "render", "report",
}  # fmt: skip
# Words that change the picked option.
_CHANGES = re.compile(
    r"\b(?:but|please|except|instead|rather|without|change|rename|call it|also|however|though)\b",
    re.IGNORECASE,
)
_RUN_ON = re.compile(r"(?<=[.!?])\s*(?=[A-Z])")
_OPTIONS_LEFT = 260


@dataclass(frozen=True, slots=True)
class _Choice:
    question: str
    chosen: str
    detail: str = ""  # the agent's description of the chosen option
    left: tuple[str, ...] = ()
    said: str = ""  # the user's own words beyond the label


def answers(records: Sequence[Record], turns: Sequence[Turn]) -> Iterator[Finding]:
    """Yield one decision for each question that the user answered."""
    for number, turn in enumerate(turns):
        if turn.automated or turn.disowned:
            continue
        choice = _by_tool(turn.said) if turn.said.role is Role.ANSWER else _by_label(records, turn)
        if choice is None or not _lasting(choice):
            continue
        title = _title(choice)
        if title:
            evidence = (
                (turn.index,)
                if turn.said.role is Role.ANSWER
                else (turn.index, turn.before or turn.index)
            )
            yield Finding(
                origin=Origin.ANSWER,
                primitive=Primitive.DECISION,
                title=title,
                body=_body(choice),
                said=f"{choice.question} {choice.chosen} {choice.detail} {choice.said}",
                evidence=tuple(dict.fromkeys(evidence)),
                turn=number,
                rank=3.0 + 0.3 * bool(choice.said) + 0.2 * bool(choice.detail),
            )


def _by_tool(answer: Record) -> _Choice | None:
    """Return the choice made in a question tool; an answer that is no option is kept as typed."""
    question, text = _one_line(answer.question or ""), answer.text.strip()
    if not question or not text or not fits_quote(text):
        return None
    chosen = [option for option in answer.options if _same(option, text) or _names(option, text)]
    left = tuple(
        _label(one) for one in answer.options if one not in chosen and not _NO_OPTION.match(one)
    )
    if not chosen:
        return _Choice(question, _one_line(text), left=left)
    first, _, note = text.partition("\n")
    detail = _ANY_LABEL.sub("", chosen[0]).partition(": ")[2] if len(chosen) == 1 else ""
    return _Choice(
        question,
        ", ".join(map(_label, chosen)),
        detail,
        left,
        said=_one_line(note) if _same(chosen[0], first) else "",
    )


def _by_label(records: Sequence[Record], turn: Turn) -> _Choice | None:
    """Return the option of the agent's last reply that a prompt picks.

    Prompts such as `A.` or `I think B, it leaves us space` do.
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
    return _Choice(
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
    """Return the last list of labelled options of a reply: label → name and description."""
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
    """Return the question that a reply asks before its options."""
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
    fair = [one for one in bare if not _TRANSIENT.search(one) and not _NO_SUBJECT.search(one)]
    return max(fair, key=lambda one: len(terms(one)), default="")


def _lasting(choice: _Choice) -> bool:
    return (
        not _TRANSIENT.search(choice.question)
        and not _NO_SUBJECT.search(choice.question)
        and len(set(terms(choice.question))) >= 2
        and len(choice.chosen) >= 2
    )


def _title(choice: _Choice) -> str:
    """Return the choice as a statement, or else as the question with its answer.

    For example `The summary should be generated: at commit time`.
    """
    question, chosen = plain(choice.question), plain(choice.chosen).rstrip(" .")
    match = _SHOULD.match(question.rstrip("?"))
    adverb = bool(match) and bool(_ADVERB.match(chosen))
    chosen = f"{chosen[:1].lower()}{chosen[1:]}" if adverb else chosen
    joined = adverb or (match is not None and match["verb"].lower() in _TAKES_OBJECT)
    stated = match and f"{match['frame'] or ''}{match['subject']} {match['modal']} {match['verb']}"
    asked = f"{stated}{' ' if joined else ': '}" if stated else f"{question} "
    title = f"{asked[:1].upper()}{asked[1:]}{chosen}"
    if len(title) > LIMIT and (short := re.sub(r"\s*\([^()]*\)", "", asked)) != asked:
        title = f"{short[:1].upper()}{short[1:]}{chosen}"
    return (
        title
        if len(title) <= LIMIT and title.count("`") % 2 == 0
        else title_of(_RUN_ON.split(chosen, maxsplit=1)[0])
    )


def _body(choice: _Choice) -> str:
    parts = [f"Asked {quoted(choice.question)}, the user chose {quoted(choice.chosen)}."]
    parts += [finished(choice.detail)] if choice.detail else []
    parts += [f"In the user's words: {quoted(choice.said)}."] if choice.said else []
    parts += [f"Not chosen: {'; '.join(choice.left)[:_OPTIONS_LEFT]}."] if choice.left else []
    return " ".join(parts)


def _label(option: str) -> str:
    return _ANY_LABEL.sub("", _RECOMMENDED.sub("", option)).split(": ", 1)[0].strip()


def _same(option: str, text: str) -> bool:
    return _flat(option) == _flat(text) or _flat(option.split(": ", 1)[0]) == _flat(
        text.split("\n", 1)[0].split(": ", 1)[0]
    )


def _names(option: str, text: str) -> bool:
    """Return whether an answer that may name several options names this one."""
    return len(_label(option)) >= 4 and _flat(_label(option)) in [
        _flat(_label(one)) for one in re.split(r",\s+(?=[A-Z0-9.])|\n", text)
    ]


def _flat(text: str) -> str:
    return _RECOMMENDED.sub("", " ".join(text.split())).strip(" .").casefold()


def _one_line(text: str) -> str:
    return " ".join(text.split())
