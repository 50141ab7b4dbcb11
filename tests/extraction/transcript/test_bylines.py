import pytest
from support.costs import grows_evenly

from git_lerim.extraction.transcript.user_text import typed

WISH = "Never push to main directly."


@pytest.mark.parametrize(
    "head",
    [
        "Eve Kay <eve@x.org>\nTo: Ada\nMon 29/11/2026 10:42\n",
        "Eve Kay<eve@x.org>\nMon 29/11/2026 10:42\nTo: Ada\n",
        "Kay, Eve <eve@x.org>\n29 November 2026 at 10:42\n",
        "Eve Kay <eve@x.org>\nA: Ada\n",
        "Eve Kay\nAn: Ada\nMo., 29.11.2026 10:42\n",
        "Eve Kay\n10:42 AM (2 hours ago)\nto me\n",
        "Eve Kay\nNov 29, 2026, 10:42\u202fAM (2 days ago)\n",
        "Eve Kay\nSun, Nov 29, 10:42 AM\nto me\n",
        "Eve Kay\n10:42 (vor 2 Stunden)\nan mich\n",
        "Copilot AI reviewed 2 hours ago\n",
        "coderabbitai bot reviewed on Nov 29\n",
        "eve requested changes yesterday",
        "Eve Kay 2 days ago\n",
        "Eve Kay\n10:32 AM Today",
        "eve 3 hours ago | next [–]\n",
        "u/eve\n•\n3 hr. ago\n",
        "Eve Kay approved these changes 1 hour ago",
        "eve\ncommented\n2 hours ago",
        "eve\nreviewed 2 hours ago",
        "eve\nleft a comment\nlast week",
        "Eve Kay\n@eve\n2 hours ago",
        "eve\n•\n2h ago\n",
        "How we test\n\nPosted by Eve on Hacker News 3 hours ago | 14 comments",
        "r/python • Posted by u/eve 3 hours ago",
        "12 points by eve 3 hours ago | hide | 14 comments",
        "Published by Eve Kay on March 3, 2026",
    ],
)
def test_what_stands_below_the_head_of_a_mail_or_a_comment_is_not_the_users(head: str) -> None:
    assert WISH not in typed(f"{head}\n{WISH}")
    assert WISH not in typed(f"Look at this.\n\n{head}\n{WISH}")


@pytest.mark.parametrize(
    "own",
    [
        "Set the author to\nAda Kay <ada@x.org>",
        "Maintainers:\nAda Kay <ada@x.org>\nBob <bob@x.org>",
        "Ada Kay <ada@x.org>\nTests: pytest",
        "Deploy every Friday at 18:00",
        "The build broke at 10:42 AM (2 hours ago)",
        "Meet at 10:42 (in 2 hours)",
        "Bob reviewed it 2 hours ago",
        "I reviewed 2 hours ago",
        "We commented yesterday",
        "commented",
        "It broke 2 days ago",
        "Ada Kay did it 2 days ago",
        "Bob reviewed\nmy change",
        "2 hours ago it worked",
        "The tests broke\n2 hours ago",
        "to me",
        "To: do",
        "Friday 18:00\nA: deploy",
        "Friday 18:00\nTo: everyone. We freeze main on Fridays.",
        "Retention\n30 days ago",
        "•",
    ],
)
def test_the_users_own_words_about_people_and_times_stay(own: str) -> None:
    assert WISH in typed(f"{own}\n{WISH}")
    assert WISH in typed(f"{own}\n\n{WISH}")


@pytest.mark.parametrize("unit", ["A", "Aa ", "a. ", "to me\n", "1:11 ", "Eve\n"])
def test_a_long_line_costs_time_in_proportion(unit: str) -> None:
    assert grows_evenly(lambda size: typed(unit * size), 2000)
