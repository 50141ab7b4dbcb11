"""Patterns of prompt injection."""

import re

from git_lerim.memories.checks.disguise import HOST

AWAY, MOVES_SECRETS = "asks to send secrets away", "moves secrets"
_OUTSIDE = HOST

_ORDERED = (
    r"(?:(?:^|[.!?:;\n]\s*|[—–-] )(?:(?:please|always|first|then|also|now|next|and|you must|"
    r"you should|important:?|note:?|remember to|make sure to|be sure to|before \w[^.,]{0,60},|"
    r"after \w[^.,]{0,60},|when(?:ever)? [^.,]{0,80},|on every [^.,]{0,60},|"
    r"for each [^.,]{0,60},|from now on,?|every time [^.,]{0,80},)\s+){0,6}|\b(?:agents?|"
    r"assistants?|llms?|models?|you|claude|copilot|codex|cursor|gemini|"
    r"ai)\b[^.!?]{0,40}?\b(?:must|should|shall|need to|has to|have to|are required to|"
    r"is required to|always|will)\s+(?:always |first |also |silently |quietly )*|\b(?:always|"
    r"silently|quietly|remember to|make sure to|be sure to|it is required to|required to|"
    r"don[’']t forget to)\s+)"
)

_SENDS = (
    r"(?:send|post|upload|forward|transmit|e-?mail|submit|exfiltrate|leak|share|report|push|"
    r"copy|pipe|curl|wget|append|attach|log|fetch|call|ping|run `?(?:curl|wget)|"
    r"make an? (?:http )?(?:request|post|get))\b"
)

