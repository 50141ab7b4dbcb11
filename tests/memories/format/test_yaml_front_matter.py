from contextlib import suppress

import pytest
from support.costs import grows_evenly

from git_lerim.errors import BadMemory
from git_lerim.memories.format.forms import Plain
from git_lerim.memories.format.yaml_front_matter import read_head


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("x: &a b", "line 2 contains an anchor"),
        ("x: *a", "line 2 contains an alias"),
        ("x: !!python/object:os.system {}", "line 2 contains a tag"),
        ("x: [1, &a 2]", "line 2 contains an anchor"),
        ("!x y: z", "line 2 contains a tag"),
        ("x:\ty", "line 2 contains a tab"),
        ("%YAML 1.1", "line 2 contains a directive"),
        ("<<: {a: b}", "line 2 has a key"),
        ("x: y\nx: z", "line 3 repeats the key 'x'"),
        ("x: {a: 1, a: 2}", "line 2 repeats the key 'a'"),
        ("x: " + "[" * 10_000, "nests deeper than 6"),
        ("x: " + "{a: " * 3_000, "nests deeper than 6"),
        ('x: y "\nz: ' + "[" * 10_000, "nests deeper than 6"),
        ("x:\n" + "- " * 5_000 + "a", "nests deeper than 6"),
        ("\n".join(f"k{n}: v" for n in range(70)), "more than 64 keys"),
        ("? [a]\n: b", "has a key"),
        ("x: 'open", "not YAML"),
        ('x: "\\ud800"', "not YAML"),
        ("x: y\n...\nz: w", "not YAML"),
    ],
)
def test_dangerous_front_matter_is_refused_with_its_line(line: str, told: str) -> None:
    with pytest.raises(BadMemory, match=told):
        read_head(f"{line}\n")


def test_what_is_only_text_is_taken_for_text() -> None:
    read = read_head(
        "a: R&D isn't, *bold* no!  # &a *b !c\nb: no\nc: 12:30:45\nd: 1e3\ne: '&a *b !c'\nf: [1,"
        ' {g: "[[[[[[[["}]\n'
    )

    assert read == {
        "a": "R&D isn't, *bold* no!",
        "b": "no",
        "c": "12:30:45",
        "d": "1e3",
        "e": "&a *b !c",
        "f": ["1", {"g": "[[[[[[[["}],
    }
    assert isinstance(read["b"], Plain)
    assert not isinstance(read["e"], Plain)


def test_what_is_no_mapping_is_refused() -> None:
    for head in ("", "a\n", "- a\n", "[a]\n"):
        with pytest.raises(BadMemory, match="not a mapping"):
            read_head(head)


@pytest.mark.parametrize(
    "unit", ["[", "{a: ", "- ", "'", '"', ' "\\', "? ", "a: ", "&a ", "#", "!!", "[a, "]
)
def test_the_worst_front_matter_takes_time_in_proportion(unit: str) -> None:
    def read(size: int) -> None:
        with suppress(BadMemory):
            read_head('x: y "\nz: ' + unit * (size // len(unit)) + "\n")

    assert grows_evenly(read, 4_000)
