"""Find lists of what a product must do, say or look like: `Feedback from the client: - …`.

Lists about how to do the work are not included: `Rules for commits: - …`. Lists that
only offer a choice are found, too: `Which would you pick: - …`.
"""

import re
from collections.abc import Sequence

from git_lerim.extraction.transcript.text import LIST_ITEM

# words in the heading of a list about the work itself
_WORK = re.compile(
    r"\b(?:my|mine|your|you|i|me|we|us|how to|house|team|repo\w*|project|code|coding|code ?base|"
    r"commits?|committing|git|branch\w*|push\w*|prs?|pull requests?|reviews?|tests?|testing|docs?|"
    r"documentation|comments? (?:in|for|on)|naming|names|styles?|releas\w+|deploy\w*|work\w*|"
    r"agents?|claude|codex|general|ground|basic|golden|from now on|always|never|every|each|"
    r"conventions?|habits?|contributing|agents\.md|claude\.md|memor\w+|"
    r"mein\w*|dein\w*|ich|wir|uns\w*|commits|tests|arbeit\w*|"
    r"mes|mon|ma|tes|ton|ta|tu|je|nous|travail\w*|mis|tus|yo|nosotros|trabaj\w*|miei|tuoi|io|noi|"
    r"lavor\w*|meus|teus|seus|eu|trabalh\w*|mijn|jouw|ik|wij|werk\w*|moje|twoje|prac\w*|"
    r"мои|твои|работ\w*|коммит\w*|код\w*|ветк\w*|проект\w*|репо\w*|тест\w*)\b|"
    r"提交|代码|编码|测试|工作|仓库|コミット|コーディング|テスト|作業|開発",
    re.IGNORECASE,
)
_OF_PRODUCT = re.compile(r"\btest (?:cases|data|inputs)\b", re.IGNORECASE)
_OTHERS = (
    r"(?:client|customer|user|tester|qa|stakeholder|product|design(?:er)?|ux|beta|marketing|sales|"
    r"legal|boss|pm|po)"
)
_KIND = (
    r"(?:requirements?|spec(?:s|ification)?|acceptance criteria|user stor(?:y|ies)|"
    r"change requests?|"
    rf"{_OTHERS}(?:['’]?s)?(?: \w+)? (?:feedback|requirements?|wishes|notes|comments|remarks)|"
    rf"(?:feedback|comments|remarks|wishes|notes) (?:from|by|of) (?:the|our|a )?"
    rf"(?:{_OTHERS}s?\b|(?-i:[A-Z])[a-z]+|beta)|"
    r"(?:game|business|booking|pricing|domain|scoring|combat) (?:logic|rules?)|game mechanics|"
    r"rules of (?:the|this|a) (?:\w*game|puzzle|quiz|sport)|test (?:cases|data|inputs)|"
    rf"(?:things|what|everything|points|stuff) (?:that )?(?:the |our )?{_OTHERS}s? "
    r"(?:complained|complains|asked|asks|wants?|wanted|said|says|noticed|reported|needs)|"
    r"(?:system|app|bot|game|page|site|website|form|screen|service|server|cli|tool|program|api|"
    r"widget|dialog|importer|exporter|parser|checkout|cart) (?:should|must|has to|needs to)|"
    r"(?:ui )?(?:copy|strings?|labels?|translations)|"
    r"(?:button|error|toast|dialog|menu|ui) (?:texts?|messages?|labels?)|"
    r"anforderung\w*|spezifikation\w*|pflichtenheft|lastenheft|akzeptanzkriterien|"
    r"(?:kunden)?feedback (?:vom|von|der|des)|(?:rückmeldung\w*|anmerkung\w*|wünsche) "
    r"(?:vom|von|der|des)|kundenfeedback|spielregeln|geschäftsregeln|buchungsregeln|(?:ui-?)?texte|"
    r"exigences|cahier des charges|spécifications?|(?:retours?|remarques|demandes) (?:du|de la|des|"
    r"de)|règles (?:du jeu|métier|de réservation)|"
    r"requisitos|especificaci(?:ón|ones)|(?:comentarios|observaciones) del?|"
    r"reglas (?:del juego|de negocio|de reserva)|requisiti|specifiche|"
    r"(?:commenti|osservazioni|feedback) (?:del|della|dei|di)|regole (?:del gioco|di business)|"
    r"especificaç(?:ão|ões)|(?:comentários|feedback) (?:do|da|dos)|regras (?:do jogo|de negócio)|"
    r"eisen|vereisten|specificaties?|(?:feedback|opmerkingen) van|spelregels|"
    r"wymagania|specyfikacja|uwagi (?:od|klient\w*)|zasady gry|"
    r"требовани\w+|спецификаци\w+|(?:замечания|пожелания|отзывы?)|"
    r"правила (?:игры|бронирования|бизнеса)|"
    r"需求|规格|(?:客户|用户)(?:的)?(?:反馈|意见)|(?:业务|游戏|预订)规则|文案|"
    r"要件|仕様|(?:クライアント|顧客|お客様)(?:から)?の(?:フィードバック|要望)|文言|業務ルール)"
)
_REST = r"(?:[^.!?\n]|\.(?=\w)){0,80}"
_HEAD = re.compile(
    r"(?:#{1,6} |\*\*)?(?:(?:please|now|and|so|ok|here(?:['’]s| is| are)|(?:this|these|that) (?:is|"
    r"are)|apply|implement|add|use|follow) )*(?:(?:the|our|their|its|his|her|some|an?|these|die|"
    r"der|das|les?|la|los|las|el|il|i|le|os|as|de|het) )?"
    rf"(?:[\w'’/-]+ ){{0,3}}?[\u3040-\u9fff]{{0,12}}?{_KIND}(?![a-zà-ÿа-я-]){_REST}$",
    re.IGNORECASE,
)
# `The booking rules:`, in a prompt that asks to build something
_RULES = re.compile(
    r"(?:#{1,6} |\*\*)?(?:here are )?(?:the|its) (?:[\w-]+ ){1,2}(?:rules|logic|behaviou?r|flow)"
    r"(?: (?:is|are))?(?: as follows)?\W*$",
    re.IGNORECASE,
)
_BUILDS = re.compile(
    r"\b(?:build|implement|create|write|develop|add|make|design|code up|set up) (?:me |us )?"
    r"(?:the|an?|this|it|them|our|in)\b",
    re.IGNORECASE,
)
# `Which would you pick:`
_CHOICE = re.compile(
    r"(?:(?:so|and|ok|now|please),? )*(?:(?:which|what)(?: one| option| rule| (?:of|from) \w+)? "
    r"(?:would|do|should|is|are|sounds?|seems?)\b|"
    r"(?:was|welche[rns]?)\b.*\b(?:würdest|findest|nimmst|nähmst|ist besser|besser)\b|"
    r"(?:pick|choose|select) (?:one|the (?:better|best|right|nicer) one)\b|would you rather\b|"
    r"(?:lequel|laquelle|que choisi\w+|quel\w* \w+ préf\w+)\b|cuál\b|qual[ei]?\b|welke\b)"
    r"[^.!?\n]{0,60}$",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"\b(?:pick|choose|select|rather|prefer|take|recommend|better|best|right|correct|nicer|"
    r"cleaner|wähl\w*|nehm\w*|nimmst|besser|lieber|préf\w+|choisi\w*|mieux|meilleure?|elig\w+|"
    r"prefier\w+|mejor|scegli\w*|preferi\w+|meglio|escolh\w+|melhor|kies\w*|beter)\b",
    re.IGNORECASE,
)
_ITEM = re.compile(rf"{LIST_ITEM.pattern}|\s*[a-h]\)\s")
_SENTENCE = re.compile(r"(?<=[.!?]) +")
_MARKS = "*_:：?¿ \t"


def without_product_lists(lines: Sequence[str]) -> list[str]:
    """Return the lines of a prompt, with empty lines for the items of lists about the product."""
    builds = any(_BUILDS.search(line) for line in lines if not _ITEM.match(line))
    kept: list[str] = []
    is_below = inside = False
    for line in lines:
        if _ITEM.match(line):
            inside = is_below
        elif line.strip() and not (inside and line.startswith((" ", "\t"))):
            is_below, inside = _is_head(line, builds=builds), False
        kept.append("" if inside else line)
    return kept


def _is_head(line: str, *, builds: bool) -> bool:
    """Return whether a line says that the list below it is about the product, or to choose from."""
    last = _SENTENCE.split(line.strip().rstrip(_MARKS))[-1].lstrip("¿")
    if _CHOICE.match(last) and _MEANS.search(last):
        return True
    if _WORK.search(_OF_PRODUCT.sub("", last)):
        return False
    return _HEAD.match(last) is not None or (builds and _RULES.match(last) is not None)
