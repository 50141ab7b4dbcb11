"""Recognize orders that hold only until something at hand ends: `… while Lin's job is running`.

An order for a state that recurs, as in `while tests are red`, may be a wish. The expressions, one
for each language, find sentences that only look like wishes.
"""

from git_lerim.extraction.wishes.english_forms import NOT, PLEASE

_LASTING = r"(?:always|never|ever|every|each|any|whenever|from now on|in (?:the )?future)\b"
# with these, an order is for a state that recurs, or waits for the user's approval
_AGAIN = (
    r"(?:tests?|suite|ci|builds?|pipelines?|checks?|linters?|servers?|app|review\w*|user|agent)\b"
)
_NAME = r"(?-i:[A-Z])[a-z]+"
_WHOSE = r"(?-i:[A-Z])[\w-]+'s (?!(?:approv|review|ok\b|consent))[\w-]+"
_THE = rf"(?:the|this|that|my|our|his|her|their|{_WHOSE})"
_GOES_ON = (
    r"(?:open|frozen|pending|ongoing|unfinished|unmerged|away|out|on (?:holiday|vacation|leave)|"
    r"in (?:progress|flight|the (?:house|office|building))|here|around|"
    r"under (?:way|review)|still [a-z]+)\b"
)
_IS = r"(?:is|are|'s|isn't|aren't|is not|are not)"
_HAS_ENDED = (
    rf"(?:{_IS}|has (?:been )?) ?(?:out|over|done|finished|merged|released|shipped|back|gone|live|"
    r"in|through|deployed|landed|closed|fixed|migrated|completed?|ready)\b"
)
# how an order begins, unlike a rule: `Security notes stay private until the advisory is out`
_ORDER = (
    rf"^(?:{PLEASE}(?:{NOT}|no|nobody|nothing|leave|keep|hold|wait|stop|avoid|skip|ignore|pause)\b|"
    rf"(?=(?:until|till|while|as long as)\b))(?!.*\b{_LASTING})"
)
ENGLISH = (
    # only this once, and what the work at hand shall leave alone
    r"\b(?:in|for|during) this (?:[\w-]+ ){0,2}(?:run|attempt|experiment|round|iteration)\b|"
    rf"^{PLEASE}(?:keep|leave) (?!.*\b{_LASTING})(?:the|this|that|these|those|my|our|all|"
    r"everything)\b[^,;:]* as (?:(?:it|they) (?:is|are|was|were)|is|before|now)\b|"
    r", (?:(?:i|we|somebody|someone)(?:'m|'re|'s| am| are| is)) (?:still )?(?:working|busy|editing|"
    r"testing)\b(?: (?:on|in|with) (?:it|this|that|them|there))?$|"
    r"^(?:until|till) [^,;:]{2,40} again\b|"
    rf"{_ORDER}.*\b(?:while|as long as|so long as) (?:"
    rf"{_WHOSE}(?: [\w-]+)? (?:is|are|runs?|goes|lasts?)\b|"
    rf"{_NAME}(?: is|'s) (?:away|out|off|on|back|still|(?!run|start|build|index)\w+ing)\b|"
    rf"{_THE} (?!{_AGAIN})[\w-]+(?: [\w-]+)? "
    rf"(?:{_IS} (?:still )?{_GOES_ON}|lasts?\b|goes on\b))|"
    rf"{_ORDER}.*\b(?:until|till) (?:[^,;:]{{2,40}} again\b|"
    rf"{_THE} (?!{_AGAIN})[\w-]+(?: [\w-]+)? {_HAS_ENDED}|"
    rf"(?:i|we|{_NAME})(?:'ve|'s| have| has) [a-z]+ (?:the|this|that|my|our|{_WHOSE})\b|"
    rf"{_WHOSE} {_HAS_ENDED}|{_NAME}(?: is|'s| has) (?:back|done|finished|merged|through|out)\b)"
)
_ALWAYS = r"(?:immer|nie|niemals|jede[nrms]?|grundsätzlich)\b"
GERMAN = (
    rf"^(?!.*\b{_ALWAYS}).*\b(?:solange|während|bis) "
    r"(?!(?:Test|Build|Check|Job|Release|Server|Commit|Branche|PR)s\b)"
    r"(?-i:[A-ZÄÖÜ])\w+s (?-i:[A-ZÄÖÜ])\w+ |"
    rf"^(?!.*\b{_ALWAYS}).*\bbis (?-i:[A-ZÄÖÜ])\w+ (?:wieder|zurück|fertig)\b"
)
FRENCH = (
    r"^(?!.*\b(?:jamais|toujours|chaque)\b).*\b(?:tant que|pendant que) [^,;:]{0,60}"
    r"\b(?:de |d')(?-i:[A-ZÀÉ])\w+"
)
SPANISH = (
    r"^(?!.*\b(?:nunca|siempre|cada)\b).*\b(?:mientras|hasta que) [^,;:]{0,60}\bde (?-i:[A-ZÁÉ])\w+"
)
PORTUGUESE = (
    r"^(?!.*\b(?:nunca|sempre|cada)\b).*\b(?:enquanto|até que) [^,;:]{0,60}"
    r"\bd[aeo] (?-i:[A-ZÁÉ])\w+"
)
DUTCH = r"^(?!.*\b(?:nooit|altijd|elke)\b).*\b(?:zolang|terwijl|totdat) (?-i:[A-Z])\w+s \w+ "
CHINESE = r"(?:还在|正在)[^，。]{1,12}(?:的时候|时|期间)|(?:完成|结束|合并|上线|回来)之?前(?:先)?别"
JAPANESE = r"(?:動いて|走って|開いて|実行中の|作業中の)(?:いる)?(?:間|あいだ)は"