WORDINGS: tuple[tuple[str, str], ...] = (
    (
        "tells an agent to drop its instructions",
        (
            r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,30}\b(?:previous|prior|"
            r"above|earlier|existing|other|system|safety|your|"
            r"all)\b[^.!?]{0,20}\b(?:instructions?|rules?|prompts?|guidelines?|messages?|"
            r"directives?|constraints?|polic(?:y|ies))\b"
        ),
    ),
    (
        "tells an agent to drop what the user said",
        (
            r"\b(?:ignore|disregard|forget)\b[^.!?]{0,30}\b(?:users?|humans?)['’]s?\b"
            r"[^.!?]{0,20}\b(?:orders?|requests?|wish(?:es)?|words|instructions?)\b"
        ),
    ),
    (
        "asks to hide something from the user",
        (
            r"\b(?:do not|don[’']t|never|must not|should not|avoid|without|no need to|"
            r"rather than)\s+(?:\w+ ){0,2}?(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|"
            r"reveal(?:ing)?|notify(?:ing)?|alert(?:ing)?|disclos(?:e|ing)|(?:show|report|"
            r"warn about|let)(?:ing)? (?:this|it|that|these|any of (?:this|it))|"
            r"asking)\b[^.!?]{0,40}\b(?:users?|humans?|developers?|operators?|maintainers?|"
            r"owner|anyone|anybody|reviewers?|team)\b(?! (?:edits?|changes|lines?|code|input|"
            r"data)\b)"
        ),
    ),
    (
        "asks to hide something from the user",
        (
            r"\b(?:keep|hide|conceal)\b[^.!?]{0,40}\b(?:secret|hidden|"
            r"from)\b[^.!?]{0,15}\b(?:users?|humans?|developers?|operators?|maintainers?|"
            r"reviewers?|team)\b"
        ),
    ),
    (
        "asks to send something to an address",
        _ORDERED + _SENDS + rf"[^!?\n]{{0,160}}?(?:{_OUTSIDE})",
    ),
    (
        AWAY,
        (
            rf"{_ORDERED}{_SENDS}[^.!?]{{0,80}}\b(?:secrets?|credentials?|tokens?|api keys?|"
            rf"passwords?|private keys?|ssh keys?|\.env|environment variables?|"
            rf"env vars?)\b[^.!?]{{0,60}}\b(?:to|into|at|via|with)\b"
        ),
    ),
    ("mentions taking data out", r"\bexfiltrat"),
    (
        "asks to run code from an address",
        (
            rf"{_ORDERED}(?:run|execute|eval|install|source|pipe|download|add|use|load|import|"
            rf"clone|set)\b[^!?\n]{{0,120}}?(?:{_OUTSIDE})"
        ),
    ),
    (
        "pipes a download into a shell",
        (
            r"(?:curl|wget)\b[^\n|]{0,160}\|\s*(?:sudo )?(?:ba|z|da)?sh\b|base64 (?:-d|"
            r"--decode)[^\n|]{0,80}\|\s*(?:ba|z)?sh\b"
        ),
    ),
    (
        "asks to switch a safeguard off",
        (
            rf"{_ORDERED}(?:disable|turn off|skip|bypass|remove|ignore|weaken|suppress|"
            rf"circumvent|pass `?--(?:no-verify|dangerously|yolo)|use `?--(?:no-verify|"
            rf"dangerously|yolo))[^.!?]{{0,60}}?(?:security|safety|permission|sandbox|auth\w*|"
            rf"signature|certificate|tls|ssl|secret|review|guard\w*|approval|confirmation|"
            rf"no-verify|verification|checks?|dangerously|yolo)\b[^.!?]{{0,80}}\b(?:always|"
            rf"every|all|any|without|never|silently|agents?|you|from now on|in future|"
            rf"no matter)\b"
        ),
    ),
    (
        "asks to switch a safeguard off",
        (
            r"\b(?:agents?|assistants?|you|claude|copilot|codex|cursor|gemini|ai|always|"
            r"from now on,?)\b[^.!?]{0,30}?\b(?:disable|turn off|skip|bypass|circumvent|"
            r"auto-?approve|approve all|approve every|pass `?--no-verify|use `?--no-verify|"
            r"--dangerously-skip-permissions|--yolo)\b"
        ),
    ),
    (
        "asks to act without the user's consent",
        (
            r"\b(?:approve|accept|run|execute|commit|push|merge|delete|install|"
            r"grant)\b[^.!?]{0,60}\bwithout (?:asking|confirmation|confirming|permission|"
            r"approval|review|the user)\b"
        ),
    ),
    (
        "addresses an agent instead of describing the project",
        (
            r"(?P<opens>(?:^|[.!?:;\n]\s*|[*#>(\[-]\s*))?\b(?:note|message|instructions?|"
            r"attention|important|notice)\b[^.!?\n]{0,20}\b(?:to|for)\b (?:all |any |the |"
            r"future )?(?:ai|llms?|assistants?|coding agents?|agents?|language models?|claude|"
            r"copilot|codex|cursor|gemini)\b(?(opens)|[^.!?\n]{0,20}[:—–-])"
        ),
    ),
    (
        "addresses an agent instead of describing the project",
        (
            r"\b(?:you are now|as an? (?:ai|llm|language model)|new (?:system )?instructions?:|"
            r"system prompt:|(?:in|enter|activate) developer mode|jailbreak)\b|</?(?:system|"
            r"system-reminder|instructions?|important|assistant|user)>|\[/?INST\]|"
            r"<\|(?:im_start|system|user|assistant)"
        ),
    ),
    (
        "vouches for something it cannot know",
        (
            r"\b(?:treat|mark|consider|regard|trust)\b[^.!?]{0,60}\b(?:as (?:trusted|verified|"
            r"safe|approved|pre-approved|authori[sz]ed)|unconditionally|without (?:checking|"
            r"verification|question))\b"
        ),
    ),
)

_SECRETS = (
    r"(?:secrets?|credentials?|(?:api|access|private|ssh|signing|deploy|encryption)[ -]?keys?|"
    r"\bkeys?(?= (?:in|into|to|from|as|of|and)\b)|tokens?|passwords?|passphrases?|\.env\b|"
    r"env(?:ironment)? var\w*|id_rsa|id_ed25519|\.ssh\b|\.aws\b|\.netrc|\.npmrc|\.pypirc|"
    r"\.gnupg|keychain)"
)

_MOVES = (
    r"(?:copy|cp|mv|move|include|print|echo|put|add|embed|log|dump|commit|write|cat|attach|"
    r"paste|bundle|archive|save|encode|base64|zip|tar|output|send|post|upload|forward|e-?mail|"
    r"submit|share|push|append|pass)"
)

