"""Each action of maintain in every kind of repository; each is taken back, and waits for review."""

from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from support.inside import lerim
from support.memories import NOW, from_session
from support.repos import Repo, normal
from support.stores import put, stored

from git_lerim.memories import naming
from git_lerim.memories.format import frontmatter
from git_lerim.memories.memory import Anchor, Kind, Memory, Origin, Primitive, Status

LONG_AGO = f"{NOW - timedelta(days=200):%Y-%m-%dT12:00:00Z}"
CHANGED = f"{NOW - timedelta(days=120):%Y-%m-%dT12:00:00Z}"
ALL = {"merge": 1, "supersede": 1, "archive": 3, "decay": 1, "anchor": 1}
USED = "The printer needs paper"


def decision(name: str, title: str, days: float, **changes: Any) -> Memory:
    given = {"title": title, "origin": Origin.RULES, "confidence": 0.5}
    return from_session(name, days, **(given | changes))


def fact(name: str, title: str, days: float, **changes: Any) -> Memory:
    return decision(name, title, days, primitive=Primitive.LEARNING, kind=Kind.FACT, **changes)


def code(repo: Repo) -> tuple[Anchor, Anchor]:
    """Commit code, and change it; return an anchor at a changed line, and one without lines."""
    head = repo.commit({"limits.py": "TRAYS = 5\nPAGES = 10\n"}, when=LONG_AGO)
    blob = repo.git("rev-parse", "HEAD:limits.py")
    repo.commit({"limits.py": "SHELVES = 7\nPAGES = 10\n"}, when=CHANGED)
    return (
        Anchor(path="limits.py", lines=(1, 1), blob=blob, commit=head),
        Anchor(path="limits.py", blob=blob, commit=head),
    )


def due(repo: Repo) -> list[tuple[float, list[Memory]]]:
    """Return memories on which each action is due, by how long the store has had them."""
    lines, mention = code(repo)
    twice = {"body": "The session catalog lies in SQLite: two writers lost rows of JSON files."}
    return [
        (190, [decision("s", "The limit `TRAYS` is 5", 195, anchors=(lines,))]),
        (
            165,
            [
                fact("f", "The linter needs ten seconds", 170),
                fact("u", USED, 170),
            ],
        ),
        (70, [decision("o", "Keep logs for a week", 90, status=Status.SUPERSEDED)]),
        (
            0,
            [
                decision("a", "Keep the session catalog in SQLite", 20, **twice),
                decision("b", "Always keep the session catalog in SQLite", 10, **twice),
                decision("r", "Use Redis for the job queue", 30, sources=()),
                decision("q", "Use RabbitMQ for the job queue", 3),
                decision("m", "The limit PAGES is 10", 9, anchors=(mention,)),
            ],
        ),
    ]


def fill(repo: Repo) -> None:
    for days, memories in due(repo):
        put(repo, *memories, days=days)


def use(repo: Repo) -> None:
    """Show a memory, so that its use is to be recorded."""
    (id_,) = (row["id"] for row in lerim(repo.path, "list", "--json").json if row["title"] == USED)
    lerim(repo.path, "show", id_)


def maintained(repo: Repo, *words: str) -> tuple[dict[str, int], str]:
    """Maintain; return how many memories each action took away or changed, and the run."""
    done = lerim(repo.path, "maintain", "--json", *words).json
    count: Counter[str] = Counter()
    for each in done["actions"]:
        count[each["action"]] += len(each["archived"]) if each["action"] == "archive" else 1
    return dict(count), done["run_id"]


def status_of(repo: Repo) -> dict[str, tuple[Any, ...]]:
    return {
        id_: (each.status, each.anchors, each.merged_from, each.supersedes)
        for id_, each in stored(repo).items()
    }


def listed(repo: Repo) -> list[tuple[Any, ...]]:
    """Return the same of a memory in the work tree."""
    kept = ("id", "status", "anchors", "merged_from", "supersedes")
    rows = lerim(repo.path, "list", "--all", "--json").json
    return sorted(tuple(str(row[name]) for name in kept) for row in rows)


@pytest.fixture(params=["sha1", "sha256"])
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Repo:
    """Return a repository of either format, with a memory in which each action is due."""
    repo = normal(tmp_path / "full", f"--object-format={request.param}")
    fill(repo)
    use(repo)
    return repo


def test_undo_takes_every_action_back(full: Repo) -> None:
    before = status_of(full)
    count, run = maintained(full)

    assert count == ALL
    assert lerim(full.path, "undo", run).code == 0

    assert status_of(full) == before


