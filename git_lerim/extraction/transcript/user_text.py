"""Find what the user typed in a prompt, without templates, pasted logs, reviews or files."""

import re
from collections.abc import Iterator
from functools import lru_cache

from git_lerim.extraction.transcript.copied import without_copied
from git_lerim.extraction.transcript.dictated import without_dictated
from git_lerim.extraction.transcript.fences import BLOCK, without_fenced
from git_lerim.extraction.transcript.line_breaks import BREAK, with_breaks
from git_lerim.extraction.transcript.logs import is_logged, without_logs
from git_lerim.extraction.transcript.pasted import without_pasted, without_quotations
from git_lerim.extraction.transcript.product_lists import without_product_lists
from git_lerim.extraction.transcript.shells import PROSE
from git_lerim.extraction.transcript.text import blocks
from git_lerim.extraction.transcript.unfenced_code import is_code

_LONG = 1500  # characters; a longer prompt with headings is a brief or a plan, not chat
# the name of a hook's event as programs write it: `UserPromptSubmit`, `PostToolUse:Edit`
_EVENT = r"(?-i:(?:[A-Z][a-z]+){2,}|Stop|Notification)(?::[\w*|]+)?"
_AUTOMATED = re.compile(
    r"\s*(?:operation stopped by hook|stop hook feedback|\[?hook\b|\[\[ ## |\[system\b|"
    rf"{_EVENT} hook (?:additional context|(?:returned )?blocking error(?: from [^:\n]{{1,60}})?|"
    r"success|stopped(?: continuation)?)(?=:|\n|\Z)|"
    rf"{_EVENT} operation (?:blocked|stopped) by hook(?=:|\n|\Z)|"
    r"another (?:[\w-]+ )?(?:session|agent|teammate) sent (?:you )?a message:|"
    r"a message arrived from (?:another )?(?:teammate|agent|session)(?: [^\s:]{1,60})?:|"
    r"\[background task\b|note: \S+ was modified, either by the user or by a linter\b|"
    r"(?:sub)?agent [\w-]+ (?:reports|reported|finished|completed):\s*\n|"
    r"# Context\b|<|caveat: the messages below|this session is being continued|"
    r"\[request interrupted|"
    r"a previous agent produced the plan|the user is not available|you are (?:an?|the|working|"
    r"running|executing|about|acting|in)\b|your (?:name is|task is|role is|job is)|"
    r"(?:please )?(?:implement|execute|carry out|follow) the (?:following|plan|attached)\b|"
    r"/[a-z][\w:-]*(?:\s|$)|# (?:task|goal|role|instructions?|objective)\b)",
    re.IGNORECASE,
)
_PASTED_REVIEW = re.compile(
    r"\bConsider (?:a\b|an\b|the\b|\w+ing\b|whether\b)|\b[Pp]lease either \(a\)|"
    r"\bgot this (?:feedback|comment|review)\b|\(lines? \d+|\bline \d+(?:-\d+)? in \S+\.\w+|"
    r"\bshould be updated to:|\bThe (?:inline |doc )?comment (?:for|on|in) \S+ (?:is|says)\b|"
    r"\b(?:suggestion|nitpick|severity|issue):\s",
)
_PASTED_LINE = re.compile(
    rf"^\s*(?:[$%](?!{PROSE})\s|[>❯➜#]\s|~/|at (?:new |async )?\S+ \(?|debugger |Debugger |"
    r"File \"|Traceback|"
    r"\+{1,3}\s|-{3}\s|@@|diff --git|\d{2}:\d{2}:\d{2}|\[?\d{4}-\d\d-\d\d|[{}|│├└┌]|"
    r"\[(?:[\s\"{\[\]]|$)|(?:fatal|error|warning|npm err!?|[eE])\b\s*:|"
    r"npm (?:WARN|notice|ERR!|warn [a-z]+|error (?:code )?[A-Z]\w*) |"
    # the level of a message in a log; `DEBUG mode must be off` is prose
    r"\[?(?:ERROR|FATAL|WARN|INFO|DEBUG|TRACE)\]?(?::\s| +(?=[A-Z\[(\d]|\S+[.:]\S))|"
    r"(?:\w+ )?[Ee]rror ?\[\w+\]: |(?:hint|remote|stdout|stderr): |= (?:note|help): |\d+ *[|│] |"
    r"\S+\.\w+:\d+:|(?:GET|POST|PUT|HTTP/\S+) |\w+(?:Error|Exception): )"
)
# the comment of a review bot: `_⚠️ Potential issue_ | _🟠 Major_`, or its last line
_BOT_COMMENT = re.compile(
    r"^[ \t]*(?:_(?![ -~])\S{1,4} [^_\n]{2,40}_(?: *\| *)?)+$|"
    r"^\**Actionable comments posted: \d+",
    re.MULTILINE,
)
_BOT_PROMPT = re.compile(r"🤖 ?Prompt for (?:[\w ]+ )?AI agents", re.IGNORECASE)
_SENTENCE_END = re.compile(
    rf"{BREAK}|(?<!\.)(?<!^\d)(?<!^\d\d)(?<![:;,.]\s\d)(?<![:;,.]\s\d\d)"
    r"(?<!\b[^\W\d]\.[^\W\d])(?<!\bz)(?<!\bz\. B)"  # such as `e.g.`
    r"(?<!\betc)(?<!\bvs)(?<!\bcf)(?<!\bapprox)(?<!\bincl)(?<!\bresp)(?<!\bbzw)(?<!\bggf)"
    r"(?<!\binkl)(?<!\bevtl)(?<!\bpar ex)(?<!\bpor ej)(?<!\bad es)"
    r"(?!(?<=\bp)\. ?e[jx]\.)(?<!\bp\.ej)(?<!\bp\. ej)(?<!\bp\.ex)(?<!\bp\. ex)"
    r"(?<!\bbijv)(?<!\bnp)(?<!\bm\.in)(?<!\bнапр)"
    r"(?!(?<=\s)\.{3}\s)[.!?]+"  # not in `such as ENG-412: ... from now on`
    r"(?![\"'”’] [a-z])[\"'”’)\]]*(?=\s)|[。！？]"  # not in `Stop saying "Sure!" to me`
)
_SEARCHED = 50_000  # characters of a prompt that are searched for what the user typed
_PASTES_BEHIND = 3000  # characters; of a longer text only the beginning is taken as typed
_BEGINNING = 600
# A file that the agent put into the prompt; it can contain the closing tag, or be cut off.
_FILES = re.compile(r"<file name=\"[^\"\n]*\">[ \t]*\n(?:.*</file>|.*)", re.DOTALL)
_OPENING_TAG = re.compile(r"<([a-z][\w-]*)\b[^<>]*>")
_MARKER = re.compile(r"^[A-Z]{1,3}:\s+(?=\w)")  # `Q:` before a question or a remark
_ESCAPED_BREAK = re.compile(r"\\\s*\n|\\\s+\\\s*")
_EMOTICON = re.compile(r"\s*(?:[:;]-?[)(DPp|/]|\bxD|\b(?:lol|haha)\b)(?=[\s.!,]|$)")


