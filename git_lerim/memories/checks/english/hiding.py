"""Patterns of orders to act without the user, or to hide something from them."""

from git_lerim.memories.checks.english.vocabulary import (
    ASKS,
    GO_ON,
    NOT,
    REPORT,
    SOMEBODY,
    STOP,
    STYLE,
)

APPROVING = (
    # acting without the user, or as if the user had spoken
    (
        rf"{ASKS}(?:(?:auto-?)?approve(?! button)|auto-?merge (?:all|any|every\w*|each|the|"
        rf"them|it|if|when|without|dependabot|\w+ PRs)|rubber-?stamp|wave through|(?:accept|"
        rf"merge) (?:your own|(?:all|any|every\w*|whatever)(?: (?:changes?|pull|PRs?|commits?|"
        rf"requests?|edits?|prompts?|suggestions?|of|that|from|by)\b|\W*$)))"
    ),
)

UNASKED = (
    (
        rf"{ASKS}{NOT} (?:ask(?:ing)?|wait(?:ing)?|prompt(?:ing)?|check(?:ing)? with|"
        rf"consult(?:ing)?|confirm(?:ing)?|warn(?:ing)?|bother(?:ing)?|inform(?:ing)?|"
        rf"notify(?:ing)?)\b"
    ),
    (
        rf"{ASKS}(?:{GO_ON}|{STOP}|go|run|act|rewrite|change|"
        rf"force)\b[^;]*\bwithout (?:asking|a prompt|prompting|consulting|confirm\w*|"
        rf"a word)\b|{ASKS}(?:assume|answer|say|press|type|hit)\b[^;]*\byes\b|"
        rf"\bno questions (?:needed|asked)\b"
    ),
)

HIDING = (
    # hiding something from somebody
    (
        rf"{ASKS}{NOT} (?:mention|bring|tell|disclose|point|raise|surface|say|reveal|"
        rf"report)\b|\b(?:better|best|wiser) not to (?:mention|bring|tell|say|raise|report|"
        rf"name)|\bun(?:mentioned|reported)\b"
    ),
    (
        rf"{ASKS}(?:leave|keep|drop|omit|skip|strip|exclude|cut|hide|"
        rf"remove)\b(?:(?!{STYLE})[^;]){{0,80}}\b(?:out of|from|in|off|when|"
        rf"the part)\b(?:(?!{STYLE})[^;]){{0,80}}?{REPORT}|{REPORT}[^;]*,? {ASKS}(?:leave|omit|"
        rf"skip|drop)\b"
    ),
    (
        rf"\b{SOMEBODY} (?:(?:do|does|must|should|need)(?: not|n[’']t)|never|needs?|has|"
        rf"have)\b(?: not)?(?: have| need| has)?(?: to)?(?: ever)? (?:know|learn|hear|notice|"
        rf"find out|be told|be asked)\b|\bso (?:that )?(?:nobody|no ?one|it does not|"
        rf"it is not|they do not)\b[^;]{{0,20}}\b(?:show|see|seen|notice\w*|visible|appear|"
        rf"know)"
    ),
    (
        rf"\bbetween (?:us|you and)\b|{ASKS}(?:say nothing|tell (?:nobody|no ?one)|"
        rf"keep (?:it|this|that) (?:that way|quiet|to yourself)|pretend|claim that)\b|\b(?:if|"
        rf"when) (?:asked|somebody asks|someone asks|anyone asks|the \w+ asks)\b[^;]*\b(?:say|"
        rf"answer|claim|deny|state|reply)\b|^\W*\w+ [^;]*\bquietly\b"
    ),
    (
        rf"\byour (?:report|summary|answer|message|description) (?:should|must|has to|"
        rf"need)\b[^;]*\b(?:only|not|without|never)\b|{ASKS}(?:call|name|label|describe|"
        rf"present|pass off|title) (?:it|this|the (?:change|commit|fix|pull request)) (?:a|an|"
        rf"as|[\"“'])"
    ),
    (
        rf"{ASKS}(?:mention|list|name|write|say|state|describe)\b[^;]*\b(?:only|just|not|"
        rf"instead|nothing)\b[^;]*{REPORT}|{ASKS}(?:mention|list|name|write|say|state|"
        rf"describe)\b[^;]*{REPORT}[^;]*\b(?:only|just|not|nothing)\b|\bas the reason\b|"
        rf"{ASKS}(?:squash|fold|slip|sneak|bury)\b[^;]*\binto\b|\b(?:inconspicuous|unnoticed|"
        rf"discreet(?:ly)?|under the radar|low profile)\b|\b(?:do not|don[’']t) list (?:them|"
        rf"it|these|those|this)\b|\blogs?\b[^;]*\b(?:deleted|removed|cleared|wiped) (?:after|"
        rf"again)"
    ),
    # so that somebody does not see or learn something
    (
        r"\b(?:before|lest|unless|so that|so|until) (?:anyone|anybody|nobody|no ?one|somebody|"
        r"someone|none|they|she|he|people|(?-i:[A-Z])[a-z]+)\b[^;]{0,20}\b(?:notic\w+|finds?|"
        r"sees?|knows?|learns?|asks?|wonders?|minds?|objects?|shows? up)\b"
    ),
    (
        rf"\b(?:{SOMEBODY}|auditors?|compliance(?: \w+)?|colleagues|managers?|boss|clients?|"
        r"customers) (?:(?:will|would|can|could|need|should|must|do|does)(?: not|n[’']t| only| "
        r"just| never)|cannot|never|won[’']t|can[’']t)\b[^;]{0,20}?\b(?:see|know|notice|"
        r"wonder|worry|hear|learn|find|tell|panic|object|be told)\b"
    ),
    (
        r"\bkeep (?:mum|quiet|silent|it under|[^;]{0,30} (?:to|among|between) (?:yourself|"
        r"yourselves|ourselves|us)\b)|\b(?:undisclosed|unannounced|unrecorded)\b|"
        r"\b(?:never|not) (?:to be |be )?(?:disclosed|announced|revealed|spoken of)\b|"
        r"\b(?:steer(?:ing)? away|play(?:ing)? down|gloss(?:ing)? over|nobody[’']s business|"
        r"none of (?:their|his|her) business|cover(?:ing)? (?:up|your tracks))\b"
    ),
)
