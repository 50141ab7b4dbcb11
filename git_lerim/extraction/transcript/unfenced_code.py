"""Recognize a line of code in a prompt without a fence around it."""

import re

_LONGEST = 400  # characters; what is longer is not searched, because that could take long
_LINE = re.compile(
    r"\s*(?:"
    # a block begins or ends: `ul#menu li {`, `} else {`, `});`; also on one line with statements
    r".*\{\s*$|[})\]]+[;,]?\s*$|\} ?(?:else|catch|finally|while)\b|"
    r"[^{]*\{[^{}]*[;:][^{}]*;\s*\}?\s*$|"
    # a statement that ends with a semicolon: `const a = 1;`, `foo.bar();`, `color: red;`
    r"(?!(?:[a-z]+: )?(?:[a-z'’]+ ){3,}[a-z'’]+;)"  # but plain words alone are prose
    r"(?:(?:const|let|var|return|import|export|public|private|protected|static|final|throw|"
    r"package|using|int|char|void|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)\b.*|"
    r"[\w$.\[\]>-]+ ?(?:[-+*/|&]?=|\().*|[a-z-]+: [^.!?]*);\s*(?://.*|/\*.*)?$|"
    # statements that begin with words that only code has in this order
    r"(?:export )?(?:const|let|var) \w+ ?(?::[^=]*)?=|(?:async )?def \w+\(|#include [<\"]|"
    r"from [\w.]+ import \w|import (?:[\w*{].* from )?['\"]|(?:export )?(?:async )?function \w*\(|"
    r"\"[\w-]+\": .*[,\d\"\]}]\s*$)"
)


def is_code(line: str) -> bool:
    """Return whether a line is code by its punctuation or its first words."""
    return len(line) <= _LONGEST and _LINE.match(line) is not None
