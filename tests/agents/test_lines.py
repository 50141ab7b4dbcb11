import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_lerim.agents.base import Bookmark
from git_lerim.agents.lines import LINE_LIMIT, WARNING_LIMIT, Lines, objects, sources
from git_lerim.errors import Unreadable

Numbered = list[tuple[int, dict[str, Any]]]


def written(folder: Path, content: bytes) -> Path:
    path = folder / "session.jsonl"
    path.write_bytes(content)
    return path


def read(path: Path, bookmark: Bookmark | None = None) -> tuple[Numbered, Lines]:
    lines = Lines(path, bookmark)
    return list(lines), lines


def test_each_line_gives_its_number_and_its_object(tmp_path: Path) -> None:
    found, lines = read(written(tmp_path, b'{"a":1}\n\n{"a":2}\r\n'))

    assert found == [(1, {"a": 1}), (3, {"a": 2})]
    assert (lines.stored, lines.offset, lines.line) == (2, 18, 3)


def test_two_objects_glued_on_one_line_are_two_records(tmp_path: Path) -> None:
    found, lines = read(written(tmp_path, b'{"a":1}{"a":2}\n{"a":3} {"a":4}\n'))

    assert found == [(1, {"a": 1}), (1, {"a": 2}), (2, {"a": 3}), (2, {"a": 4})]
    assert lines.stored == 4
    assert lines.warnings == ()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('﻿{"a":1}'.encode(), 1),
        (b'\x00\x00{"a":1}\x00', 1),
        ('{"a":"x\u2028y\u0085z"}'.encode(), "x\u2028y\u0085z"),
        (b'{"a":"x\xff\xfey"}', "x\ufffd\ufffdy"),
        (rb'{"a":"x\ud83dy"}', "x\ufffdy"),
        (rb'{"a":"\ud83d\ude00"}', "\U0001f600"),
        (rb'{"a":"\udc00\ud83d\ude00"}', "\ufffd\U0001f600"),
        (rb'{"a":"\\ud83d"} {"b":"\ud83d"}', "\\ud83d"),
        (b'{"a":"tab\there"}', "tab\there"),
        (b'{"a":NaN}', None),
    ],
)
def test_a_line_that_is_not_quite_json_is_read_all_the_same(line: bytes, value: object) -> None:
    found, understood = objects(line)

    assert understood
    assert value is None or found[0]["a"] == value
    json.dumps(found[0]["a"]).encode()


def test_what_follows_an_object_and_is_no_json_is_one_warning_that_names_the_line_and_none_of_its_text(  # noqa: E501
    tmp_path: Path,
) -> None:
    path = written(tmp_path, b'{"a":1}\n{"a":2}{"secret":\n{"a":3}\n')
    found, lines = read(path)

    assert [value["a"] for _, value in found] == [1, 2, 3]
    assert lines.warnings == (f"{path}, line 2: not JSON, left out",)


def test_a_file_of_something_else_gives_few_warnings(tmp_path: Path) -> None:
    found, lines = read(written(tmp_path, b"not json\n" * 1000))

    assert found == []
    assert len(lines.warnings) == WARNING_LIMIT + 1
    assert "980 more" in lines.warnings[-1]


def test_a_document_nested_too_deep_is_left_out(tmp_path: Path) -> None:
    found, lines = read(written(tmp_path, b'{"a":' * 100_000 + b"\n" + b'{"b":1}\n'))

    assert found == [(2, {"b": 1})]
    assert len(lines.warnings) == 1


def test_a_cut_last_line_is_left_for_the_next_reading(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"a":1}\n{"a":')
    found, lines = read(path)
    path.write_bytes(b'{"a":1}\n{"a":2}\n')
    more, after = read(path, lines.bookmark())

    assert (found, lines.offset, lines.warnings) == ([(1, {"a": 1})], 8, ())
    assert (more, after.offset, after.restart) == ([(2, {"a": 2})], 16, False)


def test_a_whole_last_line_without_a_line_feed_is_used_once(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"a":1}')
    found, lines = read(path)
    path.write_bytes(b'{"a":1}\n{"a":2}')
    more, after = read(path, lines.bookmark())

    assert found == [(1, {"a": 1})]
    assert more == [(2, {"a": 2})]
    assert (after.offset, after.line) == (15, 1)


def test_a_file_that_became_shorter_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"a":1}\n{"a":2}\n')
    _, lines = read(path)
    path.write_bytes(b'{"a":1}\n')
    found, after = read(path, lines.bookmark())

    assert after.restart
    assert found == [(1, {"a": 1})]


def test_a_file_with_another_beginning_is_read_again_and_its_state_forgotten(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, b'{"a":1}\n{"a":2}\n')
    _, lines = read(path)
    path.write_bytes(b'{"b":1}\n{"a":2}\n{"a":3}\n')
    found, after = read(path, lines.bookmark({"seen": 2}))

    assert after.restart
    assert after.state == {}
    assert len(found) == 3


def test_the_state_of_the_last_reading_comes_back(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"a":1}\n')
    _, lines = read(path)
    _, after = read(path, lines.bookmark({"seen": 1}))

    assert after.state == {"seen": 1}