_CHECKS = (
    r"(?:hooks?|pre-?commit|checks?|linters?|scans?|scanners?|sandbox|secur\w+|verification|"
    r"signatures?|permissions?|reviews?|approvals?|guards?|audit\w*|firewall|protections?|"
    r"safeguards?|confirmations?)"
)

_LEAD = (
    r"[-*•>#\s\d.)\"'“(]*(?:(?:please|kindly|always|first|then|also|now|next|and|just|simply|"
    r"important:?|note:?|tip:?|rule:?|(?:before|after|when|whenever|if|once|on|for|to|in|at|by|"
    r"with|during) [^,:]{1,80}[,:]|from now on,?)\s+)*"
)

_VERBS = (
    "run|execute|invoke|call|source|eval|install|download|fetch|pull|clone|get|add|use|import|"
    "load|open|visit|read|follow|configure|set|point|send|post|upload|forward|e-?mail|mail|"
    "submit|share|report|push|copy|cp|pipe|curl|wget|append|attach|log|ping|include|print|echo|"
    "put|embed|dump|commit|write|cat|paste|bundle|archive|save|encode|disable|turn off|"
    "switch off|skip|bypass|ignore|suppress|remove|delete|weaken|silence|comment out|pass|keep|"
    "hide|do|don[’']t|never|start|launch|take|make"
)

_UNSEEN = r"(?:silently|quietly|secretly|covertly)"

# Effects that an order may have only if the human gave it.
EFFECTS: tuple[tuple[str, str], ...] = (
    ("sends something to an address",
        rf"\b(?:mail\b|{_SENDS}).*{_OUTSIDE}|{_OUTSIDE}.*\b(?:mail\b|{_SENDS})"),
    ("downloads from an address",
        (rf"\b(?:download|install|clone|fetch|pull|get|add|use|import|source|load|open|"
            rf"visit|read|follow|configure|set|point|take)\b.*{_OUTSIDE}")),
    ("sends something over the network",
        (r"(?:^|[`|;&(]|\brun )\s*(?:curl|wget|nc|ncat|netcat|socat|telnet|ftp|sftp|scp|"
            r"rsync|dig|nslookup|ping)\s+(?!.{0,200}(?:localhost|"
            r"127\.0\.0\.1))(?=[^`]{0,200}[-./@:$\"'⟦])[^\s`]")),
    (MOVES_SECRETS, rf"\b{_MOVES}\b(?!.{{0,200}}\b(?:headers?|cookies?)\b).*{_SECRETS}"),
    ("switches a check off",
        (r"--no-verify\b|--no-gpg-sign\b|--skip-\S+|--insecure\b|--trusted-host\b|"
            r"--dangerously\S*|--yolo\b|--allow-unsafe\b|--disable-\w*(?:check|scan|verif|"
            r"secur)\w*|\[(?:skip ci|ci skip)\]|\bHUSKY=0|\bSKIP=\S+|\b(?:GIT_SSL_NO_VERIFY|"
            r"NODE_TLS_REJECT_UNAUTHORIZED|PYTHONHTTPSVERIFY)\b|\bverify\s*=\s*False|"
            r"\bsslVerify\b|\bstrict-ssl\b|StrictHostKeyChecking|\bcore\.hooksPath\b|"
            r"chmod (?:-R )?(?:0?777|a\+rwx)|git commit -[a-z]*n[a-z]*\b")),
    ("switches a check off",
        (rf"\b(?:disable|turn off|switch off|skip|bypass|ignore|suppress|weaken|silence|"
            rf"comment out)\b[^.;]{{0,60}}\b{_CHECKS}\b")),
    ("asks to hide something",
        (rf"^{_LEAD}`?(?:{_VERBS})\b(?! \w+ (?:is|are|was|were)\b)[^,;:]*\b{_UNSEEN}\b|"
            rf"\b{_UNSEEN} (?!fail|los[et]|drop|ignor|break|broke|skip|overwr|corrupt|hang|"
            rf"exit|return|never|not\b|no\b)\w|\b(?:without (?:telling|mentioning|asking|"
            rf"notifying|reporting|saying|a word)|(?:don[’']t|do not|never) (?:tell|mention|"
            rf"report|say)|nobody (?:needs|has) to know|keep (?:it|this) (?:quiet|private|"
            rf"secret|between))\b")),
)  # fmt: skip

