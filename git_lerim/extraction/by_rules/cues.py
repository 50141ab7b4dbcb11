"""Words that show what a sentence does: the one home of every word list."""

# ruff: noqa: E501  a pattern reads best whole

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

_BEFORE, _AFTER = r"(?<![\w-])(?:", r")(?![\w-])"  # of whole words


def _any(alternatives: str) -> re.Pattern[str]:
    return re.compile(_BEFORE + alternatives + _AFTER, re.IGNORECASE)


COMMAND = re.compile(
    r"^(?:[A-Z_][A-Z0-9_]*=\S+ )*(?:sudo )?(?:git|gh|npm|npx|pnpm|yarn|bun|bunx|deno|node|python3?|pip3?|uv|uvx|poetry|pytest|tox|nox|ruff|mypy|"
    r"go|cargo|rustup|make|cmake|ninja|mise|just|task|docker|podman|kubectl|helm|terraform|aws|gcloud|az|bazel|gradle|\./\S+|mvn|dotnet|"
    r"ruby|bundle|rake|rails|php|composer|java|swift|xcodebuild|brew|apt|apt-get|dnf|curl|psql|sqlite3|redis-cli|systemctl|"
    r"ansible|vagrant|nix|golangci-lint|turbo|nx|lerna|vite|jest|vitest|playwright|cypress|wrangler|flyctl|vercel|supabase|prisma|alembic|"
    r"[a-z][\w-]+ (?:run|test|build|check|install|status|list|--?[a-z][\w-]*))(?=\s|$)"
)

