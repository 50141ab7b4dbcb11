"""Recognize words meant for others: for a screen or a file, or as messages to other people.

`Tell Joe to always rebase`, `The banner should say never share your password`. The expressions,
one for each language, find sentences that only look like wishes.
"""

from git_lerim.extraction.transcript.heads import SELF
from git_lerim.extraction.wishes.english_forms import NOT, PLEASE
from git_lerim.extraction.wishes.reported import CONCLUDES

_NAME = r"(?-i:[A-Z][a-zà-ÿ]\w*)"
_RULES_OUT = rf"(?:always|never|from now on|{NOT}|please|you (?:must|should|may|shall))\b"
_WORDS = (
    rf"[\"'“‘«]?(?:(?-i:NEVER|ALWAYS)\b|{_RULES_OUT})(?! (?:what|why|how|which|who|the|an?|more)\b)"
)
_AGENTS = r"(?:the |your |each |every |all )?(?:sub-?)?(?:agents?|claude|codex|copilot|models?)\b"
# whom a message is for: not the agent, nor a program that it sets up
_PERSON = (
    rf"(?!me\b|us\b|you\b|yourself\b|it\b|{_AGENTS})"
    r"(?:(?:the|our|my|his|her|their) (?:[\w-]+ )?[\w-]+|him|her|them|everyone|everybody|"
    r"people|[\w-]+)"
)
_EACH_TIME = r"(?:whenever|(?:every|each|any) ?time|(?:when|if|before|after) (?:you|we)\b)"
_TELL = r"(?:tell|remind|inform|advise|warn|instruct|teach|let)"
_WRITE = r"(?:write|mail|e-?mail|text|message|reply|answer|post)"
# what holds words for others to read
_TEXT = (
    r"(?:todo|fixme|comment|note|sign|poster|warning|notice|docstring|message|label|title|heading|"
    r"headline|caption|banner|tooltip|placeholder|sticker|slide|error|string|sentence|line)"
)
_SAYS = (
    r"(?:say|says|saying|said|reads?|reading|states?|displays?|shows?|prints?|logs?|"
    r"(?:begins?|starts?|ends?) with|(?:is |be )?(?:titled|called|labell?ed|captioned|worded)|"
    r"something like)"
)
# `Tell Joe to always rebase`, `Ask the reviewer to never squash`
_MESSAGES = (
    rf"^(?!.*\b{_EACH_TIME}){PLEASE}(?:(?:can|could|would|will) you )?(?:please )?(?:"
    rf"(?:{_TELL}|{_WRITE} to) {_PERSON}(?: [\w-]+){{0,5}}? (?:that|know)\b|"
    rf"(?:ask|{_TELL}) {_PERSON}(?: [\w-]+){{0,5}}? (?:not to|to (?:always|never|not|only))\b)"
)
# `Joe should be told that he must never …`
_TO_BE_TOLD = (
    rf"^(?!.*\b{_EACH_TIME}){PLEASE}(?!(?:i|we|you)\b)[^,;:]{{2,60}}? (?:should|must|needs? to|"
    r"ha(?:s|ve) to|ought to) be (?:told|reminded|asked|informed|warned|instructed)\b"
)
# `The banner should say never share your password`
_SHOWN = (
    rf"^{PLEASE}(?:(?:when|if|on|in|at|after|before) [^,;:]{{2,60}},? )?"
    rf"(?!{SELF})[^,;:]{{3,80}}? {_SAYS} (?:that )?{_WORDS}"
)
# with a capital within a sentence: `Print Never run as root in red`
_CAPITAL = (
    rf"\b(?:{_SAYS}|print|show|display|write|with) [\"'“‘]?"
    r"(?-i:Always|Never|Do not|Don't|Please|You (?:must|should))\b"
)
_WRITTEN = (
    r"\b(?:there(?:'s| is| was| are)|has|have|had|found|saw|see|left|wrote|put)"
    rf" (?:an?|the|this|some|another) (?:[\w-]+ ){{0,2}}?{_TEXT}s?"
    rf"(?: [\"'“‘]|,? (?:that (?:says )?)?(?:must\b|{_RULES_OUT}))"
)
_SUBJECT = (
    r"(?:(?:the|our|my|their|his|her|an?|one|some) "
    r"(?:(?!(?:should|must|shall|can|could|will|would|may|to|i|we|you)\b)[\w'’-]+ ){1,3}?|"
    r"(?!(?:i|we|you|please|always|never|only|just|also|then|to|not|and|or)\b)\w+ )"
)
_TELLS = (
    r"(?:says?|said|states|stated|tells|thinks?|thought|believes?|believed|claims|claimed|"
    r"insists?|insisted|argues?|argued|suggests?|suggested|mentioned|complains?|complained|"
    r"(?:wrote|writes) (?:that|we|you)\b)"
)
# `The client says the hero should never be centered`, unless an order follows from it
_REPORT = rf"^(?!.*{CONCLUDES}){PLEASE}{_SUBJECT}{_TELLS}\b(?! of\b)"
# `Rename the heading to From now on …`
_RENAMED = (
    rf"^{PLEASE}(?:rename|retitle|reword|change|set|update) (?:the|this|our|that|its) "
    rf"(?:[\w-]+ ){{0,3}}?{_TEXT}s? (?:[^,;:]{{1,40}} )?(?:to|as|into) [\"'“‘]?"
    r"(?-i:Always|Never|Do not|Don't|From now on|Please|You (?:must|should))\b"
)
# `Imagine you are …`, `Act as a reviewer who never …`
_IMAGINED = (
    rf"^{PLEASE}(?:(?:so|now|just|let's) )*(?:(?:imagine|suppose|pretend|say|assume|what if) "
    r"(?:that )?(?:i|we|somebody|someone|a user|the user|he|she|they) (?:\w+ )?(?:said|told|asked|"
    r"says?|tells?|asks?|wrote|writes?|ordered|typed|types?)\b|"
    r"(?:imagine|suppose|pretend) (?:that )?(?:you(?:'re| are|'d| were)?|i(?:'m| am)|he|she) "
    r"[^,;:]{2,80} (?:who|that)\b|(?:act|behave|answer|respond) (?:as|like) (?:an?|the|my|our) "
    r"[^,;:]{2,60} (?:who|that) (?:\w+ )?(?:always|never|only)\b|"
    r"hypothetically(?: speaking)?\b|in theory,)"
)

