import pytest
from support.costs import grows_evenly
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.base import Candidate
from git_lerim.extraction.by_rules.from_agent.repairs import command_itself, error_line

ERROR = "ValueError: Unable to determine which files to ship inside the wheel"
CAUSE = (
    "Hatchling needs to be told which files to ship, because a module with a hyphen is not found by"
    " its name."
)


def repaired(*, cause: str = CAUSE, before: str = "", between: str = "") -> list[Candidate]:
    talk = Talk().prompt("Make it installable.")
    talk = talk.edit(before) if before else talk
    talk.run("cd app && uv tool install . 2>&1 | tail -5", ERROR).reply(cause)
    talk = talk.prompt(between) if between else talk
    return extract(
        talk.edit("pyproject.toml").run("uv tool install .").reply("It installs.").session()
    )


def test_a_failing_command_its_cause_and_the_same_command_passing_are_a_pitfall() -> None:
    (one,) = repaired()
    assert one.title == CAUSE.rstrip(".")
    assert (
        one.body
        == f"{CAUSE} `uv tool install .` failed with “{ERROR}”; a change of `pyproject.toml` made"
        " it pass."
    )
    assert one.files == ("pyproject.toml",)


def test_a_cause_that_cannot_be_a_title_gives_way_to_the_command_and_its_error() -> None:
    (one,) = repaired(
        cause=(
            "Hatchling needs to be told which files to ship here, because it does not find this"
            " module by name."
        )
    )
    assert (
        one.title
        == "`uv tool install .` fails with “ValueError: Unable to determine which files to ship"
        " inside the wheel”"
    )


NAIVE = "`datetime.utcnow()` returns a naive datetime, while `promised_at` is aware"
ZONE = "since the column became `TIMESTAMP WITH TIME ZONE` in the last migration"
GENERATED = "`npm run build` failed because the types are generated: run `npm run gen` before it"


@pytest.mark.parametrize(
    ("cause", "title"),
    [
        (f"**Root cause:** {NAIVE}.", NAIVE),
        (f"The root cause: {NAIVE}, {ZONE}.", NAIVE),
        ("The problem was that the wheel contains no files.", "The wheel contains no files"),
        (f"{GENERATED}.", GENERATED),
    ],
)
def test_a_cause_that_is_named_as_one_is_the_title_without_its_name(cause: str, title: str) -> None:
    (one,) = repaired(cause=cause)
    assert one.title == title
    assert "`uv tool install .` failed with" in one.body


@pytest.mark.parametrize(
    "cause",
    [
        "Root cause: this module is not found by its name.",
        f"Root cause: {'the wheel and ' * 12}the files are not found.",
        "The problem was the missing files.",
    ],
)
def test_a_cause_that_is_no_clear_sentence_is_not_the_title(cause: str) -> None:
    assert [one.title[:19] for one in repaired(cause=cause)] == ["`uv tool install .`"]


def test_the_name_of_a_command_is_no_order_about_a_check() -> None:
    error = "sqlite3.OperationalError: database is locked"
    talk = Talk().prompt("Find out why it fails.").run("make test", error)
    talk = talk.reply("The database is locked because SQLite does not allow two writers at once.")

    (one,) = extract(talk.edit("app.py").run("make test").reply("It passes.").session())
    assert one.suspect is None


@pytest.mark.parametrize(
    "cause",
    [
        "I forgot to list the files to ship.",
        "The files to ship are probably not found because of the hyphen.",
        "Let me look at which files ship, because the wheel is empty.",
        "The weather is fine because the sun shines.",
    ],
)
def test_slips_guesses_steps_and_other_subjects_are_no_cause(cause: str) -> None:
    assert repaired(cause=cause) == []


def test_a_failure_in_a_file_that_the_session_wrote_is_a_slip_of_its_own() -> None:
    talk = (
        Talk()
        .prompt("Add a check.")
        .edit("src/check.py")
        .run("mypy", "src/check.py:3: error: Name 'x' is not defined")
    )
    talk.reply("The name `x` is not defined because the import does not hold it.").edit(
        "src/check.py"
    ).run("mypy")
    assert extract(talk.session()) == []


def test_what_the_human_had_to_help_with_is_no_repair() -> None:
    assert repaired(between="try again please") == []


def test_a_command_that_never_passed_again_is_no_repair() -> None:
    talk = (
        Talk()
        .prompt("Install it.")
        .run("uv tool install .", ERROR)
        .reply(CAUSE)
        .edit("pyproject.toml")
        .run("uv build")
    )
    assert extract(talk.session()) == []


def test_a_search_that_finds_nothing_is_no_failure() -> None:
    talk = (
        Talk()
        .prompt("Where?")
        .run("grep -r theme .", "grep: theme: does not exist, unknown pattern")
        .reply(CAUSE)
    )
    assert extract(talk.edit("a.py").run("grep -r theme .").session()) == []


@pytest.mark.parametrize(
    ("command", "itself"),
    [
        ("cd /x && npm test 2>&1 | tail -20", "npm test"),
        ("CI=1 npm  test", "npm test"),
        ("(cd a; pytest -x)", "pytest -x"),
        ("make docs; echo done", "make docs"),
    ],
)
def test_folders_filters_and_variables_are_no_part_of_a_command(command: str, itself: str) -> None:
    assert command_itself(command) == itself


@pytest.mark.parametrize("unit", [") ", "2>&1 ", "| cat ", "| tail; echo ", "(", "cd a; "])
def test_a_long_command_costs_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: command_itself(f"a{unit * (size // len(unit))}x"), 3000)