# What an agent's sentence does
WHY = _any(
    r"because|since|so that|the reason|reasons?:|which means|this means|that means|otherwise|due to|in order to|avoids?|"
    r"ensures?|prevents?|hence|therefore|that(?:'s| is) why|this is why|given that|risk"
)
CAUSE = _any(
    r"root causes?|"
    r"the (?:real |actual |main |underlying |core |key )?(?:issue|problem|bug|cause|culprit|failure|gap|trap|catch) (?:is|was|here|isn[’']t|wasn[’']t)|"
    r"caused by|(?:is|was|were|are) failing|fails?|failed|breaks?|broke|broken|bugs?|crash(?:es|ed)?|aborts?|aborted|"
    r"hangs?|rejects?|rejected|leaks?|mismatch(?:es)?|wrong|incorrect(?:ly)?|error|stale|corrupt(?:s|ed|ion)?|timeouts?|"
    r"times? out|silently|conflicts?"
)
INSIGHT = _any(
    r"key (?:insight|point|distinction|constraint|finding|clue|difference)|important(?:ly)?|crucial(?:ly)?|subtle|"
    r"turns? out|it isn[’']t|the distinction|nuance|in practice|notably|note that|caveat|gotcha|surprising(?:ly)?|"
    r"actually|effectively|by design|limitations?|fundamental(?:ly)?|clarif(?:y|ies|ied)|clear(?:er)? now"
)
CONTRAST = _any(
    r"instead(?: of)?|rather than|not .{2,60}?(?:,| —| –|;) ?(?:but|only)|only|even though|although|whereas|unlike|"
    r"no longer|but|however|while|versus|vs\.?|except|unless|without"
)
LIMIT = _any(
    r"does(?:n[’']t| not)|do(?:n[’']t| not)|cannot|can[’']?t|never|always|must(?:n[’']t| not)?|has to|have to|needs? to|"
    r"requires?|required|not (?:supported|available|possible|enough|feasible|installed|visible|needed)|"
    r"no (?:way|separate|longer|such)|isn[’']t|aren[’']t|won[’']t|only when|only if|automatically|by default|ignored?"
)
CHOICE = _any(
    r"decid(?:e|ed|ing)|decisions?|ch(?:oose|ose|osen)|keep(?:s|ing)?|kept|drop(?:s|ped|ping)?|remov(?:e|es|ed|ing)|"
    r"replac(?:e|es|ed|ing)|supersed(?:es|ed)|prefer(?:s|red)?|agreed|rejected|single source|single|"
    r"consolidat(?:e|ed|es|ing)|moved?|stays?|stay|use[sd]?|switch(?:ed|ing)?|owns?|becomes?|makes sense|cleaner|simpler|"
    r"simplest|best shape|trade-?offs?|non-goal|scope|in favou?r of|defer(?:red|s)?|for now|later"
)
PROGRESS = re.compile(
    r"^(?:now,? |ok(?:ay)?[,.]? |good[,.!—-]* ?|great[,.!]* |perfect[,.!]* |first,? |next,? |then,? |also,? |and |so,? |alright,? |actually,? |done[.!—-]* )*(?:let me|let[’']s|i[’']ll|i will|i[’']m |i am |i need to|"
    r"i should|i want to|i[’']d like|i can |i have (?:the|a|enough|everything)|i[’']ve (?:got|finished|now|switched|removed|moved|stripped|confirmed the|added|updated)|now (?:i|let|we|update|add|run|the|for|check|fix|for|commit|create|remove|dispatching|moving)|"
    r"next i|moving (?:on|to)|going to|running|checking|reading|looking|dispatching|committing|opening|pushing|creating|staging|building|fixing|removing|moving|applying|replacing|cleaning|wiring|renaming|searching|tracing|polling|watching|pulling|locating|validating|launching|spawning|delegating|reviewing|continuing|verifying|waiting|working on|writing|updating|adding|one (?:more|last|final)|time to|starting|proceeding|we need to|need to)",
    re.IGNORECASE,
)
CHAT = re.compile(
    r"^(?:if you need specific details from before|ready (?:to|for|when)|done\b.{0,40}$|want me to|should i|shall i|let me know|feel free|if you[’']d like|here(?:[’']s| is| are) |how (?:would|should|do) you|does (?:this|that)|which approach|no response requested|"
    r"thanks|thank you|hope this|happy to|i hope|welcome|two execution options|any(?:thing)? (?:else|other)|what[’']s next|see \W*$)",
    re.IGNORECASE,
)
STATUS = _any(
    r""
    r"(?:all|full|the)? ?(?:tests?|checks?|suite|lint|build|typecheck)(?: \w+)? (?:pass(?:es|ed|ing)?|green|clean|succeed(?:s|ed)?)|"
    r"(?:is|are) (?:clean|green|done|complete|in place|ready|up to date|committed|pushed)|lint (?:is )?clean|"
    r"verified(?: with| by)?|verification|0 (?:issues|errors|failures)|committed (?:as|on)|pushed(?: to)?|"
    r"no (?:issues|errors|changes)|successfully|passed|passing|done|complete[d]?|here[’']s (?:a summary|what i)|"
    r"summary of (?:changes|what)|i(?:[’']ve)? (?:ran|run)"
)
EDITS = re.compile(
    r"^(?:i (?:also |have |then )?|also |and |[`\w./-]+ ?[:—–-] ?)?(?:added|updated|created|extracted|renamed|refactored|fixed|implemented|wrote|deleted|modified|edited|inserted|introduced|bumped|changed|applied|committed|pushed|saved|set up|"
    r"rewrote|adjusted|converted|new file|test(?:s|ed)?|verif(?:y|ies|ied)|adds?|tests? (?:added|updated)|line \d+|lines \d+)\b",
    re.IGNORECASE,
)
HEDGE = _any(
    r"likely|probably|perhaps|maybe|might|may|could|possibl[ey]|presumably|seems?|appears?|suspicious|suspect(?:ed)?|"
    r"theory|hypothes[ie]s|i think|i guess|not sure|unclear|smoking gun|assum(?:e|ed|ing)|would"
)
PROPOSAL = _any(
    r"option [a-d1-9]|options?|want me to|should i|shall i|would you|do you want|recommend(?:ation|ed)?|"
    r"i[’']d (?:go|suggest|recommend|lean|keep|use)|i suggest|suggest(?:ed|ion)?|propos(?:al|e|ed)|alternatively|"
    r"approach(?:es)?|pros|cons|we could|you could|one possibility|leaning"
)
ERROR_NAMED = re.compile(
    r"\b\w*(?:error|exception)\b(?: \w+)?:|\berror\[|^(?:fatal|panic|error|npm error \d+|e +\w+)\b|: (?:fatal )?error\b|\b[A-Z]{2,}\d{3,}\b",
    re.IGNORECASE,
)
ERROR_LINE = re.compile(
    r"\b(?:cannot|can[’']t|not found|undefined|no such|denied|invalid|unknown|unexpected|timed? ?out|refused|aborted|does not|doesn[’']t|failed to|unable to|non-\w+)\b",
    re.IGNORECASE,
)
ERROR_NOISE = re.compile(
    r"^\W*(?:exit code|\d+ (?:errors?|failed)|found \d+|npm (?:ERR!|error) (?:a complete log|code)|error: ?$|traceback|assert|def |func |test)|"
    r"task failed|<tool_use_error>sibling|process exited|command failed with exit|[;{}\\]$|\"\"\"|✔|\bt\.(?:Fatal|Error)|\bok\b.*\d+m?s",
    re.IGNORECASE,
)
ADDRESSES = _any(r"you (?:are|will|can|should|must|may)|return control|do not call|agentId|resume this agent")
OFFERS = re.compile(
    r"^(?:(?:here are |there are |i see |you have )?(?:(?:the|some|a few|two|three|four|several|my|possible|your|\d) )?(?:execution |possible |main |simplification )?(?:options|alternatives|candidates|choices|possibilities|approaches)(?: (?:are|here|to consider|i see))?(?::|$)|option [a-d1-9]\b)",
    re.IGNORECASE,
)
DISOWNS = _any(
    r"wrong (?:chat|window|session|tab|repo|terminal)|ignore (?:my |the |that )?(?:last|previous) (?:message|prompt|one)|"
    r"ignore that|never ?mind that|meant for (?:another|a different) (?:chat|session)"
)
UNFIT = re.compile(  # to be quoted in a memory that others read
    rf"{DISOWNS.pattern}|\b(?:f+u+c+k\w*|shit\w*|wtf|idiot\w*|stupid|moron\w*|crap\w*|bullshit|damn\w*|asshole\w*|dumb\w*)\b",
    re.IGNORECASE,
)
TRAILING = re.compile(
    r"(?:,| —| –|;)? (?:so|and|but|which is why|then) (?:first |now |next )?(?:i[’']m|i[’']ll|i am|i will|i want|i need|i can|let me|i[’']ve|i should|i have)\b[^.]*\.?$|(?:,| —| –|;) (?:let me|i[’']ll|i[’']m|want me)\b.*$",
    re.IGNORECASE,
)
WORKING = re.compile(
    r"\bi(?:[’']m| am)(?: (?:now|just|also|only|still|currently))? (?:\w+ing)\b|\bi[’']m going to\b|\bi[’']ll\b|\blet me\b|\bi (?:want|need) to\b|\bbefore i\b",
    re.IGNORECASE,
)
AGREE = re.compile(
    r"^(?:yes|yep|yeah|right|exactly|correct|good (?:catch|call|point|idea|question|observation|thinking|choice|insight)|great (?:point|catch|idea|question)|you[’']?(?:re| are) (?:absolutely |completely |totally )?(?:right|correct)|absolutely|"
    r"agreed|fair(?: point| enough)?|makes sense|that makes|got it|understood|understandable|that[’']s (?:a )?(?:good|great|right|fair|crucial|clever|exactly|helpful|much|better)|this is (?:cleaner|better|great)|no strong reason|sorry|my mistake|clear)\b",
    re.IGNORECASE,
)
TRANSIENT = _any(
    r"this session|in this (?:session|turn|run)|so far|currently running|in progress|right now|at the moment|"
    r"for this (?:change|task|turn)|\d+ (?:files?|tests?) (?:changed|passed)|working tree|worktree (?:is )?clean|"
    r"unrelated|pre-existing|left (?:uncommitted|untouched)"
)

