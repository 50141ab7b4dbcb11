from hypothesis import given
from hypothesis import strategies as st

from git_lerim.extraction.transcript.text import blocks, finished, plain, sentences

REPLY = """## Why it hangs

The pool has **two** connections, see [pool.py](src/pool.py#L4).
It waits for a third.

- **Cause**: a task holds its connection while it waits
- [x] second item
  1. nested

| Setting | Default | Meaning |
|---------|---------|---------|
| `size` | 2 | connections |

```python
print("code is dropped")
```

Run this:
```bash
git fsck --full
```

│ ├── a drawing ──┐
---
> a quote
"""


def test_markdown_falls_into_blocks_without_code_and_drawings() -> None:
    found = [(block.kind, block.text) for block in blocks(REPLY)]
    assert found == [
        ("heading", "Why it hangs"),
        ("paragraph", "The pool has two connections, see pool.py. It waits for a third."),
        ("item", "Cause: a task holds its connection while it waits"),
        ("item", "second item"),
        ("item", "nested"),
        ("row", "`size`: 2, connections"),
        ("paragraph", "Run this:"),
        ("command", "`git fsck --full`"),
        ("quote", "a quote"),
    ]
    assert [block.lead for block in blocks(REPLY) if block.lead] == ["Cause", "`size`"]


def test_code_spans_keep_what_looks_like_a_tag() -> None:
    assert (
        plain("the **bold** `<details>` tag <br> and _that_")
        == "the bold `<details>` tag and _that_"
    )


def test_a_link_without_an_end_stays_and_is_read_in_one_pass() -> None:
    unfinished = "see [Validators](../concepts/validators.md#field-validators-in-more-depth 5607"
    assert plain(unfinished) == unfinished
    assert plain(f'a [link](x_(y)_z{"/" * 1200} "with a title") ends') == "a link ends"


def test_a_sentence_gets_a_full_stop_if_it_has_no_end_mark() -> None:
    assert finished("It said “no” –") == "It said “no”."
    for sentence in ("It said “no.”", "Tests? Yes!", "“タブを使う。”", "是吗？"):
        assert finished(sentence) == sentence


def test_sentences_end_where_they_end() -> None:
    text = "Use e.g. Redis here. It runs v1.2.3! Does it? `git` says so. 日本語です。次の文です。"
    assert sentences(text) == (
        "Use e.g. Redis here.",
        "It runs v1.2.3!",
        "Does it?",
        "`git` says so. 日本語です。",
        "次の文です。",
    )


@given(st.text(max_size=400))
def test_any_text_has_blocks(text: str) -> None:
    assert all(block.text for block in blocks(text))


def test_a_name_between_underscores_is_no_emphasis() -> None:
    assert plain("keep __init__.py empty, also in __tests__") == (
        "keep __init__.py empty, also in __tests__"
    )
    assert plain("call a.__init__(b), __never__ is a name") == (
        "call a.__init__(b), __never__ is a name"
    )
    assert plain("__Never__ do it, __use tabs__") == "Never do it, use tabs"
