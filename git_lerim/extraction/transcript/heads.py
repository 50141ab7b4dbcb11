"""Know the lines that begin what somebody else or a file says, such as `Reply by Bob`."""

import re

SAYS = (
    r"(?:says?|said|writes?|wrote|reads?|states?(?! of\b)|stated|recommends?|suggests?|advises?|"
    r"replied|answered|commented|posted|requires?|tells? us|thinks|prints?|printed|complains|"
    r"warns|told (?:me|us)|asked (?:me|us)|schreibt|schrieb|sagt|sagte|meint|antwortete|empfiehlt|"
    r"écrit|a (?:écrit|dit|répondu)|escribe|escribió|dice|dijo|scrive|ha (?:scritto|detto)|"
    r"schrijft|schreef|zegt|zei|escreve|escreveu|diz|disse|pisze|"
    r"napisała?|mówi|powiedziała?|пишет|написала?|говорит|сказала?)"
)
SELF = (
    r"(?:I|we|you|let me|let us|let's|please|ich|wir|du|je|j['’]ai|nous|yo|nosotros|io|ik|wij|eu|"
    r"ja|я|мы)\b"
)
# `Answer of Gemini`, `Response from the reviewer`: a line of its own without a colon
_BARE = re.compile(
    r"(?:the )?(?:code |review )?(?:answer|response|reply|comment|feedback|message|review|"
    r"remark)s? (?:of|from|by) "
    r"(?:the [\w-]+|@[\w.-]+|(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z0-9])[\w.-]*){0,2})$",
    re.IGNORECASE,
)
# `@bob wrote in https://…`, with the words on the rest of the line or below it
_AT_ADDRESS = re.compile(
    rf"(?!{SELF}|(?:see|as|what|like|read|fix|if|when)\b)(?:@[\w.-]+|[\w.'’-]+(?: [\w.'’-]+)?) "
    rf"{SAYS}(?: this| that)? (?:in|on|at|under) <?https?://\S+",
    re.IGNORECASE,
)
# `The TODO in the file is: …`
_IN_FILE = re.compile(
    r"the (?:[\w-]+ )?(?:todo|fixme|comment|docstring|docs?|readme|text|note|line|paragraph|"
    r"section)s? (?:in|of|on|above|at) [^:!?\n]{1,60} (?:is|are)[:：](?=\s|$)",
    re.IGNORECASE,
)


def is_head(line: str) -> bool:
    """Return whether all lines below a line are somebody else's words, or a file's."""
    if _BARE.match(line):
        return True
    found = _AT_ADDRESS.match(line) or _IN_FILE.match(line)
    return found is not None and found.end() == len(line)


def quotes_other(line: str) -> bool:
    """Return whether a line names an address or a file and says what is written there."""
    return bool(_AT_ADDRESS.match(line) or _IN_FILE.match(line))
