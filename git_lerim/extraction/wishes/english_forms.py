"""Forms of rules for all cases in English, such as `Every table must have a key`.

They need no word such as "always". A sentence about one thing at hand is no rule: `Use the helper`.
"""

from git_lerim.extraction.wishes.patterns import Rules, any_of

PLEASE = (
    r"(?:(?:please|pls|plz|and|also|but|so|btw|by the way|ok|okay|oh|yeah|hm+|one (?:more|last) "
    r"thing|note|important|reminder|fyi|hey|before i forget|(?:just )?so you know|side note|"
    r"go(?: ahead)?(?=,)|let me (?:also )?(?:mention|add|say)(?: that)?)[,:]?\s+){0,4}"
)
# what begins the name of one thing at hand, or counts things
DEFINITE = (
    r"(?:the|this|that|these|those|it|its|them|they|him|her|a|an|my|your|our|his|their|one|two|"
    r"three|four|five|\d+|some|several|more|another|other|both|all|each|every|everything|"
    r"something|me|us|you|i|we|option|plan|approach)\b"
)
_OPEN = rf"(?! {DEFINITE})(?! (?:to|up|on|in|out|off|as|only|going|doing|trying|yet|now|again)\b)"
# what happens once, and what only the task at hand needs
_PASSING = (
    r"[,;] (?:just|only) [a-z]+\b|\bthe new\b|\bline \d|"
    r"\b(?:that|this|these|those) (?:file|class|function|module|page|test|script|method|folder|"
    r"table|component)\b|"
    r"\b(?:now(?! on)|again|yet|already|currently|still|so far|since|yesterday|until|"
    r"last (?:night|time|\w+day)|after (?:the|this)(?! (?:ticket|issue|feature|class|type|"
    r"model|table|module)\b))\b|\bshould be able to\b|"
    r"\b(?:be|been) (?:re(?:run|started|named|moved|placed|written|built|done|based)|updated|"
    r"changed|fixed|migrated|deleted|converted|ported|adapted|adjusted|checked|finished|added|"
    r"split|merged|deployed|upgraded|installed|reverted|undone|backed out|cherry-picked)\b"
    r"(?! (?:by|with|in|without|before|only)\b)"
)
LASTS = rf"^(?!.*(?:{_PASSING})){PLEASE}"
_FOR_ONE = r"(?!.* to [a-z]+ (?:it|this|that|the|them)\b)"  # `Use curl to test the endpoint`
# no noun that `every` or `no` makes to a set phrase, a definite thing or people
_KIND = (
    r"(?!(?:of|the|these|those|this|that|my|your|his|i|you|we|he|she|they|it|one|two|three|four|"
    r"five|\d+|need|idea|way|matter|doubt|wonder|time|day|night|morning|other|sorts?|kinds?|users?|"
    r"customers?|visitors?)\b)"
)
_EVERY = rf"(?:every|each|all|any|no)(?: {_KIND}[\w'`/.()-]+){{1,3}}?"
ANYTHING = r"(?:everything|anything|nothing|nobody|whatever|whoever)\b"
_OF = r"(?: (?:in|of|to|for|on|under|below|with|without|from|that|which|who)\b[^,;:]{1,40}?)?"
_MUST = (
    r"(?:must|shall|should|ha(?:s|ve) to|needs?(?: to)?|may|ought to|requires?|(?:is|are) (?:to|"
    r"required|expected|forbidden|not allowed))\b"
)
_HOLDS = (
    r"(?:go|goes|live|lives|belongs?|stays?|starts?|begins?|ends?|gets?|comes?|follows?|uses?|"
    r"carry|pass|explain|respect|do not|don't|never|return|take|(?:is|are)"
    r"(?! (?:not|missing|broken|gone|wrong|empty|flaky|slow|too|all|shown|displayed|\w+ing)\b))\b"
)
# a verb in an order: neither a subject nor a noun in the plural
VERB = (
    r"(?!(?:the|a|an|i|we|you|it|he|she|they|this|that|there|nothing|everything|everyone|some\w*|"
    r"what|why|how|is|are|was|not|no|my|all)\b)(?!\w*[^s\W]s\b)[a-z]+\b"
)
CHANGE = (
    r"(?:add|change|rename|delete|remove|create|introduce|touch|edit|update|write|modify|bump|move|"
    r"deprecate|fix|propose|report|review|refactor|implement|use|log|commit|push|merge|release|"
    r"open|install|upgrade)"
)
NEXT = r"(?:please |pls |plz |also |then |first |always )*"
_ASK = (
    r"(?:ask|check|consult|confirm|warn|tell|notify|get (?:my|an?) (?:ok|approval|permission)|"
    r"wait for my (?:ok|approval|permission|confirmation))(?: (?:with )?(?:me|us))?"
    r"(?: (?:first|for \w+(?: \w+)?))?,? before "
)
_MY_OK = (
    r"(?:my|our|an?|explicit) (?:\w+ )?(?:ok|okay|approval|permission|consent|review|sign-?off)"
)
_ARTEFACTS = (
    r"(?:functions|methods|classes|modules|variables|constants|(?:\w+ )?names|tests|specs|commits|"
    r"(?:commit|log|error) (?:messages|subjects|lines)|comments|docstrings|docs|branches|prs|"
    r"pull requests|endpoints|routes|handlers|migrations|errors|exceptions|imports|types|hooks|"
    r"components|scripts|queries|tables|columns|keys|flags|settings|files|folders|packages|"
    r"dependencies|releases|tags|titles|identifiers|keywords|dates|timestamps|times|durations|"
    r"amounts|prices|secrets|passwords|tokens|credentials|logs|lines|helpers|utilities|fixtures|"
    r"mocks|interfaces|services|apis|responses|requests|events|jobs|workers|models|views|"
    r"controllers|templates|booleans|enums|structs|traits|macros|threads|locks|indexes|"
    r"changelog entries|changes|fixes|bug ?fixes|features|tickets|reviews|reviewers|"
    r"documentation|code|sql|json|yaml|css|html)"
)
_SUCH = rf"(?!{DEFINITE})(?:[\w`'-]+ ){{0,2}}?{_ARTEFACTS}"
_CODE_BASE = (
    r"(?:docs?|documentation|code|code ?base|repo|repository|project|api|front ?end|back ?end|"
    r"tests|library|core|(?:standard|public|shared|main) \w+)"
)
_SOMEBODY = r"(?:i|you|we|he|she|they|(?-i:[A-Z][a-z]+))(?:'ve| have| has)?(?: just| already)?"
_DID = (
    r"(?:did|made|wrote|said|told|sent|built|broke|chose|found|saw|got|gave|left|lost|took|ran|"
    r"went|\w+(?<!e)ed)\b"
)
# what is part of the work at hand
_AT_WORK = (
    r"(?:branch|pr|pull request|merge request|diff|patch|stash|backlog|changeset|sprint|milestone)"
)
_TASKS = (
    r"(?:tests?|specs?|checks?|builds?|jobs?|comments?|threads?|tickets?|issues?|tasks?|todos?|"
    r"prs?|pull requests?|conflicts?|warnings?|errors?|migrations?|reviews?|commits?|changes?)\b"
)
_RESULTS = (
    r"(?:branch|version|fork|fix(?:es)?|patch|prs?|commits?|changes|edits|findings|ideas?|"
    r"suggestions?|proposals?|comments|notes|review|draft|files?|machine|account)\b"
)
_RUN = (
    r"run (?:the (?:\w+ )?(?:tests|suite|linters?|formatter|checks|type checker)|"
    r"(?!the\b|all\b)[\w`./ -]+?)"
)
_BEFORE = (
    r"before (?:you )?(?:commit|push|merg|releas|deploy)\w*"
    r"(?: (?:anything|something|code|changes))?"
)
_NO_GATE = r"(?!.* before (?:\w+ing|an?|every|each)\b)"  # `… before merging` holds for each merge
_RULE = r"(?:rule|convention|policy|standard|norm)"
NOT = r"(?:do not|don't|dont)"