ENGLISH = (
    f"{_MESSAGES}|{_TO_BE_TOLD}|{_SHOWN}|{_CAPITAL}|{_WRITTEN}|{_REPORT}|{_RENAMED}|{_IMAGINED}"
)
GERMAN = (
    r"^(?:bitte )?(?:sage?|sagt|richte|teile?|erinnere?|erklär\w*) (?:bitte )?(?!mir\b|uns\b)"
    rf"(?:(?:dem|der|den|unserem|unserer) (?:[\w-]+ )?[\w-]+|ihm|ihr|ihnen|{_NAME})"
    r"[^,]{0,40},? (?:dass|er|sie|nie|niemals|immer)\b|"
    rf"^(?:bitte )?(?:schreibe?|maile?|antworte?) (?:bitte )?(?:(?:dem|der|den) [\w-]+|ihm|ihr|"
    rf"ihnen|{_NAME}) [^,]{{0,40}}(?<! so), dass\b|"
    r"^(?:der|die|das|ein|eine|im|in der) (?!commit)[^,;:]{3,60}? (?:soll|sollte|muss) "
    r"(?:lauten|heißen|sagen)\b"
)
FRENCH = (
    r"^(?:stp |s'il (?:te|vous) plaît,? )?(?:dis|dites|demandez?|rappelle|rappelez|explique|"
    r"écris|écrivez)"
    r"(?: bien)? (?:à|au|aux) [^,;:]{2,40}? (?:de (?:ne )?(?:toujours|jamais|pas)|qu['e])"
)
# one expression for both: a Spanish sentence may look Portuguese, and the other way round
SPANISH = PORTUGUESE = (
    r"^(?:por favor,? )?(?:dil?e?s?|pide|pídeles?|recuerda|recuérdale|avisa|avísale|"
    r"escríbeles?|explícale) "
    r"(?:a|al) (?!partir\b)[^,;:]{2,40}? que\b|"
    r"^(?:el|la|los|las|un|una) (?:mensaje|texto|título|aviso|botón|cartel)s? (?!de commit)"
    r"[^,;:]{0,40}?(?:tienen?|deben?) (?:que )?decir (?!(?:por )?qué\b|cómo\b)|"
    r"^(?:por favor,? )?(?:diz|diga|pede|peça|pedir|lembra|lembre|avisa|avise|escreve|escreva) "
    r"(?:a|à|ao|aos|às) (?!partir\b)[^,;:]{2,40}? (?:para|que)\b"
)
ITALIAN = (
    r"^(?:per favore,? )?(?:di'|dì|dite|chiedi|chiedete|ricorda|spiega|scrivi) "
    r"(?:a|al|alla|ai|agli|alle|allo|all') ?[^,;:]{2,40}? (?:di (?:non|mai|sempre)|che)\b"
)
DUTCH = (
    r"^(?:zeg|vertel|vraag|herinner|meld) (?:tegen |aan )?"
    r"(?!me\b|mij\b|ons\b|altijd\b|het me\b)(?:(?:de|het|onze) )?[\w-]+[^,;:]{0,40}?,? "
    r"(?:dat|om (?:nooit|altijd|niet))\b"
)
POLISH = (
    r"\bma brzmieć\b|"
    r"^(?:powiedz|poproś|przypomnij|przekaż|napisz do)(?! (?:mi|nam)\b) [^,;:]{2,40}?,? "
    r"(?:żeby|aby|by|że)\b|"
    r"^[^\W\d_]\w+(?: \w+)? (?:napisał|powiedział|mówił|chce|twierdzi)a?, (?:że|żeby)\b"
)
RUSSIAN = (
    r"^(?:скажи|попроси|напомни|передай|объясни)(?:те)?(?! (?:мне|нам)\b) "
    r"[^,;:]{2,40}?,? (?:чтобы|что)\b|^напиши(?:те)? (?-i:[А-ЯЁ])\w+,? чтобы\b|"
    r"^(?-i:[А-ЯЁ])\w+(?: \w+)? (?:написал|сказал|считает|говорит)[аи]?, (?:что|чтобы)\b"
)
CHINESE = (
    r"^(?:客户|老板|同事|领导|设计师|产品经理|甲方|文档)们?(?:说|认为|提到)|"
    r"^请?(?:告诉|提醒|通知|转告)(?!我)|(?:改成|改为|写上|显示|写着)[“\"「『]"
)
JAPANESE = (
    r"(?:さん|君|ちゃん|様|氏|チーム|レビュアー|担当者|新人)(?:たち)?に[、,]?.{0,80}?"
    r"(?:ように|と|って)(?:伝え|言って|頼ん|お願い|連絡)|"
    r"[「『](?:必ず|決して|絶対に|常に)[^「『」』]*[」』](?:と|って|に)(?:表示|書|変更|出力)"
)
