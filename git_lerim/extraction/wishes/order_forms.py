"""Recognize, in languages other than English, an order and the reason given for it."""

import re
from dataclasses import dataclass

# what takes one thing for another without a verb: `argon2 statt bcrypt`
_NAMED = re.compile(r"(?:(?:für|im|in|per|pour|para|voor) (?:[\w-]+ ){1,3})?(?:[\w./-]+ ){1,2}")
_INFINITIVE = re.compile(r"[^,]+ \w{2,}en(?=,|$)")  # `den Export auf CSV umstellen`
_PLEASE = re.compile(
    r"\b(?:bitte|stp|s['’]il (?:te|vous) plaît|por favor|per favore|per piacere|graag|aub|"
    r"alsjeblieft)\b",
    re.IGNORECASE,
)
# a thing that only the session shows: `Nimm das statt json`
_UNCLEAR = re.compile(
    r"\w+ (?:das|es|ihn|ça|cela|eso|esto|questo|quello|isso|isto|dat|dit) (?:\w+ )?"
    r"(?:statt|anstatt|au lieu|plutôt|en vez|en lugar|invece|anziché|em vez|ao invés|in plaats|"
    r"ipv|weil|da|parce|car|porque|ya que|perché|pois|omdat|want)\b|\w+-l(?:e|a|es)\b|"
    r"\w+ (?:dies\w*|ce|cet|cette|ces|est[aeo]s?|es[aeo]s|ese|quest\w|quell\w|ess[ae]s?|deze)\b|"
    r"\w+[aeiz]l[oa]s? (?:en vez|en lugar|porque|ya que|perché|invece)\b",
    re.IGNORECASE,
)
# what goes on to something else
_GOES_ON = re.compile(
    r"(?:und|oder|aber|dann|danach|auch|noch|nur|jetzt|et|ou|mais|puis|ensuite|après|aussi|y|o|"
    r"pero|luego|después|también|e|ed|ma|poi|dopo|anche|mas|depois|também|en|of|maar|dan|daarna|"
    r"ook|nu|ich|je|yo|io|eu|ik|du|tu)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:kein\w*|nicht|pas|no|non|não|geen|niet)\b", re.IGNORECASE)
_LEAST_TOLD = 4  # words of a sentence that tells why


@dataclass(frozen=True, slots=True)
class Orders:
    """How orders are given in one language, and why.

    `lead` names what may stand before an order, `begins` with which words it begins. `swaps` finds
    what takes one thing for another, such as "A instead of B". `reason` finds words such as
    "because". `tells` names the words that begin a clause that may give the reason without such a
    word, and `passing` finds what is for the moment, or about one line, test or mail.
    """

    lead: str
    begins: str
    swaps: re.Pattern[str]
    reason: re.Pattern[str]
    tells: str
    passing: re.Pattern[str]

    def explained(self, order: str, following: str) -> bool:
        """Return whether an order gives a reason, itself or in the sentence that follows it."""
        swap = self.swaps.search(order)
        if not self._is_order(order, swap) or self.passing.search(f"{order} {following}"):
            return False
        return bool(
            self.reason.search(order)
            or self.reason.match(following)
            or (swap and (self._has_clause(order) or self._tells(following)))
        )

    def _without_lead(self, order: str) -> str:
        return re.sub(rf"^(?:(?:{self.lead})[,.:!]* )+", "", order, flags=re.IGNORECASE)

    def _is_order(self, order: str, swap: re.Match[str] | None) -> bool:
        text = self._without_lead(order)
        if _UNCLEAR.match(text):
            return False
        if re.match(rf"(?:{self.begins})\b", text, re.IGNORECASE) or _PLEASE.search(order):
            return True
        if swap is None or re.match(rf"(?:{self.tells})\b(?!.* \w+en$)", text, re.IGNORECASE):
            return False
        return bool(_NAMED.fullmatch(text.partition(swap[0])[0]) or _INFINITIVE.match(text))

    def _has_clause(self, order: str) -> bool:
        """Return whether a clause about something that the order names stands behind a comma."""
        before, _, clause = order.partition(", ")
        first = clause.split(" ", 1)[0].casefold()
        named = first in before.casefold().split()
        return bool(named or re.match(rf"(?:{self.tells}) \w+", clause, re.IGNORECASE))

    def _tells(self, following: str) -> bool:
        text = self._without_lead(following)
        return len(text.split()) >= _LEAST_TOLD and not (
            following.endswith(("?", ":"))
            or _GOES_ON.match(text)
            or (re.match(rf"(?:{self.begins})\b", text, re.IGNORECASE) and not _DENIES.search(text))
        )
