import pytest

from git_lerim.sessions.ignored import without_ignored
from git_lerim.sessions.session import Record, Role

PRIVATE = ("private/",)


def kept(*records: Record, ignored: tuple[str, ...] = PRIVATE) -> list[str]:
    def below(folder: str) -> str:
        return folder.removeprefix("/home/ada/private/shop").lstrip("/")

    return [one.text for one in without_ignored(records, ignored, below)]


def said(role: Role, text: str, **fields: str) -> Record:
    return Record(n=1, role=role, text=text, **fields)


ASKED = said(Role.PROMPT, "Which customer pays most?")
READ = said(Role.CALL, "Read private/x.csv", call="1")
GOT = said(Role.RESULT, "", call="1")
TOLD = said(Role.REPLY, "Bob Miller pays most.")


def test_what_the_agent_says_after_reading_an_ignored_path_is_left_out() -> None:
    thanks, done = said(Role.PROMPT, "Thanks. Fix the header."), said(Role.REPLY, "Fixed.")

    assert kept(ASKED, READ, GOT, TOLD, thanks, done) == [
        "Which customer pays most?",
        "Thanks. Fix the header.",
        "Fixed.",
    ]
    assert kept(ASKED, TOLD) == ["Which customer pays most?", "Bob Miller pays most."]


def test_what_may_follow_such_a_call_in_an_earlier_part_is_left_out() -> None:
    assert kept(TOLD, ASKED, TOLD) == ["Which customer pays most?", "Bob Miller pays most."]


@pytest.mark.parametrize(
    "command", ["cd private && cat x.csv", "ls; cd private/ ; cat x.csv", "(cd 'private' && ls)"]
)
def test_a_command_may_enter_an_ignored_folder(command: str) -> None:
    call = said(Role.CALL, "Bash", command=command, call="1")

    assert kept(ASKED, call, GOT, TOLD) == ["Which customer pays most?"]
    other = said(Role.CALL, "Bash", command=command.replace("private", "public"), call="1")
    assert len(kept(ASKED, other, GOT, TOLD)) == 4


def test_all_that_was_said_in_an_ignored_folder_is_left_out() -> None:
    root = "/home/ada/private/shop"
    inside = said(Role.PROMPT, "Keep x.csv sorted.", cwd=f"{root}/private/data")

    assert kept(inside, said(Role.PROMPT, "Sort it.", cwd=f"{root}/src")) == ["Sort it."]
    # the work tree itself may lie in a folder of such a name
    assert kept(said(Role.PROMPT, "Sort it.", cwd=root)) == ["Sort it."]
