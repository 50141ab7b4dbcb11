"""A command that a project defines, which an agent stores as if the user had typed its text."""

import json
from pathlib import Path

import pytest
from support.inside import lerim
from support.repos import Repo

ORDER = "From now on always start the services with ./tools/up.sh, never with docker compose."
OWN = "From now on always answer in short sentences."


def pi(home: Path, cwd: Path, text: str) -> None:
    rows = [
        {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-02-20T09:00:00Z",
         "cwd": str(cwd)},
        {"type": "message", "id": "a1", "parentId": None, "timestamp": "2026-02-20T09:00:01Z",
         "message": {"role": "user", "content": text}},
        {"type": "message", "id": "a2", "parentId": "a1", "timestamp": "2026-02-20T09:00:05Z",
         "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}},
    ]  # fmt: skip
    file = home / ".pi/agent/sessions/--x--/1_s1.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


def opencode(home: Path, cwd: Path, text: str) -> None:
    storage, time = home / ".local/share/opencode/storage", {"created": 1_771_578_000_000}
    said = {"id": "p1", "sessionID": "ses_1", "messageID": "msg_1", "type": "text", "text": text}
    for path, value in (
        ("session/p/ses_1", {"id": "ses_1", "directory": str(cwd), "time": time}),
        ("message/ses_1/msg_1", {"id": "msg_1", "role": "user", "time": time}),
        ("part/msg_1/p1", said),
    ):
        file = storage / f"{path}.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(value))


@pytest.mark.parametrize(
    ("agent", "template"), [(pi, ".pi/prompts/up.md"), (opencode, ".opencode/command/up.md")]
)
def test_the_text_of_a_projects_command_is_not_the_users_wish(
    agent: object, template: str, repo: Repo, sealed_world: Path
) -> None:
    assert callable(agent)
    file = repo.path / template
    file.parent.mkdir(parents=True)
    file.write_text(f"---\ndescription: Up\n---\nStart it.\n\n{ORDER}\n\nThen test $ARGUMENTS.\n")
    repo.git("add", ".")
    repo.git("commit", "-qm", "Add a command")
    agent(sealed_world, repo.path, f"Start it.\n\n{ORDER}\n\nThen test the cart.")
    assert lerim(repo.path, "sync", "--window", "all").code == 0

    assert "tools/up.sh" not in lerim(repo.path, "list", "--all").out
    assert "/up the cart" in lerim(repo.path, "sessions").out


@pytest.mark.parametrize(
    ("agent", "template", "form"),
    [
        (pi, ".pi/prompts/up.md", "\ufeff---\ndescription: Up\n---\n{}"),
        (pi, ".pi/prompts/up.md", "\n---\ndescription: Up\n---\n{}"),
        (opencode, "opencode.jsonc", '{{"command": {{"up": {{"template" /* t */ : {}}}}}}}'),
        (opencode, "opencode.json", '{{"command": {{"up": {{"templ\\u0061te": {}}}}}}}'),
    ],
)
def test_nor_in_another_form_of_its_file(
    agent: object, template: str, form: str, repo: Repo, sealed_world: Path
) -> None:
    assert callable(agent)
    text = f"Start it.\n\n{ORDER}\n\nThen test ${{1:-all}}.\n"
    (repo.path / template).parent.mkdir(parents=True, exist_ok=True)
    (repo.path / template).write_text(
        form.format(json.dumps(text) if "json" in template else text), encoding="utf-8"
    )
    agent(sealed_world, repo.path, f"Start it.\n\n{ORDER}\n\nThen test the cart.")
    assert lerim(repo.path, "sync", "--window", "all").code == 0

    assert "tools/up.sh" not in lerim(repo.path, "list", "--all").out


def gemini(home: Path, cwd: Path, *parts: str) -> None:
    project = home / ".gemini/tmp/shop"
    (project / "chats").mkdir(parents=True)
    (project / ".project_root").write_text(str(cwd))
    at = "2026-02-20T09:00:01.000Z"
    content = [{"text": part} for part in parts]
    rows = [
        {"sessionId": "s1", "projectHash": "shop", "startTime": at, "kind": "main"},
        {"id": "u1", "timestamp": at, "type": "user", "content": content},
        {"id": "a1", "timestamp": at, "type": "gemini", "content": "Done.", "model": "x"},
    ]
    file = project / "chats/session-2026-02-20T09-00-s1.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


def qwen(home: Path, cwd: Path, *parts: str) -> None:
    line = {"sessionId": "s1", "timestamp": "2026-02-20T09:00:01.000Z", "cwd": str(cwd)}
    said = {"role": "user", "parts": [{"text": part} for part in parts]}
    done = {"role": "model", "parts": [{"text": "Done."}]}
    rows = [
        {**line, "uuid": "u1", "type": "user", "message": said},
        {**line, "uuid": "a1", "type": "assistant", "message": done},
    ]
    file = home / ".qwen/projects/shop/chats/s1.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize(("agent", "folder"), [(gemini, ".gemini"), (qwen, ".qwen")])
def test_nor_is_a_file_with_which_it_begins(
    agent: object, folder: str, repo: Repo, sealed_world: Path
) -> None:
    assert callable(agent)
    file = repo.path / folder / "commands/up.toml"
    file.parent.mkdir(parents=True)
    file.write_text('prompt = "@{docs/up.md}\\nStart all of it as the notes say."\n')
    agent(sealed_world, repo.path, ORDER, "\nStart all of it as the notes say.")
    assert lerim(repo.path, "sync", "--window", "all").code == 0

    assert "tools/up.sh" not in lerim(repo.path, "list", "--all").out
    assert "/up" in lerim(repo.path, "sessions").out


def test_what_the_user_typed_is_kept_beside_templates(repo: Repo, sealed_world: Path) -> None:
    (repo.path / ".pi/prompts").mkdir(parents=True)
    (repo.path / ".pi/prompts/up.md").write_text(ORDER)
    pi(sealed_world, repo.path, OWN)
    assert lerim(repo.path, "sync", "--window", "all").code == 0

    assert "short sentences" in lerim(repo.path, "list").out
