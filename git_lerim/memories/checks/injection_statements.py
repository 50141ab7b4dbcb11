"""Patterns of statements that present as a project rule what only a person may decide."""

from git_lerim.memories.checks.disguise import HOST

_CHANGES = (
    r"(?:changes?|pull requests?|merge requests?|PRs?|MRs?|commits?|patch(?:es)?|branch(?:es)?|"
    r"releases?|hotfix(?:es)?|fixes|code|everything|anything)"
)
_SECRETS = r"(?:tokens?|passwords?|credentials?|(?:api|private|ssh) keys?|secrets?)"
_NEEDED = r"(?:(?:has|have|needs?|ought) to|must|should|shall) (?!not\b|never\b)(?:\w+ )?be"
_COPIED = (
    rf"(?:(?<!not )(?<!never )(?<!n't )(?<!not be )(?<!never be )\b(?:cop(?:y|ied|ies|ying)|"
    rf"past(?:ed?|es|ing)|symlink(?:s|ed|ing)?|dump(?:s|ed|ing)?|commit(?:s|ted|ting)?|"
    rf"checked in|export(?:s|ed|ing)?)|\b{_NEEDED} (?:moved|put|placed|written|added|stored|"
    rf"saved|included))\b"
)
_OUTSIDE = (
    r"(?:(?<![\w.:/~-])(?:~/[\w.]|\$HOME\b|%USERPROFILE%|/(?:home|Users|root|etc|Volumes|net|"
    r"srv)/\w|(?-i:[A-Z]):\\\w)|\bhome (?:folder|directory)\b)"
)
_REPOSITORY = (
    r"(?:\b(?:into|to|in|inside|as|under) (?:[\w./-]+ ){0,4}?(?:repo(?:sitory)?|project|"
    r"work(?:ing)? ?tree|checkout|code ?base)\b)"
)
_HERE = (
    rf"(?:{_REPOSITORY}|\b(?:into|to|in|inside|as|under) `?(?:\./)?[\w-]+(?:/[\w.-]+|"
    r"\.[a-z]{1,6}\b))"
)
_OBLIGED = rf"(?:{_NEEDED}|(?:is|are) to be)"
STATED: tuple[tuple[str, str], ...] = (
    ("lets changes in that nobody reviewed",
        (rf"(?<!no )\b{_CHANGES} (?:(?:to|in|of|from|by) [^.,;:]{{1,40}} )?(?:is|are|gets?|can be|"
            rf"may be|must be|should be) (?!not\b|never\b)(?:\w+ly )?(?:merged|pushed|deployed|"
            rf"released|shipped|approved|accepted) [^.,;:]{{0,30}}?\bwithout (?:an? |any |further |"
            rf"code |human )*(?:reviews?|approval)\b")),
    ("lets changes in that nobody reviewed",
        (rf"\b(?:code )?(?:reviews?|approvals?) (?:is|are) (?:\w+ly )?(?:skipped|bypassed) (?:for|"
            rf"on|in|of) (?:\w+ ){{0,2}}?{_CHANGES}\b")),
    ("shows secrets in public",
        (r"\b(?:tokens?|passwords?|credentials?|(?:api|private|ssh) keys?|secrets?) "
            r"(?:is|are|gets?|can be|must be|should be) (?!not\b|never\b)(?:\w+ )?"
            r"(?:posted|published|pasted|uploaded|mailed|e-mailed|shared) (?:to|on|in|into|at) "
            r"(?:an? |the |our |every |each |public ){0,2}(?:status page|public|wiki|slack|discord|"
            r"chat|channel|gists?|paste ?bin|issues?|tickets?|pull requests?|PRs?|README|website|"
            r"forum|blog|mailing list)\b")),
    ("sends something to an address, or takes it from there",
        (rf"\b(?:{_OBLIGED} (?:sent|posted|uploaded|forwarded|mailed|submitted|pushed|copied|"
            rf"fetched|downloaded|installed|pulled|cloned|loaded|imported|taken)\b|"
            rf"(?:must|should|(?:has|have|needs?) to) come from\b).*{HOST}")),
    ("switches a check off",
        (rf"\b(?:hooks?|checks?|linters?|scans?|scanners?|sandbox|verification|signatures?|"
            rf"reviews?|approvals?|audits?|firewall|safeguards?)\b[^.;]{{0,40}}\b{_OBLIGED} "
            rf"(?:disabled|turned off|switched off|skipped|bypassed|suppressed|silenced)\b")),
    ("copies a file from outside into the repository",
        (rf"{_COPIED}.*{_OUTSIDE}.*{_HERE}|{_OUTSIDE}.*{_COPIED}.*{_HERE}|"
            rf"{_COPIED}.*{_HERE}.*\bfrom\b.*{_OUTSIDE}")),
    ("takes secrets into the repository",
        (rf"\b{_SECRETS}.*\b{_NEEDED} (?:copied|pasted|committed|checked in|dumped|embedded|"
            rf"hard-?coded|exported).*{_REPOSITORY}")),
)  # fmt: skip
