import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.redaction.redactor import Redactor
from git_lerim.sessions.gate import (
    clean_header,
    clean_id,
    clean_path,
    clean_session,
    clean_state,
    redacted,
)
from git_lerim.sessions.prose import PASSAGE_LIMIT, added
from git_lerim.sessions.session import Header, Record, Role

OWN = "own-Secret-4711-zyx"
REDACTOR = Redactor([("TOKEN", OWN)])


def record(**fields: object) -> Record:
    return msgspec.convert({"n": 1, "role": "prompt"} | fields, Record)


def test_every_field_that_holds_words_is_cleaned() -> None:
    given = record(
        text=f"the token is {OWN}",
        command=f"curl -H {OWN}",
        question=f"Use {OWN}?",
        options=("no", f"yes: {OWN}"),
        files=("a.py", f"dump/{OWN}.txt"),
        cwd=f"/work/{OWN}",
        branch=f"try/{OWN}",
        tool=f"mcp__{OWN}",
        prose=("Prices are cents.", f"Never use {OWN}."),
    )
    (kept,), count = redacted([given], REDACTOR, ())
    assert OWN not in repr(kept)
    assert count == 9
    assert kept.options[0] == "no"
    assert kept.files[0] == "a.py"


@given(st.integers(0, PASSAGE_LIMIT + 50))
def test_wherever_a_passage_is_cut_no_part_of_a_secret_is_left(before: int) -> None:
    words = ("The pool stays small because of the nightly jobs. " * 10)[:before]
    told = 'and the admin password = "correct horse battery staple nine" never changes.'
    (passage,) = added("README.md", "", f"{words} {told}")

    ((kept,), _) = redacted([record(role="call", prose=(passage,))], REDACTOR, ())

    assert len(kept.prose[0]) <= PASSAGE_LIMIT + 2
    assert not {"correct", "horse", "battery", "staple"} & set(re.findall(r"\w+", kept.prose[0]))


def test_what_is_needed_only_for_reading_is_dropped() -> None:
    prompt = Record(n=1, role=Role.PROMPT, text="Fix it.", below="A file.")

    assert redacted([prompt], Redactor(), ())[0] == (Record(n=1, role=Role.PROMPT, text="Fix it."),)


def test_a_secret_in_a_tools_output_is_redacted_around_it_and_the_output_is_dropped() -> None:
    said = Record(n=1, role=Role.PROMPT, text="Start aX9kQ2vLm7Pz first.")
    printed = Record(n=2, role=Role.RESULT, output="DB_PASSWORD=aX9kQ2vLm7Pz")

    (prompt, result), _ = redacted([said, printed], Redactor(), ())

    assert prompt.text == "Start [REDACTED:assignment] first."
    assert result == Record(n=2, role=Role.RESULT)


def test_what_holds_no_secret_is_left_as_it_is() -> None:
    given = record(
        text="Use SQLite in /home/ada/shop",
        files=("/home/ada/shop/a.py",),
        cwd="/home/ada/shop",
        branch="main",
    )
    assert redacted([given], REDACTOR, ()) == ((given,), 0)


def test_a_secret_that_comes_again_is_counted_again() -> None:
    given = [record(branch=OWN, text="x"), record(branch=OWN, text="y")]
    kept, count = redacted(given, REDACTOR, ())
    assert count == 2
    assert OWN not in repr(kept)


def test_what_one_record_shows_to_be_a_password_is_redacted_in_all_of_them() -> None:
    password, word = "Zebra-Lamp-" + "7781", "postgres"
    given = [
        record(text=f"Never put {password} into {word}."),
        record(text=f"The grafana password is {password}, password={word}"),
        record(role="call", command=f"echo {password.upper()} x{password}"),
        record(text="export DB_PASSWORD=postgres15, then test on postgres15."),
    ]

    kept, count = redacted(given, REDACTOR, ())

    assert repr(kept).lower().count(password.lower()) == 1  # as a part of a word
    assert count >= 4
    assert "test on postgres15" in kept[3].text
    assert f"into {word}." in kept[0].text  # a word may mean something else


def test_records_about_an_ignored_path_are_left_out_whatever_names_it() -> None:
    about = [
        record(role="call", files=("/home/ada/shop/private/plan.md",)),
        record(role="call", command="cat private/plan.md"),
        record(text="Please read private/plan.md first."),
    ]
    other = record(text="Please read public/plan.md first.")
    assert redacted([*about, other], REDACTOR, ("private/**",))[0] == (other,)


def test_prose_that_names_an_ignored_path_is_left_out_and_its_edit_is_not() -> None:
    given = record(
        role="call", files=("README.md",), prose=("See private/plan.md.", "Prices are cents.")
    )
    (kept,), _ = redacted([given], REDACTOR, ("private/**",))

    assert (kept.files, kept.prose) == (("README.md",), ("Prices are cents.",))


def test_every_fact_of_a_header_is_cleaned() -> None:
    facts = dict.fromkeys(("title", "opening", "version", "model", "root_commit", "commit"), OWN)

    assert OWN not in repr(clean_header(Header(**facts), REDACTOR, {}))


