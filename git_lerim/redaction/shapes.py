"""Secrets that show by their shape alone: key blocks, addresses with credentials, webhooks, marks inside a token."""

import re
from collections.abc import Iterator

from git_lerim.redaction.finding import Finding
from git_lerim.redaction.values import is_masked, is_placeholder, is_random

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: [0-9a-f]+")
_BODY = re.compile(r"(?:\s|\\+[nrt]|(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\\"]{0,100}|[A-Za-z0-9+/=]{8,}+)*+")
_MATERIAL = re.compile(r"[A-Za-z0-9+/]{16}")
_LONGEST_KEY = 20_000


def find_keys(text: str) -> Iterator[Finding]:
    """Find private keys from their first line to the last one, or as far as the material goes where the end is cut off."""
    end = 0
    for begin in _BEGIN.finditer(text) if "PRIVATE KEY" in text or "PuTTY-User" in text else ():
        if begin.start() < end:
            continue
        stop = _END.search(text, begin.end(), begin.end() + _LONGEST_KEY) if "-----END" in text or "Private-MAC" in text else None
        body = _BODY.match(text, begin.end())
        end = stop.end() if stop else body.end() if body else begin.end()
        if _MATERIAL.search(text, begin.end(), end):
            yield Finding(begin.start(), end, "private-key")


_USERINFO = re.compile(r"([^\s:/@\"'<>\[\]{}()`$,;|]{0,100}):([^\s/\"'<>`\\|]{1,200})@(?=[\w\[.-])|([A-Za-z0-9_-]{16,200})@(?=\w)")
_SHOWN = frozenset({"password", "passwd", "pass", "pwd", "pw", "port", "x-oauth-basic", "p", "pswd", "passw0rd"})


def find_credentials(text: str) -> Iterator[Finding]:
    """Find passwords and tokens in front of the host of an address."""
    at = text.find("://")
    while at >= 0:
        found = _USERINFO.match(text, at + 3)
        if found:
            group = 2 if found[2] else 3
            value = found[group]
            shown = value.lower() in _SHOWN or is_masked(value) if group == 2 and value[0] not in "<${[%(" else is_placeholder(value)
            if not shown and (group == 2 or is_random(value)):
                yield Finding(*found.span(group), "url-credentials")
        at = text.find("://", at + 3)


# mark to look for, rule, pattern; group 1 is the secret where there is one.
_SHAPES: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (mark, rule, re.compile(pattern))
    for mark, rule, pattern in (
        ("T3BlbkFJ", "openai", r"(?<![A-Za-z0-9])sk-[\w-]{10,200}"),
        ("Q~", "azure-client-secret", r"(?<![\w.~-])([\w.~-]{3}\dQ~[\w.~-]{31,34})(?![\w.~-])"),
        ("AZDO", "azure-devops", r"(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])"),
        ("JQQJ9", "azure-devops", r"(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27}(?![A-Za-z0-9])"),
        ("AAA", "azure-key", r"(?<![A-Za-z0-9])[A-Za-z0-9]{44}(?:ACDb|ACOG|AAAB|AAAA)[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
        ("AzCa", "azure-key", r"(?<![\w+/])[A-Za-z0-9]{42}AzCa[A-Za-z0-9]{6}(?!\w)"),
        ("+AMC", "azure-key", r"(?<![\w+/])[A-Za-z0-9+/]{33}\+A(?:MC|Sb|Eh|RM)[A-Za-z0-9+/]{5}=(?!\w)"),
        ("atlasv1", "terraform", r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}"),
        ("-us", "mailchimp", r"(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\w)"),
        (":AA", "telegram", r"(?<![\w:])\d{8,10}:AA[\w-]{32,34}(?![\w-])"),
        ("hooks.slack", "slack-webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w+/-]{30,100})"),
        ("/webhooks/", "discord-webhook", r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d{15,20}/[\w-]{50,80})"),
        ("office.com/webhook", "teams-webhook", r"office\.com/webhook(?:b2)?/([\w@/-]{60,250})"),
        ("logic.azure", "azure-logic", r"logic\.azure\.com[^\s\"']{10,200}?sig=([\w%-]{20,80})"),
        ("hooks.zapier", "zapier-webhook", r"hooks\.zapier\.com/hooks/catch/(\d+/[a-z0-9]{5,20})"),
        ("maker.ifttt", "ifttt-webhook", r"maker\.ifttt\.com/trigger/\w{1,64}/with/key/([\w-]{20,60})"),
        ("thingsboard", "thingsboard", r"thingsboard\.\w{2,8}/api/v1/([a-z0-9]{20})"),
        ("chat.googleapis", "google-chat", r"chat\.googleapis\.com/v1/spaces/([\w/-]{10,60}\?key=[\w%-]{20,60}(?:&token=[\w%-]{20,60})?)"),
        (".", "discord-token", r"(?<![\w.-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![\w-])"),
        ("NRAL", "new-relic", r"(?<![A-Za-z0-9])[a-z0-9]{36}NRAL(?![A-Za-z0-9])"),
        ("NetworkCredential", "credential", r"NetworkCredential\(\s*\"[^\"\n]{0,100}\",\s*\"([^\"\n]{4,100})\""),
        ("login_with_api_key", "truenas", r"login_with_api_key\"?,?\s*\"params\"\s*:\s*\[\s*\"(\d{1,3}-[A-Za-z0-9]{60,70})\""),
        ("acebook", "facebook", r"(?<!\d)\d{13,17}\|[\w-]{26,28}(?!\w)"),
        ("kolkrabbi", "heroku", r"kolkrabbi\.heroku\.com/apps/([0-9a-f-]{36})/github/push"),
    )
)
_RUN_SHAPES = frozenset({"discord-token"})