TOLD = re.compile(
    r"asked “|the user (?:refused|chose|answered)|not chosen:|the error was:", re.IGNORECASE
)  # sentences of our own
HOOK = re.compile(
    r"\s*(?:operation stopped by hook|stop hook feedback|\[?hook)", re.IGNORECASE
)  # a program speaks in the human's place

SETTLED = _any(
    r"now|no longer|instead|(?:is|are|was|were) (?:now )?(?:added|changed|consolidated|converted|deferred|dropped|extracted|inlined|merged|"
    r"moved|normali[sz]ed|removed|renamed|replaced|reverted|simplified|split|switched|turned|unified)"
)  # a title that tells how things are from now on

TESTS = _any(r"tests?|tested|coverage|assert\w*|verif\w+|fixtures?|mocks?")
FROM_NOW = _any(
    r"now|no longer|from now on|instead(?: of)?|rather than|previously|for now|later|defer(?:red)?|single source"
)  # a sentence that tells how things were settled
DESIGNS = _any(
    r"should(?:n[’']t)?|update|move|generate|make|propos(?:e|al)|design|refactor|plan|implement|create|add|remove|rename|replace|change|introduce|support|"
    r"can we|could we|let[’']?s|i (?:want|would like|think)|we (?:should|could|need|want)|instead|automatically|options?"
)  # a human's turn that wants something to be otherwise

