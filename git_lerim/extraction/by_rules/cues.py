"""Words that show what a sentence does: the one home of every word list."""

import re
from functools import lru_cache


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile(r"(?<![\w-])(?:" + "|".join(alternatives) + r")(?![\w-])", re.IGNORECASE)


COMMAND = re.compile(
    r"^(?:[A-Z_][A-Z0-9_]*=\S+ )*(?:sudo )?(?:git|gh|npm|npx|pnpm|yarn|bun|bunx|deno|node|python3?|pip3?|uv|uvx|poetry|pytest|tox|nox|ruff|mypy|"
    r"go|cargo|rustup|make|cmake|ninja|mise|just|task|docker|podman|kubectl|helm|terraform|aws|gcloud|az|bazel|gradle|\./\w|mvn|dotnet|"
    r"ruby|bundle|rake|rails|php|composer|java|swift|xcodebuild|brew|apt|apt-get|dnf|curl|psql|sqlite3|redis-cli|systemctl|"
    r"ansible|vagrant|nix|golangci-lint|turbo|nx|lerna|vite|jest|vitest|playwright|cypress|wrangler|flyctl|vercel|supabase|prisma|alembic|"
    r"[a-z][\w-]+ (?:run|test|build|check|install|status|list|--?[a-z]))\b"
)

