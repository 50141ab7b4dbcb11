"""Developers' synonyms, so that a question need not use the words of the memory."""

from git_lerim.recall.index.terms import terms

_GROUPS = """
limit maximum cap exceed exceeded exceeding threshold bound
minimum least
size large larger big long length megabyte loc significant major substantial
configuration setting set option
directory folder
documentation readme
dependency package library module
credential secret token password key
delete remove drop purge discard
error fail failure exception crash abort break broken
reject refuse complain forbid disallow deny rule
allow permit accept support
avoid never prohibit
similar identical duplicate same alike
fast quick speed performance latency slow delay
deploy release publish ship
start begin launch boot
stop end finish terminate kill
create add make introduce
change modify edit update rewrite
fix repair resolve solve cure recover recovery workaround
save store persist keep write
read load fetch parse
show display print render list
screen page view interface ui
hide omit skip ignore exclude
bug defect issue problem
cause reason root
merge rebase squash combine join
rename name call
format style formatter lint linter
verify check validate assert confirm
schedule cron timer
branch worktree
default unset nil null
user person human customer
login authentication signin
test spec suite
convention guideline rule policy
command cli verb
log trace
pipeline workflow ci
container docker image
retry repeat rerun again
hash sha digest commit
prefer favour like want
"""
_MATES: dict[str, frozenset[str]] = {}


def synonyms(term: str) -> frozenset[str]:
    """Return the synonyms of a term, without the term itself."""
    if not _MATES:
        _fill()
    return _MATES.get(term, frozenset())


def _fill() -> None:
    for line in _GROUPS.split("\n"):
        group = frozenset(terms(line))
        for term in group:
            _MATES[term] = _MATES.get(term, frozenset()) | group - {term}
