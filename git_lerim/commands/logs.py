"""`git lerim logs`: show what the last runs did."""

from collections.abc import Mapping
from typing import Any

import click

from git_lerim.actions import logs as action
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    data,
    data_json,
    json_option,
    limit_option,
    personal_option,
    say,
    verb,
)
from git_lerim.tokens import local_times


@verb(paged=True)
@click.argument("run", required=False, metavar="[RUN]")
@limit_option(20, "Show only the last N lines.")
@personal_option
@json_option
def command(*, run: str | None, limit: int, personal: bool, as_json: bool) -> None:
    """Show recent runs, one line each; with RUN, all that this run decided, and why."""
    ws = opened(personal=personal, fallback=True)
    if run:
        artifacts = action.run_artifacts(ws, run)
        if as_json:
            data_json(artifacts)
            return
        for item in artifacts["actions"]:
            about = f"{item['session']}: " if item["session"] else ""
            data(
                f"{item['action']:<9} {item['memory']}  {item['title']}\n         "
                f" {about}{item['reason']}"
            )
        for item in artifacts["candidates"]:
            data(f"{'dropped':<9} {item['text']}\n          {item['session']}: {item['reason']}")
        for call in artifacts["calls"]:
            _print_call(call)
        for error in artifacts["report"]["errors"]:
            data(f"error     {error['session']}: {error['error']}")
        return
    lines = action.activity(ws, limit)
    if as_json:
        data_json([action.as_json(line) for line in lines])
        return
    for line in lines:
        data(local_times(line))
    if not lines:
        say("no runs logged yet")


def _print_call(call: Mapping[str, Any]) -> None:
    """Print one call of a model, with request and answer if lerim.traceCalls had them recorded."""
    spent = f"{call['tokens_in']:,} tokens in, {call['tokens_out']:,} out, {call['seconds']:.1f} s"
    about = f"{call['session']}: " if call["session"] else ""
    data(
        f"{'asked':<9} {call['model']}, prompt {call['prompt']}, {spent}\n         "
        f" {about}{call['outcome']}"
    )
    for message in call.get("request", ()):
        data(f"--- {message['role']}\n{message['text']}")
    if "answer" in call:
        data(f"--- answer\n{call['answer']}\n---")
