"""Orders whose reason is a clause or sentence without a word such as `because`."""

import pytest
from support.costs import grows_evenly
from support.rules import extract
from support.talk import Talk

from git_lerim.extraction.base import Candidate
from git_lerim.extraction.by_rules.sentences.clauses import explains_itself, without_reason


def kept(order: str) -> list[Candidate]:
    talk = Talk().prompt("which branch am i on").reply("You are on main.").prompt(order)
    return extract(talk.edit("app.py").reply("Done.").session())


@pytest.mark.parametrize(
    "order",
    [
        "hash the file names with the content, the cdn caches them forever",
        "set the pool size to 5, the db plan only allows 20 connections and we run 4 dynos",
        "use argon2, bcrypt has a limit of 72 bytes",
        "store the amounts in cents, floats are not exact",
        "make the sync lazy, Safari drops idle sockets",
        "split auth into its own package, the mobile app wants it and can't pull in next",
        "process the webhooks async via the queue bc stripe times out after 10s",
        "round the tax per line, the tax office rejects invoices that are rounded on the total",
        "retry the upload three times, the scanner's wifi drops packets all the time",
        "compare the files by checksum, the mtimes change on every git checkout",
        "we'll do soft deletes for orders since accounting needs them for 10 years",
        "serve the files by signed urls, the bucket blocks public access",
        "sessions ins redis legen, damit man beim deploy nicht ausgeloggt wird",
        "on garde le monolithe, on est deux devs et les microservices coûtent trop de temps",
    ],
)
def test_an_order_with_what_a_system_does_as_its_reason_is_kept(order: str) -> None:
    (one,) = kept(order)
    assert one.title == order[:1].upper() + order[1:]


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("keep the parser handwritten", ". a generator gives us awful error messages"),
        ("take an advisory lock around the migration", ". two pods start at the same time"),
        ("limit the upload to 20 MB", " because the proxy cuts everything above"),
        ("make the cache key include the tenant id", ", otherwise a shop sees the other one"),
    ],
)
def test_a_reason_that_cannot_be_in_the_title_is_in_the_body(order: str, reason: str) -> None:
    (one,) = kept(f"{order}{reason}")
    assert one.title == order[:1].upper() + order[1:]
    assert f"“{order}{reason}.”" in one.body


@pytest.mark.parametrize(
    "request_",
    [
        "fix the login page, it's broken",
        "add a button, users asked for it",
        "update the readme, it is outdated",
        "add a test for that, it was never covered",
        "rename the variable, it's confusing",
        "move the button to the left, it overlaps the text",
        "remove the console.log, it's noisy",
        "change the color to red, the blue is too dark",
        "add a loading spinner, the list takes a while",
        "create a migration for that, the column is missing",
        "make the table sortable, people want that",
        "split the file. the linter complains",
        "keep the test. the reviewer wants it",
        "make the list shorter. the page scrolls forever",
        "use the new client. the old one times out",
        "use port 3001, the other app uses 3000",
        "make the header, the footer links and the nav blue",
        "make the input wider, the text gets cut off",
        "hash the password in the seed script, the login fails",
        "load the fixture first, the test needs it",
        "retry the deploy, the runner dies sometimes",
        "set debug to true, the log says nothing",
        "cache the result, the page takes 3 seconds",
        "lock the screen orientation, the layout breaks",
        "pass the id too, the function needs it",
        "use a shorter name, the line breaks the linter",
        "merge the two functions, the second one calls the first",
        "log the request, the server returns 500",
        "add an index, the query is slow",
        "make a backup first, the disk is old",
        "add pagination, the list has 4000 rows",
        "set the version to 1.2.3, the release is tomorrow",
        "keep the name of the file, otherwise gtg",
        "It has 16 frames. Use the same code as the player. The rate starts with one. It grows.",
        "use port 3001, 3000 is taken",
        "use the staging key, the prod key is revoked",
        "Ping Bob on Monday, he comes back then.",
        "Use the blue theme, Ann likes it.",
        "group the calls, any call before a reply goes below it",
    ],
)
def test_a_request_with_what_is_wrong_now_is_not_kept(request_: str) -> None:
    assert kept(request_) == []


@pytest.mark.parametrize("unit", ["the proxy ", "the, ", "because the proxy cuts ", "keep it, "])
def test_a_long_order_costs_time_in_proportion(unit: str) -> None:
    assert grows_evenly(
        lambda size: [
            judge(unit * (size // len(unit))) for judge in (explains_itself, without_reason)
        ],
        4000,
    )
