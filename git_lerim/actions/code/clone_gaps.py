"""Report parts of the code's history that were not compared because this clone lacks them."""

from git_lerim.git import refs
from git_lerim.git.running.process import plain
from git_lerim.workspace import Workspace


def clone_gaps(ws: Workspace) -> list[dict[str, str]]:
    """Return each part of the history that this clone lacks, with the command to fetch it."""
    if ws.personal:
        return []
    gaps = []
    if refs.shallow(ws.place.common_dir):
        what = "the older commits that this shallow clone lacks"
        gaps.append({"not_looked_at": what, "complete": "git fetch --unshallow"})
    if ws.code.objects.is_partial():
        what = "the changes in commits other than HEAD, since this partial clone lacks their files"
        gaps.append({"not_looked_at": what, "complete": _complete(ws)})
    return gaps


def gaps_line(gaps: list[dict[str, str]]) -> str:
    """Return one line that lists the gaps and the commands that close them."""
    what = " and ".join(gap["not_looked_at"] for gap in gaps)
    how = " && ".join(gap["complete"] for gap in gaps)
    return f"not looked at: {what}; to complete the clone: {how}"


def _complete(ws: Workspace) -> str:
    """Return the command that turns a partial clone into a full one."""
    # imported here because few clones are partial
    from git_lerim.git.engines.partial_clone import promisors  # noqa: PLC0415

    name = next(map(plain, promisors(ws.place)), "origin")
    return (
        f"git fetch --refetch --no-filter {name} && git config --unset remote.{name}.promisor &&"
        f" git config --unset remote.{name}.partialCloneFilter"
    )
