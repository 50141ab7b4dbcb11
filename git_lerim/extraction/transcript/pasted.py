"""Find text that a prompt marks as somebody else's: a quoted page or file, a mail, a log."""

import re
from collections.abc import Iterator, Sequence

from git_lerim.extraction.transcript.bylines import begins_post
from git_lerim.extraction.transcript.chats import (
    begins_chat,
    begins_turn,
    is_message,
    is_talk,
)
from git_lerim.extraction.transcript.fences import BLOCK, is_indented_block
from git_lerim.extraction.transcript.heads import (
    FOREIGN_TEXTS,
    GERMAN_TEXTS,
    SAYS,
    SELF,
    is_head,
    quotes_other,
)
from git_lerim.extraction.transcript.notifications import (
    above_footer,
    begins_notification,
    ends_notification,
)
from git_lerim.extraction.transcript.shells import (
    announces_output,
    is_command,
    is_prompt,
    names_output,
)
from git_lerim.extraction.transcript.sources import begins_extract, is_source
from git_lerim.extraction.transcript.text import LIST_ITEM

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
    r" (?!now\b|here\b|today\b|then\b|this point\b)(?P<source>[^:!?\n]{2,100}?)"
    r"(?P<end>[:：]{0,2})$",
    re.IGNORECASE,
)
_TEXTS = (
    r"(?:(?:e-?)?mails?|messages?|answers?|repl(?:y|ies)|responses?|comments?|posts?|feedback|"
    r"reviews?|notes?|words|opinion|advice|tweet|letter|tickets?|issues?|proposals?|suggestions?|"
    r"requests?|PRs?|descriptions?|README|changelog|release notes)"
)
# `Eve's mail:`, `The answer from ChatGPT:`, `I found this on a forum.`, `Please summarize: …`
_LABELLED = re.compile(
    rf"(?:[^:.!?\n]{{1,60}}['’]s (?:[\w-]+ ){{0,2}}{_TEXTS}|(?:[\w-]+ ){{0,3}}{_TEXTS} (?:from|by) "
    r"(?!now\b|me\b|us\b)[^:.!?\n]{1,60})[:：]$|"
    rf"(?!my\b|our\b)(?:[\w-]+ ){{0,2}}{_TEXTS} (?:on [^:.!?\n]{{1,40}}|is|are|reads?)[:：]$|"
    r"(?:the )?contents? of [^:\n]{1,80}[:：]$|"
    r"(?:the )?release notes (?:of|for) (?:[^:.!?\n]|\.(?=\w)){1,60}[\w:：]$|"
    r"(?:[\w.-]+ ){1,4}(?:answer|comment|post|thread) \([^)\n]{1,40}\)[:：]$|"
    rf"{FOREIGN_TEXTS} (?:von|de|di|da|van|od|от)\b[^:\n]{{1,60}}:$|"
    r"(?:the )?(?:full )?(?:output|stdout|stderr|logs?|result)[:：]$|"
    r"[^:!?\n]{0,60}\b(?:found|saw|read|got|received|copied) (?:this|that|the following)\b"
    r"[^:!?\n]{0,60}[:：.]$",
    re.IGNORECASE,
)
# `Comment by Bob: …`, `Bobs Antwort: …`
_BY_NAME = re.compile(
    rf"(?:the )?(?:{_TEXTS}|{FOREIGN_TEXTS}) (?:by|from|von|de|di|da|van|od|от) "
    r"(?![^:\n]* (?:must|should|is|are|has|have)\b)"
    r"(?!me\b|us\b|now\b|mir\b|uns\b|moi\b)[^:.!?\n]{1,40}[:：](?=\s|$)|"
    rf"(?!als |was |das )[^\W\d_][\w-]{{1,30}}s {GERMAN_TEXTS}:(?=\s|$)",
    re.IGNORECASE,
)
_WORKED_ON = re.compile(
    r"(?:please |now |can you |could you )?(?:summari[sz]e|translate|explain|rephrase|reword|"
    r"proofread|paraphrase|shorten|classify|übersetze?|traduis|traduisez|traduce|traduci|traduza)"
    r"(?: [^:.!?\n]{1,40})?[:：](?=\s|$)",
    re.IGNORECASE,
)
_FROM = (
    r"(?:From|Von|De|Da|Van|От|Od|Från|Fra|Lähettäjä|Feladó|Kimden|差出人|发件人|寄件者|보낸 사람)"
)
# `docs/notes.md:`, `On Tuesday at 10:42 Eve wrote:`, `Merge pull request #12 from eve/x`
_HEADED = re.compile(
    rf"{_FROM} ?[:：].{{0,60}}<\S+@\S+>$|Issue created .{{1,40}} by \S|"
    r"-{2,} ?(?:Original|Forwarded) message ?-{2,}|(?:Begin )?forwarded message:?$|"
    r"#* ?(?:PR|Pull request|Issue) #\d+ (?:review )?comment\b|"
    r"Merge (?:pull request #\d+ from|(?:remote-tracking )?branch ')|"
    r"(?!(?:I|we|you) )\S.{0,60}\bopened (?:this (?:issue|pull request)|\d+ \w+ ago|last \w+|"
    r"yesterday|on \w+ \d+)\b|[^·\n]{1,60} · [^·\n]{1,30}\bago$|"
    r"(?:\w+ [•·] )?opened by (?:\S.{0,60}\bago\b|(?!mistake|accident|default)@?[\w.-]+$)|"
    r"(?!(?:I|we|you) )\S.{0,60}\b(?:added|left|made) a comment(?: [-–—·] .{1,40})?$|"
    r"(?:(?:here(?:['’]s| is)|(?:this|below) is) (?:(?:the|our|my|their|your) )?"
    r"(?:(?:current|old|new|full|whole|file|contents? of|text of) ){0,3})?"
    r"`?(?:[\w.~-]*/)*[\w-][\w.-]*\.[A-Za-z]\w{1,4}`?:$|On .{5,120} wrote:$|"
    r"(?:Am|Le|El|Il|Op|Em|Dnia) .{5,120} (?:schrieb|a écrit|escribió|ha scritto|schreef|escreveu|"
    r"napisał)\b[^:\n]{0,60}:$|(?!(?:I|we|you) )[\w.@'’-]+(?: [\w.@'’-]+){0,2}"
    r" (?:commented|wrote|replied|posted|answered)(?: (?:on )?[\w,]+){0,4}$",
    re.IGNORECASE,
)
# In any language: a short line that ends in a colon and has a year, a time, and an address, or
# behind the time a verb of the head of a mail
_DATED = re.compile(
    rf"(?!.{{301}})(?!.*\b{SELF})(?=.*(?<!\d)(?:19|20)\d\d(?!\d))"
    r"(?=.*<[^<>@\s]+@[^<>\s]+>|.*\d[:.]\d\d(?![.\d])[^:\n]{0,60} "
    r"(?:skrev|kirjoitti|napsala?|írta|yazdı|написала?)\b)"
    r".*\b\d{1,2}[:.]\d\d(?![.\d]).*[:：]$",
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
    rf"\s*\**(?:{_FROM}|Fwd?|WG|TR|RV|To|Cc|Subject|Date|Sent|Reply-To|Message-ID|"
    r"Author(?:Date)?|Commit(?:ter|Date)?|"
    rf"Merge|Title|Summary|Description|{_FIELD}|An|Betreff|Datum|"
    r"Gesendet|À|Objet|Envoyé|Para|Asunto|Fecha|A|Oggetto|Data|Inviato|Aan|Verzonden|Onderwerp|"
    r"Assunto|Enviad[ao]|Wysłano|Temat|Кому|Отправлено|Тема|Till|Skickat|Ämne|Til|Sendt|Emne|"
    r"Vastaanottaja|Lähetetty|Aihe|Odesláno|Komu|Předmět|Címzett|Tárgy|Kime|Gönderildi|Konu|"
    r"宛先|送信日時|件名|收件人|发送时间|主题|收件者|主旨|받는 사람|제목) ?[:：]\**\s*\S|"
    r"[A-Z][A-Z0-9]{1,9}-\d+: *\S|"
    r"(?:Issue|PR|Pull request|Ticket) #?\d+: *\S|Opened by \S|"
    r"commit [0-9a-f]{7,64}(?: \([^)\n]*\))?$",
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
_ONE_LINE_COMMIT = re.compile(
    r"(?:[*|/\\] ?){0,9}[0-9a-f]{7,12} (?:\([^)\n]+\) )?(?:[A-Z]|[a-z]+(?:\([\w/-]+\))?!?: )"
)
# a title above an empty line, unless it is what the agent has to do, as it mostly is for a PR
_TITLE = re.compile(
    r"(?:Issue #\d+|Subject|Betreff): "
    r"(?!(?-i:please|fix|look|check|see|review|address|close|done|now|add|use|split|make|write|"
    r"remove|rename|move|drop|update|keep|do|always|never)\b)[^.!?]+$",
    re.IGNORECASE,
)
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
# as French puts it before a colon
_BEFORE_COLON = re.compile(r"[ \u00a0\u202f]+(?=[:：])")


def without_pasted(lines: list[str]) -> list[str]:
    """Return the lines of a prompt without those that it marks as somebody else's.

    A quotation that begins on a new line has no known end, so all lines below it are left out. The
    end of a program's output in a fenced block is known.
    """
    kept: list[str] = []
    talks, is_turn = is_talk(lines), begins_turn(lines)
    letter = any(_SIGNED.match(each) or ends_notification(each) for each in map(str.strip, lines))
    above, previous, has_text = "", "", False
    for line, next_line, following in _with_following(lines):
        said = _BEFORE_COLON.sub("", line.strip())
        if ends_notification(said):
            return kept[: above_footer(lines[: len(kept)])]
        if not (following == BLOCK and names_output(said)) and (
            _begins_paste(said, next_line.strip(), following)
            or _begins_output(said, previous, next_line.strip(), following)
            or is_turn(said)
            or (following and not next_line.strip() and _TITLE.match(said))
            or (letter and _GREETING.match(said))
            or (has_text and said == _SIGNATURE and not ends_notification(following.strip()))
        ):
            break
        previous = said
        if last := _last_words(said, following):
            kept.append(last)
            break
        is_alone = has_text and not (kept[-1].strip() or next_line.strip())
        is_theirs = (
            _ATTRIBUTED.match(said)
            or _BY_NAME.match(said)
            or quotes_other(said)
            or is_message(line, talks=talks)
            or _ONE_LINE_COMMIT.match(said)
            or (is_alone and _OWN_PARAGRAPH.match(said))
            or is_indented_block(line, above, is_after_gap=not (kept and kept[-1].strip()))
        )
        kept.append("" if is_theirs else line)
        above, has_text = (line, True) if kept[-1].strip() else (above, has_text)
    return kept


_HEADS = (_LABELLED.match, _HEADED.match, _DATED.match, is_head, is_prompt, announces_output)


def _with_following(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield each line with the line below it, and the first line below it that is not empty."""
    below: list[str] = []
    following = ""
    for line in reversed(lines):
        below.append(following)
        following = line if line.strip() else following
    yield from zip(lines, [*lines[1:], ""], reversed(below), strict=False)


def _begins_paste(line: str, next_line: str, following: str) -> bool:
    """Return whether a line announces a quotation, or is the first line of one."""
    has_fields = _FIELDS.match(line) or (_MAIL.match(line) and _MAIL.match(following))
    if has_fields or _WORKED_ON.match(line):
        return True
    if (
        begins_chat(line, following.strip())
        or begins_post(line, following.strip())
        or begins_notification(line, next_line, following)
    ):
        return True
    if any(head(line) for head in _HEADS) or begins_extract(line, next_line):
        return bool(following)
    attributed = _ATTRIBUTED.match(line) or _BY_NAME.match(line)
    if attributed and attributed.end() == len(line):
        return bool(following)
    copied = _COPIED.match(line)
    if copied is None or not following:
        return False
    return bool(copied["end"]) or (
        _FILE.search(copied["source"]) is not None and bool(LIST_ITEM.match(following))
    )


def _last_words(line: str, following: str) -> str:
    """Return what a line says before the words of others begin on it or below, else ""."""
    told = _TOLD.match(line)
    return told[0] if told else line if following and is_source(line) else ""


def _begins_output(line: str, previous: str, next_line: str, following: str) -> bool:
    """Return whether a line is a command with its output below, or a commit with its message.

    A line in a list of commits does not count, since no message follows it.
    """
    if is_command(line):
        return bool(next_line) and not is_command(next_line)
    if not _ONE_LINE_COMMIT.match(line) or _ONE_LINE_COMMIT.match(following.strip()):
        return False
    return bool(next_line or (following and not _ONE_LINE_COMMIT.match(previous)))


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
