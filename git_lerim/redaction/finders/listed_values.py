"""Find secrets in a list below a line that announces them: `Credentials:`, `use these keys:`."""

import re
from collections.abc import Callable, Iterator

from git_lerim.redaction.chosen import is_issued, is_memorable
from git_lerim.redaction.finding import Finding
from git_lerim.redaction.secret_names import is_beside
from git_lerim.redaction.value_shape import has_digit, is_made, is_mixed, is_public, is_random
from git_lerim.redaction.views.notation import matches_at, value_at

_REACH = 100  # characters of the line that announces a list
_MANY = 30  # items
_LINE = 160  # characters of an item
_HEAD = re.compile(
    r"(?P<passwords>pass(?:word|phrase|code)s?|credentials?|creds|log[ -]?ins?|accounts?|"
    r"passw[oö]rt(?:er)?|kennw[oö]rt(?:er)?|zugangsdaten|anmeldedaten|zugänge|identifiants|"
    r"mots? de passe|accès|credenciales|contraseñas?|claves|accesos|credenciais|senhas?|"
    r"credenziali|accessi|wachtwoord(?:en)?|inloggegevens|hasł[ao]|парол[ьи]|доступы|логины|"
    r"密码|密碼|账号|帳號|パスワード|アカウント)"
    r"|(?P<tokens>tokens?|secrets?|(?<!cache )(?<!primary )(?<!foreign )(?<!public )(?<!host )"
    r"(?<!object )(?<!sort )(?<!partition )\bkeys?|schlüssel|clés|jetons|llaves|chaves|chiavi|"
    r"ключи|токены|密钥|キー|トークン)"
    r"|(?P<any>\bthese|\bthis|\bthe following|\bfollowing ones)"
)
# what may be between the word and the colon: "for the test systems", "you asked for", "are"
_TAIL = re.compile(
    r"(?:,? (?:for|of|to|on|in|at|you|i|we|are|is|here|below|as|that|für|von|zu|zum|pour|de|du|"
    r"des|para|del|per|voor|do|для|от|son|sont|sind|lauten|list|please)\b[^\n:.;?!]{0,60})?"
    r"[ *_`)]{0,4}(?P<colon>[:\uff1a]?)[*_ \t]{0,4}\Z"
)
# not the end of a line of code; the next line has a digit or a mark, as all but a few secrets have
_ENDS = (":\n", ":**\n", ": \n", ":  \n", "\uff1a\n")  # faster than one pattern
_END = re.compile(r"(?<![)\]}\"'])[:\uff1a*]{1,3} {0,2}\n(?=\n?[^\n]{0,160}[0-9!])")
_SHOWN = re.compile(r"(?:(?<=here)|(?<=these)) are [^\n:]{0,80}\n")
# one of them is in each head; looking for them first is faster
_STEMS = (
    *("pass", "cred", "log", "account", "wort", "wört", "zug", "anmelde", "identif"),
    *("accès", "contrase", "clave", "acces", "senha", "hasł", "парол", "доступ", "логин"),
    *("密码", "密碼", "账号", "帳號", "パスワード", "アカウント", "密钥", "キー", "トークン"),
    *("token", "secret", "key", "schlüssel", "jeton", "llave", "chav", "chiav", "ключи", "токен"),
    *("clés", "this", "these", "following"),
)
_ITEM = re.compile(
    r"[ \t>]{0,12}(?:(?:[-*+•–—]|\d{1,2}[.)])[ \t]{1,3})?"
    # "admin", "crm: mia /", "web01 →", "SMTP password:"
    r"(?P<label>(?:[^\s:=|/→]{1,40}[ \t]{0,3}(?:[:=|/→–—\uff1a-]{1,2}[ \t]|[ \t])[ \t]{0,3}){0,3})"
    r"(?=[\"'`*]{0,3}[^\s\"'`*]{4})(?P<mark>\*{0,2})(?P<value>[^\s]{4,120})[ \t]{0,3}(?:\n|\Z)"
)
_PLACE = re.compile(
    r"\b(?:prod|production|live|stag(?:e|ing)|dev|qa|uat|test|preview|demo|admin|root|user|guest|"
    r"login|api|db|database|ci)\b",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]\W?[^\W\d_]")  # not the number of an account or issue
_COMMIT = 40  # characters of the id of a commit


def find_listed(text: str, low: str) -> Iterator[Finding]:
    """Find values that are the last word of an item; `low` is the text in lower case."""
    for sign in _ENDS[:-1] if low.isascii() else _ENDS:
        for end in matches_at(low, sign, _END.match):
            fits = _announced(low, end.end() - 1)
            if fits:
                yield from _items(text, end.end(), fits)
    for shown in matches_at(low, " are ", _SHOWN.match):
        fits = _announced(low, shown.end() - 1, is_shown=True)
        if fits:
            yield from _items(text, shown.end(), fits)


Fits = Callable[[str, str], bool]


def _announced(low: str, end: int, *, is_shown: bool = False) -> Fits | None:
    """Return how to judge the items below the line that ends at a position, if it is a head."""
    head = low[max(low.rfind("\n", 0, end) + 1, end - _REACH) : end]
    if not any(stem in head for stem in _STEMS):
        return None
    for word in _HEAD.finditer(head):
        tail = _TAIL.match(head, word.end())
        if tail and (tail["colon"] or (is_shown and word.lastgroup != "any")):
            return {"passwords": _is_password, "tokens": _is_token}.get(
                word.lastgroup or "", _is_token_of_place
            )
    return None


def _items(text: str, at: int, fits: Fits) -> Iterator[Finding]:
    """Yield the secrets of the items; one empty line may precede them."""
    if text[at : at + 1] == "\n":
        at += 1
    for _ in range(_MANY):
        item = _ITEM.match(text, at, at + _LINE)
        if not item:
            return
        found = value_at(text, item.start("value"))
        if found and found[1] + 3 >= item.end("value"):
            value = text[found[0] : found[1]]
            if fits(item["label"], value):
                yield Finding(found[0], found[1], "list")
        at = item.end()


def _is_password(label: str, value: str) -> bool:
    worded = bool(_LETTERS.search(value)) and (is_beside(value) or is_memorable(value))
    return worded or _is_token(label, value)


def _is_token(_label: str, value: str) -> bool:
    return (
        has_digit(value)
        and (is_issued(value) or is_mixed(value) or is_made(value) or _is_key(value))
        and not is_public(value)
    )


def _is_token_of_place(label: str, value: str) -> bool:
    """Return whether a value below "use these" is a token, and its label says of what."""
    return bool(_PLACE.search(label)) and _is_token(label, value)


def _is_key(value: str) -> bool:
    """Return whether a value is random letters and digits, and not the id of a commit."""
    return value.isalnum() and is_random(value) and len(value) != _COMMIT
