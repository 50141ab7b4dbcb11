import pytest

from git_lerim.extraction.by_rules.from_user.stated_answer import stated_answer


@pytest.mark.parametrize(
    ("question", "answer", "sentence"),
    [
        ("Should we drop Python 3.8?", "Yes", "We should drop Python 3.8"),
        ("Should we drop Python 3.8?", "No", "We should not drop Python 3.8"),
        ("Should I add a feature flag?", "Yes, please", "We should add a feature flag"),
        ("Can users delete their account?", "No", "Users cannot delete their account"),
        (
            "For old clients, should the header be sent?",
            "Yes",
            "For old clients, the header should be sent",
        ),
        ("Should we use tabs or spaces?", "Yes", "Should we use tabs or spaces? Yes"),
        ("Should we use tabs or spaces?", "spaces", "We should use spaces"),
        (
            "Should money be stored as Decimal or cents?",
            "decimal",
            "Money should be stored as Decimal",
        ),
        ("Should we cache in Redis or not?", "Not", "Should we cache in Redis or not? Not"),
        ("Shouldn't we retry?", "Yes", "Shouldn't we retry? Yes"),
        (
            "Should deleted users keep their comments?",
            "Yes, anonymized",
            "Should deleted users keep their comments? Yes, anonymized",
        ),
    ],
)
def test_a_bare_yes_or_no_states_what_was_asked(question: str, answer: str, sentence: str) -> None:
    assert stated_answer(question, answer) == sentence


@pytest.mark.parametrize(
    ("question", "answer", "sentence"),
    [
        (
            "When should old logs be deleted?",
            "After 30 days",
            "Old logs should be deleted after 30 days",
        ),
        (
            "How should corrupted archives be reported in the manifest?",
            "Extra field",
            "Corrupted archives should be reported in the manifest: Extra field",
        ),
        (
            "How should the log format be set?",
            "By a flag",
            "The log format should be set by a flag",
        ),
        (
            "How should user read access be handled?",
            "Per team",
            "User read access should be handled per team",
        ),
        ("What should the default timeout be?", "30 s", "The default timeout should be 30 s"),
        ("How should errors look?", "JSON", "How should errors look? JSON"),
        (
            "Which database should we use for orders?",
            "Postgres",
            "We should use Postgres for orders",
        ),
        ("Which Node version should we target?", "20", "We should target Node version 20"),
        ("How many retries should a job get?", "3", "A job should get 3 retries"),
    ],
)
def test_a_question_with_should_ends_with_its_answer(
    question: str, answer: str, sentence: str
) -> None:
    assert stated_answer(question, answer) == sentence


@pytest.mark.parametrize(
    ("question", "answer", "sentence"),
    [
        (
            "Which tar formats should be supported?",
            "Also .tgz",
            "Tar formats that should be supported: Also .tgz",
        ),
        ("Which auth method do you want for the API?", "JWT", "Auth method for the API: JWT"),
        ("Which of these should be kept?", "The first", "Which of these should be kept? The first"),
        ("Who should be able to merge?", "Maintainers", "Who should be able to merge? Maintainers"),
    ],
)
def test_an_answer_stands_behind_what_was_asked_for(
    question: str, answer: str, sentence: str
) -> None:
    assert stated_answer(question, answer) == sentence
