"""Find recovery phrases of wallets, by their name or by the 2,048 English words of BIP 39."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from git_lerim.redaction.finding import Finding

# A common part of names, and the names that contain it, in lower case.
_SEED_NAMES = {
    "mnemonic": ("mnemonic",),
    "seed": ("seed",),
    "phrase": (
        "recovery phrase",
        "backup phrase",
        "wallet phrase",
        "secret phrase",
        "phrase de récupération",
        "phrase secrète",
        "phrase mnémonique",
        "wiederherstellungsphrase",
    ),
    "words": ("recovery words", "backup words", "wallet words"),
    "frase": (
        "frase semilla",
        "frase de recuperación",
        "frase de recuperação",
        "frase semente",
        "frase-semente",
        "frase seme",
    ),
    "herstel": ("wiederherstellungswörter", "herstelzin", "herstelwoorden"),
    "fraza": ("fraza odzyskiwania",),
    "фраз": ("сид-фраз", "сид фраз", "сед-фраз", "мнемоническая"),
    "词": ("助记词",),
    "詞": ("助記詞",),
    "フレーズ": ("シードフレーズ",),
    "ニーモニック": ("ニーモニック",),
}
_SEED_WORDS = re.compile(
    r"(?:[ _-]?(?:recovery[ _-]?)?(?:phrase|words)|[^\W\d_]{0,3}\sфраз\w)?[^a-zA-Z\n]{0,24}"
    r"(?:is |ist |est |es |è |é |to |[a-zA-Z]{1,16}[\"'`]?\s?[:=])?[^a-zA-Z]{0,40}"
    r"(?P<words>(?:[a-z]{3,8}\b[\s,\"'\d.)]{1,6}){11,23}[a-z]{3,8}\b)"
)
_ENGLISH = (
    "the and for are but not you your with this that from have has"
    " was were will can must when then than they"
)
_PROSE = frozenset(_ENGLISH.split())
_LEAST = 12  # words of the shortest phrase
# The words between the first and the last one of the shortest phrase. The pattern begins with a
# fixed character for speed.
_WORDS = re.compile(r" (?:[a-z]{3,8} ){10}")
_BEFORE = re.compile(r"(?<![A-Za-z])([a-z]{3,8}) \Z")
_AFTER = re.compile(r"([a-z]{3,8})(?![A-Za-z]) ?")


@cache
def _seed_words() -> frozenset[str]:
    return frozenset(Path(__file__).with_name("seed_words.txt").read_text(encoding="ascii").split())


def find_seed_phrases(text: str, low: str) -> Iterator[Finding]:
    """Find recovery phrases of at least twelve words; `low` is the text in lower case."""
    for name in (name for part, names in _SEED_NAMES.items() if part in low for name in names):
        at = low.find(name)
        while at >= 0:
            hit = _SEED_WORDS.match(text, at + len(name))
            if hit and not _PROSE.intersection(re.findall("[a-z]+", hit["words"])):
                yield Finding(*hit.span("words"), "seed-phrase")
            at = low.find(name, at + len(name))
    done = 0
    for hit in _WORDS.finditer(text):
        if hit.start() >= done and _seed_words().issuperset(hit[0].split()):
            start, done = _around(text, hit.start() + 1, hit.end())
            words = text[start:done].split()
            # a phrase may repeat a word; filler text repeats many
            if len(words) >= _LEAST and len(set(words)) > _LEAST // 2:
                yield Finding(start, done - text[done - 1].isspace(), "seed-phrase")


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a run of words in both directions, as long as the words are on the list."""
    while (before := _BEFORE.search(text, max(0, start - 9), start)) and before[1] in _seed_words():
        start = before.start()
    while (after := _AFTER.match(text, end)) and after[1] in _seed_words():
        end = after.end()
    return start, end
