"""Install and remove the hooks of git and the agents, planning and showing the edits first."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from git_lerim import file_edits
from git_lerim.agents.hooked import HOOKED, MCP, SKILL, Target, hooked
from git_lerim.errors import LerimError, UsageError
from git_lerim.file_edits import FileEdit, ManagedFile
from git_lerim.git import hooks
from git_lerim.git.repo import Place
from git_lerim.screen.reader import is_run_by
from git_lerim.workspace import Workspace

GIT = "git"  # the part for git's own hooks
# the part for agents without hooks: a line in AGENTS.md or CLAUDE.md, only on request
INSTRUCTIONS = "instructions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What the user chose to install or remove; by default, everything that is found."""

    hooks: bool = False
    agents: tuple[str, ...] = ()
    instructions: bool = False
    no_mcp: bool = False  # leave out the agents' MCP server
    no_skill: bool = False  # leave out the agents' skill
    scope: str = ""  # user | project; default: user to install, both to remove

    @property
    def everything(self) -> bool:
        """Return whether the user named nothing, which stands for everything that is found."""
        return not (self.hooks or self.agents or self.instructions)


@dataclass(slots=True, kw_only=True)
class Part:
    """The edits for git or one agent, and their result."""

    name: str
    title: str
    inside: Place | None = None  # the repository whose files it edits; None: the user's own
    edits: list[FileEdit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what the user should know or do next
    left: list[str] = field(default_factory=list)  # what is not removed, because it is elsewhere
    error: str = ""  # why it could not be planned or finished
    hint: str = ""
    done: bool = False


def installation(ws: Workspace, chosen: Chosen) -> list[Part]:
    """Plan the installation: return the edits for git and for each chosen agent.

    Raises UsageError for an impossible choice.
    """
    return [
        _planned(part, plan)
        for part, plan in _parts(
            ws, chosen, partial(_install_hooks, asked=chosen.hooks), _install_agent
        )
    ]


def is_for_this_agent(ws: Workspace, chosen: Chosen) -> bool:
    """Return whether only the agent that runs this command is chosen."""
    is_own = all(is_run_by(ws.env, name) for name in chosen.agents)
    return is_own and bool(chosen.agents) and not (chosen.hooks or chosen.instructions)


def removal(ws: Workspace, chosen: Chosen) -> list[Part]:
    """Plan the removal: return the edits for git and for each chosen agent.

    If no scope was chosen, agents' files are edited both in the user's home folder and in the
    project. Raises UsageError for an impossible choice.
    """
    parts = _parts(ws, chosen, _remove_hooks, _remove_agent)
    found = [_planned(part, plan) for part, plan in parts]
    return [part for part in found if part.edits or part.left or part.error]


def carry_out(part: Part) -> None:
    """Write the planned edits of a part; if that fails, note the error in the part."""
    try:
        for edit in part.edits:
            file_edits.apply(edit)
        part.done = True
    except LerimError as error:
        part.error, part.hint = str(error), error.hint


_Plan = Callable[[Part], None]


def _planned(part: Part, plan: _Plan) -> Part:
    try:
        plan(part)
        if part.inside:
            for edit in part.edits:
                _refuse_leading_out(part.inside, edit.file)
    except LerimError as error:
        part.edits, part.notes = [], []
        part.error, part.hint = str(error), error.hint
    return part


def _refuse_leading_out(place: Place, file: ManagedFile) -> None:
    """Raise LerimError if a symbolic link would make git-lerim write outside the repository."""
    if link := _link_out(place, file):
        raise LerimError(
            f"not written: {_described(link)}",
            hint="replace the link with a file or folder, and try again",
        )


def _leave_outside(part: Part) -> None:
    """Drop the edits that a symbolic link would lead outside the repository, and note them."""
    links = [(edit, part.inside and _link_out(part.inside, edit.file)) for edit in part.edits]
    part.edits = [edit for edit, link in links if not link]
    part.left = [
        f"{os.path.realpath(edit.path)} still has what git-lerim added, and is left alone:"
        f" {_described(link)}"
        for edit, link in links
        if link
    ]


def _link_out(place: Place, file: ManagedFile) -> Path | None:
    """Return the symbolic link that would lead a write to a file outside the repository, if any."""
    main = place.common_dir.parent if place.common_dir.name == ".git" else None
    roots = [os.path.realpath(root) for root in (place.worktree, main, place.common_dir) if root]

    def leads_out(path: Path) -> bool:
        return not any(map(Path(os.path.realpath(path)).is_relative_to, roots))

    # a hook that is itself a link may be kept under another name, and is then not written through
    paths = (*reversed(file.path.parents), *(() if file.before else (file.path,)))
    out = (path for path in paths if path.is_symlink() and leads_out(path))
    return next((path for path in out if not leads_out(path.parent)), None)


def _described(link: Path) -> str:
    return f"{link} is a symbolic link to {os.path.realpath(link)}, outside this repository"


def _parts(
    ws: Workspace,
    chosen: Chosen,
    of_git: Callable[[Workspace, Part], None],
    of_agent: Callable[[Target, Part], None],
) -> Iterator[tuple[Part, _Plan]]:
    _refuse(ws, chosen)
    if chosen.hooks or (chosen.everything and not ws.personal and chosen.scope != "project"):
        title = f"git hooks in {ws.place.common_dir}"
        yield Part(name=GIT, title=title, inside=ws.place), partial(of_git, ws)
    scopes = (
        [chosen.scope]
        if chosen.scope
        else ["user", "project"]
        if of_agent is _remove_agent
        else ["user"]
    )
    for name in _agents(ws, chosen):
        if name == INSTRUCTIONS:
            yield _instructions(ws, of_agent)
            continue
        for scope in scopes if ws.place.worktree and not ws.personal else scopes[:1]:
            part = (
                Part(name=name, title=name)
                if scope == "user"
                else Part(name=name, title=f"{name}, in this repository's files", inside=ws.place)
            )
            yield part, partial(of_agent, target_of(ws, scope, _without(chosen)))


def _instructions(ws: Workspace, of_agent: Callable[[Target, Part], None]) -> tuple[Part, _Plan]:
    """Return the part for AGENTS.md or CLAUDE.md; it needs a work tree."""
    title = f"{INSTRUCTIONS}, in the files of this repository"
    part = Part(name=INSTRUCTIONS, title=title, inside=ws.place)
    return part, partial(of_agent, target_of(ws, "project"))


def _refuse(ws: Workspace, chosen: Chosen) -> None:
    if chosen.hooks and ws.personal:
        raise UsageError(
            "--hooks needs a git repository, and this is not one",
            hint="run it in a repository, or leave out --hooks",
        )
    if chosen.hooks and chosen.scope == "project":
        hint = "to share hooks in a team, use a hook manager; docs/agents.md shows how"
        raise UsageError("git hooks are not part of a project; each clone has its own", hint=hint)
    has_tree = ws.place.worktree is not None and not ws.personal
    if chosen.scope == "project" and not has_tree:
        raise UsageError(
            "--project needs a work tree, and there is none here",
            hint="use --user to write to your home folder",
        )
    if chosen.instructions and (chosen.scope == "user" or not has_tree):
        raise UsageError(
            "--instructions writes to AGENTS.md or CLAUDE.md in a work tree",
            hint="leave out --user"
            if has_tree
            else "run this in a work tree, or leave the option out",
        )


def _agents(ws: Workspace, chosen: Chosen) -> list[str]:
    for name in chosen.agents:
        hooked(name)  # raises UsageError for an unknown name
    if not chosen.everything:
        return [*chosen.agents, *([INSTRUCTIONS] if chosen.instructions else [])]
    return [name for name in HOOKED if name != INSTRUCTIONS and hooked(name).found(ws.places)]


def _without(chosen: Chosen) -> frozenset[str]:
    return frozenset(
        name
        for name, is_left_out in ((MCP, chosen.no_mcp), (SKILL, chosen.no_skill))
        if is_left_out
    )


def target_of(ws: Workspace, scope: str, without: frozenset[str] = frozenset()) -> Target:
    """Return where to write an agent's files, and the git-lerim program that they run."""
    beside = Path(sys.executable).with_name("git-lerim")
    program = str(beside) if beside.exists() else shutil.which("git-lerim") or sys.argv[0]
    root = None if ws.personal else ws.place.worktree
    return Target(places=ws.places, scope=scope, root=root, program=program, without=without)


def _install_hooks(ws: Workspace, part: Part, *, asked: bool) -> None:
    if refused := hooks.refusal(ws.place):
        own = ws.place.common_dir / "hooks"
        instead = f"to use this repository's own hooks instead: git config core.hooksPath {own}"
        hint = "" if own.is_symlink() else instead
        if asked:
            raise LerimError(f"not installed: {refused}", hint=hint)
        part.notes = ["; ".join(filter(None, (f"not installed: {refused}", hint)))]
        return
    part.edits, part.notes = hooks.installation(ws.place, ws.settings["branch"], sys.executable)
    if not part.notes:  # the notes about husky's folder already say so
        part.notes = list(_in_work_tree(ws, part))


def _in_work_tree(ws: Workspace, part: Part) -> Iterator[str]:
    tree, own = ws.place.worktree, ws.place.common_dir
    for folder in dict.fromkeys(edit.path.parent for edit in part.edits):
        if tree and folder.is_relative_to(tree) and not folder.is_relative_to(own):
            where = folder.relative_to(tree)
            yield f"{where} is part of the work tree: git lists new files there as untracked"


def _remove_hooks(ws: Workspace, part: Part) -> None:
    part.edits = hooks.removal(ws.place)
    _leave_outside(part)


def _install_agent(target: Target, part: Part) -> None:
    module = hooked(part.name)
    if target.scope not in module.SCOPES:
        part.notes.append(f"{part.name} has no settings for a {target.scope}")
        return
    part.edits = [edit for edit in map(file_edits.addition, module.files(target)) if edit]
    part.notes = module.advice(target)


def _remove_agent(target: Target, part: Part) -> None:
    module = hooked(part.name)
    part.edits = (
        [edit for edit in map(file_edits.removal, module.files(target)) if edit]
        if target.scope in module.SCOPES
        else []
    )
    _leave_outside(part)
