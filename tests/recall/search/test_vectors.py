import contextlib
import random
import sqlite3
from collections.abc import Iterator
from math import sqrt
from pathlib import Path

import pytest

from git_lerim.recall.search.vectors import NAME, Vectors, in_bytes, open_vectors, signs

CHANCE = random.Random(7)  # noqa: S311 no secret


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Vectors]:
    with open_vectors(tmp_path, "words") as found:
        yield found


def point(width: int = 64) -> list[float]:
    return [CHANCE.gauss(0, 1) for _ in range(width)]


def alike(one: list[float], other: list[float]) -> float:
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    return dot / sqrt(sum(a * a for a in one) * sum(b * b for b in other))


def test_the_nearest_come_first_as_if_each_were_measured(kept: Vectors) -> None:
    points = {(f"{n:040x}", n): point() for n in range(300)}
    kept.keep(points)
    asked = point()

    found = [key for key, _ in kept.nearest(asked, set(range(300)), 5)]

    right = sorted(
        (key for _, key in points), key=lambda key: -alike(asked, points[f"{key:040x}", key])
    )
    assert found[0] == right[0]
    assert len(set(found) & set(right[:5])) >= 4


def test_among_many_the_signs_choose_who_is_measured(kept: Vectors) -> None:
    asked = point()
    kept.keep({(f"{n:040x}", n): point() for n in range(1200)})
    kept.keep({("f" * 40, 5000): [number + CHANCE.gauss(0, 0.5) for number in asked]})

    assert kept.nearest(asked, set(range(6000)), 3)[0] == (5000, "f" * 40)


def test_only_those_that_are_allowed_are_found(kept: Vectors) -> None:
    kept.keep({(f"{n:040x}", n): point() for n in range(20)})

    assert {key for key, _ in kept.nearest(point(), {3, 4, 99}, 10)} == {3, 4}
    assert kept.nearest(point(), set(), 10) == []


def test_another_model_begins_with_none_and_keeps_those_of_the_old_one_until_it_has_some(
    tmp_path: Path,
) -> None:
    with open_vectors(tmp_path, "old") as old:
        old.keep({("a" * 40, 1): point(8)})
    with open_vectors(tmp_path, "new") as new:
        assert new.width == 0
    with open_vectors(tmp_path, "old") as old:
        assert old.width == 8
    with open_vectors(tmp_path, "new") as new:
        new.keep({("b" * 40, 2): point(8)})
        assert new.nearest(point(8), {1, 2}, 5) == [(2, "b" * 40)]
    with open_vectors(tmp_path, "old") as old:
        assert old.width == 0


def test_what_the_model_refuses_is_marked_and_never_found(kept: Vectors) -> None:
    kept.keep({("a" * 40, 1): point(8), ("b" * 40, 2): None})

    assert [key for key, _ in kept.nearest(point(8), {1, 2}, 5)] == [1]


def test_what_two_writers_keep_at_once_is_kept_once(kept: Vectors) -> None:
    kept.keep({("a" * 40, 1): point(8)})
    kept.keep({("a" * 40, 1): point(8)})

    assert len(kept.nearest(point(8), {1}, 5)) == 1


def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"no database at all, but long enough to be taken for one" * 20)
    with open_vectors(tmp_path, "words") as kept:
        assert kept.width == 0


def test_only_its_user_reads_the_file(tmp_path: Path) -> None:
    with open_vectors(tmp_path, "words") as kept:
        kept.keep({("a" * 40, 1): point(8)})
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600
    with contextlib.closing(sqlite3.connect(tmp_path / NAME)) as database:
        assert database.execute("SELECT value FROM meta WHERE name = 'model'").fetchone() == (
            "words",
        )


def test_bytes_keep_the_direction() -> None:
    assert list(in_bytes([0.5, -1.0, 0.0])) == [64, -127, 0]
    assert signs([1.0, -1.0, 0.0, 2.0]) == bytes([0b1001])


def test_a_mark_beside_no_vector_is_not_kept(kept: Vectors) -> None:
    kept.keep({("a" * 40, 1): None})

    assert kept.width == 0
