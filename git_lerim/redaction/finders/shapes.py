"""Find secrets by shape alone: webhooks, tokens with a vendor's mark, Kubernetes Secrets."""

import re
from collections.abc import Iterator

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.value_shape import has_digit, is_masked, is_placeholder

# Mark to search for, rule, pattern. The pattern's last group is the secret; without groups, all of
# the match is.
_SHAPES: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (mark, rule, re.compile(pattern))
    for mark, rule, pattern in (
        ("T3BlbkFJ", "openai", r"(?<![A-Za-z0-9])sk-[\w-]{10,200}"),
        ("Q~", "azure-client-secret", r"(?<![\w.~-])([\w.~-]{3}\dQ~[\w.~-]{31,34})(?![\w.~-])"),
        (
            "AZDO",
            "azure-devops",
            r"(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])",
        ),
        (
            "JQQJ9",
            "azure-devops",
            r"(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27}(?![A-Za-z0-9])",
        ),
        (
            "ACOG",
            "azure-key",
            r"(?<![A-Za-z0-9])[A-Za-z0-9]{60,78}ACOG[A-Za-z0-9]{4}(?![A-Za-z0-9])",
        ),
        ("AzCa", "azure-key", r"(?<![\w+/])[A-Za-z0-9]{42}AzCa[A-Za-z0-9]{6}(?!\w)"),
        (
            "+AMC",
            "azure-key",
            r"(?<![\w+/])[A-Za-z0-9+/]{33}\+A(?:MC|Sb|Eh|RM)[A-Za-z0-9+/]{5}=(?!\w)",
        ),
        ("atlasv1", "terraform", r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}"),
        ("-us", "mailchimp", r"(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\w)"),
        (":AA", "telegram", r"(?<![\w:])(?:bot)?(\d{8,10}:AA[\w-]{32,34})(?![\w-])"),
        (
            "hooks.slack",
            "slack-webhook",
            r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w+/-]{30,100})",
        ),
        (
            "/webhooks/",
            "discord-webhook",
            r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d{15,20}/[\w-]{50,80})",
        ),
        ("office.com/webhook", "teams-webhook", r"office\.com/webhook(?:b2)?/([\w@/-]{60,250})"),
        ("logic.azure", "azure-logic", r"logic\.azure\.com[^\s\"']{10,200}?sig=([\w%-]{20,80})"),
        ("hooks.zapier", "zapier-webhook", r"hooks\.zapier\.com/hooks/catch/(\d+/[a-z0-9]{5,20})"),
        (
            "maker.ifttt",
            "ifttt-webhook",
            r"maker\.ifttt\.com/trigger/\w{1,64}/with/key/([\w-]{20,60})",
        ),
        ("thingsboard", "thingsboard", r"thingsboard\.\w{2,8}/api/v1/([a-z0-9]{20})"),
        (
            "chat.googleapis",
            "google-chat",
            (
                r"chat\.googleapis\.com/v1/spaces/([\w/-]{10,60}\?key=[\w%-]{20,60}"
                r"(?:&token=[\w%-]{20,60})?)"
            ),
        ),
        ("NRAL", "new-relic", r"(?<![A-Za-z0-9])[a-z0-9]{36}NRAL(?![A-Za-z0-9])"),
        (
            "NetworkCredential",
            "credential",
            r"NetworkCredential\(\s*\"[^\"\n]{0,100}\",\s*\"([^\"\n]{4,100})\"",
        ),
        (
            "login_with_api_key",
            "truenas",
            r"login_with_api_key\"?,?\s*\"params\"\s*:\s*\[\s*\"(\d{1,3}-[A-Za-z0-9]{60,70})\"",
        ),
        ("kolkrabbi", "heroku", r"kolkrabbi\.heroku\.com/apps/([0-9a-f-]{36})/github/push"),
    )
)
_REACH = 300  # characters around a mark that are searched
_DISCORD = re.compile(
    r"(?<![\w.-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w-])"
)

