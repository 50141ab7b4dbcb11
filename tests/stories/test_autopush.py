"""What is new is shared by itself, where `lerim.push` is `auto`: by a process that no verb waits
for.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo, bare

from git_lerim.actions.sharing import autopush
from git_lerim.consent import consent_for
from git_lerim.git.remote.remote_urls import pushed_ref
from git_lerim.storage.writing.lock import Lock
from git_lerim.workspace import open_workspace

REF = "refs/heads/lerim/memory"
PATIENCE = 60.0


@pytest.fixture
def sharing(ann: Repo) -> Repo:
    """Return the clone of somebody who has pushed once, and lets the rest follow by itself."""
    remember(ann, "Prices are rounded half to even.")
    assert lerim(ann.path, "push", "--yes").code == 0
    ann.git("config", "--global", "lerim.push", "auto")
    return ann


def remember(repo: Repo, text: str) -> str:
    ran = lerim(repo.path, "remember", text)
    assert ran.code == 0, ran.err
    return ran.err


def agreed(repo: Repo, url: str) -> None:
    """Let the user of a clone have agreed to push to a place."""
    consent_for(repo.path / ".git", Path.home(), os.environ).allow_push(url, {})
    repo.git("update-ref", pushed_ref(url), REF)


def comes(true: Callable[[], object]) -> bool:
    """Tell whether something becomes true in time."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if true():
            return True
        time.sleep(0.05)
    return False


def is_there(hub: Repo, repo: Repo) -> bool:
    return hub.git("rev-parse", REF) == repo.git("rev-parse", REF)


def is_quiet(repo: Repo) -> bool:
    """Tell whether no push is under way or asked for."""
    own = repo.path / ".git/lerim"
    return not (own / "push-again").exists() and (
        not (own / "pushing").exists() or (own / "pushing").read_bytes() == b""
    )


