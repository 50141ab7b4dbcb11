import pytest
from support.costs import grows_evenly

from git_lerim.memories.similarity.revocation_phrases import lifts, revocation, revoked


@pytest.mark.parametrize(
    "title",
    [
        "Forget what I said about tabs, use spaces",
        "Actually, forget what I told you about tabs",
        "Please ignore everything I said earlier about tabs from now on",
        "Scrap the rule about tabs because the linter wants spaces",
        "Drop my earlier wish on tabs",
        "Forget what I said about tabs, see .eslintrc",
        "Scrap the rule about tabs, most CSS files have spaces",
        "You can ignore that rule about tabs",
        "I've changed my mind about tabs: use spaces",
        "Changed my mind about tabs, 2 spaces from now on",
        "Never mind what I said about tabs",
        "I take back what I said about tabs",
        "Now scratch what I said about tabs",
    ],
)
def test_a_title_names_what_it_takes_back(title: str) -> None:
    assert revoked(title) == "tabs"


@pytest.mark.parametrize(
    "title",
    [
        "Use tabs",
        "Forget tabs",
        "Drop the tables that the migration made",
        "Ignore requests for favicon.ico",
        "Never forget what I said about tabs",
        "Do not scrap the rule about tabs",
        "Bob changed his mind about tabs",
        "Drop the rule about tabs from .eslintrc, it is a duplicate",
        "Drop the rule about tests from .gitlab-ci.yml, because it is a duplicate",
        "Scrap the rule about tokens: it is in the wrong file",
        "Drop the rule about tokens (line 12) from the config",
        "Drop the rule about tabs from `rules`",
        "Drop the rule about tabs in src/rules",
        "Ignore what I said about tabs for now, I first want to see the parser work",
        "Ignore what I said about tabs just this once",
        "Forget what I said about tabs for this PR",
        "Forget what I said about tabs, on this feature branch we use spaces",
        "Forget what I said about tabs until the linter is mended",
        "Never mind what I said about tabs today",
        "You can ignore the rule about tabs here",
        "I've changed my mind about tabs: temporarily, use spaces",
    ],
)
def test_other_titles_take_nothing_back(title: str) -> None:
    assert not revoked(title)


@pytest.mark.parametrize(
    ("title", "subject"),
    [
        ("I know I said short answers, but explain things in detail again please", "short answers"),
        ("Ok I know I said no tabs. Use tabs from now on", "no tabs"),
        ("Vergiss bitte, was ich zu Tabs gesagt habe", "Tabs"),
        ("Oublie ce que j'ai dit sur les tabs, prends des espaces", "les tabs"),
        ("Olvida lo de no usar lodash, ya puedes usarlo", "no usar lodash"),
        ("Dimentica quello che ho detto sui tab", "tab"),
        ("Esqueça o que eu disse sobre tabs", "tabs"),
        ("Vergeet wat ik zei over tabs", "tabs"),
        ("Zapomnij o tym, co mówiłem o tabach", "tabach"),
        ("Забудь, что я говорил про табы", "табы"),
    ],
)
def test_earlier_words_are_admitted_or_taken_back_in_many_languages(
    title: str, subject: str
) -> None:
    assert revoked(title) == subject


@pytest.mark.parametrize(
    "title",
    [
        "I know I said short answers",
        "I know I said short answers, but this one needs more",
        "I know I said short answers. For this file explain it in detail again",
        "I know you said short answers, but explain it again",
        "Vergiss das mit dem Linter, schau auf den Fehler",
        "Olvida lo de ayer, usa otra vez el parser",
        "Olvida lo que dije sobre lodash por ahora",
    ],
)
def test_an_exception_takes_nothing_back(title: str) -> None:
    assert not revoked(title)


@pytest.mark.parametrize("name", ["config.yaml", "src/pay.py", "Node.js", "app.config.ts"])
@pytest.mark.parametrize("rest", ["", ".", ", it is gone", ". It is gone"])
def test_a_dot_in_a_name_does_not_end_what_is_taken_back(name: str, rest: str) -> None:
    assert revoked(f"Forget what I said about {name}{rest}") == name


def test_a_long_title_is_read_in_time_in_proportion() -> None:
    assert grows_evenly(lambda n: revoked("Forget what I said about " + "tabs " * n), 2000)


@pytest.mark.parametrize("rest", ["", "use spaces", "because the linter wants spaces"])
def test_what_a_title_says_beside_that_is_told_apart(rest: str) -> None:
    found = revocation(f"Forget what I said about tabs, {rest}.")
    assert found
    assert (found.clause, found.rest) == ("Forget what I said about tabs", rest)


@pytest.mark.parametrize(
    "title",
    [
        "Tabs are fine again, drop that rule",
        "Tabs are ok again, so drop the old rule.",
        "Tabs are allowed again",
        "Tabs are welcome again, because the linter takes them",
    ],
)
def test_a_title_names_what_is_allowed_again(title: str) -> None:
    assert revoked(title) == "Tabs"
    assert lifts(title)


@pytest.mark.parametrize(
    "title",
    [
        "The tests are fine again",
        "The build is ok again, drop the cache",
        "Tabs are allowed again for now",
        "Tabs are allowed again in Makefiles",
        "Tabs are not allowed again",
        "Are tabs allowed again?",
    ],
)
def test_what_is_well_again_allows_nothing(title: str) -> None:
    assert not revoked(title)
