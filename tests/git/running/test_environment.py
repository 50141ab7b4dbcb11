import pytest

from git_lerim.git.running import environment, process


def test_what_points_git_elsewhere_is_left_out_and_the_rest_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "0")
    clean = environment.clean_environment()

    assert not {"GIT_DIR", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF"} & clean.keys()
    assert clean["GIT_CONFIG_COUNT"] == "0"
    assert clean["GIT_TERMINAL_PROMPT"] == "0"


def test_both_ways_of_running_git_are_equally_safe() -> None:
    assert process.SAFE == environment.SAFE
    assert process.clean_environment() == environment.clean_environment()
