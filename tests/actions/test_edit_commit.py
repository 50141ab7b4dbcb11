"""What the message of a commit says that edits, archives, restores or protects memories."""

from support.inside import lerim
from support.repos import Repo


def test_a_commit_names_what_was_done_to_which_memory(repo: Repo) -> None:
    id_ = lerim(repo.path, "remember", "Store events in SQLite.").out.split()[0]
    said = []
    for words in (["protect", id_], ["protect", "--off", id_], ["forget", id_]):
        assert lerim(repo.path, *words).code == 0
        said.append(repo.git("log", "-1", "--format=%s%n%b", "lerim/memory").splitlines()[:2])

    title = "Store events in SQLite"
    assert said == [
        [f"protect: {title}", f"~ {id_} {title}"],
        [f"protect --off: {title}", f"~ {id_} {title}"],
        [f"forget: {title}", f"- {id_} {title}"],
    ]


def test_the_reason_for_forgetting_is_in_the_message_without_secrets(repo: Repo) -> None:
    ids = [
        lerim(repo.path, "remember", text).out.split()[0]
        for text in ("Store events in SQLite.", "Tests need TZ=UTC.")
    ]
    key = "ghp_" + "x7Qf2Lm9Za" * 3 + "k2Vd4T"

    one = lerim(repo.path, "forget", ids[0], "--reason", f"we  moved, with {key}")
    first = repo.git("log", "-1", "--format=%B", "lerim/memory")
    lerim(repo.path, "forget", ids[1], "--reason", "old")

    assert "redacted 1 secret in the reason" in one.err
    assert key not in first
    assert f"- {ids[0]} Store events in SQLite\n\nReason: we moved, with " in first
    assert "Reason: old\n" in repo.git("log", "-1", "--format=%B", "lerim/memory")
    assert "Reason: old" in lerim(repo.path, "log", "-v", "--limit", "1").err
