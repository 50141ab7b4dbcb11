"""The context of a run: its repository or personal store, and its settings; imports are lazy."""

import contextlib
import functools
import importlib
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from git_lerim import agent_limits, config, private_files
from git_lerim.agents import roster
from git_lerim.consent import Consent, consent_for, home_folder
from git_lerim.errors import OutsideRepository, UsageError
from git_lerim.git import gitconfig, refs, repo

if TYPE_CHECKING:
    from git_lerim.agents.base import Places
    from git_lerim.extraction.base import Extractor
    from git_lerim.llm.base import Model
    from git_lerim.recall.index.index import Index
    from git_lerim.recall.search import embeddings as meaning
    from git_lerim.redaction.redactor import Redactor
    from git_lerim.sessions.catalog import Catalog
    from git_lerim.sessions.scope import Scope, Territory
    from git_lerim.storage.base import Change, Snapshot
    from git_lerim.storage.code import Code
    from git_lerim.storage.open_store import Chosen
    from git_lerim.storage.trust.checked import Checked


@dataclass(frozen=True)
class Workspace:
    """The context of one run: its repository, settings, store and more."""

    place: repo.Place
    personal: bool
    settings: config.Settings
    remotes: tuple[str, ...]  # URLs
    home: Path
    env: Mapping[str, str]
    now: datetime
    consent: Consent  # what the user allowed this repository
    then: str = ""  # after writing: `stage` or `commit` in a work tree, `propose` on a branch
    _holding: list[str] = field(default_factory=list)  # the locks that this run holds
    _noted: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        """The local folder of this repository, with its catalog, cache, runs and log."""
        return self.place.own_dir

    @functools.cached_property
    def store(self) -> "Chosen":
        """The store of memories, imported lazily because loading libgit2 is slow."""
        store: Chosen = _loaded("storage.open_store").chosen(self)
        if self._holding:
            store.warnings = store.recover(lock_held=True)  # recover clears the warnings
        return store

    @property
    def in_tree(self) -> bool:
        """Whether the memory is in the user's work tree instead of on a branch."""
        return self.settings["store"] == "tree" and not self.personal

    @property
    def proposing(self) -> bool:
        """Whether commits wait for review; commits to the personal memory never do."""
        wanted = self.then == "propose" or self.settings["review"] == "proposal"
        return wanted and not self.in_tree and not self.personal

    @property
    def store_name(self) -> str:
        """The name of the store that users see: the branch or the folder."""
        return str(_loaded("storage.layout").TREE if self.in_tree else self.settings["branch"])

    def index(self, at: str | None = None) -> "Index":
        """Return the up-to-date search index; with `at`, an index of that past state."""
        return cast("Index", _loaded("recall.index.index").current(self.folder, self.store, at=at))

    def known(self, ids: Collection[str]) -> Any:
        """Look up the files of some memories in the search index; None without a usable index."""
        return _loaded("recall.index.index_lookup").look_up(self.folder, ids, self.store.rules)

    @functools.cached_property
    def code(self) -> "Code":
        """The repository's code, for questions about memories' anchors."""
        return cast("Code", _loaded("storage.code").Code(self.place, lambda: self.territory.roots))

    @functools.cached_property
    def extractor(self) -> "Extractor":
        """The extractor that finds memories in sessions."""
        return cast("Extractor", _loaded("extraction.by_rules"))

    @functools.cached_property
    def model(self) -> "Model":
        """The configured language model. Raises BadSetting or ModelFailed."""
        return self.language_model("model")

    def language_model(self, setting: str) -> "Model":
        """Return the language model that a setting selects. Raises BadSetting or ModelFailed."""
        opened = _loaded("models").language_model
        return cast("Model", opened(self.settings, self.api_key, self.env, setting))

    @functools.cached_property
    def redactor(self) -> "Redactor":
        """The redactor, including this user's own secrets and those recognized earlier."""
        own = _loaded("redaction.own_secrets.own").own_secrets(self.env, self._secret_files())
        short = _loaded("redaction.personal").shortened(str(self.home), self._trees)
        made = _loaded("redaction.redactor").Redactor(own, *self._redaction, shorten=short)
        return cast("Redactor", made.knowing(self.folder))

    @functools.cached_property
    def checked(self) -> "Checked":
        """The cache of texts that the redactor found clean."""
        opened = _loaded("storage.trust.checked").opened
        return cast("Checked", opened(self.folder, self.env, self._secret_files, self._redaction))

    @property
    def _redaction(self) -> tuple[Any, Any]:
        return self.settings["redactPattern"], self.settings["redactAllow"]

    @functools.cached_property
    def meaning(self) -> "meaning.Source | None":
        """The source of embeddings, or None if no embedding model is set."""
        if not self.settings["embedModel"] or self.settings.narrowed:  # vectors are kept for all
            return None
        opened = _loaded("models").meaning
        return cast("meaning.Source", opened(self.settings, self.api_key, self._clean, self.folder))

    def _clean(self, text: str) -> str:
        return self.redactor.redact(text)[0]

    @functools.cached_property
    def places(self) -> "Places":
        """The places to look for agents' sessions."""
        from git_lerim.agents.base import Places  # noqa: PLC0415 most verbs look for none

        return Places(home=self.home, env=self.env, platform=sys.platform)

    @functools.cached_property
    def territory(self) -> "Territory":
        """The paths and remotes by which sessions can refer to this repository."""
        found = _loaded("session_scope").territory(
            self.place, self.settings["repositoryPath"], self.remotes, personal=self.personal
        )
        return cast("Territory", found)

    @functools.cached_property
    def scope(self) -> "Scope":
        """The rules that decide which sessions belong to this repository."""
        made = _loaded("session_scope").scope_of
        found = made(self.place, self.territory, lambda: self.code, personal=self.personal)
        return cast("Scope", found)

    def editor(self, *, terminal: bool = True) -> str | None:
        """Return git's editor; without a terminal, only GIT_EDITOR, since others need a person."""
        named = self.env.get("GIT_EDITOR")
        return named or (gitconfig.editor(self.place) if terminal else None)

    def agents_named(self, text: str) -> tuple[str, ...]:
        """Return the agents named in a list such as `a,b`. Raises UsageError for an unknown one."""
        names = tuple(roster.checked(name.strip()) for name in text.split(",") if name.strip())
        if text and not names:  # an empty result would mean all agents
            known = ", ".join(roster.AGENTS)
            raise UsageError(f"{text!a} is not a known agent", hint=f"known agents: {known}")
        return names

    def has_memory(self) -> bool:
        """Return whether a store exists, reading only a file or two."""
        if self.in_tree:
            return bool(_loaded("storage.worktree.worktree_reader").is_offered(self.place))
        return bool(refs.read_ref(self.place.common_dir, f"refs/heads/{self.settings['branch']}"))

    def warnings(self) -> list[str]:
        """Return warnings for the user about repairs and missing parts."""
        return [*(self.store.warnings if "store" in self.__dict__ else ()), *self._noted]

    def note(self, line: str) -> None:
        """Add a warning to print when the command ends."""
        self._noted.append(line)

    def catalog(self, folder: Path | None = None) -> "contextlib.closing[Catalog]":
        """Open the catalog of sessions, in this repository's folder or in another one."""
        return contextlib.closing(_loaded("sessions.catalog").Catalog(folder or self.folder))

    @contextlib.contextmanager
    def catalog_to_read(self) -> "Iterator[Catalog]":
        """Open the catalog for reading; if there is none, open an empty temporary one instead."""
        import tempfile  # noqa: PLC0415 slow import, rarely used

        with contextlib.ExitStack() as stack:
            folder, path = None, self.folder / "catalog.sqlite3"
            if not path.exists() or not path.stat().st_size:  # a full disk leaves it empty
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="git-lerim-")))
            yield stack.enter_context(self.catalog(folder))

    @contextlib.contextmanager
    def locked(self, wait: float) -> Iterator[None]:
        """Hold the lock for runs on this repository while the `with` block runs. Raises Busy."""
        from git_lerim.storage.writing.lock import Lock, lock_file  # noqa: PLC0415 not for readers

        with Lock(lock_file(self.folder)).acquire(wait):
            self._holding.append("lock")
            try:
                yield
            finally:
                self._holding.pop()

    def new_run(self, verb: str) -> str:
        """Return a name for a new run: `sync-20260220T093045-3f2a`."""
        return f"{verb}-{self.now:%Y%m%dT%H%M%S}-{os.urandom(2).hex()}"

    def log(self, line: str) -> None:
        """Append a line to the activity log, ignoring errors."""
        with contextlib.suppress(OSError):
            private_files.make_folders(self.folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
            handle = os.open(self.folder / "activity.log", flags, 0o600)
            with os.fdopen(handle, "a", encoding="utf-8", errors="replace") as log:
                log.write(f"{self.now:%Y-%m-%dT%H:%M:%SZ} {line}\n")

    def with_accesses(
        self, snapshot: "Snapshot", change: "Change"
    ) -> "tuple[Change, Callable[[], object]]":
        """Return a change with dates of last use added, and a function to call after its commit."""
        usage, accessed = _loaded("recall.local.access_counts"), _loaded("storage.writing.accessed")
        found = usage.uncounted(self.folder, f"{self.now:%Y-%m-%d}")
        if found is None:
            return change, lambda: None
        return accessed.with_accesses(snapshot, change, found.days), functools.partial(
            usage.count, self.folder, found
        )

    def api_key(self, url: str) -> str:
        """Return the API key for an endpoint, or an empty string."""
        return str(_loaded("models").api_key(self.settings, self.env, self.place, url))

    def _secret_files(self) -> Iterable[tuple[str, str]]:
        """Return the secret files of all work trees, because all their sessions are read here."""
        files = _loaded("redaction.own_secrets.secret_sources").files
        return cast("Iterable[tuple[str, str]]", files(self.home, self._trees, repo.tracked))

    @functools.cached_property
    def _trees(self) -> list[str]:
        return [] if self.personal else list(map(str, repo.worktrees(self.place)))


def open_workspace(
    *,
    personal: bool = False,
    fallback: bool = False,
    making: bool = False,
    then: str = "",
    lenient: Collection[str] = (),
) -> Workspace:
    """Open the current repository, or the personal store if `personal`.

    With `fallback`, the personal store is also opened outside a repository. A missing one is
    created if `making`; otherwise it appears empty. Raises NotARepository, or BadSetting for a
    setting that every command needs and that is not in `lenient`.
    """
    now = datetime.now(UTC)  # before reading, so that any later change is newer
    home = home_folder(os.environ)
    env = agent_limits.trusted(os.environ, home)
    place = None if personal else _repository(env, fallback=fallback)
    if place is None:
        from git_lerim.storage import personal as own  # noqa: PLC0415 most are in a repository

        personal = True
        place = (own.create if making else own.open_for_reading)(own.folder(home, env))
    entries = gitconfig.read(place, gitconfig.SECTIONS)
    consent = consent_for(place.common_dir, home, env)
    allows = (lambda _: True) if personal else consent.allows
    settings = agent_limits.settings_from(entries, os.environ, str(home), allows, lenient=lenient)
    return Workspace(
        place=place,
        personal=personal,
        settings=settings,
        consent=consent,
        remotes=tuple(gitconfig.remotes(entries)),
        home=home,
        env=env,
        now=now,
        then=then,
    )


def _repository(env: Mapping[str, str], *, fallback: bool) -> repo.Place | None:
    """Return the current repository, or None outside of any repository if `fallback`."""
    with contextlib.suppress(*((OutsideRepository,) if fallback else ())):
        return agent_limits.repository(env)
    return None


def _loaded(name: str) -> Any:
    return importlib.import_module(f"git_lerim.{name}")
