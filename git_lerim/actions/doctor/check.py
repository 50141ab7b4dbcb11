"""The result of one check."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check."""

    name: str
    state: Literal["ok", "warning", "problem"]
    says: str
    hint: str = ""
