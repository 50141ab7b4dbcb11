"""Find memories by meaning with the user's embedding model, or only by keywords if it fails.

Everything sent goes through the redactor first. Only active memories are sent, not those that are
suspect, superseded or archived.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from git_lerim.errors import Busy, LerimError, ModelFailed, NewerFormat, ReadOnly, Unreadable
from git_lerim.llm.base import Embedder, Vector
from git_lerim.recall.index.index_reader import Document, Reader
from git_lerim.recall.search import vectors
from git_lerim.recall.search.query import plain_text

NEAREST = 100  # memories found by meaning
FEW = 16  # memories that a search embeds itself; more are left to a sync
PATIENCE = 2.0  # seconds that a search waits for the model
BATCH = 64  # memories per request
PATIENCE_OF_SYNC = 60.0
LONGEST = 6000  # characters of one text: models take some 8,000 tokens
_TROUBLES = (ModelFailed, Unreadable, Busy, ReadOnly, NewerFormat)

Tell = Callable[[str], None]
Progress = Callable[[int, int, str], None]  # done, total, activity
# A function that returns which of some memories are nearest to a query, nearest first.
Near = Callable[[set[int]], list[int]]
Found = dict[tuple[str, int], Vector | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What is needed to embed texts: a model, a redactor, and the folder of the vectors."""

    embedder: Embedder
    redact: Callable[[str], str]
    folder: Path

    def embed(self, texts: Sequence[str], patience: float) -> list[Vector]:
        """Return the vectors of texts, which are redacted first. Raises ModelFailed."""
        return self.embedder.embed(
            [self.redact(text)[:LONGEST] or "-" for text in texts], patience=patience
        )


def near(
    source: Source | None, index: Reader, query: str, tell: Tell, *, adding: bool
) -> Near | None:
    """Return a function that finds the memories nearest to a query; None to use keywords only.

    If the model cannot be used, `tell` is called with the reason. With `adding`, new memories are
    embedded first if they are few.
    """
    text = plain_text(query)
    if source is None or not text or not index.size([0])[0]:
        return None
    try:
        with vectors.open_vectors(source.folder, source.embedder.model) as kept:
            missing = kept.missing(index)
            if not kept.width and len(missing) > FEW:
                tell(
                    "searched by keywords only: no memory has embeddings of"
                    f" {source.embedder.model} yet; git lerim sync creates them"
                )
                return None
            (asked,) = source.embed([text], PATIENCE)
            if kept.width not in {0, len(asked)}:
                kept.clear()
                raise ModelFailed(
                    f"{source.embedder.model} now returns other vectors than before; git lerim"
                    " sync computes all of them again"
                )
            if adding:
                _add(source, index, kept, missing, tell)
    except _TROUBLES as error:
        tell(f"searched by keywords only: {error}")
        return None
    return lambda among: _nearest(source, index, asked, among)


def fill(source: Source, index: Reader, tell: Tell, progress: Progress) -> bool:
    """Embed every memory without a vector; return whether all memories have one now."""
    try:
        with vectors.open_vectors(source.folder, source.embedder.model) as kept:
            missing = kept.missing(index)
            for number, batch in enumerate(_batches(missing)):
                progress(
                    number * BATCH, len(missing), f"asking {source.embedder.model} for vectors"
                )
                kept.keep(_patiently(source, index, batch))
            kept.complete(index)
    except _TROUBLES as error:
        tell(f"some memories have no vector yet; the next sync will continue: {error}")
        return False
    return True


def _add(
    source: Source, index: Reader, kept: vectors.Vectors, missing: Mapping[str, int], tell: Tell
) -> None:
    """Embed new memories if they are few; if they are many, or if that fails, tell the user."""
    if len(missing) > FEW:
        tell(
            f"{len(missing)} new memories are found by keywords only: git lerim sync makes their"
            " vectors"
        )
        return
    try:
        if missing:
            kept.keep(_embedded(source, index, missing, PATIENCE))
        kept.complete(index)
    except _TROUBLES as error:
        tell(f"{len(missing)} new memories are found by keywords only: {error}")


def _nearest(source: Source, index: Reader, asked: Vector, among: set[int]) -> list[int]:
    try:
        with vectors.open_vectors(source.folder, source.embedder.model) as kept:
            if kept.width != len(asked):
                return []
            found = kept.nearest(asked, among, NEAREST)
    except LerimError:
        return []
    # an edited memory keeps its key, but its old vector is obsolete
    blobs = {
        document.key: document.blob
        for document in index.documents({key for key, _ in found}, Document)
    }
    return [key for key, blob in found if blobs.get(key) == blob]


def _batches(missing: Mapping[str, int]) -> Iterator[dict[str, int]]:
    items = list(missing.items())
    for start in range(0, len(items), BATCH):
        yield dict(items[start : start + BATCH])


def _embedded(source: Source, index: Reader, batch: Mapping[str, int], patience: float) -> Found:
    documents = index.documents(batch.values(), Document)
    found = source.embed([f"{document.title}\n{document.body}" for document in documents], patience)
    return {
        (document.blob, document.key): vector
        for document, vector in zip(documents, found, strict=True)
    }


def _patiently(source: Source, index: Reader, batch: Mapping[str, int]) -> Found:
    """Embed a batch or, if the model refuses it, each text alone; a refused text gives None."""
    try:
        return _embedded(source, index, batch, PATIENCE_OF_SYNC)
    except ModelFailed as error:
        if not error.refused:
            raise
    # fails if the model refuses everything, not only one text
    source.embed(["memory"], PATIENCE_OF_SYNC)
    found: Found = {}
    for blob, key in batch.items():
        try:
            found |= _embedded(source, index, {blob: key}, PATIENCE_OF_SYNC)
        except ModelFailed as error:
            if not error.refused:
                raise
            found[blob, key] = None
    return found
