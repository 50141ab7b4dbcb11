"""Words without which a pattern of prompt injection cannot match.

Looking for a word is far cheaper than searching with a pattern, so a pattern is tried only on texts
with its words. Each pattern has groups of words in lower case; every text that it matches contains
at least one word of each group.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from git_lerim.memories.checks.injection_patterns import (
    ALWAYS,
    EFFECTS,
    INSTALLS,
    NORMS,
    WORDINGS,
)
from git_lerim.memories.checks.injection_statements import STATED

Groups: TypeAlias = tuple[tuple[str, ...], ...]

_PEOPLE = (
    "user", "human", "developer", "operator", "maintainer", "owner", "anyone", "anybody",
    "reviewer", "team",
)  # fmt: skip
_SENDS = (
    "send", "post", "upload", "forward", "transmit", "mail", "submit", "exfiltrate", "leak",
    "share", "report", "push", "copy", "pipe", "curl", "wget", "append", "attach", "log", "fetch",
    "call", "ping", "make a",
)  # fmt: skip
_SECRETS = (
    "secret", "credential", "key", "token", "password", "passphrase", ".env", "env var",
    "environment var", "id_rsa", "id_ed25519", ".ssh", ".aws", ".netrc", ".npmrc", ".pypirc",
    ".gnupg",
)  # fmt: skip
_AGENTS = (
    " ai", " llm", " assistant", " coding agent", " agent", " language model", " claude",
    " copilot", " codex", " cursor", " gemini",
)  # fmt: skip
_SAFEGUARDS = (
    "security", "safety", "permission", "sandbox", "auth", "signature", "certificate", "tls",
    "ssl", "secret", "review", "guard", "approval", "confirmation", "verif", "check",
    "dangerously", "yolo",
)  # fmt: skip

# One entry per pattern, in the order of `_PATTERNS`; the group that texts lack most often is first.
_GROUPS: tuple[Groups, ...] = (
    (("ignore", "disregard", "forget", "override", "bypass"),
        ("instruction", "rule", "prompt", "guideline", "message", "directive", "constraint",
            "polic")),
    (("ignore", "disregard", "forget"), ("order", "request", "wish", "word", "instruction")),
    (_PEOPLE, ("tell", "mention", "inform", "reveal", "notify", "alert", "disclos", "show",
        "report", "warn about", "let", "asking"),
        ("do not", "don", "never", "must not", "should not", "avoid", "without", "no need to",
            "rather than")),
    (("keep", "hide", "conceal"), _PEOPLE, ("secret", "hidden", "from")),
    (_SENDS,),
    (("secret", "credential", "token", "api key", "password", "private key", "ssh key", ".env",
        "environment var", "env var"), _SENDS),
    (("exfiltrat",),),
    (("run", "execute", "eval", "install", "source", "pipe", "download", "add", "use", "load",
        "import", "clone", "set"),),
    (("curl", "wget", "base64"),),
    (("disable", "turn off", "skip", "bypass", "remove", "ignore", "weaken", "suppress",
        "circumvent", "--no-verify", "--dangerously", "--yolo"), _SAFEGUARDS),
    (("disable", "turn off", "skip", "bypass", "circumvent", "approve", "--no-verify", "--yolo"),),
    (("without",), ("approve", "accept", "run", "execute", "commit", "push", "merge", "delete",
        "install", "grant")),
    (("note", "message", "instruction", "attention", "important", "notice"), _AGENTS),
    (("you are now", "as a ai", "as an ai", "as a llm", "as an llm", "as a language model",
        "as an language model", "instruction", "system prompt:", "developer mode", "jailbreak",
        "system>", "system-reminder>", "important>", "assistant>", "user>", "inst]", "<|"),),
    (("as trusted", "as verified", "as safe", "as approved", "as pre-approved", "as authori",
        "unconditionally", "without "), ("treat", "mark", "consider", "regard", "trust")),
    (("$(", "${", "<("),
        ("curl", "wget", "nc", "dig", "nslookup", "ping", "host", "telnet")),
    (("-i", "--"),),
    (("curl", "wget"),),
    (("keychain", *_SECRETS),),
    (_SENDS,),
    (("download", "install", "clone", "fetch", "pull", "get", "add", "use", "import", "source",
        "load", "open", "visit", "read", "follow", "configure", "set", "point", "take"),),
    (("curl", "wget", "nc", "netcat", "socat", "telnet", "ftp", "scp", "rsync", "dig", "nslookup",
        "ping"),),
    (("keychain", *_SECRETS),),
    (("--", "skip", "husky=0", "verify", "node_tls", "strict", "core.hookspath", "chmod",
        "git commit -"),),
    (("disable", "turn off", "switch off", "skip", "bypass", "ignore", "suppress", "weaken",
        "silence", "comment out"),),
    (("silently", "quietly", "secretly", "covertly", "without ", "tell", "mention", "report",
        "say", "nobody", "keep "),),
    (("without",), ("merged", "pushed", "deployed", "released", "shipped", "approved",
        "accepted")),
    (("skipped", "bypassed"), ("review", "approval")),
    (("token", "password", "credential", "key", "secret"), ("posted", "published", "pasted",
        "uploaded", "mailed", "shared")),
    (("sent", "posted", "uploaded", "forwarded", "mailed", "submitted", "pushed", "copied",
        "fetched", "downloaded", "installed", "pulled", "cloned", "loaded", "imported", "taken",
        "come from"),),
    (("disabled", "turned off", "switched off", "skipped", "bypassed", "suppressed", "silenced"),),
    (("~/", "$home", "%userprofile%", "/home/", "/users/", "/root", "/etc/", "/volumes/", "/net/",
        "/srv/", ":\\", "home folder", "home directory"),
        ("copi", "copy", "past", "symlink", "dump", "commit", "checked in", "export", "moved",
            "put", "placed", "written", "added", "stored", "saved", "included")),
    (("copied", "pasted", "committed", "checked in", "dumped", "embedded", "hard", "exported"),
        ("token", "password", "credential", "key", "secret")),
)  # fmt: skip

_PATTERNS = (*WORDINGS, *ALWAYS, *EFFECTS, *STATED)
_REQUIRED: Mapping[str, Groups] = {
    **{pattern: groups for (_, pattern), groups in zip(_PATTERNS, _GROUPS, strict=True)},
    INSTALLS: (("pip", "uv", "npm", "yarn", "gem", "cargo", "conda", "brew", "apt", "npx", "bunx",
        "go install"),),
    NORMS: (("must", "should", "shall", "ought to", "need", "has to", "have to", "required",
        "expected", "mandatory", "obligatory", "always", "never", "make sure", "be sure",
        "remember to", "forget", "ensure", "let", "customary", "policy", "convention", "rule",
        "from now on", "in future", "each", "every", " any", " all", "first "),),
}  # fmt: skip

# letters that IGNORECASE treats as ASCII letters, and `lower` does not
_FOLD = str.maketrans("İıſ", "iis")


def may_find(pattern: str, text: str) -> bool:
    """Return whether a pattern can match a text, judged by words that the pattern requires."""
    folded = _folded(text)
    for group in _REQUIRED.get(pattern, ()):
        for word in group:  # `any` takes twice as long, and this runs for every sentence
            if word in folded:
                break
        else:
            return False
    return True


@lru_cache(maxsize=1)
def _folded(text: str) -> str:
    return (text if text.isascii() else text.translate(_FOLD)).lower()
