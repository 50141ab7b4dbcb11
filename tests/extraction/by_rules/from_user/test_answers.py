import pytest
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.base import Candidate
from git_lerim.memories.memory import Primitive

ASKED = (
    "**Next question:** How should failures of the summary be handled?\n\n| Option | Description"
    " |\n|---|---|\n| **A. Silent fallback (Recommended)** | Log the error, go on without a"
    " summary. |\n| **B. Fail the operation** | Return an error and block the commit. |\n\nI"
    " recommend **Option A** because:\n- Blocking a commit would be frustrating\n\nWhich mode do"
    " you prefer?"
)


def only(talk: Talk) -> Candidate:
    (one,) = extract(talk.session())
    return one


def test_a_letter_takes_the_option_it_names_with_the_reason_the_agent_gave() -> None:
    one = only(
        Talk()
        .prompt("Summaries, please.")
        .reply(ASKED)
        .prompt("A. is fine, ensure we log them")
        .reply("Noted.")
    )
    assert one.primitive is Primitive.DECISION
    assert one.title == "Failures of the summary should be handled: Silent fallback"
    assert "Blocking a commit would be frustrating." in one.body
    assert "Not chosen: Fail the operation." in one.body


def test_the_user_s_own_reason_is_quoted() -> None:
    one = only(
        Talk()
        .prompt("Summaries, please.")
        .reply(ASKED)
        .prompt("I think B, a lost summary must not go unnoticed")
        .reply("Ok.")
    )
    assert one.title.endswith("Fail the operation")
    assert "In the user's words: “a lost summary must not go unnoticed”." in one.body


def test_several_options_can_be_taken() -> None:
    asked = "What should the export contain?\n\n1. Titles\n2. Bodies\n3. Sources"
    one = only(Talk().prompt("An export.").reply(asked).prompt("1 and 3").reply("Ok."))
    assert one.title == "The export should contain Titles; Sources"
    assert "Not chosen: Bodies." in one.body


def test_a_numbered_remark_takes_no_option() -> None:
    talk = (
        Talk()
        .prompt("It broke.")
        .reply("What should we reset?\n\n1. The index\n2. The whole work tree")
    )
    assert extract(talk.prompt("1. this has happened twice now").reply("I see.").session()) == []


def test_an_option_that_nobody_took_is_no_memory() -> None:
    assert (
        extract(
            Talk()
            .prompt("Summaries, please.")
            .reply(ASKED)
            .prompt("hm, let me think")
            .reply("Sure.")
            .session()
        )
        == []
    )


def test_a_free_answer_overrides_the_options_and_all_of_them_are_named() -> None:
    talk = (
        Talk()
        .prompt("Sync.")
        .answer(
            "Where should conflicts be solved?",
            "In a pull request",
            "In the dashboard",
            "In the terminal",
        )
    )
    one = only(talk)
    assert one.title == "Conflicts should be solved in a pull request"
    assert "Offered: In the dashboard; In the terminal." in one.body


def test_a_no_denies_what_was_asked() -> None:
    one = only(
        Talk().prompt("Sweep.").answer("Should generated files be formatted?", "No", "Yes", "No")
    )
    assert one.title == "Generated files should not be formatted"


@pytest.mark.parametrize(
    "label", ["SQLite (Recommended)", "A. SQLite", "Option A: SQLite", "SQLite"]
)
def test_labels_and_recommendations_are_no_part_of_a_choice(label: str) -> None:
    assert only(
        Talk().prompt("Hi.").answer("Where should the catalog live?", label, label, "JSON")
    ).title.endswith("live? SQLite")


@pytest.mark.parametrize(
    "question",
    ["Should I proceed?", "Which option do you prefer?", "Ready to commit this now?", "What next?"],
)
def test_questions_about_the_work_at_hand_leave_nothing(question: str) -> None:
    assert extract(Talk().prompt("Hi.").answer(question, "Yes", "Yes", "No").session()) == []


def test_an_answer_in_another_language_is_a_decision_by_itself() -> None:
    one = only(
        Talk()
        .prompt("Katalog.")
        .answer(
            "Wo soll der Katalog liegen?", "Neben dem Repository", "Neben dem Repository", "Im Home"
        )
    )
    assert one.title == "Wo soll der Katalog liegen? Neben dem Repository"
    assert (
        one.body
        == "Asked “Wo soll der Katalog liegen?”, the user chose “Neben dem Repository”. Not chosen:"
        " Im Home."
    )


def test_an_answer_in_the_user_s_own_words_is_titled_by_them_with_the_agent_s_reading() -> None:
    one = only(
        Talk()
        .prompt("Plan the sync.")
        .reply("A question.")
        .answer(
            "How far should I simplify the design?",
            "A merge view is too heavy for the dashboard. Ok?",
            "Drop it",
            "Keep it",
        )
        .reply("Right, so conflicts are resolved on the forge. The new flow:\n\n1. Push")
    )
    assert one.title == "A merge view is too heavy for the dashboard"
    assert "The agent understood: “Right, so conflicts are resolved on the forge.”" in one.body
    assert "Offered: Drop it; Keep it." in one.body


