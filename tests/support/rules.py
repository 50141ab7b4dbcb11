"""What the rules keep of a session, without what they dropped."""

from git_lerim.extraction import by_rules
from git_lerim.extraction.base import Candidate
from git_lerim.sessions.session import Session


def extract(session: Session) -> list[Candidate]:
    return [one for one in by_rules.extract(session) if isinstance(one, Candidate)]
