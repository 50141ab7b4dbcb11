"""Detect a text's language by its function words, and find possible orders in other languages."""

import re
import unicodedata
from enum import Enum

from git_lerim.memories.checks.disguise import HOST

# Stems of words for checks, people, consent and secrets, in languages of which only these words are
# known.
_NAMED = re.compile(
    r"\b(?:\w*tests?|linter|hooks?|review|commits?(?=\W+(?:ohne|sans|sin|senza|sem|zonder)))\b|"
    r"\b(?:prüf|überprüf|verif|prueb|prov[ea]\b|testes\b|testen\b|testow|testy|testleri?|"
    r"controll|control|comprob|valida|zertifik|certific|signatur|firma\b|freigab|genehmig|"
    r"approuv|aprob|aprov|approv|autori|goedkeur|bestätig|confirm|conferm|zustimm|einverstand|"
    r"erlaub|nutzer|benutzer|anwender|utilisat|usuari|utent|gebruiker|uzytkown|niemand|"
    r"personne|nadie|nessuno|ninguem|frag\w* nicht|geheim|passw|kennw|zugangsd|credenc|"
    r"identifiant|schlüssel|mot de passe|cles?\b|contrasen|claves?\b|senhas?|chaves?|chiavi|"
    r"wachtwoord|sleutel|sicherheit|segurid|seguranc|sicurezz|beveilig)|\b(?:ci|merge\w*|uvx|"
    r"npx|wiki\w*|zusammenfass|resum(?:e|en|o)\b|riassunt|samenvat|podsumow|weglass|verschweig|"
    r"heimlich|discret|publi[ck]|publi[eq]u|offentlich|pubblic|openba+r|fusion|unisci|erwahn|"
    r"relecture|relire|mencion|menzion|vermeld|main\b|sube\b|subir|hochlad|envoy|envia|schick|"
    r"versend|invia|stuur|verzend|abdeckung|couvert|cobertura|copertur|dekking|instal|"
    r"herunterlad|telecharg|descarg|baix[ae]|scaric|download|schwelle|seuil|umbral|limiar|"
    r"soglia)|тест|проверк|пользовател|подпис|ключ|парол|секрет|одобр|тестів|перевір|тест|テスト|"
    r"検証|確認|レビュー|ユーザー|利用者|秘密|鍵|パスワード|承認|フック|测试|測試|检查|檢查|验证|驗證|用户|用戶|审查|審查|密钥|密码|批准|확인|테스트|검사|"
    r"사용자|비밀|승인|리뷰|요약|병합|설치|摘要|要約|合并|合併|安装|マージ|インストール|\bCI|сводк|слива|слей|установ|скача|"
    r"резюме",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"`[^`]+`|\bnpx\b|\bcurl\b|\bwget\b|(?<!\w)--[a-z][\w-]+|(?<!\w)(?:/(?:tmp|etc|var|home|"
    r"root)/|~/)\S+|(?<=\S)\.(?:sh|ps1|bat)\b|\.env\b"
)
_QUOTED = re.compile(r"`[^`]*`")
_CODE = re.compile(r"[_/\\(){}=<>@#]|\w\.\w")  # shows that a word is code
_CODE_IN_WORD = re.compile(r"\b\w*[a-z][A-Z]\w*|\b[A-Z0-9]{2,}\b|\b\w*\d\w*|(?<!-)--?\w[\w-]*")
_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)?")
# Function words, and in English some others; a few belong to more than one language.
_ENGLISH_WORDS = frozenset(
    re.findall(
        r"\S+",
        "about after again against all also always and another any are as at be because been "
        "before being below between both but by can cannot could did does don't each either else "
        "even every few first for from get gets had has have he her here his how if in instead "
        "into is isn't it its itself just keep last let like made make many may means might more "
        "most must need needs never new next not nothing now of off old once one only or other "
        "our out over own per rather same see set should since so some still such than that the "
        "their them then there these they this those through to too two under until up upon use "
        "used uses using very via was we were what when where which while who why will with "
        "within without would write you your a an do no on which stays stay goes go gives takes "
        "take per plus met "
        # words of short rules, which often have no others: "Prefer named exports"
        "avoid avoids caches dependencies dependency early errors exports functions imports inputs "
        "methods names prefer prefers return returns run runs strings wrap wraps "
        # words of notes, which often have no others: "TODO: fix flaky login test"
        "add added adds broken cleanup done failed failing fails fix fixed fixing finish finished "
        "flaky missing remaining removed rename renamed rewrite steps wip ",
    )
)
_FOREIGN_WORDS = frozenset(
    re.findall(
        r"\S+",
        "der die das den dem des ein eine einen und oder nicht ist sind war mit von für auf im "
        "in zu zum zur bei nach vor aus als wie wenn weil dass wird werden keine kein immer nie "
        "nur auch stehen steht schreibe nutze le la les un une des du de et ou est sont dans "
        "pour sur avec par ne pas que qui en au aux ce cette il elle on plus toujours jamais "
        "sans être el los las una unos y o es son en por para con del al se no que lo como más "
        "siempre nunca sin gli i uno e è nel per della di da si più sempre mai senza os as um "
        "uma são na em com do não nunca sem quando quand cuando wanneer for a het een of is op "
        "voor met van niet dat als altijd nooit geen naar ",
    )
)
# The pronoun, as its verb shows: Italian has an article that is written alike.
_PRONOUN = re.compile(
    r"\bI (?:\w+ed|am|also|built|can|chose|could|did|do|found|had|have|just|kept|left|made|"
    r"need|never|now|only|prefer|put|ran|saw|sent|should|then|think|took|use|want|was|will|"
    r"would|wrote)\b"
)
_SHARED = _ENGLISH_WORDS & _FOREIGN_WORDS
_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_STRANGE = re.compile(
    r"[^\W\d_a-zA-ZäöüßÄÖÜàâçéèêëîïôùûœæñáíóúìòãõÀÂÇÉÈÊËÎÏÔÙÛŒÆÑÁÍÓÚÌÒÃÕ]"
)  # letters of none of these languages
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_POLISH = re.compile(r"[ąćęłńśźż]", re.IGNORECASE)
# Korean, and Cyrillic letters that Russian does not have
_NOT_LEARNED = re.compile(r"[\uac00-\ud7a3\u0402-\u040f\u0452-\u045f\u0462-\u04ff]")
_FEW = 14  # words: a text of so few may not reveal its language
_FEWEST = 3  # words: a text of so few may be a name or a heading
_SHARE = 0.12  # share of a sentence's words that are function words of its language
_CLEAR = 0.25  # share that shows English in spite of letters that it does not have
_SHORT = 4  # words: a longer note without any English word is not in English


