"""Put an agent's question and the user's answer to it into one sentence."""

import re
from typing import NamedTuple

_FRAME = r"^(?P<frame>(?:for|in|on|when|if|with)\b[^,?]{3,70},\s+)?"
_MODAL = r"(?P<modal>should|must|can)\s+"
_ASKS_HOW = re.compile(
    rf"{_FRAME}(?P<asks>how|where|when|what|which)(?P<name>(?:\s+(?!of\b)\S+){{0,6}}?)\s+{_MODAL}"
    r"(?P<rest>.+)$",
    re.IGNORECASE,
)
# asks for a tool or a value: `Which database do you want to use for the orders`
_ASKS_WHICH = re.compile(
    rf"{_FRAME}(?:what|which)\s+(?P<name>(?!of\b)[^,?]{{3,60}}?)\s+(?:do\s+(?:we|you)\s+(?:want|"
    r"prefer|need)|would\s+you\s+(?:like|prefer))(?P<act>\s+to\s+(?:use|support|target))?"
    r"(?P<place>\s+(?:for|in|on|as|when|to|at|by)\b[^,?]+)?$",
    re.IGNORECASE,
)
_WHICH_ONE = re.compile(r"which\s+(?P<name>[^\s,]+(?:\s+[^\s,]+)?)$", re.IGNORECASE)
_ASKS_WHETHER = re.compile(rf"{_FRAME}{_MODAL}(?P<rest>.+)$", re.IGNORECASE)

_BE = re.compile(r"(?P<subject>.{2,60}?)\s+(?P<verb>be\b.*)", re.IGNORECASE)
_PRONOUN = re.compile(r"(?P<subject>we|i|it|they)\s+(?P<verb>[a-z]+\b.*)", re.IGNORECASE)
_VERB = (
    r"(?:appear|live|happen|look|work|behave|show|display|store|handle|run|go|come|support|use|"
    r"return|contain|include|read|write|fail|sit|sort|open|render|report|act|treat|count|stay|"
    r"remain|default|have|get|stop|start|keep|require|apply|cover|allow|accept|skip|ignore|"
    r"follow|wait|retry|expire|exit|print|send|delete|remove|create)\b"
)
_ACTS = re.compile(
    rf"(?P<subject>(?!{_VERB}).{{2,60}}?)\s+(?P<verb>(?:(?:also|only|always)\s+)?{_VERB}.*)",
    re.IGNORECASE,
)
_NO_SUBJECT_YET = re.compile(
    r"(?:^|\s)(?:the|an?|this|our|new|each|every|of|for|in|on|to|and|or)$", re.IGNORECASE
)

