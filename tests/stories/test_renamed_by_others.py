"""Others who rename the file of a memory of the user's, or change more than its words."""

import json
import re

import pytest
from support.inside import lerim
from support.prepared import Prepared
from support.repos import Repo
from support.stores import store_at
from support.team import REF, deleted, path_of, remember, rewrite, shared

MINE = "Fixtures hold local times since the zone is odd"
NOT_MINE = "the user did not state them"


@pytest.fixture
def path(ann: Repo, bob: Repo, prepared: Prepared) -> str:
    """Return the path of a preference that Ann has shared and Bob has pulled."""

    def share() -> None:
        assert lerim(ann.path, "remember", "--kind", "preference", f"{MINE}.").code == 0
        shared(ann)
        lerim(bob.path, "pull")

    prepared(share)
    return path_of(ann, "fixtures-hold")


def renamed(path: str) -> str:
    return f"{path.rpartition('/')[0].replace('2026-', '2020-')}/20200101-x-{path[-16:]}"


@pytest.mark.parametrize("trust", ["remote", "reviewed"])
@pytest.mark.parametrize("newcomer", ["", "qqq2345672abc"])
def test_a_renamed_file_of_the_user_stays_the_users(
    newcomer: str, trust: str, path: str, ann: Repo, bob: Repo
) -> None:
    text = bob.git("show", f"{REF}:{path}") + "\n"
    other = [(path, text.replace(path[-16:-3], newcomer))] if newcomer else []
    deleted(bob, [path], (renamed(path), text), *other)
    bob.git("push", "-q", "origin", REF)
    ann.git("config", "lerim.trust", trust)
    pulled = lerim(ann.path, "pull")

    assert MINE in lerim(ann.path, "brief").out
    assert NOT_MINE not in lerim(ann.path, "brief").out
    assert newcomer or "waits" not in pulled.out + lerim(ann.path, "status").out
    shown = lerim(ann.path, "show", path[-16:-3]).out
    assert "shared  by" not in shown
    assert "committed by Ada Tester" in shown


def test_words_restored_after_a_renaming_are_the_users_again(
    path: str, ann: Repo, bob: Repo
) -> None:
    text = bob.git("show", f"{REF}:{path}").replace("local", "Zulu") + "\n"
    commit = deleted(bob, [path], (renamed(path), text))
    bob.git("push", "-q", "origin", REF)
    lerim(ann.path, "pull")
    assert "Zulu" in lerim(ann.path, "brief").out
    assert NOT_MINE in lerim(ann.path, "brief").out

    assert lerim(ann.path, "undo", commit).code == 0
    assert MINE in lerim(ann.path, "brief").out
    assert NOT_MINE not in lerim(ann.path, "brief").out


def test_whoever_changes_a_number_of_a_memory_has_not_written_it(
    path: str, ann: Repo, bob: Repo
) -> None:
    rewrite(bob, path, "confidence: 0.90", "confidence: 0.01")
    shared(bob)
    lerim(ann.path, "pull")

    assert MINE in lerim(ann.path, "brief").out
    assert NOT_MINE not in lerim(ann.path, "brief").out


def test_a_pull_says_that_a_memory_is_no_longer_protected(path: str, ann: Repo, bob: Repo) -> None:
    lerim(ann.path, "protect", path[-16:-3])
    shared(ann)
    lerim(bob.path, "pull")
    rewrite(bob, path, "protected: true", "protected: false")
    shared(bob)

    assert "(no longer protected)" in lerim(ann.path, "pull").out


@pytest.mark.parametrize("name", ["Ada", "the user", "Bob <bob@example.org>"])
def test_nobody_is_named_who_may_not_have_edited_a_memory(name: str, ann: Repo, bob: Repo) -> None:
    remember(bob, "Charts are blue.")
    edit = f'edited: {{by: "{name}", at: "2026-11-22T10:00:00Z"}}'
    rewrite(bob, path_of(bob, "charts"), "edited: null", edit)
    shared(bob)
    lerim(ann.path, "pull")
    id_ = path_of(ann, "charts")[-16:-3]

    assert "edited  by somebody" in lerim(ann.path, "show", id_).out
    assert json.loads(lerim(ann.path, "show", id_, "--json").out)[0]["edited"]["by"] == "somebody"