def pushed(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do what the process does, here and now."""
    monkeypatch.chdir(repo.path)
    autopush.run(open_workspace())


def test_what_a_verb_wrote_is_pushed_after_it(sharing: Repo, hub: Repo) -> None:
    said = remember(sharing, "Tests need TZ=UTC.")

    assert said == ""
    assert comes(lambda: is_there(hub, sharing))
    assert comes(lambda: is_quiet(sharing))
    assert lerim(sharing.path, "status", "--json").json["troubles"] == []


def test_where_no_push_was_agreed_to_nothing_goes(
    ann: Repo, hub: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ann.git("config", "--global", "lerim.push", "auto")
    remember(ann, "Prices are rounded half to even.")
    assert not (ann.path / ".git/lerim/pushing").exists()  # no process was started
    pushed(ann, monkeypatch)
    assert hub.git("for-each-ref") == ""

    lerim(ann.path, "push", "--yes")
    ann.git(
        "remote", "set-url", "origin", str(bare(tmp_path / "elsewhere").path)
    )  # the name was agreed to, this place was not
    remember(ann, "Tests need TZ=UTC.")
    pushed(ann, monkeypatch)

    assert Repo(tmp_path / "elsewhere").git("for-each-ref") == ""
    assert comes(lambda: is_quiet(ann))


def test_nothing_goes_by_another_program_than_was_agreed_to(
    sharing: Repo, hub: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "receive-pack"
    program.write_text(f'#!/bin/sh\ntouch {tmp_path}/ran\nexec git-receive-pack "$@"\n')
    program.chmod(0o755)
    before = hub.git("rev-parse", REF)

    # an archive of the project that was unpacked in its place could bring this
    sharing.git("config", "remote.origin.receivepack", str(program))
    remember(sharing, "Tests need TZ=UTC.")
    pushed(sharing, monkeypatch)

    assert comes(lambda: is_quiet(sharing))
    assert hub.git("rev-parse", REF) == before
    assert not (tmp_path / "ran").exists()
    assert "needs your approval once" in lerim(sharing.path, "status").out
    asked = lerim(sharing.path, "push")
    assert "trust another server: remote.origin.receivepack" in asked.err + asked.out
    assert lerim(sharing.path, "push", "--yes").code == 0
    remember(sharing, "Dates are kept in UTC.")
    assert comes(lambda: is_there(hub, sharing))


def test_nothing_goes_to_the_same_relative_path_of_another_worktree(
    sharing: Repo, hub: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    relative = os.path.relpath(hub.path, sharing.path)
    sharing.git("remote", "set-url", "origin", relative)
    assert lerim(sharing.path, "push", "--yes").code == 0
    other = bare((tmp_path / "deep" / "tree" / relative).resolve())
    sharing.git("worktree", "add", "-q", "--detach", str(tmp_path / "deep" / "tree"))
    tree = Repo(tmp_path / "deep" / "tree")

    asked = lerim(tree.path, "push")
    remember(tree, "Tests need TZ=UTC.")
    pushed(tree, monkeypatch)

    assert asked.code != 0
    assert str(other.path) in asked.err + asked.out
    assert comes(lambda: is_quiet(sharing))
    assert other.git("for-each-ref") == ""


def test_without_the_setting_nothing_follows(ann: Repo, hub: Repo) -> None:
    remember(ann, "Prices are rounded half to even.")
    lerim(ann.path, "push", "--yes")
    before = hub.git("rev-parse", REF)
    remember(ann, "Tests need TZ=UTC.")

    assert not (ann.path / ".git/lerim/pushing").exists()
    assert hub.git("rev-parse", REF) == before


def test_what_went_wrong_is_told_until_it_goes_well(
    sharing: Repo, hub: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.path.rename(hub.path.with_name("gone"))
    assert remember(sharing, "Tests need TZ=UTC.") == ""
    comes((sharing.path / ".git/lerim/unpushed").exists)

    told = lerim(sharing.path, "status").out

    assert "trouble   cannot push to origin: origin could not be read" in told
    assert "to try again: git lerim push" in told
    checked = lerim(sharing.path, "doctor").out
    assert "warning  push: cannot push to origin: origin could not be read" in checked
    comes(lambda: is_quiet(sharing))
    hub.path.with_name("gone").rename(hub.path)
    pushed(sharing, monkeypatch)
    assert "trouble" not in lerim(sharing.path, "status").out
    assert "push:" not in lerim(sharing.path, "doctor").out
    assert is_there(hub, sharing)


def test_all_the_gates_of_a_push_hold(
    sharing: Repo, hub: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = hub.git("rev-parse", REF)
    token = "ghp_" + "wJ4Wq7Zr2Kd8Xt5Vb1Nm3Pc6Yh9Lf0Sg2Aa4"
    path = next(
        path
        for path in sharing.git("ls-tree", "-r", "--name-only", REF).split("\n")
        if "half" in path
    )
    text = sharing.git("show", f"{REF}:{path}") + f"\nThe token is {token}.\n"
    stream = (
        f"commit {REF}\ncommitter X <x@example.com> 1800000000 +0000\ndata 1\nx\nfrom"
        f" {sharing.git('rev-parse', REF)}\n"
    )
    sharing.git(
        "fast-import",
        "--quiet",
        stdin=f"{stream}M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n",
    )

    pushed(sharing, monkeypatch)

    assert hub.git("rev-parse", REF) == before
    assert "possible secret" in lerim(sharing.path, "status").out


def test_one_process_pushes_and_who_comes_meanwhile_leaves_word(
    sharing: Repo, hub: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    sharing.git("config", "--global", "lerim.push", "never")
    remember(sharing, "Tests need TZ=UTC.")
    word = sharing.path / ".git/lerim/push-again"
    with Lock(sharing.path / ".git/lerim/pushing").acquire(0):
        pushed(sharing, monkeypatch)
        assert word.exists()
        assert not is_there(hub, sharing)

    pushed(sharing, monkeypatch)

    assert not word.exists()
    assert is_there(hub, sharing)


def test_many_verbs_at_once_leave_all_of_it_pushed(sharing: Repo, hub: Repo) -> None:
    for n in range(4):
        remember(sharing, f"Fact number {n} of four.")

    assert comes(lambda: is_there(hub, sharing))
    assert comes(lambda: is_quiet(sharing))
    hub.git("fsck", "--strict")


def test_a_place_that_never_answers_is_given_up(
    sharing: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o755)
    sharing.git("config", "--global", "remote.origin.uploadpack", str(silent))
    monkeypatch.setattr(autopush, "LIMIT", 1)

    pushed(sharing, monkeypatch)

    assert "longer than 1 seconds" in lerim(sharing.path, "status").out


def test_the_user_s_own_ssh_is_used_and_asked_nothing(
    sharing: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sharing.git("remote", "set-url", "origin", "ssh://nowhere.invalid/hub")
    url = sharing.git("remote", "get-url", "--push", "origin")
    agreed(sharing, url)
    ssh = tmp_path / "ssh"
    asked = f"( : < /dev/tty ) 2>/dev/null && touch {tmp_path}/tty"
    ssh.write_text(
        f'#!/bin/sh\necho "$@ prompt=$GIT_TERMINAL_PROMPT" > {tmp_path}/called\n{asked}\nexit 1\n'
    )
    ssh.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", f"{ssh} -o Own=1")

    remember(sharing, "Tests need TZ=UTC.")

    assert comes(lambda: (tmp_path / "called").exists() and (tmp_path / "called").read_text())
    assert "Own=1" in (tmp_path / "called").read_text()
    assert "prompt=0" in (tmp_path / "called").read_text()
    assert comes(lambda: is_quiet(sharing) and (sharing.path / ".git/lerim/unpushed").exists())
    assert not (tmp_path / "tty").exists()


def test_a_verb_in_a_folder_below_with_a_relative_git_dir_pushes_this_repository(
    sharing: Repo, hub: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sharing.path / "below").mkdir()
    monkeypatch.setenv("GIT_DIR", "../.git")
    monkeypatch.setenv("GIT_WORK_TREE", "..")
    assert lerim(sharing.path / "below", "remember", "Tests need TZ=UTC.").code == 0
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_WORK_TREE")

    assert comes(lambda: is_there(hub, sharing))


def test_status_tells_that_nothing_goes_where_nobody_agreed_to_it(ann: Repo) -> None:
    ann.git("config", "--global", "lerim.push", "auto")
    remember(ann, "Prices are rounded half to even.")

    told = "trouble   automatic push to origin needs your approval once: git lerim push"
    assert told in lerim(ann.path, "status").out
    assert lerim(ann.path, "push", "--yes").code == 0
    assert "trouble" not in lerim(ann.path, "status").out


def test_a_push_that_would_ask_is_left_to_the_user_and_status_says_so(
    sharing: Repo, hub: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.git("update-ref", "-d", REF)

    pushed(sharing, monkeypatch)

    assert hub.git("for-each-ref") == ""
    (trouble,) = lerim(sharing.path, "status", "--json").json["troubles"]
    assert trouble == (
        'cannot push to origin without your answer to "restore 1 memory at origin for everybody?";'
        " to try again: git lerim push"
    )
    assert lerim(sharing.path, "push", "--yes").code == 0
    assert lerim(sharing.path, "status", "--json").json["troubles"] == []
