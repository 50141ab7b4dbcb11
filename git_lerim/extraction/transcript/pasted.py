"""Find text that a prompt marks as somebody else's: a quoted page or file, a mail, a log."""

import re
from collections.abc import Iterator, Sequence

from git_lerim.extraction.transcript.heads import SAYS, SELF, is_head, quotes_other

# Announces somebody else's words, on the rest of the line or below it.
_ATTRIBUTED = re.compile(
    rf"(?!.*\b{SELF}[^:]{{0,40}}\b{SAYS}\b)(?:[^:.!?\n]|\.(?=\w)){{2,100}}\b{SAYS}\b"
    r"[^:.!?\n]{0,40}[:：](?=\s|$)",
    re.IGNORECASE,
)
# `Bob told me the following. …`
_TOLD = re.compile(
    r"(?!(?:I|we|you) )[^:.!?\n]{2,60}\b(?:told|sent|wrote|gave|forwarded|mailed|asked) (?:me|us)"
    r"(?: (?:this|that|the following)[.:]|:)(?=\s|$)",
    re.IGNORECASE,
)
_COPIED = re.compile(
    r"(?:(?:here (?:is|are) )?(?:the |some )?(?:notes?|excerpts?|quotes?|snippets?|parts?|"
    r"sections?|rules?|guidelines?|advice|text|copied|pasted|taken|quoted|quoting)"
    r" (?:taken |copied )?from|from|according to)"
    r" (?!now\b|here\b|today\b|then\b|this point\b)(?P<source>[^:!?\n]{2,100}?)(?P<end>[:：]?)$",
    re.IGNORECASE,
)
_TEXTS = (
    r"(?:(?:e-?)?mails?|messages?|answers?|repl(?:y|ies)|responses?|comments?|posts?|feedback|"
    r"reviews?|notes?|words|opinion|advice|tweet|letter|tickets?|issues?|proposals?|suggestions?|"
    r"requests?|PRs?|descriptions?|README|changelog|release notes)"
)
_FOREIGN_TEXTS = (
    r"(?:Antwort|Nachricht|Mail|Kommentar|Réponse|Message|Commentaire|Respuesta|Mensaje|Risposta|"
    r"Messaggio|Antwoord|Bericht|Resposta|Mensagem|Odpowiedź|Wiadomość|Ответ|Сообщение)"
)
# `Eve's mail:`, `The answer from ChatGPT:`, `I found this on a forum.`, `Please summarize: …`
_LABELLED = re.compile(
    rf"(?:[^:.!?\n]{{1,60}}['’]s (?:[\w-]+ ){{0,2}}{_TEXTS}|(?:[\w-]+ ){{0,3}}{_TEXTS} (?:from|by) "
    r"(?!now\b|me\b|us\b)[^:.!?\n]{1,60})[:：]$|"
    rf"(?!my\b|our\b)(?:[\w-]+ ){{0,2}}{_TEXTS} (?:on [^:.!?\n]{{1,40}}|is|are|reads?)[:：]$|"
    r"(?:the )?contents? of [^:\n]{1,80}[:：]$|"
    r"(?:the )?release notes (?:of|for) (?:[^:.!?\n]|\.(?=\w)){1,60}[\w:：]$|"
    r"(?:[\w.-]+ ){1,4}(?:answer|comment|post|thread) \([^)\n]{1,40}\)[:：]$|"
    rf"{_FOREIGN_TEXTS} (?:von|de|di|da|van|od|от)\b[^:\n]{{1,60}}:$|"
    r"(?:the )?(?:full )?(?:output|stdout|stderr|logs?|result)[:：]$|"
    r"[^:!?\n]{0,60}\b(?:found|saw|read|got|received|copied) (?:this|that|the following)\b"
    r"[^:!?\n]{0,60}[:：.]$",
    re.IGNORECASE,
)
# `Comment by Bob: …`, `Bobs Antwort: …`
_BY_NAME = re.compile(
    rf"(?:the )?(?:{_TEXTS}|{_FOREIGN_TEXTS}) (?:by|from|von|de|di|da|van|od|от) "
    r"(?!me\b|us\b|now\b|mir\b|uns\b|moi\b)[^:.!?\n]{1,40}[:：](?=\s|$)|"
    rf"(?!als |was |das )[^\W\d_][\w-]{{1,30}}s {_FOREIGN_TEXTS}:(?=\s|$)",
    re.IGNORECASE,
)
_WORKED_ON = re.compile(
    r"(?:please |now |can you |could you )?(?:summari[sz]e|translate|explain|rephrase|reword|"
    r"proofread|paraphrase|shorten|classify)(?: [^:.!?\n]{1,40})?[:：](?=\s|$)",
    re.IGNORECASE,
)
# `$ cat NOTES.txt`, `docs/notes.md:`, `On Tuesday at 10:42 Eve wrote:`, `Eve  10:42 AM`
_HEADED = re.compile(
    r"[$%>❯➜#] *(?:cat|bat|less|more|head|tail|type|curl|wget|gh|git (?:show|log|diff))\b|"
    r"From: .{0,60}<\S+@\S+>$|Issue created .{1,40} by \S|"
    r"[❯➜] +\S+ git:\(|(?:(?:[\w.-]+@[\w.-]+(?::\S*)?|\[[\w.-]+@[^\]\n]{1,60}\])[$%#>]|"
    r"(?:PS )?[A-Z]:\\[^>\n]{0,80}>) *[a-z]|-{2,} ?(?:Original|Forwarded) message ?-{2,}|"
    r"(?:Begin )?forwarded message:?$|#* ?(?:PR|Pull request|Issue) #\d+ (?:review )?comment\b|"
    r"Merge (?:pull request #\d+ from|(?:remote-tracking )?branch ')|"
    r"(?!(?:I|we|you) )\S.{0,60}\bopened (?:this (?:issue|pull request)|\d+ \w+ ago|last \w+|"
    r"yesterday|on \w+ \d+)\b|[^·\n]{1,60} · [^·\n]{1,30}\bago$|"
    r"(?!(?:I|we|you) )\S.{0,60}\b(?:added|left|made) a comment(?: [-–—·] .{1,40})?$|"
    r"(?:[\w.~-]*/)*[\w-][\w.-]*\.[A-Za-z]\w{1,4}:$|On .{5,120} wrote:$|"
    r"(?:Am|Le|El|Il|Op|Em|Dnia) .{5,120} (?:schrieb|a écrit|escribió|ha scritto|schreef|escreveu|"
    r"napisał)\b[^:\n]{0,60}:$|[\w.@'’-]+(?: [\w.@'’-]+){0,2},? \[[^\]\n]{0,24}\d{1,2}:\d\d\]:?$|"
    r"(?!(?:I|we|you) )[\w.@'’-]+(?: [\w.@'’-]+){0,2}(?: {1,3}\[?\d{1,2}:\d\d(?: ?[AP]M)?\]?|"
    r" (?:commented|wrote|replied|posted|answered)(?: (?:on )?[\w,]+){0,4})$",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"\b(?:README|CONTRIBUTING|CHANGELOG|AGENTS|CLAUDE)\b|\.\w{2,4}$|https?://|\b(?:docs?|manual|"
    r"documentation|article|blog|wiki|website|page|guide)$",
    re.IGNORECASE,
)
_FIELD = (
    r"(?:(?:Issue )?Type|Key|Status|Priority|Severity|Resolution|Reporter|Assignee|Labels|"
    r"Components?(?:/s)?|(?:Affects|Fix) Versions?(?:/s)?|Sprint|Epic(?: Link)?|Milestone|Created|"
    r"Updated)"
)
# the head of an issue on one line: `Type: Bug  Priority: Major`
_FIELDS = re.compile(rf"{_FIELD}: *\S(?:[^.]|\.(?=\S))*\s{_FIELD}: *\S", re.IGNORECASE)
# the head of a mail, of a commit or of an issue
_MAIL = re.compile(
    r"\s*\**(?:From|To|Cc|Subject|Date|Sent|Reply-To|Message-ID|"
    r"Author(?:Date)?|Commit(?:ter|Date)?|"
    rf"Merge|Title|Summary|Description|{_FIELD}|Von|An|Betreff|Datum|"
    r"Gesendet|De|À|Objet|Envoyé|Para|Asunto|Fecha|Da|A|Oggetto|Data|Inviato|Van|Aan|Onderwerp|"
    r"Assunto|Temat|От|Кому|Тема) ?:\**\s*\S|[A-Z][A-Z0-9]{1,9}-\d+: *\S|"
    r"(?:Issue|PR|Pull request|Ticket) #?\d+: *\S|Opened by \S|"
    r"commit [0-9a-f]{7,64}(?: \([^)\n]*\))?$",
    re.IGNORECASE,
)
# `agent: …`, `[10:42] Eve: …`, `12/11/26, 10:42 - Eve: …`, `Eve (10:42): …`, `<Eve> …`
_SPEAKER = re.compile(
    r"(?:user|human|assistant|system|agent)\s*: *\S|"
    r"(?:\[[^\]\n]{0,24}\b\d{1,2}:\d\d\b[^\]\n]{0,24}\]|"
    r"(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?),? "
    r"(?:-+ )?(?:[\w.@-]+ ){0,2}[\w.@-]+: *\S|"
    r"(?:[\w.@-]+ ){0,2}[\w.@-]+,? [\[(]\d{1,2}:\d\d[^\])\n]{0,8}[\])]:? *\S|"
    r"(?:\d{1,2}:\d\d(?::\d\d)? )?<[\w.@-]+> +\S",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\"[^\"]*(?:\"|\Z)|“[^”]*(?:”|\Z)|«[^»]*(?:»|\Z)|„[^“”]*(?:[“”]|\Z)|「[^」]*(?:」|\Z)|"
    r"(?<!\w)['‘](?:[^'’]|(?<=\w)['’](?=\w))+['’](?!\w)"
)
_ASKS = re.compile(
    r"[?？]|\b(?:explain|translate|summari[sz]e|(?:if|whether) (?:this|that|it) is)\b",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\w")
# a name alone on its line, with the time of a chat message below it
_NAME = re.compile(r"(?!(?-i:I|We|You)\b)[\w.@'’-]+(?: [\w.@'’-]+){0,2}$", re.IGNORECASE)
_TIME = re.compile(
    r"(?:(?:today|yesterday|\w+day|\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}),?(?: at)? )?\d{1,2}:\d\d"
    r"(?::\d\d)?(?: ?[AP]M)?$",
    re.IGNORECASE,
)
# lines of a chat that begin with a name, unless they are labels, such as `Note: …`
_TALK = re.compile(r"(?P<who>[A-Z][\w.-]*(?: [A-Z][\w.-]*)?): +\S")
# what somebody says to somebody, as against what stands behind a label
_SPOKEN = re.compile(
    r"[^:]+: +(?:hi|hello|hey|morning|yes|yeah|yep|no|nope|ok|okay|sure|thanks|agreed|lol|\+1)"
    r" *(?:[,.!]|$)",
    re.IGNORECASE,
)
_CHAT = re.compile(r"\b(?:chat|conversation|thread|discussion|dialogue?|slack)\b", re.IGNORECASE)
_ONE_LINE_COMMIT = re.compile(
    r"[0-9a-f]{7,12} (?:\([^)\n]+\) )?(?:[A-Z]|[a-z]+(?:\([\w/-]+\))?!?: )"
)
# prose after a `$` or `%` that is the subject of a sentence: `$ is the name of jQuery here.`
PROSE = r"[ \t]+(?:is|are|was|means|stands|of|for|in|must|should|has|as)\b.*\w[.!]$"
# a command at the prompt of a shell; the lines below are its output
_TYPED = re.compile(rf"(?:[~/][\w./~-]* ?)?[$%❯➜](?!{PROSE}) +[\w./~]")
_SIGNATURE = "--"  # the lines below are added by a mail program
_GREETING = re.compile(
    r"(?:Hi|Hello|Hey|Dear|Hallo|Bonjour|Hola|Ciao) "
    r"(?!Claude|Codex|Copilot|Cursor|Gemini|GPT|Agent)[A-Z][\w.-]*(?: \w+)?,$"
)
_SIGNED = re.compile(
    r"(?:(?:best|kind|warm)(?: regards| wishes)?|regards|cheers|sincerely|yours(?: \w+)?|"
    r"(?:viele |beste )?grüße|cordialement|saludos|cordiali saluti),?$",
    re.IGNORECASE,
)
_OWN_PARAGRAPH = re.compile(r"[\"“«„](?:[^\"“”«»„])+[\"”»“]$")
_LIST = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s")


def without_pasted(lines: list[str]) -> list[str]:
    """Return the lines of a prompt without those that it marks as somebody else's.

    A quotation that begins on a new line has no known end, so all lines below it are left out.
    """
    kept: list[str] = []
    talks = _is_talk(lines)
    letter = any(_SIGNED.match(line.strip()) for line in lines)
    above, has_text = "", False
    previous = ""
    for line, next_line, following in _with_following(lines):
        said = line.strip()
        if (
            _begins_paste(said, following)
            or _begins_output(said, previous, next_line.strip(), following)
            or (letter and _GREETING.match(said))
            or (has_text and said == _SIGNATURE)
        ):
            break
        previous = said
        if told := _TOLD.match(said):
            kept.append(told[0])
            break
        is_alone = has_text and not (kept[-1].strip() or next_line.strip())
        is_theirs = (
            _ATTRIBUTED.match(said)
            or _BY_NAME.match(said)
            or quotes_other(said)
            or _SPEAKER.match(line)
            or (talks and _TALK.match(line))
            or _ONE_LINE_COMMIT.match(said)
            or (is_alone and _OWN_PARAGRAPH.match(said))
            or _is_block(line, above, is_after_gap=not (kept and kept[-1].strip()))
        )
        kept.append("" if is_theirs else line)
        if kept[-1].strip():
            above, has_text = line, True
    return kept


def _is_talk(lines: Sequence[str]) -> bool:
    """Return whether lines that begin with names are a chat, not labels such as `Note: …`.

    They are a chat if one is announced, or if somebody speaks twice, greets, answers or is
    addressed.
    """
    said = [(found["who"], line) for line in lines if (found := _TALK.match(line))]
    who = {name for name, _ in said}
    if len(who) < 2:
        return False
    if len(who) < len(said) or any(map(_CHAT.search, lines)):
        return True
    return any(_SPOKEN.match(line) or _addresses(line, who) for _, line in said)


def _addresses(line: str, who: set[str]) -> bool:
    """Return whether the speaker of a chat line addresses another: `Bob: Vic, what …`."""
    words = line.split(":", 1)[1].strip().removeprefix("@")
    return any(words.startswith((f"{name},", f"{name} ")) for name in who)


def _with_following(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield each line with the line below it, and the first line below it that is not empty."""
    below: list[str] = []
    following = ""
    for line in reversed(lines):
        below.append(following)
        following = line if line.strip() else following
    yield from zip(lines, [*lines[1:], ""], reversed(below), strict=False)


def _begins_paste(line: str, following: str) -> bool:
    """Return whether a line announces a quotation, or is the first line of one."""
    has_fields = _FIELDS.match(line) or (_MAIL.match(line) and _MAIL.match(following))
    if has_fields or _WORKED_ON.match(line):
        return True
    if _NAME.match(line) and _TIME.match(following.strip()):
        return True
    if _LABELLED.match(line) or _HEADED.match(line) or is_head(line):
        return bool(following)
    attributed = _ATTRIBUTED.match(line) or _BY_NAME.match(line)
    if attributed and attributed.end() == len(line):
        return bool(following)
    copied = _COPIED.match(line)
    if copied is None or not following:
        return False
    return bool(copied["end"]) or (
        _FILE.search(copied["source"]) is not None and bool(_LIST.match(following))
    )


def _begins_output(line: str, previous: str, next_line: str, following: str) -> bool:
    """Return whether a line is a command with its output below, or a commit with its message.

    A line in a list of commits does not count, since no message follows it.
    """
    if _TYPED.match(line):
        return bool(next_line) and not _TYPED.match(next_line)
    if not _ONE_LINE_COMMIT.match(line) or _ONE_LINE_COMMIT.match(following.strip()):
        return False
    return bool(next_line or (following and not _ONE_LINE_COMMIT.match(previous)))


def _is_block(line: str, above: str, *, is_after_gap: bool) -> bool:
    """Return whether a line is in an indented block of Markdown, outside of lists.

    `above` is the nearest line above it that is not empty.
    """
    if not line.startswith(("    ", "\t")) or _LIST.match(line):
        return False
    return is_after_gap and not _LIST.match(above) and not above.startswith(" ")


def without_quotations(said: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of a prompt, except those that it quotes to ask about them."""
    text = "\n".join(sentence for each in said for sentence in each)
    own = _QUOTED.sub(lambda quote: _LETTER.sub(" ", quote[0]), text)
    if own == text or not _ASKS.search(_QUOTED.sub("", text)):
        return tuple(said)
    rest = iter(own.split("\n"))
    kept = (tuple(one for one in each if not _is_quoted(one, next(rest))) for each in said)
    return tuple(filter(None, kept))


def _is_quoted(sentence: str, own: str) -> bool:
    """Return whether most of a sentence is quoted; `own` is the sentence without quotations."""
    return 2 * len(_LETTER.findall(own)) < len(_LETTER.findall(sentence))
