"""Patterns of orders to send something out, to fetch something, or to do something unknown."""

from git_lerim.memories.checks.disguise import HOST
from git_lerim.memories.checks.english.vocabulary import (
    ASKS,
    ELSEWHERE,
    GIVEN,
    HARMLESS,
    OURS,
    OUTSIDE,
    REACH,
    SEND,
    THEIRS,
)

LEAVING = (
    # sending something out of the repository, or fetching something from outside
    (
        rf"\bpush(?:es|ing)?\b[^;]*\b(?:to|on) (?:the |a |my |her |his |"
        rf"their )?(?:\w+ )?(?:remote|fork|mirror)\b|\bpull requests? (?:against|to|"
        rf"at) [\w-]+/|{ASKS}(?:put|add|append|write|include)\b[^;]*\b(?:requirements[\w.-]*|"
        rf"(?:dev)?dependencies|Gemfile)\b|{ASKS}(?:include|put|paste|attach|"
        rf"add)\b[^;]*`?\benv`?\b|{ASKS}use (?:the|an?) online\b|{ASKS}(?:ask|consult|query|"
        rf"use|prompt)\b[^;]*\b(?:chat ?bot|chatgpt|gemini|stack ?overflow|forum)\b|\b(?:put|"
        rf"leave|drop) (?:it|them) on (?:their|his|her)\b"
    ),
    (
        rf"{ASKS}{SEND}\b(?: [\w'’/.-]+){{0,8}}? ?{OURS}\b[^;]*\b{ELSEWHERE}|"
        rf"{ASKS}{SEND}\b[^;]*{ELSEWHERE}[^;]*{OURS}"
    ),
    (
        rf"{ASKS}(?:make|set|leave|open)\b[^;]*\b(?:public(?= (?:so|for|while|until|"
        rf"because)|\W*$)|to the world\b|world-readable)|{ASKS}hard-?code\b[^;]*\b(?:password|"
        rf"secret|token|key)|{ASKS}{SEND}\b[^;]*\b[A-Z]+_(?:KEY|TOKEN|SECRET|PASSWORD)\b"
    ),
    (
        rf"{ASKS}(?:download|fetch|grab|get|pull|install|clone|take|apply|use|add|check out|"
        rf"merge|run)\b[^;]*\b(?:from (?:PyPI|npm|the (?:releases?|registry|internet|web|chat|"
        rf"channel|ticket|wiki)\b|crates|rubygems|docker hub|github|a gist)|with (?:pip|npm|"
        rf"brew|gem|cargo|apt)\b|in (?:her|his|their) (?:own )?fork|"
        rf"from [A-Z]?\w+[’']s (?:fork|repo\w*|branch|machine)|(?:pull request|PR) #?\d+)|"
        rf"\bgist\b[^;]*[;,:] \w+ (?:it|them)\b"
    ),
    (
        rf"{ASKS}(?:run|execute|start|launch|use|open)\b[^;]*\b(?:snippet|binary|one-liner|"
        rf"installer|executable|attachment|(?:its|his|her|their) script)\b"
    ),
    (
        rf"{ASKS}(?:add|install|register|enable|get|activate)\b[^;]{{0,40}}\b(?:dependency|"
        rf"package|plug-?in|extension|MCP server|library|add-?on)\b(?! (?:to|by|file|name))|"
        rf"{ASKS}(?:make sure|ensure)\b[^;]*\b(?:extension|plug-?in|package|helper)\b|"
        rf"^\W*install (?:\w+[-@/][\w.@/-]+|\w+ (?:before|first|once|globally)\b)"
    ),
    (
        rf"\b(?:be|get|gets|is|are) (?:reported|sent|posted|uploaded|mailed|pushed|shared|"
        rf"copied|published|downloaded|fetched|installed|forwarded)\b[^;]*{HOST}"
    ),
    rf"{ASKS}{REACH}\b[^;]*?(?:{OUTSIDE}|{HOST})",
    # work that goes to a named place of somebody's
    (
        rf"\b{GIVEN}\b[^;]*\b(?:to|in|into|on|at|via|through|with) (?:\w+[’']?s? ){{0,4}}?"
        rf"{THEIRS}|{THEIRS}[^;]*\b(?:gets?|receives?|wants?|expects?|is (?:sent|given))\b"
    ),
)

UNKNOWN = (
    (
        rf"(?:^[-*•>#\s\d.)]*|[:;—] )(?:(?:please|always|first|then|also|now|and|just|"
        rf"simply)\s+|(?:before|after|when|whenever|if|once|on|"
        rf"for) [^,]{{1,80}}, ){{0,6}}(?!(?:(?:pre|re|un|de|co|"
        rf"auto)-?)?(?:{HARMLESS})\b)[a-z]+(?<!s)(?<!ed)(?<!ing)(?<!ly) (?:the|an?|all|any|"
        rf"every|each|our|your|it|them|him|her|those|these)\b"
    ),
    (
        r"^\W*(?:grant|give|register|mirror|zip|dump|tell|execute|export) (?!(?:users|"
        r"customers|the user)\b)\w|^\W*(?:record|publish)\b[^;]*\b(?:session|recording|"
        r"transcript)"
    ),
)
