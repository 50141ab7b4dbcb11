"""A person who changes their mind finds the new choice in memory, and the old one superseded."""

from collections.abc import Sequence
from typing import TypeAlias

import pytest
from support.claude import Recording
from support.repos import Repo
from support.world import World

Said: TypeAlias = str | tuple[str, str]  # a prompt, or a question and its answer

ORDERS = ("Which database should the orders service use?", "Postgres")


def hold(world: World, repo: Repo, day: int, said: Sequence[Said]) -> None:
    """Let a person say these things in one session, and the agent change a file after each."""
    talk = Recording(world.home, str(repo.path), id=f"5b0c1a2f-0000-4000-8000-0000000000{day}")
    for words in said:
        at = {"timestamp": f"2026-02-{day}T09:{talk.lines:02}:00.000Z"}
        if isinstance(words, str):
            talk.prompt(words, **at)
        else:
            _ask(talk, *words, at)
        name = str(repo.path / "src/a.py")
        edit = {"file_path": name, "old_string": "a", "new_string": "b"}
        tool = {"type": "tool_use", "id": f"t{talk.lines}", "name": "Edit", "input": edit}
        talk.add("assistant", [tool], **at)
        result = {"type": "tool_result", "tool_use_id": tool["id"], "content": "updated"}
        talk.add("user", [result], toolUseResult={"filePath": name}, **at)
        talk.reply("Done.", **at)


def _ask(talk: Recording, question: str, answer: str, at: dict[str, str]) -> None:
    options = [{"label": answer, "description": ""}, {"label": "Something else", "description": ""}]
    asked = [{"question": question, "header": "It", "options": options, "multiSelect": False}]
    tool = {"type": "tool_use", "id": f"t{talk.lines}", "name": "AskUserQuestion"}
    talk.prompt("Set it up.", **at)
    talk.add("assistant", [tool | {"input": {"questions": asked}}], **at)
    told = f'Your questions have been answered: "{question}"="{answer}".'
    result = {"type": "tool_result", "tool_use_id": tool["id"], "content": told}
    answers = {"questions": asked, "answers": {question: answer}}
    talk.add("user", [result], toolUseResult=answers, **at)


def kept(world: World, repo: Repo) -> dict[str, str]:
    ran = world.lerim(repo.path, "sync", "--window", "all")
    assert ran.code == 0, ran.err
    rows = world.lerim(repo.path, "list", "--all", "--json").json
    return {row["title"]: row["status"] for row in rows}


@pytest.mark.parametrize(
    "opening", ["I changed my mind: ", "On second thought, ", "Sorry, ", "Hmm, ", "Hmm no, "]
)
def test_a_choice_is_kept_whatever_opens_it(world: World, repo: Repo, opening: str) -> None:
    choice = "go back to SQLite instead of Postgres for the orders, because customers run no server"
    hold(world, repo, 11, [f"{opening}{choice}."])

    assert kept(world, repo) == {f"G{choice[1:]}": "active"}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (ORDERS, "Use SQLite instead of Postgres for the orders service, because it is one file."),
        (
            ORDERS,
            ("I changed my mind: let's go back to SQLite instead of Postgres for the orders, "
            "because the on-prem customers can't run a database server"),
        ),
        (
            "Always use Bun as the runtime because it's fast.",
            "Go back to Node rather than Bun, because Bun crashes in CI.",
        ),
        (
            "Let's use Redis for the cache because it's fast.",
            "Forget Redis, we take the in-process cache; Redis is one more thing to run",
        ),
    ],
)  # fmt: skip
def test_a_later_choice_supersedes_the_earlier_one(
    world: World, repo: Repo, first: Said, then: str
) -> None:
    hold(world, repo, 11, [first])
    (old,) = kept(world, repo)
    hold(world, repo, 12, [then])
    both = kept(world, repo)

    assert both.pop(old) == "superseded"
    assert [*both.values()] == ["active"]


def test_the_order_of_syncing_does_not_matter(world: World, repo: Repo) -> None:
    later = "Use SQLite instead of Postgres for the orders service, because it is one file."
    hold(world, repo, 12, [later])
    assert kept(world, repo) == {later.rstrip("."): "active"}
    hold(world, repo, 11, [ORDERS])

    assert kept(world, repo)["The orders service should use Postgres"] == "superseded"


