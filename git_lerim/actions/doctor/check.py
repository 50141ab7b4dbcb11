"""The results of `git lerim doctor`."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check of the installation: a state, a message and advice."""

    name: str
    state: Literal["ok", "warning", "problem"]
    says: str
    hint: str = ""
