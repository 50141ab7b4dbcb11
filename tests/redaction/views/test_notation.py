import re

from hypothesis import given
from hypothesis import strategies as st

from git_lerim.redaction.views.notation import matches_at

ANYTHING = re.compile(".*")


@given(st.text(alphabet="abc "), st.text(alphabet="abc ", min_size=1, max_size=3))
def test_a_word_matches_exactly_where_it_occurs(text: str, word: str) -> None:
    found = list(matches_at(text, word, ANYTHING.match))

    assert bool(found) == (word in text)
    assert all(text.startswith(word, hit.start()) for hit in found)