# `ABCDE-12345-FGHIJ`; a fingerprint has only digits of hexadecimal
_LICENSE = re.compile(
    r"(?=[A-Z-]{0,30}\d)(?=[\dA-F-]{0,30}[G-Z])(?:[A-Z\d]{5}(?:-[A-Z\d]{5}){3,7}|"
    r"[A-Z\d]{4}(?:-[A-Z\d]{4}){3,7})(?![\w-])"
)
_SHORT = 4  # characters of a group, as words and years have

_FACEBOOK = re.compile(r"(?<!\d)\d{13,17}\|[\w-]{26,28}(?!\w)")


def _windows(text: str, mark: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of text around each mark, joining spans that overlap."""
    at = text.find(mark)
    while at >= 0:
        start = max(0, at - _REACH)
        end = at
        while 0 <= at <= end + _REACH:
            end = at
            at = text.find(mark, at + 1)
        yield start, end + _REACH


def find_shapes(text: str, runs: list[tuple[int, int]]) -> Iterator[Finding]:
    """Find webhooks, and tokens that contain a vendor's mark; `runs` are from `find_runs`."""
    joined = "\n".join([text[max(0, start - 1) : end] for start, end in runs])
    for mark, rule, pattern in _SHAPES:
        if mark not in joined:
            continue
        for start, end in _windows(text, mark):
            for hit in pattern.finditer(text, start, end):
                if not is_masked(hit[pattern.groups]):
                    yield Finding(*hit.span(pattern.groups), rule)
    for start, end in runs:
        yield from _by_run(text, start, end)


def _by_run(text: str, start: int, end: int) -> Iterator[Finding]:
    if end - start >= 58 and (found := _DISCORD.match(text, start)):
        yield Finding(*found.span(), "discord")
    elif text[start - 1 : start] == "|" and (
        found := _FACEBOOK.search(text, max(0, start - 18), end)
    ):
        yield Finding(*found.span(), "facebook")
    elif found := _LICENSE.match(text, start):
        groups = found[0].split("-")
        mixed = [each for each in groups if has_digit(each) and not each.isdecimal()]
        if len(mixed) >= (1 if len(groups[0]) > _SHORT else 2) and not is_placeholder(found[0]):
            yield Finding(*found.span(), "license-key")


_SECRET_KIND = re.compile(r"\bkind:[ \t]*[\"']?[Ss]ecret\b")
_DATA = re.compile(r"^[ \t]*(?:data|stringData)[ \t]*:[ \t]*(?:\{\})?$", re.MULTILINE)
_ENTRY = re.compile(
    r"^[ \t]+[\w.-]{1,80}:[ \t]*(?:[|>]-?[ \t]*\n[ \t]*)?([\"']?)([^\s\"'#]{6,4000})\1[ \t]*$",
    re.MULTILINE,
)
_SKIPPED = re.compile(r"^[ \t]*(?:#[^\n]*)?(?=\n)", re.MULTILINE)
_MANIFEST = 8000


def find_manifests(text: str) -> Iterator[Finding]:
    """Find the values under `data:` of a Kubernetes Secret."""
    end = 0
    at = text.find("kind:") if "ecret" in text and "ata:" in text else -1
    while at >= 0:
        if at >= end and _SECRET_KIND.match(text, at):
            start = max(end, text.rfind("\n---", max(0, at - _MANIFEST), at), at - _MANIFEST, 0)
            stop = text.find("\n---", at, at + _MANIFEST)
            end = stop if stop > 0 else min(len(text), at + _MANIFEST)
            yield from _entries(text, start, end)
        at = text.find("kind:", at + 5)


def _entries(text: str, start: int, end: int) -> Iterator[Finding]:
    data = _DATA.search(text, start, end)
    at = data.end() + 1 if data else end
    while at < end:
        entry = _ENTRY.match(text, at, end)
        skipped = entry or _SKIPPED.match(text, at, end)
        if not skipped:
            return
        if entry and not is_placeholder(entry[2]) and not entry[2].startswith(("&", "*")):
            yield Finding(*entry.span(2), "kubernetes-secret")
        at = skipped.end() + 1
