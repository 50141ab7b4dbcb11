from support.memories import memory

from git_lerim.actions.git_history.passages import Gathered, Passage
from git_lerim.actions.git_history.windows import cut
from git_lerim.memories.memory import Source
from git_lerim.sessions.session import Record, Role

HALF = "word " * 1000  # 1,250 tokens


def commit(name: str, text: str = HALF) -> Passage:
    record = Record(n=0, role=Role.REPLY, text=text, uuid=name)
    cites = Source(agent="git", session=name, records=((1, 1),), commit=name)
    return Passage(record=record, cites=cites, unit=f"commit {name}")


def lines(first: int, last: int, path: str = "README.md") -> Passage:
    record = Record(n=0, role=Role.REPLY, text=HALF, uuid=path)
    cites = Source(agent="git", session=path, records=((first, last),))
    return Passage(record=record, cites=cites, unit=f"file {path} 1", blob="1")


def gathered(documents: list[Passage], commits: list[Passage]) -> Gathered:
    return Gathered("head", documents, commits)


def citing(session: str, *records: tuple[int, int]) -> tuple[Source, ...]:
    return (Source(agent="git", session=session, records=records),)


def test_documents_come_first_and_then_the_newest_commits() -> None:
    commits = [commit(name) for name in ("aaaa", "bbbb", "cccc")]
    windows = cut(gathered([lines(1, 9)], commits), 4600)

    assert [window.name for window in windows] == ["README.md:1-9", "cccc", "aaaa to bbbb"]
    assert [window.units() for window in windows] == [(0, 1), (1, 0), (2, 0)]


def test_a_file_in_two_windows_is_read_after_the_second() -> None:
    first, second = cut(gathered([lines(1, 9), lines(10, 19), lines(20, 29)], []), 4600)

    assert (first.done, second.done) == ((), ("file README.md 1",))
    assert second.whole == frozenset()


def test_records_are_numbered_from_one() -> None:
    (window,) = cut(gathered([], [commit("aaaa", "a"), commit("bbbb", "b")]), 9000)
    assert [record.n for record in window.session.records] == [1, 2]


def test_a_stored_memory_is_placed_where_its_lines_are() -> None:
    (window,) = cut(gathered([lines(1, 9), lines(10, 19)], []), 9000)
    placed = window.placed(memory(sources=citing("README.md", (12, 14))))

    assert placed
    assert [source.records for source in placed.sources] == [((2, 2),)]
    assert window.placed(memory(sources=citing("docs/other.md", (1, 2)))) is None


def test_one_whose_lines_are_gone_is_placed_at_the_whole_file() -> None:
    cites = memory(sources=citing("README.md", (400, 410)))
    (window,) = cut(gathered([lines(1, 9), lines(10, 19)], []), 9000)
    placed = window.placed(cites)
    assert placed
    assert placed.sources[0].records == ((1, 2),)

    parts = cut(gathered([lines(1, 9), lines(10, 19), lines(20, 29)], []), 4600)
    assert [part.placed(cites) for part in parts] == [None, None]
