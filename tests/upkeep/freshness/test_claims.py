import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.upkeep.freshness.claims import Word, code_rows, named_words, occurring, occurs


def texts(title: str, body: str = "") -> set[str]:
    return {word.text for word in named_words(title, body)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "`Session.request` retries `retries=3` times",
            {"Session", "request", "retries", "retries=3", "3"},
        ),
        ("parse_config() reads max_depth", {"parse_config", "max_depth"}),
        ("The pool has 10_000 rows and a cap of 0.5", {"10000", "0.5"}),
        ('It says "no such file" for --dry-run', {"no such file", "--dry-run"}),
        ("HTTPAdapter waits three seconds", {"HTTPAdapter", "3"}),
        ("We talked about Redis and decided against it", set()),
        ("See `src/net/adapter.py` and docs/guide.md", {"src/net/adapter.py"}),
        ("In utf-8 since 2.7.1", set()),
        ("Drafts lie in `.cache/open-drafts/`", {".cache/open-drafts/"}),
        ("The walk skips `.cache`", {".cache"}),
    ],
)
def test_identifiers_and_literals_are_claims_and_plain_words_are_not(
    text: str, words: set[str]
) -> None:
    assert texts(text) == words


CODE = [
    "# the Widget of the STORE",
    "LIMIT = 10",
    "class Session:",
    "    def fetch(self, strict, name):",
    "        '''With a Helper.'''",
    "        return run('--dry-run', 'max-retries')  # read-only: a fast check",
    "    def show(self):",
    "        raise Failed('Usage: multiple sessions are active, each of a well-known name')",
    "default = all(one for one in these)",
    "database = open_file('app.db', mode='w')",
    "create = 'CREATE TABLE events (parcel TEXT, at INTEGER)'",
]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The retry LIMIT is 10", {"LIMIT", "10"}),
        ("The Session keeps cookies", {"Session"}),
        ("The parameter strict is new", {"strict"}),
        ("Set max-retries", {"max-retries"}),
        ("Tests share `app.db`", {"app", "db", "app.db"}),
        ("Tests share `other.db`", {"other", "db"}),  # in no string of the file
        ("Times are an INTEGER, not TEXT", {"INTEGER", "TEXT"}),
        ("The STORE has a Widget and a Helper", set()),  # in comments alone
        ("The name is strict", set()),  # plain words
        ("We prefer HTTP", set()),  # not in the file
        ("In the parameter strict", {"strict"}),
        ("If settings are not read, the default option for all of these options", set()),
        ("A flag that needs multiple options active. Usage is well-known", set()),  # in a string
        ("The read-only flag fast", set()),  # in a comment after the code
    ],
)
def test_a_plain_word_is_an_identifier_where_it_is_one_in_the_file(
    text: str, words: set[str]
) -> None:
    assert {word.text for word in named_words(text, "", CODE)} == words


def test_comments_and_doc_strings_are_no_code() -> None:
    rows = [
        "x = 1  # one",
        "# two",
        'SQL = """',
        "-- three",
        '"""',
        "def f():",
        '    r"""Four',
        "    five",
        '    """',
        "    six",
    ]
    assert [row for row in code_rows(rows) if row] == [
        "x = 1  # one",
        'SQL = """',
        "-- three",
        '"""',
        "def f():",
        "    six",
    ]


def test_a_number_is_a_literal_and_a_name_is_none() -> None:
    assert named_words("`limit` is 30", "") == (Word("limit"), Word("30", literal=True))


@pytest.mark.parametrize(
    ("word", "code", "there"),
    [
        (Word("3", literal=True), "retries=3,", True),
        (Word("3", literal=True), "retries=30", False),
        (Word("3", literal=True), "version 1.3", False),
        (Word("10000", literal=True), "LIMIT = 10_000", True),
        (Word("get"), "forget(x)", False),
        (Word("get"), "self.get(x)", True),
        (Word("--force"), "['--force']", True),
        (Word("retries = 3", verbatim=True), "def f(retries=3)", True),
        (Word("f(a, 'x')", verbatim=True), 'f(a, "x",)', True),
        (Word("retries=3", verbatim=True), "def f(retries: int = 3) -> None:", True),
        (Word("retries=3", verbatim=True), "def f(retries: int = 5) -> None:", False),
    ],
)
def test_a_word_stands_in_code_as_a_whole_however_it_is_set(
    word: Word, code: str, *, there: bool
) -> None:
    assert occurs(word, code) is there


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_makes_claims_that_can_be_looked_for(title: str, body: str) -> None:
    words = named_words(title, body)
    assert len(set(words)) == len(words)
    assert occurring(words, body) <= set(words)
