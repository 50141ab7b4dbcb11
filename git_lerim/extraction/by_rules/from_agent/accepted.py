"""Tell whether the user accepted what the agent had found, and had it act upon it at once."""

import re
from collections.abc import Sequence

from git_lerim.extraction.transcript.turns import Turn, is_doubted
from git_lerim.sessions.session import Record, Role

_ACCEPTS = (
    r"(?:ah|oh|ok(?:ay)?|yes|yep|yeah|yea|yup|sure|right|correct|exactly|perfect|great|nice|cool|"
    r"excellent|awesome|good|agreed|lgtm|thanks?|thank you|thx|ty|please|pls|catch|find|finding|"
    r"point|work|idea|job|spot|well spotted|makes sense|makes? it so|sounds good|go ahead|do (?:it|"
    r"that|so)|ja|jo|genau|super|danke|bitte|gut|oui|merci|sí|si|vale|gracias|perfecto|parfait)"
)
# `good catch, handle that too`: the order says what it is about only by what the agent found
_FOLLOWS = (
    r"(?:and |then |so |now )*(?:"
    r"(?!(?:why|what|how|where|who|when|is|are|was|do|does|did|has|have|can|could)\b)"
    r"[a-zäöüé]+ (?:(?:it|that|this|them|those|these|both|all|das|es)\b)[\w ,-]{0,40}|"
    r"(?:commit|push|fix|merge|apply|proceed|continue|ship)(?: and (?:commit|push|merge))?)"
)
_ACCEPTED = re.compile(
    rf"\W*{_ACCEPTS}(?:[\s,.!:;–—-]+{_ACCEPTS})*+(?:[\s,.!:;–—-]+{_FOLLOWS})?\W*\Z", re.IGNORECASE
)
_FILES = 3  # most files to name
_LONGEST = 80  # characters of such a message


def changed_then(records: Sequence[Record], turns: Sequence[Turn], number: int) -> tuple[str, ...]:
    """Return the files that changed after the user's next message accepted a turn's reply.

    A message that gives a task of its own, or asks something, accepts nothing.
    """
    following = next((one for one in turns[number + 1 : number + 2] if not one.automated), None)
    if following is None or following.disowned or following.said.role is not Role.PROMPT:
        return ()
    said = following.said.text.strip()
    accepts = len(said) <= _LONGEST and "?" not in said and _ACCEPTED.match(said)
    if not accepts or is_doubted(turns, number) or is_doubted(turns, number + 1):
        return ()
    written = (records[index] for index in following.body if not records[index].failed)
    return tuple(dict.fromkeys(path for record in written for path in record.files))


def told_change(files: Sequence[str]) -> str:
    """Return a sentence that says which files changed, or "" if they are none or many."""
    names = dict.fromkeys(path.replace("\\", "/").rsplit("/", 1)[-1] for path in files)
    told = f"After that, {', '.join(f'`{name}`' for name in names)} changed."
    return told if 0 < len(names) <= _FILES else ""
