"""Find text that a prompt dictates, or gives to work on: `Draft a mail: …`."""

import re
from collections.abc import Iterator, Sequence

from git_lerim.extraction.transcript.given_text import asks_about_page, introduction
from git_lerim.extraction.transcript.text import LIST_ITEM

_IN_ORDER = r"(?:[^:.!?\n]|\.(?=\w))"
_ENDS = r" ?[:：](?=\s|$)"
_POLITE = (
    r"(?:(?:please|pls|now|also|then|next|and|ok|okay|bitte|por favor|can you|could you|"
    r"would you),? )*"
)
_THIS = r"(?:this|that|these|the following|folgendes|das|ceci|cela|ça|esto|questo|isto)"
# what is written for others to read
_TEXT = (
    r"(?:e-?mail|mail|message|reply|answer|response|letter|tweet|(?:blog ?)?post|article|"
    r"announcement|press release|release notes?|(?:changelog|FAQ|blog) entry|comment|docstring|"
    r"tooltip|banner|copy|headline|slogan|description|paragraph|sentence|notice|system prompt|"
    r"text|wording|template|speech|caption|newsletter|"
    r"Antwort|Nachricht|Brief|Beitrag|Blogbeitrag|Artikel|Kommentar|Ankündigung|"
    r"courriel|réponse|lettre|billet|commentaire|annonce|correo|mensaje|respuesta|carta|artículo|"
    r"comentario|messaggio|risposta|lettera|articolo|commento|mensagem|resposta|artigo)\b"
)
_DOCUMENT = (
    r"(?:README\b(?:\.\w+)?|docs?|documentation|wiki|FAQ|changelog|manual|handbook|website|"
    r"home ?page|landing page|Doku(?:mentation)?|Handbuch|Webseite|manuel|documentación|"
    r"documentazione|documentação|(?:[\w.~-]*/)*[\w-][\w.-]*\.(?:mdx?|rst|txt|adoc|html?)|"
    rf"{_TEXT})"
)
_WRITE = (
    r"(?:write|draft|compose|create|add|send|post|publish|prepare|put|insert|append|paste|include|"
    r"schreibe?|verfasse|entwirf|schicke?|sende|füge?|setze?|ergänze|trage?|"
    r"écris|écrivez|rédige|rédigez|ajoute|ajoutez|mets|mettez|envoie|"
    r"escribe|redacta|envía|añade|agrega|pon|scrivi|aggiungi|metti|invia|escreve|escreva|adicione)"
)
_NEW = (
    rf"(?:an?|another|some|new|{_THIS}|eine?n?|une?|una|um|uma|diese[nrs]?|cette?|este|esta|questa)"
)
_INTO = (
    r"(?:to|in|into|on|onto|at|under|ins?|im|auf|unter|zur|zum|dans|à|aux?|sur|sous|en|a|nel|nella|"
    r"al|alla|no|na|ao|à)"
)
_DETERMINER = r"(?:(?:the|our|my|this|die|der|das|den|dem|le|la|les|el|los|las|il|lo|o)\s|l['’])?"
_BE = r"(?:should be|must be|would be|is)"
# texts for people, not for the agent
_FOR_PEOPLE = (
    r"(?:questions?|answers?|slogan|motto|sign|poster|sticker|notice|warning|hint|tip|text|line|"
    r"message|mail|quiz|riddle|joke|haiku|poem|toast|flash ?card|announcement|invitation)"
)
_PEOPLE = (
    r"(?:interns?|trainees?|students?|kids|children|pupils|guests?|visitors?|users?|customers?|"
    r"clients?|players?|readers?|newcomers?|new hires?|employees|staff|colleagues?|attendees|"
    r"team(?:mates)?|everyone|everybody|neighbou?rs?|tenants?)"
)
_CHANGE = r"(?:set|change|update|replace|reword|rewrite|make|edit)"
_ORDERS = tuple(
    re.compile(_POLITE + order, re.IGNORECASE)
    for order in (
        # `Add this system prompt to src/prompt.py: …`, `Write a blog post. Title: …`
        (
            rf"{_WRITE} (?:me |us |mir |uns )?{_NEW} (?:[\w-]+ ){{0,3}}?{_TEXT}{_IN_ORDER}{{0,60}}?"
            rf"(?:{_ENDS}|\.(?= (?:title|subject|headline|heading|intro\w*|body|text|betreff): ))"
        ),
        # `Schreibe in die Doku: …`
        (
            rf"{_WRITE} (?:{_THIS} )?{_INTO} {_DETERMINER}(?!contributing)(?:[\w-]+ )?{_DOCUMENT}"
            rf"(?: (?:under|of|for|below|at|on|ein|hinzu)\b{_IN_ORDER}{{0,40}}?)?{_ENDS}"
        ),
        # `Write a CONTRIBUTING.md with the following content: …`
        (
            rf"(?:{_WRITE}|{_CHANGE}|fill) {_IN_ORDER}{{1,80}}? (?:with|using) (?:the|{_THIS}) "
            rf"(?:[\w-]+ )?(?:contents?|text|wording|body|copy|inputs?|sentences?|strings?){_ENDS}"
        ),
        # `Commit with the message: …`
        (
            rf"(?:commit|amend)\b{_IN_ORDER}{{0,40}}? (?:with|using) (?:(?:the|a|{_THIS}) )?"
            rf"(?:commit )?message{_ENDS}"
        ),
        (
            rf"(?:set (?:the|its|our) (?:[\w-]+ ){{0,3}}?{_TEXT}"
            rf"(?: (?:of|in|for|on) {_IN_ORDER}{{1,40}}?)?|"
            rf"{_CHANGE} (?:the|its|our) (?:[\w-]+ ){{0,3}}?{_TEXT}(?: {_IN_ORDER}{{1,40}}?)? "
            rf"(?:to|with|say|read|as follows)(?: {_THIS})?){_ENDS}"
        ),
        (
            rf"(?:say|tell|show|display) (?:to )?(?:the|a|our) (?:user|customer|visitor|client)s?\b"
            rf"{_IN_ORDER}{{0,60}}?{_ENDS}"
        ),
        (
            rf"(?:the |our )?(?:[\w-]+ ){{0,3}}?{_TEXT}(?: (?:in|on|of|for) {_IN_ORDER}{{1,40}}?)? "
            r"(?:should|must|shall) (?:say|read|state)(?: (?:this|as follows))?"
            rf"(?:{_ENDS}|(?<=follows)\.$)"
        ),
        # `Write a section. It should say: …`, `Add to the guide for another project: …`
        (
            rf"(?:{_WRITE}|{_CHANGE}) {_IN_ORDER}{{1,80}}[.;,] (?:it|this|that|which) "
            rf"(?:should|must|shall) (?:then )?(?:say|read|state|contain){_ENDS}|"
            rf"{_WRITE} {_IN_ORDER}{{1,60}} (?:of|for|in) (?:the other|another|their|his|her) "
            rf"{_IN_ORDER}{{2,30}}{_ENDS}"
        ),
        # `The wizard should then show: …`
        (
            r"(?:the|our|an?) (?!(?:\w+ )?(?:sub-?)?(?:agents?|model|assistant)\b)"
            rf"(?:[\w-]+ ){{1,3}}?(?:should|must|shall) (?:then |also )?"
            rf"(?:show|display|print|say|tell the user){_ENDS}"
        ),
        # `Quiz question for the interns: …`, `The answer should be: …`
        (
            rf"(?:(?:an?|the|one|another|{_THIS}) )?(?:[\w-]+ ){{0,3}}?{_FOR_PEOPLE}"
            rf" (?:for|to) (?:(?:the|our|my|all) )?(?:[\w-]+ ){{0,2}}?{_PEOPLE}{_ENDS}|"
            rf"(?:(?:an?|the) )?(?:example|sample|dummy|fake|placeholder) (?:[\w-]+ )?{_TEXT}"
            rf"{_IN_ORDER}{{0,40}}?{_ENDS}|"
            rf"(?:the )?(?:(?:right|correct|wrong|false|model) )?(?:answer|option|choice) "
            rf"(?:\w {_BE}|{_BE}(?<!is)){_ENDS}"
        ),
        (
            rf"{_IN_ORDER}{{0,80}}?\b{_THIS} (?:tweet|post|sentence|quote|statement|paragraph|"
            rf"claim|headline|slogan){_ENDS}"
        ),
    )
)
# what agents read as rules, and what users say of their own rules
_OWN = re.compile(
    r"\b(?:AGENTS|CLAUDE|GEMINI|\w*rules?|\w*instructions?|memor(?:y|ies)|conventions?|guidelines?|"
    r"checklist|your (?:(?:system )?prompt|context|notes|list)|each|every|always|never|whenever|"
    r"like this|immer|jede[mnrs]?|toujours|"
    r"chaque|siempre|cada|sempre)\b|\bcursorrules\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;]) +")
