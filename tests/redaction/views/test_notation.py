import re

from hypothesis import given
from hypothesis import strategies as st

from git_lerim.redaction.views.notation import matches_at


@given(
    st.text(alphabet="abc "),
    st.sampled_from(["a", "ab", "abc"]),
    st.sampled_from(["", ".?", "[ab]{0,3}", ".*", "c"]),
)
def test_a_word_matches_exactly_where_it_occurs(text: str, word: str, more: str) -> None:
    pattern = re.compile(word + more)

    found = [hit.span() for hit in matches_at(text, word, pattern.match)]

    assert found == [hit.span() for hit in pattern.finditer(text)]
