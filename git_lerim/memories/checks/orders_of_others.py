"""Decide whether other people's memories are withheld because they may ask for harm.

It is harmful to run a command that leaves this repository, to send text or code elsewhere, to
weaken a check, or to act without telling or asking a person. English is parsed closely enough to
tell an order from a report, and in eleven languages the words of a sentence are weighed. For some
more languages only the words for what harmful orders are about (checks, secrets and the like) are
known, and one such word is enough to withhold a memory. A memory with a sentence in any other
language is withheld, too, because it cannot be judged.
"""

import re
from collections.abc import Iterable

from git_lerim.memories.checks.claimed_consent import SPEAKING_ELSEWHERE, without_plan
from git_lerim.memories.checks.commands.command_lines import Runs, stray
from git_lerim.memories.checks.disguise import HOST, undisguised
from git_lerim.memories.checks.english.destroying import destroys
from git_lerim.memories.checks.english.orders import SPEAKS, UNPROVEN, order_in, pointed_at
from git_lerim.memories.checks.languages import Language, language_of, may_order
from git_lerim.memories.checks.learned.harm import CLEARLY, LEAST, LEAST_NAMED, asks_for_harm
from git_lerim.memories.checks.linear_search import Search
from git_lerim.memories.checks.prompt_injection import suspicion, unless_asked

# Harmful acts, in any language, that a mere report has no need to quote.
_ANYWHERE: tuple[tuple[str, Search], ...] = tuple(
    (reason, Search(pattern))
    for reason, pattern in (
        ("runs what it has fetched",
            (r"\b(?:exec|eval|system|popen|spawn)\w*\s*\(.*(?:urlopen|urllib|requests?\b|fetch|"
                r"https?:|curl|base64)|base64 (?:-d|-D|--decode)\b|\b(?:ba|z)?sh <\(|<<<")),
        ("gives more rights than are needed",
            (r"NOPASSWD|/etc/sudoers|\bchmod (?:-R )?(?:0?777|a\+rwx)|\bsudo +(?:/tmp|\./|~|bash|"
                r"sh|curl)\b")),
        ("deletes what lies outside this repository",
            r"\brm +(?:-\w+ +)+(?:~|/|\$HOME)(?![\w.-]*\w/\w)"),
        ("shows a secret",
            (r"\b(?:cat|less|head|cp|echo|print|base64) +\S*(?:id_rsa|id_ed25519|\.ssh/|\.env\b|"
                r"\.netrc|\.aws/)")),
        ("switches a safeguard off",
            (r"git config\b[^`\n]*(?:gpgsign +false|hooksPath|sslVerify +false|credential)|"
                r"git commit [^`\n]*(?:--no-verify|-\w*n\b)")),
        ("sends the code elsewhere",
            (rf"\bgit remote (?:add|set-url) +\S+ +(?:\S*[@:/]|{HOST})|"
                rf"\bgit push\s+(?:-\S+\s+)*(?:\S*[@:]\S|{HOST})")),
        ("switches the agent's permission checks off",
            (r"(?i)\bbypassPermissions\b|\bBash\(\*\)|\bpermissions\.allow\b|"
                r"(?<!-)\bauto-approve\b|--dangerously-skip-permissions")),
        ("switches certificate checks off",
            (r"(?i)\bStrictHostKeyChecking[ =]+no\b|\brejectUnauthorized\b\W{1,4}false\b|"
                r"\bNODE_TLS_REJECT_UNAUTHORIZED\b\W{1,4}0\b")),
        ("puts text into an address",
            r"https?://[^\s)]{1,300}\?\w{1,30}=(?:[A-Z_]{3,30}\b|[<{$\[\s)\"'`]|\Z)"),
        *((SPEAKS, claim) for claim in SPEAKING_ELSEWHERE),
        ("puts spaces between letters", r"(?<!\w)(?:[A-Za-z] ){3,}[A-Za-z](?!\w)"),
    )
)  # fmt: skip
# What lies outside this repository, unless a sentence only refers to it as a source or forbids it.
_OUTSIDE = (
    Search(
        rf"{HOST}|(?<![\w.:/~-])(?:~/[\w.]|\$HOME\b|/(?:home|Users|Volumes|net|srv)/\w|"
        r"(?-i:[A-Z]):\\\w)",
        re.IGNORECASE,
    ),
    Search(
        r"\b(?:run|ran|runs|running|execut\w+|invok\w+|call|called|launch\w*|start|started|"
        r"scripts?|binar(?:y|ies)|tools?|wrappers?|through|bash|sh|python3?|perl|node|source|"
        r"sourced)\b[^;]*?(?:(?<![\w.:/~-])/(?:opt|usr|var|tmp|mnt|etc|root)/\w|"
        r"\b(?:home|downloads) (?:folder|directory|dir)\b|\bNFS\b|\bUSB\b|\bshared drive\b)",
        re.IGNORECASE,
    ),
)
_REFERS = re.compile(
    r"\b(?:see|cf|per|docs|documentation|documented|specs?|specification|RFC|standard|manual|guide|"
    r"issues?|discussion|thread|article|blog|paper|advisory|described|explained|explains|defined|"
    r"details|according|follows|reported (?:as|in|at)|upstream bug|homepage|licen[cs]e|"
    r"never|not|no longer|instead of|rather than|fails?|failed|rejected|deleted|removed)\b",
    re.IGNORECASE,
)
# sentences are split here: "failed" in one part does not excuse an address in the other
_REASON = re.compile(r"\b(?:because|since)\b", re.IGNORECASE)
_CODE = re.compile(r"`[^`\n]+`")
_QUOTATION = re.compile(r"“[^“”]*”")  # the user's words
_SOURCED = re.compile(r"(?<![^\s`])\.[ \t]+(?=(?:\.{1,2}|~)?/)")  # `. ./setup.sh`
_KEPT = "\x00"  # stands for a space in code; a memory contains no control characters
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？])|\n+")
# A prohibition that only says where in the code something has its place. Its words are not weighed.
_PART = (
    r"(?:adapter|app|class|client|component|constructor|controller|decorator|function|handler|"
    r"helper|layer|loop|method|middleware|mixin|model|module|parameter|parser|property|query|"
    r"router?|service|store|template|transport|view|worker|wrapper)s?"
)
_PLACES_CODE = re.compile(
    r"(?:no, )?(?:do not|don[’']?t|never) (?:put|place|keep|do|write|implement|handle) (?:the |a )?"
    rf"\w+ (?:in|into|inside) (?:the |a )?{_PART}[,;:]? (?:(?:but|rather|instead) )?"
    rf"(?:do|put|place|keep|make|write|implement|handle) it (?:as|in|inside|into) (?:the |an? )?"
    rf"{_PART}(?: (?:around|of|for|in) (?:the |an? )?{_PART})?\.?",
    re.IGNORECASE,
)
_LIKE_AN_ORDER = "reads like an order that only a person may give"
_LONGEST = 2000  # characters of a sentence
_GOES_ON = 6  # words: a first line of at most so many may continue the title
_EAST_ASIAN = r"\u3040-\u30ff\u3400-\u9fff"  # letters of texts without spaces between words
_APART = re.compile(rf"\s|[{_EAST_ASIAN}]")
_WORD = re.compile(rf"[{_EAST_ASIAN}]{{2}}|[^\s{_EAST_ASIAN}]+")
_BETWEEN_WORDS = re.compile(r"^@|[-_/]+")  # of a name without spaces
_HYPHENS = re.compile(r"[-/]+")  # the names of many tests are sentences with underscores
_PHRASE, _LONG_NAME = 4, 7  # words: what has fewer is only searched for known wordings


