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
