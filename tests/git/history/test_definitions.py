from support.costs import grows_evenly

from git_lerim.git.history.definitions import bodies, heads, places

ROWS = (
    "class Ledger:",
    "    def total(self):",
    "        return self.sum",
    "",
    "class Report:",
    "    def total(self):",
    "        return 0",
    "def closing():",
    "    return 0",
)


def test_a_method_is_found_in_its_class() -> None:
    assert heads(ROWS, "total") == [2, 6]
    assert bodies(ROWS, "Report.total") == [(6, 7)]
    assert heads(ROWS, "sum") == []


def test_the_answer_stays_the_same_however_often_a_file_is_searched() -> None:
    found = [tuple(heads(ROWS, "total")) for _ in range(100)]

    assert set(found) == {(2, 6)}
    assert heads(ROWS, "closing") == [8]
    assert heads(tuple(row + " " for row in ROWS[:4]), "closing") == []


def test_equal_lines_are_found_at_any_indentation() -> None:
    assert places(ROWS, {"return 0", "def total(self):"}) == [2, 6, 7, 9]
    assert places((), {"x"}) == []


def test_many_searches_in_a_large_file_cost_time_in_proportion() -> None:
    def search(size: int) -> None:
        rows = tuple(f"def f{number}(): return f{number + 1}" for number in range(size))
        for number in range(size):
            heads(rows, f"f{number}")

    assert grows_evenly(search, 2_000)
