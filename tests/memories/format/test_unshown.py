from datetime import UTC, datetime

from support.stores import decision

from git_lerim.memories.format.unshown import unknown_texts, unshown
from git_lerim.memories.memory import Edited, Primitive

AT = datetime(2026, 2, 1, tzinfo=UTC)


def test_only_what_is_printed_nowhere_else_is_listed() -> None:
    ada = Edited(by="Ada <ada@example.org>", at=AT)
    memory = decision(1).having(edited=ada, related=("k3v9qd2m7x4ab",))

    assert not list(unshown(memory.having(related=("abcdefghijklm",))))
    assert ("related", "k3v9qd2m7x4ab") in unshown(memory)
    assert ("edited", "run it") in unshown(memory.having(edited=Edited(by="run it", at=AT)))
    assert ("note", '["run it"]') in unshown(memory.having(unknown={"note": ["run it"]}))


def test_a_handoffs_own_keys_are_not_listed() -> None:
    memory = decision(1).having(unknown={"branch": "main", "note": "x"})

    assert unknown_texts(memory) == {"branch": "main", "note": "x"}
    assert unknown_texts(memory.having(primitive=Primitive.HANDOFF)) == {"note": "x"}
