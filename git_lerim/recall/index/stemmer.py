"""Stem English words, so that `indexes`, `indexed` and `indexing` become one.

This is Porter's algorithm (1980), with three changes, each measured on one half of LoCoMo, a
benchmark of long conversations: irregular forms are first mapped to the regular one (+0.6 points of
recall@5), a final `i` is removed (`injury`, `injured`), and stems are cut to eight letters (+0.2).
Developers' abbreviations are expanded in the same way (`repo`, `repository`), and some nouns
become the verb, whose stem differs (`storage`, `stored`).
"""

_IRREGULAR = """
ate eat|became become|began begin|begun begin|best good|better good|bit bite|bitten bite|blew blow
blown blow|bore bear
born bear|bought buy|broke break|broken break|brought bring|built build|came come|caught catch
children child|chose choose
chosen choose
dealt deal|did do|done do|eaten eat
drank drink|drawn draw|drew draw|driven drive|drove drive|dug dig|fallen fall|fed feed|feet foot
fell fall|felt feel
fled flee|flew fly|flown fly|forgot forget|forgotten forget|fought fight|found find|froze freeze
frozen freeze|gave give
given give|goes go|gone go|gotten get|got get|grew grow|grown grow|heard hear|held hold|hid hide
hidden hide|hung hang|kept keep
knew know|knives knife|known know|laid lay|leaves leaf|led lead|left leave|lent lend|lit light
lives life|lost lose|made make
meant mean|men man|met meet|mice mouse|paid pay|people person|ran run|ridden ride|risen rise
rode ride|rose rise|said say
sang sing|sat sit|saw see|seen see|sent send|shaken shake|shook shake|shot shoot|shown show
slept sleep|sold sell|sought seek
spent spend|split split|spoke speak|spoken speak|stole steal|stolen steal|stood stand|struck strike
stuck stick|sung sing
swam swim|swore swear|sworn swear|swum swim|taken take|taught teach|teeth tooth|thought think
threw throw|thrown throw|told tell
took take|tore tear|torn tear|understood understand|went go|woke wake|woken wake|women woman
won win|wore wear|worn wear
worse bad|worst bad|written write|wrote write
"""
# Abbreviations of developers, and spelling variants.
_SHORT = """
admin administrator|app application|apps application|arg argument|args argument|auth authentication
behaviour behavior
colour color|config configuration|configs configuration|db database|deps dependency|dev development
dir directory
dirs directory|doc documentation|docs documentation|env environment|envs environment|err error
fn function|func function
impl implementation|js javascript|lib library|libs library|licence license|max maximum|min minimum
msg message|num number
param parameter|params parameter|perf performance|pkg package|postgres postgresql|prod production
repo repository
repos repository|spec specification|specs specification|temp temporary|tmp temporary|ts typescript
utils utility|util utility
var variable
"""
_NOUNS = """
comparison compare|comparisons compare|conversion convert
conversions convert|description describe|descriptions describe|expiry expire|retention retain
storage store|subscription subscribe|subscriptions subscribe
"""
_REGULAR = dict(
    pair.split() for pair in f"{_IRREGULAR}|{_SHORT}|{_NOUNS}".replace("\n", "|").split("|") if pair
)
_LENGTH = 8
_SECOND = (
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous"
    " ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al"
    " iviti:ive biliti:ble logi:log"
)
_THIRD = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"
_FOURTH = (
    "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: sion:s tion:t ou: ism: ate: iti:"
    " ous: ive: ize:"
)


_SHAPES = str.maketrans("abcdefghijklmnopqrstuvwxyz", "vcccvcccvcccccvcccccvcccyc")

Step = tuple[tuple[str, ...], dict[str, str], int]


def _step(rules: str, least: int) -> Step:
    """Parse the rules of a step of Porter's algorithm, such as `ational:ate tional:tion`.

    Return the endings, longest first, the replacement of each, and the measure that a stem must
    exceed (`least`).
    """
    table = dict(rule.split(":") for rule in rules.split())
    return tuple(sorted(table, key=len, reverse=True)), table, least


_STEPS = (_step(_SECOND, 0), _step(_THIRD, 0), _step(_FOURTH, 1))


def stem(word: str) -> str:
    """Return the stem of a lower-case word; other strings are returned unchanged."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    word = _past(_plural(_REGULAR.get(word, word)))
    if word[-1] == "y" and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    for step in _STEPS:
        if word.endswith(step[0]):
            word = _replaced(word, step)
    if word[-1] == "e" and (
        (turns := _turns(word[:-1])) > 1 or (turns == 1 and not _is_short(word[:-1]))
    ):
        word = word[:-1]
    if word.endswith("ll") and _turns(word) > 1:
        word = word[:-1]
    return (word.removesuffix("i") if len(word) > 3 else word)[:_LENGTH]


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word[-1] == "s" and word[-2] != "s" else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _turns(word[:-3]) else word
    if not word.endswith(("ed", "ing")):
        return word
    base = word[:-2] if word[-1] == "d" else word[:-3]
    if "v" not in _shape(base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) > 1 and base[-1] == base[-2] and base[-1] not in "aeioulsz":
        return base[:-1]
    return base + "e" if _turns(base) == 1 and _is_short(base) else base


def _replaced(word: str, step: Step) -> str:
    endings, table, least = step
    ending = next(ending for ending in endings if word.endswith(ending))
    base, new = word[: -len(ending)], table[ending]
    if ending in {"sion", "tion"}:  # remove `ion`, keep its consonant
        base, new = base + new, ""
    return base + new if _turns(base) > least else word


def _shape(word: str) -> str:
    """Return the pattern of consonants and vowels: `toy` is `cvc`, `sky` is `ccv`."""
    shape = word.translate(_SHAPES)
    while "y" in shape:
        at = shape.index("y")
        shape = shape[:at] + ("v" if shape[at - 1 : at] == "c" else "c") + shape[at + 1 :]
    return shape


def _turns(word: str) -> int:
    """Return Porter's measure m: how often a consonant follows a vowel."""
    return _shape(word).count("vc")


def _is_short(word: str) -> bool:
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"
