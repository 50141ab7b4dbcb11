"""What two pulls in a row brought, as one result."""

from git_lerim.actions.sharing.pull import Pulled, combine


def test_a_memory_that_is_new_and_then_changed_is_named_once() -> None:
    first = Pulled(remote="origin", commit="a", theirs="a", moved=True, added=("new",))
    then = Pulled(
        remote="origin", commit="b", theirs="b", moved=True, changed=("new", "old"), merged=("new",)
    )

    both = combine(first, then)

    assert (both.added, both.changed, both.merged) == (("new",), ("old",), ())
