"""What the tests of a module begin with: made by its verbs for the first, copied for the others."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from support import copies

MADE: dict[object, tuple[copies.Copy, copies.Copy]] = {}


@dataclass(frozen=True)
class Prepared:
    """Prepares a folder of repositories, which is at the same path in each test, and the home."""

    place: Path
    home: Path
    of_this_test: Path

    def __call__(self, build: Callable[[], object]) -> None:
        """Build on what stands in the folder, or copy what that made of repositories with the same
        settings.
        """
        name = build.__module__, build.__qualname__
        settings = sorted(
            (str(path), path.read_bytes())
            for path in [*self.place.glob("*/config"), *self.place.glob("*/.git/config")]
        )
        key = self.place, name, tuple(settings), copies.surroundings()
        if key not in MADE:
            build()
            made = copies.read(self.place), copies.read(self.home)
            self._assert_same_everywhere(made)
            MADE[key] = made
            return
        place, home = MADE[key]
        for folder in self.place.iterdir():
            shutil.rmtree(folder)
        place.write(self.place)
        home.write(self.home)

    def _assert_same_everywhere(self, made: tuple[copies.Copy, copies.Copy]) -> None:
        """Assert that nothing names a folder that another test does not have."""
        for copy in made:
            for name, _, data in copy.files:
                for folder in (self.home, self.of_this_test):
                    assert os.fsencode(f"{folder}") not in data, f"{name} names {folder}"
