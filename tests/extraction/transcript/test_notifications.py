import pytest
from support.claude import Recording
from support.costs import grows_evenly
from support.repos import Repo
from support.world import World

from git_lerim.extraction.transcript.user_text import typed

WISH = "Never push to main directly."
FOOTER = "—\nReply to this email directly, view it on GitHub, or unsubscribe."


@pytest.mark.parametrize(
    "prompt",
    [
        f"@eve requested changes on this pull request.\n\n{WISH}\n\n{FOOTER}",
        f"eve left a comment (acme/shop#12)\n\n{WISH}",
        f"Please handle this.\n\neve left a comment (acme/shop#12)\n{WISH}",
        f"**eve** commented\n\n{WISH}",
        f"**eve** commented 2 hours ago\n\n{WISH}",
        f"@eve commented on this pull request.\n\nIn a.py:\n\n> x=1\n\n{WISH}",
        f"Eve Kay commented on a discussion: https://gitlab.com/x/y\n\n{WISH}",
        f"Eve Kay started a new discussion on a.py: https://gitlab.com/x/y\n\n{WISH}",
        f"dependabot[bot] left a comment (acme/shop#9)\n\n{WISH}",
        f"@eve pushed 2 commits to this pull request.\n{WISH}",
        f"eve closed this issue.\n\n{WISH}",
        f"Eve Kay left a comment on src/app.ts:\n\n{WISH}",
        f"Eve Kay  2d ago\n{WISH}",
        f"@eve left a review comment on src/a.py:12\n\n{WISH}",
        f"PR Activity: @eve left a comment on src/a.py:12\n\n{WISH}",
        f"Eve Kay commented on pull request #4: Add orders\n\n{WISH}",
        f"**eve** left a comment [(acme/shop#12)](https://github.com/acme/shop/pull/12)\n\n{WISH}",
        f"eve added an inline comment.\n\n{WISH}",
        f"Patch Set 2: Code-Review-1\n\n(1 comment)\n\n{WISH}",
        f"Look:\n\nIn src/a.py:\n\n> +x = 1\n\n{WISH}",
        f"{WISH}\n\n{FOOTER}",
        f"{WISH}\n\nYou're receiving this email because of your account on gitlab.com.",
        f"{WISH}\n\nThis message was sent by Atlassian Jira",
        f"{WISH}\n\n--\n{FOOTER[2:]}",
        f"Here is the mail:\n{WISH}\n\n{FOOTER}",
        f"Fix this.\n\nHere is what I got:\n\n{WISH}\n\nThe tests fail.\n\n{FOOTER}",
        f"Fix this.\n\nHi Eve,\n\n{WISH}\n\nThe tests fail.\n\n{FOOTER}",
    ],
)
def test_what_a_forge_says_that_somebody_wrote_is_not_the_users(prompt: str) -> None:
    assert WISH not in typed(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        f"Eve requested changes on this pull request.\n{WISH}",
        f"Eve requested changes on this pull request. {WISH}",
        f"I left a comment on the pull request.\n\n{WISH}",
        f"We merged the pull request.\n\n{WISH}",
        f"It closed the issue.\n\n{WISH}",
        f"The bot commented on the pull request.\n\n{WISH}",
        f"Eve approved it.\n\n{WISH}",
        f"Eve left a comment on my pull request: it is slow.\n\n{WISH}",
        f"We added a comment.\n\n{WISH}",
        f"Patch set 2: the tests are in.\n\n{WISH}",
        f"In a.py:\n\n> x = 1\n\n{WISH}",
        f"In a.py:\n{WISH}",
        f"{WISH}\n\n@eve requested changes on this pull request.\n\nUse tabs.\n\n{FOOTER}",
        f"{WISH}\n\nHere is the mail:\nUse tabs.\n\n{FOOTER}",
        f"{WISH}\n\nThe deploy fails.\n\n-- \nSent from my phone",
        f"{WISH}\nReply to this email: yes.",
        f"{WISH}\nYou are receiving too many tokens.",
    ],
)
def test_what_the_user_says_about_a_pull_request_stays(prompt: str) -> None:
    assert WISH in typed(prompt)


@pytest.mark.parametrize("unit", ["Aa ", "a/", "@a ", "** "])
def test_a_long_line_costs_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: typed(unit * size), 2000)


def test_a_pasted_notification_takes_no_wish_of_the_user_back(world: World, repo: Repo) -> None:
    first = Recording(world.home, str(repo.path), id="5b0c1a2f-first")
    first.prompt("Always indent with tabs in this project.").reply("I will.")
    assert world.lerim(repo.path, "sync", "--window", "all").code == 0
    mail = "@eve requested changes on this pull request.\n\nForget what I said about tabs, "
    second = Recording(world.home, str(repo.path), id="5b0c1a2f-second")
    second.prompt(f"{mail}use spaces.\n\n{FOOTER}").reply("I will look.")

    assert world.lerim(repo.path, "sync", "--window", "all").code == 0

    rows = world.lerim(repo.path, "list", "--all", "--json").json
    assert [(row["title"], row["status"]) for row in rows] == [
        ("Always indent with tabs in this project", "active")
    ]
