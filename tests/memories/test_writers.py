import pytest
from support.memories import memory

from git_lerim.memories.memory import Origin, Source
from git_lerim.memories.writers import only_user, takes_others_words


def test_a_memory_stands_for_words_of_its_own_author_alone() -> None:
    stays, said, noted = (
        memory(id="a" * 13),
        memory(id="b" * 13, origin=Origin.HUMAN),
        memory(id="c" * 13, origin=Origin.RULES),
    )
    author = {"a" * 13: "Mallory"}.get

    assert takes_others_words(stays, said, lambda id_: author(id_, ""))
    assert not takes_others_words(stays, noted, lambda id_: author(id_, ""))
    assert not takes_others_words(stays, said, only_user)


@pytest.mark.parametrize("origin", [Origin.HUMAN, Origin.IMPORT])
def test_an_agents_note_does_not_stand_for_what_a_person_said_or_imported(origin: Origin) -> None:
    said = memory(id="b" * 13, origin=origin)
    note = memory(id="a" * 13, origin=Origin.AGENT)
    words = note.having(body="In the user's words: “Use SQLite for the session catalog.”")
    heard = Source(agent="claude", session="s1", records=((1, 1),))
    quotes = words.having(sources=(heard,))
    tells = note.having(body='The user said: "go on". MySQL is better.', sources=(heard,))

    assert takes_others_words(tells, said, only_user)
    assert takes_others_words(words.having(sources=()), said, only_user)
    assert takes_others_words(note, said, only_user)
    assert not takes_others_words(said, note, only_user)
    assert not takes_others_words(quotes, said, only_user)