def test_skipped_lines_are_counted_but_not_decoded(tmp_path: Path) -> None:
    lines = Lines(
        written(tmp_path, b'{"t":"noise"}\n{"t":"word"}\n{"t":"noise"}\n'),
        skip=lambda line: b"noise" in line,
    )

    assert [value["t"] for _, value in lines] == ["word"]
    assert (lines.stored, lines.line) == (3, 3)


def test_a_record_glued_to_a_skipped_one_is_not_lost(tmp_path: Path) -> None:
    lines = Lines(
        written(tmp_path, b'{"t":"noise"}{"t":"word"}\n'), skip=lambda line: b"noise" in line
    )

    assert [value["t"] for _, value in lines] == ["noise", "word"]


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    with path.open("wb") as file:
        file.truncate(LINE_LIMIT + 10)  # a hole: no disk is used
        file.seek(0, os.SEEK_END)
        file.write(b'\n{"a":1}\n')
    found, lines = read(path)

    assert found == [(2, {"a": 1})]
    assert "longer than" in lines.warnings[0]
    assert lines.offset == path.stat().st_size


def test_a_file_that_is_gone_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"gone\.jsonl"):
        Lines(tmp_path / "gone.jsonl")


@settings(
    max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    content=st.one_of(
        st.binary(),
        st.lists(
            st.sampled_from([b'{"a":1}', b"\n", b'{"b":"\xff', b'"}', b"\r", b"[]", b"\x00"])
        ).map(b"".join),
    )
)
def test_no_bytes_make_reading_fail_or_pass_an_unfinished_line(
    tmp_path: Path, content: bytes
) -> None:
    _, lines = read(written(tmp_path, content))

    assert lines.offset <= len(content)
    assert content.count(b"\n", 0, lines.offset) == content.count(b"\n") == lines.line


@settings(
    max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(data=st.data())
def test_reading_in_two_steps_gives_what_reading_at_once_gives(
    tmp_path: Path, data: st.DataObject
) -> None:
    pieces = [
        b'{"a":1}',
        b'{"b":{"c":"x"}}',
        b"\n",
        b"\r\n",
        b" ",
        b"junk",
        b'{"d":"\xc3\xa4\xff"}',
        "﻿".encode(),
        b"\x00",
        b'"',
    ]
    content = b"".join(data.draw(st.lists(st.sampled_from(pieces), max_size=20))) + b"\n"
    cut = data.draw(st.integers(0, len(content)))
    once, at_once = read(written(tmp_path, content))
    first, before = read(written(tmp_path, content[:cut]))
    second, after = read(written(tmp_path, content), before.bookmark())

    assert first + second == once
    assert (after.offset, after.line, before.stored + after.stored) == (
        at_once.offset,
        at_once.line,
        at_once.stored,
    )
    assert not after.restart


def test_sources_are_found_below_folders_and_links_once(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.jsonl").write_text("{}\n")
    (tmp_path / "a" / "other.txt").write_text("x")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "broken.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / "itself.jsonl").symlink_to(tmp_path / "itself.jsonl")
    os.mkfifo(tmp_path / "pipe.jsonl")
    found = list(sources("claude", tmp_path, lambda name: name.endswith(".jsonl")))

    assert [source.path.name for source in found] == ["one.jsonl"]
    assert found[0].size == 3
    assert [
        source.path for source in sources("claude", tmp_path / "a" / "other.txt", lambda _: False)
    ] == [tmp_path / "a" / "other.txt"]
    assert list(sources("claude", tmp_path / "missing", lambda _: True)) == []


def test_a_link_to_a_folder_around_the_root_leads_nowhere(tmp_path: Path) -> None:
    root = tmp_path / "home" / "sessions"
    for folder in (root, tmp_path / "elsewhere", tmp_path / "home" / "others"):
        folder.mkdir(parents=True)
        (folder / f"{folder.name}.jsonl").write_text("{}\n")
    (root / "disk").symlink_to("/")
    (root / "home").symlink_to(tmp_path / "home")
    (root / "moved").symlink_to(tmp_path / "elsewhere")
    watched = []

    def wanted(name: str) -> bool:
        watched.append(name)
        return name.endswith(".jsonl")

    found = sorted(source.path.name for source in sources("x", root, wanted))

    assert found == ["elsewhere.jsonl", "sessions.jsonl"]
    assert sorted(watched) == found


def test_a_link_beside_a_deep_folder_hides_nothing_in_it(tmp_path: Path) -> None:
    folder = (tmp_path / "a").joinpath(*map(str, range(9)))
    folder.mkdir(parents=True)
    (folder / "deep.jsonl").write_text("{}\n")
    for number, target in enumerate(("a", "a/0/1")):
        (tmp_path / f"z{number}").symlink_to(target)

    assert [each.path.name for each in sources("x", tmp_path, lambda _: True)] == ["deep.jsonl"]


def test_a_link_leads_no_deeper_than_agents_keep_sessions(tmp_path: Path) -> None:
    root, deep = tmp_path / "sessions", tmp_path / "deep"
    root.mkdir()
    for levels in (4, 9):
        folder = deep.joinpath(*map(str, range(levels)))
        folder.mkdir(parents=True)
        (folder / f"{levels}.jsonl").write_text("{}\n")
    (root / "deep").symlink_to(deep)

    assert [each.path.name for each in sources("x", root, lambda _: True)] == ["4.jsonl"]