def test_git_revert_takes_every_action_back(full: Repo, tmp_path: Path) -> None:
    before, tree = full.git("rev-parse", "lerim/memory"), "lerim/memory^{tree}"
    was = full.git("rev-parse", tree)
    maintained(full)
    full.git("worktree", "add", "-q", str(tmp_path / "elsewhere"), "lerim/memory")

    Repo(tmp_path / "elsewhere").git("revert", "--no-edit", f"{before}..HEAD")

    assert full.git("rev-parse", tree) == was


def test_each_action_is_one_commit_with_its_operation(full: Repo) -> None:
    before = full.git("rev-parse", "lerim/memory")
    maintained(full)

    form = "--format=%(trailers:key=Lerim-Op,valueonly,separator=%x2c)"
    operations = full.git("log", form, f"{before}..lerim/memory").split()

    assert Counter(operations) == ALL


def test_every_action_waits_for_review_where_it_is_proposed(full: Repo) -> None:
    before = full.git("rev-parse", "lerim/memory")
    count, _ = maintained(full, "--propose")
    assert (count, full.git("rev-parse", "lerim/memory")) == (ALL, before)
    name = full.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/lerim/proposal")

    assert lerim(full.path, "review", "accept", name, "--all").code == 0

    assert Counter(each.status for each in stored(full).values()) == {
        Status.ACTIVE: 4,
        Status.ARCHIVED: 4,
        Status.SUPERSEDED: 1,
    }
    assert maintained(full)[0] == {}


def clone_of(repo: Repo, path: Path, how: str) -> Repo:
    for name in ("allowFilter", "allowAnySHA1InWant"):
        repo.git("config", f"uploadpack.{name}", "true")
    repo.git("clone", "-q", how, "--no-single-branch", f"file://{repo.path}", str(path))
    clone = Repo(path)
    assert lerim(path, "init").code == 0
    use(clone)
    return clone


def test_a_partial_clone_does_all_that_needs_no_older_code(full: Repo, tmp_path: Path) -> None:
    clone = clone_of(full, tmp_path / "clone", "--filter=blob:none")
    before = status_of(clone)

    count, run = maintained(clone)

    # no old version of the user's code is fetched to compare with
    assert count == {"decay": 1, "merge": 1, "supersede": 1, "archive": 2}
    assert lerim(clone.path, "undo", run).code == 0
    assert status_of(clone) == before


def test_a_shallow_clone_does_all_that_needs_no_older_commit(full: Repo, tmp_path: Path) -> None:
    clone = clone_of(full, tmp_path / "clone", "--depth=1")
    before = status_of(clone)

    count, run = maintained(clone)

    # when a memory came, and what the code was then, a shallow history does not tell
    assert count == {"decay": 1, "merge": 1, "supersede": 1}
    assert lerim(clone.path, "undo", run).code == 0
    assert status_of(clone) == before


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_the_work_tree_has_every_action_and_takes_it_back(tmp_path: Path, form: str) -> None:
    repo = normal(tmp_path / "tree", f"--object-format={form}")
    assert lerim(repo.path, "init", "--tree").code == 0
    assert lerim(repo.path, "remember", "Paper is in the cellar.", "--commit").code == 0
    for days, memories in due(repo):
        files = {
            f".lerim/memory/{naming.path_of(each)}": frontmatter.render(each).decode()
            for each in memories
        }
        repo.commit(files, when=f"{NOW - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}")
    use(repo)
    before = listed(repo)

    count, run = maintained(repo, "--commit")

    assert count == ALL
    assert lerim(repo.path, "undo", run, "--commit").code == 0
    assert listed(repo) == before


@pytest.mark.parametrize("how", ["--depth=1", "--filter=blob:none"])
def test_memories_are_consolidated_by_hand_in_every_clone(
    full: Repo, tmp_path: Path, how: str
) -> None:
    clone = clone_of(full, tmp_path / "clone", how)
    known = stored(clone).items()
    parts = [id_ for id_, each in known if (each.kind, each.status) == (None, Status.ACTIVE)][:3]

    done = lerim(clone.path, "maintain", "--consolidate", *parts, "--json").json

    assert set(stored(clone)[done["id"]].supersedes) == set(parts)
    assert lerim(clone.path, "undo", done["commit"]).code == 0
    assert done["id"] not in stored(clone) or stored(clone)[done["id"]].status is Status.ARCHIVED
