"""Judge whether a sentence asks for harm, by learned weights of its words.

Harm is to send something away, to fetch something unknown, to weaken a check, to hide something or
to run what is not in the repository. Other modules find known wordings by patterns; this one finds
the rest.
"""

import re
from collections.abc import Callable, Iterable
from importlib.resources import files

from git_lerim.memories.checks.learned.weights import Weights

WEIGHTS = Weights(files(__package__) / "harm.tsv")
# Scores: a sentence that asks for harm has a higher one than LEAST. If it names a check, a person,
# consent or a secret in another language, LEAST_NAMED is enough. Few harmless ones have CLEARLY.
LEAST, LEAST_NAMED, CLEARLY = 0.3, -1.0, 1.0
_COMMAND = re.compile(r"`([^`\n]+)`")


def asks_for_harm(
    sentences: Iterable[str], runs: Callable[[str], bool], least: float = LEAST
) -> bool:
    """Return whether any of the sentences asks for harm, judged by its words.

    `runs` returns whether a command stays inside the repository: the words of such a command do not
    count. A sentence asks for harm if its score is higher than `least`.
    """

    def without_own(sentence: str) -> str:
        return _COMMAND.sub(lambda each: "``" if runs(each[1]) else each[1], sentence)

    return any(WEIGHTS.score(without_own(sentence)) > least for sentence in sentences)
