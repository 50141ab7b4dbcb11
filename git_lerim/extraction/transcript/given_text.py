"""Recognize how a prompt introduces a text to work on: `True or false? …`, `My prompt: …`."""

import re

_POLITE = (
    r"[¿¡]?(?:(?:please|pls|now|also|then|and|so|ok|okay|hey|hi|bitte|por favor|can you|could you|"
    r"would you|will you),? )*"
)
_WITHIN = r"(?:[^:.!?\n]|\.(?=\w))"
_ENDS = r" ?[:：](?=\s|$)"
_TRUE_OR_FALSE = (
    r"(?:is (?:it|this|that) )?"
    r"(?:(?:true|right|correct|fact|yes) or (?:false|wrong|incorrect|fiction|myth|no|not)|"
    r"agree or disagree|myth or fact|"
    r"(?:wahr|richtig) oder (?:falsch|unwahr|nicht|unsinn)|(?:vrai|juste) ou (?:faux|non)|"
    r"(?:verdadero|cierto|correcto) o (?:falso|no|incorrecto)|(?:vero|giusto) o (?:falso|no)|"
    r"(?:verdadeiro|certo) ou (?:falso|não|errado)|(?:juist|waar) of (?:onjuist|niet waar|onwaar)|"
    r"(?:waar|goed) of fout|prawda czy (?:fałsz|nie)|правда или (?:ложь|нет|неправда))"
    r" ?[?？:：](?=\s|$)"
)
_VERBS = (
    r"\b(?:translat|proofread|summari[sz]|rephras|reword|shorten|polish|rewrit|check|correct|"
    r"explain|classif|improv|review|(?:fix|check) the (?:grammar|spelling|typos)|paraphras|"
    r"übersetz|korrigier|prüf|umformulier|kürz|erklär|tradui|corrig|vérifi|reformul|raccourci|"
    r"expliqu|tradu[czs]|corrij|revis|resum|explic|riassum|spieg|vertaal|vertal|verbeter|"
    r"przetłumacz|popraw|перевед|перевест|исправ)\w*"
)
_NEXT = (
    r"\b(?:(?:next|following) (?:\w+ )?(?:sentences?|lines?|paragraphs?|texts?|phrases?|passage|"
    r"statements?|quotes?|words)|(?:sentences?|lines?|paragraphs?|text|phrases?) below|"
    r"what follows|(?:nächste|folgende)[nrsm]? (?:Satz|Sätze|Zeilen?|Texte?|Absatz)|"
    r"(?:prochaine?|suivante?) (?:phrase|texte|ligne)|(?:phrase|texte|ligne|paragraphe) suivante?|"
    r"(?:siguiente|próxim[ao]|seguinte|seguente|prossim[ao]) "
    r"(?:frase|texto|línea|linha|oración|testo|riga)|"
    r"(?:frase|texto|línea|linha|oración|testo|riga) (?:siguiente|seguinte|seguente)|"
    r"volgende (?:zin|tekst|regel)|(?:następn|kolejn)\w+ (?:zdani\w|tekst|lini\w+)|"
    r"следующ\w+ (?:предложени\w|текст|строк\w))\b"
)
_WORKED_ON = (
    rf"(?={_WITHIN}{{0,100}}{_VERBS})(?={_WITHIN}{{0,100}}{_NEXT}){_WITHIN}{{5,160}}"
    r"[.:：?？](?=\s|$)"
)
_CLASSIFIED = (
    rf"{_POLITE}(?:classify|label|tag|categori[sz]e|rate|grade|annotate|score|judge|evaluate|"
    r"(?:decide|say|tell me) for|"
    r"klassifiziere?|bewerte|classe|classifie|clasifica|evalúa|classifica) "
    r"(?:each|every|all|these|the following|jede[nrs]?|alle|diese|chaque|cada|ogni)"
    r"(?: [\w-]+){0,2}? (?:lines?|sentences?|statements?|entr(?:y|ies)|examples?|prompts?|"
    r"Zeilen?|Sätze|Satz|Aussagen?|lignes?|phrases?|líneas?|frases?|frasi|righe|riga)\b"
    rf"{_WITHIN}{{0,80}}[.:：](?=\s|$)"
)
_CONVERTED = (
    rf"{_POLITE}(?:convert|transform|turn|reformat|format|translate|port|render|rewrite) "
    r"(?:(?:this|it|these|that|the following) )?(?:in)?(?:to|as) (?:an? )?(?:[\w-]+ )?[\w-]+"
    rf"{_ENDS}"
)
_SAMPLES = (
    rf"{_POLITE}(?:generate|write|give|make|create|list|invent|suggest|find|come up with)"
    rf" (?:me |us )?(?!(?:\w+ )?tests?\b){_WITHIN}{{0,40}}?\b(?:samples?|examples?|dummy|fake|"
    r"synthetic|variants?|variations?|versions?|paraphrases|rephrasings|alternatives)\b"
    rf"{_WITHIN}{{0,80}}?(?:{_ENDS}|\b(?:such as|like)\b)"
)
# a prompt for a program, not for the agent
_MY = r"(?:my|our|the|this|that|an?|their|his|her)"
_PROMPT = (
    rf"(?:is (?:my|our|this) (?:[\w'’-]+ ){{0,3}}?prompt\b(?!{_WITHIN}*\byou\b){_WITHIN}{{2,40}}\?|"
    rf"{_POLITE}(?:improve|shorten|fix|review|rewrite|rephrase|polish|check|translate|debug|"
    rf"optimi[sz]e|test|evaluate|make) {_MY} (?:[\w'’-]+ ){{0,3}}?prompt\b(?!{_WITHIN}*\byou\b)"
    rf"{_WITHIN}{{0,60}}{_ENDS}|"
    rf"here(?:['’]s| is) {_MY} (?:[\w'’-]+ ){{0,3}}?prompt\b(?!{_WITHIN}*\byou\b)"
    rf"{_WITHIN}{{0,80}}[.:：?](?=\s|$)|"
    rf"(?:(?:i|we) (?:wrote|have|made|use) |{_MY} (?:[\w-]+ )?(?:chat)?bot (?:has|uses|gets) )?"
    rf"{_MY} (?:[\w'’-]+ ){{0,3}}?prompt(?: (?:of|for|in|from) {_WITHIN}{{1,40}}?)?"
    rf"(?<!for you)(?: (?:is|was|says|reads|goes))?{_ENDS})"
)
_DOUBTED = (
    r"(?:is|are|does|do) (?:this|these) (?:(?:old|new) )?(?:(?:adr|docs?|documents?|decisions?|"
    r"records?|sections?|paragraphs?|pages?|polic(?:y|ies)|notes?|entry|statements?|texts?) )?"
    rf"(?:\d+ )?still {_WITHIN}{{2,40}}\?$"
)
# `Suppose I said: …`
_SUPPOSED = (
    r"(?:(?:ok|okay|so|now|and|well|mal),? )*(?:suppos(?:e|ing)|imagine|assum(?:e|ing)|pretend|"
    r"hypothetically|what if|let['’]?s (?:say|pretend|imagine|assume|suppose)|"
    r"stell dir vor|stellt euch vor|angenommen|nehmen wir an|hypothetisch|imagin(?:e|ez|ons)|"
    r"suppos(?:e|ez|ons)|imagina|imaginemos|supón|supongamos|immagina|immaginiamo|supponiamo|"
    r"suponha(?:mos)?|stel(?: je voor)?|załóżmy|wyobraź sobie|представь|предположим)\b"
    rf"(?:{_WITHIN}{{0,40}}\b(?:speaking|say|said|told|tell|wrote|typed|asked|sage?|sagte|würde|"
    r"schreibe?|dise|disais?|dis|demande|digo|dijera|diga|dico|dicessi|dissesse|zeg|powiem|скажу)\b"
    rf"{_WITHIN}{{0,20}})?{_ENDS}|"
    rf"you (?:play|are playing) (?:the|an?) {_WITHIN}{{2,60}}\b(?:quiz|game|play|story|sketch|"
    r"scene|film|movie|novel|role-?play)\b[^.!?\n]{0,20}[.:]|"
    r"(?:quote|joke|tip|fact|saying|proverb|motto|thought|wisdom|song|meme) of the "
    rf"(?:day|week|month|year|sprint){_ENDS}"
)
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_POLITE}{_TRUE_OR_FALSE}",
        _WORKED_ON,
        _CLASSIFIED,
        _CONVERTED,
        _SAMPLES,
        _PROMPT,
        _DOUBTED,
        _SUPPOSED,
    )
)
_CHANGE_IT = (
    r"(?:(?:please|pls|so|and|just|bitte|can you|could you) )*(?:(?:remove|delete|drop|shorten|"
    r"reword|rephrase|rewrite|fix|change|correct|update|translate|improve|make) it\b|"
    r"(?:lösch|entfern|streich|kürz|änder|korrigier|formulier|übersetz)\w* (?:ihn|sie|es)\b|"
    r"(?:supprim|enlèv|retir|corrig|raccourci|reformul|tradui)\w*-l[ae]\b|"
    r"(?:bórra|elimína|quíta|acórta|corríge|cámbia|tradúce)l[ao]\b|"
    r"(?:cancella|rimuovi|togli|accorcia|correggi)l[ao]\b)"
)
_ABOUT_TEXT = (
    r"(?:the|this|that|der|die|das|diese[rs]?|la|le|cette|ce|el|esta|este|questa|questo) "
    r"(?:[\w-]+ ){0,2}?(?P<noun>comment|sentence|docstring|paragraph|message|warning|tooltip|"
    r"wording|caption|headline|notice|hint|banner|Satz|Kommentar|Meldung|Absatz|Hinweis|phrase|"
    r"commentaire|frase|comentario|mensaje|commento|messaggio)\b"
)
# `This comment is outdated, remove it. …`, `The message is confusing. … Make it shorter.`
_CHANGED = re.compile(
    rf"{_ABOUT_TEXT}{_WITHIN}{{2,80}}?(?:[,;] (?:and )?{_CHANGE_IT}{_WITHIN}{{0,30}}[.:!](?= +\S)|"
    rf"[.:](?= .{{0,400}}[.!?] {_CHANGE_IT}[^.!?]{{0,30}}[.!]?$))",
    re.IGNORECASE,
)