# What an agent's sentence does
WHY = _any(
    r"because",
    r"since",
    r"so that",
    r"the reason",
    r"reasons?:",
    r"which means",
    r"this means",
    r"that means",
    r"otherwise",
    r"due to",
    r"in order to",
    r"avoids?",
    r"ensures?",
    r"prevents?",
    r"hence",
    r"therefore",
    r"that(?:'s| is) why",
    r"this is why",
    r"given that",
    r"risk",
)
CAUSE = _any(
    r"root causes?",
    r"the (?:real |actual |main |underlying |core |key )?(?:issue|problem|bug|cause|culprit|failure|gap|trap|catch) (?:is|was|here|isn[’']t|wasn[’']t)",
    r"caused by",
    r"(?:is|was|were|are) failing",
    r"fails?",
    r"failed",
    r"breaks?",
    r"broke",
    r"broken",
    r"bugs?",
    r"crash(?:es|ed)?",
    r"aborts?",
    r"aborted",
    r"hangs?",
    r"rejects?",
    r"rejected",
    r"leaks?",
    r"mismatch(?:es)?",
    r"wrong",
    r"incorrect(?:ly)?",
    r"error",
    r"stale",
    r"corrupt(?:s|ed|ion)?",
    r"timeouts?",
    r"times? out",
    r"silently",
    r"conflicts?",
)
INSIGHT = _any(
    r"key (?:insight|point|distinction|constraint|finding|clue|difference)",
    r"important(?:ly)?",
    r"crucial(?:ly)?",
    r"subtle",
    r"turns? out",
    r"it isn[’']t",
    r"the distinction",
    r"nuance",
    r"in practice",
    r"notably",
    r"note that",
    r"caveat",
    r"gotcha",
    r"surprising(?:ly)?",
    r"actually",
    r"effectively",
    r"by design",
    r"limitations?",
    r"fundamental(?:ly)?",
    r"clarif(?:y|ies|ied)",
    r"clear(?:er)? now",
)
CONTRAST = _any(
    r"instead(?: of)?",
    r"rather than",
    r"not .{2,60}?(?:,| —| –|;) ?(?:but|only)",
    r"only",
    r"even though",
    r"although",
    r"whereas",
    r"unlike",
    r"no longer",
    r"but",
    r"however",
    r"while",
    r"versus",
    r"vs\.?",
    r"except",
    r"unless",
    r"without",
)
LIMIT = _any(
    r"does(?:n[’']t| not)",
    r"do(?:n[’']t| not)",
    r"cannot",
    r"can[’']?t",
    r"never",
    r"always",
    r"must(?:n[’']t| not)?",
    r"has to",
    r"have to",
    r"needs? to",
    r"requires?",
    r"required",
    r"not (?:supported|available|possible|enough|feasible|installed|visible|needed)",
    r"no (?:way|separate|longer|such)",
    r"isn[’']t",
    r"aren[’']t",
    r"won[’']t",
    r"only when",
    r"only if",
    r"automatically",
    r"by default",
    r"ignored?",
)
CHOICE = _any(
    r"decid(?:e|ed|ing)",
    r"decisions?",
    r"ch(?:oose|ose|osen)",
    r"keep(?:s|ing)?",
    r"kept",
    r"drop(?:s|ped|ping)?",
    r"remov(?:e|es|ed|ing)",
    r"replac(?:e|es|ed|ing)",
    r"supersed(?:es|ed)",
    r"prefer(?:s|red)?",
    r"agreed",
    r"rejected",
    r"single source",
    r"single",
    r"consolidat(?:e|ed|es|ing)",
    r"moved?",
    r"stays?",
    r"stay",
    r"use[sd]?",
    r"switch(?:ed|ing)?",
    r"owns?",
    r"becomes?",
    r"makes sense",
    r"cleaner",
    r"simpler",
    r"simplest",
    r"best shape",
    r"trade-?offs?",
    r"non-goal",
    r"scope",
    r"in favou?r of",
    r"defer(?:red|s)?",
    r"for now",
    r"later",
)
PROGRESS = re.compile(
    r"^(?:now,? |ok(?:ay)?[,.]? |good[,.!—-]* ?|great[,.!]* |perfect[,.!]* |first,? |next,? |then,? |also,? |and |so,? |alright,? |actually,? |done[.!—-]* )*(?:let me|let[’']s|i[’']ll|i will|i[’']m |i am |i need to|"
    r"i should|i want to|i[’']d like|i can |i have (?:the|a|enough|everything)|i[’']ve (?:got|finished|now|switched|removed|moved|stripped|confirmed the|added|updated)|now (?:i|let|we|update|add|run|the|for|check|fix|for|commit|create|remove|dispatching|moving)|"
    r"next i|moving (?:on|to)|going to|running|checking|reading|looking|dispatching|continuing|verifying|waiting|working on|writing|updating|adding|one (?:more|last|final)|time to|starting|proceeding|we need to|need to)",
    re.IGNORECASE,
)
CHAT = re.compile(
    r"^(?:if you need specific details from before|ready (?:to|for|when)|done\b.{0,40}$|want me to|should i|shall i|let me know|feel free|if you[’']d like|here(?:[’']s| is| are) |how (?:would|should|do) you|does (?:this|that)|which approach|no response requested|"
    r"thanks|thank you|hope this|happy to|i hope|welcome|two execution options|any(?:thing)? (?:else|other)|what[’']s next|see \W*$)",
    re.IGNORECASE,
)
STATUS = _any(
    r"(?:all|full|the)? ?(?:tests?|checks?|suite|lint|build|typecheck)(?: \w+)? (?:pass(?:es|ed|ing)?|green|clean|succeed(?:s|ed)?)",
    r"(?:is|are) (?:clean|green|done|complete|in place|ready|up to date|committed|pushed)",
    r"lint (?:is )?clean",
    r"verified(?: with| by)?",
    r"verification",
    r"0 (?:issues|errors|failures)",
    r"committed (?:as|on)",
    r"pushed(?: to)?",
    r"no (?:issues|errors|changes)",
    r"successfully",
    r"passed",
    r"passing",
    r"done",
    r"complete[d]?",
    r"here[’']s (?:a summary|what i)",
    r"summary of (?:changes|what)",
    r"i(?:[’']ve)? (?:ran|run)",
)
EDITS = re.compile(
    r"^(?:i (?:also |have |then )?|also |and |[`\w./-]+ ?[:—–-] ?)?(?:added|updated|created|extracted|renamed|refactored|fixed|implemented|wrote|deleted|modified|edited|inserted|introduced|bumped|changed|applied|committed|pushed|saved|set up|"
    r"rewrote|adjusted|converted|new file|test(?:s|ed)?|verif(?:y|ies|ied)|adds?|tests? (?:added|updated)|line \d+|lines \d+)\b",
    re.IGNORECASE,
)
HEDGE = _any(
    r"likely",
    r"probably",
    r"perhaps",
    r"maybe",
    r"might",
    r"may",
    r"could",
    r"possibl[ey]",
    r"presumably",
    r"seems?",
    r"appears?",
    r"suspicious",
    r"suspect(?:ed)?",
    r"theory",
    r"hypothes[ie]s",
    r"i think",
    r"i guess",
    r"not sure",
    r"unclear",
    r"smoking gun",
    r"assum(?:e|ed|ing)",
    r"would",
)
PROPOSAL = _any(
    r"option [a-d1-9]",
    r"options?",
    r"want me to",
    r"should i",
    r"shall i",
    r"would you",
    r"do you want",
    r"recommend(?:ation|ed)?",
    r"i[’']d (?:go|suggest|recommend|lean|keep|use)",
    r"i suggest",
    r"suggest(?:ed|ion)?",
    r"propos(?:al|e|ed)",
    r"alternatively",
    r"approach(?:es)?",
    r"pros",
    r"cons",
    r"we could",
    r"you could",
    r"one possibility",
    r"leaning",
)
ERROR_LINE = re.compile(
    r"\b\w*(?:error|exception)\b|\bfatal\b|\bpanic\b|\bcannot\b|\bcan[’']t\b|\bnot found\b|\bundefined\b|\bno such\b|\bdenied\b|\binvalid\b|\bunknown\b|\bunexpected\b|\bexpected\b|\bmissing\b|\btimed? ?out\b|\brefused\b|\baborted\b|\bmust\b|\bFAIL(?:ED)?\b|\bE\d{3,}\b",
    re.IGNORECASE,
)
ERROR_NOISE = re.compile(r"^\W*(?:exit code|\d+ (?:errors?|failed)|found \d+|npm (?:ERR!|error) (?:a complete log|code)|error: ?$|traceback)|task failed|<tool_use_error>sibling|process exited|command failed with exit", re.IGNORECASE)
ADDRESSES = _any(r"you (?:are|will|can|should|must|may)", r"return control", r"do not call", r"agentId", r"resume this agent")
OFFERS = re.compile(
    r"^(?:(?:here are |there are |i see |you have )?(?:(?:the|some|a few|two|three|four|several|my|possible|your|\d) )?(?:execution |possible |main |simplification )?(?:options|alternatives|candidates|choices|possibilities|approaches)(?: (?:are|here|to consider|i see))?(?::|$)|option [a-d1-9]\b)",
    re.IGNORECASE,
)
DISOWNS = _any(r"wrong (?:chat|window|session|tab|repo|terminal)", r"ignore (?:my |the |that )?(?:last|previous) (?:message|prompt|one)", r"ignore that", r"never ?mind that", r"meant for (?:another|a different) (?:chat|session)")
TRAILING = re.compile(
    r"(?:,| —| –|;)? (?:so|and|but|which is why|then) (?:first |now |next )?(?:i[’']m|i[’']ll|i am|i will|i want|i need|i can|let me|i[’']ve|i should|i have)\b[^.]*\.?$|(?:,| —| –|;) (?:let me|i[’']ll|i[’']m|want me)\b.*$",
    re.IGNORECASE,
)
WORKING = re.compile(r"\bi(?:[’']m| am)(?: (?:now|just|also|only|still|currently))? (?:\w+ing)\b|\bi[’']m going to\b|\bi[’']ll\b|\blet me\b|\bi (?:want|need) to\b|\bbefore i\b", re.IGNORECASE)
AGREE = re.compile(
    r"^(?:yes|yep|yeah|right|exactly|correct|good (?:catch|call|point|idea|question|observation|thinking|choice|insight)|great (?:point|catch|idea|question)|you[’']?(?:re| are) (?:absolutely |completely |totally )?(?:right|correct)|absolutely|"
    r"agreed|fair(?: point| enough)?|makes sense|that makes|got it|understood|understandable|that[’']s (?:a )?(?:good|great|right|fair|crucial|clever|exactly|helpful|much|better)|this is (?:cleaner|better|great)|no strong reason|sorry|my mistake|clear)\b",
    re.IGNORECASE,
)
TRANSIENT = _any(
    r"this session",
    r"in this (?:session|turn|run)",
    r"so far",
    r"currently running",
    r"in progress",
    r"right now",
    r"at the moment",
    r"for this (?:change|task|turn)",
    r"\d+ (?:files?|tests?) (?:changed|passed)",
    r"working tree",
    r"worktree (?:is )?clean",
    r"unrelated",
    r"pre-existing",
    r"left (?:uncommitted|untouched)",
)

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
    r"|(?<!why )(?<!how )(?<!what )\b(?:should(?:n[’']t| not)?|must(?:n[’']t| not)?|needs? to|for now|from now on|no longer|rather than|instead of|i think we|i(?:[’']d| would) (?:only |rather )?(?:like|want|prefer)|i (?:actually |really |only )?want|we (?:don[’']t|do not) (?:need|want))\b",
    re.IGNORECASE,
)
CLARIFIES = _any(r"i meant", r"i mean", r"sorry", r"i didn[’']t (?:specify|mean|say)", r"to clarify", r"just fyi")
ORDER = re.compile(rf"^\W*(?:(?:ok(?:ay)?|alright|great|yes|no|so|and|now|also|please|then|just|but|actually|can you|could you|can we|i think we (?:should|can)|we should|let[’']?s)[,.:]*\s+){{0,3}}(?:{_IMPERATIVES})\b", re.IGNORECASE)
INQUIRES = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|and|but|hi|hey|also|in \S+)[,:;]? +){0,3}(?:why|what|how|where|which|who|when|is|are|was|were|does|do|did|has|have|will)\b", re.IGNORECASE
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
    r"are you sure",
    r"really\?",
    r"i doubt",
    r"doesn[’']t (?:look|seem) right",
    r"not (?:convinced|sure)",
    r"let[’']s not jump",
    r"how (?:does|do) that fit",
    r"wrong",
    r"still (?:broken|failing|happens|the same)",
    r"didn[’']t (?:work|help)",
    r"why is (?:the|it) .* showing",
)
WISHES = _any(
    r"i(?:[’']d| would| only)? (?:like|want|prefer|love|hate|expect)(?: to)?",
    r"where(?:ver)? possible",
    r"for every",
    r"every(?: time| test)?",
    r"always",
    r"never",
    r"in general",
    r"from now on",
    r"please (?:don[’']t|do not|always|never)",
    r"need to be",
    r"i don[’']?t (?:like|want)",
    r"prefer(?:ably)?",
    r"make(?:s)? it easier",
    r"each time",
    r"all (?:tests|commits|files|plans)",
    r"fully",
    r"not just",
    r"just testing",
)
WORKFLOW = _any(
    r"tests?",
    r"test-first",
    r"tdd",
    r"commits?",
    r"commit messages?",
    r"plans?",
    r"docs?",
    r"documentation",
    r"readme",
    r"comments?",
    r"style",
    r"lint(?:er)?",
    r"review",
    r"branch(?:es)?",
    r"prs?",
    r"pull requests?",
    r"format(?:ting)?",
    r"naming",
    r"conventions?",
    r"read(?:ing)?",
    r"clean",
    r"verify",
    r"e2e",
    r"mocks?",
    r"language",
    r"english",
    r"emojis?",
    r"explain",
    r"ask(?: me)?",
)
CHORE = re.compile(
    r"^\W*(?:please )?(?:can you |could you |now )?(?:commit|push|run (?:the )?(?:tests?|it|lint)|merge|rebase|pull|open (?:a )?pr|create (?:a )?(?:pr|branch|commit)|rename|fix (?:the )?(?:lint|typos?|tests?|build)|format|continue|go on|status|"
    r"show|list|print|what(?:[’']s| is| are| did)|where (?:is|are|were)|how (?:do|does|is)|which|when|who|explain|summari[sz]e)\b",
    re.IGNORECASE,
)

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


_EVERY = re.compile("|".join(cue.pattern for cue in MARKS.values()), re.IGNORECASE)


@lru_cache(maxsize=4096)
def _names(word: str) -> frozenset[str]:
    return frozenset(name for name, cue in MARKS.items() if cue.search(word))


@lru_cache(maxsize=8192)
def marks(sentence: str) -> frozenset[str]:
    """Return the names of the cues that a sentence of an agent holds."""
    return frozenset(name for word in _EVERY.findall(sentence) for name in _names(word))


ACT_MARKS = {"act_wish": WISHES, "act_why": WHY, "act_directs": DIRECTS, "act_asks": ASKS, "act_corrects": CORRECTS}


@lru_cache(maxsize=64)
def act_marks(said: str) -> frozenset[str]:
    """Return the names of the cues that the human's words hold."""
    return frozenset(name for name, cue in ACT_MARKS.items() if cue.search(said[:4000]))
