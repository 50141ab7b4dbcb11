"""Find the proposal that the user of a store made in this clone."""

from functools import cached_property

from git_lerim.errors import NoIdentity
from git_lerim.git import refs
from git_lerim.git.repo import Place
from git_lerim.storage import layout


class OwnProposal:
    """A store whose user may have a proposal of their own."""

    place: Place
    branch: str

    def committer(self) -> str:
        """Return the committer as `Name <mail>`. Raises NoIdentity."""
        raise NotImplementedError

    @cached_property
    def user(self) -> str:
        """The user's name as it appears in branch names. Raises NoIdentity."""
        from git_lerim.storage.review.proposals import user_of  # noqa: PLC0415 few propose

        return user_of(self.committer())

    @cached_property
    def _folder(self) -> str:
        return f"{layout.proposals(self.branch)}/{self.user}"

    def _asker(self) -> str:
        """Return the user's name for branch names, or an empty string without a git identity."""
        try:
            return self.user
        except NoIdentity:
            return ""

    def own(self) -> str | None:
        """Return the branch of the newest proposal that the user made in this clone, or None."""
        folder = f"refs/heads/{layout.proposals(self.branch)}"
        if not refs.below(self.place.common_dir, folder) or not self._asker():
            return None
        from git_lerim.storage.review.proposals import own_branches  # noqa: PLC0415 few propose

        return next(reversed(own_branches(self.place, self._folder)), None)
