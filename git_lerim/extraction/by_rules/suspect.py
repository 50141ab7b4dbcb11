"""Text that must not be handed to an agent, because it gives orders to one or rests on what a tool printed."""

# ruff: noqa: E501  a pattern reads best whole

import re
from collections.abc import Iterable

from git_lerim.sessions.session import Record, Role

_OUTSIDE = r"(?:https?|wss?|ftp)://(?!localhost|127\.|0\.0\.0\.0|\[::1\]|[\w.-]+\.(?:local|localhost|test|internal)\b)[^\s`'\")>]+|[\w.+-]+@[\w-]+\.[a-z]{2,}|\b(?!127\.|10\.|192\.168\.|0\.0)\d{1,3}(?:\.\d{1,3}){3}\b"
_ORDERED = (
    r"(?:(?:^|[.!?:;\n]\s*|[—–-] )(?:(?:please|always|first|then|also|now|next|and|you must|you should|important:?|note:?|remember to|make sure to|be sure to|before \w[^.,]{0,60},|after \w[^.,]{0,60},|when(?:ever)? [^.,]{0,80},|on every [^.,]{0,60},|for each [^.,]{0,60},|"
    r"from now on,?|every time [^.,]{0,80},)\s+)*"
    r"|\b(?:agents?|assistants?|llms?|models?|you|claude|copilot|codex|cursor|gemini|ai)\b[^.!?]{0,40}?\b(?:must|should|shall|need to|has to|have to|are required to|is required to|always|will)\s+(?:always |first |also |silently |quietly )*"
    r"|\b(?:always|silently|quietly|remember to|make sure to|be sure to|it is required to|required to|don[’']t forget to)\s+)"
)
_SENDS = r"(?:send|post|upload|forward|transmit|e-?mail|submit|exfiltrate|leak|share|report|push|copy|pipe|curl|wget|append|attach|log|fetch|call|ping|run `?(?:curl|wget)|make an? (?:http )?(?:request|post|get))\b"

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (reason, re.compile(pattern, re.IGNORECASE))
    for reason, pattern in (
        ("tells an agent to drop its instructions", r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,30}\b(?:previous|prior|above|earlier|existing|other|system|safety|your|all)\b[^.!?]{0,20}\b(?:instructions?|rules?|prompts?|guidelines?|messages?|directives?|constraints?|polic(?:y|ies))\b"),
        (
            "asks to hide something from the user",
            (r"\b(?:do not|don[’']t|never|must not|should not|avoid|without|no need to|rather than)\s+(?:\w+ ){0,2}?(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|reveal(?:ing)?|notify(?:ing)?|alert(?:ing)?|disclos(?:e|ing)|"
             r"(?:show|report|warn about|let)(?:ing)? (?:this|it|that|these|any of (?:this|it))|asking)\b[^.!?]{0,40}\b(?:users?|humans?|developers?|operators?|maintainers?|owner|anyone|anybody|reviewers?|team)\b"),
        ),
        ("asks to hide something from the user", r"\b(?:keep|hide|conceal)\b[^.!?]{0,40}\b(?:secret|hidden|from)\b[^.!?]{0,15}\b(?:users?|humans?|developers?|operators?|maintainers?|reviewers?|team)\b"),
        ("orders to send something to an address", _ORDERED + _SENDS + rf"[^!?\n]{{0,160}}?(?:{_OUTSIDE})"),
        ("orders to send secrets away", rf"{_ORDERED}{_SENDS}[^.!?]{{0,80}}\b(?:secrets?|credentials?|tokens?|api keys?|passwords?|private keys?|ssh keys?|\.env|environment variables?|env vars?)\b[^.!?]{{0,60}}\b(?:to|into|at|via|with)\b"),
        ("speaks of taking data out", r"\bexfiltrat"),
        ("orders to run code from an address", rf"{_ORDERED}(?:run|execute|eval|install|source|pipe|download|add|use|load|import|clone|set)\b[^!?\n]{{0,120}}?(?:{_OUTSIDE})"),
        ("pipes a download into a shell", r"(?:curl|wget)\b[^\n|]{0,160}\|\s*(?:sudo )?(?:ba|z|da)?sh\b|base64 (?:-d|--decode)[^\n|]{0,80}\|\s*(?:ba|z)?sh\b"),
        ("orders to switch a safeguard off", rf"{_ORDERED}(?:disable|turn off|skip|bypass|remove|ignore|weaken|suppress|circumvent|pass `?--(?:no-verify|dangerously|yolo)|use `?--(?:no-verify|dangerously|yolo))[^.!?]{{0,60}}?(?:security|safety|permission|sandbox|auth\w*|signature|certificate|tls|ssl|secret|review|guard\w*|approval|confirmation|no-verify|verification|checks?|dangerously|yolo)\b[^.!?]{{0,80}}\b(?:always|every|all|any|without|never|silently|agents?|you|from now on|in future|no matter)\b"),
        ("orders to switch a safeguard off", r"\b(?:agents?|assistants?|you|claude|copilot|codex|cursor|gemini|ai|always|from now on,?)\b[^.!?]{0,30}?\b(?:disable|turn off|skip|bypass|circumvent|auto-?approve|approve all|approve every|pass `?--no-verify|use `?--no-verify|--dangerously-skip-permissions|--yolo)\b"),
        ("asks to act without the user's consent", r"\b(?:approve|accept|run|execute|commit|push|merge|delete|install|grant)\b[^.!?]{0,60}\bwithout (?:asking|confirmation|confirming|permission|approval|review|the user)\b"),
        ("speaks to an agent, not of the project", r"\b(?:note|message|instructions?|attention|important|notice)\b[^.!?\n]{0,20}\b(?:to|for)\b (?:all |any |the |future )?(?:ai|llms?|assistants?|coding agents?|agents?|language models?|claude|copilot|codex|cursor|gemini)\b"),
        ("speaks to an agent, not of the project", r"\b(?:you are now|as an? (?:ai|llm|language model)|new (?:system )?instructions?:|system prompt:|(?:in|enter|activate) developer mode|jailbreak)\b|</?(?:system|system-reminder|instructions?|important|assistant|user)>|\[/?INST\]|<\|(?:im_start|system|user|assistant)"),
        ("vouches for something it cannot know", r"\b(?:treat|mark|consider|regard|trust)\b[^.!?]{0,60}\b(?:as (?:trusted|verified|safe|approved|pre-approved|authori[sz]ed)|unconditionally|without (?:checking|verification|question))\b"),
    )
)  # fmt: skip
_INVISIBLE = re.compile("[\U000e0000-\U000e007f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]")


def suspicion(text: str, evidence: Iterable[Record]) -> str | None:
    """Return why a memory must be kept from agents, or None."""
    if _INVISIBLE.search(text):
        return "holds invisible characters"
    for reason, pattern in _PATTERNS:
        if pattern.search(text):
            return reason
    roles = {record.role for record in evidence}
    if roles and roles <= {Role.RESULT}:
        return "rests on a tool's output alone"
    return None