def test_no_number_or_time_of_others_exceeds_what_git_lerim_gives(ann: Repo, bob: Repo) -> None:
    remember(bob, "Charts are blue.")
    path = path_of(bob, "charts")
    rewrite(bob, path, "confidence: 0.90", "confidence: 1.00")
    created = next(
        line for line in bob.git("show", f"{REF}:{path}").split("\n") if line.startswith("created")
    )
    rewrite(bob, path, created, 'created: "2050-01-01T00:00:00Z"')
    shared(bob)
    lerim(ann.path, "pull")

    for words in (["list", "--json"], ["show", path[-16:-3], "--json"]):
        [row] = json.loads(lerim(ann.path, *words).out)
        assert row["confidence"] == 0.9
        assert row["created"] < "2050"


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("created", '"2020-01-01T00:00:00Z"'),
        ("anchors", '[{path: "evil.py"}]'),
        ("supersedes", '["aaaaaaaaaaaaa"]'),
        ("merged_from", '["aaaaaaaaaaaaa"]'),
    ],
)
def test_whoever_changes_only_a_detail_of_ones_memory_changes_nothing_that_is_shown(
    name: str, new: str, ann: Repo, bob: Repo
) -> None:
    lerim(ann.path, "remember", "--kind", "preference", MINE)
    shared(ann)
    lerim(bob.path, "pull")
    path = path_of(bob, "fixtures")
    shown = [
        ("list", "--json"),
        ("brief",),
        ("show", path[-16:-3]),
        ("show", path[-16:-3], "--json"),
    ]

    def said() -> list[str]:
        return [re.sub("lerim-memory-[0-9a-f]+", "", lerim(ann.path, *verb).out) for verb in shown]

    before = said()
    text = bob.git("show", f"{REF}:{path}")
    old = next(line for line in text.split("\n") if line.startswith(f"{name}: "))
    rewrite(bob, path, old, f"{name}: {new}")
    shared(bob)
    lerim(ann.path, "pull")

    assert said() == before
    lerim(ann.path, "protect", path[-16:-3])
    assert NOT_MINE not in lerim(ann.path, "brief").out
    [row] = json.loads(lerim(ann.path, "show", path[-16:-3], "--json").out)
    assert (row["author"], row[name]) == (
        json.loads(before[3])[0]["author"],
        json.loads(before[3])[0][name],
    )


def test_ones_edit_of_a_memory_whose_files_others_changed_is_ones_own(
    path: str, ann: Repo, bob: Repo
) -> None:
    rewrite(bob, path, "anchors: []", 'anchors: [{path: "evil.py"}]')
    shared(bob)
    lerim(ann.path, "pull")
    new = f"{MINE}, says the manual."
    assert lerim(ann.path, "edit", path[-16:-3], "--body", new).code == 0

    told = lerim(ann.path, "brief").out
    assert "says the manual" in told
    assert NOT_MINE not in told
    assert "evil.py" not in ann.git("show", f"{REF}:{path}")


def test_a_colleagues_date_does_not_decide_which_of_ones_memories_is_in_force(
    ann: Repo, bob: Repo
) -> None:
    for text in ("Always use 2 spaces of indent in the parser.", "Charts are blue."):
        lerim(ann.path, "remember", "--kind", "preference", text)
    shared(ann)
    lerim(bob.path, "pull")
    path = path_of(bob, "spaces")
    text = bob.git("show", f"{REF}:{path}")
    old = next(line for line in text.split("\n") if line.startswith("created: "))
    rewrite(bob, path, old, 'created: "2020-01-01T00:00:00Z"')
    shared(bob)
    lerim(ann.path, "pull")
    store = store_at(ann.path)

    believed = store.believed(store.snapshot()).memories[path[-16:-3]].memory
    assert believed.created.year > 2020


def test_what_has_a_reason_to_be_suspect_is_withheld_everywhere(ann: Repo, bob: Repo) -> None:
    remember(bob, "Charts are blue.")
    path = path_of(bob, "charts")
    rewrite(bob, path, "suspect: null", 'suspect: "orders something"')
    shared(bob)
    lerim(ann.path, "pull")

    for words in (["brief"], ["search", "charts"], ["list"]):
        assert "Charts are blue" not in lerim(ann.path, *words).out
    assert "suspect: agents do not see the text" in lerim(ann.path, "show", path[-16:-3]).out


def test_lint_names_who_shared_what_contradicts(ann: Repo, bob: Repo) -> None:
    wish = "Always use {} spaces of indent in the files of the parser."
    for repo, count in ((bob, 2), (ann, 4)):
        text = wish.format(count)
        assert lerim(repo.path, "remember", "--kind", "preference", text).code == 0
    path = path_of(ann, "spaces")
    text = ann.git("show", f"{REF}:{path}")
    created = next(line for line in text.split("\n") if line.startswith("created"))
    rewrite(ann, path, created, 'created: "2026-01-01T10:00:00Z"')
    shared(ann)
    lerim(bob.path, "pull")

    assert ": from Mallory: Always use 4 spaces" in lerim(bob.path, "lint").out