EMPTY = re.compile(
    r"^(?:(?:that|this|here|there)(?:[’']s| is| it is)\b(?:\W+\w+){1,6}\W*$|found (?:the|it)\b.{0,24}$|(?:now )?(?:i[’']ve|i have|i)? ?(?:also )?(?:verified|confirmed|ran|pushed|committed|re-?ran|rebased|forwarded)\b|"
    r"verification\b|verify\b|type-?check\b|lint\b|all (?:tests|checks)\b|line \d+:|the (?:code|project|build) (?:compiles|builds|is)\b|working tree\b|modified:|new file:|co-authored)",
    re.IGNORECASE,
)  # a sentence that tells nothing to keep: it points elsewhere, or says that a check was run

# What a human's turn does
APPROVES = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yep|yeah|yea|y|sure|lgtm|perfect|great|good|nice|cool|fine|right|correct|exactly|agreed?|approved?|go|go ahead|do it|do that|please|proceed|continue|sounds? good|looks? good|works? for me|makes sense|"
    r"ship it|love it|that works|i agree|start(?: implementing)?|let[’']s (?:do|go|implement|start)|implement(?: it| this| that)?|thanks?|alright|1|2|3|4|a|b|c|d|option \w|both|all|it|this|that|with|the|for|now|then|and|me|you|go with)\b[\s,.!;:)-]*){1,9}$",
    re.IGNORECASE,
)
_IMPERATIVES = (
    r"use|remove|move|add|make|let[’']?s|don[’']?t|do not|keep|get rid of|do away with|drop|delete|replace|put|rename|change|update|switch|implement|avoid|stop|never|always|ensure|prefer|set|store|create|write|revert|extract|split|merge|simplify|fix|"
    r"refactor|include|exclude|skip|leave|treat|call|show|hide|return|start|build|convert|limit|allow|disable|enable|go with|do it|ignore|consolidate|introduce|turn|default to|wire|support"
)
DIRECTS = re.compile(
    rf"(?:^|[.!?;:,\n]\s*|\b(?:and|then|also|please|so|but|ok(?:ay)?|yes|no|alright|now|just|instead|can you|could you|can we|could we|we (?:can|could|should|need to|must|want to|have to)|i(?:[’']d| would) (?:like|want|prefer)(?: (?:to|you to|us to))?|"
    rf"i (?:only )?want(?: (?:to|you to|us to))?|you (?:should|can|need to|must))\s+)(?:{_IMPERATIVES})\b"
    r"|(?<!why )(?<!how )(?<!what )\b(?:should(?:n[’']t| not)?(?! have\b)|must(?:n[’']t| not)?|needs? to|for now|from now on|no longer|rather than|instead of|i think we|i(?:[’']d| would) (?:only |rather )?(?:like|want|prefer)|i (?:actually |really |only )?want|we (?:don[’']t|do not) (?:need|want))\b",
    re.IGNORECASE,
)
CLARIFIES = _any(r"i meant|i mean|sorry|i didn[’']t (?:specify|mean|say)|to clarify|just fyi")
ORDER = re.compile(
    rf"^\W*(?:(?:ok(?:ay)?|alright|great|yes|no|so|and|now|also|please|then|just|but|actually|can you|could you|can we|i think we (?:should|can)|we should|let[’']?s)[,.:]*\s+){{0,3}}(?:{_IMPERATIVES})\b",
    re.IGNORECASE,
)
INQUIRES = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|and|but|hi|hey|also|in \S+)[,:;]? +){0,3}(?:why|what|how|where|which|who|when|is|are|was|were|does|do|did|has|have|will)\b",
    re.IGNORECASE,
)
ASKS = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|and|but|hmm|wait|also|alright|genuine question|q|question|in \S+)[,:;]? +){0,3}(?:why|what|how|where|which|who|when|is|are|was|were|does|do|did|has|have|will|would|can we|can i|could we|should we|should i|am i)\b|\?\s*$|(?:[,;] ?|\band |\bso )(?:why|how come|what) (?:do|did|does|is|are|was|would|should)\b",
    re.IGNORECASE,
)
CORRECTS = re.compile(
    r"^\W*(?:no\b(?! idea)|nope|nah|wait|actually|hmm|huh|wrong|not (?:quite|really|that|what)|but\b|instead|sorry|that[’']?s (?:not|wrong|horrible)|stop|don[’']?t|i (?:meant|said|don[’']t think|mean)|why (?:are|do|would|did|not|is)|isn[’']t|can[’']t we|are you sure)"
    r"|(?<!\w)(?:revert|undo|too (?:much|complex|heavy|big)|no need|not needed|isn[’']t relevant|shouldn[’']t|wrong|doesn[’']t (?:look|seem) right|remove this again)(?!\w)",
    re.IGNORECASE,
)
DOUBTS = _any(
    r"are you sure|really\?|i doubt|doesn[’']t (?:look|seem) right|not (?:convinced|sure)|let[’']s not jump|"
    r"how (?:does|do) that fit|wrong|still (?:broken|failing|happens|the same)|didn[’']t (?:work|help)|"
    r"why is (?:the|it) .* showing"
)
WISHES = _any(
    r"i(?:[’']d| would| only)? (?:like|want|prefer|love|hate|expect)(?: to)?|where(?:ver)? possible|for every|"
    r"every(?: time| test)?|always|never|in general|from now on|please (?:don[’']t|do not|always|never)|need to be|"
    r"i don[’']?t (?:like|want)|prefer(?:ably)?|make(?:s)? it easier|each time|all (?:tests|commits|files|plans)|fully|"
    r"not just|just testing"
)
ALL_WORK = _any(
    r"where(?:ver)? possible|for every|every (?:time|test)|each time|in general|from now on|all (?:tests|commits|files|plans)|please (?:always|never)"
)  # a wish for every time, not for this one
WORKFLOW = _any(
    r"tests?|test-first|tdd|commits?|commit messages?|plans?|docs?|documentation|readme|comments?|style|lint(?:er)?|"
    r"review|branch(?:es)?|prs?|pull requests?|format(?:ting)?|naming|conventions?|read(?:ing)?|clean|verify|e2e|mocks?|"
    r"language|english|emojis?|explain|ask(?: me)?"
)
HANDS_PLAN = re.compile(
    r"\b(?:implement|execute|carry out|follow) (?:the|this)\b[^.\n]{0,30}\bplan\b|^#[^\n]*\bplan\b", re.IGNORECASE | re.MULTILINE
)
CHORE = re.compile(
    r"^\W*(?:please )?(?:can you |could you |now )?(?:commit|push|run (?:the )?(?:tests?|it|lint)|merge|rebase|pull|open (?:a )?pr|create (?:a )?(?:pr|branch|commit)|rename|fix (?:the )?(?:lint|typos?|tests?|build)|format|continue|go on|status|"
    r"show|list|print|what(?:[’']s| is| are| did)|where (?:is|are|were)|how (?:do|does|is)|which|when|who|explain|summari[sz]e)\b",
    re.IGNORECASE,
)

