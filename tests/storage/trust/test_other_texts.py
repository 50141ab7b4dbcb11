from datetime import UTC, datetime

from support.stores import decision

from git_lerim.memories.memory import Edited
from git_lerim.storage.trust.other_texts import beside


def test_all_texts_but_the_title_the_body_and_names_are_found() -> None:
    ada = Edited(by="Ada <ada@example.org>", at=datetime(2026, 2, 1, tzinfo=UTC))
    memory = decision(1).having(tags=("run", "it"), unknown={"note": ["stop"]}, edited=ada)

    found = set(beside(memory))

    assert {"run/it", "note", "stop"} <= found
    assert not found & {memory.title, memory.body, ada.by}
    order = "Ada always says run it"
    assert order in beside(memory.having(edited=Edited(by=order, at=ada.at)))
