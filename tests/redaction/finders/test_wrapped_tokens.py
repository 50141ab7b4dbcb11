import json
import re
import textwrap
from base64 import urlsafe_b64encode
from random import Random
from string import ascii_letters, ascii_uppercase, digits

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
URL_SAFE = ascii_letters + digits + "-_"
SIGNATURES = {"HS256": 43, "ES256": 86, "RS256": 342, "PS384": 512}
WORDS = re.findall(
    r"\S+",
    "the token password of a session is kept in git and each key opens one door to the secret"
    " garden as decided",
)
CODE = re.findall(
    r"\S+",
    "README.md sk-learn eyJ sk- ghp_ AKIA AKIAs DATABASE_URL getUserName Python3 iOS src/app.py v2"
    " 3rd 2026-11-23",
)
# words that make Python3 a password
NAMED = re.compile(
    r"password(?:[\s>][^.]{0,80})?[\s>](?:is|to|as)[\s>]+Python3|password[\s>]+Python3"
)


def of(alphabet: str, size: int) -> st.SearchStrategy[str]:
    # uniform, as keys are: hypothesis prefers equal characters
    return st.integers(0).map(lambda seed: "".join(Random(seed).choices(alphabet, k=size)))  # noqa: S311 no secret


def web_token(algorithm: str, subject: str, signature: str) -> str:
    parts = ({"alg": algorithm, "typ": "JWT"}, {"sub": subject, "scope": "read write"})
    texts = (json.dumps(part, separators=(",", ":")).encode() for part in parts)
    return ".".join([*(urlsafe_b64encode(text).decode().rstrip("=") for text in texts), signature])


WEB_TOKENS = st.sampled_from(sorted(SIGNATURES)).flatmap(
    lambda name: st.builds(web_token, st.just(name), of(digits, 9), of(URL_SAFE, SIGNATURES[name]))
)
SIZED = st.one_of(
    of(ascii_letters + digits, 36).map("ghp_".__add__),
    of(ascii_uppercase + "234567", 16).map("AKIA".__add__),
    of(ascii_letters + digits, 34).map("hf_".__add__),
)
MARGINS = st.sampled_from(["", "  ", "> "])
BEFORE = st.sampled_from(["", "It is\n", "  "])
AFTER = st.sampled_from(["", "\n", '" and more', "\n\nRegards\nAnn\n"])


@given(WEB_TOKENS | SIZED, st.data(), MARGINS, BEFORE, AFTER)
def test_a_token_in_lines_of_any_width_is_blanked_whole(
    token: str, data: st.DataObject, margin: str, before: str, after: str
) -> None:
    pieces, rest = [], token
    while rest:
        size = data.draw(st.integers(8, 120))
        pieces.append(rest[:size])
        rest = rest[size:]

    redacted, _ = REDACTOR.redact(before + f"\n{margin}".join(pieces) + after)

    assert redacted.startswith(before)
    assert redacted.endswith(after)
    assert len(redacted) <= len(before + "[REDACTED:google-api-key]" + after)


@given(of(URL_SAFE, 100), st.integers(60, 90), st.sampled_from(["", "export TOKEN=", "token: "]))
def test_a_token_of_unknown_size_in_even_lines_is_blanked(
    body: str, width: int, before: str
) -> None:
    token = f"{before}sk-proj-{body}9Ab"

    text = "\n".join(token[at : at + width] for at in range(0, len(token), width))
    redacted, _ = REDACTOR.redact(text)

    assert body[-12:] not in redacted
    assert token[width:] not in redacted


@pytest.mark.parametrize(
    "text",
    [
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\nThe header of a token begins like this.",
        "A key begins with sk-\nand goes on with letters.",
        "sk-abcdefgh\nimplementation\nof-the-thing\n",
        "the prefix AKIAIOSF\nODNN7EXAMPLE is in the documentation",
        "see ghp_abcdef\nand then the remaining words",
    ],
)
def test_words_after_what_looks_like_the_beginning_of_a_token_stay(text: str) -> None:
    assert REDACTOR.redact(text)[0] == text


def test_a_token_above_lines_that_repeat_is_blanked() -> None:
    key = "sk-k3J9xQ7mZp2\nLw8RtV4bN6yHs1\nDf5GaC0k2PqW9e\n"
    redacted, _ = REDACTOR.redact(key + "Python3Python3\n" * 3)

    assert not [row for row in key.split() if row in redacted]


@given(st.lists(st.sampled_from(WORDS + CODE), max_size=60), st.integers(8, 80), MARGINS)
@example(["DATABASE_URL", "secret", "Python3"], 19, "")
@example(["sk-learn", "Python3", "Python3", "token"], 8, "")
@example(["sk-learn", "Python3", "Python3", "Python3"], 8, "")
def test_wrapped_prose_is_unchanged(words: list[str], width: int, margin: str) -> None:
    text = textwrap.fill(" ".join(words), width, subsequent_indent=margin)
    assume(not NAMED.search(text))

    assert REDACTOR.redact(text)[0] == text


@given(
    WEB_TOKENS | SIZED | of(URL_SAFE, 60).map("sk-proj-".__add__),
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=30),
    st.integers(20, 80),
)
def test_prose_after_a_token_is_unchanged(token: str, words: list[str], width: int) -> None:
    prose = textwrap.fill(" ".join(words), width)

    redacted, _ = REDACTOR.redact(f"{token}\n{prose}")

    assert redacted.endswith(f"]\n{prose}")