def is_automated(prompt: str) -> bool:
    """Return whether a prompt is a template, a long document, or written by a program or agent."""
    headings = prompt.count("\n#") + prompt.startswith("#")
    return bool(_AUTOMATED.match(prompt)) or (len(prompt) > _LONG and headings >= 3)


def _without_additions(prompt: str) -> str:
    """Return a prompt without files and the comments of review bots.

    Files are left out from the first one to the end of the last.
    """
    own = _BOT_COMMENT.split(_FILES.sub("\n", prompt), maxsplit=1)[0]
    return "" if _BOT_PROMPT.search(own) else own


def _without_tagged(text: str) -> str:
    """Return a text without pairs of tags, and without the text that they enclose."""
    kept: list[str] = []
    unclosed: set[str] = set()
    end = 0
    for found in _OPENING_TAG.finditer(text):
        if found.start() < end or found[1] in unclosed:
            continue
        closing = f"</{found[1]}>"
        if (close := text.find(closing, found.end())) < 0:
            unclosed.add(found[1])
            continue
        kept.append(text[end : found.start()])
        end = close + len(closing)
    return "\n".join([*kept, text[end:]])


def typed(prompt: str) -> str:
    """Return a prompt without the text that the user did not type, such as pasted logs.

    The result is empty if they pasted a review.
    """
    prompt = _ESCAPED_BREAK.sub("\n\n", _without_additions(prompt))
    text = _without_tagged(without_fenced(prompt))
    if _PASTED_REVIEW.search(text):
        return ""
    lines = without_dictated(without_logs(text.splitlines()))
    lines = without_copied(without_pasted(lines))
    return "\n".join("" if line == BLOCK or _is_pasted(line) else line for line in lines)


def _is_pasted(line: str) -> bool:
    """Return whether a program, not the user, wrote a line: a log, or code without a fence."""
    return _PASTED_LINE.match(line) is not None or is_logged(line) or is_code(line)


@lru_cache(maxsize=256)
def paragraphs(prompt: str) -> tuple[tuple[str, ...], ...]:
    """Return the user's sentences, grouped by paragraph and item; none if they pasted a review.

    Items about what a product must do are left out.
    """
    own = "\n".join(without_product_lists(typed(prompt[:_SEARCHED]).splitlines()))
    own = own if len(own) <= _PASTES_BEHIND else own[:_BEGINNING].rsplit(".", 1)[0] + "."
    found = []
    for block in blocks(with_breaks(own)):
        if block.kind in {"paragraph", "item"}:
            typed_here = _sentences(_EMOTICON.sub("", block.text))
            said = tuple(one for one in typed_here if not is_logged(one))
            if said:
                found.append(said)
    return without_quotations(found)


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of chat, where a sentence may begin in lower case."""
    start = 0
    for end in [*(found.end() for found in _SENTENCE_END.finditer(text)), len(text)]:
        if piece := _MARKER.sub("", text[start:end].strip().rstrip(BREAK)):
            yield _without_brackets(piece)
        start = end


def _without_brackets(sentence: str) -> str:
    """Return a sentence without brackets that enclose it, or it and its neighbours."""
    opens, closes = sentence.startswith("("), sentence.endswith((".)", "!)"))
    if sentence.count("(") != opens or sentence.count(")") != closes:
        return sentence
    return sentence[opens : len(sentence) - closes].strip() or sentence
