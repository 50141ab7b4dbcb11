"""Groups of words, as patterns, from which the patterns of English orders are built."""

import re

# Where an order can begin: at a sentence, at a clause, or after a word that introduces an order.
LEADS = (
    r"(?:^[-*•>#\s\d.)\"'“(]*|[,;:—–]\s*|\b(?:so|then|therefore|hence|thus|and|or|but|must|should|"
    r"shall|can|may|might|always|please|you|just|simply|best|better|safe(?:ly)?|ok|okay|fine|free|"
    r"allowed|need|have|agents?|we|to)\s+(?:to\s+|also\s+|always\s+|just\s+|simply\s+)?)"
)
ASKS = rf"{LEADS}(?<!not )(?<!never )(?<!not to )(?<!never to )"
GUARD = (
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
CHECK = rf"(?:{GUARD}|hooks?\b|testing|input validation)"
WEAKEN = (
    r"(?:skip|omit|disable|bypass|turn off|switch off|comment out|silence|mute|suppress|forgo|"
    r"leave out|circumvent|dispense with|delete|weaken|relax|lower|loosen|work around|get around|"
    r"get past|ignore|disregard|uninstall)"
)
STOP = rf"(?:{WEAKEN}|remove|drop|exclude)"
NOT = (
    r"(?:never|do not|don[’']t|no need to|needn[’']t|must not|should not|shouldn[’']t|(?:do|"
    r"does) not (?:have|need) to|stop|avoid|refrain from)"
)
DO = (
    r"(?:run|execute|start|wait(?:ing)? for|do|use|require|perform|bother with|trigger|ask for|"
    r"request|running|executing|using|asking for|doing)"
)
DROPPED = (
    r"(?:(?:can|may|should|must|will|need(?:s)? to) (?:safely |simply |always )?be (?:skipped|"
    r"omitted|disabled|ignored|disregarded|bypassed|left out|turned off|deleted|dropped|"
    r"overridden)|(?:is|are) (?:not (?:needed|necessary|required|wanted)|unnecessary|needless|"
    r"optional|superfluous|pointless|a waste|advisory|noise|informational|harmless|decorative|"
    r"meaningless|a formality|for show|unwelcome)|(?:do|does|need|must|should)(?:es)?(?: not|"
    r"n[’']t) (?:block|stop|hold up|matter|count))"
)
GO_ON = (
    r"(?:merge|commit|push|ship|release|deploy|land|go ahead|proceed|continue|carry on|move on|"
    r"approve|publish|tag|install)"
)
RED = (
    r"(?:red\b|fail\w*|broken|complain\w*|unreviewed|pending|review|approv\w+|green|check|CI\b|"
    r"tests?\b|gate)"
)
ALTHOUGH = (
    r"(?:even (?:if|when|though|with|while|on)|despite|regardless|although|no matter|in spite of|"
    r"whatever|whether or not|with (?:a )?(?:red|failing|broken)|while)"
)
ADD = (
    r"(?:add|put|use|set|append|mark|insert|silence|annotate|wrap|pass|suppress|cast|make|include|"
    r"install|push|merge|fix|decorate|update|run)"
)
SWITCH = (
    r"(?:#? ?type: ignore|#? ?noqa|nosec|nolint|eslint-disable|@ts-(?:ignore|nocheck)|"
    r"(?:mark\.)?(?:skip|xfail)\b(?!if)|@(?:Ignore|Disabled)\b|\bxit\b|\.skip\b|t\.Skip|"
    r"rubocop:disable|continue-on-error|allow_failure|\|\| true|[\"']?strict[\"']?: false|"
    r"-DskipTests|fail_under|pragma: no cover|\w+leaksignore|\bskip ci\b|HUSKY=0|\bignores\b|"
    r"(?:cast|as|annotate with) (?:to )?any\b|ignore[- ]list|verify ?= ?False|--insecure\b|"
    r"--force\b(?=[^;]{0,2000}(?:protect|get (?:around|past)|instal|$))|--admin\b)"
)
LOOKED_AT = (
    r"(?:fix|repair|look|read|debug|rerun|run|investigate|write|add a|understand|reproduce|"
    r"isolate|list|find|see|check|bisect|name|report|quarantine the cause of)"
)
REPORT = (
    r"(?:summar(?:y|ies)|pull requests?|\bPRs?\b|description|change ?log|release notes|(?:final|"
    r"commit) messages?|answer|reply|reporting back|hand-?offs?|the diff|the reviews?)"
)
STYLE = (
    r"(?:emojis?|ticket|issue|numbers?|ids?|secrets?|tokens?|passwords?|names?|refactor\w*|"
    r"internal|trailing|marketing|jargon|AI|co-author\w*|noise|debug\w*|whitespace|keys?|"
    r"credentials?|personal|PII)"
)
SOMEBODY = (
    r"(?:the )?(?:users?|humans?|owners?|maintainers?|reviewers?|developers?|lead|team|anyone|"
    r"anybody|nobody|no ?one|somebody|someone|they)"
)
SEND = (
    r"(?:paste|post|upload|send|mail|e-?mail|share|attach|publish|forward|submit|copy|put|push|"
    r"dump|drop|report|include|create|open|file|ask|call|print)"
)
OURS = (
    r"(?:config\w*|settings|env\w*|\.env|logs?|diffs?|patch|source|code|repo\w*|files?|"
    r"stack ?traces?|backtraces?|databases?|dumps?|credentials?|keys?|secrets?|data\b|results?|"
    r"output|transcripts?|sessions?|strings|artefacts?|artifacts?|copy|copies|them|it|this|that|"
    r"everything)"
)
ELSEWHERE = (
    r"(?:wikis?|paste ?bins?|gists?|slack|discord|telegram|teams channel|tickets?|"
    r"issues?(?= upstream)|upstream|forums?|stack ?overflow|blogs?|(?:shared|google) (?:drive|"
    r"docs?)|dropbox|(?:S3|storage) ?buckets?|ftp|mailing list|chat ?bots?|chatgpt|webhooks?|"
    r"third[- ]part(?:y|ies)|translation service|public\b(?! api)|vendor portal|support|"
    r"#[a-z][\w-]+|another (?:server|machine|host)|fork)"
)
# Handing over, in any form of the verb, and places of somebody's, by name.
GIVEN = (
    r"(?:send|sent|sends|post|posts|posted|mail|mails|mailed|e-?mail\w*|forward|forwards|forwarded|"
    r"upload|uploads|uploaded|share|shares|shared|paste|pastes|pasted|publish|publishes|published|"
    r"drop|drops|dropped|dump|dumps|dumped|attach|attached|cc|report|reported|submit|submitted|"
    r"relay|relayed|echo|echoed|ship|shipped|hand|handed|mirrored|exported|delivered|announce|"
    r"announced|let|give|given|include|goes|go|summari[sz]ed?|copy|copied|put)"
)
THEIRS = (
    r"(?:(?<![\w&])#[a-z][\w-]+(?: channel)?|pastebin|hastebin|transfer\.sh|telegra\.ph|gmail|"
    r"discord|telegram|whatsapp|dropbox|google (?:drive|docs?|sheets?)|(?:her|his|their|my|"
    r"public|private|personal|guild|partner)(?:[’']s)? (?:\w+ )?(?:channel|bucket|tracker|inbox|"
    r"drive|account|laptop|gist|box|mailbox|discord|server|FTP\w*))\b"
)
REACH = (
    r"(?:run|execute|source|call|start|install|download|fetch|add|set|put|copy|show|print|send|"
    r"paste|use|give|grant|make|let|clean|remove|delete|write|append|open|read|follow|apply|point|"
    r"route|direct|configure|grab|get|pull|clone|take|ping|ask|query|consult|visit|mail|post|"
    r"upload|report|share|mirror)"
)
OUTSIDE = (
    r"(?:~/|\$HOME\b|/etc/|/tmp/|/var/|/dev/(?!null)|/root\b|(?<![\w.])/(?:opt|usr|srv|home|mnt|"
    r"Users)/|\.ssh\b|id_(?:rsa|ed25519)\b|\.env\b|sudoers|\.netrc|\.npmrc|\.git/hooks)"
)
# Common coding verbs, and words that are not verbs.
HARMLESS = "|".join(
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
        " resolve restart resume restore restrict retry return reuse review revert revisit revoke"
        " rewrite rotate round route run sanitize save scale schedule scope search see seed select"
        " send separate serialise serialize serve set share show sign simplify skip sort split"
        " squash stamp start state stop store stream strip structure style subtract summarise"
        " summarize support swap switch sync take test think throttle throw tie tighten touch"
        " trace track translate treat trigger trim truncate try turn type uncheck undo unify"
        " unwrap update upgrade use validate vary verify version wait warn watch widen wire wrap"
        " write yield be been in on at of for to from by with without within under over via per if"
        " when while where until unless since because although though but and or so than then that"
        " which who what how why not no yes both all half only even just also after before between"
        " against during behind beside above below into onto through across around like unlike"
        " instead given once here there it he she we they you i can may might must should will"
        " would shall could did had either neither nor about despite except beyond toward upon"
        " along among out off up down more most less least hence thus therefore meanwhile"
        " otherwise much many such same other whatever whether today now",
    )
)
