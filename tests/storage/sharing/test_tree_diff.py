from hypothesis import given
from hypothesis import strategies as st

from git_lerim.git.engines.trees import FILE, FOLDER, TreeEntry, edit_tree
from git_lerim.storage.sharing.tree_diff import TreeChange, differing

ENTRIES = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.builds(
        lambda mode, id_: (mode, f"{id_:040x}"), st.sampled_from([FILE, FOLDER]), st.integers(0, 2)
    ),
)


class Fixed:
    """Trees by their names."""

    def __init__(self, **trees: bytes) -> None:
        self._trees = trees

    def raw_tree(self, tree: str) -> bytes:
        return self._trees[tree]


def entry(entries: dict[str, tuple[int, str]], name: str) -> TreeEntry | None:
    return TreeEntry(name.encode(), *entries[name]) if name in entries else None


@given(ENTRIES, ENTRIES, ENTRIES)
def test_what_differs_is_found_wherever_it_is(
    both: dict[str, tuple[int, str]],
    one: dict[str, tuple[int, str]],
    other: dict[str, tuple[int, str]],
) -> None:
    old, new = {**both, **one}, {**both, **other}
    trees = Fixed(
        **{
            name * 40: edit_tree([], {each: entry(entries, each) for each in entries})
            for name, entries in (("o", old), ("n", new))
        }
    )

    found = list(differing(trees, "o" * 40, "n" * 40, lambda _: False))

    assert found == [
        TreeChange(name, entry(old, name), entry(new, name))
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]


def test_of_a_name_that_is_there_twice_the_first_counts() -> None:
    first, second, third = (b"100644 a\0" + bytes([n] * 20) for n in range(3))
    trees = Fixed(**{"o" * 40: first + second, "n" * 40: first + third})

    assert list(differing(trees, "o" * 40, "n" * 40)) == []
