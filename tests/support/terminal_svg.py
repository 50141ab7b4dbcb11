"""A picture of a terminal as SVG, whose text can be selected, searched and tested."""

import re
import textwrap
from html import escape, unescape

WIDTH, SIZE, LINE, MARGIN = 110, 14, 20, 18  # characters a line; pixels
ADVANCE = 8.43  # pixels a character of a monospaced font of that size
PAPER, INK, COMMAND, NEW = "#0d1117", "#c9d1d9", "#79c0ff", "#7ee787"
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def drawn(text: str) -> str:
    """Return the picture of a terminal that shows a text, long lines wrapped."""
    lines = [row for line in text.splitlines() for row in _wrapped(line)]
    width = round(WIDTH * ADVANCE) + 2 * MARGIN
    height = LINE * len(lines) + 2 * MARGIN
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * number + SIZE}" fill="{_colour(line)}">'
        f"{escape(line, quote=False)}</text>"
        for number, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">\n'
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>\n'
        f'<g font-family="{FONT}" font-size="{SIZE}" xml:space="preserve">\n{rows}\n</g>\n</svg>\n'
    )


def shown(picture: str) -> str:
    """Return the text in a picture that `drawn` made."""
    return "\n".join(map(unescape, re.findall(r"<text [^>]*>(.*?)</text>", picture)))


def _wrapped(line: str) -> list[str]:
    fits = len(line) <= WIDTH
    return [line] if fits else textwrap.wrap(line, WIDTH, break_on_hyphens=False)


def _colour(line: str) -> str:
    return COMMAND if line.startswith("$ ") else NEW if line.startswith("  + ") else INK
