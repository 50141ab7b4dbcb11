"""Decide which memories a person takes back with another one."""

from collections.abc import Iterable

from git_lerim.memories.memory import Kind, Memory, Origin, Primitive
from git_lerim.memories.quotes import Lead, quote_of
from git_lerim.memories.similarity.change_forms import Way
from git_lerim.memories.similarity.changed_choice import chooses_otherwise
from git_lerim.memories.similarity.changes_of_mind import change_of_mind
from git_lerim.memories.similarity.claim import as_verbs, claim, content, denies, subject
from git_lerim.memories.similarity.given_up import FILLERS, gives_up, is_chosen
from git_lerim.memories.similarity.likely_changes import ends, may_end, stems
from git_lerim.memories.similarity.refusal_phrases import wanted_after_all
from git_lerim.memories.similarity.replacement_phrases import replacement, without_remark
from git_lerim.memories.similarity.revocation_phrases import lifts, revocation

REVOKED = 3  # words of a title that one named word takes back
_WRITING = content("write add put create give include")  # with what is written
_DONE_WITH = 2  # words: an action, and what it is done with
_PERSONS = {Origin.HUMAN, Origin.ANSWER}


def takes_back(one: Memory, other: Memory) -> bool:
    """Return whether a memory takes back what a person said in another one, because it names it."""
    if revokes(one, other):
        return True
    if not is_wanted(one) or not is_wanted(other):
        return False
    if _gives_up(one, other):
        return True
    hinted = may_end_others(one) and not needs_target(other)
    return hinted and ends(said_in(one), other.title, is_wish=not needs_target(one))


def _gives_up(one: Memory, other: Memory) -> bool:
    """Return whether a memory gives up, in so many words, what another one wants."""
    change = change_of_mind(one.title)
    if not change:
        return needs_target(one) and chooses_otherwise(one.title, other.title)
    lasts = other.primitive is not Primitive.DECISION  # what is removed may be one case of it
    return not (change.way is Way.REMOVED and lasts) and gives_up(one.title, other.title)


def may_end_others(one: Memory) -> bool:
    """Return whether the words that a person said in a session may end an earlier wish of theirs.

    Whoever speaks of earlier words names them.
    """
    names_it = claim(one.title).revoked
    return _is_from_session(one) and is_wanted(one) and not names_it and may_end(said_in(one))


def said_in(memory: Memory) -> str:
    """Return what a memory quotes of a person, or its title if it quotes nothing."""
    return quote_of(memory).strip("“”") or memory.title


def _is_from_session(memory: Memory) -> bool:
    return memory.origin is Origin.HUMAN and bool(memory.sources) and not memory.touched


def is_wanted(memory: Memory) -> bool:
    """Return whether a memory is a person's wish or decision, and no fact."""
    return memory.origin in _PERSONS and memory.kind in {None, Kind.PREFERENCE}


def revokes(one: Memory, other: Memory) -> bool:
    """Return whether a memory explicitly takes back what a person said in another one.

    The words that it names must be a good part of the other's title, apart from its reason.
    """
    stated, revoked = claim(other.title), claim(one.title).revoked
    if not revoked:
        return False
    about = revoked - FILLERS or revoked
    words = subject(without_remark(other.title)) - (_WRITING - about)
    done = words - FILLERS - stated.numbers
    if not about <= words and len(done) <= _DONE_WITH:  # `Indent with tabs`
        about = as_verbs(about)
    told = without_remark(other.title)
    if not (lifts(one.title) or denies(told)) and about <= words and is_chosen(about, told):
        return _are_persons(one, other) and not stated.revoked
    # if only one of several words counts, it must be all that is wanted
    in_all = lifts(one.title) or len(about) == 1 < len(revoked)
    return (
        about <= words
        and REVOKED * (len(about) + len(about & stated.names)) >= len(words - FILLERS)
        and (not in_all or about == words - FILLERS)
        and (not lifts(one.title) or stated.negative)
        and _are_persons(one, other)
        and not stated.revoked
    )


def _are_persons(*memories: Memory) -> bool:
    return {each.origin for each in memories} <= _PERSONS


def may_mean(one: Memory, other: Memory) -> bool:
    """Return whether a memory that takes something back may mean what another one says."""
    if one.created <= other.created or other.origin not in _PERSONS or claim(other.title).revoked:
        return False
    if only_takes_back(one):
        named = claim(one.title).revoked
        return bool(named & (claim(other.title).words | claim(other.title).parts))
    return may_limit(one) and is_wanted(other) and bool(stems(one.title) & stems(other.title))


def may_limit(memory: Memory) -> bool:
    """Return whether a memory may be an exception to another one, or a choice in its place.

    `Print is ok again in scripts` and `We use Postgres now instead of SQLite` say something even
    where they end nothing; `Remove the banner again` does not.
    """
    if not needs_target(memory) or only_hints(memory):
        return False
    change = change_of_mind(memory.title)
    return change is None or change.way is not Way.REMOVED


def only_takes_back(memory: Memory) -> bool:
    """Return whether a memory says nothing but that earlier words of the user no longer hold.

    If it supersedes them, it is not active itself, since nobody needs to read it.
    """
    found = revocation(memory.title) if _is_from_session(memory) else None
    return found is not None and not found.rest


def needs_target(memory: Memory) -> bool:
    """Return whether a memory is active only if it takes back another one.

    Otherwise its sentence may be about the work at hand: `Remove the banner again`.
    """
    is_change = memory.origin is Origin.HUMAN and memory.body.startswith(Lead.CHANGED)
    if not is_change or memory.touched:
        return False
    change = change_of_mind(memory.title)
    return not change or not change.complete


def only_hints(memory: Memory) -> bool:
    """Return whether only its words hint that a memory takes back another one, and no form."""
    return needs_target(memory) and not tells_change(memory.title)


def tells_change(title: str) -> bool:
    """Return whether a title has the form of a change of mind."""
    return bool(change_of_mind(title) or replacement(title) or wanted_after_all(title))


def may_be_inactive(memory: Memory) -> bool:
    """Return whether a memory may be inactive although nothing supersedes it."""
    return only_takes_back(memory) or needs_target(memory)


def named_best(one: Memory, others: Iterable[Memory]) -> Memory | None:
    """Return the memory that `one` most clearly takes back, or None if in doubt.

    That is the one with most words in common, or the only one with no other words. If `one` does
    not speak of earlier words, it has to be the only one.
    """
    said = claim(one.title).words
    subjects = [(subject(other.title), other) for other in others]
    if not claim(one.title).revoked and len(subjects) > 1:
        return None
    fits = [(len(words & said), words <= said, other) for words, other in subjects]
    most = max((fit[:2] for fit in fits), default=None)
    best = [other for *fit, other in fits if tuple(fit) == most]
    return best[0] if len(best) == 1 else None