class Language(Enum):
    """The detected language of a text."""

    ENGLISH = "english"
    LEARNED = "learned"  # `learned/harm.py` knows its words
    KNOWN = "known"  # its words for the objects of dangerous orders are known
    SHORT = "short"  # too short to tell
    UNKNOWN = "unknown"


def language_of(text: str, around: Language | None = None) -> Language:
    """Return the language of a text.

    If the text itself does not show it, `around`, the language of the surrounding text, can decide.
    """
    prose = _prose(text)
    words = [word.lower() for word in _WORD.findall(prose)]
    foreign = sum(word in _FOREIGN_WORDS and word not in _SHARED for word in words)
    foreign -= len(_PRONOUN.findall(prose))
    if _is_english(words, text, foreign):
        return Language.ENGLISH
    plain = not _STRANGE.search(text) and not _NO_SPACES.search(text)
    if (
        around is Language.ENGLISH
        and plain
        and (foreign == 0 or (text.isascii() and foreign < _SHARE * len(words)))
    ):
        return Language.ENGLISH
    if around is not None and plain and len(words) <= _FEWEST:
        return around
    if _is_known(words, text):
        return Language.KNOWN if _NOT_LEARNED.search(text) else Language.LEARNED
    return (
        Language.SHORT
        if len(words) <= _FEW
        and text.isascii()
        and not foreign
        and (len(words) <= _SHORT or any(word in _ENGLISH_WORDS for word in words))
        else Language.UNKNOWN
    )


def _prose(text: str) -> str:
    """Return the words of a text that are not code."""
    return " ".join(
        _CODE_IN_WORD.sub(" ", word)
        for word in _QUOTED.sub(" ", text).split()
        if not _CODE.search(word)
    )


def may_order(text: str, language: Language) -> bool:
    """Return whether a sentence that is not English contains a word used in dangerous orders."""
    named = (_NAMED,) if language is Language.SHORT else (_NAMED, _COMMAND)
    return (
        any(pattern.search(form) for pattern in named for form in (text, _unaccented(text)))
        or HOST in text
    )


def _is_english(words: list[str], text: str, foreign: int) -> bool:
    if _NO_SPACES.search(text) or _CYRILLIC.search(text):
        return False
    english = sum(word in _ENGLISH_WORDS for word in words)
    if _STRANGE.search(text) and english < _CLEAR * len(words):
        return False
    shared = sum(word in _SHARED for word in words)
    return not words or (
        english >= max(1, _SHARE * len(words)) and (english - shared > foreign or not foreign)
    )


def _is_known(words: list[str], text: str) -> bool:
    if _NO_SPACES.search(text) or _CYRILLIC.search(text):
        return True
    if _POLISH.search(text) and not _STRANGE.search(_POLISH.sub("", text)):
        return True
    return not _STRANGE.search(text) and sum(word in _FOREIGN_WORDS for word in words) >= max(
        2, _SHARE * len(words)
    )


def _unaccented(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
