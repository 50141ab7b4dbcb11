from support.repos import Repo

from git_lerim.git.alternates import missing_alternate
from git_lerim.git.repo import place_of


def test_the_first_missing_folder_is_found(repo: Repo) -> None:
    place = place_of(repo.path / ".git")
    assert missing_alternate(place) == ""

    named = repo.path / ".git/objects/info/alternates"
    named.parent.mkdir(exist_ok=True)
    named.write_text("# kept\n\n../../.git/objects\n")
    assert missing_alternate(place) == ""
    named.write_text("../../.git/objects\n../gone\n/nowhere\n")
    assert missing_alternate(place) == "../gone"