def find_shapes(text: str, runs: list[tuple[int, int]]) -> Iterator[Finding]:
    """Find tokens with a vendor's mark inside, and webhooks."""
    for mark, rule, pattern in _SHAPES:
        if rule in _RUN_SHAPES:
            matches = [found for start, end in runs if end - start >= 58 if (found := pattern.match(text, start))]
        elif mark in text:
            matches = list(pattern.finditer(text))
        else:
            continue
        for found in matches:
            group = 1 if pattern.groups else 0
            if not is_masked(found[group]):
                yield Finding(*found.span(group), rule)


_SECRET_KIND = re.compile(r"\bkind:[ \t]*[\"']?Secret\b")
_DATA = re.compile(r"^[ \t]*(?:data|stringData)[ \t]*:[ \t]*(?:\{\})?$", re.MULTILINE)
_ENTRY = re.compile(r"^[ \t]+[\w.-]{1,80}:[ \t]*(?:[|>]-?[ \t]*\n[ \t]*)?([\"']?)([^\s\"'#]{6,4000})\1[ \t]*$", re.MULTILINE)
_SKIPPED = re.compile(r"^[ \t]*(?:#[^\n]*)?(?=\n)", re.MULTILINE)
_MANIFEST = 8000


def find_manifests(text: str) -> Iterator[Finding]:
    """Find the values below `data:` of a Kubernetes Secret."""
    end = 0
    for kind in _SECRET_KIND.finditer(text) if "Secret" in text and "ata:" in text else ():
        if kind.start() < end:
            continue
        start = max(end, text.rfind("\n---", max(0, kind.start() - _MANIFEST), kind.start()), kind.start() - _MANIFEST, 0)
        stop = text.find("\n---", kind.end(), kind.end() + _MANIFEST)
        end = stop if stop > 0 else min(len(text), kind.end() + _MANIFEST)
        data = _DATA.search(text, start, end)
        if not data:
            continue
        at = data.end() + 1
        while (entry := _ENTRY.match(text, at, end) or _SKIPPED.match(text, at, end)) is not None and entry.end() < len(text) + 1 > at:
            if entry.re is _ENTRY and not is_placeholder(entry[2]) and not entry[2].startswith(("&", "*")):
                yield Finding(*entry.span(2), "kubernetes-secret")
            at = entry.end() + 1