# what speaks of one thing at hand although it has the form of a rule
AT_HAND = any_of(
    rf"^{PLEASE}{ANYTHING} (?:that )?you (?:find|see|notice|discover)\b",
    # what somebody did: `Whatever you did must be reverted`
    rf"^{PLEASE}(?:(?:every|each|all|any|no)(?: [\w-]+){{1,2}}?|{ANYTHING})(?: that| which)? "
    rf"{_SOMEBODY} {_DID}",
    rf"^{PLEASE}(?:whatever|whoever|everything that) (?:is left\b|{_DID})",
    rf"^{PLEASE}(?:every|each|all) (?:one )?(?:of )?(?:his|her|their)\b",
    rf"^{PLEASE}(?:every|all|each) (?:of the |of )?(?:\w+ )?(?:changes|commits?|edits?|"
    r"comments?|notes|remarks|questions) (?:from|by|of) (?-i:[A-Z][a-z]+)\b(?<!bot)",
    # a part of the work: `All commits in the branch`, `Every failing test`
    rf"^{PLEASE}(?:every|each|all|any|everything)(?: [\w'-]+){{0,2}} (?:in|on|of|from) (?:"
    rf"(?:the|your) (?:\w+ )?{_AT_WORK}\b|(?:my|his|her)\b){_NO_GATE}",
    rf"^{PLEASE}(?:every|each|all)(?: of)?(?: the)? (?:(?:failing|broken|red|remaining|leftover|"
    rf"unfinished) (?:\w+ )?{_TASKS}|(?:pending|outstanding|open) {_TASKS}){_NO_GATE}",
    rf"^{PLEASE}(?:every|each|all|everything)\b[^,]* (?:above|below) (?={_MUST})",
    rf"^{PLEASE}(?:all|both)(?: of)?(?: the)? (?:two|three|four|five|\d+)\b",
    # while the work goes on
    r"\bwhile (?:i|you|we)\b|\bbefore you (?:go on|continue|proceed)\b|"
    r"\bbefore you (?:start|begin|[a-z]+ (?:the|this|that) \w+)$|\bin the (?:plan|draft|diff)\b|"
    r"\b(?:when|once) (?:i|you|we)(?:'\w+| am| are| have) (?:done|finished|ready)\b"
    r"(?! (?:with )?(?:an?|any|each|every|something|anything)\b)",
    # what somebody's name makes definite: `Document Alice's findings`, `Keep Bob posted`
    rf"^{PLEASE}(?:document|format|name|spell|annotate|indent|capitali[sz]e) \w+'s\b",
    rf"^{PLEASE}(?!pin\b){VERB} [\w-]+'s? (?:\w+ )?{_RESULTS}",
    rf"^{PLEASE}keep [\w-]+(?:(?:,| and|, and) [\w-]+)* (?:posted|informed|waiting|company|"
    r"(?:in|on|off) (?:the )?(?:loop|know|picture|cc|copy|thread|call|review))\b",
)
SURE = any_of(  # whatever the other words are
    rf"^{PLEASE}make (?:it|this|that) (?:a|the|our|your|my) (?:\w+ )?(?:{_RULE}|habit|principle)\b",
    rf"^{PLEASE}(?:(?:house|team|project|new|general|golden|hard|ground|another|our|the) )?"
    rf"{_RULE}(?: of thumb| here)?: \w",
    rf"^{PLEASE}(?:in (?:the )?future|from (?:now|here) on|going forward|henceforth),? {NEXT}"
    rf"(?:{NOT}|no more|{VERB})(?!(?: \S+)? (?:is|are|was)\b)",
)
RULES = Rules(
    forms=any_of(
        rf"{LASTS}(?!any\b){_EVERY} {_HOLDS}",
        rf"{LASTS}{ANYTHING}.+ (?:{_HOLDS}|needs?\b)",
        rf"^{PLEASE}{_ASK}(?!(?:you )?(?:start|begin|continu|proceed|go|do|mov)\w*\b)(?:you )?"
        rf"(?:(?:chang|touch|modify|edit|alter|break)\w*\b|"
        rf"(?!you\b)\w+\b(?! (?!(?:an?|every|all|another)\b){DEFINITE}))",
        rf"^{PLEASE}(?:{NOT}|never|no|nothing|nobody) (?!.*\b(?:this|that|it|them|these|those|"
        r"the (?:branch|pr|commit))\b).*\bwithout "
        rf"(?:(?:asking|checking with|consulting|telling)\b|{_MY_OK}\b)",
        rf"\bneeds? {_MY_OK}\b",
        rf"^{PLEASE}(?:prefer|favou?r)\b{_OPEN}",
        rf"^{PLEASE}no (?!(?:errors?|failures?|warnings?|changes?|differences?|problems?|luck|need|"
        r"idea|clue|reason|more|longer|such|one|results?|matches|issues?|news|tests?)\b)"
        r"[\w'`-]+(?: [\w'`-]+){0,3}? (?:in|inside|outside(?: of)?|from|under|on|for|without|above|"
        r"within)\b(?! (?:it|which|my|\w+day)\b)"
        rf"(?! (?:the|this|that|these|those)\b(?! {_CODE_BASE}\b))",
        rf"^{PLEASE}no [\w'`-]+(?: [\w'`-]+){{1,2}},? (?:please|pls)$",
        rf"^{PLEASE}(?:whenever|(?:every|each|any|next) ?time) (?:you|we|someone|anyone)\b[^,]+, "
        rf"{NEXT}{VERB}",
        rf"^{PLEASE}(?:when|if|before|after) "
        rf"(?:(?:you|we|someone|anyone) {CHANGE}|(?!\w*thing is\b)\w+ing) "
        rf"(?:(?:an?|any|new|some|something|anything)\b[^,]*|(?!{DEFINITE})[^,]+), {NEXT}{VERB}",
        rf"^{PLEASE}{VERB}.{{2,}} (?:(?:whenever|(?:every|each|any) ?time) you\b|"
        rf"(?:when|if) (?:you|we) {CHANGE} (?:an?|any|new|something|anything)\b)",
        rf"{LASTS}{_FOR_ONE}(?:keep(?! \w+ing\b)|"
        r"avoid(?! (?:chang|touch|edit|modif|break|delet|runn)ing\b)|use|follow|stick (?:to|with)|"
        r"name|format|document|spell|prefix|suffix|annotate|indent|wrap|capitali[sz]e|pin)\b"
        rf"{_OPEN}",
        rf"{LASTS}(?:write|put|store|log|sort|leave|return|raise|give|type)\b{_OPEN} "
        rf"(?:[\w`'-]+ ){{0,2}}?{_ARTEFACTS} "
        r"(?:in|as|into|under|with|without|below|to|by|after|at)\b",
        rf"{LASTS}keep .+ (?:up[ -]to[ -]date|in sync|current)\b",
        rf"{LASTS}{VERB}.* (?:where(?:ver)?|whenever) possible\b",
        rf"^{PLEASE}{_RUN}(?: and .+)? {_BEFORE}$",
        rf"^{PLEASE}{_BEFORE}, {NEXT}{_RUN}$",
        rf"^{PLEASE}{VERB}\b.{{2,}}, (?:every|each) (?:single )?time$",
        rf"^{PLEASE}(?:by default|in general|as a rule),? {NEXT}(?:use|write|prefer|keep|"
        rf"avoid|put|name|follow)\b{_OPEN}",
        rf"^{PLEASE}(?:be|keep|make|limit|cut|leave) .*\byour (?:answers|replies|responses|"
        r"explanations|summaries|commit messages|comments|messages|prs)\b",
        rf"{LASTS}{NOT} (?!(?:worry|forget|know|think|care|wait|mind|run|start|make|implement|do|"
        rf"be|bother|get|see|understand|need|want|have)\b)[a-z]+\b{_OPEN} "
        r"(?!(?:anything|code|tests?|docs)\b)\w",
        rf"{LASTS}{NOT} (?:touch|edit|change|modify|write to|put anything in\w*) "
        r"(?:(?:anything|files?|code|stuff) )?(?:(?:in|under|below|inside|within|from) )?"
        r"`?[\w./*-]+/(?!\w)",
        rf"{LASTS}we (?:use|write|name|squash|target|deploy|store|keep(?! \w+ing\b)|follow|format|"
        r"prefix|pin|sign|tag|rebase|log|version|release|prefer|avoid|wrap|support|spell|indent|"
        rf"require)\b{_OPEN}",
        rf"{LASTS}{_SUCH}{_OF} {_HOLDS}",
        rf"{LASTS}(?!{DEFINITE})(?:[\w`'-]+ ){{0,3}}?\w+s (?:belong|live|go)(?: only)? (?:in|"
        r"into|to|under|below|on|next)\b",
        rf"{LASTS}{_SUCH}(?: and [\w ]{{3,20}})?,? (?:please )?in (?:english|german|french|"
        r"spanish|the imperative|(?:british|american) \w+)\b",
        rf"{LASTS}i (?:really )?(?:like|love|hate|want|expect) (?!(?:to|how|what|when)\b)"
        rf"{_SUCH}\b",
    ),
    universal=any_of(
        rf"{LASTS}{_EVERY}{_OF} (?:also )?{_MUST}",
        rf"{LASTS}(?:nobody|nothing|{ANYTHING}(?: [\w'`/.()-]+){{1,6}}?) {_MUST}",
        rf"{LASTS}{_SUCH}{_OF} {_MUST}",
        rf"^(?:our|the) {_RULE}s? (?:here|for \w+|in this \w+) (?:is|are)\b",
        rf"{LASTS}i(?:'d| would)? (?:really )?(?:like|want|expect|need|prefer) (?:every|each|any) "
        rf"{_KIND}",
        # `No mocks for the db`, `Tests: use a real database, not a mock`
        rf"{LASTS}no (?:more )?(?:mocks?|stubs?|fakes?|mocking|stubbing|monkey-?patch(?:es|ing)?|"
        r"magic (?:numbers|strings)|hard-?coded [\w-]+)\b"
        r"(?!(?: [\w-]+){0,2} (?:is|are|was|were|needed|required|found|left)\b)",
        rf"{LASTS}{_ARTEFACTS}: {NEXT}{VERB} (?!.*\b(?:this|that|these|those|it|them)\b).*"
        r"(?:, (?:and )?not\b|\binstead of\b|\brather than\b)",
        rf"{LASTS}{NOT} (?:mock|stub|monkey-?patch|hard[- ]?code|swallow|log|force-?push)"
        r"(?! (?:this|that|these|those|it|them)\b)",
        rf"{LASTS}(?!i\b|we\b|you\b)[\w' -]+ (?:needs|expects|requires|wants|must) .+ (?:in|on|"
        rf"for|across|with|from) (?:all|every|each) {_KIND}",
        rf"{LASTS}{VERB}.{{2,}} (?:before|after|on|with) (?:each|every|any) (?:commit|push|pr|"
        r"pull request|merge|release|deploy\w*|migration|change|session)\b",
    ),
)
