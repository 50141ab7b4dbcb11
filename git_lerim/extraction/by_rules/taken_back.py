"""Find what the user takes back in so many words, such as `Forget what I said about tabs`."""

from collections.abc import Collection, Iterator, Sequence

from git_lerim.extraction.by_rules.findings import Finding, place_of
from git_lerim.extraction.by_rules.orders import is_disowned_in
from git_lerim.extraction.by_rules.statements import LIMIT, fits_quote
from git_lerim.extraction.suspicion import suspicion
from git_lerim.extraction.transcript.text import finished, plain
from git_lerim.extraction.transcript.turns import Turn
from git_lerim.extraction.transcript.user_text import paragraphs
from git_lerim.memories.memory import Kind, Origin, Primitive
from git_lerim.memories.quotes import Lead, quoted
from git_lerim.memories.similarity.claim import claim
from git_lerim.memories.similarity.revocation_phrases import revocation
from git_lerim.sessions.session import Role

_RANK = 3.0  # what no longer holds is worse than what is missing


def taken_back(turns: Sequence[Turn], known: Collection[Finding]) -> Iterator[Finding]:
    """Yield what the user takes back, unless a finding in `known` says so.

    The memory will not be active, but it supersedes what it names, also that of other sessions.
    """
    said = {(one.turn, claim(one.title).revoked) for one in known}
    for number, turn in enumerate(turns):
        if turn.automated or turn.disowned or turn.said.role not in {Role.PROMPT, Role.REJECTION}:
            continue
        message = [one for paragraph in paragraphs(turn.said.text) for one in paragraph]
        clauses = [_clause(sentence) for sentence in message]
        for place, clause in enumerate(clauses):
            if not clause or (number, claim(clause).revoked) in said:
                continue
            if not (is_disowned_in(message, place) or suspicion(message[place], [turn.said])):
                yield Finding(
                    origin=Origin.HUMAN,
                    primitive=Primitive.LEARNING,
                    kind=Kind.PREFERENCE,
                    title=clause,
                    body=finished(quoted(Lead.SAID, finished(message[place]))),
                    said=clause,
                    evidence=(turn.index,),
                    place=f"taken back{place_of(place)}",
                    turn=number,
                    rank=_RANK,
                )


def _clause(sentence: str) -> str:
    """Return the part of a sentence that takes something back, or ""."""
    said = plain(sentence)
    found = None if said.endswith(("?", "？")) else revocation(said)
    if not found or not claim(found.clause).revoked or len(found.clause) > LIMIT:
        return ""
    return found.clause[:1].upper() + found.clause[1:] if fits_quote(said) else ""
