import pytest

from git_lerim.extraction.by_rules.claims import claim, told


@pytest.mark.parametrize(
    "good",
    [
        "SQLite allows only one writer at a time",
        "`busy_timeout` is zero by default",
        "Keep prices as integer cents",
        "Tokens from CI don't start other workflows",
    ],
)
def test_a_sentence_with_a_subject_and_a_verb_is_a_claim(good: str) -> None:
    assert claim(good) >= 0.5


@pytest.mark.parametrize(
    "bad",
    [
        "Branch header and a list of checkpoints",
        "Version field — unlike bugs, rarely set",
        "Option 2: the cache is dropped",
        "Covers concurrency and polling",
        "Check if something starts the collector",
        "When the exporter runs without a server",
        "Is the cache really stale?",
        "I think we should keep the cache",
        "`removed` = 0 in the base",
    ],
)
def test_a_fragment_a_task_a_question_or_a_trace_is_no_claim(bad: str) -> None:
    assert claim(bad) < 0.3


@pytest.mark.parametrize(
    ("sentence", "what"),
    [
        ("Moved the empty states to package.json", "The empty states were moved to package.json"),
        ("I also replaced the retry loop with a queue.", "The retry loop was replaced with a queue."),
        ("Replaced it with a queue", "Replaced it with a queue"),
        ("Removed a.py, b.py and c.py", "Removed a.py, b.py and c.py"),
        ("The queue retries", "The queue retries"),
    ],
)
def test_what_somebody_did_is_told_as_what_was_done(sentence: str, what: str) -> None:
    assert told(sentence) == what