def doubts(
    title: str,
    body: str = "",
    beside: Iterable[str] = (),
    *,
    runs: Runs,
    weighed: bool = True,
) -> str | None:
    """Return why another person's memory is withheld until the user accepts it, or None.

    An order counts in a quote, too. `beside` is what else the memory has, such as tags. `runs`
    returns whether a command stays inside the repository. Unless `weighed`, the learned weights of
    words are not used.
    """
    beside, body = tuple(beside), without_plan(title, body)
    said = [
        sentence
        for text in (title, body)
        for sentence in _sentences(unless_asked(undisguised(text)))
    ]
    names = [sentence for text in beside for sentence in _sentences(undisguised(text))]
    if max(map(len, (*said, *names)), default=0) > _LONGEST:
        return "has a sentence that is too long to judge"
    if reason := suspicion("\n".join((title, body, *beside)), runs=runs):
        return reason
    text = "\n".join((*said, *names))
    if reason := harm_in(text):
        return reason
    whole = language_of(" ".join(said))
    found = [_doubt(sentence, whole, runs) for sentence in said]
    found += [harm_in_label(quote[1:-1], runs) for quote in _QUOTATION.findall(body)]
    if whole is Language.ENGLISH:
        found += [order_in(_joined(title, body)), pointed_at(said)]
    return (
        next(filter(None, found), None)
        or stray((*said, *names), text, runs)
        or _outside(said)
        or (_LIKE_AN_ORDER if weighed and asks_for_harm(_weighed(said), runs) else None)
        or next(filter(None, (_doubt_beside(text, runs) for text in beside)), None)
    )


