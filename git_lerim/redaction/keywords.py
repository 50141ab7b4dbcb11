"""Keywords for secrets in several languages, and the search for them in a text."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

_ENGLISH = (
    r"pass(?:w|[ _-]?phrase|[ _-]?code|\b|_)|pwd|pswd|psk\b|pw\b|pat\b|secret|"
    r"token|credential|auth(?!or(?!i[sz]))|key|bearer|pin\b|pin_|crumb"
)
# Foreign words for a password, a secret and a token, in lower case.
_PASSWORDS = (
    "passwort|kennwort|mot de passe|mot_de_passe|motdepasse|mdp|contraseña|"
    "contrasena|clave|senha|palavra-passe|palavra passe|parola d'ordine|"
    "parola d’ordine|wachtwoord|hasło|haslo|парол|密码|密碼|口令|パスワード|パスフレーズ|"
    "暗証番号|合言葉|şifre|lösenord|adgangskode|salasana|heslo|jelszó|mật khẩu|비밀번호|"
    "كلمة المرور|पासवर्ड"
)
_SECRETS = (
    "geheimnis|geheim|segredo|segreto|секрет|シークレット|秘密鍵|密钥|密鑰|秘钥|金鑰|私钥|私鑰"
)
_TOKENS = "jeton|токен|トークン|令牌|schlüssel|clé|chave|chiave|sleutel|klucz|ключ|キー"
PASSWORD_WORDS, SECRET_WORDS, TOKEN_WORDS = (
    tuple(words.split("|")) for words in (_PASSWORDS, _SECRETS, _TOKENS)
)
FOREIGN_WORDS = (*PASSWORD_WORDS, *SECRET_WORDS, *TOKEN_WORDS)
CJK_WORDS = frozenset(word for word in FOREIGN_WORDS if word[0] > "\u2fff")

# Each part belongs to two keywords, which are searched for only if the part occurs.
_PARTS = ("wort", "contrase", "palavra", "parola d", "geheim", "segre")
_OTHER_LETTER = re.compile(
    "[\u015f\u0400-\u04ff\u0600-\u06ff\u0900-\u097f\u3040-\u9fff\uac00-\ud7a3]"
)


def _by_part(words: Iterable[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for word in words:
        groups.setdefault(next((part for part in _PARTS if part in word), word), []).append(word)
    return groups


_LATIN_WORDS = _by_part(word for word in FOREIGN_WORDS if word[0].isascii())
_ALL_WORDS = _by_part(FOREIGN_WORDS)


def _foreign_words(low: str) -> tuple[str, ...]:
    """Return the keywords of languages other than English that occur in a text."""
    possible = _ALL_WORDS if not low.isascii() and _OTHER_LETTER.search(low) else _LATIN_WORDS
    found = [words for part, words in possible.items() if part in low]
    return tuple([word for words in found for word in words if word in low]) if found else ()


@lru_cache(maxsize=64)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join((_ENGLISH, *map(re.escape, words))))


def lower(text: str) -> str:
    """Return a text in lower case, with all positions unchanged."""
    low = text.lower()
    # U+0130 is the only letter that becomes two
    return low if len(low) == len(text) else text.replace("\u0130", "I").lower()


def find_keywords(low: str) -> Iterator[re.Match[str]]:
    """Yield the keywords in a lower-case text."""
    return _pattern(_foreign_words(low)).finditer(low)
