"""Judging a text takes time in proportion to its length, whoever wrote it."""

import random
import re
import time
from collections.abc import Callable, Iterable, Iterator
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from git_lerim.memories.checks import disguise, languages
from git_lerim.memories.checks.commands import known_tools
from git_lerim.memories.checks.commands.command_lines import commands_in
from git_lerim.memories.checks.english.orders import _ORDERS, _POINTING
from git_lerim.memories.checks.english.statements import _STATEMENT, is_statement
from git_lerim.memories.checks.injection_patterns import ALWAYS, EFFECTS, IMPERATIVE, WORDINGS
from git_lerim.memories.checks.injection_statements import STATED
from git_lerim.memories.checks.linear_search import Search
from git_lerim.memories.checks.orders_of_others import _ANYWHERE, doubts

Judge = Callable[[str], object]
CATEGORIES = {sre.CATEGORY_WORD: "a", sre.CATEGORY_DIGIT: "1", sre.CATEGORY_SPACE: " "}


def rules() -> Iterator[tuple[str, Judge]]:
    """Yield each expression with what it is used for."""
    for _, rule in (*_ORDERS, *_ANYWHERE):
        yield rule.pattern, rule.search
    for _, order, thing in _POINTING:
        yield order.pattern, order.search
        yield thing.pattern, thing.search
    for _, pattern in (*WORDINGS, *ALWAYS, *EFFECTS, *STATED):
        yield pattern, Search(pattern, re.IGNORECASE).search
    yield _STATEMENT.pattern, is_statement
    yield IMPERATIVE, re.compile(IMPERATIVE, re.IGNORECASE).match
    for each in (disguise._ADDRESS, disguise._DISGUISED, disguise._SPACED, disguise._DOTS):
        yield each.pattern, lambda text: disguise.spelled_out(disguise.undisguised(text))
    for each in (languages._CODE, languages._CODE_IN_WORD, languages._COMMAND, languages._NAMED):
        yield each.pattern, lambda text: languages.may_order(text, languages.language_of(text))
    for each in (known_tools.UNMARKED, known_tools.MARKED):
        yield each.pattern, lambda text: list(commands_in(text))


def pieces(pattern: str) -> Iterable[str]:
    """Return texts that beginnings and other parts of an expression match."""
    top = parser.parse(pattern, re.IGNORECASE)
    alone = len(top) == 1 and top[0][0] is sre.BRANCH
    chance = random.Random(pattern)  # noqa: S311  # the same for each run
    found = []
    for nodes in top[0][1][1] if alone else [top]:
        for _ in range(6):
            last = chance.randint(1, len(nodes))
            first = chance.randint(0, last - 1)
            found += [sample(list(nodes)[n:last], chance) for n in (0, first)]
    plain = [re.sub("[;.!?\n]", "", each) for each in found]
    return {text for each in (*found, *plain) for text in (each, each + " ") if text}


def sample(nodes: Iterable[tuple[Any, Any]], chance: random.Random) -> str:
    return "".join(one(kind, value, chance) for kind, value in nodes)


def one(kind: Any, value: Any, chance: random.Random) -> str:
    if kind is sre.LITERAL:
        return chr(value)
    if kind is sre.BRANCH:
        return sample(chance.choice(value[1]), chance)
    if kind is sre.SUBPATTERN:
        return sample(value[3], chance)
    if kind in {sre.MAX_REPEAT, sre.MIN_REPEAT}:
        least, most, repeated = value
        times = least + (most > least and chance.random() < 0.6)
        return "".join(sample(repeated, chance) for _ in range(times))
    if kind is sre.IN and value[0][0] is not sre.NEGATE:
        kind, value = chance.choice(value)
        return (
            CATEGORIES.get(value, "-")
            if kind is sre.CATEGORY
            else (chr(value[0] if kind is sre.RANGE else value))
        )
    return " " if kind in {sre.ANY, sre.IN, sre.NOT_LITERAL} else ""


def cost(judge: Judge, piece: str, length: int) -> float:
    text = (piece * (length // len(piece) + 1))[:length]
    begin = time.process_time()
    judge(text)
    return time.process_time() - begin


@pytest.mark.parametrize(
    ("pattern", "judge"), [pytest.param(*each, id=each[0][:40]) for each in rules()]
)
def test_a_text_twice_as_long_costs_no_more_than_about_twice_as_much(
    pattern: str, judge: Judge
) -> None:
    worst = max(sorted(pieces(pattern)), key=lambda piece: cost(judge, piece, 600))
    short, long = (min(cost(judge, worst, length) for _ in range(3)) for length in (4000, 8000))
    assert long < 3 * short + 0.02, worst


def test_a_long_memory_costs_no_more_than_its_parts() -> None:
    def judged(lines: int) -> float:
        text = "\n".join(f"{n}{'do to paste although CI ' * 80}" for n in range(lines))
        return min(
            cost(lambda body: doubts("Names", body, runs=bool), text, len(text)) for _ in "ab"
        )

    judged(1)
    assert judged(14) < 3 * judged(7) + 0.02


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("push[^;]*before[^;]*review", "push it before any review", True),
        ("push[^;]*before[^;]*review", "push it; before any review", False),
        ("push[^;]*before[^;]*review", "push; push a before b; push before a review", True),
        ("push[^;]*before|stay", "please stay", True),
        (r"a\|[^;|]*b|(?:c|d.*e).*f", "a|xb", True),
        (r"a\|[^;|]*b|(?:c|d.*e).*f", "a||b", False),
        (r"a\|[^;|]*b|(?:c|d.*e).*f", "cef", True),
        ("a.*b", "a\nb", False),
        ("a.*b$", "ab ab", True),
        ("a.*", "a", True),
    ],
)
def test_it_matches_what_the_expression_matches(pattern: str, text: str, *, matches: bool) -> None:
    assert Search(pattern).search(text) is matches is (re.search(pattern, text) is not None)
