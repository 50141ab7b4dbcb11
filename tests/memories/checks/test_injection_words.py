import random
import re
import sys
from collections.abc import Iterable
from itertools import product
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from string import ascii_lowercase

import pytest

from git_lerim.memories.checks import injection_words
from git_lerim.memories.checks.injection_words import may_find

_MOST = 3000  # strings that a part of a pattern may stand for, to be listed
REQUIRED = injection_words._REQUIRED
UNUSUAL = {"i": "ı", "k": "\u212a", "s": "ſ"}  # which IGNORECASE takes for these


def has_one(text: str, words: Iterable[str]) -> bool:
    return any(word in text for word in words)


def proven(parts: Iterable, words: tuple[str, ...]) -> tuple[bool, set[str] | None]:
    """Tell whether all that a parsed pattern finds has one of some words, and list what it finds
    if that can be listed.
    """
    proof, whole = False, True
    run = {""}  # what stands before this part without a gap
    for op, value in parts:
        part_proof, found = proven_part(op, value, words)
        proof = proof or part_proof
        if found is None or len(run) * len(found) > _MOST:
            proof = proof or all(has_one(text, words) for text in run)
            run, whole = found if found is not None and len(found) <= _MOST else {""}, False
        else:
            run = {before + text for before, text in product(run, found)}
    proof = proof or all(has_one(text, words) for text in run)
    return proof, run if whole else None


def proven_part(op: object, value: object, words: tuple[str, ...]) -> tuple[bool, set[str] | None]:
    proof, found = False, None  # as for any character, or a class of them
    if op in {sre.AT, sre.ASSERT, sre.ASSERT_NOT}:
        found = {""}
    elif op is sre.LITERAL:
        found = {chr(value).lower()}
    elif op is sre.IN and all(each[0] is sre.LITERAL for each in value):
        found = {chr(each[1]).lower() for each in value}
    elif op is sre.SUBPATTERN:
        proof, found = proven(value[-1], words)
    elif op is sre.BRANCH:
        proofs, listed = zip(*(proven(side, words) for side in value[1]), strict=True)
        proof, found = all(proofs), None if None in listed else set().union(*listed)
    elif op in {sre.MAX_REPEAT, sre.MIN_REPEAT}:
        least, most, inner = value
        proof, found = proven(inner, words)
        proof = proof and least > 0
        found = {"", *found} if (least, most) == (0, 1) and found is not None else None
    return proof, found


@pytest.mark.parametrize("pattern", REQUIRED, ids=lambda pattern: pattern[:40])
def test_a_pattern_finds_nothing_without_the_words_it_needs(pattern: str) -> None:
    parsed = _parser.parse(pattern, re.IGNORECASE)

    for group in REQUIRED[pattern]:
        assert proven(parsed, group)[0], group
        assert all(word.isascii() and word == word.lower() for word in group)


def test_letters_are_compared_as_a_pattern_compares_them() -> None:
    letter = re.compile("[a-z]", re.IGNORECASE)

    for character in filter(letter.match, map(chr, range(sys.maxunicode + 1))):
        folded = injection_words._folded(character)
        assert folded in ascii_lowercase
        assert re.fullmatch(folded, character, re.IGNORECASE)


def test_a_text_that_a_pattern_finds_has_the_words_it_needs() -> None:
    chance = random.Random(1)  # noqa: S311 the same texts every time

    for pattern in REQUIRED:
        parsed, found = _parser.parse(pattern, re.IGNORECASE), 0
        for _ in range(500):
            text = sample(parsed, chance)
            if re.search(pattern, text, re.IGNORECASE):
                found += 1
                assert may_find(pattern, text)
        assert found, pattern


def sample(parts: Iterable, chance: random.Random) -> str:
    """Return a text that a parsed pattern may find."""
    made = ""
    for op, value in parts:
        if op is sre.LITERAL:
            letter = chr(value)
            made += chance.choice((letter, letter.upper(), UNUSUAL.get(letter.lower(), letter)))
        elif op is sre.BRANCH:
            made += sample(chance.choice(value[1]), chance)
        elif op is sre.SUBPATTERN:
            made += sample(value[-1], chance)
        elif op in {sre.MAX_REPEAT, sre.MIN_REPEAT}:
            times = chance.randint(value[0], min(value[1], value[0] + 3))
            made += "".join(sample(value[2], chance) for _ in range(times))
        elif op is sre.IN and value[0][0] is sre.LITERAL:
            made += chr(chance.choice([each[1] for each in value if each[0] is sre.LITERAL]))
        elif op in {sre.IN, sre.NOT_LITERAL, sre.ANY}:
            made += chance.choice("ax ./")
    return made
