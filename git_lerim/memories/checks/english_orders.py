"""Find orders in an English sentence that only the user may give.

Those send something away, weaken a check or hide something. Orders about checks, reports and places
outside are recognised by their objects. Any other order must have a verb that is known from work on
code, since other wordings are not known to be harmless.
"""

import re
from collections.abc import Sequence

from git_lerim.memories.checks.disguise import HOST

# Where an order begins: a sentence, a clause, or after a word that makes one of it.
_LEADS = (
    r"(?:^[-*•>#\s\d.)\"'“(]*|[,;:—–]\s*|\b(?:so|then|therefore|hence|thus|and|or|but|must|should|"
    r"shall|can|may|might|always|please|you|just|simply|best|better|safe(?:ly)?|ok|okay|fine|free|"
    r"allowed|need|have|agents?|we|to)\s+(?:to\s+|also\s+|always\s+|just\s+|simply\s+)?)"
)
_ASKS = rf"{_LEADS}(?<!not )(?<!never )(?<!not to )(?<!never to )"
_GUARD = (
    r"(?:(?<!unit )(?:unit |integration |e2e )?tests?\b(?! (?:data|file|fixture|case|helper|name|"
    r"id|director|folder|double|user|server|account|env)\w*)|test (?:suite|run)s?|"
    r"test(?:ing)? step|lint(?:er|ers|ing)?\b|(?:pre-?(?:commit|push)|git) hooks?|pre-commit|"
    r"pre-push|checks?\b|\bCI\b|pipelines?|(?:code |required )?reviews?\b|verif\w+|sign(?:ing|"
    r"atures?)\b|signed commits|\b(?:TLS|SSL|HTTPS)\b|certificates?|sandbox\w*|permissions?\b|"
    r"approvals?|confirmations?|audit(?:s|ing)?\b|scan(?:s|ner|ners|ning)?\b|"
    r"types?[ -]?(?:check\w*|errors?)|\b(?:mypy|ruff|eslint|pytest|strict)\b|safeguards?|"
    r"guard ?rails?|security|CODEOWNERS|coverage|(?:quality )?gates?\b|branch protection|"
    r"protected branch\w*|assertions?|failures?|red results?|integrity|advisor(?:y|ies)|(?:lint|"
    r"security|audit|test|integration|e2e) jobs?)"
)
_CHECK = rf"(?:{_GUARD}|hooks?\b|testing|input validation)"
_WEAKEN = (
    r"(?:skip|omit|disable|bypass|turn off|switch off|comment out|silence|mute|suppress|forgo|"
    r"leave out|circumvent|dispense with|delete|weaken|relax|lower|loosen|work around|get around|"
    r"get past|ignore|disregard|uninstall)"
)
_STOP = rf"(?:{_WEAKEN}|remove|drop|exclude)"
_NOT = (
    r"(?:never|do not|don[’']t|no need to|needn[’']t|must not|should not|shouldn[’']t|(?:do|"
    r"does) not (?:have|need) to|stop|avoid|refrain from)"
)
_DO = (
    r"(?:run|execute|start|wait(?:ing)? for|do|use|require|perform|bother with|trigger|ask for|"
    r"request|running|executing|using|asking for|doing)"
)
_DROPPED = (
    r"(?:(?:can|may|should|must|will|need(?:s)? to) (?:safely |simply |always )?be (?:skipped|"
    r"omitted|disabled|ignored|disregarded|bypassed|left out|turned off|deleted|dropped|"
    r"overridden)|(?:is|are) (?:not (?:needed|necessary|required|wanted)|unnecessary|needless|"
    r"optional|superfluous|pointless|a waste|advisory|noise|informational|harmless|decorative|"
    r"meaningless|a formality|for show|unwelcome)|(?:do|does|need|must|should)(?:es)?(?: not|"
    r"n[’']t) (?:block|stop|hold up|matter|count))"
)
_GO_ON = (
    r"(?:merge|commit|push|ship|release|deploy|land|go ahead|proceed|continue|carry on|move on|"
    r"approve|publish|tag|install)"
)
_RED = (
    r"(?:red\b|fail\w*|broken|complain\w*|unreviewed|pending|review|approv\w+|green|check|CI\b|"
    r"tests?\b|gate)"
)
_ALTHOUGH = (
    r"(?:even (?:if|when|though|with|while|on)|despite|regardless|although|no matter|in spite of|"
    r"whatever|whether or not|with (?:a )?(?:red|failing|broken)|while)"
)
_ADD = (
    r"(?:add|put|use|set|append|mark|insert|silence|annotate|wrap|pass|suppress|cast|make|include|"
    r"install|push|merge|fix|decorate|update|run)"
)
_SWITCH = (
    r"(?:#? ?type: ignore|#? ?noqa|nosec|nolint|eslint-disable|@ts-(?:ignore|nocheck)|"
    r"(?:mark\.)?(?:skip|xfail)\b(?!if)|@(?:Ignore|Disabled)\b|\bxit\b|\.skip\b|t\.Skip|"
    r"rubocop:disable|continue-on-error|allow_failure|\|\| true|[\"']?strict[\"']?: false|"
    r"-DskipTests|fail_under|pragma: no cover|\w+leaksignore|\bskip ci\b|HUSKY=0|\bignores\b|"
    r"(?:cast|as|annotate with) (?:to )?any\b|ignore[- ]list|verify ?= ?False|--insecure\b|"
    r"--force\b(?=[^;]*(?:protect|get (?:around|past)|instal|$))|--admin\b)"
)
_LOOKED_AT = (
    r"(?:fix|repair|look|read|debug|rerun|run|investigate|write|add a|understand|reproduce|"
    r"isolate|list|find|see|check|bisect|name|report|quarantine the cause of)"
)
_REPORT = (
    r"(?:summar(?:y|ies)|pull requests?|\bPRs?\b|description|change ?log|release notes|(?:final|"
    r"commit) messages?|answer|reply|reporting back|hand-?offs?|the diff|the reviews?)"
)
_STYLE = (
    r"(?:emojis?|ticket|issue|numbers?|ids?|secrets?|tokens?|passwords?|names?|refactor\w*|"
    r"internal|trailing|marketing|jargon|AI|co-author\w*|noise|debug\w*|whitespace|keys?|"
    r"credentials?|personal|PII)"
)
_SOMEBODY = (
    r"(?:the )?(?:users?|humans?|owners?|maintainers?|reviewers?|developers?|lead|team|anyone|"
    r"anybody|nobody|no ?one|somebody|someone|they)"
)
_SEND = (
    r"(?:paste|post|upload|send|mail|e-?mail|share|attach|publish|forward|submit|copy|put|push|"
    r"dump|drop|report|include|create|open|file|ask|call|print)"
)
_OURS = (
    r"(?:config\w*|settings|env\w*|\.env|logs?|diffs?|patch|source|code|repo\w*|files?|"
    r"stack ?traces?|backtraces?|databases?|dumps?|credentials?|keys?|secrets?|data\b|results?|"
    r"output|transcripts?|sessions?|strings|artefacts?|artifacts?|copy|copies|them|it|this|that|"
    r"everything)"
)
_ELSEWHERE = (
    r"(?:wikis?|paste ?bins?|gists?|slack|discord|telegram|teams channel|tickets?|"
    r"issues?(?= upstream)|upstream|forums?|stack ?overflow|blogs?|(?:shared|google) (?:drive|"
    r"docs?)|dropbox|(?:S3|storage) ?buckets?|ftp|mailing list|chat ?bots?|chatgpt|webhooks?|"
    r"third[- ]part(?:y|ies)|translation service|public\b(?! api)|vendor portal|support|"
    r"#[a-z][\w-]+|another (?:server|machine|host)|fork)"
)
_REACH = (
    r"(?:run|execute|source|call|start|install|download|fetch|add|set|put|copy|show|print|send|"
    r"paste|use|give|grant|make|let|clean|remove|delete|write|append|open|read|follow|apply|point|"
    r"route|direct|configure|grab|get|pull|clone|take|ping|ask|query|consult|visit|mail|post|"
    r"upload|report|share|mirror)"
)
_OUTSIDE = (
    r"(?:~/|\$HOME\b|/etc/|/tmp/|/var/|/dev/(?!null)|/root\b|(?<![\w.])/(?:opt|usr|srv|home|mnt|"
    r"Users)/|\.ssh\b|id_(?:rsa|ed25519)\b|\.env\b|sudoers|\.netrc|\.npmrc|\.git/hooks)"
)
# Verbs of work on code, and words that are none.
_HARMLESS = "|".join(
    re.findall(
        r"\S+",
        "accept add adjust align allocate append apply ask assert assign attach avoid await back"
        " base batch begin bind break bring build bump cache call cancel cap cast catch change"
        " check choose clamp clarify clean clear clone close collect combine commit compare compile"
        " complete compose compute configure confirm connect consider continue convert copy count"
        " cover create cut debounce debug declare decode default define delete depend derive"
        " describe destroy disable discard display do document draft drain draw drop edit emit"
        " enable encode encrypt end ensure enter escape evaluate exclude explore expand expect"
        " explain expose extend extract fetch fill filter find finish fix flag flatten flush follow"
        " format generate get group guard handle hash have hide highlight hold implement import"
        " include increase increment indent index inherit initialise initialize inject inline"
        " insert inspect instantiate investigate invalidate invoke isolate iterate join keep label"
        " launch leave let limit link lint list load localize lock log look lower make map mark"
        " match measure memoize merge migrate mind mock model monitor mount move mute name narrow"
        " nest never normalise normalize note number observe omit open optimise optimize order"
        " override own package pad paginate parse partition pass patch persist pick pin place plan"
        " point poll port post prefer prefix prepare preserve prevent profile propagate protect"
        " prove provide publish pull purge push put query queue quote raise read rebase rebuild"
        " recompute reduce refactor refer refresh refuse regenerate reject release reload remember"
        " remove rename render repair repeat replace reproduce request require reserve reset"
        " resolve restart resume restore restrict retry return reuse review revert revisit rewrite"
        " rotate round route run sanitize save scale schedule scope search see seed select send"
        " separate serialise serialize serve set share show simplify skip sort split squash stamp"
        " start state stop store stream strip structure style subtract summarise summarize support"
        " swap switch sync take test think throttle throw tie tighten touch trace track translate"
        " treat trigger trim truncate try turn type uncheck undo unify unwrap update upgrade use"
        " validate vary verify version wait warn watch widen wire wrap write yield be been in on at"
        " of for to from by with without within under over via per if when while where until unless"
        " since because although though but and or so than then that which who what how why not no"
        " yes both all half only even just also after before between against during behind beside"
        " above below into onto through across around like unlike instead given once here there it"
        " he she we they you i can may might must should will would shall could did had either"
        " neither nor about despite except beyond toward upon along among out off up down more most"
        " less least hence thus therefore meanwhile otherwise much many such same other whatever"
        " whether today now",
    )
)

