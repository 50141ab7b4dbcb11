"""Mark where a line of a prompt ends a statement, as people type in a chat."""

import re
from collections.abc import Sequence
from itertools import pairwise

BREAK = "\ue000"  # stands for the end of a line that ends a statement
_NARROWEST = 60  # characters; a text with a longer line may be wrapped at a fixed width
_MOST = 0.7  # share of such lines
_LINES = 3  # least lines that go on in the next one, in a wrapped text
_ENDS = re.compile(r"[\w)\]`\"'”’][ \t]*$")
_UNFINISHED = re.compile(  # what ends no statement
    r"\b(?:i|we|you|the|an?|my|your|our|this|these|all|every|each|any|no|only|also|to|of|and|or|"
    r"but|so|then|in|on|at|for|with|without|from|by|per|via|into|over|under|about|between|before|"
    r"after|until|while|is|are|be|was|has|have|do|does|will|would|can|should|must|may|not|that|"
    r"which|if|when|because|than|as|der|die|das|ein|eine|und|zu|vor|mit|le|la|les|un|une|et|de|el|"
    r"los|y|o|e|il|di|het|een|en)[ \t]*$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(  # what cannot begin a statement
    r"[ \t]*(?:(?:or|nor|because|bc|unless|except|otherwise|rather|than|to|of|which|that|und|oder|"
    r"weil|damit|sonst|ou|car|parce|sinon|porque|perché|omdat)\b|[^\w\s`\"'“(./@${<*-]|$)",
    re.IGNORECASE,
)


def with_breaks(text: str) -> str:
    """Mark the ends of lines at which a statement ends without a full stop, as in chat."""
    lines = text.split("\n")
    if _is_wrapped(lines):
        return text
    return "\n".join(
        f"{line}{BREAK}"
        if _ENDS.search(line) and not (_UNFINISHED.search(line) or _GOES_ON.match(after))
        else line
        for line, after in zip(lines, [*lines[1:], ""], strict=True)
    )


def _is_wrapped(lines: Sequence[str]) -> bool:
    """Return whether a text is wrapped at a fixed width, so that most lines go on in the next.

    The first word of each next line would not have fitted.
    """
    width = max(map(len, lines))
    followed = [(len(line), after.split()) for line, after in pairwise(lines) if line and after]
    full = sum(length + 1 + len(words[0]) > width for length, words in followed if words)
    return width >= _NARROWEST and full >= _LINES and full / len(followed) >= _MOST
