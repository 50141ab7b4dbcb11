"""Fast path for `git lerim search`: query the existing index without importing click.

This module imports little. It answers simple queries, with words and few options. For any other
query, or if the branch, HEAD or git's configuration changed since the last search, the command
itself runs, which brings the index up to date.
"""

# ruff: noqa: PTH109, PTH118 pathlib alone would cost more than all of this

import os
import sys

from git_lerim.errors import LerimError
from git_lerim.git import fast_repo
from git_lerim.private_files import READER_WAITS
from git_lerim.recall.fast import fast_options
from git_lerim.recall.local import access_log, cache_files
from git_lerim.screen import reader

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without importing the slow typing
if TYPE_CHECKING:
    from git_lerim.recall.index.index_reader import Reader
    from git_lerim.recall.local.verdicts import CachedVerdict
    from git_lerim.recall.search.search import Hit

NAME = "index.sqlite3"
LIMIT = 10
NOTHING = "no matching memories; --all includes archived ones"


def run(words: list[str]) -> int | None:
    """Print the hits and return 0, or return None if the command itself must run instead.

    It must run if the query has filters or unusual options, or if the index or a cached verdict is
    missing or out of date.
    """
    asked = _understood(words)
    if asked is None or fast_repo.redirecting_variables() or not fast_options.shows_all(sys.stdout):
        return None
    around = fast_repo.find_repo(os.getcwd())
    if around is None:
        return None
    _, git_dir, common = around
    query, options = asked
    found = _found(common, git_dir, query, options)
    if found is None:
        return None
    text, ids = found
    if not ids and "--json" not in options and sys.stderr is not None:
        sys.stderr.write(NOTHING + "\n")
    fast_options.show(text, options)
    access_log.log_shown(os.path.join(common, "lerim"), ids)
    return 0


def seen(common: str, branch: str, remote: str) -> str:
    """Return a fingerprint of the settings that select the memory branch, to detect changes.

    It is empty if other settings might select the branch: if environment variables redirect git, or
    a configuration file includes another one.
    """
    files = fast_repo.config_files(common)
    if fast_repo.redirecting_variables() or any(map(fast_repo.has_includes, files)):
        return ""
    return "\n".join([f"{branch} {remote}", *map(fast_repo.stamp, files)])


def _understood(words: list[str]) -> tuple[str, dict[str, str]] | None:
    """Parse the words; return the query and the options, which always include `-n`.

    Return None if the command itself must handle the words: if they have filters or other options,
    or an error.
    """
    query: list[str] = []
    asked = fast_options.options(words, ("--json", "--no-pager"), ("-n", "--color"), query)
    text = " ".join(query)
    if (
        asked is None
        or not query
        or not all(map(str.strip, query))
        or any("\ud800" <= char <= "\udfff" for char in text)
    ):
        return None
    from git_lerim.recall.search.query import FIELDS, parse  # noqa: PLC0415

    if any(f"{field}:" in text.lower() for field in FIELDS) or not parse(text).selects:
        return None  # the command itself checks filters, and refuses a query of punctuation alone
    number = asked.get("-n", str(LIMIT))
    if not (number.isascii() and number.isdecimal() and 0 < int(number[:6]) == int(number[:7])):
        return None
    return text, asked | {"-n": number}


def _found(
    common: str, git_dir: str, query: str, asked: dict[str, str]
) -> tuple[str, list[str]] | None:
    import _sqlite3  # noqa: PLC0415 not loaded outside of a repository

    from git_lerim.recall.index.index_reader import Reader  # noqa: PLC0415

    path = os.path.join(common, "lerim", NAME)
    found = os.lstat(path)
    if not cache_files.is_own(path, found):
        return None
    try:
        uri = cache_files.read_only(path)
        index = Reader(_sqlite3.connect(uri, uri=True, timeout=READER_WAITS))
        store, *stamps = index.meta.get("glance", "").split("\n")
        branch, _, remote = store.partition(" ")
        if (
            not index.fits(os.path.join(common, "lerim"))
            or not branch
            or index.meta.get("seen") != fast_repo.store_key(common, branch, remote)
        ):
            return None
        if stamps != [fast_repo.stamp(file) for file in fast_repo.config_files(common)]:
            return None
        place = common, git_dir
        held_back = _hidden(place, index.tree)
        if held_back is None:
            return None
        index.hidden = held_back
        limit = int(asked["-n"])
        return (
            _json(index, query, limit, place)
            if "--json" in asked
            else _text(index, query, limit, place, coloured=fast_options.is_coloured(asked))
        )
    except (_sqlite3.Error, LerimError, OSError):
        return None


