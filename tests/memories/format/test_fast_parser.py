from hypothesis import given
from support.memories import memories, memory

from git_lerim.memories.format.fast_parser import read_canonical
from git_lerim.memories.format.frontmatter import parse, render
from git_lerim.memories.format.normalize import clean
from git_lerim.memories.memory import Anchor, Memory, Source


@given(memories())
def test_reading_with_and_without_yaml_gives_the_same(any_memory: Memory) -> None:
    written = render(any_memory)
    by_yaml = written.replace(b"---\n", b"---\n# a remark sends it to YAML\n", 1)

    assert parse(by_yaml) == parse(written)


def head_of(one: Memory) -> str:
    return render(one).decode().split("---\n")[1]


def test_an_ordinary_memory_is_read_this_way() -> None:
    one = memory(
        title='Größe: "quoted" and \\ too',
        tags=("b", "a-1"),
        sources=(Source(agent="codex", session="x", part="agent-1.jsonl"), *memory().sources),
        anchors=(Anchor(path="src/a b.py", lines=(1, 2), symbol="f(x)", blob="aaaa"),),
    )

    assert read_canonical(head_of(one), one.body) == clean(one)


def test_the_smallest_change_of_form_is_left_to_yaml() -> None:
    head = head_of(memory())

    for old, new in (
        (": null", ": ~"),
        ('"decision"', "decision"),
        ("tags: []", "tags: [ ]"),
        ("0.50", "0.5"),
        ("active", "acting"),
    ):
        assert old in head
        assert read_canonical(head.replace(old, new, 1), "x") is None


def test_lists_out_of_order_are_put_in_order() -> None:
    head = head_of(memory(tags=("a", "b"))).replace('["a", "b"]', '["b", "a", "b"]')
    read = read_canonical(head, "x")

    assert read is not None
    assert read.tags == ("a", "b")
