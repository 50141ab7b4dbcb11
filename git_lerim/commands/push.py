"""`git lerim push`: share the memory."""

import click

from git_lerim.actions.share import push
from git_lerim.commands.opening import opened
from git_lerim.commands.pull import tell
from git_lerim.commands.pull import to_json as pulled_json
from git_lerim.commands.terminal import confirm, data, data_json, json_option, personal_option, verb, yes_option


@verb()
@click.argument("remote", required=False)
@personal_option
@yes_option
@json_option
def command(*, remote: str | None, personal: bool, yes: bool, as_json: bool) -> None:
    """Join the memory of a REMOTE (lerim.remote, origin by default) with yours and push it; asks before the first time.

    All that would leave is scanned for secrets once more; one that is found stops the push.
    """
    pushed = push(opened(personal=personal), remote, lambda question: confirm(question, yes=yes))
    if as_json:
        told = {"remote": pushed.remote, "url": pushed.url, "commit": pushed.commit, "moved": pushed.moved}
        data_json(told | {"pulled": pulled_json(pushed.pulled)})
        return
    tell(pushed.pulled)
    data(f"{'pushed to' if pushed.moved else 'nothing to push to'} {pushed.remote} ({pushed.url}), at {pushed.commit[:12]}")