# `Does this doc page help?`, above the page
_ASKS_ABOUT = re.compile(
    r"\b(?:this|these|that) (?:[\w-]+ ){0,2}?(?:docs?|documentation|articles?|rfc|"
    r"(?:doc|docs|man|manual|wiki|help|reference) pages?|(?:blog |forum )?posts?|threads?|guides?|"
    r"tutorials?|manuals?|specs?|specification|readme|papers?|excerpts?)\b"
    r"(?: [\w'’-]+){0,4}? (?:help(?:s|ful)?|appl(?:y|ies)|relevant|useful|related|answers?|"
    r"explains?|covers?|tells?|of (?:any )?use|any good|means?|mention)\b[^.!?\n]{0,60}\?$",
    re.IGNORECASE,
)


def introduction(line: str, start: int) -> re.Match[str] | None:
    """Return the sentence at a place in a line that introduces a text to work on, or None."""
    for form in _FORMS:
        if found := form.match(line, start):
            return found
    changed = _CHANGED.match(line, start)
    # else it may be a rule for such texts: `This comment is useless, remove it. Write no comments`
    if changed and changed["noun"].lower() not in line[changed.end() :].lower():
        return changed
    return None


def asks_about_page(line: str) -> bool:
    """Return whether a line asks what a page or article, perhaps given below, is worth."""
    return _ASKS_ABOUT.search(line.strip()) is not None