CHORES = re.compile(
    r"merg|rebas|commit|push|pull|fetch|branch|main$|master$|origin|conflict|pr$|prs$|lint|format|fmt$|test|run|rerun|ci$|build|fix|renam|typo|bump|version|release|tag|"
    r"clean|revert|undo|continu|proceed|status|check|verify|thank|great|perfect|nice|cool|sure|yeah|yep|another|oh$|hey$|hi$|try|retry|done|open|creat|updat|delet|remov"
)  # the words, cut to their stems, of what leaves nothing to remember

HEADINGS = {
    "decision": re.compile(
        r"decision|agreed|design|architecture|model|principle|approach|final|outcome|resolution|conclusion|recommendation|summary|what changed|changes",
        re.IGNORECASE,
    ),
    "lesson": re.compile(
        r"root cause|cause|problem|issue|finding|learn|lesson|know|gotcha|caveat|limitation|why|reason|insight|key|note|important|error|fix",
        re.IGNORECASE,
    ),
    "preference": re.compile(r"preference|feedback|convention|guideline|style|constraint", re.IGNORECASE),
    "noise": re.compile(
        r"verif|next step|todo|pending|current (?:work|task|state)|files? (?:and|changed|modified|created)|key files|all user messages|primary request|usage|test plan|completed|options?|alternativ|pros|cons|question|commit|branch|example|technical concepts|progress|done",
        re.IGNORECASE,
    ),
}

