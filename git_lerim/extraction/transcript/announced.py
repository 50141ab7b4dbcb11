"""Recognize a message that announces the next one as a text: `I'll paste the mail next`."""

import re

from git_lerim.extraction.transcript.dictated import ends_in_order
from git_lerim.extraction.transcript.text import LIST_ITEM

_TEXT = (
    r"(?:(?:e-?)?mails?|messages?|text|letter|notes?|guidelines?|docs?|spec(?:ification)?|prompt|"
    r"logs?|output|files?|article|post|tickets?|issues?|transcript|runbook|draft|thread|comments?|"
    r"review|feedback|reply|answer|speech|strings?|copy|rules|paragraphs?|readme|changelog)"
)
_SEND = r"(?:paste|copy|(?:send|post|forward|share|give|show) (?:you|it|them|this|here))"
_I_WILL = (
    r"(?:I(?:['’]ll| will|['’]m (?:going|about) to| am (?:going|about) to| shall)|let me|"
    r"(?:we|I)(?:['’]re| are) going to)(?: now| then)?"
)
_NEXT = (
    r"(?:next\b(?! (?:time|week|month|year|sprint))|now\b(?! and then)|below|right after|after "
    r"this|in a (?:sec\w*|minute|moment|bit))"
)
_BEGIN = r"(?:^|[.!?;] +)"
_TEXT_ABROAD = (
    r"(?:text\w*|e-?mail|mail|nachricht|brief|prompt|logs?|ausgabe|datei|entwurf|artikel|regeln|"
    r"richtlinien|textes?|message|lettre|consignes|brouillon|article|correo|mensaje|carta|"
    r"borrador|artículo|normas|testo|messaggio|lettera|bozza|articolo|regole|mensagem|"
    r"rascunho|artigo|regras|bericht|tekst\w*|regels|wiadomość|list|regulamin|текст\w*|письмо|"
    r"сообщение|статью|правила)\b"
)
_ENGLISH = (
    rf"\b{_I_WILL} {_SEND}\b[^.!?;]{{0,80}}\b{_NEXT}|"
    rf"{_BEGIN}(?:next|now|then),? {_I_WILL} {_SEND}\b|"
    r"\bin (?:my|the) (?:next|following) (?:message|prompt)\b|"
    rf"\b(?:what|whatever|the \w+(?: that)?) (?:i|{_I_WILL}) (?:send|paste|post|share)"
    r"(?: you)? (?:next|now|below)\b|"
    r"\b(?:translate|proofread|summari[sz]e|rephrase|reword|shorten|review|correct|polish|"
    r"rewrite|spell-?check|explain|treat) (?:the|my) (?:next|following) (?:message|prompt|paste)\b|"
    rf"{_BEGIN}(?:the|my) (?:next|following) (?:message|prompt|paste) (?:is|will be|contains|has|"
    r"comes from)\b|"
    rf"{_BEGIN}(?:here|now|next|then) (?:comes|follows|is coming) (?:the|an?|my|our|their|his|her)"
    rf" (?:[\w-]+ ){{0,3}}?{_TEXT}\b|"
    rf"{_BEGIN}(?:the |my )?(?:paste|{_TEXT}) (?:is )?(?:coming|to follow|follows|incoming)"
    rf"(?: (?:up|next|now)\b|\W*$)"
)
_ABROAD = (
    r"(?:\b(?:ich (?:schicke|sende|poste|kopiere|gebe)|schicke ich) (?:dir |euch |hier )?"
    rf"(?:gleich|jetzt|als nächstes|danach)|{_BEGIN}(?:gleich|jetzt|als nächstes|nun) "
    r"(?:kommt|folgt)|\b(?:te |les )?(?:pego|envío|mando|paso) (?:ahora|a continuación|luego|"
    r"después)|\b(?:incollo|mando|invio|giro) (?:ora|adesso|dopo|tra poco|subito)|"
    r"\b(?:vou|já te) (?:colar|mandar|enviar) (?:agora|a seguir|em seguida)|"
    r"\bik (?:plak|stuur|post) (?:je |hier )?(?:zo|straks|nu)|"
    r"\b(?:zaraz|teraz) (?:wkleję|wyślę|prześlę)|"
    rf"\bсейчас (?:пришлю|вставлю|скину|отправлю)) [^.!?;]{{0,40}}?\b{_TEXT_ABROAD}|"
    rf"\bje (?:te |vous )?(?:colle|envoie|poste|donne)\b[^.!?;]{{0,40}}\b{_TEXT_ABROAD}"
    r"[^.!?;]{0,20}\b(?:ensuite|juste après|maintenant)\b|"
    r"\b(?:die|meine|in der) nächsten? (?:nachricht|eingabe)\b|\b(?:le|mon) prochain message\b|"
    r"\b(?:el|mi) (?:próximo|siguiente) mensaje\b|\b(?:il|nel) prossimo messaggio\b|"
    r"\b(?:a|na) próxima mensagem\b|\b(?:het|mijn) volgende bericht\b|"
    r"\b(?:następn\w+|kolejn\w+) wiadomoś\w+|\bследующе\w+ сообщени\w+|"
    r"下一条(?:消息|信息)?|接下来我(?:会|要)?(?:发|贴|粘贴)|次(?:の|に)(?:メッセージ|送る|貼る)"
)
_ANNOUNCES = re.compile(f"{_ENGLISH}|{_ABROAD}", re.IGNORECASE | re.MULTILINE)
# `Reply to this mail:`
_LEFT_OPEN = re.compile(
    rf"(?:reply|answer|respond|react) to (?:this|that|the following) (?:[\w-]+ ){{0,2}}?{_TEXT}"
    rf"[^:\n]{{0,40}}[:：]$|"
    r"(?:(?:please|now|then|also|can you|could you) )*(?:summari[sz]e|translate|"
    r"rephrase|reword|proofread|paraphrase|shorten|classify|spell-?check|"
    r"fix (?:the )?(?:grammar|commas|typos))"
    rf"\b[^:.!?\n]{{0,60}}[:：]$",
    re.IGNORECASE,
)
# how a message begins that comes before, or instead of, the announced text
_INSTEAD = re.compile(
    r"\W*(?:wait|actually|also|before|first|sorry|no|oh|hm+|never ?mind|forget|one (?:more )?thing|"
    r"ok(?:ay)?|but|and|btw|warte|moment|ach|vorher|attends|avant|espera|antes|aspetta|prima|"
    r"wacht|eerst|czekaj|подожди|from now on|ab (?:jetzt|sofort)|künftig|désormais|à partir de|"
    r"a partir de|d['’]ora in|voortaan|od teraz|впредь)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?]) +")
_REST = 160  # characters after an announcement; more may contain the text itself


def announces_next(prompt: str) -> bool:
    """Return whether a message says that the next one is text, or ends before a text."""
    text = prompt.strip()
    if not text:
        return False
    last = text.splitlines()[-1].strip()
    lead = LIST_ITEM.match(last)
    end = _SENTENCE.split(last[lead.end() :] if lead else last)[-1]
    announced = _ANNOUNCES.search(text, max(0, len(text) - 3 * _REST))
    near = announced is not None and len(text) - announced.end() <= _REST
    return near or _LEFT_OPEN.match(end) is not None or ends_in_order(last)


def is_announced(before: str, prompt: str) -> bool:
    """Return whether a message is the text that the one before it announces."""
    return announces_next(before) and not _INSTEAD.match(prompt)
