"""The numbers that a sync reports."""

from dataclasses import asdict, dataclass, field


@dataclass(slots=True, kw_only=True)
class Report:
    """The numbers of a sync; its fields are those of `sync --json`."""

    run_id: str
    window_start: str | None
    window_end: str | None
    sessions_scanned: int = 0
    sessions_indexed: int = 0
    sessions_extracted: int = 0
    sessions_skipped: int = 0
    sessions_failed: int = 0
    sessions_queued: int = 0  # in any window
    decisions_added: int = 0
    learnings_added: int = 0
    memories_updated: int = 0
    memories_superseded: int = 0
    memories_unchanged: int = 0
    redactions: int = 0
    commits: list[str] = field(default_factory=list)
    branch: str = ""
    duration_seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None  # None without prices
    errors: list[dict[str, str]] = field(default_factory=list)

    @property
    def written(self) -> int:
        """Return how many memories were added or changed."""
        return self.decisions_added + self.learnings_added + self.memories_updated

    def as_dict(self) -> dict[str, object]:
        """Return the report in the format of `--json`."""
        return asdict(self)
