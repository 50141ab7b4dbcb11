"""Detect statements that no memory should contain: work steps, status, lists of edits."""

import re

_STEP = re.compile(
    r"^(?:now,? |ok(?:ay)?[,.]? |first,? |next,? |then,? |so,? )*(?:let me\b|let[’']s (?:check|"
    r"look|see|run|try|start|continue|verify|move on)\b|i[’']ll\b|i will\b|i[’']m (?:going|now|"
    r"checking|running|looking|about)\b|i am (?:going|now|checking)\b|i need to\b|i[’']ve (?:now |"
    r"also )?(?:added|updated|fixed|removed|created|moved|finished|committed|pushed|implemented|"
    r"verified|confirmed|run)\b|now (?:i|let|run|add|update|check|fix|commit)\b|next step\b|"
    r"(?:running|checking|reading|looking|committing|pushing|waiting|starting|proceeding|"
    r"continuing|verifying) (?:the|for|at|on|with|to|if|whether|all|a|it|now)\b|"
    r"wait for (?:results|the)\b|ready (?:to|for)\b|moving on\b)",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"\b(?:all |the |\d+ )?(?:tests?|checks?|suite|lint|build|typecheck|"
    r"ci)(?: (?!(?:must|shall)\b)\w+)? (?:now )?(?:pass(?:es|ed|ing)?|"
    r"(?:is|are) (?:green|clean|passing|failing|red))\b|"
    r"\b(?:working tree|work tree|branch) is (?:clean|up to date)\b|\b(?:pr|"
    r"pull request) \W?\d* ?(?:is|was|has been) (?:now )?(?:open|merged|mergeable|closed|ready|"
    r"approved)\b|\b(?:is|are|was|were) (?:(?:now |already )(?:committed|pushed|merged|deployed|"
    r"published)\b|(?:committed|pushed|merged|deployed|published)(?: (?:to|into|in|on) \S+)?\W*$|"
    r"in progress\b)|^(?:done|complete[d]?|success(?:fully)?|fixed|implemented|verified|"
    r"no (?:issues|errors|changes))\b.{0,40}$|\b0 (?:issues|errors|failures|warnings)\b|"
    r"\b\d+ (?:tests?|files?) (?:passed|changed|failed|skipped|would be)\b|\bfile is \d+ lines\b",
    re.IGNORECASE,
)
# what a rule says before the state on which it depends: `Never merge unless the tests pass`
_CONDITION = re.compile(
    r"\b(?:if|when(?:ever)?|unless|until|before|as long as)(?: \w+){0,2}\W*$|"
    r"\b(?:if|when(?:ever)?|unless|until|once|while|where)(?: \w+){0,4} ?$",
    re.IGNORECASE,
)
# and before the state of what it is about: `Never edit a migration that is already merged`
_WHICH = re.compile(r"\b(?:that|which|who)(?: has| have)? $", re.IGNORECASE)
_VERB = re.compile(r"(?:is|are|was|were)\b", re.IGNORECASE)
_EDITS = re.compile(
    r"^(?:also |and |[`\w./-]+ ?[:—–-] ?)?(?:added|updated|created|extracted|renamed|refactored|"
    r"implemented|wrote|modified|edited|inserted|bumped|rewrote|adjusted|new file|modified:|"
    r"deleted:)\b(?!.*\b(?:because|since|so that|instead of|rather than)\b)",
    re.IGNORECASE,
)
_ROBOT = re.compile(
    r"<(?:oai-mem-citation|system-reminder|environment_context|user_instructions|command-name|"
    r"local-command|task-notification|proposed_plan|thinking|tool_use_error)\b|\[\[ ## |"
    r"\bthe user is not available\b|\byou are (?:an ai|a helpful|claude|chatgpt|an? (?:expert|"
    r"agent))\b|\[Request interrupted|Co-Authored-By: [^<`]{1,80}<|🤖|"
    r"\bthis session is being continued\b",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"^(?:option [a-d\d]\b|(?:approach|alternative|step|phase|task|item|finding|issue) #?\d+\b)|"
    r"\((?:recommended|default)\)\W*$",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"^(?:this|that|it|these|those|they|here|there)(?:[’']s|[’']re)? (?:is|are|was|were|will|"
    r"means|should|does|did|has|can|now|silently|makes)\b|^(?:the lesson|the point|the problem|"
    r"the issue) (?:is|was)\b",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"^(?:ok(?:ay)?|yes|yeah|yep|nope|sure|thanks?|thank you|lgtm|hi|hey|hello|hmm+|go ahead|"
    r"do (?:it|that|option)|sounds good|you(?:[’']re| are) right|good (?:catch|point|question|"
    r"idea)|want me to|should i|shall i|would you like|let me know|"
    r"feel free(?! to .*\b(?:again|from (?:now|here) on)\b))\b|\?$",
    re.IGNORECASE,
)
_LIST = re.compile(r"^(?:[\w`./-]+(?: [\w`./-]+)?, ){4,}")


def noise(statement: str) -> str | None:
    """Return why a statement is not worth keeping, or None.

    The reason can follow the word `it`, as in `it is a line of conversation`.
    """
    said = statement.strip()
    for says, reason in (
        (_ROBOT.search, "is a program's text, not a person's or an agent's"),
        (_STEP.search, "describes a work step"),
        (_tells_state, "describes the state of the work, which soon changes"),
        (_EDITS.search, "lists edits, which git log shows"),
        (_OPTION.search, "is an option, not a choice"),
        (_POINTS.search, "begins with a word that refers to something else"),
        (_TALK.search, "is a line of conversation"),
        (_LIST.search, "is a list, not a statement"),
    ):
        if says(said):
            return reason
    return None


def _tells_state(said: str) -> bool:
    return any(not _is_condition(said, found) for found in _STATE.finditer(said))


def _is_condition(said: str, state: re.Match[str]) -> bool:
    before = said[: state.start()]
    qualifies = _VERB.match(state[0]) and _WHICH.search(before)
    return bool(qualifies or _CONDITION.search(before))