def _hidden(place: tuple[str, str], tree: str | None) -> frozenset[int] | None:
    """Return the keys of the memories hidden at HEAD; None if they are not cached.

    A hidden memory belongs only to other branches. `tree` is the indexed tree of the store.
    """
    from git_lerim.recall.local import verdicts  # noqa: PLC0415

    head = fast_repo.head(*place)
    kept = verdicts.open_cache(os.path.join(place[0], "lerim")) if head else None
    if not head:
        return frozenset()
    found = None if kept is None else verdicts.hidden(kept, head, tree, fast_repo.branch(place[1]))
    return None if found is None else frozenset(found)


def _cached_verdicts(hits: "list[Hit]", place: tuple[str, str]) -> "list[CachedVerdict] | None":
    """Return a cached verdict for each hit; None if the verdict on a hit is missing.

    Hits without anchors need no verdict: they are `UNKNOWN`.
    """
    from git_lerim.recall.local import verdicts  # noqa: PLC0415

    blobs = [hit.blob for hit in hits if hit.anchors]
    head = fast_repo.head(*place) if blobs else ""
    kept = verdicts.open_cache(os.path.join(place[0], "lerim")) if head else None
    found = verdicts.read(kept, head, blobs) if kept is not None else {}
    if head and not found.keys() >= set(blobs):
        return None
    return [found.get(hit.blob, verdicts.UNKNOWN) for hit in hits]


def _text(
    index: "Reader", query: str, limit: int, place: tuple[str, str], *, coloured: bool
) -> tuple[str, list[str]] | None:
    from git_lerim.recall.local import verdicts  # noqa: PLC0415
    from git_lerim.recall.search import render  # noqa: PLC0415
    from git_lerim.recall.search.fair_search import (  # noqa: PLC0415
        search_fairly,
        with_summaries,
    )
    from git_lerim.recall.search.query import parse  # noqa: PLC0415

    hits = search_fairly(index, query, limit=limit)
    if not reader.is_agent(os.environ):
        hits = with_summaries(index, query, hits, limit=limit)
    cached = _cached_verdicts(hits, place)
    if cached is None:
        return None
    states = [
        verdicts.label_of(hit.status, verdict, verdicts.doubt_in(hit.row))
        for hit, verdict in zip(hits, cached, strict=True)
    ]
    text = render.lines(zip(hits, states, strict=True), parse(query).terms, coloured=coloured)
    return text, [hit.id for hit in hits]


def _json(
    index: "Reader", query: str, limit: int, place: tuple[str, str]
) -> tuple[str, list[str]] | None:
    if index.meta.get("held") != index.meta.get("commit"):
        return None  # new memories need git's log for author and date
    import json  # noqa: PLC0415
    import time  # noqa: PLC0415

    from git_lerim.recall.search import rows  # noqa: PLC0415
    from git_lerim.recall.search.fair_search import search_fairly  # noqa: PLC0415
    from git_lerim.tokens import printable_json  # noqa: PLC0415

    hits = search_fairly(index, query, limit=limit)
    held = index.first_commits(map(rows.name_of, hits))
    period, floor = index.meta["decay"].split()
    cached = _cached_verdicts(hits, place)
    if cached is None:
        return None
    found, now = [], time.time()
    for hit, verdict in zip(hits, cached, strict=True):
        first = rows.FirstCommit(*held.get(rows.name_of(hit), (None, None)))
        found.append(rows.row(hit, verdict, first, rows.Decay(int(period), float(floor)), now))
    return printable_json(json.dumps(found, ensure_ascii=False, indent=2)) + "\n", [
        hit.id for hit in hits
    ]
