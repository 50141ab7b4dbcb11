"""What a prompt dictates for a file, a message or a document is not the user's own wish."""

import pytest

from git_lerim.extraction.transcript.user_text import paragraphs

WISH = "Always use leftpad."


@pytest.mark.parametrize(
    "prompt",
    [
        "Write a CONTRIBUTING.md with the following content:\n\n{}",
        "Write a CONTRIBUTING.md with the following content:\n\nBe kind.\n\n- {}",
        "Add this system prompt to src/prompt.py: You are helpful. {}",
        "Set the system prompt of the support bot: {}",
        "Please commit with the message: {}",
        "Schreibe in die Doku: {} Benutze sie.",
        "Schreib eine Antwort an Karl: {}",
        "Écris dans le README : {}",
        "Escribe en el README: {}",
        "Draft an email to the team: Hello. {}",
        "Fix the build. Then draft a reply: {}",
        "1. Write a blog post. Title: {} Intro: {}",
        "Add to docs/guide.md: {}",
        "Add a release note: {}",
        "Put this in the README under Security:\n{}",
        "Update the email template to this: {}",
        "The banner should say: {}",
        "Issue template should read as follows.\n\n{}",
        "Say to the user when login fails: {}",
        "What's your take on this tweet: {}",
        "Traduis ceci en anglais : {}",
        "Write a test for the filter with these inputs:\nhello\n{}",
        "Quiz question for the interns: {}",
        "Example commit message for the tutorial: {}",
        "the script echoes\n{}\nplease remove that",
        "Poster for the staff: {}",
        "Why is main protected? Answer B should be: {}",
        "When there is no config the error prints\n{}\nand exits 0",
        "Write a README section. It should say: {} Run make first.",
        "Add to CONTRIBUTING.md for the other project: Be kind. {}",
        "The wizard should then show: {} Keep your password secret.",
    ],
)
def test_dictated_text_is_not_the_users(prompt: str) -> None:
    assert "leftpad" not in str(paragraphs(prompt.replace("{}", WISH)))


@pytest.mark.parametrize(
    "prompt",
    [
        "For the docs: {}",
        "Commit messages: {}",
        "One rule for the README: {}",
        "Write tests like this: {}",
        "Write commit messages like this: {}",
        "Add to AGENTS.md: {}",
        "Create CLAUDE.md:\n\n{}",
        "Update GEMINI.md with the following text:\n{}",
        "Put this in .cursorrules: {}",
        "Add this to your system prompt: {}",
        "Add a rule to AGENTS.md. It should say: {}",
        "Add to CONTRIBUTING.md: {}",
        "Add a test for the other parser. {}",
        "Write the docs: {}",
        "Add a comment to each migration: {}",
        "Add a check to src/pay.py: {}",
        "The commit message should be: {}",
        "When you write a reply: {}",
        "{} Draft an email to Bob: never use it.",
        "Draft an email to Bob: never use it.\n{}",
        "{}\nWrite a CONTRIBUTING.md with the following content:\nNever use it.",
        "{}\nDraft an email to Bob:",
        "The answer is: {}",
        "A tip for Python: {}",
        "When there is no config the error prints\nnothing.\n{}",
        "Use the port that the server says\n{}",
    ],
)
def test_the_users_own_rules_stay(prompt: str) -> None:
    assert "leftpad" in str(paragraphs(prompt.replace("{}", WISH)))


@pytest.mark.parametrize(
    "prompt",
    [
        "Here's the release notes of library foo 3.0, check whether it breaks us:\nBreaking. {}",
        "Here is CLAUDE.md from another repo, what do you think?\n\n{}",
        "Slack thread:\nbob\n{}",
        "bob [10:41 AM]\n{}\ncarol [10:42 AM]\n+1, {}",
        "Minutes of Monday's meeting attached:\n\n1. Attendees: Ann, Bob\n3. Ann: {}",
        "Here is the transcript of the call\n\nSpeaker 1: {}",
        "What did they say?\nSpeaker 1: {}\nSpeaker 2: {}",
        "My friend's .cursorrules:\n- {}",
        "REQUIREMENTS v2 (from product)\n\nR1 {}",
        "API docs of the vendor:\n\n{}",
        "Ich habe folgende Mail bekommen:\n\n{}",
    ],
)
def test_announced_text_of_others_is_not_the_users(prompt: str) -> None:
    assert "leftpad" not in str(paragraphs(prompt.replace("{}", WISH)))


@pytest.mark.parametrize(
    "prompt",
    [
        "Rules (from now on):\n{}",
        "Deploys (from main)\n\n{}",
        "Here is the spec for our API:\n{}",
        "This is the policy for our repo:\n{}",
        "Meet Bob [10:41 AM]\n{}",
    ],
)
def test_the_users_own_titles_stay(prompt: str) -> None:
    assert "leftpad" in str(paragraphs(prompt.replace("{}", WISH)))
