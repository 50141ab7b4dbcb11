"""Patterns of statements that present as a project rule what only a person may decide."""

_CHANGES = (
    r"(?:changes?|pull requests?|merge requests?|PRs?|MRs?|commits?|patch(?:es)?|branch(?:es)?|"
    r"releases?|hotfix(?:es)?|fixes|code|everything|anything)"
)
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
)  # fmt: skip
