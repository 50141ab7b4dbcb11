"""Generate texts with secrets: the shapes of secret_forms.toml in many decorations, with values
made at random.
"""

import json
import random
import string
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_ALNUM = string.ascii_letters + string.digits
_WORDS = (
    "winter",
    "harbor",
    "maple",
    "copper",
    "falcon",
    "garden",
    "silver",
    "rocket",
    "puzzle",
    "castle",
    "ember",
    "tiger",
)
_SEEDS = (
    *(
        "abandon",
        "ability",
        "able",
        "about",
        "above",
        "absent",
        "absorb",
        "abstract",
        "absurd",
        "abuse",
        "access",
        "accident",
    ),
    *(
        "account",
        "accuse",
        "achieve",
        "acid",
        "acoustic",
        "acquire",
        "across",
        "act",
        "action",
        "actor",
        "actress",
        "actual",
    ),
    *(
        "adapt",
        "add",
        "addict",
        "address",
        "adjust",
        "admit",
        "adult",
        "advance",
        "advice",
        "aerobic",
        "affair",
    ),
)


@dataclass(frozen=True, slots=True)
class Case:
    """A text, and the secret that must not be left in it."""

    form: str
    variant: str
    text: str
    secret: str


def _alnum(source: random.Random, size: int, alphabet: str = _ALNUM) -> str:
    return "".join(source.choices(alphabet, k=size))


def password(source: random.Random) -> str:
    """Make a password."""
    word, other = source.sample(_WORDS, 2)
    number = source.randrange(10, 9999)
    return source.choice(
        (
            _alnum(source, source.choice((12, 16, 20, 24))) + str(number),
            f"{word.title()}{source.choice('!#@$%&*')}{number}",
            f"{word}-{other.title()}-{number}",
            word.replace("e", "3").replace("o", "0").replace("a", "4")
            + source.choice("!#*")
            + other,
            f"{word.title()}{other.title()}{number}!",
            _alnum(source, 10) + source.choice("!#@$%^&*") + _alnum(source, 6) + str(number),
        )
    )


def token(source: random.Random) -> str:
    """Make a token as a machine makes it."""
    alphabet = source.choice(
        (_ALNUM, string.ascii_lowercase + string.digits, "0123456789abcdef", string.ascii_letters)
    )
    return _alnum(source, source.choice((16, 20, 24, 32, 40, 48)), alphabet)


def vendor(source: random.Random) -> str:
    """Make a token with the prefix of one of eleven vendors."""
    upper = string.ascii_uppercase + string.digits
    return source.choice(
        (
            "ghp" + "_" + _alnum(source, 36),
            "github" + "_pat_" + _alnum(source, 22) + "_" + _alnum(source, 59),
            "glpat" + "-" + _alnum(source, 20),
            "xoxb" + "-" + str(source.randrange(10**11, 10**12)) + "-" + _alnum(source, 24),
            "sk-ant" + "-api03-" + _alnum(source, 93),
            "sk-proj" + "-" + _alnum(source, 48),
            "AKIA" + _alnum(source, 16, upper),
            "AIza" + _alnum(source, 35),
            "sk_live" + "_" + _alnum(source, 24),
            "npm" + "_" + _alnum(source, 36),
            "hf" + "_" + _alnum(source, 34),
        )
    )


def base64_key(source: random.Random) -> str:
    """Make the secret key of an AWS account."""
    return _alnum(source, 40, _ALNUM + "+/")


def phrase(source: random.Random) -> str:
    """Make a seed phrase."""
    return " ".join(source.choices(_SEEDS, k=source.choice((12, 15, 18, 24))))


def words(source: random.Random) -> str:
    """Make a secret of words and a number, as people do."""
    return "-".join(
        (*source.sample(_WORDS, source.choice((2, 3))), str(source.randrange(10, 9999)))
    )


def devops(source: random.Random) -> str:
    """Make a token of Azure DevOps."""
    return _alnum(source, 52, string.ascii_lowercase + "234567")


def key_number(source: random.Random) -> str:
    """Make the private number of a JSON web key."""
    return _alnum(source, 43, _ALNUM + "-_")


Make = Callable[[random.Random], str]
SECRETS: dict[str, Make] = {
    "password": password,
    "token": token,
    "vendor": vendor,
    "base64_key": base64_key,
    "phrase": phrase,
    "words": words,
    "devops": devops,
    "key_number": key_number,
}
FORMS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _numbered(text: str, form: str) -> str:
    return "\n".join(form.format(number, line) for number, line in enumerate(text.split("\n"), 41))


def _coloured(text: str, secret: str, start: str, end: str) -> str:
    return text.replace(secret, f"{start}{secret}{end}")


DECORATIONS: dict[str, Callable[[str, str], str]] = {
    "bare": lambda text, _: text,
    "in JSON": lambda text, _: json.dumps({"output": text}),
    "in JSON twice": lambda text, _: json.dumps({"m": json.dumps({"output": text})}),
    "coloured": lambda text, secret: _coloured(text, secret, "\x1b[31m", "\x1b[0m"),
    "coloured, ESC gone": lambda text, secret: _coloured(text, secret, "[1;32m", "[0m"),
    "coloured, in JSON": lambda text, secret: json.dumps(
        {"output": _coloured(text, secret, "\x1b[01;31m\x1b[K", "\x1b[m\x1b[K")}
    ),
    "added in a diff": lambda text, _: (
        "@@ -1,3 +1,4 @@\n context\n" + "\n".join(f"+{line}" for line in text.split("\n"))
    ),
    "removed in a diff": lambda text, _: (
        "@@ -1,3 +1,4 @@\n context\n" + "\n".join(f"-{line}" for line in text.split("\n"))
    ),
    "cat -n": lambda text, _: _numbered(text, "{:6}\t{}"),
    "an agent's numbers": lambda text, _: _numbered(text, "{:6}\u2192{}"),
    "numbers in JSON": lambda text, _: json.dumps(
        {"content": _numbered(text, "{:6}\u2192{}")}, ensure_ascii=False
    ),
    "grep -n": lambda text, _: _numbered(text, "{}:{}"),
    "quoted in Markdown": lambda text, _: "\n".join(f"> {line}" for line in text.split("\n")),
    "in a fence": lambda text, _: f"Like this:\n\n```sh\n{text}\n```\n",
    "indented": lambda text, _: "\n".join(f"    {line}" for line in text.split("\n")),
    "CRLF": lambda text, _: text.replace("\n", "\r\n") + "\r\n",
}


def cases(seed: int, rounds: int = 2) -> Iterator[Case]:
    """Yield every form in all its templates and decorations, `rounds` times with other values."""
    source = random.Random(seed)  # noqa: S311 - the same text each time
    for form, shape in FORMS.items():
        make = SECRETS[shape["secret"]]
        for template in shape["templates"]:
            for decoration, decorate in DECORATIONS.items():
                for _ in range(rounds):
                    secret = make(source)
                    yield Case(
                        form,
                        f"{template!r}, {decoration}",
                        decorate(template.replace("{}", secret), secret),
                        secret,
                    )
