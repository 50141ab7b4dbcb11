from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from support import repos
from support.claude import Recording
from support.repos import Repo

from git_lerim.actions.sync.run_sync import sync
from git_lerim.actions.sync.sync_options import Options
from git_lerim.actions.why.answer_json import as_json
from git_lerim.actions.why.why import Answer, why
from git_lerim.errors import NotARepository, UsageError
from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Memory, Primitive, Source, Status
from git_lerim.storage.base import Change
from git_lerim.workspace import open_workspace

ONE = "11111111-0000-4000-8000-000000000001"
TWO = "22222222-0000-4000-8000-000000000002"
CODE = "".join(f"line {n}\n" for n in range(1, 21))


def day(number: int, time: str = "10:00:00") -> str:
    return f"2026-02-{number:02}T{time}Z"


@dataclass
class Desk:
    """A repository, and a person at it with an agent."""

    repo: Repo
    home: Path
    place: Path | None = None
    sessions: dict[str, Recording] = field(default_factory=dict)

    def session(self, id_: str) -> Recording:
        if id_ not in self.sessions:
            self.sessions[id_] = Recording(self.home, str(self.place or self.repo.path), id=id_)
        return self.sessions[id_]

    def call(self, id_: str, when: str, tool: str, given: dict[str, str], output: str) -> None:
        """Let the agent use a tool, as Claude Code records it."""
        said = self.session(id_)
        name = f"toolu_{said.lines}"
        said.add(
            "assistant",
            [{"type": "tool_use", "id": name, "name": tool, "input": given}],
            timestamp=when,
        )
        said.add(
            "user",
            [{"type": "tool_result", "tool_use_id": name, "content": output}],
            timestamp=when,
        )

    def prompt(self, id_: str, when: str) -> None:
        self.session(id_).prompt("Please change the code as we said.", timestamp=when)

    def wrote(self, id_: str, when: str, path: str) -> None:
        top = self.place or self.repo.path
        self.prompt(id_, when)
        self.call(
            id_,
            when,
            "Write",
            {"file_path": str(top / path), "content": "…"},
            "File created successfully",
        )

    def made(self, id_: str, when: str, commit: str) -> None:
        self.call(
            id_,
            when,
            "Bash",
            {"command": "git commit -am change"},
            f"[main {commit[:7]}] change\n 1 file changed",
        )

    def remember(self, *memories: Memory) -> None:
        files: dict[str, bytes | None] = {
            naming.path_of(m): frontmatter.render(m) for m in memories
        }
        open_workspace().store.commit(lambda _: Change(files=files, subject="import: some"))

    def why(self, text: str, **options: Any) -> Answer:
        sync(open_workspace(), Options(window="all", extract=False), lambda *_: None)
        return why(open_workspace(), text, **options)


