"""Find what is asked for in a question, in languages other than English: `Kannst du …?`."""

from git_lerim.extraction.wishes.patterns import any_of

_ASKS = any_of(
    r"^(?:kannst|könntest|würdest|magst) du ",
    r"^(?:kun|kan|wil|zou) je ",
    r"^(?:est-ce que tu (?:peux|pourrais)|(?:peux|pourrais)[- ]tu|(?:pouvez|pourriez)[- ]vous) ",
    r"^¿?podrías |^¿?(?:tú )?puedes (?=.*\?$)",
    r"^potresti |^puoi (?=.*\?$)",
    r"^(?:você )?(?:poderia |pode (?=.*\?$))",
    r"^(?:czy )?(?:mógłbyś|mogłabyś) |^(?:czy )?możesz (?=.*\?$)",
)
_TAG = any_of(
    r",? ¿?(?:ok(?:ay)?|oké|ja|klar|verstanden|d'accord|compris|stp|vale|de acuerdo|va bene|"
    r"d'accordo|chiaro|certo|combinado|tudo bem|tá|goed|begrepen|dobrze|jasne) ?\?$"
)
_LASTING = any_of(
    r"\b(?:immer(?! noch| wieder)|nie(?:mals)?|stets|grundsätzlich|generell|(?:zu)?künftig|"
    r"in zukunft|ab (?:jetzt|sofort)|fortan|jedes mal)\b",
    r"\b(?:altijd|nooit|voortaan|vanaf nu|in het vervolg|in de toekomst|elke keer)\b",
    r"\b(?:toujours|jamais|systématiquement|désormais|dorénavant|à l'avenir|"
    r"à partir de maintenant|chaque fois)\b",
    r"\b(?:siempre|nunca|jamás|a partir de ahora|(?:de ahora )?en adelante|en el futuro|"
    r"cada vez)\b",
    r"\b(?:sempre|mai|d'ora in (?:poi|avanti)|in futuro|ogni volta)\b",
    r"\b(?:a partir de agora|de agora em diante|no futuro|toda vez)\b",
    r"\b(?:zawsze|nigdy|od teraz|na przyszłość|w przyszłości|za każdym razem)\b",
)

_WHY = any_of(
    r"\b(?:warum|wieso|weshalb|pourquoi|por qu[eé]|perch[éè]|waarom|dlaczego|czemu)\b",
)


def asked_for(question: str) -> str:
    """Return what a question asks somebody to do: `X` in `Kannst du X?`, or ""."""
    asks = _ASKS.search(question)
    return question[asks.end() :].rstrip(" ?？") if asks else ""


def without_tag(sentence: str) -> str:
    """Return a sentence without a question such as `ok?` at its end."""
    return _TAG.sub("", sentence)


def is_lasting(request: str) -> bool:
    """Return whether a request has a word such as "always", and does not ask for a cause."""
    return bool(_LASTING.search(request)) and not _WHY.search(request)
