"""Recognize lines that introduce what somebody else or a file says, such as `Reply by Bob`."""

import re

SAYS = (
    r"(?:says?|said|writes?|wrote|reads?|states?(?! of\b)|stated|recommends?|suggests?|advises?|"
    r"replied|answered|commented|posted|requires?|tells? us|thinks|prints?|printed|complains|"
    r"warns|told (?:me|us)|asked (?:me|us)|schreibt|schrieb|sagt|sagte|meint|antwortete|empfiehlt|"
    r"écrit|a (?:écrit|dit|répondu)|escribe|escribió|dice|dijo|scrive|ha (?:scritto|detto)|"
    r"schrijft|schreef|zegt|zei|escreve|escreveu|diz|disse|pisze|"
    r"napisała?|mówi|powiedziała?|пишет|написала?|говорит|сказала?)"
)
SELF = (
    r"(?:(?<!npm )I|we|you|let me|let us|let's|please|ich|wir|du|je|j['’]ai|nous|yo|nosotros|io|"
    r"ik|wij|eu|ja|я|мы)\b"
)
FOREIGN_TEXTS = (
    r"(?:(?:(?:die|der|das|la|le|el|il|lo|de|het|o|a) |l['’])?(?:Antwort|Nachricht|Mail|Kommentar|"
    r"Réponse|Message|Commentaire|Respuesta|Mensaje|Risposta|Messaggio|Antwoord|Bericht|Resposta|"
    r"Mensagem|Odpowiedź|Wiadomość|Ответ|Сообщение))"
)
# behind a German genitive without an apostrophe; `message` would take `Status message`, too
GERMAN_TEXTS = r"(?:Antwort|Nachricht|Kommentar)"
# `Answer of Gemini`, `Response from the reviewer`: a line of its own without a colon
_BARE = re.compile(
    r"(?:the )?(?:code |review )?(?:answer|response|reply|comment|feedback|message|review|"
    r"remark)s? (?:of|from|by) "
    r"(?:the [\w-]+|@[\w.-]+|(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z0-9])[\w.-]*){0,2})$|"
    rf"{FOREIGN_TEXTS} (?:von|de|di|da|van|od|от) (?-i:[A-Z])[\w-]+$|"
    rf"(?!als |was |das )(?-i:[A-Z])[\w-]+s {GERMAN_TEXTS}$|"
    r"(?!(?:let|what|it|here|that|there|today|user)['’])(?-i:[A-Z])[\w-]*['’]s (?:answer|response|"
    r"reply|comment|feedback|message|review|take|verdict|opinion)s?$|"
    r"(?:the )?review comment(?: (?:on|in|at) \S+\.\w{1,5}(?::\d+)?)?$",
    re.IGNORECASE,
)
# `@bob wrote in https://…`, with the words on the rest of the line or below it
_AT_ADDRESS = re.compile(
    rf"(?!{SELF}|(?:see|as|what|like|read|fix|if|when)\b)(?:@[\w.-]+|[\w.'’-]+(?: [\w.'’-]+)?) "
    rf"{SAYS}(?: this| that)? (?:in|on|at|under) <?https?://\S+",
    re.IGNORECASE,
)
# `The TODO in the file is: …`
_IN_FILE = re.compile(
    r"the (?:[\w-]+ )?(?:todo|fixme|comment|docstring|docs?|readme|text|note|line|paragraph|"
    r"section)s? (?:in|of|on|above|at) [^:!?\n]{1,60} (?:is|are)[:：](?=\s|$)",
    re.IGNORECASE,
)
_TEXT = r"(?:review|comment|feedback|message|remark|suggestion|rezension|kommentar|anmerkung)"
_ROLE = r"(?:reviewer|maintainer|customer|client|boss|manager|colleague|tester|architect)"
_TALK = (
    r"(?:PR|MR|(?:pull|merge) request|issue|ticket|review|thread|call|meeting|standup|spec|wiki)"
)
_NUMBER = r"(?:#\d+|(?-i:[A-Z]+)-\d+)"
_CHAT = r"(?-i:Slack|Teams|Discord|Zulip)"
# no plural, no acronym, and nothing that is told to do something
_CALLED = (
    r"(?!(?:answer|reply|post|write|login|sign|ask|talk|discuss)\b)"
    r"(?-i:[A-Z])(?=[\w.-]{0,40}(?-i:[a-z]))[\w.-]{1,40}(?<!s)(?: (?-i:[A-Z])[\w.-]+)?"
)
_OWNER = rf"(?!let|what|it|here|that|there|today|user){_CALLED}"
_GAVE = (
    rf"(?:{SAYS}|wants?|wanted|(?:came|comes) up with|proposed|found|left|generated|produced|sent|"
    r"gave)"
)
# with which users introduce words of their own
_LABEL = (
    r"(?:rule|note|reminder|important|goal|task|todo|convention|policy|title|text|label|message|"
    r"motto|example|prompt|wish|name|error)\b"
)
_WHOSE = rf"(?:{_CALLED}|@[\w.-]+|the (?:{_TALK}|{_ROLE}))"
_DOCUMENT = r"(?:issue|ticket|bug report|page|article|e-?mail|mail|document|spec|thread|report|log)"
_PART = r"(?:text|body|contents?|description|output)"
# `Feedback of Bob on my PR: …`, `Issue #12: …`, `Bob in Slack: …`, `Bob (reviewer): …`
_OF_OTHER = re.compile(
    rf"(?:the )?(?:[\w-]+ )?(?:(?:{_TEXT}|notes?|mail|requirement)s? (?:from|by|von)|"
    rf"(?:{_TEXT}|mail)s? of|(?:text|body|minutes) of(?= the\b)|requirements? from)"
    rf" {_WHOSE}(?: [^:\n]{{1,30}})?[:：](?=\s|$)|"
    rf"(?:the )?(?:{_TALK}|{_CHAT}|{_ROLE}|linter|github|gitlab) {_TEXT}[:：](?=\s|$)|"
    rf"(?:the )?(?:(?:issue|ticket) {_NUMBER}[:：](?=\s|$)|{_TALK} {_NUMBER}[:：]$)|"
    rf"{_CALLED} (?:in|on|at|via|im) (?:(?:the |our |my )?{_TALK}(?: #?\d+)?|{_CHAT})[:：](?=\s|$)|"
    rf"{_CALLED} \({_ROLE}\)[:：](?=\s|$)|"
    rf"{_OWNER}['’]s (?:[\w-]+ ){{0,2}}{_TEXT}(?: [^:\n]{{1,40}})?[:：](?=\s|$)|"
    rf"{_OWNER}['’]s (?:{_TEXT}|answer|reply|response|mail|take|view|verdict)[:：]$|"
    rf"(?:quoting|citing|(?:forward(?:ing|ed)|fwd) (?:this |that )?(?:from|by)) {_WHOSE}[:：]"
    r"(?=\s|$)|(?:forwarded|fwd?)[:：]$|(?:#{1,6} |\*\*)?(?:the )?(?:(?:github|gitlab|jira) )?"
    r"(?:issue|ticket|bug report) (?:body|description|text)(?:[:：](?:\*\*)?|\*\*[:：])$|"
    rf"(?:this (?:is|came|comes)|fyi,?) from {_WHOSE}[:：]$|"
    rf"per (?:@[\w.-]+|the {_ROLE})[:：](?=\s|$)|@[\w.-]+[:：]$|"
    rf"here(?:['’]s| is) (?:the|an?|their|his|her) (?:[\w-]+ )?{_DOCUMENT}(?:['’]s)? {_PART}[:：]$|"
    rf"(?:the )?{_DOCUMENT}['’]s {_PART} (?:is|stands|follows)(?: below| here)?[:：.]?$|"
    r"(?:(?:the |an? )?(?:other |another )?(?:sub-?)?agent(?:['’]s)?|another agent)"
    r" (?:report|output|summary|result|sent|said|wrote)s?(?: this)?[:：]$|error output[:：]$|"
    r"(?:quote|zitat|citation)[:：]$|"
    rf"(?:here(?:['’]s| is| are) )?what {_WHOSE} {_GAVE}"
    r"(?: (?:about|at|for|in|me|on|to|us|yesterday)\b[^:,\n]{0,30})?[:：]$|"
    rf"{_WHOSE} {_GAVE}(?: this| that| the following)?[:：]$|"
    r"(?:here(?:['’]s| is| are)|(?:this|below) is) (?:the|an?|his|her|their) (?:[\w-]+ )?(?:"
    r"(?:e-?)?mails?|letter|thread|chat|conversation|transcript|review|comments?|reply|feedback)"
    r"(?: (?:I|we) (?:just )?(?:got|received|had)[^:\n]{0,30})?[:：]$|"
    rf"here(?:['’]s| is| are) the {_CALLED} (?:answer|reply|response|"
    r"review|comment|mail|message)s?[:：]$|"
    r"(?:the )?[\w-]+\.(?:md|mdc|rst|txt) (?:of|from) (?:that|another|the other|"
    r"their|his|her|[\w-]+['’]s)(?: [\w-]+){1,2}[:：]$|"
    r"(?:the )?(?:jira|github|gitlab|linear) (?:ticket|issue)[:：](?=\s|$)",
    re.IGNORECASE,
)
# `Bob: « … »`
_WITHIN_QUOTES = re.compile(
    rf"(?!{_LABEL}){_CALLED}[:：] *(?:«[^»]*»|“[^”]*”|„[^“”]*[“”]|\"[^\"]*\")[.]?$", re.IGNORECASE
)

