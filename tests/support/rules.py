"""What the rules keep of a session, without what they dropped."""

from git_lerim.extraction import by_rules
from git_lerim.extraction.base import Candidate
from git_lerim.extraction.by_rules.hints import PLACE
from git_lerim.sessions.session import Session


def extract(session: Session) -> list[Candidate]:
    """Return what is kept of a session if nothing else is stored, which it could end."""
    found = (one for one in by_rules.extract(session) if isinstance(one, Candidate))
    return [one for one in found if one.place != PLACE]
