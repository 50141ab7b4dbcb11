"""Patterns of standing wishes in English."""

from git_lerim.extraction.wishes.patterns import Language, any_of

_PLEASE = (
    r"(?:(?:please|pls|plz|and|also|but|so|btw|ok|okay|oh|one more thing|note|important|reminder|"
    r"fyi)[,:]?\s+){0,3}"
)
_PAST = (
    r"(?:the|a|an|my|got|had|was|were|saw|did|knew|thought|liked|understood|seen|been|heard|nice|"
    r"good|fun|great|mind|again|say|happened|worked|failed|tried|used|managed|ever|really|could|"
    r"would|that|this|works?|fails?|crash\w*|\w+ed)"
)
_VERB = r"(?!(?:the|a|an|i|we|you|it|this|that|there|what|why|how|is|are|was|not|no)\b)[a-z]+"
_NOT_NOW = (
    r"(?! (?:it|this|that|them|these|those|yet|anything|worry|know|think|see|understand|get|need|"
    r"have|want|care)\b)"
)
_PLACE = (
    r"(?:repo|repository|project|code ?base|team|package|monorepo|crate|module|app|company|shop|"
    r"house)"
)
_EVERY = r"(?:every|each|all|any)"
_GENERAL = (
    rf"(?:always|never|every(?: single)? time|each time|everywhere|nowhere else|in general|"
    rf"wherever|whenever|(?:in|on|for) {_EVERY}\b|before (?:each|every|any)|after (?:each|every|"
    rf"any)|at all times|no exceptions?|where(?:ver)? possible|by default|as a rule|at all\b)"
)
# what rules of a repository are about
_WORK = (
    r"(?:(?:tests?|specs?|fixtures?|mocks?|commits?|messages?|pull requests?|prs?|branch(?:es)?|"
    r"releases?|migrations?|endpoints?|routes?|handlers?|functions?|methods?|class(?:es)?|modules?|"
    r"components?|hooks?|files?|folders?|names?|imports?|exports?|comments?|docs?|docstrings?|"
    r"errors?|exceptions?|logs?|configs?|settings?|scripts?|quer(?:y|ies)|types?|interfaces?|"
    r"dependenc(?:y|ies)|packages?|strings?|texts?|variables?|constants?|keywords?|models?|"
    r"schemas?|tables?|columns?|ids?|dates?|timestamps?|changes?|features?|"
    r"bug ?fix(?:es)?|styles?|lines?|line length|indentation|headers?|secrets?|credentials?|"
    r"flags?|env(?:ironment)? "
    r"var(?:iable)?s?|todos?|dto(?:s)?|code|spelling|formatting|snapshots?|workflows?|jobs?))"
)
_KIND_OF = r"(?!(?:the|this|that|these|those|my|your)\b)(?:[\w.`-]+ ){0,3}"
_NORM = (
    r"(?:stays?|lives?|goe?s?|belongs?|needs?|requires?|(?:must|should)(?: not|n[’']t)?|"
    r"(?:may|can|do|does)(?: not|n[’']t)|cannot|ha(?:s|ve) to|gets?)"
)
_STATES = (
    r"\b(?:is|are|has to|have to|must|goes?|lives?|uses?|needs?|stays?|follows?|pass(?:es)?)\b"
)
_EVENT = r"(?:commit|push|pr|pull request|merge|release|deploy(?:ment)?|migration)"
# how a report says that something is wrong, or what is going on
_FAULT = (
    r"\b(?:broken|fail(?:s|ed|ing|ures?)?|missing|wrong|slow|flaky|red|green|done|ready|weird|odd|"
    r"empty|stuck|passing|running|crash\w*|hang(?:s|ing)?|merged|fixed|fixing|open|closed|gone|"
    r"down|great|nice|good|fine|bugs?|errors? out|confus\w+|still|already|now|seems?|"
    r"looks?|since the|a mess|duplicated?|unclear|looking|some)\b"
)