# assistants, but not those whose names are words of their own, such as Cursor
_AGENT = r"(?:Claude(?: Code)?|(?:GitHub )?Copilot|Codex|Gemini|Qwen|DeepSeek|Grok)"
# with which a user begins a sentence: `Codex: …`, `Hey @claude, …`
ADDRESS = rf"(?:(?:hey|hi|hello)[,!] |(?:(?:hey|hi|hello),? )?@?{_AGENT}[,:!] )"
_ASSISTANT = rf"(?:{_AGENT}|ChatGPT|GPT-?\d[\w.]*|CodeRabbit(?:ai)?|Perplexity)"
_ASKS_OF = r"(?:please|pls|you|can|could|will|would|i|we)"
# how a user goes on who lays down a rule for an agent: `Codex: never touch vendor/`
_LASTING = (
    r"(?i:always|never|do not|don['’]t|from now on|in (?:the )?future|bitte|immer|niemals|nie|"
    r"ab (?:jetzt|sofort)|toujours|désormais|ne|siempre|nunca|no|por favor|sempre|não|non|"
    r"per favore|altijd|nooit|voortaan|zawsze|nigdy|proszę|всегда|никогда|пожалуйста)"
)
# `ChatGPT` on a line of its own, and `Copilot: …` unless it is the user who addresses it
_ASSISTANTS = re.compile(
    rf"(?!(?:Claude(?: Code)?|Codex)[:：]\**\s+{_LASTING}\b){_ASSISTANT}"
    rf"(?:$|[:：](?!\**\s+{_ASKS_OF}\b)(?=\s|$))"
)
# `The README of upstream says`, `CONTRIBUTING.md says`, without a colon
_SAYS_BELOW = re.compile(
    r"(?:(?:the|our|their|his|her|an?|one|some|der|die|das|unser|le|la|les|notre|el|los|il|de|het) "
    r"(?:(?:of|from|for) the |(?!(?:the|what|as|if|when)\b)[\w'’/.#-]+ ){1,5}|"
    rf"(?!{SELF}|(?:that|this|there|what|as|like|which|who|if|when)\b)[\w@.'’/-]+ |"
    r"(?-i:[A-Z])[\w.'’-]* (?-i:[A-Z])[\w.'’-]* )"
    r"(?:says?|said|writes?|wrote|reads|states|recommends|suggests|schreibt|sagt|écrit|dit|dice|"
    r"diz)$",
    re.IGNORECASE,
)
# `The vendor docs:`, but not `The user docs:`, for which a user may have rules
_DOCS = re.compile(
    r"the (?!(?:user|developer|dev|api|public|internal|project|new|code|module|design)\b)"
    r"(?:[\w.+-]+ ){1,3}(?:docs?|documentation|manual|handbook|guide|wiki|readme|faq)[:：]$",
    re.IGNORECASE,
)
# `I got this from ChatGPT, is it right?`
_TAKEN = re.compile(
    r"(?:(?:I|we|[\w-]+) )?(?:just )?(?:found|saw|read|got|copied|took|have) "
    r"(?:this|that|these|the following)(?: (?:rule|advice|tip|text|answer|snippet|suggestion)s?)? "
    r"(?:(?:from|on|off) |in (?=.*\b(?:docs?|wiki|readme|forum|issue|thread|chat|blog|article)\b))"
    r"[^:.!?\n]{1,60}[,;.] ?[^.!?\n]{1,60}[?？]$",
    re.IGNORECASE,
)
# `Add this to the onboarding email:`, unless agents read it there
_CONTENT = re.compile(
    r"(?:(?:please|now|also|then|can you|could you) )*"
    r"(?:add|put|insert|append|paste|write|copy|send|post|mail) (?:this|these|the following)"
    r"(?: (?:text|lines?|words|paragraph|sentences?|section|note|notice))? "
    r"(?:to|in|into|on|onto|at|under|below) "
    r"(?!.*\b(?:memor\w+|rules?|instructions?|conventions?|guidelines?|prompt|context|list|agents?|"
    r"claude|gemini|contributing|cursorrules|checklist)\b)[^:.!?\n]{1,60}[:：]$",
    re.IGNORECASE,
)
_PAPERS = (
    r"(?:release notes|changelog|readme|transcript|minutes|docs?|documentation|spec(?:ification)?|"
    r"requirements|terms|policy|article|[\w-]*\.(?:mdc?|cursorrules|rst|txt))"
)
_OTHERS = (
    r"(?:(?:the |our |an? |my |another |that |other )?(?:[\w-]+ )?(?:vendor|supplier|competitor|"
    r"customer|client|upstream|friend|colleague|boss|partner|library|repo|project|team|company)\b)"
)
# `Here are the release notes of foo 3.0, do they break us:`, `Slack thread:`,
# `My friend's .cursorrules:`, `REQUIREMENTS v2 (from product)`
_PAPER = re.compile(
    rf"(?:here(?:['’]s| is| are)|(?:this|below) is|these are) (?:(?:the|an?|some|their|his|her) )?"
    rf"(?:[\w-]+ ){{0,2}}?{_PAPERS} (?:of|for|from) (?!now\b|us\b|me\b|you\b|our\b|this\b)"
    r"(?:[^:!?\n]){1,100}[:：?？]$|"
    r"(?:here(?:['’]s| is) )?(?:the )?(?:meeting |call )?(?:transcript|minutes)"
    r"(?: (?:of|from)\b[^:.!?\n]{1,60})?(?:[:：]| attached[:：.]?)?$|"
    rf"(?:the |this )?{_CHAT} (?:thread|chat|conversation|channel|messages)[:：]$|"
    rf"{_OTHERS}['’]s (?:[\w-]+ )?(?:{_PAPERS}|rules|prompt|guidelines|conventions)[:：]$|"
    rf"(?:[\w-]+ )?(?:{_PAPERS}|rules) (?:of|by|from) "
    rf"(?:the |an? |another )?(?:other |foreign )?{_OTHERS}[:：]$|"
    rf"(?:[\w-]+ ){{0,3}}?(?:{_PAPERS}|rules|guidelines|notes|feedback|plan|proposal)(?: [\w.]+)? "
    r"\(from (?!now\b|here\b|today\b|me\b|us\b|this\b|\d)(?:the )?[\w-]+(?: team)?\)[:：]?$|"
    # `Email from legal below. thoughts?`
    rf"(?:the |an? )?(?:(?:e-?)?mails?|messages?|memo|letter|thread|{_TEXT}s?) (?:from|by|of) "
    r"(?!now\b|me\b|us\b)[^:.!?\n]{1,40} (?:below|attached|follows|pasted)(?: here)?(?:[.,;:?–-]|$)"
    r"(?: ?[^.!?\n]{1,40}[.?？]?)?$|"
    r"ich habe (?:folgende|diese) (?:e-?mail|mail|nachricht|antwort)\b[^:.!?\n]{0,40}[:：]$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?]) +")


def is_head(line: str) -> bool:
    """Return whether a line introduces the words of somebody else, or of a file, below it."""
    last = _SENTENCE.split(line)[-1]
    heads = (_BARE, _SAYS_BELOW, _CONTENT, _DOCS, _PAPER)
    if any(each.match(last) for each in heads) or _TAKEN.match(line) or _PAPER.match(line):
        return True
    found = _head(line)
    return found is not None and found.end() == len(line)


def quotes_other(line: str) -> bool:
    """Return whether a line names a person, an address or a file and quotes it."""
    return _head(line) is not None or _WITHIN_QUOTES.match(line) is not None


def _head(line: str) -> re.Match[str] | None:
    heads = (_AT_ADDRESS, _IN_FILE, _OF_OTHER, _ASSISTANTS)
    return next((found for head in heads if (found := head.match(line))), None)
