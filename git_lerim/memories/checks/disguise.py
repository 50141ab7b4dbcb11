"""Undo disguises of text: look-alike letters, and obscured spellings of addresses."""

import ipaddress
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import urlsplit

HOST = "⟦host⟧"  # stands for every address of another machine
_INVISIBLE = re.compile(
    "[\U000e0000-\U000e007f\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2060-\u2064\ufeff\u00ad\u180e]"
)
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһӏвкмнтАВЕКМНОРСТХІЈЅαοικνρτυΑΒΕΖΗΙΚΜΝΟΡΤΥΧıɡ",
    "aeopcyxijsdhlbkmhtABEKMHOPCTXIJSaoiknptuABEZHIKMNOPTYXig",
)
_LATIN = re.compile("[A-Za-z]")
_OTHER = re.compile("[\u0370-\u052f\u0131\u0261]")
_WORD = re.compile(r"\w+")
_DIGITS = str.maketrans("013457$@!|", "oieastsaii")
_DISGUISED = re.compile(
    r"(?<![\w$@/.#-])(?=[\w$@!|]{0,64}[013457$@!|])(?=[\w$@!|]{0,64}[A-Za-z])"
    r"[A-Za-z013457$@!|]{3,64}"
    r"(?![\w/@]|\.\w)"
)
_SPACED = re.compile(r"(?<!\w)(?:[A-Za-z][ ._*-]){4,}[A-Za-z](?!\w)")
_MAY_BE_SPACED = re.compile(r"[ ._*-][A-Za-z][ ._*-][A-Za-z][ ._*-]")
_INSIDE = re.compile(r"(?<=[A-Za-z])[*`~]{1,3}(?=[A-Za-z])")
_JOINED = re.compile(r"(?<=[a-z])_(?=[a-z])")
_DOTS = re.compile(
    r"(?<=[\w-])\s?(?:\[\.\]|\(\.\)|\{\.\}|\[dot\]|\(dot\)| dot )\s?(?=[\w-])", re.IGNORECASE
)
_HIDDEN_SCHEME = re.compile(r"\bhxxp", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?P<url>\b[a-z][a-z0-9+.-]{1,20}:/{2}[^\s`'\")>\]]+|"
    r"(?<![\w:])//[\w.-]+\.[a-z]{2,}[^\s`'\")>\]]*)"
    # the last part must begin with a letter, because `mocha@11.7.5` is a version
    r"|(?P<mail>(?<![\w.+-])[\w.+-]+@(?:(?:[\w-]+\.)+[A-Za-z][\w-]*|\d{1,3}(?:\.\d{1,3}){3}))|"
    r"(?P<ip>(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]))|"
    r"(?P<name>(?<![\w./@$-])(?:[a-z0-9](?:[a-z0-9-]{0,62})\.)+[a-z]{2,18}(?![\w(-])(?::\d+)?"
    r"(?:/[^\s`'\")>\]]*)?)",
    re.IGNORECASE,
)
# A sign of an address; each begins with a fixed character, which makes the search fast.
_SIGN = re.compile(r"//|@|\.(?<=\w\.)\w")
_REST = re.compile(r"\S*")
_LOCAL = ("localhost", "local", "internal", "lan", "localdomain", "example.invalid")
_PRIVATE = [
    ipaddress.ip_network(each)
    for each in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
]
_ALWAYS_HOSTS = frozenset(
    re.findall(
        r"\w+",
        "com net org xyz biz online cloud tech store shop club live space website host link click"
        " icu ru cn su br jp kr uk eu de fr nl pl cz ch at se es tv ws cc tk ml ga cf gq onion ly"
        " gl gg be ooo pw work world digital network systems email page",
    )
)
# Endings that also occur in code, as in `config.app`: a name with one is an address only after a
# word such as `to`, with a port or a path, or with more than one dot.
_SOMETIMES_HOSTS = frozenset(
    re.findall(
        r"\w+",
        "io dev ai app co me info to us in site top sh run zip mov im is it id ac edu gov mil int",
    )
)
# The same for attributes of what code calls its values and tables, as in `events.at`.
_ATTRIBUTE = re.compile(
    r"(?:account|app|client|config|customer|entry|event|field|file|form|item|job|message|model|msg|"
    r"node|obj|order|package|parcel|payment|pkg|product|record|req|request|response|row|self|"
    r"session|state|table|task|this|user)s?"
    r"\.(?:at|be|email|host|link|live|page|space|store|work)"
)
_LEADS = re.compile(
    r"(?:\b(?:to|at|from|via|with|using|host|server|domain|on|into|images?|registry|mirror|nc|curl|"
    r"wget)\s+[`'\"]?|[`'\"]?@)\Z",
    re.IGNORECASE,
)
_LEAD = 20  # characters before a name that are searched for a word such as `to`
_FILES = frozenset(re.findall(r"\w+", "md py sh rs ts js pl so cc zip mov"))


def is_invisible(text: str) -> bool:
    """Return whether a text contains invisible characters."""
    return not text.isascii() and _INVISIBLE.search(text) is not None


def undisguised(text: str) -> str:
    """Return a text in plain letters, with a mark for each address of another machine.

    Most texts are not disguised, so each pattern is tried only if the text contains a sign of it.
    """
    if not text.isascii():
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
        if _OTHER.search(text):
            text = _WORD.sub(lambda word: _of_one_script(word[0]), text)
    small = text.lower()
    if any(sign in small for sign in ("[.", "(.", "{.", "dot")):
        text = _DOTS.sub(".", text)
    if "hxxp" in small:
        text = _HIDDEN_SCHEME.sub("http", text)
    if any(sign in text for sign in "*`~"):
        text = _INSIDE.sub("", text)
    if _MAY_BE_SPACED.search(text):
        text = _SPACED.sub(lambda word: re.sub(r"[ ._*-]", "", word[0]), text)
    return _with_hosts_marked(text)


def spelled_out(text: str) -> str:
    """Replace digits and signs that stand for letters in a text that is already undisguised."""
    text = _DISGUISED.sub(lambda word: word[0].translate(_DIGITS), text)
    return _JOINED.sub("", text) if "_" in text else text


def _with_hosts_marked(text: str) -> str:
    """Replace addresses of other machines with HOST, examining only words that may contain one."""
    found = [
        address
        for start, end in _words_with_signs(text)
        for address in _ADDRESS.finditer(text, start, end)
    ]
    if not found:
        return text
    parts: list[str] = []
    end = 0
    for address in found:
        parts += (text[end : address.start()], _marked(address))
        end = address.end()
    return "".join((*parts, text[end:]))


def _words_with_signs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the words that may contain an address."""
    end = 0
    for sign in _SIGN.finditer(text):
        at = sign.start()
        if at >= end:
            before = text[end:at]
            cut = before and not before[-1].isspace()
            start = at - len(before.rsplit(maxsplit=1)[-1]) if cut else at
            end = _REST.match(text, at).end()  # type: ignore[union-attr]  # it matches anywhere
            yield start, end


def _of_one_script(word: str) -> str:
    return word.translate(_LOOKALIKES) if _LATIN.search(word) and _OTHER.search(word) else word


def _marked(found: re.Match[str]) -> str:
    address = found[0].rstrip(".,;:!?")
    rest = found[0][len(address) :]
    if found["url"]:
        return (address if _is_local_url(address) else HOST) + rest
    if found["mail"]:
        return HOST + rest
    if found["ip"]:
        return (address if _is_local(address) else HOST) + rest
    return (
        HOST
        if _is_host(found.string[max(0, found.start() - _LEAD) : found.start()], address)
        else address
    ) + rest


def _is_local_url(url: str) -> bool:
    if url.lower().startswith("file:///"):
        return True
    try:
        host = urlsplit(url if "://" in url else f"http:{url}").hostname
    except ValueError:
        return False
    return host is not None and _is_local(host)


def _is_local(host: str) -> bool:
    host = host.rstrip(".").lower()
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return host in _LOCAL or host.endswith(tuple(f".{name}" for name in _LOCAL))
    return (
        address.is_loopback
        or address.is_unspecified
        or any(address in network for network in _PRIVATE)
    )


def _is_host(before: str, name: str) -> bool:
    host, slash, path = name.partition("/")
    host, colon, _ = host.partition(":")
    last = host.rpartition(".")[2].lower()
    if _is_local(host) or (last in _FILES and not colon and not path):
        return False
    is_attribute = _ATTRIBUTE.fullmatch(host.lower()) is not None
    if last in _ALWAYS_HOSTS and not is_attribute:
        return True
    return (is_attribute or last in _SOMETIMES_HOSTS) and bool(
        colon or slash or host.count(".") > 1 or _LEADS.search(before)
    )