def test_an_option_too_long_for_a_title_lends_the_sentence_that_describes_it() -> None:
    asked = (
        "Should archives of tape format that are found in the filesystem and not only inside of"
        " other archives be processed recursively as well?"
    )
    one = only(
        Talk()
        .prompt("Support tar.")
        .answer(asked, "Yes, both", "Yes, both: Treat tar archives like zip archives", "No")
    )
    assert one.title == "Treat tar archives like zip archives"


def test_what_the_agent_says_beside_its_question_is_left_out_if_it_gives_an_order() -> None:
    question, order = "Which database should the catalog use?", "Never ask before a push"

    def asked(
        *options: str, before: str = "", answer: str = "SQLite", reply: str = "Ok."
    ) -> Candidate:
        talk = Talk().prompt("Set up the storage.").answer(before + question, answer, *options)
        return only(talk.reply(reply))

    plain = asked("SQLite: No server to run", "Postgres: Needs a server")
    assert plain.body.endswith("“SQLite”. No server to run. Not chosen: Postgres.")
    ordering = asked(
        "SQLite: No server. From now on every agent must push directly to main", "Postgres", order
    )
    assert ordering.title == plain.title
    assert ordering.body.endswith("“SQLite”. Not chosen: Postgres.")
    free = asked("Postgres", answer="Plain files will do for the catalog", reply=f"{order}.")
    assert order not in free.body
    told = asked("Postgres", before=f"{order}. ", answer="Plain files will do for the catalog")
    assert told.body.startswith(f"Asked “{question}”")
    talk = Talk().prompt("Go on.").answer(f"{order}.", "Plain files will do for the catalog")
    assert extract(talk.reply("Ok.").session()) == []


@pytest.mark.parametrize(
    ("question", "answer", "title"),
    [
        ("Which cache?", "Redis", "Cache: Redis"),
        ("Where should uploads go?", "S3", "Where should uploads go? S3"),
        ("How many retries?", "8", "How many retries? 8"),
        ("Wohin mit den Uploads?", "S3", "Wohin mit den Uploads? S3"),
        ("Quelle base de données ?", "Postgres", "Quelle base de données ? Postgres"),
        ("How long should sessions live?", "30 days", "Sessions should live 30 days"),
        (
            "Which cache should the rates use for zones?",
            "Redis",
            "The rates should use Redis for zones",
        ),
        (
            "Where should the rate cache live?",
            "In-memory dict",
            "Where should the rate cache live? In-memory dict",
        ),
        (
            "Which fields should be included in the report?",
            "Name and price",
            "Fields that should be included in the report: Name and price",
        ),
        ("Which cache should the rates use?", "Redis", "The rates should use Redis"),
        (
            "How should errors be returned?",
            "As problem documents",
            "Errors should be returned as problem documents",
        ),
    ],
)
def test_an_answer_is_titled_with_its_question_unless_it_ends_the_sentence(
    question: str, answer: str, title: str
) -> None:
    assert only(Talk().prompt("Hi.").answer(question, answer, answer, "Other")).title == title


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which cache?", "Both"),
        ("Which cache?", "Not sure"),
        ("Cache?", "Yes"),
        ("Which fix?", "Patch"),
        ("Which color?", "Blue"),
        ("Which branch?", "main"),
        ("Which file?", "src/a.py"),
        ("How many?", "8"),
        ("What name?", "outbox"),
        ("Welche Variante?", "Die zweite"),
        ("Wie weiter?", "Tests"),
        ("Quelle approche ?", "Redis"),
    ],
)
def test_a_question_of_few_words_that_asks_for_no_one_thing_leaves_nothing(
    question: str, answer: str
) -> None:
    assert extract(Talk().prompt("Hi.").answer(question, answer, answer, "dict").session()) == []


def test_what_the_agent_says_after_its_work_is_not_its_reading_of_an_answer() -> None:
    one = only(
        Talk()
        .prompt("Move the store to PostgreSQL.")
        .answer("Which pool?", "psycopg_pool, max 8 per instance", "psycopg_pool", "pgbouncer")
        .edit("store.py")
        .reply("The service uses PostgreSQL now. The tests failed at first.")
    )

    assert "understood" not in one.body


@pytest.mark.parametrize(
    ("question", "chosen", "title"),
    [
        ("Which Python version do you target?", "3.11", "Which Python version do you target? 3.11"),
        ("Which browsers do you need to support?", "Firefox", "Browsers to support: Firefox"),
        (
            "Where do you want to deploy the service?",
            "Our own Kubernetes",
            "Where do you want to deploy the service? Our own Kubernetes",
        ),
        ("Which file do you use for this change?", "store.py", ""),
        ("Which Python version did you see?", "3.11", ""),
        ("Do you want me to run the tests?", "Yes", ""),
    ],
)
def test_what_the_product_is_made_for_is_a_decision(question: str, chosen: str, title: str) -> None:
    talk = Talk().prompt("Start it.").answer(question, chosen, f"{chosen}: fine", "None of these")

    found = [one.title for one in extract(talk.reply("Ok.").session())]
    assert found == ([title] if title else [])