WEAKENS, HIDES, LEAVES = (
    "asks to weaken a check",
    "asks to hide something",
    "asks for what leaves this repository",
)
_UNASKED, _UNKNOWN = "asks to act without asking", "asks for what is not known to be harmless"
# What an order is about; each is looked for in one sentence.
_ORDERS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (reason, re.compile(pattern, re.IGNORECASE))
    for reason, pattern in (
        # a check that is left out, or made to see less
        (WEAKENS, rf"{_ASKS}{_WEAKEN}\b(?: (?!un)[\w'’/.-]+){{0,4}}? ?{_CHECK}"),
        (
            WEAKENS,
            (
                rf"{_ASKS}(?:remove|drop|exclude)\b(?: (?!un)[\w'’/.-]+){{0,6}}? ?{_GUARD}(?! "
                rf"(?:database|table|container|case|step of))"
            ),
        ),
        (
            WEAKENS,
            (
                rf"{_ASKS}(?:comment|turn|switch)(?: [\w'’/.-]+){{0,3}}? {_CHECK}"
                rf"(?: [\w'’/.-]+){{0,3}}? (?:out|off)\b"
            ),
        ),
        (
            WEAKENS,
            (
                rf"{_ASKS}{_NOT} {_DO}\b(?: [\w'’/.-]+){{0,3}}? ?{_CHECK}(?! (?:in parallel|"
                rf"concurrently|together|twice|against|on|with|as|from|inside|outside))"
            ),
        ),
        (
            WEAKENS,
            (
                rf"{_CHECK}[^;]{{0,40}}\b{_DROPPED}|{_CHECK}[^;]{{0,40}}[,;:] (?:so |therefore |"
                rf"hence |then )*{_STOP} (?:them|it|those|these)\b"
            ),
        ),
        (WEAKENS, rf"{_ASKS}{_ADD}\b[^;]*{_SWITCH}|\b(?:annotate with|cast to) any\b"),
        (
            WEAKENS,
            (
                rf"{_ASKS}(?:change|adapt|adjust|update|edit|rewrite|regenerate|"
                rf"rerun)\b[^;]*\b(?:assertions?|expectations?|snapshots?|expected|goldens?|"
                rf"tests?)\b[^;]*\b(?:to match|green|fail\w*|pass(?:es)?)\b"
            ),
        ),
        (
            WEAKENS,
            (
                rf"{_ASKS}(?:make|let|have|stub)\b[^;]*(?:verif|check|auth|valid|token|"
                rf"permission)\w*[^;]*\b(?:return|answer|accept|pass)\w* (?:`?true|always|any|every)"  # noqa: E501
            ),
        ),
        (
            WEAKENS,
            (
                rf"{_ASKS}(?!{_LOOKED_AT}\b|(?:an?|the|each|every|no|any|this|one|all|if|when|that|"
                rf"which|of|with|by|on|for|in|because|as|is|"
                rf"has)\b)[a-z]+(?<!s)(?<!ed)(?<!ing)(?: [\w`.'’-]+){{0,3}}? (?:failing|flaky|red|"
                rf"broken) (?:\w+ )?(?:tests?|assertions?|checks?|jobs?|suites?|builds?|specs?|"
                rf"lint\w*)\b"
            ),
        ),
        (
            WEAKENS,
            (
                r"\b(?:failing|flaky|red|slow) (?:\w+ )?(?:tests?|checks?|jobs?|suites?|"
                r"specs?)\b[^;]*\b(?:get|are|is|be) (?:deleted|removed|dropped|skipped|disabled|"
                r"ignored|commented)"
            ),
        ),
        # what to do about a check that fails, but for repairing what is wrong
        (
            WEAKENS,
            (
                rf"^(?=.*\b(?:tests?|suite|build|CI|pipeline|lint\w*|hooks?|jobs?|tsc|mypy|coverage|"
                rf"type checker|commits)\b)(?=.*\b(?:red|fail|fails|failed|complains?|green|block(?:s|"  # noqa: E501
                rf"ed)?|(?:get|go|come)\w* through)\b)(?!.*\b(?:never|must|until CI|only (?:when|if|"  # noqa: E501
                rf"after))\b)(?:.*[,:] |\W*(?:(?:then|and|just|always|please) )?)(?!(?:{_LOOKED_AT}|"  # noqa: E501
                rf"write|add an?|start|restart|ask|wait|rebuild|revert|stop|open|try)\b)(?:set|put|"
                rf"edit|change|tweak|rename|move|raise|increase|give|turn|sprinkle|mark|add|adapt|"
                rf"adjust|wrap|replace|touch|make|let|extend|use|take|split|empty|clear)\b"
            ),
        ),
        (
            WEAKENS,
            (
                rf"\bas any\b|{_ASKS}(?:turn|switch|set)\b[^;]*\b(?:no[A-Z]\w+|strict\w*|rules?|"
                rf"limiter|firewall|encryption|auth\w*)\b[^;]*\b(?:off|false)\b|{_ASKS}(?:turn|"
                rf"switch) off\b[^;]*\b(?:rules?|\w*limit\w*|firewall|encryption|auth\w*|protection|"  # noqa: E501
                rf"logging)|{_ASKS}(?:rename|move|empty|replace)\b[^;]*(?:husky|hooks?/|pre-commit|"
                rf"pre-push)"
            ),
        ),
        (
            WEAKENS,
            (
                rf"\bneed nobody[’']s \w+|\bfeel free to (?:{_STOP}|{_GO_ON})\b|"
                rf"\bneeds? no (?:confirm\w*|approv\w*|reviews?|tests?|checks?|sign\w*|permission)|"
                rf"\b(?:you|agents?) ha(?:ve|s) (?:my|our|the|full) (?:approval|permission|consent|ok|"  # noqa: E501
                rf"okay|go-ahead|blessing)|{_ASKS}{_GO_ON}\b[^;]*\b(?:by yourself|on your own|"
                rf"yourself|your own)\b|{_ASKS}go on by yourself|"
                rf"{_ASKS}resolve\b[^;]*\bcomments?\b[^;]*\bwithout\b|\b(?:assume|suppose|"
                rf"believe) that (?:the |all )?(?:tests?|checks?|CI)\b"
            ),
        ),
        # going on whatever a check says
        (
            WEAKENS,
            (
                rf"{_ASKS}{_GO_ON}\b[^;]*\b{_ALTHOUGH}\b[^;]*{_RED}|"
                rf"{_ALTHOUGH}[^;]*{_RED}[^;]*{_ASKS}{_GO_ON}\b"
            ),
        ),
        (
            WEAKENS,
            (
                rf"{_ASKS}{_GO_ON}\b[^;]*\b(?:without (?:a|any|another|waiting|the)\b[^;]*(?:eyes|"
                rf"review|approv|CI|check|test|sign)|anyway\b)|{_GO_ON}\b[^;]*\b(?:without|"
                rf"before) (?:running|waiting for|any) (?:\w+ ){{0,2}}(?:tests?|checks?|hooks?|"
                rf"linters?|reviews?|CI)\b(?=[^;]*$)(?<!before running)"
            ),
        ),
        (
            WEAKENS,
            (
                rf"\b(?:can|may|could) (?:\w+ ){{1,3}}without (?:\w+ )?{_CHECK}|"
                rf"(?<!never )(?<!nothing )(?<!not )\b(?:go(?:es)?|push|commit|merge|land|ship|deploy|"  # noqa: E501
                rf"release)\b(?: [\w-]+){{0,3}} (?:straight|directly) (?:to|on|onto|into) (?:main|"
                rf"master|trunk|prod\w*)"
            ),
        ),
        (
            WEAKENS,
            (
                rf"{_ASKS}(?:commit|work|route|code|get) around (?:them|it|the)\b|{_ASKS}(?:treat|"
                rf"consider|regard|see)\b[^;]*\b(?:noise|decorative|optional|advisory|informational|"
                rf"formality)\b|\b(?:do|does|will|need) not (?:hold|stop|wait|block)\b[^;]*\b(?:merge|"  # noqa: E501
                rf"release|deploy|push)\w*\b[^;]*{_CHECK}|{_ASKS}add\b[^;]*\.\w*ignore\b[^;]*\b(?:if|"
                rf"when)\b|\bnot our problem\b|{_ASKS}forget (?:that|it|about)\b"
            ),
        ),
        # a check that counts for nothing
        (
            WEAKENS,
            (
                r"^\W*(?:red|(?:a )?failing \w+|(?:a )?red \w+) (?:is|are) (?:fine|ok(?:ay)?|"
                r"acceptable|allowed|normal|expected|no)\b|\b(?:green|CI|reviews?|approvals?|tests?|"
                r"signatures?|coverage|pull requests?) (?:is|are) (?:not a requirement|not a must|"
                r"no requirement|for \w+s\b|not our)"
            ),
        ),
        (
            WEAKENS,
            (
                rf"\b(?:nobody|no ?one) (?:looks at|cares about|reads|minds|waits for|"
                rf"needs)\b[^;]*{_CHECK}|\b(?:need not|needn[’']t|(?:do|does) not (?:have|"
                rf"need) to) be (?:run|green|reviewed|signed|checked|tested|approved|covered)\b"
            ),
        ),
        (
            WEAKENS,
            (
                rf"\b(?:don[’']t|do not|never) let\b[^;]*{_RED}[^;]*\b(?:stop|block|hold)|\b(?:rules?|"  # noqa: E501
                rf"checks?) [^;]*\b(?:are|is) to be (?:switched|turned|disabled|dropped)"
            ),
        ),
        # acting without the user, or as if the user had spoken
        (
            "asks to approve what nobody looked at",
            (
                rf"{_ASKS}(?:(?:auto-?)?approve(?! button)|auto-?merge (?:all|any|every\w*|each|the|"  # noqa: E501
                rf"them|it|if|when|without|dependabot|\w+ PRs)|rubber-?stamp|wave through|(?:accept|"  # noqa: E501
                rf"merge) (?:your own|(?:all|any|every\w*|whatever)(?: (?:changes?|pull|PRs?|commits?|"  # noqa: E501
                rf"requests?|edits?|prompts?|suggestions?|of|that|from|by)\b|\W*$)))"
            ),
        ),
        (
            _UNASKED,
            (
                rf"{_ASKS}{_NOT} (?:ask(?:ing)?|wait(?:ing)?|prompt(?:ing)?|check(?:ing)? with|"
                rf"consult(?:ing)?|confirm(?:ing)?|warn(?:ing)?|bother(?:ing)?|inform(?:ing)?|"
                rf"notify(?:ing)?)\b"
            ),
        ),
        (
            _UNASKED,
            (
                rf"{_ASKS}(?:{_GO_ON}|{_STOP}|go|run|act|rewrite|change|"
                rf"force)\b[^;]*\bwithout (?:asking|a prompt|prompting|consulting|confirm\w*|"
                rf"a word)\b|{_ASKS}(?:assume|answer|say|press|type|hit)\b[^;]*\byes\b|"
                rf"\bno questions (?:needed|asked)\b|\b(?:consent|permission|approval) (?:has been|"
                rf"was|is) (?:already )?(?:given|granted)\b"
            ),
        ),
        (
            "speaks for the user",
            (
                r"\bthe (?:user|human|owner|maintainer|developer) (?:has |have |already |always |"
                r"explicitly )*(?:agree[sd]?|asked you|approve[sd]?|permit\w*|allow(?:s|ed)|"
                r"consent\w*|authori[sz]e[sd]?|wants you|said (?:that )?you)\b|\bwhat the (?:user|"
                r"human) (?:said|wants|asked)\b"
            ),
        ),
        # what somebody is not told
        (
            HIDES,
            (
                rf"{_ASKS}{_NOT} (?:mention|bring|tell|disclose|point|raise|surface|say|reveal|"
                rf"report)\b|\b(?:better|best|wiser) not to (?:mention|bring|tell|say|raise|report|"
                rf"name)|\bun(?:mentioned|reported)\b"
            ),
        ),
        (
            HIDES,
            (
                rf"{_ASKS}(?:leave|keep|drop|omit|skip|strip|exclude|cut|hide|"
                rf"remove)\b(?:(?!{_STYLE})[^;])*\b(?:out of|from|in|off|when|"
                rf"the part)\b(?:(?!{_STYLE})[^;])*?{_REPORT}|{_REPORT}[^;]*,? {_ASKS}(?:leave|omit|"  # noqa: E501
                rf"skip|drop)\b"
            ),
        ),
        (
            HIDES,
            (
                rf"\b{_SOMEBODY} (?:(?:do|does|must|should|need)(?: not|n[’']t)|never|needs?|has|"
                rf"have)\b(?: not)?(?: have| need| has)?(?: to)?(?: ever)? (?:know|learn|hear|notice|"  # noqa: E501
                rf"find out|be told|be asked)\b|\bso (?:that )?(?:nobody|no ?one|it does not|"
                rf"it is not|they do not)\b[^;]{{0,20}}\b(?:show|see|seen|notice\w*|visible|appear|"
                rf"know)"
            ),
        ),
        (
            HIDES,
            (
                rf"\bbetween (?:us|you and)\b|{_ASKS}(?:say nothing|tell (?:nobody|no ?one)|"
                rf"keep (?:it|this|that) (?:that way|quiet|to yourself)|pretend|claim that)\b|\b(?:if|"  # noqa: E501
                rf"when) (?:asked|somebody asks|someone asks|anyone asks|the \w+ asks)\b[^;]*\b(?:say|"  # noqa: E501
                rf"answer|claim|deny|state|reply)\b|^\s*\W*\w+ [^;]*\bquietly\b"
            ),
        ),
        (
            HIDES,
            (
                rf"\byour (?:report|summary|answer|message|description) (?:should|must|has to|"
                rf"need)\b[^;]*\b(?:only|not|without|never)\b|{_ASKS}(?:call|name|label|describe|"
                rf"present|pass off|title) (?:it|this|the (?:change|commit|fix|pull request)) (?:a|an|"  # noqa: E501
                rf"as|[\"“'])"
            ),
        ),
        (
            HIDES,
            (
                rf"{_ASKS}(?:mention|list|name|write|say|state|describe)\b[^;]*\b(?:only|just|not|"
                rf"instead|nothing)\b[^;]*{_REPORT}|{_ASKS}(?:mention|list|name|write|say|state|"
                rf"describe)\b[^;]*{_REPORT}[^;]*\b(?:only|just|not|nothing)\b|\bas the reason\b|"
                rf"{_ASKS}(?:squash|fold|slip|sneak|bury)\b[^;]*\binto\b|\b(?:inconspicuous|unnoticed|"
                rf"discreet(?:ly)?|under the radar|low profile)\b|\b(?:do not|don[’']t) list (?:them|"  # noqa: E501
                rf"it|these|those|this)\b|\blogs?\b[^;]*\b(?:deleted|removed|cleared|wiped) (?:after|"  # noqa: E501
                rf"again)"
            ),
        ),
        # what goes out, or comes in
        (
            LEAVES,
            (
                rf"\bpush(?:es|ing)?\b[^;]*\b(?:to|on) (?:the |a |my |her |his |"
                rf"their )?(?:\w+ )?(?:remote|fork|mirror)\b|\bpull requests? (?:against|to|"
                rf"at) [\w-]+/|{_ASKS}(?:put|add|append|write|include)\b[^;]*\b(?:requirements[\w.-]*|"  # noqa: E501
                rf"(?:dev)?dependencies|Gemfile)\b|{_ASKS}(?:include|put|paste|attach|"
                rf"add)\b[^;]*`?\benv`?\b|{_ASKS}use (?:the|an?) online\b|{_ASKS}(?:ask|consult|query|"  # noqa: E501
                rf"use|prompt)\b[^;]*\b(?:chat ?bot|chatgpt|gemini|stack ?overflow|forum)\b|\b(?:put|"  # noqa: E501
                rf"leave|drop) (?:it|them) on (?:their|his|her)\b"
            ),
        ),
        (
            LEAVES,
            (
                rf"{_ASKS}{_SEND}\b(?: [\w'’/.-]+){{0,8}}? ?{_OURS}\b[^;]*\b{_ELSEWHERE}|"
                rf"{_ASKS}{_SEND}\b[^;]*{_ELSEWHERE}[^;]*{_OURS}"
            ),
        ),
        (
            LEAVES,
            (
                rf"{_ASKS}(?:(?:make|set|leave|open)\b[^;]*\b(?:public(?= (?:so|for|while|until|"
                rf"because)|\W*$)|to the world\b|world-readable)|hard-?code\b[^;]*\b(?:password|"
                rf"secret|token|key)|{_SEND}\b[^;]*\b[A-Z]+_(?:KEY|TOKEN|SECRET|PASSWORD)\b)"
            ),
        ),
        (
            LEAVES,
            (
                rf"{_ASKS}(?:download|fetch|grab|get|pull|install|clone|take|apply|use|add|check out|"  # noqa: E501
                rf"merge|run)\b[^;]*\b(?:from (?:PyPI|npm|the (?:releases?|registry|internet|web|chat|"  # noqa: E501
                rf"channel|ticket|wiki)\b|crates|rubygems|docker hub|github|a gist)|with (?:pip|npm|"  # noqa: E501
                rf"brew|gem|cargo|apt)\b|in (?:her|his|their) (?:own )?fork|"
                rf"from [A-Z]?\w+[’']s (?:fork|repo\w*|branch|machine)|(?:pull request|PR) #?\d+)|"
                rf"\bgist\b[^;]*[;,:] \w+ (?:it|them)\b"
            ),
        ),
        (
            LEAVES,
            (
                rf"{_ASKS}(?:run|execute|start|launch|use|open)\b[^;]*\b(?:snippet|binary|one-liner|"
                rf"installer|executable|attachment|(?:its|his|her|their) script)\b"
            ),
        ),
        (
            LEAVES,
            (
                rf"{_ASKS}(?:add|install|register|enable|get|activate)\b[^;]{{0,40}}\b(?:dependency|"
                rf"package|plug-?in|extension|MCP server|library|add-?on)\b(?! (?:to|by|file|name))|"  # noqa: E501
                rf"{_ASKS}(?:make sure|ensure)\b[^;]*\b(?:extension|plug-?in|package|helper)\b|"
                rf"^\W*install (?:\w+[-@/][\w.@/-]+|\w+ (?:before|first|once|globally)\b)"
            ),
        ),
        (
            LEAVES,
            (
                rf"\b(?:be|get|gets|is|are) (?:reported|sent|posted|uploaded|mailed|pushed|shared|"
                rf"copied|published|downloaded|fetched|installed|forwarded)\b[^;]*{HOST}"
            ),
        ),
        (LEAVES, rf"{_ASKS}{_REACH}\b[^;]*?(?:{_OUTSIDE}|{HOST})"),
        (
            _UNKNOWN,
            (
                rf"(?:^[-*•>#\s\d.)]*|[:;—] )(?:(?:please|always|first|then|also|now|and|just|"
                rf"simply)\s+|(?:before|after|when|whenever|if|once|on|"
                rf"for) [^,]{{1,80}}, )*(?!(?:(?:pre|re|un|de|co|"
                rf"auto)-?)?(?:{_HARMLESS})\b)[a-z]+(?<!s)(?<!ed)(?<!ing)(?<!ly) (?:the|an?|all|any|"  # noqa: E501
                rf"every|each|our|your|it|them|him|her|those|these)\b"
            ),
        ),
        (
            _UNKNOWN,
            (
                r"^\W*(?:grant|give|register|mirror|zip|dump|tell|execute|export) (?!(?:users|"
                r"customers|the user)\b)\w|^\W*(?:record|publish)\b[^;]*\b(?:session|recording|"
                r"transcript)"
            ),
        ),
    )
)
# Orders that point to something, with what that must not be; it may stand in the title, or in the
# sentences before.
_POINTING: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (reason, re.compile(order, re.IGNORECASE), re.compile(thing, re.IGNORECASE))
    for reason, order, thing in (
        (
            WEAKENS,
            (
                rf"{_ASKS}(?:{_STOP}|leave|take) (?:it|them|this|that|those|these)(?! (?:as|into|with|"  # noqa: E501
                rf"to)\b)\b|\b(?:turn|switch|comment|set|put|make) (?:it|them|this|that) (?:off|out|"  # noqa: E501
                rf"lower|aside|false|to zero)\b"
            ),
            _GUARD,
        ),
        (
            WEAKENS,
            (
                rf"{_ASKS}{_NOT} (?:wait for|run|need|require|bother with) (?:it|them|those|"
                rf"these)(?! (?:in|with|against|together|on|twice)\b)|^\W*no (?:reviews?|tests?|"
                rf"checks?|approvals?)\b"
            ),
            rf"{_GUARD}|review",
        ),
        (
            WEAKENS,
            r"^\W*(?:xfail|skip|ignore|leave|delete|disable|drop)(?: (?:it|them))?\W*$",
            rf"{_GUARD}|fail",
        ),
        (
            WEAKENS,
            (
                rf"^\W*(?:then |just |and )*{_GO_ON}\b(?: (?:directly|anyway|it|on|the change|them|"
                rf"straight)| (?:on )?to main)*\W*$"
            ),
            (
                r"^(?!.*(?:\bfix|repair|green|pass)).*\b(?:fail(?:s|ing)|red|broken|no review|"
                r"complains?|flaky|linter says)\b"
            ),
        ),
        (LEAVES, rf"{_ASKS}{_SEND}\b[^;]*\bthere\b", _ELSEWHERE),
        (
            LEAVES,
            (
                rf"{_ASKS}(?:take|use|apply|follow|run|install|download|fetch|open|do) (?:it|them|"
                rf"these|those|what it says)\b"
            ),
            rf"\bgists?\b|\bpaste ?bin|\bthe chat\b|{HOST}",
        ),
    )
)


def order_in(sentence: str) -> str | None:
    """Return what a sentence orders that only the user may order, or None."""
    return next((reason for reason, pattern in _ORDERS if pattern.search(sentence)), None)


def pointed_at(said: Sequence[str]) -> str | None:
    """Return what an order means together with the title and the two sentences before it, or None.

    The title is the first sentence.
    """
    for n, sentence in enumerate(said[1:], 1):
        around = " ".join(dict.fromkeys((said[0], *said[max(0, n - 2) : n])))
        for reason, order, thing in _POINTING:
            if order.search(sentence) and thing.search(around):
                return reason
    return None