ENGLISH = Language(
    explicit=any_of(
        r"\b(?:from now on|going forward|from here on(?: out)?|henceforth|in (?:the )?future)\b",
        rf"(?:^{_PLEASE}|[,;:.]\s*|\band |\bbut )(?:please\s+)?(?:always|"
        rf"never)\s+(?!{_PAST}\b){_VERB}",
        rf"^{_PLEASE}(?:do not|don[’']?t|dont) (?:you )?ever\s+{_VERB}",
        r"\b(?:should|must|shall|has to|have to|needs? to|ought to|may|can|will|do(?:es)?)(?: not|"
        r"n[’']t)?\s+(?:always|never|ever)\b|\b(?:always|never)\s+(?:should|must|has to|have to|"
        r"needs? to|go|goes|belongs?|contains?|gets?|starts?|ends?|lives?|is|are|has|have|use|"
        r"uses)\b(?!.*\bwhy\b)",
        r"\b(?:is|are) (?:always|never)\b(?! (?:the same|a pain|fun|nice|good|late|slow|right|"
        r"wrong|there))",
        rf"^{_PLEASE}(?:remember|keep in mind|don[’']t forget|bear in mind)(?: for (?:later|"
        rf"next time|the future))?(?:,|:)?\s+\w+",
        r"\bkeep (?:that|this) in mind\b",
        r"^i (?:much |strongly |really |would |generally |usually |always )*prefer\b|"
        r"^i[’']?d (?:much )?rather\b|^i[’']?m not a (?:big )?fan of\b|^let[’']s agree\b",
        rf"^i(?:[’']d| would)? (?:really |always |only |generally )*(?:like|love|want|expect|"
        rf"need)\b.{{3,}}\b{_GENERAL}",
        rf"^i(?:[’']d| would)? (?:really )?(?:like|want|expect|need) {_EVERY}\b",
        r"^i (?:really )?(?:hate|dislike|don[’']t like|do not like|can[’']t stand|never want|"
        r"don[’']t (?:ever )?want)\b(?! (?:it|this|that|the idea)\b)",
        rf"^(?:here,? |in this {_PLACE},? )?we (?:always|never|only|don[’']?t|"
        rf"do not)\s+(?:ever\s+)?{_VERB}{_NOT_NOW}",
        rf"^(?:in|for|throughout|inside) (?:this|our|the) {_PLACE}\b.{{3,}}",
        rf"^{_PLEASE}(?:stop|quit|no more)\s+\w+ing\b(?! (?:it|this|that|here|the (?:server|run|"
        rf"job|test)\b))",
        rf"^(?:can|could|would|will) you (?:please )?(?:always|never|stop \w+ing)\b|"
        rf"^it would be (?:nice|good|great) if you .*\b{_GENERAL}",
        rf"^{_PLEASE}(?:make sure|ensure|see to it)\b.{{3,}}\b{_GENERAL}|^{_PLEASE}(?:make sure|"
        rf"ensure)(?: that)? {_EVERY}\b",
        r"\b(?:always|never|without (?:exception|exeption)|as a rule|no exceptions?|at all times|"
        r"every single|each and every)\b(?=.*,|[.!]?$)",
        rf"^{_PLEASE}use [\w@/.+-]+$",
        r"\bunless i (?:say|tell you|ask)\b",
        r"^(?:our|the) (?:convention|rule|policy|standard|style|norm)s? (?:here )?(?:is|are)\b",
        rf"^{_PLEASE}(?:run only|only run)\b.*\byou (?:change|touch|edit)",
        rf"^{_PLEASE}{_VERB}\b.{{2,}}\b(?:before|after) (?:each|every) {_EVENT}\b",
        rf"^{_PLEASE}(?:before|after|on|with) (?:each|every) {_EVENT}\b,? (?:please |also |then |"
        rf"always |you (?:must|should) )*{_VERB}",
        rf"^{_PLEASE}(?:run|use) .{{1,60}} (?:instead of|rather than) .{{1,60}}?,? "
        r"(?:because|since) (?!i\b|we\b|you\b)",
    ),
    general=any_of(
        rf"\bin (?:this|our) {_PLACE}$",
        rf"^{_PLEASE}(?:do not|don[’']?t|dont)\s+{_VERB}{_NOT_NOW}",
        rf"^{_PLEASE}(?:avoid|prefer|favou?r|stick (?:to|with)|default to)\s+\w+",
        r"^(?:here,? )?we (?:use|write|keep|name|put|run|test|format|follow|stick to|require|call|"
        r"commit|squash|rebase|merge|pin|document|target|support|avoid|log|work|sign|"
        r"prefix)\b.{3,}\b(?:nowhere else|everywhere|not|no|instead of|rather than|here|(?:for|in|"
        r"on) (?:all|every|each|any))\b",
        rf"^(?:for )?{_EVERY}\b(?: (?:new|single|our|"
        rf"of our))?\s[^,]{{2,60}}?,?\s(?:there (?:has to|must|should|needs to)|must|should|shall|"
        rf"needs?|requires?|has to|have to|has|have|(?:is|are|may|can) (?:only|not)?|gets?|goes?|"
        rf"belongs?)\b",
        rf"^{_PLEASE}(?:when(?:ever)?|if|before|after|once|each time|every time) (?:you|we|an?|"
        rf"the|someone|adding|writing|changing|creating|editing|renaming|fixing|"
        rf"committing)\b[^,]{{2,80}},\s*(?:please |also |then |its? |the |you (?:must|should|"
        rf"need to) |do not |don[’']?t )*{_VERB}",
        rf"^{_PLEASE}(?:[\w+#./-]{{1,20}}: )?no (?:more )?(?!(?:worries|problem|idea|need|"
        rf"thanks|longer|wait|just|that|this|it|we|i|not|change|changes|rush|hurry)\b)"
        rf"[\w -]{{3,40}}?\b(?:in|on|for|inside|within|outside|anywhere|at all|please|"
        r"ever|without|unless|per)\b",
        rf"^{_PLEASE}(?:let[’']s )?keep\s.{{3,}}\b(?:under|below|short|small|simple|consistent|"
        rf"in sync|sorted|free of|separate|up to date|alphabetical|out of|flat|minimal|private|"
        rf"ordered|in (?:english|order))\b",
        r"^let[’']s (?:avoid|stick (?:to|with)|only|not ever|prefer)\b(?! (?:it|this|that|going|"
        r"moving|looking|in mind)\b)",
        rf"^{_PLEASE}(?:only )?use\s+(?!(?:it|this|that|the (?:following|attached|above|first|"
        rf"second|same))\b).{{1,60}}?(?:\bhere\b|\beverywhere\b|,? (?:and )?(?:not|never)\b|"
        rf"\binstead of\b|\brather than\b|\bfor (?:all|every|each|any)\b|\bin (?:all|every)\b|"
        rf",? no \w+)",
        rf"^{_PLEASE}(?:for|in) [\w ]{{2,30}},? (?:always |please )?(?:use|write|prefer|no|keep)\b",
        rf"^{_PLEASE}(?:name|call|write|sort|put|order|group|format|indent|quote|log|return|pass|"
        rf"wrap|import|document|tag|sign|prefix|store|measure|spell|start|"
        rf"end)\s.{{3,}}\b(?:rather than|instead of|not|in all|for all|with a|by \w+|below|"
        rf"under)\b",
        r"^[\w/`.+#-]+(?: [\w/`.+#-]+){0,5}? only\b(?!.*\?)|\bonly (?:via|with|in|from|through|"
        r"after|for|when|if|on|by)\b.*,? (?:no|not|never)\b|^only \w+",
        r"^(?:\w+ ){1,4}(?:on|in|for) (?:all|every|each) \w+|^(?:one|an?|at most \w+|"
        r"max(?:imum)? \w+) (?:\w+ ){1,3}per \w+|^(?:british|american|us|uk) (?:spelling|"
        r"english)\b",
        r"^(?:our |the |public |private |all |new |generated )?(?:[\w-]+ ){0,3}?\w+(?:s|e|a|code|"
        r"ui|sql|api|logic|work)(?: in the ui| in the \w+| once \w+)? (?:(?:is|are|has|have|may|"
        r"must|can|should|need|needs|require|requires|go|goes|belong|belongs|start|starts|end|"
        r"ends|live|lives|begin|begins|come|comes|follow|follows|use|uses|carry|"
        r"take)(?:n[’']t)?)\b(?!.*\b(?:broken|failing|failed|missing|green|red|slow|done|ready|"
        r"wrong|weird|great|nice|cool|back|down|passing|running|merged|fixed|open|closed|empty|"
        r"working)\b)(?=.*\b(?:not|no|only|never|always|must|may|need|needs|require|requires|"
        r"forbidden|allowed|frozen|off[- ]limits|imperative|lower ?case|upper ?case|snake|camel|"
        r"kebab|starts?|begins?|ends?|stored|named|called|written|tagged|signed|sorted|shown|"
        r"formatted|prefixed|in utc|in english|mandatory|required|last resort|shared with|max|"
        r"at (?:least|most)|belongs?|go(?:es)? (?:in|into|to|below|under|next)|with the|from the|"
        r"per \w+|singular|plural|private|rather than|instead of)\b)",
        r"^you (?:can|may|should|must|have to|need to) (?:assume|expect|rely|count)\b|"
        r"^just so you know\b|^(?:it[’']s|it is) (?:fine|ok|okay|not ok|forbidden) to\b.*\b(?:but|"
        r"only|nowhere|never|not)\b|^don[’']t bother with\b|^mocks? are\b",
        rf"^{_PLEASE}(?!(?:use|add|make|ensure|i|we|you|the|it|this|"
        rf"that)\b)[a-z]+\b.{{3,}}\b(?:every time|each time|before (?:each|every) \w+|"
        rf"after (?:each|every) \w+|in every \w+|for every (?:new )?\w+|whenever)\b",
        rf"^{_PLEASE}(?:ask|tell|warn|ping|consult|check with)(?: me| us)?(?: first)? (?:before|"
        r"when|if) (?:you )?(?:delet|remov|add|chang|touch|edit|renam|creat|install|upgrad|bump|"
        r"push|merg|deploy|break|run|us|commit|introduc)\w* (?:an? |any |new |\w+s\b)",
        r"^(?:our |the |all |new |generated )?(?:[\w-]+ ){0,3}?[\w-]+s (?:must|have to|need to) "
        r"(?:follow|use|pass|match|stay|go|live|contain|include|carry|have|return|come|keep|"
        r"respect|conform|support|run|work|target|mention|reference|state|say)\b(?! (?:been|to)\b)",
        r"\b(?:is|are)(?: not|n[’']t)? (?:frozen|off[- ]limits|read-?only|forbidden|mandatory|"
        r"banned|to be)\b",
        rf"^{_KIND_OF}{_WORK}(?: \w+){{0,2}}? {_NORM} (?!{_FAULT}|been\b|\w+ing\b)",
        rf"^{_KIND_OF}{_WORK} (?:is|are)(?:n[’']t| not|) (?:\w+ed|written|kept) (?:by hand|"
        r"manually|automatically|with|by|in|via|through)\b",
        rf"^(?!.*{_FAULT})[^?]{{4,}}\b(?:here|in (?:this|our) {_PLACE})\b(?=.*{_STATES})",
        rf"^(?!.*{_FAULT})[^?]{{4,}}{_STATES}.*\b(?:here|in (?:this|our) {_PLACE})\b",
        rf"^{_PLEASE}(?:only )?use (?!(?:it|this|that|the|a|an|my|your)\b).{{1,60}} "
        rf"(?:in|for|with) (?:(?!the\b)[\w-]+ ){{0,3}}{_WORK}$",
        r"^(?:anything|everything|whatever|whoever) (?:that |which |you )?.{3,}\b(?:needs?|must|"
        r"goes|has to|requires?|gets?)\b",
        r"^[\w` -]{3,40} in (?:upper ?case|lower ?case|snake[_ ]?case|camel ?case|pascal ?case|"
        r"kebab[- ]?case|english|utc|(?:the )?(?:imperative|present|active voice))\b",
        r"^[\w` .-]{3,40}, not [\w` .-]{3,40}$|^[\w -]{3,40} first(?:[;,]|$)",
        r"^(?:less|fewer|more) [\w -]+, (?:more|less|fewer) ",
        r"^(?:for|with) (?:anything|everything|any|all)\b.{3,}\b(?:i (?:want|expect|need)|"
        r"i[’']d like|please|we) \w+",
        rf"^{_PLEASE}(?:prefix|suffix|name|tag|sign|label|format|sort|indent|spell|capitali[sz]e) "
        rf"(?!(?:the|this|that|it|these|those|a|an)\b).{{4,}}",
        rf"^{_PLEASE}(?:put|write|keep|store|place|declare|define|wrap|mark|group|commit|squash) "
        rf"(?:(?!(?:the|this|that|a|an|my|your)\b)[\w-]+ ){{0,2}}{_WORK} (?:in|with|as|without|by|"
        r"using|under|below|next to|behind|separate\w*|short|small)\b",
        r"^i like (?:my|our|all)\b|^feel free to\b.*\bbut\b",
        r"\b(?:has|have) no (?:place|business) in\b|\bdo(?:es)?(?: not|n[’']t) belong in\b",
        rf"^{_PLEASE}(?:for|with|in) (?:new|all|any|every|each) [\w -]{{2,40}},? (?:also |always |"
        rf"please )*{_VERB}",
        r"^you (?:can|may) .{3,}\bbut\b",
        rf"^{_PLEASE}be (?:honest|concise|brief|explicit|consistent|terse|direct|strict)\b",
        r"^i like\b.*\b(?:avoid|not|no|never|over|more than|better than)\b",
        rf"^{_PLEASE}(?:(?:only|just)|only) (?:commit|push|merge|deploy|release|add|edit|touch|"
        rf"change|write|run)\b.{{2,}}\b(?:when|if|after|from|to|in|on|with|once)\b",
    ),
    neither=any_of(
        r"\?\s*$(?<!anything\?)(?<!please\?)",
        r"^(?:why|what|how|where|which|who|is|are|was|were|does|did|do (?:we|you|i|they)|should|"
        r"has|have|may i|shall|when (?:do|does|did|will|is|are|should|can|would))\b",
        r"^(?:can|could|would|will) (?:you|we|i) (?!(?:please )?(?:always|never|stop)\b)",
        r"\b(?:says?|said|states?|claims?|reads?|insists?|insisted|according to|documented as|"
        r"told me)\b[^,]{0,30}?(?:[\"“':]|\bthat\b)|^(?:the|their|his|her|my|our) (?:docs?|"
        r"style guide|readme|guide|spec|error|log|message|book|boss|old \w+|linter|compiler|"
        r"teacher|manager)\b.{0,20}\b(?:says?|said|states?|insist\w*|complain\w*|tells?|claims?)\b",
        r"\bfor now\b|\btoday\b|\btomorrow\b|\byesterday\b|\bthis time\b|\bjust (?:this )?once\b|"
        r"\bat the moment\b|\bright now\b|\btemporarily\b|\buntil\b|\btill\b|\bthis (?:week|month|"
        r"sprint|morning|afternoon)\b|\blet[’']s see\b|\b(?:for|in|on) this (?:pr|branch|commit|"
        r"task|change|test|session|step|one|file|ticket|bug)\b|\bagain\b|\bfirst\b.{0,40}\bthen\b|"
        r"\byet\b|\bdon[’']?t worry\b|\bbrb\b",
        r"^i (?:never|always) (?!want|use|prefer|write|need|expect|like)\w+",
        r"\b(?:always|never) (?:got|had|was|were|worked|failed|did|saw|ran|went|came|happened|"
        r"broke|returned|knew|understood|liked|nice|good|(?<!is always )(?<!is never )"
        r"(?<!are always )(?<!are never )(?<!be always )(?<!be never )\w+ed)\b|"
        r"^(?:always|never) (?:the same|a |my )",
        r"^(?:always|never|every ?time|each time|all|every|each)\b[^,]{0,60}\b(?:fails?|failed|"
        r"crashe[sd]|hangs|hung|breaks|broke|errors? out|times? out|happen(?:s|ed)?|passes|passed|"
        r"look(?:s)? (?:good|fine|ok)|works)\b",
        r"^(?:never ?mind|never a dull|all (?:good|done|set|fine|right|clear)\b|everything\b)",
        r"^from now on,? (?:the|it|this|that|everything)\s+\w+(?:\s\w+)?\s\w+s\b.*(?:!|\bgreat\b|"
        r"\bnice\b)",
        r"\b(?:should|must|could) (?:never|not) have (?:been|put|had|\w+ed)\b|"
        r"^we need (?:an?|another|some)\b",
        r"^(?!(?:i|we|you)\b)\w+ (?:says?|said|thinks?|thought|claims?|suggests?|mentioned) ",
        r"\boff by\b|^before (?:you|we) (?:continue|proceed|go on|move on)\b",
        r"^(?:make sure|ensure)\b.{3,}\bbefore you (?:run|start|continue|begin|try|test)\b",
        r"\b(?:great work|thank you|thanks|well done|nice work|good job|haha|lol)\b",
    ),
)