def test_what_only_mentions_the_old_choice_stays(world: World, repo: Repo) -> None:
    others = [
        "Use Postgres for analytics, because the reports need window functions.",
        "Always back up Postgres before a migration.",
        "Never use Postgres for sessions.",
    ]
    hold(world, repo, 11, others)
    before = kept(world, repo)
    hold(world, repo, 12, ["Use SQLite instead of Postgres for the orders, because it is small."])

    assert len(before) == len(others)
    assert {*kept(world, repo).values()} == {"active"}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Never touch src/pay, nobody knows it", "ok you can edit src/pay again, we have tests"),
        ("Always ask before migrations", "you don't need to ask for migrations anymore"),
        (
            "All colors go into tailwind.config.js, no hex values",
            "we dropped tailwind, colors are in theme.css",
        ),
        (
            "We only support node 18, dont use anything newer",
            "we're on node 22 now, forget about 18",
        ),
        ("Put the api behind /api/v1 because mobile lags", "remove the /api/v1 prefix again"),
        ("Always use yarn in this repo", "don't use yarn anymore. From now on use pnpm."),
        ("Mails bitte immer auf Deutsch", "Mails doch lieber auf Englisch"),
        ("Utilise toujours axios pour les appels", "finalement on vire axios, fetch suffit"),
    ],
)
def test_what_a_later_session_gives_up_is_superseded(
    world: World, repo: Repo, first: str, then: str
) -> None:
    hold(world, repo, 11, [first])
    (old,) = kept(world, repo)
    hold(world, repo, 12, [then])
    both = kept(world, repo)

    assert both.pop(old) == "superseded"
    assert {*both.values()} == {"active"}


@pytest.mark.parametrize(
    "then",
    [
        "you can run src/order again, the fixture is back",
        "Remove the src/pay/tmp file again",
        "Can I edit src/pay again?",
        "For this PR you can edit src/pay again",
        "Bob says we can edit src/pay again",
        "After the trial the user can edit src/pay again",
    ],
)
def test_what_is_about_something_else_leaves_the_wish(world: World, repo: Repo, then: str) -> None:
    wish = "Never touch src/pay, nobody knows it"
    hold(world, repo, 11, [wish])
    hold(world, repo, 12, [then])
    both = kept(world, repo)

    assert both.pop(wish) == "active"
    assert "active" not in both.values()


def test_what_is_taken_back_but_not_named_for_sure_stays_beside_it(
    world: World, repo: Repo
) -> None:
    wishes = ["Always ask Bob before migrations", "Never name migrations by date"]
    hold(world, repo, 11, wishes)
    hold(world, repo, 12, ["Forget what I said about migrations."])

    assert kept(world, repo) == {
        **dict.fromkeys(wishes, "active"),
        "Forget what I said about migrations": "active",
    }


def test_what_is_allowed_again_is_no_longer_forbidden(world: World, repo: Repo) -> None:
    hold(world, repo, 11, ["Never use default exports", "Always use default branches"])
    hold(world, repo, 12, ["Default exports are fine again, drop that rule"])

    assert kept(world, repo) == {
        "Never use default exports": "superseded",
        "Always use default branches": "active",
        "Default exports are fine again, drop that rule": "superseded",
    }


TREES = "Use worktrees for parallel tasks"
FULL = "I can't find anything with six worktrees around and the disk is full"
CHECKOUT = "Plain checkout, one task after the other"


def test_words_that_only_hint_at_a_change_end_the_wish_on_their_subject(
    world: World, repo: Repo
) -> None:
    hold(world, repo, 11, [f"{TREES}, always."])
    hold(world, repo, 12, [f"{FULL}. {CHECKOUT}."])
    now = {f"{TREES}, always": "superseded", CHECKOUT: "active"}

    assert kept(world, repo) == now
    assert kept(world, repo) == now
    assert world.lerim(repo.path, "sync", "--window", "all", "--force").code == 0
    assert kept(world, repo) == now


def test_words_that_only_hint_at_a_change_leave_nothing_where_they_end_nothing(
    world: World, repo: Repo
) -> None:
    hold(world, repo, 11, ["Indent with tabs in this repository, always."])
    hold(world, repo, 12, [f"{FULL}. {CHECKOUT}."])

    ran = world.lerim(repo.path, "sync", "--window", "all", "--dry-run", "-v")
    assert "it would only count" not in ran.out + ran.err  # nobody asks about other subjects
    assert kept(world, repo) == {"Indent with tabs in this repository, always": "active"}


def test_why_a_hint_was_dropped_is_told_beside_a_wish_on_its_subject(
    world: World, repo: Repo
) -> None:
    named = "Never name a checkout after a person"
    hold(world, repo, 11, [f"{named}."])
    assert kept(world, repo) == {named: "active"}
    hold(world, repo, 12, [f"{FULL}. {CHECKOUT}."])

    ran = world.lerim(repo.path, "sync", "--window", "all", "--dry-run", "-v")
    assert "it would only count if it ended an earlier wish" in ran.out + ran.err
    assert kept(world, repo) == {named: "active"}


def test_what_is_given_up_in_other_words_than_it_was_wanted_is_found_by_the_words(
    world: World, repo: Repo
) -> None:
    wish = "Always show me the diff before you apply anything"
    change = "You don't need to show me diffs first anymore, I trust you with that by now"
    hold(world, repo, 11, [f"{wish}."])
    hold(world, repo, 12, [f"{change}. Go ahead and fix the avatar cropping."])

    assert kept(world, repo) == {wish: "superseded", change: "active"}


