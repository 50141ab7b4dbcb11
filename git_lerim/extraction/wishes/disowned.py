"""Find out whether a user rejects a sentence in their prompt, or quotes it as somebody else's."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile

from git_lerim.extraction.transcript.heads import SAYS, SELF
from git_lerim.extraction.transcript.sources import cites
from git_lerim.extraction.transcript.text import LIST_ITEM
from git_lerim.extraction.wishes.asked_back import leaves_standing
from git_lerim.extraction.wishes.english_lasting import NOT_AGAIN
from git_lerim.extraction.wishes.grounds import gives_reason
from git_lerim.extraction.wishes.patterns import any_of
from git_lerim.extraction.wishes.reported import (
    CLAIMS,
    OWN_CLAIM,
    RETELLS,
    SOURCE,
    claims,
    refuses,
    relays,
    was_elsewhere,
)
from git_lerim.memories.checks.denials import REMINDS

_LATIN_NOT = (
    r"no|not|none|never|nobody|\w+n['’]t|dont|wrong|false|incorrect|untrue|nonsense|bad|disagree|"
    r"against|ignore|reject|refuse|dislike|hate|opposite|outdated|obsolete|mistaken|"
    r"nicht\w*|nie|niemals|kein\w*|nein|falsch\w*|unsinn|quatsch|gegenteil|ignorier\w*|lehne|"
    r"ne|n['’]\w+|pas|jamais|non|faux|fausses?|contraire|refuse|contre|"
    r"nunca|jamás|fals[oa]s?|contrario|ignora|rechazo|não|errad[oa]s?|contrário|discordo|rejeito|"
    r"mai|sbagliat[oaie]|rifiuto|niet|geen|nooit|nee|fout|onzin|negeer|oneens|"
    r"nigdy|źle|fałsz\w*|odwrotnie|błędn\w*|ignoruj|не|нет|никогда|неверн\w*|неправ\w*|наоборот|"
    r"против|игнорир\w*"
)
_NOT = any_of(rf"\b(?:{_LATIN_NOT})\b", r"[不别勿没错]|反对|忽略|相反|ない|ません|違|反対|無視|逆")
_NOUN = (
    r"(?:sentences?|rules?|advice|claims?|statements?|suggestions?|ideas?|instructions?|"
    r"conventions?)"
)
_IS = r"(?=\W*(?:[^\w\s]|$)|\s+(?:is|are|was|were|isn['’]t|aren['’]t|sounds?|seems?|comes?|came)\b)"
# What refers to the sentences below, and to those above.
_AHEAD = any_of(
    rf"\b(?:this|these){_IS}|\b(?:this|these) (?:\w+ ){{0,2}}{_NOUN}\b|\b(?:the following|below|"
    r"here (?:is|are)|here['’]s|dies\w*|folgend\w*|ceci|cette|suivant\w*|voici|est[aeo]s?|"
    r"siguientes?|isto|seguintes?|quest[oaie]|seguent[ei]|dit|deze|volgende|tego|te|"
    r"następując\w*|эт\w+|следующ\w*)\b",
    r"这|以下|下面|これ|この|次の",
)
_DAS = (  # as a pronoun; it is more often an article
    r"das(?=\W*(?:[^\w\s]|\Z)| (?:ist|war|wäre|stimmt|gilt|nicht|hier|alles|lehne|halte|finde|"
    r"sehe|glaube|will|möchte|mache?|sagt|steht|sollten?|darf|ich|wir|er|sie|man)\b)"
)
_BACK = any_of(
    rf"\b(?:that|this|these|those|it){_IS}|\A\W*(?:and |but )?which\b|\b(?:such|of them|"
    rf"the above|(?<!say )(?<!says )so(?=\W*$)|{_DAS}|dies\w*|nicht so|so nicht|ça|cela|ceci|"
    r"c['’]est|es[oae]|esto|isso|isto|questo|quello|ciò|dat|dit|nie to|to (?:nie|jest|było)|tego|"
    r"tak|это\w*|этого|так)\b",
    rf"\b(?:that|this|these|those) (?:\w+ )?{_NOUN}\b",
    r"这|那|それ|これ|その|そう",
)
_THEIRS = any_of(
    r"\bnot (?:ours|mine|our|my)\b|\bnicht (?:unser|mein)\w*|\bpas (?:les? |la )?(?:nôtres?|"
    r"à nous|miens?)\b|\bno (?:son |es )?(?:nuestr[oa]s?|mí[oa]s?)\b|\bnão (?:são |é )?(?:noss|"
    r"minh)\w+|\bnon (?:sono |è )?(?:nostr|mi)[eioa]\b|\bniet (?:onze|mijn|van ons)\b|"
    r"\bnie (?:nasz|moj)\w*|\bне (?:наш|мо)\w+|不是我",
    rf"\b(?:another|other|their|his|her|else['’]s)\b.*\b{_NOUN}\b|"
    rf"\b{_NOUN}\b.*\b(?:another|other|theirs?|his|hers|else)\b",
)
# a clause before a colon that is part of the order: `Don't use npm: use pnpm`
_OWN_LEAD = re.compile(
    r"\W*(?:please )?(?:let[’']s not|do not|don[’']t|never|stop|avoid|no)\b"
    rf"(?!.*\b(?:{SAYS}|this|these|following|below)\b)",
    re.IGNORECASE,
)
_NOT_AGAIN = any_of(rf"{NOT_AGAIN}$")
_NOTES_DOWN = any_of(r"\b(?:write|note|jot|put) (?:this|that|it) down\b")
# how a clause before a colon says that it is not the user who speaks now
_REPORTS = any_of(
    r"\b(?:asked|told|has|contains?|found|saw|got|received|copied|pasted|"
    r"(?<!\bnoch )was|were|used to|according to|laut|selon|d['’]après|según|segundo|secondo|"
    r"volgens)\b"
)
# how a sentence begins that asks to examine or remove the text below it; `check this` alone may
# mean the text above it
_EXAMINES = any_of(
    r"\W*(?:(?:please|now|can you|could you) )?(?:check|review|examine|inspect|analy[sz]e|evaluate|"
    r"assess|judge|rate|remove|delete|drop) (?:if |whether )?(?:this|these|the following)\b"
    r"(?! ?(?:please)?[.?!]? ?$)"
)
# denials with pronouns that no list above has, and remarks such as `just a quote`
_NOT_IT = any_of(
    r"\b(?:beacht|befolg|mach|tu|folg|glaub)\w* (?:es|dem|ihm|ihr)(?: bitte)? nicht\b|"
    r"\bnicht (?:daran|darauf|danach)\b|"
    r"\bn(?:e |['’])(?:l[ae]s? |l['’]|en |y )(?!oubli)\w+ (?:pas|jamais)\b|"
    r"\bno l[aeo]s? (?!olvid)\w+|\bnão os? (?:faça|siga)|\bnon (?!dimentic)\w+[aei]rl[aeio]\b",
    r"\b(?:just|only|nur|juste|seulement|solo|sólo|só|apenas|alleen|slechts) (?:an? |eine? |une? |"
    r"una |uma |een )?(?:quot\w+|zitat|citation|cita|citação|citazione|citaat)\b|"
    r"\bqu['’]une citation\b|\A\W*(?:this|that|it)(?: is|['’]s) an? (?:quote|quotation|citation)\b",
)
_NAME = re.compile(r"\b(?!It|That|Here|There|What|Let)[A-Z]\w*['’]s\b")
_FILLER = r"(?:hm+|u+[hm]+|a+h|er+m?|oh|oops)"
# how a sentence begins that takes back the one before
_TAKES_BACK = any_of(
    rf"\W*(?:{_FILLER}[,.…]* +)*(?:(?:but|and|so|well|ok(?:ay)?)[,.…]* +(?:{_FILLER}[,.…]* +)*)?"
    r"(?:no(?=\W*$|\s*[,.!;:–—-]| (?:wait|actually|sorry|no)\b)|nope|nah|"
    r"wrong|false|nonsense|not (?:really|true|any ?more)|actually|wait|sorry|scratch|forget|"
    r"never ?mind|ignore(?! (?:what (?!i\b)|(?:his|her|their|\w+['’]s)\b))|"
    r"(?:just )?kidding|on second|(?:rather |quite )?the (?:opposite|contrary)|"
    r"or not\b|bad (?:idea|advice)|i (?:disagree|changed my mind|take)|why\W*$|really\W*$)\b",
    r"\W*(?:(?:true|right|fact|correct) or (?:false|wrong|fiction|not)|"
    r"(?:wahr|richtig) oder falsch|vrai ou faux|verdadero o falso|vero o falso)\W*$",
    r"\W*(?:nein|doch nicht|falsch|quatsch|unsinn|moment|(?:im|das) gegenteil|vergiss|non(?=[,.!])|"
    r"faux|attends|au contraire|oublie|no(?=[,.!])|falso|espera|al contrario|olvida|não(?=[,.!])|"
    r"errado|(?:pelo|ao) contrário|esquece|sbagliato|aspetta|anzi|nee|fout|wacht|onzin|"
    r"integendeel|toch niet|nie(?=[,.!])|źle|czekaj|odwrotnie|jednak nie|нет|неверно|неправда|"
    r"подожди|наоборот|забудь)\b",
    r"\W*(?:不(?=\W|是|对)|错|等等|算了|相反|いや|いいえ|違|待って|やっぱり|逆)",
)
_REASON = re.compile(
    r"\W*(?:because|since|as|so|weil|denn|da|damit|car|parce que|puisque|porque|pues|perché|"
    r"poiché|omdat|want|zodat)\b",
    re.IGNORECASE,
)
_ASKS_FOR = any_of(
    r"\W*(?:please )?(?:(?:can|could|will|would) (?:you|we)|k(?:annst|önntest) du|"
    r"(?:peux|pourrais)-tu|puedes|podrías|você pode(?:ria)?|puoi|potresti|kun je)\b"
)
# a question for agreement at the end of an order: `…, ok?`
_TAG = re.compile(r"[,;，] ?\w+(?: \w+)?[?？]$")
_IN_EARNEST = any_of(
    r"\bi(?: really|['’]m)? (?:mean (?:it|that|this)|serious|not (?:joking|kidding))\b"
)
# `…, Bob says`
_OTHER_SAYS = re.compile(
    rf"(?!{SELF}|as\b|like\b)(?:[\w.'’-]+ ){{1,3}}(?:says?|said|writes?|wrote|thinks?|claims?)\W*$",
    re.IGNORECASE,
)
# `…, but I disagree`
_DISAGREES = any_of(
    r"\W*but (?:(?:i|we) (?:disagree|(?:do not|don['’]t) (?:agree|think so|want (?:that|this|it)))|"
    r"(?:that|this|it)(?: is|['’]s) (?:wrong|outdated|obsolete|nonsense|not true)|"
    r"ignore (?:that|this|it))\b"
)
_ONLY_FILLER = any_of(rf"\W*{_FILLER}\W*")
# names what its pronouns mean: `There's a fixture for that, nobody uses it`
_NAMES_OWN = any_of(
    r"\W*(?:there(?:['’]s| is| are)|(?:we|you|i)(?:['’]ve)?(?: got| have)) (?:an?|some)\b"
)
_LONGEST = 1000  # characters of a sentence that are judged; more would take quadratic time
_CLAUSE = 14  # words in which a sentence says that it rejects the one before
_END = re.compile(r"(?<=[.!?;…])(?=\s)|(?<=[。！？])|\n")
_PAUSE = re.compile(r"[,;(，（]\s*|:\s|\s[–—]\s")
_CODE = re.compile(r"`[^`\n]*`")
# the beginning of a clause that attributes the one before it: `…, said Bob`
_SAID_BY = any_of(
    r"(?:says|said|writes(?! (?:go|are|must|should|have|need|happen|stay|use)\b)|wrote|schreibt|"
    r"schrieb|sagte?|steht|a (?:écrit|dit)|dit|escribe|dice|"
    rf"dijo|escreve|diz|disse|scrive|ha scritto|schrijft|zegt|zei|staat|{SOURCE})\b"
)


def is_disowned(text: str, start: int, end: int) -> bool:
    """Return whether the text around a span of a prompt denies it or ascribes it to others."""
    above, below = _END.split(text[:start]), _END.split(text[end:])
    lead, rest = above.pop(), below.pop(0)
    earlier, later = list(filter(str.strip, above)), list(filter(str.strip, below))
    later = [*dropwhile(_ONLY_FILLER.fullmatch, later)]
    if LIST_ITEM.match(lead):
        earlier, later = _without_items(earlier), _without_items(later)
    whole = lead + text[start:end]
    return (
        (_leads_away(lead) and not _OWN_LEAD.match(lead))
        or any(map(_announces_other, earlier[-1:]))
        or _goes_on_otherwise(rest, whole)
        or (rest.endswith(("?", "？")) and not _ASKS_FOR.match(text[start:end]))
        or any(_denies(each, whole) for each in later[:1])
        or any(map(cites, [whole, *later]))
        or _is_reported(OWN_CLAIM.sub("", whole[:_LONGEST]))
    )


def own_words(text: str) -> str:
    """Return the sentences of a prompt that the user neither denies nor ascribes to others."""
    sentences = [each.strip() for each in _END.split(text) if each.strip()]
    judged = [each[:_LONGEST] for each in sentences]
    below = [*_nearest(reversed(judged))][::-1]
    return "\n".join(
        whole
        for whole, above, each, after in zip(
            sentences, _nearest(judged), judged, below, strict=True
        )
        if not (_announces_other(above) or _is_anothers(each) or _denies(after, each))
    )


def _nearest(sentences: Iterable[str]) -> Iterator[str]:
    """Yield for each sentence the one before it or, for a list item, the one before its list."""
    last = outside = ""
    for each in sentences:
        is_item = LIST_ITEM.match(each)
        yield outside if is_item else last
        last = each
        outside = outside if is_item else each


def _is_anothers(sentence: str) -> bool:
    """Return whether a sentence, judged alone, is ascribed to others, taken back, or a question."""
    said = OWN_CLAIM.sub("", _CODE.sub("", sentence))
    lead, colon, _ = said.partition(": ")
    clauses = _PAUSE.split(said)
    return bool(
        RETELLS.match(said)
        or (colon and _leads_away(lead) and not _OWN_LEAD.match(lead))
        or _is_reported(said)
        or any(_takes_back(each, said) for each in clauses[1:][-1:])
        or (_asks(sentence) and not any(map(_ASKS_FOR.match, clauses)))
    )


def _is_reported(said: str) -> bool:
    """Return whether a sentence says that it is somebody else's; the user's claims are removed."""
    clauses = _PAUSE.split(said)
    return (
        relays(said)
        or any(_SAID_BY.match(each) or _OTHER_SAYS.match(each) for each in clauses[1:])
        or any(map(_DISAGREES.match, clauses[1:][-1:]))
    )


def _asks(sentence: str) -> bool:
    return sentence.endswith(("?", "？")) and not _TAG.search(sentence)


def _without_items(sentences: Sequence[str]) -> list[str]:
    return [each for each in sentences if not LIST_ITEM.match(each)]


def _leads_away(lead: str) -> bool:
    """Return whether a clause before a colon denies what follows, or says who said it."""
    lead = _NOT_AGAIN.sub("", OWN_CLAIM.sub("", _NOTES_DOWN.sub("", REMINDS.sub("", lead))))
    reports = any(each.search(lead) for each in (_NOT, CLAIMS, _THEIRS, _REPORTS, _NAME))
    return reports or was_elsewhere(lead)


def _announces_other(sentence: str) -> bool:
    """Return whether a sentence denies what follows it, or ascribes that to somebody else."""
    if _EXAMINES.match(sentence):
        return True
    if sentence.rstrip().endswith((":", "：")):
        return _leads_away(sentence)
    return _doubts_ahead(sentence)


def _goes_on_otherwise(rest: str, before: str) -> bool:
    """Return whether the end of a sentence denies its beginning or ascribes it to others."""
    if _REASON.match(rest):
        return False
    return claims(rest) or _NAME.search(rest) is not None or _denies(rest, before)


def _denies(sentence: str, before: str) -> bool:
    """Return whether a sentence denies `before`, or ascribes that to somebody else."""
    said = " ".join(_IN_EARNEST.sub("", REMINDS.sub("", sentence)).split()[:_CLAUSE])
    return not leaves_standing(sentence) and (
        _takes_back(said, before) or _THEIRS.search(said) is not None or _doubts_back(said, before)
    )


def _takes_back(said: str, before: str) -> bool:
    return bool(_TAKES_BACK.match(said) or _NOT_IT.search(said)) or refuses(said, before)


def _doubts_back(said: str, before: str) -> bool:
    """Return whether words deny, question or ascribe to others what they refer back to."""
    if said.endswith(("?", "？")):
        return _BACK.search(said) is not None
    if _NAMES_OWN.match(said):
        return False
    own = OWN_CLAIM.sub("", said)
    claimed = [found.end() for found in CLAIMS.finditer(own)]
    denied = [found.end() for found in _NOT.finditer(own)]
    if not claimed and (not denied or gives_reason(own, before)):
        return False
    end = max(claimed + denied)
    # what a later clause refers to is something in this sentence
    return _BACK.search(own[:end] + _PAUSE.split(own[end:])[0]) is not None


def _doubts_ahead(sentence: str) -> bool:
    """Return whether words deny, question or ascribe to others what they announce."""
    doubts = _NOT.search(sentence) or claims(sentence) or sentence.endswith(("?", "？"))
    return bool(doubts and _AHEAD.search(sentence)) or _THEIRS.search(sentence) is not None
