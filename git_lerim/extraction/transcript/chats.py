"""Recognize chats that are pasted into a prompt, from messengers and from agents."""

import re
from collections.abc import Callable, Sequence

# `agent: …`, `[10:42] Eve: …`, `[10:42] ~ Eve: …`, `12/11/26, 10:42 - Eve: …`, `Eve (10:42): …`,
# `<Eve> …`
_SPEAKER = re.compile(
    r"(?:user|human|assistant|system|agent|speaker \d{1,2})\s*: *\S|"
    r"\*\*(?:human|assistant)(?::\*\*|\*\*:) *\S|"
    r"(?:\u200e?\[[^\]\n]{0,24}\b\d{1,2}:\d\d\b[^\]\n]{0,24}\]|"
    r"(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?),? "
    r"(?:-+ )?(?:(?:[\w.@-]+ ){0,2}[\w.@-]+|~[ \u00a0\u202f]?[^:\n]{1,40}|"
    r"\+\d[\d ().-]{6,20}): *\S|"
    r"(?:[\w.@-]+ ){0,2}[\w.@-]+,? [\[(]\d{1,2}:\d\d[^\])\n]{0,8}[\])]:? *\S|"
    r"(?:\d{1,2}:\d\d(?::\d\d)? )?<[\w.@-]+> +\S",
    re.IGNORECASE,
)
_WHO = r"(?!(?-i:I|We|You)\b|\w+day,)[\w.@'’-]+(?: [\w.@'’-]+){0,2}"
_NAMES = r"(?!\w+day\b)(?-i:[A-Z])[\w.@'’-]+(?: (?!\w+day\b)(?-i:[A-Z])[\w.@'’-]+){0,2}"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?"
_DATE = r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}"
_WHEN = rf"(?:(?:today|yesterday|\w+day|{_DATE}),?(?: at)? )?{_CLOCK}"
_BRACKETS = r"\[[^\]\n]{0,24}\d{1,2}:\d\d(?: ?[AP]M)?\]:?"
# a name alone on its line, with the time of a chat message below it
_NAME = re.compile(rf"{_WHO}$", re.IGNORECASE)
_TIME = re.compile(rf"{_WHEN}$", re.IGNORECASE)
# Both on one line: `Eve  10:42 AM`, `**eve** 10:42`, `Eve — Today at 10:42`, `eve [10:42]`.
# One space between them is not enough, as in `Deploy every Friday at 18:00`.
_NAME_AND_TIME = re.compile(
    rf"\*\*{_WHO}(?::\w+:)?\*\*,? {{1,3}}{_CLOCK}$|{_NAMES}(?: {{2,3}}|:\w+: ){_CLOCK}$|"
    rf"{_WHO} — (?:today at|yesterday at|{_DATE},?) {_CLOCK}$|"
    rf"{_NAMES}, (?:{_DATE},? {_CLOCK}|{_BRACKETS})$|@?[\w.-]+ \[{_CLOCK}\]$|"
    rf"\[[^\]\n]{{0,24}}\b\d{{1,2}}:\d\d[^\]\n]{{0,6}}\] {_NAMES}$",
    re.IGNORECASE,
)
# lines of a chat that begin with a name, unless they are labels, such as `Note: …`
_TALK = re.compile(
    r"(?:\*\*)?(?P<who>\w[\w.-]*(?: [A-Z][\w.-]*)?)(?::(?:\*\*)?|\*\*:) +(?P<what>\S.*)"
)
# with which users begin lines of their own, such as the texts of a page
_LABEL = re.compile(
    r"(?:rule|title|subtitle|heading|header|footer|body|note|todo|fix|goal|task|text|label|button|"
    r"message|subject|greeting|welcome|error|success|warning|name|example|placeholder|description|"
    r"summary|policy|convention|reminder|important|prompt|answer|question|input|output)s?$",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"(?:hi|hello|hey|(?:good )?morning|thanks|agreed|lol|\+1) *(?:[,.!]|$)", re.IGNORECASE
)
_ANSWERS = re.compile(r"(?:yes|yeah|yep|no|nope|ok|okay|sure) *(?:[,.!]|$)", re.IGNORECASE)
_CHAT = re.compile(r"\b(?:chat|conversation|thread|discussion|dialogue?|slack)\b", re.IGNORECASE)
# the head of a turn in an exported session: `**Cursor**`, `## Assistant`
_TURN = re.compile(
    r"(?:#{1,6} +|\*\*)(?:(?P<user>user|human|you|me)|assistant|chatgpt|gpt-\w[\w.]*|"
    r"claude(?: code)?|codex|cursor|copilot|gemini|qwen|deepseek|grok|cline)"
    r"(?: said)?:?(?:\*\*:?)?$",
    re.IGNORECASE,
)

