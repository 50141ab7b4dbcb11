import pytest

from git_lerim.extraction.transcript.user_text import typed

SAID = "Never push to main directly."


@pytest.mark.parametrize(
    "prompt",
    [
        f"[10:42] Bob Miller\n{SAID}",
        f"Bob Miller, 23.11.2026 10:42\n{SAID}",
        f"Bob — Today at 10:42\n{SAID}",
        f"Bob\n — \nToday at 10:42 AM\n{SAID}",
        f"**bob** 10:42\n{SAID}",
        f"Bob Miller:house: 10:42\n{SAID}",
        f"bob: hi\namy: hello\nbob: {SAID}",
        f"**Bob:** hi\n**Amy:** hello\n**Bob:** {SAID}",
        f"**Bob**: {SAID}\n**Amy**: no, never\n**Bob**: hm",
        f"**User**\n\nhi\n\n---\n\n**Cursor**\n\n{SAID}",
        f"**Human:** hi\n\n**Assistant:** {SAID}",
        f"## User\n\nhi\n\n## Assistant\n\n{SAID}",
        f"### You\nhi\n### ChatGPT\n{SAID}",
        f"Bob Miller  10:42 AM\n{SAID}",
        f"[29/11/2026, 10:42:01 PM] ~ Bob Miller: {SAID}",
        f"\u200e[29.11.26, 10:42:01] ~\u202fBob (Ops): {SAID}",
        f"[29.11.26, 10:42:01] +49 170 1234567: {SAID}",
        f"29/11/2026, 10:42 - ~Bob: {SAID}",
        f"• Ran make\n  └ ok\n\n• {SAID}",
        f"• Edited a.py (+1 -2)\n    1 -x\n\n› {SAID}",
        f"● {SAID}\n\n● Bash(make)\n  ⎿ ok",
        f"⏺ {SAID}",
        f"⏺ {SAID}\n\n**User**\n\nhi\n\n**Cursor**\n\nhi",
    ],
)
def test_messages_of_a_chat_are_not_the_users(prompt: str) -> None:
    assert SAID not in typed(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        f"backend: done\nfrontend: open\nbackend: {SAID}",
        f"cache: no\nminify: yes\npushes: {SAID}",
        f"greeting: hello\nname: Bob\npushes: {SAID}",
        f"scope: api, docs\napi: {SAID}",
        f"**Style:** 2 spaces\n**Pushes:** {SAID}",
        f"**Debug**: no\n**Logs**: yes\n**Pushes**: {SAID}",
        f"**Do**: tests\n**Don't**: mocks\n**Pushes**: {SAID}",
        f"## User\n- must log in\n\n## Agent\n- {SAID}",
        f"### Cursor\n- {SAID}",
        f"## Claude Code\n\n{SAID}",
        f"## Assistant\n{SAID}",
        f"### ChatGPT\n{SAID}",
        f"Deploy every Friday at 18:00\n{SAID}",
        f"Release freeze Friday 18:00\n{SAID}",
        f"The freeze starts today at 18:00\n{SAID}",
        f"Standup 10:00\n{SAID}",
        f"title: Hello!\nfooter: Thanks!\nrule: {SAID}",
        f"title: Hello!\nfooter: Thanks!\ntitle: {SAID}",
        f"Greeting: Hello!\nTitle: Thanks!\nRule: {SAID}",
        f"**User** accounts need a name.\n{SAID}",
        f"Monday, 23.11.2026 10:42\n{SAID}",
        f"10:42 is the time of the deploy.\n{SAID}",
        f"[10] items at most\n{SAID}",
        f"hi, {SAID}",
        f"• No tabs\n• {SAID}",
        f"• {SAID}\n\nYou did this instead:",
        f"• Ran out of memory\n• {SAID}",
        f"• Added a test\n• Updated Plan and docs\n• {SAID}",
        f"• Backend\n  └ Go\n• {SAID}",
        f"• Edited pages (all)\n  • {SAID}",
        f"● Tests\n● {SAID}",
        f"~ 10 items: {SAID}",
        f"+49 is Germany: {SAID}",
    ],
)
def test_the_users_own_labels_and_headings_stay(prompt: str) -> None:
    assert SAID in typed(prompt)