@pytest.fixture
def desk(repo: Repo, sealed_world: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(repo.path)
    return Desk(repo, sealed_world)


def memory(
    title: str,
    *,
    anchor: Anchor | None = None,
    source: Source | None = None,
    body: str = "So it is.",
    **more: Any,
) -> Memory:
    at = datetime(2026, 2, 3, tzinfo=UTC)
    return Memory(
        id=naming.memory_id("claude", title, "learning", 0), primitive=Primitive.LEARNING,
        title=title, body=body, created=at,
        updated=at, anchors=(anchor,) if anchor else (), sources=(source,) if source else (),
        confidence=0.8, **more,
    )  # fmt: skip


def sessions(answer: Answer) -> list[tuple[str, str]]:
    """Return the session and how sure it is, of each link in order."""
    return [(link.session, link.word) for _, links in answer.steps for link in links]


def hows(answer: Answer) -> str:
    return "; ".join(how for _, links in answer.steps for link in links for how in link.how)


def commits(answer: Answer) -> list[str]:
    return [step.commit.id for step, _ in answer.steps]


def found(answer: Answer) -> list[tuple[str, str]]:
    return [(hit.memory.title, hit.word) for hit in answer.hits]


def test_a_secret_in_a_memory_is_redacted(desk: Desk) -> None:
    desk.repo.commit({"src/a.py": CODE}, when=day(2))
    key = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"
    desk.remember(memory(f"The token is {key}", anchor=Anchor(path="src/a.py"), body=f"Use {key}"))

    hit = desk.why("src/a.py").hits[0].memory
    assert key not in f"{hit.title} {hit.body}"
    assert "The token is" in hit.title


def test_a_secret_in_a_commit_is_redacted(desk: Desk) -> None:
    key = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"
    desk.repo.commit({"src/a.py": CODE}, f"the deploy token was {key}", when=day(2))

    [(step, _)] = desk.why("src/a.py:1").steps

    assert key not in step.commit.subject
    assert "the deploy token was" in step.commit.subject


# -- from lines to sessions


def test_a_line_leads_to_the_session_that_made_its_commit(desk: Desk) -> None:
    made = desk.repo.commit({"src/a.py": CODE}, when=day(2, "10:05:00"))
    desk.wrote(ONE, day(2), "src/a.py")
    desk.made(ONE, day(2, "10:05:01"), made)
    answer = desk.why("src/a.py:3")

    assert commits(answer) == [made]
    assert sessions(answer) == [(ONE, "sure")]
    assert hows(answer).startswith(
        "made this commit; wrote src/a.py 5 minutes before it was committed"
    )


def test_a_commit_by_hand_leads_to_the_session_that_wrote_the_file_since_the_commit_before(
    desk: Desk,
) -> None:
    desk.repo.commit({"src/a.py": CODE}, when=day(2, "12:00:00"))
    desk.repo.commit({"src/a.py": CODE + "more\n"}, when=day(3, "12:00:00"))
    desk.wrote(ONE, day(2, "11:00:00"), "src/a.py")
    desk.wrote(TWO, day(3, "11:00:00"), "src/a.py")

    assert sessions(desk.why("src/a.py:3")) == [(ONE, "sure")]
    assert sessions(desk.why("src/a.py:21")) == [(TWO, "sure")]


def test_what_was_written_days_before_the_commit_is_likely_if_nothing_was_committed_in_between(
    desk: Desk,
) -> None:
    desk.wrote(ONE, day(2), "src/a.py")
    desk.repo.commit({"src/a.py": CODE, "src/b.py": "b\n"}, when=day(9))
    answer = desk.why("src/a.py:3")

    assert sessions(answer) == [(ONE, "likely")]
    assert "7 days before" in hows(answer)


def test_a_session_that_came_too_late_is_not_named(desk: Desk) -> None:
    desk.repo.commit({"src/a.py": CODE}, when=day(2))
    desk.wrote(ONE, day(3), "src/a.py")
    answer = desk.why("src/a.py:3")

    assert sessions(answer) == []


def test_a_session_that_only_ran_at_the_time_is_possible(desk: Desk) -> None:
    desk.prompt(ONE, day(2))
    desk.repo.commit({"src/a.py": CODE}, when=day(2, "11:00:00"))

    assert sessions(desk.why("src/a.py:3")) == [(ONE, "possible")]


def test_a_commit_id_that_was_only_read_is_not_taken_for_a_commit_that_was_made(desk: Desk) -> None:
    old = desk.repo.commit({"src/a.py": CODE}, when=day(2))
    desk.prompt(ONE, day(9))
    desk.made(ONE, day(9), old)

    assert sessions(desk.why("src/a.py:3")) == [(ONE, "possible")]


def test_a_rebased_commit_leads_to_the_session_that_made_it_before(desk: Desk) -> None:
    desk.repo.commit({"src/a.py": CODE}, when=day(2))
    desk.repo.git("checkout", "-q", "-b", "side")
    before = desk.repo.commit({"src/b.py": CODE}, "add b", when=day(3))
    desk.repo.git("checkout", "-q", "main")
    desk.repo.commit({"src/a.py": CODE + "more\n"}, when=day(4))
    desk.repo.git("checkout", "-q", "side")
    desk.repo.git("rebase", "-q", "main")
    desk.prompt(ONE, day(3))
    desk.made(ONE, day(3), before)
    answer = desk.why("src/b.py:3")

    assert commits(answer) != [before]
    assert (sessions(answer), hows(answer)) == (
        [(ONE, "sure")],
        f"made it as {before[:7]}: rebased or amended since",
    )


def test_a_rebased_commit_is_known_by_its_moment_when_the_one_before_is_gone(desk: Desk) -> None:
    desk.repo.commit({"src/b.py": CODE}, "add b", when=day(3))
    desk.prompt(ONE, day(3))
    desk.made(ONE, day(3, "10:00:02"), "deadbeef" * 5)

    assert sessions(desk.why("src/b.py:3")) == [(ONE, "sure")]


def test_a_squashed_commit_leads_to_the_session_that_made_the_same_change(desk: Desk) -> None:
    desk.repo.git("checkout", "-q", "-b", "side")
    before = desk.repo.commit({"src/b.py": CODE}, "add b", when=day(3))
    desk.repo.git("checkout", "-q", "main")
    desk.repo.git("merge", "-q", "--squash", "side")
    desk.repo.git("commit", "-q", "-m", "Add b (#12)", when=day(8))
    desk.prompt(ONE, day(3))
    desk.made(ONE, day(3), before)
    answer = desk.why("src/b.py:3")

    assert (sessions(answer), hows(answer)) == (
        [(ONE, "sure")],
        f"made it as {before[:7]}: both make the same change",
    )


def test_a_trailer_that_names_a_session_is_believed(desk: Desk) -> None:
    desk.prompt(ONE, day(2))
    desk.prompt(TWO, day(2))
    desk.repo.commit(
        {"src/a.py": CODE}, f"change\n\nLerim-Session: {TWO}\n", when=day(2, "10:30:00")
    )

    assert sessions(desk.why("src/a.py:3")) == [(TWO, "sure")]


def test_a_session_of_another_agent_than_the_one_that_signed_is_doubted(desk: Desk) -> None:
    desk.wrote(ONE, day(2), "src/a.py")
    desk.repo.commit(
        {"src/a.py": CODE},
        "change\n\nCo-Authored-By: Codex <noreply@openai.com>\n",
        when=day(2, "10:30:00"),
    )

    assert sessions(desk.why("src/a.py:3")) == [(ONE, "possible")]


def test_lines_not_committed_lead_to_the_session_that_wrote_the_file_since(desk: Desk) -> None:
    desk.wrote(ONE, day(1), "src/a.py")
    desk.repo.commit({"src/a.py": CODE}, when=day(2))
    (desk.repo.path / "src/a.py").write_text(CODE + "more\n")
    desk.wrote(TWO, day(3), "src/a.py")
    answer = desk.why("src/a.py:21")

    assert commits(answer) == [""]
    assert [session for session, _ in sessions(answer)] == [TWO]


def test_a_file_never_committed_leads_to_the_session_that_wrote_it(desk: Desk) -> None:
    (desk.repo.path / "new.py").write_text(CODE)
    desk.wrote(ONE, day(3), "new.py")
    answer = desk.why("new.py")

    assert (answer.target.state, sessions(answer)[0][0]) == ("untracked", ONE)


def test_a_line_that_was_moved_leads_to_who_wrote_it_and_to_who_moved_it(desk: Desk) -> None:
    text = (
        "def compute_the_price_of_everything(cart):\n    return sum(item.price * item.count for"
        " item in cart)\n"
    )
    desk.wrote(ONE, day(2, "09:00:00"), "src/a.py")
    wrote = desk.repo.commit({"src/a.py": text}, when=day(2))
    desk.wrote(TWO, day(3, "09:00:00"), "src/a.py")
    indented = desk.repo.commit(
        {"src/a.py": "".join(f"    {line}\n" for line in text.splitlines())}, when=day(3)
    )
    answer = desk.why("src/a.py:2")

    assert commits(answer) == [wrote, indented]
    assert [session for session, _ in sessions(answer)] == [ONE, TWO]
    assert [step.moved for step, _ in answer.steps] == [False, True]


def test_the_sessions_that_a_user_ignores_by_revision_are_looked_through(desk: Desk) -> None:
    wrote = desk.repo.commit({"src/a.py": CODE}, when=day(2))
    formatted = desk.repo.commit({"src/a.py": CODE.replace("line 3", "Line 3")}, when=day(3))
    (desk.repo.path / ".git-blame-ignore-revs").write_text(formatted + "\n")
    desk.repo.git("config", "blame.ignoreRevsFile", ".git-blame-ignore-revs")

    assert commits(desk.why("src/a.py:3")) == [wrote]


def test_a_file_of_ignored_revisions_that_is_missing_stops_nothing(desk: Desk) -> None:
    wrote = desk.repo.commit({"src/a.py": CODE}, when=day(2))
    desk.repo.git("config", "blame.ignoreRevsFile", "nowhere")

    assert commits(desk.why("src/a.py:3")) == [wrote]


def test_the_commit_at_which_a_shallow_clone_ends_is_not_blamed(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.repo.commit({"src/a.py": CODE}, when=day(2))
    desk.repo.commit({"src/b.py": CODE}, when=day(3))
    desk.repo.git("clone", "-q", "--depth=1", desk.repo.path.as_uri(), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")

    answer = desk.why("src/a.py:3")
    assert (answer.steps, answer.cut) == ([], True)
    (tmp_path / "clone/new.py").write_text(CODE)
    assert not desk.why("new.py").cut


# -- paths


def test_a_renamed_file_leads_to_the_session_that_wrote_it_under_its_old_name(desk: Desk) -> None:
    desk.wrote(ONE, day(2), "src/old.py")
    wrote = desk.repo.commit({"src/old.py": CODE}, when=day(2, "10:10:00"))
    (desk.repo.path / "lib").mkdir()
    desk.repo.git("mv", "src/old.py", "lib/new.py")
    desk.repo.git("commit", "-q", "-m", "move", when=day(5))
    desk.remember(memory("Old is new", anchor=Anchor(path="src/old.py")))
    answer = desk.why("lib/new.py:3")

    assert (commits(answer), sessions(answer)) == ([wrote], [(ONE, "sure")])
    assert answer.names == ("lib/new.py", "src/old.py")
    assert answer.hits[0].how == ("is about this file (then src/old.py)",)


def test_a_path_that_is_gone_is_answered_from_the_history(desk: Desk) -> None:
    desk.wrote(ONE, day(2), "src/old.py")
    wrote = desk.repo.commit({"src/old.py": CODE}, when=day(2, "10:10:00"))
    desk.repo.git("rm", "-q", "src/old.py")
    desk.repo.git("commit", "-q", "-m", "remove it", when=day(5))
    removed = desk.repo.git("rev-parse", "HEAD")
    answer = desk.why("src/old.py:3")

    assert answer.target.state == "gone"
    assert answer.target.gone is not None
    assert answer.target.gone.id == removed
    assert (commits(answer), sessions(answer)) == ([wrote], [(ONE, "sure")])


def test_of_a_path_that_was_renamed_away_the_new_name_is_told(desk: Desk) -> None:
    desk.repo.commit({"src/old.py": CODE}, when=day(2))
    desk.repo.git("mv", "src/old.py", "src/new.py")
    desk.repo.git("commit", "-q", "-m", "move", when=day(5))
    desk.remember(memory("New is old", anchor=Anchor(path="src/new.py")))
    answer = desk.why("src/old.py")

    assert answer.now == "src/new.py"
    assert found(answer) == [("New is old", "likely")]


def test_a_path_of_another_branch_is_found_there(desk: Desk) -> None:
    desk.repo.git("checkout", "-q", "-b", "side")
    wrote = desk.repo.commit({"src/b.py": CODE}, when=day(2))
    desk.repo.git("checkout", "-q", "main")
    answer = desk.why("src/b.py:2")

    assert (answer.target.state, answer.target.gone, commits(answer)) == ("gone", None, [wrote])


def test_a_file_that_lines_came_from_is_another_file(desk: Desk) -> None:
    text = "".join(
        f"def compute_the_price_of_part_{n}(cart):\n    return cart[{n}] * 1000\n" for n in range(9)
    )
    first = desk.repo.commit({"src/a.py": text, "src/b.py": "b = 1\n"}, when=day(2))
    moved = desk.repo.commit({"src/a.py": "a = 1\n", "src/b.py": f"b = 1\n{text}"}, when=day(3))
    desk.remember(
        memory("Of the first", anchor=Anchor(path="src/a.py")),
        memory("Gone", anchor=Anchor(path="src/gone.py")),
    )
    answer = desk.why("src/b.py:2-9")

    assert commits(answer) == [first, moved]
    assert (answer.names, found(answer)) == (("src/b.py",), [])


def test_a_copy_of_a_file_is_another_file(desk: Desk) -> None:
    desk.repo.commit({"src/a.py": CODE}, when=day(2))
    made = desk.repo.commit({"src/b.py": CODE}, when=day(3))
    desk.remember(memory("Of the first", anchor=Anchor(path="src/a.py")))
    answer = desk.why("src/b.py")

    assert (answer.names, found(answer)) == (("src/b.py",), [])
    assert commits(answer) == [made]


@pytest.mark.parametrize(
    "path",
    [
        "src/größte datei.py",
        'src/"quoted"\ttab.py',
        "src/[a]*.py",
        "src/:(top)x.py",
        "日本/コード.py",
    ],
)
def test_any_path_is_taken_as_it_is(path: str, desk: Desk) -> None:
    desk.wrote(ONE, day(2), path)
    wrote = desk.repo.commit(
        {path.replace("src/", "src/x"): CODE[:9]}, when=day(1)
    ) and desk.repo.commit({f"./{path}": CODE}, when=day(2, "10:10:00"))
    answer = desk.why(f"{path}:3")

    assert (commits(answer), sessions(answer)) == ([wrote], [(ONE, "sure")])
    assert answer.target.path == path


def test_a_path_is_meant_from_the_folder_one_stands_in(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrote = desk.repo.commit({"src/deep/a.py": CODE}, when=day(2))
    monkeypatch.chdir(desk.repo.path / "src" / "deep")

    assert commits(desk.why("a.py:3")) == commits(desk.why("../deep/a.py:3")) == [wrote]
    assert commits(desk.why(str(desk.repo.path / "src/deep/a.py"))) == [wrote]


def test_a_path_can_have_the_slashes_of_windows(desk: Desk) -> None:
    wrote = desk.repo.commit({"src/deep/a.py": CODE}, when=day(2))

    assert commits(desk.why("src\\deep\\a.py:3")) == [wrote]


def test_a_file_whose_name_ends_like_lines_is_found(desk: Desk) -> None:
    wrote = desk.repo.commit({"notes:3": CODE}, when=day(2))

    assert commits(desk.why("notes:3")) == commits(desk.why("notes:3:2")) == [wrote]


def test_a_session_of_a_linked_worktree_is_found_from_there_and_from_the_main_one(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.place = tmp_path / "linked"
    desk.repo.git("worktree", "add", "-q", "-b", "side", str(desk.place))
    desk.wrote(ONE, day(2), "src/a.py")
    wrote = Repo(desk.place).commit({"src/a.py": CODE}, when=day(2, "10:10:00"))
    desk.repo.git("merge", "-q", "--ff-only", "side")
    here = desk.why("src/a.py:3")
    monkeypatch.chdir(desk.place / "src")

    assert (commits(here), sessions(here)) == ([wrote], [(ONE, "sure")])
    assert sessions(desk.why("a.py:3")) == [(ONE, "sure")]


def test_a_session_of_a_worktree_below_ours_that_is_gone_is_found_by_the_end_of_its_paths(
    desk: Desk,
) -> None:
    desk.wrote(ONE, day(2), ".worktrees/fix/src/a.py")
    desk.repo.commit({"src/a.py": CODE}, when=day(2, "10:10:00"))

    assert sessions(desk.why("src/a.py:3")) == [(ONE, "sure")]


def test_a_folder_leads_to_what_is_below_it(desk: Desk) -> None:
    desk.wrote(ONE, day(2), "src/a.py")
    first = desk.repo.commit({"src/a.py": CODE}, when=day(2, "10:10:00"))
    second = desk.repo.commit({"src/b.py": CODE}, when=day(3))
    desk.repo.commit({"other.py": CODE}, when=day(4))
    desk.remember(
        memory("It is so", anchor=Anchor(path="src/a.py")),
        memory("Not this", anchor=Anchor(path="other.py")),
    )
    answer = desk.why("src/")

    assert (commits(answer), sessions(answer)) == ([second, first], [(ONE, "sure")])
    assert found(answer) == [("It is so", "likely")]
    assert {"It is so", "Not this"} == {title for title, _ in found(desk.why("."))}


# -- memories


def test_a_memory_about_the_lines_comes_before_one_about_the_file_and_one_that_mentions_it(
    desk: Desk,
) -> None:
    desk.repo.commit({"src/a.py": CODE}, when=day(2))
    blob = desk.repo.git("rev-parse", "HEAD:src/a.py")
    desk.repo.commit({"src/a.py": "new\n" * 5 + CODE}, when=day(3))
    desk.remember(
        memory("Other lines", anchor=Anchor(path="src/a.py", lines=(10, 12), blob=blob)),
        memory("The file", anchor=Anchor(path="src/a.py")),
        memory("These lines", anchor=Anchor(path="src/a.py", lines=(3, 4), blob=blob)),
        memory("A mention", body="As in src/a.py, it is so."),
        memory("Something else", body="As in src/a.pyx, it is not."),
    )
    answer = desk.why("src/a.py:8")

    assert found(answer) == [
        ("These lines", "sure"),
        ("The file", "likely"),
        ("A mention", "likely"),
        ("Other lines", "possible"),
    ]


def test_a_memory_of_the_session_that_wrote_the_line_is_behind_it(desk: Desk) -> None:
    desk.wrote(ONE, day(2), "src/a.py")
    desk.repo.commit({"src/a.py": CODE}, when=day(2, "10:10:00"))
    source = Source(agent="claude", session=ONE, records=((1, 1),))
    desk.remember(
        memory("Of it, about it", source=source, anchor=Anchor(path="src/a.py")),
        memory("Of it", source=source),
    )

    assert [title for title, _ in found(desk.why("src/a.py:3"))] == ["Of it, about it", "Of it"]


def test_archived_memories_are_shown_when_asked_for(desk: Desk) -> None:
    desk.repo.commit({"src/a.py": CODE}, when=day(2))
    desk.remember(memory("It was so", anchor=Anchor(path="src/a.py"), status=Status.SUPERSEDED))

    assert found(desk.why("src/a.py")) == []
    assert found(desk.why("src/a.py", everything=True)) == [("It was so", "likely")]


def test_a_memory_about_a_path_that_never_was_in_git_is_an_answer(desk: Desk) -> None:
    desk.remember(memory("It is so", anchor=Anchor(path="gen/a.py")))

    assert found(desk.why("gen/a.py")) == [("It is so", "likely")]


def test_a_colleagues_session_is_named_by_the_memory_that_it_left(desk: Desk) -> None:
    before = desk.repo.git("rev-parse", "HEAD")
    desk.repo.commit({"src/a.py": CODE}, when=day(2))
    source = Source(agent="codex", session="far-away", records=((1, 1),), commit=before)
    desk.remember(memory("It is so", anchor=Anchor(path="src/a.py"), source=source))
    answer = desk.why("src/a.py:3")

    assert sessions(answer) == [("far-away", "likely")]
    assert answer.sessions == {}


# -- the past, other repositories, errors


def test_the_code_is_read_as_it_was(desk: Desk) -> None:
    first = desk.repo.commit({"src/a.py": CODE}, when=day(2))
    desk.repo.commit({"src/a.py": CODE.replace("line 3", "other")}, when=day(5))

    assert commits(desk.why("src/a.py:3", at=first)) == [first]
    assert commits(desk.why("src/a.py:3", at="2026-02-03")) == [first]
    assert commits(desk.why("src/a.py:3")) != [first]


def test_a_bare_repository_is_read_at_its_head(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrote = desk.repo.commit({"src/a.py": CODE}, when=day(2))
    desk.repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    monkeypatch.chdir(tmp_path / "bare.git")

    assert commits(why(open_workspace(), "src/a.py:3")) == [wrote]


def test_a_repository_of_another_make_is_answered_without_memories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repos.unborn(tmp_path / "sha256", "--object-format=sha256")
    wrote = made.commit({"a.py": CODE})
    monkeypatch.chdir(made.path)

    assert commits(why(open_workspace(), "a.py:3")) == [wrote]


def test_before_the_first_commit_nothing_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repos.unborn(tmp_path / "new")
    (made.path / "a.py").write_text(CODE)
    monkeypatch.chdir(made.path)

    assert why(open_workspace(), "a.py:3").steps[0][1] == []
    with pytest.raises(UsageError, match="no such path in this repository's history"):
        why(open_workspace(), "b.py")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the path is empty"),
        ("nowhere.py", "no such path in this repository's history: 'nowhere.py'"),
        ("hello.py:2", "hello.py has no line 2"),
        ("hello.py:2-9", "hello.py has no lines 2-9"),
        ("hello.py:0", "'hello.py:0' has no valid line numbers"),
        ("hello.py:9-2", "'hello.py:9-2' has no valid line numbers"),
        ("../else.py", "'../else.py' is outside this repository"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence(text: str, said: str, desk: Desk) -> None:
    with pytest.raises(UsageError) as told:
        desk.why(text)
    assert str(told.value) == said
    assert told.value.hint


def test_outside_a_repository_there_is_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotARepository):
        open_workspace()


def test_the_answer_is_there_as_json(desk: Desk) -> None:
    desk.wrote(ONE, day(2), "src/a.py")
    wrote = desk.repo.commit({"src/a.py": CODE}, "add a", when=day(2, "10:10:00"))
    desk.remember(memory("It is so", anchor=Anchor(path="src/a.py")))
    told = as_json(open_workspace(), desk.why("src/a.py:3-4"), 5)

    assert {
        "path": "src/a.py",
        "lines": [3, 4],
        "state": "present",
        "commit": None,
    }.items() <= told.items()
    (commit,), (hit,) = told["commits"], told["memories"]
    assert {
        "id": wrote,
        "subject": "add a",
        "author": "Ada Tester",
        "lines": [[3, 4]],
        "moved": False,
    }.items() <= commit.items()
    assert {"agent": "claude", "session": ONE, "local": True, "sure": "sure"}.items() <= commit[
        "sessions"
    ][0].items()
    assert {
        "title": "It is so",
        "sure": "likely",
        "found": ["is about this file"],
    }.items() <= hit.items()


def test_asking_makes_nothing(desk: Desk) -> None:
    there = set(desk.repo.path.rglob("*"))
    why(open_workspace(), "hello.py:1")

    assert set(desk.repo.path.rglob("*")) == there
