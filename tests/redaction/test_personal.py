import pytest
from support.inside import lerim
from support.repos import Repo

from git_lerim.redaction.personal import shortened

ROOT, HOME = "/tmp/me/my shop", "/tmp/me"  # noqa: S108 only names


@pytest.mark.parametrize(
    ("text", "short"),
    [
        (f"[x.ts]({ROOT}/packages/x.ts:142)", "[x.ts](packages/x.ts:142)"),
        (f"`{ROOT}/.env` and {ROOT}.", "`.env` and ./."),
        (f"cd '{ROOT}/' && make", "cd './' && make"),
        (f"{ROOT}/../other", "../other"),
        (f"{ROOT}-old/x and {HOME}/.npmrc", "~/my shop-old/x and ~/.npmrc"),
        (f"file://{ROOT}/x", "file://~/my shop/x"),
        (f"rsync dist/ ops@web1:{ROOT}/x", "rsync dist/ ops@web1:~/my shop/x"),
        (f"ssh web1 'cd {ROOT}/x'\n{ROOT}/y", "ssh web1 'cd ~/my shop/x'\ny"),
        (f"as {HOME}. And {HOME}2/x, /var{HOME}", f"as ~. And {HOME}2/x, /var{HOME}"),
    ],
)
def test_paths_are_relative_to_the_work_tree_and_to_the_home(text: str, short: str) -> None:
    assert shortened(HOME, [ROOT])(text) == short


@pytest.mark.parametrize(("home", "tree"), [("/root", "/app"), ("/", "/")])
def test_folders_that_name_nobody_stay(home: str, tree: str) -> None:
    text = "COPY /app/src /root/.cache /"
    assert shortened(home, [tree])(text) == text


def test_a_home_that_is_a_work_tree_stays_a_home() -> None:
    assert shortened(HOME, [HOME])(f"{HOME}/.npmrc") == "~/.npmrc"


def test_no_memory_names_the_folders_of_this_machine(repo: Repo) -> None:
    text = f"The checkout is in [pay.py]({repo.path}/src/pay.py:142), because of the tax."
    id_ = lerim(repo.path, "remember", text).out.split()[0]

    shown = lerim(repo.path, "show", id_).out

    assert "](src/pay.py:142)" in shown
    assert str(repo.path) not in repo.git("show", "lerim/memory")
