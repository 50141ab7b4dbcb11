import json

import pytest

from git_lerim.agents.mcp_prompt import is_prompt


@pytest.mark.parametrize("text", ["Fix it.", 'He says "no".\nüber \ud800', "", "a\\b\u2028"])
def test_a_json_string_is_a_servers_prompt(text: str) -> None:
    assert is_prompt(json.dumps(text))
    assert is_prompt(f"{json.dumps(text, ensure_ascii=False)}\n")


@pytest.mark.parametrize(
    "text", ["", '"', "Fix it.", '"Tabs" or "spaces"', '"a\nb"', '{"a": "b"}', '"a" b', "12"]
)
def test_other_text_is_none(text: str) -> None:
    assert not is_prompt(text)
