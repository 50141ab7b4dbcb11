"""`git lerim stats`: show numbers about the memory and its use."""

import shutil
import sys
from collections.abc import Mapping
from typing import Any

from git_lerim.actions.models.model_spending import dollars
from git_lerim.actions.stats import stats
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    at_option,
    data,
    data_json,
    heading,
    json_option,
    personal_option,
    say,
    styled,
    verb,
)
from git_lerim.tokens import clip, counted, local_times

_WIDTH = 30  # columns of the longest bar
_BESIDE = 12  # columns beside name and bar
_MONTHS = 12
_EIGHTHS = " ▏▎▍▌▋▊▉"
_UNITS = ("bytes", "KiB", "MiB", "GiB")


@verb(paged=True)
@at_option
@personal_option
@json_option
def command(*, at: str | None, personal: bool, as_json: bool) -> None:
    """Show statistics with small charts: memories, sources, growth, use."""
    ws = opened(personal=personal, fallback=True)
    found = stats(ws, at)
    if as_json:
        data_json(found)
        return
    history, memories = found["history"], found["memories"]
    if not history["commits"]:
        say("no memory yet; git lerim sync looks for sessions")
    since = (
        ", {} to {}".format(*(local_times(history[end])[:10] for end in ("first", "last")))
        if history["first"]
        else ""
    )
    aside = f", {counted(found['summaries'], 'summary')}" if found["summaries"] else ""
    aside += f", {counted(found['redactions'], 'secret')} redacted" if found["redactions"] else ""
    data(
        f"{found['branch']}: {counted(memories['total'], 'memory')}{aside},"
        f" {counted(history['commits'], 'commit')}{since}"
    )
    _charts(found)
    _numbers(found)


def _charts(found: Mapping[str, Any]) -> None:
    memories = found["memories"]
    sorts = dict(sorted(memories["by_primitive"].items()))  # the learnings last, above their kinds
    _chart("active", sorts | {f"  {kind}": number for kind, number in memories["by_kind"].items()})
    _chart("by status", memories["by_status"], least=2)
    _chart("from agents", found["from"]["agents"])
    _chart("first committed by", found["from"]["people"])
    months = found["growth"][-_MONTHS:]
    _chart(
        (
            "added per month"
            if len(months) == len(found["growth"])
            else f"added per month, last {_MONTHS} months with additions"
        ),
        {row["month"]: row["added"] for row in months},
    )
    _chart(
        "feedback",
        found["feedback"] | ({"disputed": count} if (count := memories["disputed"]) else {}),
    )
    _chart("code referred to", found["code"] or {})
    _chart("handoffs", found["handoffs"])
    _chart("sessions", (found["sessions"] or {}).get("by_state", {}))


def _numbers(found: Mapping[str, Any]) -> None:
    if use := found["use"]:
        data()
        styled(heading("use on this machine", bold=True))
        which = counted(use["memories_shown"], "memory")
        other = use["shown_elsewhere"]
        more = f"; elsewhere or before a reset: {other}" if other else ""
        times, never = counted(use["shown"], "time"), use["never_shown"]
        data(f"  found or opened: {which}, {times} in all{more}; never found or opened: {never}")
        for row in use["most"]:
            styled(
                f"  {row['count']:>6}  {heading(row['id'], fg='yellow')}  {row['last']} "
                f" {heading(clip(row['title'], 70))}"
            )
    if months := found["model"]:
        data()
        styled(heading("model usage", bold=True))
        for row in months[-_MONTHS:]:
            price = f", {dollars(row['cost_usd'])}" if row["cost_usd"] is not None else ""
            tokens = f"{row['tokens_in']:,} tokens in, {row['tokens_out']:,} out"
            data(f"  {row['month']}  {counted(row['runs'], 'run')}, {tokens}{price}")
    data()
    styled(heading("size", bold=True))
    data("  " + ", ".join(f"{name} {_size(number)}" for name, number in found["bytes"].items()))


def _chart(title: str, counts: Mapping[str, int], *, least: int = 1) -> None:
    if len(counts) < least:
        return
    data()
    styled(heading(title, bold=True))
    width = min(max(map(len, counts)), 40)
    room = shutil.get_terminal_size((100, 0)).columns - width - _BESIDE
    most = max(counts.values())
    for name, number in counts.items():
        bar = _bar(number / most, min(max(room, 1), _WIDTH))
        styled(f"  {heading(clip(name, 40).ljust(width))}  {number:>6}  {heading(bar, fg='cyan')}")


def _bar(share: float, width: int) -> str:
    """Return a bar for a chart, made of blocks or, if stdout cannot encode them, of `#`."""
    eighths = max(round(share * width * 8), 1)
    if "utf" not in (sys.stdout.encoding or "").casefold():
        return "#" * max(round(eighths / 8), 1)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _size(number: float) -> str:
    for unit in _UNITS:
        if number < 1024 or unit == _UNITS[-1]:
            break
        number /= 1024
    return f"{number:.0f} {unit}" if unit == _UNITS[0] or number >= 10 else f"{number:.1f} {unit}"
