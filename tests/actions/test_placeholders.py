from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from support.repos import Repo

from git_lerim.actions.placeholders import FIELDS, abbreviated, fill, relative
from git_lerim.cli import main

Output = Callable[..., str]


@pytest.fixture
def output(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Output:
    """Return what runs a verb in a repository with one memory and returns its output."""
    monkeypatch.chdir(repo.path)
    main(["remember", "Use cents.", "--decision", "--title", "Prices are cents", "--tag", "money"])
    capsys.readouterr()

    def run(*words: str) -> str:
        main([*words])
        told = capsys.readouterr()
        return told.out + told.err

    return run


def test_placeholders_stand_for_values_and_marks() -> None:
    values = {"%s": "a title", "%as": "2026-02-20", "%(kind)": "fact"}

    filled = fill("%as%x09%s%n100%% %(kind)", values, coloured=False)

    assert filled == "2026-02-20\ta title\n100% fact"
    assert fill("tformat:%s", values, coloured=False) == "a title"


def test_a_tag_with_a_comma_is_not_taken_for_two(output: Output) -> None:
    output("remember", "Round half to even.", "--tag", "a, b", "--tag", "plain", "--tag", "ö,")

    assert '"a, b", plain, "ö,"' in output("list", "--format", "%(tags)").splitlines()


def test_colours_are_those_of_git_and_go_where_none_are_wanted() -> None:
    template = "%C(yellow)%s%Creset"

    assert fill(template, {"%s": "x"}, coloured=True) == "\x1b[33mx\x1b[0m"
    assert fill(template, {"%s": "x"}, coloured=False) == "x"


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (timedelta(seconds=1), "1 second ago"),
        (timedelta(seconds=89), "89 seconds ago"),
        (timedelta(seconds=90), "2 minutes ago"),
        (timedelta(hours=2, minutes=20), "2 hours ago"),
        (timedelta(hours=36), "2 days ago"),
        (timedelta(days=14), "2 weeks ago"),
        (timedelta(days=300), "10 months ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(seconds=-5), "in the future"),
    ],
)
def test_relative_dates_are_in_gits_units(before: timedelta, words: str) -> None:
    now = datetime(2026, 11, 24, tzinfo=UTC)

    assert relative((now - before).isoformat(), now) == words


@pytest.mark.parametrize("verb", ["list", "log"])
def test_relative_dates_are_placeholders_of_both_verbs(output: Output, verb: str) -> None:
    assert output(verb, "--format", "%ar|%cr").splitlines()[0].count(" ago") == 2


@pytest.mark.parametrize("wrong", ["%q", "%", "%(nothing)", "%(open", "%C(loud)", "%ax"])
@pytest.mark.parametrize("verb", ["list", "log"])
def test_an_unknown_placeholder_is_named_beside_those_that_exist(
    output: Output, verb: str, wrong: str
) -> None:
    told = output(verb, "--format", f"%s {wrong}")

    assert f"unknown placeholder: {wrong}" in told
    assert "known placeholders: %H %h %s" in told


def test_what_a_memory_holds_cannot_steer_the_terminal() -> None:
    assert fill("%s", {"%s": "\x1b[2Jx"}, coloured=True) == "\\x1b[2Jx"


def test_an_id_is_cut_as_far_as_it_stays_unique() -> None:
    assert abbreviated("abcdefghijklm", ["abcdefghijklm", "xbcdefghijklm"]) == "abcdefg"
    assert abbreviated("abcdefghijklm", ["abcdefghijklm", "abcdefghxxxxx"]) == "abcdefghi"


def test_list_prints_memories_and_log_commits(output: Output) -> None:
    listed = output("list", "--format=%H|%s|%b|%(tags)|%(primitive)|%an <%ae>")
    logged = output("log", "-n", "1", "--format=%s|%(op)|%(memories)|%an")

    id_ = listed.partition("|")[0]
    assert listed == (
        f"{id_}|Prices are cents|Use cents.|money|decision|Ada Tester <ada@example.org>\n"
    )
    assert logged == f"remember: Prices are cents|remember|{id_}|Ada Tester\n"


@pytest.mark.parametrize("verb", ["list", "log"])
def test_a_format_and_json_exclude_each_other(output: Output, verb: str) -> None:
    assert f"{verb} --format does not accept --json" in output(verb, "--format=%s", "--json")


def test_every_field_can_be_asked_for(output: Output) -> None:
    assert "git lerim:" not in output("list", "--format=" + "".join(f"%({n})" for n in FIELDS))
