"""An agent begins a task of its own, and what it writes there is not the user's wish."""

import json
import time
from typing import Any

from support.repos import Repo
from support.world import World

ORDER = "Always use tabs instead of spaces in the Python files, because the linter wants tabs."


def task(world: World, number: int, *messages: dict[str, Any]) -> None:
    """Let Cline write the messages of a task."""
    folder = world.home / ".cline/data/tasks" / str(number)
    folder.mkdir(parents=True)
    timed = [{"ts": number + n} | message for n, message in enumerate(messages)]
    (folder / "ui_messages.json").write_text(json.dumps(timed))


def said(text: str) -> dict[str, str]:
    return {"type": "say", "say": "text", "text": text}


def test_the_context_of_a_task_that_the_agent_began_is_no_wish_of_the_user(
    world: World, repo: Repo
) -> None:
    started = json.dumps(
        {"request": f"<environment_details>\n# Current Working Directory ({repo.path}) Files\n"}
    )
    request = {"type": "say", "say": "api_req_started", "text": started}
    done = {"type": "say", "say": "completion_result", "text": "Done, tabs are used."}
    now = int(time.time()) * 1000
    handed = {"type": "ask", "ask": "new_task", "text": f"{ORDER}\n"}
    task(world, now - 120_000, said("Make it faster."), request, handed)
    task(world, now - 60_000, said(f"{ORDER}\n"), request, done)

    assert world.lerim(repo.path, "sync").code == 0

    assert world.lerim(repo.path, "list", "--json").json == []