def test_the_line_that_names_the_error_is_found() -> None:
    assert (
        error_line(
            "collecting\nTraceback (most recent call last):\n  File x\nKeyError: 'zone'\n1 failed"
        )
        == "KeyError: 'zone'"
    )
    assert error_line("everything was fine\nExit code 1") == ""


def fixed(error: str, before: str, after: str, *, command: str = "make app") -> list[Candidate]:
    talk = Talk().prompt("Make it run here.").run("make app", error).reply(before)
    return extract(talk.edit("app.cfg").run(command).reply(after).session())


LOCKED = "sqlite3.OperationalError: database is locked"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Hm.", "The build failed because the fixture held an open transaction."),
        ("Hm.", "Fixed: the fixture held an open transaction, because it never closes."),
        ("Hm.", "It failed since the fixture held an open transaction."),
        ("Hm.", "The problem was that the fixture held an open transaction."),
        ("Hm.", "The build could not start because the fixture held an open transaction."),
        ("Root cause: the fixture held an open transaction.", "It builds now."),
    ],
)
def test_a_cause_without_words_of_the_error_is_one_by_its_form(before: str, after: str) -> None:
    (one,) = fixed(LOCKED, before, after)
    assert "he fixture held an open transaction" in one.body
    assert f"`make app` failed with “{LOCKED}”" in one.body
    assert one.suspect is None


@pytest.mark.parametrize(
    "after",
    [
        "The build failed because I forgot the fixture in the last step.",
        "It probably failed because the fixture is incomplete in this case.",
        "The problem was a typo in my last edit of the file.",
        "The weather is bad because it rains in the whole country.",
        "Done because the whole thing was wanted right now.",
    ],
)
def test_a_slip_or_guess_is_no_cause_whatever_its_form(after: str) -> None:
    assert fixed(LOCKED, "Hm.", after) == []


def test_what_the_agent_did_about_a_cause_is_told() -> None:
    (one,) = fixed(
        LOCKED,
        "Hm.",
        "The build failed because the fixture never closes. I closed it in the setup.",
    )
    assert one.body.endswith("The agent then said: “I closed it in the setup.”")


def test_what_the_code_does_now_about_a_cause_is_told() -> None:
    cause = "The build failed because the fixture never closes."
    (one,) = fixed(LOCKED, "Hm.", f"{cause} `setup.py` now opens it with `timeout=30`.")
    (other,) = fixed(LOCKED, "Hm.", f"{cause} The build now passes.")

    assert one.body.endswith("The agent then said: “`setup.py` now opens it with `timeout=30`.”")
    assert "then said" not in other.body


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf obj && make app",
        "MODE=dev make app",
        "clear-cache && make app",
        "echo A=1 > .env && make app",
    ],
)
def test_a_command_that_passes_behind_another_or_with_a_setting_is_repaired(command: str) -> None:
    talk = Talk().prompt("Make it run here.").run("make app", LOCKED).run(command)
    talk = talk.reply("The build failed because the fixture held an open transaction.")
    assert len(extract(talk.session())) == 1


@pytest.mark.parametrize(
    "commands",
    [
        ["make app"],
        ["sleep 5 && make app"],
        ["cd app && wait; echo again; make app"],
        ["date", "clear && make app"],
    ],
)
def test_a_command_that_passes_by_itself_is_not_repaired(commands: list[str]) -> None:
    talk = Talk().prompt("Make it run here.").run("make app | tail", LOCKED)
    for command in commands:
        talk = talk.run(command)
    talk = talk.reply("The build failed because the fixture held an open transaction.")
    assert extract(talk.session()) == []


def test_a_long_error_is_cut_between_words_in_a_title() -> None:
    error = f"Error: Cannot find module {'x' * 40} which npm did not install for this system"
    (one,) = fixed(error, "Hm.", "The problem was that this lockfile names only another system.")
    assert one.title == f"`make app` fails with “Error: Cannot find module {'x' * 40}…”"
    assert error in one.body


@pytest.mark.parametrize(
    ("command", "worked", "cause", "title"),
    [
        (
            "npm run build",
            "npm run gen && npm run build",
            "The API types are generated, so `npm run gen` has to run before `npm run build`.",
            "The API types are generated, so `npm run gen` has to run before `npm run build`",
        ),
        (
            "uv run pytest tests/test_refund.py",
            "DOCKER_HOST=unix:///run/podman.sock uv run pytest tests/test_refund.py",
            "With podman they need `DOCKER_HOST`, otherwise testcontainers finds no daemon.",
            "`uv run pytest tests/test_refund.py` fails with “Error: Cannot read the client files”",
        ),
    ],
)
def test_what_was_added_to_the_command_may_name_the_cause(
    command: str, worked: str, cause: str, title: str
) -> None:
    error = "Error: Cannot read the client files"
    talk = Talk().prompt("It fails, help.").run(command, error).run(worked)
    (one,) = extract(talk.reply(f"It works. {cause}").session())
    assert one.title == title
    assert one.body.startswith(cause)


@pytest.mark.parametrize(
    "after",
    ["The module `app` has no warnings now.", "The modules of `app` have no more warnings."],
)
def test_that_the_error_is_gone_is_no_cause(after: str) -> None:
    assert (
        fixed("error: warnings in the modules are not allowed, unable to go on", "Hm.", after) == []
    )


def test_the_sentence_with_the_most_words_of_the_error_names_the_cause() -> None:
    (one,) = fixed(
        "error: No wheels for psycopg2-binary on 3.13",
        "Hm.",
        "The project requires Python 3.13 now. `psycopg2-binary` has no wheels for 3.13, so I"
        " switched to `psycopg[binary]`.",
    )
    assert one.title == "`psycopg2-binary` has no wheels for 3.13"
    assert one.body.endswith("The agent then said: “I switched to `psycopg[binary]`.”")