MAY_BE_FORBIDDEN = (
    MOVES_SECRETS,
    "switches a check off",
)  # effects that are harmless in a sentence that forbids them

FORBIDS = (
    r"^[-*•>#\s\d.)]*(?:never|do not|don[’']t|avoid)\b(?!.*\b(?:without|unless|but|except|"
    r"forget|hesitate|fail|miss|omit|then|instead|and|just|only)\b)(?!.*[,;:—–]\s*\S)"
)

INSTALLS = (
    r"\b(?:pip3?|uv|pipx|npm|pnpm|yarn|gem|cargo|conda|brew|apt(?:-get)?) (?:tool )?(?:install|"
    r"add|i)\b(?! *(?:`|-e\b|-r\b|\.|$|[,;)]))|\b(?:npx|uvx|pipx run|pnpm dlx|yarn dlx|"
    r"bunx) +[@\w]|\bgo install +\S+@"
)

# Texts that are never handed to an agent, even if they are not orders.
ALWAYS: tuple[tuple[str, str], ...] = (
    (
        "sends a command's output over the network",
        r"\b(?:curl|wget|nc|ncat|dig|nslookup|ping|host|telnet)\b[^\n]{0,120}(?:\$\(|\$\{|<\()",
    ),
    (
        "installs from an address",
        (
            rf"\b(?:pip3?|uv|pipx|npm|pnpm|yarn|gem|cargo|go|conda|brew|"
            rf"apt(?:-get)?)\b[^\n.]{{0,80}}(?:-i|--index-url|--extra-index-url|--registry|"
            rf"--source|--find-links|--git|--channel)[ =]+[`'\"]?{_OUTSIDE}"
        ),
    ),
    (
        "runs code from an address",
        (
            r"\b(?:eval|source|exec|sh|bash|zsh|python3?|node|ruby|"
            r"perl)\b[^\n.]{0,20}[\"'`<(]\s*\$?\(?\s*(?:curl|wget)\b"
        ),
    ),
    (
        "sends secrets to an address",
        (
            rf"{_SECRETS}[^\n]{{0,120}}{_OUTSIDE}|{_OUTSIDE}[^\n]{{0,80}}\b(?:with|gets?|"
            rf"receives?)\b[^\n]{{0,60}}{_SECRETS}"
        ),
    ),
)

NORMS = (
    r"\b(?:must|should|shall|ought to|needs? to|ha(?:s|ve) to|is required|are required|"
    r"is expected|mandatory|obligatory|required to|always|never|make sure|be sure|remember to|"
    r"don[’']t forget|ensure|let[’']s|it is (?:customary|required|mandatory|policy)|convention|"
    r"policy|house rule|the rule|from now on|in future|(?:before|after|on|with|for|at|"
    r"by) (?:each|every|any|all)|each|every|whenever|each time|every time|as a first step|"
    r"first thing)\b"
)

# Words before a command that say to run it.
TO_RUN = (
    r"\b(?:run|execute|invoke|call|use|launch|start|source|type|do)\w*\b[^.;:]{0,60}$|"
    rf"{NORMS}[^.;:]{{0,40}}$(?<!each )(?<!every )(?<!all )(?<!any )"
)
IMPERATIVE = rf"{_LEAD}`?(?:{_VERBS})\b"

SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")

# Git commands that only look at the repository: they run no other program and use no network.
LOCAL_GIT = re.compile(
    r"git (?:status|diff|log|show|gc|fsck|blame|ls-files|ls-tree|read-tree|rev-parse|branch|"
    r"stash|worktree)\b(?![^\n]*(?:[|;&$<>`]|--ext-diff|--textconv|--output|--exec))[^\n]*"
)

PLAIN = re.compile(r"\w{3,}")

SHARED = 0.7  # share of an order's words that the human must have said