def test_a_remote_keeps_neither_user_nor_password() -> None:
    header = Header(
        title=f"with {OWN}",
        remote="https://ada:ghp_abcdefghijklmnopqrstuvwxyz0123456789@github.com/ada/shop.git",
    )
    cleaned = clean_header(header, REDACTOR, {})
    assert cleaned.remote == "https://github.com/ada/shop.git"
    assert OWN not in cleaned.title
    assert (
        clean_header(Header(remote="git@github.com:ada/shop.git"), REDACTOR, {}).remote
        == "git@github.com:ada/shop.git"
    )


def test_a_path_is_changed_only_for_a_secret() -> None:
    assert clean_path("/home/ada/shop", REDACTOR) == "/home/ada/shop"
    assert OWN not in clean_path(f"/home/{OWN}", REDACTOR)


def test_roles_and_numbers_stay() -> None:
    (kept,), _ = redacted([record(n=7, role="answer", text=OWN, call="c1")], REDACTOR, ())
    assert (kept.n, kept.role, kept.call) == (7, Role.ANSWER, "c1")


def test_a_title_is_one_line() -> None:
    assert (
        clean_header(Header(title="Rename it\n5b0c1a2f  extracted\t 9 prompts"), REDACTOR, {}).title
        == "Rename it 5b0c1a2f extracted 9 prompts"
    )


def test_an_id_with_a_secret_becomes_a_digest_and_still_joins_its_records() -> None:
    call = record(
        role="call", call=f"call-{OWN}", uuid=f"{OWN}-1", message=OWN, part=f"{OWN}.jsonl"
    )
    result = record(role="result", call=f"call-{OWN}", uuid="u2")
    (first, second), _ = redacted([call, result], REDACTOR, ())

    assert OWN not in repr((first, second))
    assert first.call == second.call
    assert (second.uuid, second.message) == ("u2", None)


def test_the_digest_of_an_id_is_always_the_same_and_clean() -> None:
    digest = clean_id(OWN, REDACTOR)

    assert digest == clean_id(digest, REDACTOR) != clean_id(f"{OWN}-2", REDACTOR)
    assert clean_session(f"claude/{OWN}", REDACTOR) == f"claude/{digest}"
    assert clean_state({"calls": {OWN: ["Bash"]}}, REDACTOR) == {"calls": {digest: ["Bash"]}}
    assert clean_header(Header(forked_from=OWN), REDACTOR, {}).forked_from == digest
    assert clean_session("claude/5b0c1a2f", REDACTOR) == "claude/5b0c1a2f"


GIVEN = "Zk29lZ" + "GEON"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the admin password?", "{}"),
        ("Which SMTP password should I use?", "use {}, please"),
        ("What's the token for the staging server?", "{}"),
        ("Wie lautet das Passwort für staging?", "{}"),
    ],
)
def test_the_secret_that_a_structured_question_asks_for_is_redacted(
    question: str, answer: str
) -> None:
    given = record(role="answer", question=question, text=answer.format(GIVEN))

    kept, count = redacted([given, record(text=f"Always use {GIVEN}.")], REDACTOR, ())

    assert GIVEN not in repr(kept)
    assert count == 2


def test_the_secret_that_the_agent_asks_for_is_redacted() -> None:
    said = record(role="reply", text="I need to log in. What's the password?")
    given = record(text=f"Always use {GIVEN} for that, never another one")

    kept, _ = redacted([said, given], REDACTOR, ())

    assert "Always use [REDACTED:answer] for that" in kept[1].text


@pytest.mark.parametrize(
    "said",
    [
        "I need the database password.",
        "The tests fail: I still need the API token for staging.",
        "Please send me the admin password!",
        "Ich brauche das Passwort für staging.",
        "I don't have the root password.",
        "The deploy cannot start: the API token is missing.",
    ],
)
def test_the_secret_that_the_agent_says_it_needs_is_redacted(said: str) -> None:
    value = "kestrel-91" + "-oak7"

    for answer in (value, f"it is {value}, as always"):
        kept, _ = redacted([record(role="reply", text=said), record(text=answer)], REDACTOR, ())

        assert kept[1].text == answer.replace(value, "[REDACTED:answer]")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("I need to rotate the password.", GIVEN),
        ("I need the password policy.", GIVEN),
        ("I need the branch. The password is set.", GIVEN),
        ("I need the database password.", "later, see docs/auth-2.md and PROJ-12"),
        ("Which password policy should we use?", "NIST800Rev4"),
        ("Which password hash should we use?", "Argon2Variant9"),
        ("Which token type should I issue?", "Rs256Jwt"),
        ("What is the admin password?", "ask Bob, he knows it"),
        ("What is the primary key?", "order_id2"),
        ("Done. Should I rotate the password?", GIVEN),
        ("What's the password?", "see feat-42x and docs/v2.md, line 12"),
        ("Which branch should I use?", GIVEN),
        ("I rotated the password. Which branch now?", GIVEN),
    ],
)
def test_answers_to_other_questions_stay(question: str, answer: str) -> None:
    given = record(role="answer", question=question, text=answer)

    assert redacted([given], REDACTOR, ()) == ((given,), 0)
