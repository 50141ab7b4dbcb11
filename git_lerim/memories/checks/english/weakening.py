"""Patterns of orders to an agent to weaken a check, such as to skip a test."""

from git_lerim.memories.checks.english.vocabulary import (
    ADD,
    ALTHOUGH,
    ASKS,
    CHECK,
    DO,
    DROPPED,
    GO_ON,
    GUARD,
    LOOKED_AT,
    NOT,
    RED,
    STOP,
    SWITCH,
    WEAKEN,
)

WEAKENING = (
    # leaving a check out, or making it find less
    rf"{ASKS}{WEAKEN}\b(?: (?!un)[\w'’/.-]+){{0,4}}? ?{CHECK}",
    (
        rf"{ASKS}(?:remove|drop|exclude)\b(?: (?!un)[\w'’/.-]+){{0,6}}? ?{GUARD}(?! "
        rf"(?:database|table|container|case|step of))"
    ),
    (
        rf"{ASKS}(?:comment|turn|switch)(?: [\w'’/.-]+){{0,3}}? {CHECK}"
        rf"(?: [\w'’/.-]+){{0,3}}? (?:out|off)\b"
    ),
    (
        rf"{ASKS}{NOT} {DO}\b(?: [\w'’/.-]+){{0,3}}? ?{CHECK}(?! (?:in parallel|"
        rf"concurrently|together|twice|against|on|with|as|from|inside|outside))"
    ),
    (
        rf"{CHECK}[^;]{{0,40}}\b{DROPPED}|{CHECK}[^;]{{0,40}}[,;:] (?:so |therefore |"
        rf"hence |then )*{STOP} (?:them|it|those|these)\b"
    ),
    rf"{ASKS}{ADD}\b[^;]*{SWITCH}|\b(?:annotate with|cast to) any\b",
    (
        rf"{ASKS}(?:change|adapt|adjust|update|edit|rewrite|regenerate|"
        rf"rerun)\b[^;]*\b(?:assertions?|expectations?|snapshots?|expected|goldens?|"
        rf"tests?)\b[^;]*\b(?:to match|green|fail\w*|pass(?:es)?)\b"
    ),
    (
        rf"{ASKS}(?:make|let|have|stub)\b[^;]*(?:verif|check|auth|valid|token|"
        rf"permission)\w*[^;]*\b(?:return|answer|accept|pass)\w* (?:`?true|always|any|every)"
    ),
    (
        rf"{ASKS}(?!{LOOKED_AT}\b|(?:an?|the|each|every|no|any|this|one|all|if|when|that|"
        rf"which|of|with|by|on|for|in|because|as|is|"
        rf"has|and|or|but|so)\b)[a-z]+(?<!s)(?<!ed)(?<!ing)(?: [\w`.'’-]+){{0,3}}? "
        rf"(?:failing|flaky|red|broken) (?:\w+ )?(?:tests?|assertions?|checks?|jobs?|suites?|"
        rf"builds?|specs?|lint\w*)\b"
    ),
    (
        r"\b(?:failing|flaky|red|slow) (?:\w+ )?(?:tests?|checks?|jobs?|suites?|"
        r"specs?)\b[^;]*\b(?:get|are|is|be) (?:deleted|removed|dropped|skipped|disabled|"
        r"ignored|commented)"
    ),
    # what to do about a failing check, other than fixing the problem
    (
        rf"^(?=.*\b(?:tests?|suite|build|CI|pipeline|lint\w*|hooks?|jobs?|tsc|mypy|coverage|"
        rf"type checker|commits)\b)(?=.*\b(?:red|fail|fails|failed|complains?|green|block(?:s|"
        rf"ed)?|(?:get|go|come)\w* through)\b)(?!.*\b(?:never|must|until CI|only (?:when|if|"
        rf"after))\b)(?:.*[,:] |\W*(?:(?:then|and|just|always|please) )?)(?!(?:{LOOKED_AT}|"
        rf"write|add an?|start|restart|ask|wait|rebuild|revert|stop|open|try)\b)(?<!`)(?:set|put|"
        rf"edit|change|tweak|rename|move|raise|increase|give|turn|sprinkle|mark|add|adapt|"
        rf"adjust|wrap|replace|touch|make|let|extend|use|take|split|empty|clear)\b"
    ),
    (
        rf"\bas any\b|{ASKS}(?:turn|switch|set)\b[^;]*\b(?:no[A-Z]\w+|strict\w*|rules?|"
        rf"limiter|firewall|encryption|auth\w*)\b[^;]*\b(?:off|false)\b|{ASKS}(?:turn|"
        rf"switch) off\b[^;]*\b(?:rules?|\w*limit\w*|firewall|encryption|auth\w*|protection|"
        rf"logging)|{ASKS}(?:rename|move|empty|replace)\b[^;]*(?:husky|hooks?/|pre-commit|"
        rf"pre-push)"
    ),
    (
        rf"\bneed nobody[’']s \w+|\bfeel free to (?:{STOP}|{GO_ON})\b|"
        rf"\bneeds? no (?:confirm\w*|approv\w*|reviews?|tests?|checks?|sign\w*|permission)|"
        rf"\b(?:you|agents?) ha(?:ve|s) (?:my|our|the|full) (?:approval|permission|consent|ok|"
        rf"okay|go-ahead|blessing)|{ASKS}{GO_ON}\b[^;]*\b(?:by yourself|on your own|"
        rf"yourself|your own)\b|{ASKS}go on by yourself|"
        rf"{ASKS}resolve\b[^;]*\bcomments?\b[^;]*\bwithout\b|\b(?:assume|suppose|"
        rf"believe) that (?:the |all )?(?:tests?|checks?|CI)\b"
    ),
    # going on in spite of a check
    (
        rf"{ASKS}{GO_ON}\b[^;]*\b{ALTHOUGH}\b[^;]*{RED}|"
        rf"{ALTHOUGH}[^;]*{RED}[^;]*{ASKS}{GO_ON}\b"
    ),
    (
        rf"{ASKS}{GO_ON}\b[^;]*\bwithout (?:a|any|another|waiting|the)\b[^;]*(?:eyes|"
        rf"review|approv|CI|check|test|sign)|{ASKS}{GO_ON}\b[^;]*\banyway\b|"
        rf"{GO_ON}\b[^;]*\b(?:without|before) (?:running|waiting for|any) "
        rf"(?:\w+ ){{0,2}}(?:tests?|checks?|hooks?|linters?|reviews?|CI)\b"
        rf"(?=[^;]{{0,2000}}$)(?<!before running)"
    ),
    (
        rf"\b(?:can|may|could) (?:\w+ ){{1,3}}without (?:\w+ )?{CHECK}|"
        rf"(?<!never )(?<!nothing )(?<!not )\b(?:go(?:es)?|push|commit|merge|land|ship|deploy|"
        rf"release)\b(?: [\w-]+){{0,3}} (?:straight|directly) (?:to|on|onto|into) (?:main|"
        rf"master|trunk|prod\w*)"
    ),
    (
        rf"{ASKS}(?:commit|work|route|code|get) around (?:them|it|the)\b|{ASKS}(?:treat|"
        rf"consider|regard|see)\b[^;]*\b(?:noise|decorative|optional|advisory|informational|"
        rf"formality)\b|\b(?:do|does|will|need) not (?:hold|stop|wait|block)\b[^;]*\b(?:merge|"
        rf"release|deploy|push)\w*\b[^;]*{CHECK}|{ASKS}add\b[^;]*\.\w*ignore\b[^;]*\b(?:if|"
        rf"when)\b|\bnot our problem\b|{ASKS}forget (?:that|it|about)\b"
    ),
    # saying that the result of a check does not matter
    (
        r"^\W*(?:red|(?:a )?failing \w+|(?:a )?red \w+) (?:is|are) (?:fine|ok(?:ay)?|"
        r"acceptable|allowed|normal|expected|no)\b|\b(?:green|CI|reviews?|approvals?|tests?|"
        r"signatures?|coverage|pull requests?) (?:is|are) (?:not a requirement|not a must|"
        r"no requirement|for \w+s\b|not our)"
    ),
    (
        rf"\b(?:nobody|no ?one) (?:looks at|cares about|reads|minds|waits for|"
        rf"needs)\b[^;]*{CHECK}|\b(?:need not|needn[’']t|(?:do|does) not (?:have|"
        rf"need) to) be (?:run|green|reviewed|signed|checked|tested|approved|covered)\b"
    ),
    (
        rf"\b(?:don[’']t|do not|never) let\b[^;]*{RED}[^;]*\b(?:stop|block|hold)|\b(?:rules?|"
        rf"checks?) [^;]*\b(?:are|is) to be (?:switched|turned|disabled|dropped)"
    ),
    # telling a result that nobody saw
    (
        r"\b(?:say|state|report|write|note|claim|answer|reply|tell|declare|announce|repl(?:y|ies))"
        r"\b[^;]{0,60}\b(?:all|everything|tests?|suites?|CI|build)\b[^;]{0,12}\b(?:green|"
        r"passed|passing|fine|clean)\b|\b(?:treat|count|regard|mark|report|record|consider|"
        r"list)\b[^;]{0,60}\bas (?:green|pass\w*|success\w*|reviewed|approved|verified|"
        r"resolved)\b"
    ),
    (
        r"\bLGTM\b|\b(?:add|append|put|include|write|each|every|all)\b[^;]*"
        r"\b(?:Reviewed|Acked|Tested|Approved)-by\b"
    ),
    # with a check out of the way
    (
        rf"\b{CHECK} (?:(?:turned|switched|set|kept) )?(?:off|disabled)\b|\b(?:goes?|gets?|"
        rf"get|slip|push|merge|steer|walk)\w* (?:\w+ )?(?:past|around|ahead of|over) the "
        rf"(?:\w+ )?{CHECK}"
    ),
    (
        r"(?<!\w)--(?:no-(?:audit|gpg-sign|sandbox)|allow-un\w+|admin|insecure|force-yes|"
        r"trusted-host|skip-(?:\w+-)?(?:checks?|tests?|verif\w+|hooks?|validation)|privileged|"
        r"disable-\w*(?:check|verif|sandbox)\w*)\b|\.(?:gitleaksignore|trivyignore|snyk|"
        r"secrets\.baseline)\b[^;]*\b(?:straight|at once|whatever|any|all|each|every)\b|"
        r"\b(?:whatever|any|all|each|every)\b[^;]*\.(?:gitleaksignore|trivyignore|snyk|"
        r"secrets\.baseline)\b"
    ),
    (
        rf"\b{GO_ON}\b[^;]*\b(?:reviewers?|reviews?|tests?|CI|checks?|QA|approvals?)\b[^;]*"
        r"\b(?:later|afterwards|catch(?:es)? up|follow up|whenever they)\b|"
        r"\b(?:lower|reduce|decrease)\b[^;]*\bthresholds?\b"
    ),
)