MARKS = {
    "why": WHY,
    "cause": CAUSE,
    "insight": INSIGHT,
    "contrast": CONTRAST,
    "limit": LIMIT,
    "choice": CHOICE,
    "hedge": HEDGE,
    "proposal": PROPOSAL,
    "status": STATUS,
    "transient": TRANSIENT,
}


def _by_letter(cues: Iterable[re.Pattern[str]]) -> re.Pattern[str]:
    """Return what finds all that the cues do in lower case, six times as fast: at a word only what begins with its letter is tried."""
    begun: dict[str, list[str]] = {"": []}
    for words in (words for cue in cues for words in _alternatives(cue.pattern[len(_BEFORE) : -len(_AFTER)])):
        begun.setdefault(words[0] if words[0].isalpha() and words[1:2] not in "?*{" else "", []).append(words)
    others = begun.pop("")
    groups = [f"{letter}(?:{'|'.join(words[1:] for words in found)})" for letter, found in begun.items()]
    return re.compile(_BEFORE + "|".join([*groups, *others]) + _AFTER)


def _alternatives(pattern: str) -> Iterator[str]:
    depth, found = 0, ""
    for sign in pattern:
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            yield found
        found = "" if sign == "|" and not depth else found + sign
    yield found


_EVERY = _by_letter(MARKS.values())


@lru_cache(maxsize=4096)
def _names(word: str) -> frozenset[str]:
    return frozenset(name for name, cue in MARKS.items() if cue.search(word))


@lru_cache(maxsize=8192)
def marks(sentence: str) -> frozenset[str]:
    """Return the names of the cues that a sentence of an agent holds."""
    return frozenset(name for word in _EVERY.findall(sentence.lower()) for name in _names(word))


ACT_MARKS = {"act_wish": WISHES, "act_why": WHY, "act_directs": DIRECTS, "act_asks": ASKS, "act_corrects": CORRECTS}


@lru_cache(maxsize=64)
def act_marks(said: str) -> frozenset[str]:
    """Return the names of the cues that the human's words hold."""
    return frozenset(name for name, cue in ACT_MARKS.items() if cue.search(said[:4000]))
