import pytest

from git_lerim.sessions.commit_messages import committed, piped

BODY = "Floats round, so totals did not match."


@pytest.mark.parametrize(
    "command",
    [
        f"git add -A && git commit -m 'Store prices as cents' -m '{BODY}'",
        f'git commit -am "Store prices as cents\n\n{BODY}"',
        f'git -C shop commit --message="Store prices as cents" -m "{BODY}" && git push',
        (
            "git commit -m \"$(cat <<'EOF'\nStore prices as cents\n\nFloats round, so totals\ndid"
            ' not match.\n\n🤖 Generated with an agent\nCo-Authored-By: A <a@b.example>\nEOF\n)"'
        ),
        f"cd shop\ngit commit -F - <<EOF\nStore prices as cents\n\n{BODY}\nEOF",
        f"git commit -m @'\nStore prices as cents\n\n{BODY}\n'@",
    ],
)
def test_the_message_of_a_commit_is_found_without_its_trailers(command: str) -> None:
    assert committed(command) == ["Store prices as cents", BODY]


@pytest.mark.parametrize(
    "command",
    [
        "git log -m 'Store prices as cents'",
        "echo 'Store prices as cents'",
        "git commit --amend --no-edit",
        "cat > a.md <<'EOF'\ngit commit -m 'Store prices as cents'\nEOF",
        "git commit -F - <<EOF\nNothing closes this document",
    ],
)
def test_other_commands_have_no_message(command: str) -> None:
    assert committed(command) == []


def test_files_written_from_a_here_document_are_found() -> None:
    command = (
        "mkdir docs && cat > docs/a.md <<'EOF'\nOne\n\nTwo\nEOF\ncat <<EOF >> b.py\n# Three\nEOF\n"
        "python - <<'EOF'\nprint(1)\nEOF\ntee -a c.txt <<EOF\nFour\nEOF"
    )
    assert list(piped(command)) == [
        ("docs/a.md", "One\n\nTwo"),
        ("b.py", "# Three"),
        ("c.txt", "Four"),
    ]


def test_only_its_mark_alone_on_a_line_ends_a_document() -> None:
    message = "Handle the end of input\n\nEOFError is raised when the input ends."
    command = f'git commit -m "$(cat <<EOF\n{message}\nEOF)"\ncat <<EOF > a.md\nOne\nEOF'

    assert committed(command) == message.split("\n\n")
    assert list(piped(command))[-1] == ("a.md", "One")


@pytest.mark.parametrize(
    "before", ["git apply <<< patch", "echo $((1<<3))", "n=$((n << shift))", "cat <<<'one'"]
)
def test_what_opens_no_document_hides_no_message(before: str) -> None:
    assert committed(f"{before}\ngit commit -m '{BODY}'") == [BODY]


@pytest.mark.parametrize("target", ["'docs/my file.md'", '"docs/my file.md"'])
def test_a_quoted_path_is_read_to_its_closing_quote(target: str) -> None:
    for command in (f"cat <<'END OF' > {target}\nOne\nEND OF", f"tee {target} <<E\nOne\nE"):
        assert list(piped(command)) == [("docs/my file.md", "One")]