def _weighed(sentences: Iterable[str]) -> list[str]:
    return [sentence for sentence in sentences if not _PLACES_CODE.fullmatch(sentence)]


def like_an_order(text: str, runs: Runs) -> str | None:
    """Return why an agent's note is withheld if it reads like a harmful order, or None.

    Agents write many notes, so only notes that clearly read like one are withheld.
    """
    said = _sentences(unless_asked(undisguised(text)))
    return _LIKE_AN_ORDER if asks_for_harm(said, runs, CLEARLY) else None


def harm_in_label(text: str, runs: Runs | None = None) -> str | None:
    """Return why a title, an option, a quote or a file name counts as a harmful order, or None.

    An unknown verb is no reason, since most titles and options begin with a verb.
    """
    if len(text) > _LONGEST:
        return "is too long to judge"
    said = _sentences(unless_asked(undisguised(text)))
    found = (order_in(sentence) for sentence in said)
    return (
        suspicion(text, runs=runs)
        or harm_in("\n".join(said))
        or next((reason for reason in found if reason not in {None, UNPROVEN}), None)
    )


def asks_to_destroy(title: str, body: str) -> str | None:
    """Return why an agent's words are withheld although `doubts` lets them pass, or None.

    They are withheld if they ask to delete or skip something without giving a reason.
    """
    said = _sentences(undisguised(_QUOTATION.sub("", body)))
    return "asks to delete or skip something without a reason" if destroys(title, said) else None


def harm_in(text: str) -> str | None:
    """Return the harmful act that a text names, in an order or a mere report, or None."""
    return next((reason for reason, pattern in _ANYWHERE if pattern.search(text)), None)


def _outside(sentences: Iterable[str]) -> str | None:
    """Return why to withhold sentences that name something outside this repository, or None."""
    for part in (part for sentence in sentences for part in _REASON.split(sentence)):
        if any(place.search(part) for place in _OUTSIDE) and not _REFERS.search(part):
            return "names a place outside this repository"
    return None


def _sentences(text: str) -> list[str]:
    spelled = _SOURCED.sub("source ", text)
    # do not split code at `. `
    whole = _CODE.sub(lambda code: code[0].replace(" ", _KEPT), spelled)
    return [
        sentence
        for part in _SENTENCE.split(whole)
        if (sentence := part.replace(_KEPT, " ").strip())
    ]


def _joined(title: str, body: str) -> str:
    """Join the title and a short first line of the body, since an order may span both."""
    first = body.strip().partition("\n")[0]
    return (
        undisguised(f"{title} {first}")
        if len(first.split()) <= _GOES_ON and " " in title.strip()
        else ""
    )


def _doubt(sentence: str, whole: Language, runs: Runs) -> str | None:
    """Return why a sentence must be withheld, or None; `whole` is the whole text's language."""
    language = language_of(sentence, whole)
    reason = order_in(sentence) if language in {Language.ENGLISH, Language.SHORT} else None
    if reason or language is Language.ENGLISH:
        return reason
    is_learned = language is Language.LEARNED
    if may_order(sentence, language) and (
        not is_learned or asks_for_harm((sentence,), runs, LEAST_NAMED)
    ):
        return "may be an order, in a language of which git-lerim knows only a few words"
    return "is in a language that cannot be judged" if language is Language.UNKNOWN else None


def _doubt_beside(text: str, runs: Runs) -> str | None:
    """Return why a tag, a name or the like must be withheld, or None.

    A name without spaces is read as words; since few names are sentences, it is withheld only if it
    is long or clearly an order.
    """
    is_name = not _APART.search(text)
    said = undisguised(_BETWEEN_WORDS.sub(" ", text) if is_name else text)
    phrases = [each for each in _sentences(said) if len(_WORD.findall(each)) >= _PHRASE]
    found = [] if is_name else [order_in(each) for each in _sentences(said)]
    if not is_name or len(_HYPHENS.split(text)) >= _LONG_NAME:
        found += [_doubt(phrase, Language.ENGLISH, runs) for phrase in phrases]
    if reason := next(filter(None, found), None):
        return reason
    least = CLEARLY if is_name else LEAST
    return _LIKE_AN_ORDER if asks_for_harm(phrases, runs, least) else None
