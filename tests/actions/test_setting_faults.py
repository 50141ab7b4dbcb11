from pathlib import Path

import pytest
from support.repos import Repo

from git_lerim.actions.setting_faults import misspelt, unknown_settings
from git_lerim.cli import main
from git_lerim.config import KEYS, settings_from
from git_lerim.git.gitconfig import Entry


def near(key: str) -> str:
    entry = Entry(key=key, value="x", scope="local", origin="file:.git/config")
    (found,) = unknown_settings(settings_from([entry], {}, "/home/ada"))
    return found.near


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("lerim.redactpatern", "lerim.redactPattern"),
        ("lerim.ignorepaths", "lerim.ignorePath"),
        ("lerim.synwindow", "lerim.syncWindow"),
        ("lerim.cluade.path", "lerim.claude.path"),
        ("lerim.Claude.path", "lerim.claude.path"),
        ("lerim.colour", ""),
    ],
)
def test_an_unknown_key_is_found_with_the_setting_that_was_meant(key: str, meant: str) -> None:
    assert near(key) == meant


def test_every_known_key_is_known_as_git_prints_it(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.git("config", "lerim.syncWindow", "1d")
    repo.git("config", "lerim.claude.path", "/x")
    monkeypatch.chdir(repo.path)

    assert main(["config"]) == 0
    assert "unknown" not in capsys.readouterr().out


def test_a_misspelt_setting_is_reported_by_config_doctor_and_verbs_that_write(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.git("config", "lerim.redactPatern", "SECRET-[0-9]+")
    repo.git("config", "lerim.colour", "red")
    monkeypatch.chdir(repo.path)

    main(["config"])
    config = capsys.readouterr().out
    main(["doctor"])
    doctor = capsys.readouterr().out
    main(["remember", "Keep money as integer cents, because floats round."])
    remember = capsys.readouterr().err
    main(["list"])
    listed = capsys.readouterr().err

    assert "lerim.redactpatern" in config
    assert "did you mean lerim.redactPattern?" in config
    assert "/.git/config) is not a setting" in doctor
    assert "did you mean lerim.redactPattern?" in doctor
    assert "lerim.colour" in config
    assert "lerim.colour" in doctor
    assert remember.count("did you mean lerim.redactPattern?") == 1
    assert "colour" not in remember  # nothing like it exists, so it may be another program's
    assert "warning" not in listed


@pytest.mark.parametrize("verb", ["config", "doctor", "status"])
def test_the_verbs_that_explain_settings_work_beside_an_invalid_one(
    repo: Repo, verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.git("config", "lerim.syncWindow", "nonsense")
    repo.git("config", "lerim.redactPattern", "(")
    repo.git("config", "--add", "lerim.redactPattern", "A+")
    monkeypatch.chdir(repo.path)

    assert main([verb]) == (1 if verb == "doctor" else 0)
    out, err = capsys.readouterr()
    assert "lerim.syncWindow has the invalid value 'nonsense' (" in out + err
    assert "lerim.redactPattern has the invalid value '('" in out + err
    assert "Traceback" not in err
    assert main(["list"]) == 1


def test_the_default_takes_the_place_of_an_invalid_value(tmp_path: Path) -> None:
    entries = [
        Entry(key=f"lerim.{name}", value=value, scope="local", origin="file:x")
        for name, value in (
            ("syncwindow", "nonsense"),
            ("redactpattern", "("),
            ("redactpattern", "A+"),
            ("maxsessions", "3"),
        )
    ]

    settings = settings_from(entries, {}, str(tmp_path), lenient=KEYS)

    assert (settings["syncWindow"], settings["redactPattern"]) == ("7d", ("A+",))
    assert settings.settings["syncWindow"].origin == "default, instead of the value in file:x"
    assert settings["maxSessions"] == 3
    assert len(settings.invalid) == 2
    assert list(misspelt(settings)) == []
