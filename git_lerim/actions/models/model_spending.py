"""Limit and record the cost of models: a budget for each run, and a usage log for `stats`."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from git_lerim.config import Settings
from git_lerim.errors import BadSetting
from git_lerim.git.repo import private_folder
from git_lerim.private_files import OURS, parse_json, read_text
from git_lerim.workspace import Workspace

NAME = "model-usage.jsonl"


def cost(settings: Settings, tokens_in: int, tokens_out: int) -> float | None:
    """Return the price of tokens in dollars, or None if prices are not set."""
    price_in, price_out = settings["priceIn"], settings["priceOut"]
    if price_in is None or price_out is None:
        return None
    return float(round((tokens_in * price_in + tokens_out * price_out) / 1e6, 6))


def sending_cost(settings: Settings, tokens: int) -> float | None:
    """Return the price of sending tokens, without the answers, or None if it is not set."""
    price = settings["priceIn"]
    return None if price is None else float(round(tokens * price / 1e6, 6))


@dataclass(kw_only=True)
class Budget:
    """The token and dollar limits of a run, and what it has spent."""

    settings: Settings
    tokens: int | None  # limit of tokens in and out
    tokens_in: int = 0
    tokens_out: int = 0

    def __post_init__(self) -> None:
        """Raise BadSetting if there is a dollar limit but no prices."""
        if self.settings["budgetUsd"] is not None and cost(self.settings, 0, 0) is None:
            hint = (
                "set lerim.priceIn and lerim.priceOut with git config --global, in dollars per"
                " million tokens"
            )
            raise BadSetting("lerim.budgetUsd has no effect without prices", hint=hint)

    @property
    def spent(self) -> int:
        """Return the number of tokens spent so far."""
        return self.tokens_in + self.tokens_out

    def add(self, tokens_in: int, tokens_out: int) -> None:
        """Add the tokens of a request and its answer to those spent."""
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out

    def why_not(self, tokens: int) -> str:
        """Return a message if a request of that many tokens would exceed a limit, else ""."""
        exceeds = f"the request exceeds {'what is left of ' if self.spent else ''}the budget of"
        if self.tokens is not None and self.spent + tokens > self.tokens:
            return f"{exceeds} {self.tokens} tokens for one run"
        limit, price = (
            self.settings["budgetUsd"],
            cost(self.settings, self.tokens_in + tokens, self.tokens_out),
        )
        if limit is not None and price is not None and price > limit:
            return f"{exceeds} ${limit:g} for one run"
        return ""


def note(ws: Workspace, verb: str, model: str, tokens: tuple[int, int]) -> None:
    """Log the tokens that a run sent and received; ignore a failure to write."""
    if not any(tokens):
        return
    row = {
        "at": f"{ws.now:%Y-%m-%dT%H:%M:%SZ}",
        "verb": verb,
        "model": model,
        "tokens_in": tokens[0],
        "tokens_out": tokens[1],
    }
    line = json.dumps(row | {"cost_usd": cost(ws.settings, *tokens)}) + "\n"
    with suppress(OSError):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(
            os.open(private_folder(ws.folder) / NAME, flags, 0o600), "a", encoding="utf-8"
        ) as file:
            file.write(line)


def by_month(ws: Workspace) -> list[dict[str, Any]]:
    """Return the usage of each month, oldest first; dollars are None if any part had no price."""
    months: dict[str, dict[str, Any]] = {}
    for row in _rows(ws):
        month = months.setdefault(
            str(row["at"])[:7],
            {
                "month": str(row["at"])[:7],
                "runs": 0,
                "tokens_in": 0,
                "tokens_out": 0,
                "cost_usd": 0.0,
            },
        )
        month["runs"] += 1
        month["tokens_in"] += row["tokens_in"]
        month["tokens_out"] += row["tokens_out"]
        known = month["cost_usd"] is not None and row["cost_usd"] is not None
        month["cost_usd"] = round(month["cost_usd"] + row["cost_usd"], 6) if known else None
    return [months[name] for name in sorted(months)]


def _rows(ws: Workspace) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = []
    with suppress(OSError):
        for line in read_text(ws.folder / NAME, OURS).splitlines():
            with suppress(ValueError, KeyError, TypeError):
                row = parse_json(line)
                price = row["cost_usd"]
                rows.append(
                    {
                        "at": str(row["at"]),
                        "tokens_in": int(row["tokens_in"]),
                        "tokens_out": int(row["tokens_out"]),
                        "cost_usd": None if price is None else float(price),
                    }
                )
    return rows


def dollars(price: float | None) -> str:
    """Format dollars, or return "" if unknown."""
    return (
        "" if price is None else f"${price:.2f}" if price >= 0.01 or not price else f"${price:.4f}"
    )