@pytest.mark.parametrize("earlier", [TREES, "Indent with tabs in this repository"])
def test_a_wish_tells_what_is_said_around_it_where_that_ends_an_earlier_one(
    world: World, repo: Repo, earlier: str
) -> None:
    wish, is_ended = "From now on plain checkout, please", earlier == TREES
    hold(world, repo, 11, [f"{earlier}, always."])
    hold(world, repo, 12, [f"{FULL}. {wish}."])

    assert kept(world, repo) == {
        f"{earlier}, always": "superseded" if is_ended else "active",
        wish: "active",
    }
    shown = world.lerim(repo.path, "show", "--json", _id(world, repo, wish)).json[0]
    assert (FULL in shown["body"]) is is_ended


def _id(world: World, repo: Repo, title: str) -> str:
    rows = world.lerim(repo.path, "list", "--all", "--json").json
    return next(row["id"] for row in rows if row["title"] == title)


EVENTS = ("Where should the events be stored?", "SQLite")


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (EVENTS, "we use postgres now instead of sqlite, because ops wants two instances"),
        (EVENTS, "lets switch from sqlite to postgres, ops runs two instances"),
        (EVENTS, "Use Postgres instead of SQLite"),
        (
            "Use SQLite for the orders, because it needs no server",
            "Use Postgres instead of SQLite for the orders",
        ),
        ("From now on use Postgres for the orders", "Use SQLite, not Postgres for the orders"),
    ],
)
def test_another_choice_supersedes_an_answer_also_in_a_session_of_talk_alone(
    world: World, repo: Repo, first: Said, then: str
) -> None:
    hold(world, repo, 11, [first])
    talk = Recording(world.home, str(repo.path), id="5b0c1a2f-0000-4000-8000-000000000012")
    talk.prompt(then, timestamp="2026-02-12T09:00:00.000Z")
    talk.reply("Understood.", timestamp="2026-02-12T09:01:00.000Z")

    assert kept(world, repo).pop(then[:1].upper() + then[1:]) == "active"
    assert sorted(kept(world, repo).values()) == ["active", "superseded"]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (
            "Use SQLite for the events, because it needs no server",
            "We use postgres now instead of sqlite, because ops wants two instances",
        ),
        ("Never use print, use logging", "Print is ok again in scripts/"),
        ("Always ask before adding a dependency", "You don't have to ask for dev packages anymore"),
    ],
)
def test_what_may_limit_an_earlier_wish_is_in_use_beside_it(
    world: World, repo: Repo, first: Said, then: str
) -> None:
    hold(world, repo, 11, [first])
    hold(world, repo, 12, [then])

    assert [*kept(world, repo).values()] == ["active", "active"]


def test_sync_names_what_it_leaves_because_a_person_edited_it(world: World, repo: Repo) -> None:
    hold(world, repo, 11, ["from now on always run the whole make test before you commit pls"])
    assert len(kept(world, repo)) == 1
    (old,) = world.lerim(repo.path, "list", "--json").json
    title = "Run the whole make test before each commit"
    assert world.lerim(repo.path, "edit", old["id"], "--title", title).code == 0
    less = "you dont need to run the whole make test before a commit anymore, ci does the rest"
    hold(world, repo, 12, [less])

    said = world.lerim(repo.path, "sync", "--window", "all").out

    rows = world.lerim(repo.path, "list", "--json").json
    (new,) = (row["id"] for row in rows if row["id"] != old["id"])
    assert (
        f"  = {old['id']}  {title}\n    {new} says otherwise later, but a person wrote or changed"
        f" this one; to archive it: git lerim forget {old['id']}\n"
    ) in said
    assert "says otherwise" not in world.lerim(repo.path, "sync", "--window", "all", "--force").out


def test_what_was_said_is_forgotten_whatever_reason_it_had(world: World, repo: Repo) -> None:
    hold(world, repo, 11, ["stdlib only pls, i dont want to carry flask around for 3 routes"])
    hold(world, repo, 12, ["Forget what I said about the stdlib. Use starlette instead."])

    assert kept(world, repo).pop("Use starlette") == "active"
    assert sorted(kept(world, repo).values()) == ["active", "superseded", "superseded"]


def test_sync_says_why_a_change_that_ends_nothing_is_not_in_use(world: World, repo: Repo) -> None:
    talk = Recording(world.home, str(repo.path))
    talk.prompt("Retry the shipping calls three times instead of five.").reply("All right.")

    said = world.lerim(repo.path, "sync", "--window", "all").out

    assert "five  (superseded)\n" in said
    assert "it would only count if it ended an earlier wish; git lerim restore brings" in said
