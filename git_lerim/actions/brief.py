"""Build the block of memories that an agent reads at the start of a session."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from git_lerim.actions.code import freshness, visibility
from git_lerim.errors import Unreadable
from git_lerim.git import refs
from git_lerim.git.running.drivers import disable_drivers
from git_lerim.git.running.process import git_line
from git_lerim.git.worktree import worktree
from git_lerim.recall.brief import brief as recall
from git_lerim.recall.brief import prompt_fence, selection
from git_lerim.recall.fast import brief_cache
from git_lerim.recall.local import opposed
from git_lerim.storage import open_store, personal
from git_lerim.tokens import at_most, counter
from git_lerim.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from git_lerim.recall.index.index import Index

as_json = recall.as_json
given_prompt = brief_cache.given_prompt


def brief(
    ws: Workspace,
    *,
    budget: int | None = None,
    prompt: str | None = None,
    everything: bool = False,
    at: str | None = None,
) -> recall.Brief:
    """Select memories for the changed files, or for a prompt, within a token budget.

    With `everything`, select for both. The default budget is `lerim.briefTokens`. The memories are
    not counted as used, because nobody asked for them.
    """
    budget = budget or ws.settings["briefTokens"]
    if at is None and not ws.has_memory():
        return _without_memory(ws, budget, is_asked=prompt is not None and not everything)
    place = ws.place
    before = _dependencies(ws) if place.worktree and at is None and not ws.in_tree else None
    committed = worktree.committed(place, ws.settings["remote"]) if place.worktree else []
    changed = changed_files(ws, committed)
    with indexes(ws, at) as (index, own):

        def candidates() -> list[recall.Pick]:
            found = selection.candidates(
                index,
                changed=changed,
                prompt=prompt,
                everything=everything,
                personal=own,
                verdicts_of=lambda documents: freshness.of_documents(ws, documents),
            )
            return _marked(ws, found)

        picks = _healing(index, candidates)
        rules = [each.meta.get("rules", "") if each else "" for each in (index, own)]
    made = recall.compose(picks, budget, prompt_fence.local_key(str(ws.folder)), _count(ws))
    made.left_out += selection.others(index, picks, whole=prompt is None or everything)
    if before is not None:
        _cache_facts(ws, before, committed, rules)
    return made


def _healing(index: "Index", choose: Callable[[], list[recall.Pick]]) -> list[recall.Pick]:
    """Return what `choose` selects; if the index cannot be read, rebuild it and choose again."""
    try:
        return choose()
    except Unreadable:
        index.heal()
        return choose()


def _dependencies(ws: Workspace) -> dict[str, Any]:
    """Return the state on which a cached brief depends; call this before building the brief."""
    git_dir, common_dir = str(ws.place.git_dir), str(ws.place.common_dir)
    return brief_cache.dependencies(git_dir, common_dir, _branch_refs(ws))


def _cache_facts(
    ws: Workspace, before: dict[str, Any], committed: list[str], rules: list[str]
) -> None:
    """Cache what the agents' hooks need to choose memories without opening the workspace."""
    facts = {
        "silenced": disable_drivers(ws.place),
        "committed": committed,
        "personal": str(personal.folder(ws.home, ws.env)),
        "prompt_budget": ws.settings["promptTokens"],
        "file_notes": ws.settings["fileNotes"] == "true",
        "rules": rules[0],
        "personal_rules": rules[1],
    }
    settings = {"remote": ws.store.source, "budget": ws.settings["briefTokens"]}
    settings |= {name: ws.settings[name] for name in ("branch", "model")}
    git_dir, common_dir = str(ws.place.git_dir), str(ws.place.common_dir)
    brief_cache.keep(git_dir, common_dir, before, facts | settings)


def _without_memory(ws: Workspace, budget: int, *, is_asked: bool) -> recall.Brief:
    """Return a brief for a repository without memory, from the user's personal memory alone."""
    with _personal(ws) as own:
        picks = selection.wanted_everywhere(own) if own is not None and not is_asked else []
        key = prompt_fence.local_key(str(personal.folder(ws.home, ws.env))) if picks else b""
        return recall.compose(picks, budget, key, _count(ws))


def _marked(ws: Workspace, picks: list[recall.Pick]) -> list[recall.Pick]:
    """Mark the picked memories that contradict another one or wait for review."""
    opposed.mark(picks, str(ws.folder))
    pending = open_store.pending(ws)  # the user's own memories under review are included
    for pick in picks if pending else ():
        is_pending = pending.get(pick.document.path) == pick.document.blob
        pick.pending = not pick.personal and is_pending
    return picks


def _count(ws: Workspace) -> Callable[[str], int]:
    """Return a function that counts a text's tokens as the configured model does.

    For an unknown model, the function overestimates.
    """
    return counter(ws.settings["model"]) or at_most


@contextlib.contextmanager
def indexes(ws: Workspace, at: str | None = None) -> "Iterator[tuple[Index, Index | None]]":
    """Open the repository's up-to-date index, and the personal memory's index if it exists."""
    with contextlib.closing(ws.index(at)) as index, _personal(ws) as own:
        visibility.hide(ws, index, everything=at is not None)
        yield index, own


def changed_files(ws: Workspace, committed: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the uncommitted files, then the files that the branch has changed."""
    place = ws.place
    if not place.worktree:
        return ()
    committed = worktree.committed(place, ws.settings["remote"]) if committed is None else committed
    every = [*worktree.uncommitted(place, place.worktree), *committed]
    return tuple(
        dict.fromkeys(path for path in every if not (ws.in_tree and path.startswith(ws.store_name)))
    )


def _branch_refs(ws: Workspace) -> list[str]:
    """Return the refs that determine which files count as changed on the branch."""
    remote = ws.settings["remote"]
    asked = [["symbolic-ref", "HEAD"], ["config", "init.defaultBranch"]]
    names = [
        refs.symbolic(ws.place.common_dir, f"refs/remotes/{remote}/HEAD"),
        worktree.upstream(ws.place),
    ]
    names += [git_line(ws.place.git(*args), cwd=ws.place.git_dir) for args in asked]
    heads = [f"refs/heads/{name}" for name in (names.pop(), "main", "master") if name]
    return sorted({f"refs/remotes/{remote}/HEAD", *heads, *(name for name in names if name)})


@contextlib.contextmanager
def _personal(ws: Workspace) -> "Iterator[Index | None]":
    """Open the index of the personal memory if it exists; never create one."""
    folder = personal.folder(ws.home, ws.env)
    if ws.personal or refs.read_ref(folder, f"refs/heads/{ws.settings['branch']}") is None:
        yield None
        return
    with contextlib.closing(open_workspace(personal=True).index()) as index:
        yield index
