from dataclasses import replace
from datetime import timedelta

import pytest
from support.repos import Repo
from support.stores import decision

from git_lerim.git.engines.open_objects import open_objects
from git_lerim.git.repo import discover
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Edited, Memory
from git_lerim.storage.trust.provenance.same_words import keeps_words, only_edited_again

ONE = decision(1)
LATER = ONE.updated + timedelta(days=1)


@pytest.mark.parametrize(
    ("other", "is_redated", "keeps"),
    [
        (replace(ONE, last_accessed=f"{LATER:%Y-%m-%d}", updated=LATER), True, True),
        (replace(ONE, updated=LATER, edited=Edited(by="Ada <a@x>", at=LATER)), True, False),
        (replace(ONE, protected=True), False, True),
        (replace(ONE, body="Because it is bad."), False, False),
    ],
)
def test_what_changes_beside_the_words(
    repo: Repo, other: Memory, *, is_redated: bool, keeps: bool
) -> None:
    objects = open_objects(discover(repo.path, {}))
    one, two = (objects.write_blob(frontmatter.render(each)) for each in (ONE, other))

    assert only_edited_again(objects, one, two) is is_redated
    assert keeps_words(objects, one, two) is keeps


def test_what_is_no_memory_is_the_same_only_byte_for_byte(repo: Repo) -> None:
    objects = open_objects(discover(repo.path, {}))
    one, two = objects.write_blob(b"one"), objects.write_blob(b"two")

    assert only_edited_again(objects, one, one)
    assert not only_edited_again(objects, one, two)
    assert not only_edited_again(objects, one, "")
