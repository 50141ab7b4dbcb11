"""Split text into terms: stems, identifiers with their parts, and pairs of letters.

The pairs are for scripts without spaces. This module imports little and uses no regular
expressions, so that `git lerim search` starts quickly.
"""

from itertools import chain

from git_lerim.recall.index.stemmer import stem

# Not indexed, except in phrases and as parts of whole identifiers.
_STOP = """
a about above after again all also am an and any are as at be because been before being below \
between both but by can
could did do does doing down during each few for from further had has have having he her here \
hers him his how i if in
into is it its itself just me more most my no nor not now of off on once only or other our ours \
out over own same she
should so some such t than that the their theirs them then there these they this those through to \
too under until up
us very was we were what when where which while who whom whose why will with would you your yours \
s re ve ll d m don
"""
STOP = frozenset(_STOP.split())
LONGEST = 64  # characters of a term; longer ones are data, and are cut

_JOINTS = "._-/:@#+\\$~"  # hold the parts of an identifier together
_KNOWN_LIMIT = 1 << 17


class _Folding(dict[int, int | str | None]):
    """A table for `str.translate`: it keeps letters, digits and `_JOINTS` and blanks the rest."""

    def __missing__(self, code: int) -> int | str | None:
        char = chr(code)
        self[code] = found = (
            code
            if char in _JOINTS or char.isalnum() or code in {0x3099, 0x309A}
            else self._other(char)
        )
        return found

    def _other(self, char: str) -> int | str | None:
        if char in "'’":
            return "'"
        import unicodedata  # noqa: PLC0415 few texts need it

        return None if unicodedata.category(char) in {"Mn", "Cf"} else " "


class _Known(dict[str, tuple[str, ...]]):
    """A cache of the terms of each run of non-space characters."""

    def __missing__(self, run: str) -> tuple[str, ...]:
        if len(self) >= _KNOWN_LIMIT:
            self.clear()
        self[run] = found = tuple(_of_run(run))
        return found


_FOLDING = _Folding()
_KNOWN = _Known()


def terms(text: str) -> list[str]:
    """Return the terms of a text, in order; an identifier yields itself and its parts."""
    return list(chain.from_iterable(map(_KNOWN.__getitem__, text.translate(_FOLDING).split())))


def plain_words(text: str) -> list[str]:
    """Return the words of a text without case and accents, stop words included.

    They are for comparing phrases.
    """
    return [part for run in text.translate(_FOLDING).split() for part in _parts(fold(run))]


def fold(text: str) -> str:
    """Return text in lower case and without accents."""
    if text.isascii():
        return text.lower()
    import unicodedata  # noqa: PLC0415 few texts need it

    bare = "".join(
        char for char in unicodedata.normalize("NFKD", text) if not "\u0300" <= char <= "\u036f"
    )
    return unicodedata.normalize("NFC", bare).casefold()


def _of_run(run: str) -> list[str]:
    # a plain word, the most common case
    if run.isalpha() and run.isascii() and (run.islower() or run[1:].islower()):
        word = run.lower()
        return [] if word in STOP else [stem(word[:LONGEST])]
    run = run.strip("".join(_JOINTS) + "'")
    pieces = [piece for part in _parts(run) for piece in _humps(part)]
    if len(pieces) > 1:  # most pieces are cached
        found = [term for piece in pieces for term in _KNOWN[piece]]
        return found if "'" in run else [*found, stem(fold(run)[:LONGEST])]
    folded = fold(pieces[0]) if pieces else ""
    if folded in STOP or not folded:
        return []
    return [stem(folded[:LONGEST])] if folded.isascii() else _of_script(folded)


def _parts(run: str) -> list[str]:
    """Split a run of characters at its joints, such as `_` and `-`."""
    if "'" in run:  # don't, Ada's
        run = run.removesuffix("'s").replace("'", "")
    return (
        "".join(char if char.isalnum() or char in "\u3099\u309a" else " " for char in run).split()
        if not run.isalnum()
        else [run]
    )


def _humps(part: str) -> list[str]:
    """Split `parseHTTPHeader2` into `parse`, `HTTP`, `Header2`."""
    if part.islower() or not part[1:] or part[1:].islower() or part.isupper():
        return [part]
    starts = [0]
    for at in range(1, len(part)):
        before, here, after = part[at - 1], part[at], part[at + 1 : at + 2]
        if here.isupper() and (not before.isupper() or after.islower()):
            starts.append(at)
    return [part[start:end] for start, end in zip(starts, [*starts[1:], len(part)], strict=True)]


def _of_script(word: str) -> list[str]:
    """Return the terms of a non-ASCII word.

    For a script without spaces, these are overlapping pairs of letters.
    """
    found: list[str] = []
    start = 0
    for at in range(1, len(word) + 1):
        if at == len(word) or _unspaced(word[at]) != _unspaced(word[start]):
            piece = word[start:at]
            if _unspaced(piece[0]) and len(piece) > 1:
                found += [piece[n : n + 2] for n in range(len(piece) - 1)]
            else:
                found.append(stem(piece[:LONGEST]) if piece.isascii() else piece[:LONGEST])
            start = at
    return found


def _unspaced(char: str) -> bool:
    """Return whether a character belongs to a script without spaces between words."""
    return (
        "\u3040" <= char <= "\u30ff"  # kana
        or "\u3400" <= char <= "\u9fff"  # Han
        or "\uac00" <= char <= "\ud7a3"  # Hangul: spaces, but endings grow onto words
        or "\u0e00" <= char <= "\u0eff"  # Thai, Lao
        or "\u1000" <= char <= "\u109f"  # Burmese
        or "\u1780" <= char <= "\u17ff"  # Khmer
        or "\uf900" <= char <= "\ufaff"
        or "\U00020000" <= char <= "\U0003ffff"
    )
