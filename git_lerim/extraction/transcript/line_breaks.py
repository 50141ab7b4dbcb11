"""Mark where a line of a prompt ends a statement, as people type in a chat."""

import re
from collections.abc import Sequence
from itertools import pairwise

BREAK = "\ue000"  # stands for the end of a line that ends a statement
_WIDTHS = (72, 76, 78, 79, 80, 88, 100)  # at which editors and terminals wrap lines
_NARROWEST = 60  # minimum length of the longest line in a wrapped text
_MOST = 0.7  # share of lines that go on in the next one, in a wrapped text
_LINES = 3  # least number of such lines
_FEWEST = 3  # words of a statement
_ENDS = re.compile(r"[\w)\]`\"'”’][ \t]*$")
_UNFINISHED = re.compile(  # words that cannot end a statement
    r"\b(?:i|we|you|the|an?|my|your|our|this|these|all|every|each|any|no|only|also|to|of|and|or|"
    r"but|so|then|in|on|at|for|with|without|from|by|per|via|into|over|under|about|between|before|"
    r"after|until|unless|except|while|is|are|be|was|has|have|do|does|will|would|can|should|must|"
    r"may|not|never|always|don[’']?t|that|which|if|when|because|than|as|der|die|das|ein|"
    r"eine|und|zu|vor|mit|nie|immer|nicht|le|la|les|un|une|et|de|el|los|y|o|e|il|di|het|een|en|"
    r"jamais|toujours|nunca|siempre|sempre|mai)[ \t]*$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(  # what may go on with the line before it
    r"[ \t]*(?:(?:or|nor|and|but|because|bc|since|unless|except|otherwise|rather|than|to|of|which|"
    r"that|who|whose|where|if|when|whenever|once|before|after|while|until|without|with|on|in|at|"
    r"by|from|into|onto|under|over|via|during|through|instead|only|even|as|for|again|either|"
    r"you (?:did|do|don[’']?t|didn[’']?t|have|haven[’']?t|were|are|can|want|need)|"
    r"und|oder|weil|damit|sonst|wenn|bevor|ohne|außer|in|auf|mit|ou|car|parce|sinon|si|sans|sauf|"
    r"avant|dans|porque|si|sin|salvo|antes|en|perché|se|senza|prima|omdat|als|zonder|behalve|"
    r"чтобы|если|без|кроме|потому|jeśli|bez|chyba|oprócz|bo)\b|"
    r"[^\w\s`\"'“(./@${<*-]|$)",
    re.IGNORECASE,
)
# a line that says something of its own: `tags are dates, not versions`
_OWN_CLAUSE = re.compile(
    r"(?:[\w`./-]+ ){1,3}(?:is|are|was|were|has|have|must|should|can|cannot|will)\b", re.IGNORECASE
)
# begins a clause that such a line could end
_SUBORDINATES = re.compile(
    r"\b(?:that|which|who|whose|whom|what|if|when|whenever|where|while|because|since|before|after|"
    r"until|unless|once|as|than|whether|though|although|how|why|so)\b",
    re.IGNORECASE,
)
# announces a text, whose lines are not taken apart
_INTRODUCES = re.compile(
    r"\b(?:says?|said|prints?|printed|reads?|writes?|wrote|tells?|told|lists?|following|below|"
    r"summari[sz]e|translate|rephrase|reword|proofread|transcript|quotes?|comments?|answers?|"
    r"repl(?:y|ies)|example|pretend|play)\b|"
    r"\b(?:add|put|write|use|set|show|display|insert|include|make|create|draft|change|give)\b.*"
    r"\b(?:texts?|banner|messages?|lines?|titles?|labels?|strings?|sentences?|notes?|prompts?|"
    r"headings?|slogans?|cop(?:y|ies)|mails?|e-?mails?|posts?|page|readme|sections?|poem|haiku|"
    r"story|list|rules|faq|docs?|bot)\b",
    re.IGNORECASE,
)


def with_breaks(text: str) -> str:
    """Mark the ends of lines at which a statement ends without a full stop, as in chat.

    Where a line may go on in the next one, it is not marked: half a wish may mean its opposite.
    """
    lines = text.split("\n")
    if _is_wrapped(lines):
        return text
    marked, announced = [], False
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        announced = bool(line.strip()) and (announced or bool(_INTRODUCES.search(line)))
        marked.append(f"{line}{BREAK}" if not announced and _ends(line, after) else line)
    return "\n".join(marked)


def _ends(line: str, after: str) -> bool:
    """Return whether a line ends a statement, judging by the line after it."""
    if _UNFINISHED.search(line) or _GOES_ON.match(after) or not _ENDS.search(line):
        return False
    word = after.split(maxsplit=1)[0]
    is_full = any(len(line) <= width < len(line) + 1 + len(word) for width in _WIDTHS)
    is_new = _OWN_CLAUSE.match(after) and not _SUBORDINATES.search(line)
    goes_on = is_full and word[:1].islower() and not is_new
    return len(line.split()) >= _FEWEST and not goes_on


def _is_wrapped(lines: Sequence[str]) -> bool:
    """Return whether a text is wrapped at a fixed width, so that most lines go on in the next.

    The first word of each next line would not have fitted.
    """
    width = max(map(len, lines))
    followed = [(len(line), after.split()) for line, after in pairwise(lines) if line and after]
    full = sum(length + 1 + len(words[0]) > width for length, words in followed if words)
    return width >= _NARROWEST and full >= _LINES and full / len(followed) >= _MOST
