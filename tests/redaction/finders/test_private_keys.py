from base64 import b64encode
from random import Random
from textwrap import wrap

import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
MATERIAL = b64encode(Random(3).randbytes(1_300)).decode()  # noqa: S311 - the same text each time
LAST_LINES = tuple(
    f"-----{'END'} {kind}-----"
    for kind in ("PRIVATE KEY", "RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK")
)


@pytest.mark.parametrize("last", [*LAST_LINES, f"Private-MAC: {'0f1e2d3c' * 8}"])
@pytest.mark.parametrize("width", [48, 64, 76, 2_000])
@pytest.mark.parametrize(
    "joint", ["\n", "\r\n", " ", "\\n", '",\n  "', "\n# ", "\n// ", "\n+", "\n> "]
)
def test_a_key_whose_beginning_is_cut_off_is_found_by_its_end(
    last: str, width: int, joint: str
) -> None:
    for cut in (0, 7, 60, 1_100, 1_680):
        lines = wrap(MATERIAL, width)
        body = joint.join([*lines, last])[cut:]

        redacted, _ = REDACTOR.redact(f"failed:\n{body}\nThe end.")

        assert redacted.startswith("failed:\n")
        assert redacted.endswith("[REDACTED:private-key]\nThe end.")
        assert len(redacted) < 60, redacted


def test_each_of_several_keys_is_found_by_what_is_left_of_it() -> None:
    first, last = "-----BEGIN PRIVATE " + "KEY-----", LAST_LINES[0]
    lines = wrap(MATERIAL, 64)
    rest = "\n".join([*lines[5:], last])
    whole = "\n".join([first, *lines, last])
    begun = "\n".join([first, *lines[:5]])

    text = "\nand then:\n".join((rest, whole, rest, rest, begun))  # noqa: FLY002 more readable

    assert REDACTOR.redact(text)[0] == "\nand then:\n".join(["[REDACTED:private-key]"] * 5)


@pytest.mark.parametrize("last", LAST_LINES)
@pytest.mark.parametrize(
    "before",
    ["A key ends with\n", "/usr/share/ssl/private/server\n", "Implementation\n", "", "assert x\n"],
)
def test_the_last_line_of_a_key_alone_stays(before: str, last: str) -> None:
    assert REDACTOR.find(f"{before}{last}\nand so on") == []
