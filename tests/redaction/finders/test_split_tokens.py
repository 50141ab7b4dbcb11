import pytest

from git_lerim.redaction.redactor import Redactor

_SPLIT = "ghp_" + "wJ4Wq7Zr2Kd8Xt5Vb1Nm3Pc6Yh9Lf0Sg2Aa4"
_LONG = "github_pat_11ABCDEFG0abcdefghijkl_" + (_SPLIT[4:] * 2)[:59]


@pytest.mark.parametrize(
    "text",
    [
        f"{_SPLIT[:20]}\n{_SPLIT[20:]}",
        "\n  ".join(_LONG[n : n + 40] for n in range(0, len(_LONG), 30)),
        f'token = "{_SPLIT[:4]}" + "{_SPLIT[4:]}"',
        f"token = (\n    '{_SPLIT[:10]}'\n    '{_SPLIT[10:]}'\n)",
        f'$token = "{_SPLIT[:18]}" . "{_SPLIT[18:36]}" . "{_SPLIT[36:]}";',
        f'token = "{_SPLIT[:10]}" + \\\n  "{_SPLIT[10:]}"',
    ],
)
def test_a_token_in_several_lines_or_literals_is_blanked_whole(text: str) -> None:
    redacted, _ = Redactor().redact(text)

    assert not any(piece in redacted for piece in ("wJ4W", "q7Zr", "Yh9L", "Sg2A"))


@pytest.mark.parametrize(
    "text",
    [
        'prefix = "ghp_" + name + "abcdefghijklmnopqrstuvwxyz"',
        '"sk-" + "learn-the-thing-that-is-a-long-name"',
        "ghp_\nThe quick brown fox jumps over the lazy dog",
        "tokens begin with ghp_ or\ngithub_pat_\nand then go on for some forty letters or digits",
    ],
)
def test_joined_words_are_no_token(text: str) -> None:
    assert Redactor().find(text) == []