# steps of an agent on its screen, and the marks of its messages there
_STEPS = (
    (
        re.compile(
            r"^ {0,4}• (?:(?:Ran|Running|Explored|Exploring|Called|Calling|Updated Plan|"
            r"Viewed Image|Waited|Searched)\b.*\n {0,8}[└│]|"
            r"(?:Edited|Added|Deleted) .*\(\+\d+ -\d+\)$)|^─+ Worked for \d",
            re.MULTILINE,
        ),
        re.compile(
            r"• +(?:Ran|Running|Explored|Exploring|Called|Calling|Updated Plan|Viewed Image|Waited|"
            r"Searched|Edited|Added|Deleted)\b|─+ Worked for \d"
        ),
    ),
    (re.compile(r"^ {0,8}⎿ |^ {0,4}⏺ ", re.MULTILINE), re.compile(r"[⏺●] +\S")),
)


def is_talk(lines: Sequence[str]) -> bool:
    """Return whether lines that begin with names are a chat, not labels such as `Note: …`.

    They are a chat if one is announced, or if somebody speaks twice, greets, answers or is
    addressed. If the names are bold or in lower case, as labels are, it takes a greeting or an
    answer, and two of whom one speaks twice.
    """
    said = [found for line in lines if (found := _TALK.match(line))]
    said = [each for each in said if not _LABEL.match(each["who"])]
    greets = any(_GREETS.match(each["what"]) or _ANSWERS.match(each["what"]) for each in said)
    if greets and 1 < len({each["who"] for each in said}) < len(said):
        return True
    said = [each for each in said if each[0][0].isupper()]
    who = {each["who"] for each in said}
    if len(who) < 2:
        return False
    if len(who) < len(said) or any(map(_CHAT.search, lines)):
        return True
    return any(
        _GREETS.match(each["what"]) or _ANSWERS.match(each["what"]) or _addresses(each["what"], who)
        for each in said
    )


def _addresses(words: str, who: set[str]) -> bool:
    """Return whether words are addressed to one of those who speak: `Vic, what …`."""
    return any(words.removeprefix("@").startswith((f"{name},", f"{name} ")) for name in who)


def is_message(line: str, *, talks: bool) -> bool:
    """Return whether a line is a message of a chat; `talks` says whether names begin its lines."""
    return _SPEAKER.match(line) is not None or (talks and _TALK.match(line) is not None)


def begins_chat(line: str, following: str) -> bool:
    """Return whether a line tells who wrote the message below it."""
    if (line == "—" or _NAME.match(line)) and _TIME.match(following):
        return True
    return bool(following) and _NAME_AND_TIME.match(line) is not None


def begins_turn(lines: Sequence[str]) -> Callable[[str], bool]:
    """Return what recognizes the first line of a turn in an exported session, or on a screen.

    A user's own heading may be the name of an agent. It counts only beside a head of the user's.
    An item of the user's may begin with `•`: only the steps of an agent's screen count.
    """
    heads = [found for line in lines if (found := _TURN.match(line.strip()))]
    text = "\n".join(lines)
    known = [mark for step, mark in _STEPS if step.search(text)]
    if 0 < sum(1 for head in heads if head["user"]) < len(heads):
        known.append(_TURN)
    return lambda line: any(each.match(line) for each in known)