_PAGE = 600  # minimum length of a page below a question about it
# `When there is no config the error prints`, with the text on the line below it
_SHOWS_BELOW = re.compile(
    r"(?:(?:when|if|on|in|at|after) [^:.!?\n]{2,80}?,? )?(?:the|our|this|an?) (?:[\w-]+ ){0,3}?"
    r"(?:errors?|message|banner|tooltip|dialog|popup|toast|page|screen|sign|label|placeholder|"
    r"button|program|script|command|cli|app|terminal|console|log|hook)"
    r"(?: (?:in|on|for|at|of|over|below|above) [^:.!?\n]{1,40}?)? "
    r"(?:prints?|says?|reads?|shows?|displays?|outputs?|echo(?:es)?|complains|reports|warns)$",
    re.IGNORECASE,
)


def without_dictated(lines: Sequence[str]) -> list[str]:
    """Return the lines of a prompt without the text that they dictate or give to work on.

    That is the rest of the line with the order, or all lines below it, since nothing shows where
    the text ends.
    """
    kept: list[str] = []
    shown = False
    for place, line in enumerate(lines):
        if shown and line.strip():
            shown = False
            kept.append("")
            continue
        if asks_about_page(line) and sum(map(len, lines[place + 1 :])) >= _PAGE:
            kept.append(line)
            break
        shown = shown or _SHOWS_BELOW.match(line.strip()) is not None
        order = _order(line) or _introduction(line)
        if order is None:
            kept.append(line)
            continue
        start, end = order
        below = not line[end:].strip()
        if below and not any(each.strip() for each in lines[place + 1 :]):
            kept.append(line)
            continue
        kept.append(line[:start])
        if below:
            break
    return kept


def ends_in_order(line: str) -> bool:
    """Return whether a line ends with an order to write a text, without the text itself."""
    order = _order(line)
    return order is not None and not line[order[1] :].strip()


def _order(line: str) -> tuple[int, int] | None:
    """Return where an order to write a text begins and ends in a line."""
    for start in _starts(line):
        for order in _ORDERS:
            found = order.match(line, start)
            if found and not _OWN.search(found[0]):
                return found.span()
    return None


def _introduction(line: str) -> tuple[int, int] | None:
    """Return where a sentence that introduces a text to work on begins and ends in a line."""
    found = next(filter(None, (introduction(line, start) for start in _starts(line))), None)
    return found.span() if found else None


def _starts(line: str) -> Iterator[int]:
    """Yield where the sentences of a line begin."""
    item = LIST_ITEM.match(line)
    begins = item.end() if item else len(line) - len(line.lstrip())
    yield begins
    yield from (each.end() for each in _SENTENCE.finditer(line, begins))