_ADVERB = re.compile(
    r"(?:at|in|on|by|with|when|after|before|as|per|via|never|always|only|from|under|below|beside|"
    r"next to|inside|outside)\b(?!-)",
    re.IGNORECASE,
)
_TAKES_OBJECT = re.compile(
    r"(?P<verb>use|show|display|contain|return|support|target|include|read|store|write|open|"
    r"render|report|get)(?P<place>(?:\s+(?:for|in|on|as|when|by|with)\b.*)?)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"v?\d[\d.,]*[km%]?", re.IGNORECASE)
_MANY = re.compile(r"(?:many|much|long|often|far)\b\s*(.*)", re.IGNORECASE)
_YES = re.compile(r"(?:yes|yep|yeah|yup)(?:, please)?$", re.IGNORECASE)
_NO = re.compile(r"(?:no|nope)(?:, thanks)?$", re.IGNORECASE)
_UNSURE = re.compile(r"\b(?:or|not|never|either)\b|n[’']t\b", re.IGNORECASE)


class _Clause(NamedTuple):
    subject: str
    verb: str


def stated_answer(question: str, chosen: str) -> str:
    """Return one sentence that says what was asked and answered.

    For example, `When should the summary be generated?` and `At commit time` become `The summary
    should be generated at commit time`. A question of an unknown form stands before its answer.
    """
    asked, chosen = question.rstrip("? "), chosen.rstrip(" .")
    sentence = (
        _whether(_one_of_two(asked, chosen), "yes")
        or _whether(asked, chosen)
        or _how(asked, chosen)
        or _which(asked, chosen)
        or f"{question} {chosen}"
    )
    return f"{sentence[:1].upper()}{sentence[1:]}"


def _one_of_two(asked: str, chosen: str) -> str:
    """Return `Should we use tabs` for `Should we use tabs or spaces` and the answer `tabs`."""
    before, _, second = asked.rpartition(" or ")
    lead, _, first = before.rpartition(" ")
    if before.casefold().endswith(f" {chosen.casefold()}"):
        return before
    return f"{lead} {second}" if first and chosen.casefold() == second.casefold() != "" else ""


def _whether(asked: str, chosen: str) -> str:
    """Return what a bare yes or no decides, or ""."""
    found, yes, no = _ASKS_WHETHER.match(asked), _YES.match(chosen), _NO.match(chosen)
    if not found or not (yes or no) or _UNSURE.search(asked):
        return ""
    clause = _clause(found["rest"])
    modal = found["modal"].lower() + ("" if yes else " not")
    modal = modal.replace("can not", "cannot")
    return f"{found['frame'] or ''}{clause.subject} {modal} {clause.verb}" if clause else ""


def _how(asked: str, chosen: str) -> str:
    """Return a question with `should` as a sentence that ends with the answer, or ""."""
    found = _ASKS_HOW.match(asked)
    if not found:
        return ""
    frame, name, modal = found["frame"] or "", found["name"].strip(), found["modal"].lower()
    if re.match(rf"be\b|{_VERB}", found["rest"], re.IGNORECASE):  # asks for the subject
        return f"{frame}{name} that {modal} {found['rest']}: {chosen}" if name else ""
    clause = _clause(found["rest"])
    if not clause:
        return ""
    return _ended(f"{frame}{clause.subject} {modal}", clause.verb, found, _named(name, chosen))


def _named(name: str, chosen: str) -> str:
    """Return an answer with what it counts or numbers: `3` as `3 retries`, `20` as `Node 20`."""
    if not _NUMBER.fullmatch(chosen):
        return chosen
    counts = _MANY.match(name)
    return f"{chosen} {counts[1]}".strip() if counts else f"{name} {chosen}".strip()


def _ended(head: str, verb: str, asked: re.Match[str], chosen: str) -> str:
    if _ADVERB.match(chosen):
        return f"{head} {verb} {chosen[:1].lower()}{chosen[1:]}"
    if _MANY.match(asked["name"].strip()) and " " not in verb:
        return f"{head} {verb} {chosen}"
    takes = _TAKES_OBJECT.match(verb)
    what = asked["asks"].lower() in {"what", "which"}
    if takes and (what or not takes["place"]):
        return f"{head} {takes['verb']} {chosen}{takes['place']}"
    if verb.lower() == "be":
        return f"{head} be {chosen}" if what else ""
    # of a verb alone, as in `How should errors look? JSON`, the question says more
    return f"{head} {verb}: {chosen}" if " " in verb else ""


def _which(asked: str, chosen: str) -> str:
    """Return what a question asks for, with the answer behind a colon, or ""."""
    if found := _WHICH_ONE.match(asked):
        return f"{found['name']}: {chosen}"
    found = _ASKS_WHICH.match(asked)
    if not found:
        return ""
    named = f"{found['frame'] or ''}{found['name']}{found['act'] or ''}{found['place'] or ''}"
    return f"{named}: {chosen}"


def _clause(text: str) -> _Clause | None:
    """Return the subject and the rest of what follows `should`, or None."""
    for form in (_PRONOUN, _BE, _ACTS):
        found = form.fullmatch(text)
        if found and not _NO_SUBJECT_YET.search(found["subject"]):
            subject = "we" if found["subject"].lower() == "i" else found["subject"]
            return _Clause(subject, found["verb"])
    return None
