"""Find values in the elements of XML, HTML and property lists."""

import re
from collections.abc import Iterator

from git_lerim.redaction.secret_names import is_secret

Judged = tuple[int, int, bool]  # start, end, and whether it is secret
_VALUE = r"[\"'`]?(?P<value>[^\s<>\"'`][^\s<>]{3,200}?)[\"'`]?\s{0,40}"
# "<password><![CDATA[x]]>"
_CDATA = re.compile(
    r"[\w.-]{0,48}(?:\s[^<>\n]{0,100})?>\s{0,40}<!\[CDATA\[\s{0,40}"
    r"(?P<value>[^\s\]](?:[^\n\]]|\](?!\]>)){3,200}+)\]\]>"
)
# "<key>password</key><string>x</string>"
_PROPERTY = re.compile(rf"[\w.-]{{0,48}}</key>\s{{0,40}}<string>\s{{0,40}}{_VALUE}</string>")
# "<td>Password</td><td>x</td>"
_CELL = re.compile(
    r"(?P<rest>[\w -]{0,24}):?\s{0,3}(?:</\w{1,8}>:?\s{0,40}){1,3}"
    rf"<(?:td|dd|th|code|span|div|p)\b[^<>]{{0,100}}>\s{{0,40}}(?:<\w{{1,8}}>){{0,2}}{_VALUE}</"
)


# "<password type='x'>y</password>"
_ELEMENT = re.compile(rf"[\w.-]{{0,48}}\s[^<>\n]{{1,100}}>\s{{0,40}}{_VALUE}</")
_OPENED = re.compile(r"<(?:[\w.-]{1,20}:)?\Z")
_REACH = 160  # characters after a name in which its tag ends


def find_in_markup(text: str, name: str, start: int, end: int) -> Iterator[Judged]:
    """Yield the value of the element that a name belongs to, and whether the value is secret.

    The name is in the element's own tag, or in the element before it. `start` is where the name
    starts; `end` is where the keyword in it ends.
    """
    if text.find(">", end, end + _REACH) < 0:
        return
    if found := _CDATA.match(text, end) or _PROPERTY.match(text, end):
        yield *found.span("value"), is_secret(name.upper(), found["value"], quoted=True)
    elif found := _CELL.match(text, end):
        label = f"{name} {found['rest']}".strip()
        yield *found.span("value"), is_secret(label, found["value"], quoted=False)
    elif _OPENED.search(text, max(0, start - 22), start) and (found := _ELEMENT.match(text, end)):
        yield *found.span("value"), is_secret(name, found["value"], quoted=False)
