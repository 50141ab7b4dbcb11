"""Find and redact secrets in text and in decoded JSON, with all finders."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from git_lerim.redaction import personal as persons
from git_lerim.redaction.finders.assignments import DENSE, find_assignments
from git_lerim.redaction.finders.commands import find_commands
from git_lerim.redaction.finders.connection_strings import find_credentials
from git_lerim.redaction.finders.known_formats import find_formats
from git_lerim.redaction.finders.listed_values import find_listed
from git_lerim.redaction.finders.pins import find_pins
from git_lerim.redaction.finders.private_keys import find_keys
from git_lerim.redaction.finders.prose import find_in_prose
from git_lerim.redaction.finders.secret_commands import find_secret_commands
from git_lerim.redaction.finders.seed_phrases import find_seed_phrases
from git_lerim.redaction.finders.shapes import find_manifests, find_shapes
from git_lerim.redaction.finders.sql import find_rows
from git_lerim.redaction.finders.vendor_tokens import find_prefixed, find_runs
from git_lerim.redaction.finders.wrapped_tokens import find_wrapped
from git_lerim.redaction.finding import MARKER, PLACED, Finding, blank, trace_back, union
from git_lerim.redaction.keywords import lower
from git_lerim.redaction.own_secrets.elsewhere import Values
from git_lerim.redaction.own_secrets.known_secrets import KnownSecrets
from git_lerim.redaction.own_secrets.own import finder
from git_lerim.redaction.secret_names import is_secret, strength
from git_lerim.redaction.user_patterns import compile_allowed, compile_patterns, search
from git_lerim.redaction.views import encodings
from git_lerim.redaction.views.notation import BARE
from git_lerim.redaction.views.plain_view import View, views

_SHORTEST = 4
_LIMITED = 190  # characters; many finders look not much further for the end of a value
_DEEPEST = 200
_MANY = 1000  # with more findings there is no second pass: only hostile text has so many
_LONG = 1 << 16  # characters; longer texts are searched again only around markers
# Characters that are searched again before and after a marker, and how many of the first of these
# are only context, because a word may be cut there.
_NEAR, _EDGE = 8192, 512
# Searches after the first one, because a marker may reveal a secret beside it. In practice the
# second search finds nothing more.
_PASSES = 4
# The longest text that is likely to occur again, such as a tag or a path, and how many such texts
# are remembered as free of secrets.
_SHORT, _REMEMBERED = 200, 1 << 15


def _unread(text: str, found: list[Finding]) -> str:
    """Return a text without the parts that have too many names of secrets to be searched.

    Line breaks take their place, so that positions stay the same.
    """
    parts: list[str] = []
    at = 0
    for hit in found:
        if hit.rule == DENSE and hit.start >= at:
            parts += (text[at : hit.start], "\n" * (hit.end - hit.start))
            at = hit.end
    return "".join((*parts, text[at:])) if parts else text


_ENDED = {"private-key", "url-credentials", "pattern"}  # rules that find the end themselves


def whole(text: str, findings: list[Finding]) -> list[Finding]:
    """Return findings, extending those that stopped at a length limit in the middle of a value.

    The findings are in order, and do not overlap.
    """
    done: list[Finding] = []
    for hit in findings:
        if done and hit.start < done[-1].end:
            continue  # inside a value that was extended
        is_long = hit.end - hit.start >= _LIMITED and hit.rule not in _ENDED
        rest = BARE.match(text, hit.end) if is_long else None
        done.append(hit._replace(end=rest.end()) if rest else hit)
    return done


class Redactor:
    """A redactor with built-in rules, and with the user's secrets, patterns and exceptions."""

    def __init__(
        self,
        own: Iterable[tuple[str, str]] = (),
        patterns: Sequence[str] = (),
        allow: Sequence[str] = (),
        *,
        personal: bool = True,
        shorten: Callable[[str], str] = str,
    ) -> None:
        self._own = finder(own)
        self._known: KnownSecrets | None = None
        self._patterns = compile_patterns(patterns)
        self._allowed = compile_allowed(allow)
        self._personal = personal
        self._shorten = shorten  # makes the user's paths shorter; see `personal.shortened`
        self._clean: set[str] = set()

    def knowing(self, folder: Path) -> Self:
        """Also find the secrets that were recognized earlier; `folder` holds their digests."""
        self._known = KnownSecrets(folder)
        return self

    def learn(self, values: Values, *, keep: bool) -> bool:
        """From now on find these values, too, and with `keep` also in later runs.

        Return whether any of them was new.
        """
        is_new = bool(values and self._known and self._known.learn(values, keep=keep))
        if is_new:
            self._clean.clear()
        return is_new

    def _exact(self, text: str) -> list[Finding]:
        known = self._known.find(text) if self._known else []
        return [*self._own(text), *known]

    def find(self, text: str) -> list[Finding]:
        """Return the secrets in a text, in order and without overlap."""
        if text in self._clean:
            return []
        found = self._find(text)
        if not found and len(text) <= _SHORT:
            if len(self._clean) == _REMEMBERED:
                self._clean.clear()
            self._clean.add(text)
        return found

    def _find(self, text: str) -> list[Finding]:
        findings = self._look(text, deep=True)
        known = findings
        for _ in range(
            _PASSES
            if len(findings) <= _MANY
            and findings
            and not any(hit.rule == DENSE for hit in findings)
            else 0
        ):
            blanked, places = blank(text, known)
            more = self._look_again(blanked, places)
            again = [trace_back(found, known, places) for found in more]
            if not again:
                break
            known = union([*known, *again])
        return known

    def _look_again(self, text: str, places: list[tuple[int, int]]) -> Iterable[Finding]:
        """Search the text around markers again, since a marker can make other secrets visible."""
        if len(text) < _LONG:
            yield from self._look(text, deep=True)
            return
        end = 0
        for index, (first, last) in enumerate(places):
            if last <= end:
                continue
            start, end = max(end, first - _NEAR), last + _NEAR
            for after, until in places[index + 1 :]:
                if after > end:
                    break
                end = max(end, until + _NEAR)
            for found in self._look(text[start:end], deep=True):
                if found.start >= _EDGE or not start:
                    yield Finding(found.start + start, found.end + start, found.rule)

    def redact(self, text: str) -> tuple[str, list[Finding]]:
        """Return a text without secrets and personal data, and the findings of secrets.

        A secret is replaced by `[REDACTED:<rule>]`.
        """
        findings = self.find(text)
        blanked = blank(text, findings)[0] if findings else text
        return (persons.mask(self._shorten(blanked)) if self._personal else blanked), findings

    def redact_json(self, value: Any) -> tuple[Any, list[Finding]]:
        """Redact decoded JSON, including its keys; return it with the findings.

        The span of a finding is relative to the string in which the secret was found.
        """
        findings: list[Finding] = []
        return self._walk(value, "", findings, 0), findings

    def _walk(self, value: Any, name: str, findings: list[Finding], depth: int) -> Any:
        if isinstance(value, str):
            return self._named(value, name, findings)
        if value is None or isinstance(value, int | float):
            return self._number(value, name, findings)
        if depth > _DEEPEST:
            findings.append(Finding(0, 0, "nesting"))
            return f"{MARKER}nesting]"
        if isinstance(value, list | tuple):
            return [self._walk(item, name, findings, depth + 1) for item in value]
        if isinstance(value, dict):
            redacted: dict[Any, Any] = {}
            for key, item in value.items():
                redacted[self._key(key, redacted, findings)] = self._walk(
                    item, str(key), findings, depth + 1
                )
            return redacted
        return value

    def _number(self, value: float | None, name: str, findings: list[Finding]) -> Any:
        text = str(value)
        if value is None or isinstance(value, bool) or not name or len(text) < _SHORTEST:
            return value
        return self._named(text, name, findings, value)

    def _key(self, key: Any, taken: dict[Any, Any], findings: list[Finding]) -> Any:
        if not isinstance(key, str):
            return key
        plain, found = self.redact(key)
        findings += found
        while found and plain in taken:
            plain += "~"
        return plain

    def _named(
        self, text: str, name: str, findings: list[Finding], number: float | None = None
    ) -> Any:
        if (
            name
            and len(name) <= 100
            and strength(name)
            and is_secret(name.upper(), text, quoted=True)
            and not self._is_allowed(text)
        ):
            findings.append(Finding(0, len(text), "assignment"))
            return f"{MARKER}assignment]"
        if number is not None:
            return number
        redacted, found = self.redact(text)
        findings += found
        return redacted

    def _look(self, text: str, *, deep: bool) -> list[Finding]:
        """Search a text with all finders, after removing decoration such as colour codes.

        With `deep`, also search one level of encoded text.
        """
        if len(text) < _SHORTEST:
            return []
        # before the views, which may take the start of a token's line for a mark of a diff
        found = [*self._exact(text), *find_wrapped(text)]
        for view in views(text):
            found += view.traced_back(self._layers(view, deep=deep))
        if not found:
            return []
        markers = [marker.span() for marker in PLACED.finditer(text)] if MARKER in text else []
        return whole(text, union(hit for hit in found if self._counts(text, hit, markers)))

    def _layers(self, view: View, *, deep: bool) -> list[Finding]:
        text = view.text
        runs = find_runs(text)
        found = [*self._exact(text), *find_wrapped(text)] if view.edits else []
        found += find_prefixed(text, runs, view.seams)
        found += find_shapes(text, runs)
        found += find_credentials(text)
        found += find_keys(text)
        low = lower(text)
        found += find_assignments(text, low)
        found += find_in_prose(text, low)
        found += find_listed(text, low)
        found += find_pins(low)
        found += find_formats(text, low)
        found += find_commands(text, low)
        found += find_secret_commands(text, low)
        found += find_rows(text, low)
        found += find_seed_phrases(text, low)
        found += find_manifests(text)
        for pattern in self._patterns:
            found += (Finding(*hit.span(), "pattern") for hit in search(pattern, text))
        if deep:
            found += encodings.find_escaped(_unread(text, found), self._shallow)
            found += encodings.find_base64(text, runs, self._shallow, self._exact)
        return found

    def _shallow(self, text: str) -> list[Finding]:
        return self._look(text, deep=False)

    def _is_allowed(self, value: str) -> bool:
        return any(allowed.fullmatch(value) for allowed in self._allowed)

    def _counts(self, text: str, hit: Finding, markers: list[tuple[int, int]]) -> bool:
        before = bisect_left(markers, (hit.end, 0)) - 1
        if before >= 0 and hit.start < markers[before][1]:
            return False
        return not self._allowed or not self._is_allowed(text[hit.start : hit.end])
