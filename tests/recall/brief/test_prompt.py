import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_lerim.recall.brief.prompt import FILES, files_named, plain_query, prompt_of


@pytest.mark.parametrize(
    ("prompt", "named"),
    [
        ("fix src/a.py", ["src/a.py"]),
        ("(see `src/a.py:12-20`).", ["src/a.py"]),
        ("a.py, b.test.ts and README.md!", ["a.py", "b.test.ts", "README.md"]),
        ("./lib/../x/y", ["lib/x/y"]),
        ("C:\\work\\src\\a.py", ["C:/work/src/a.py"]),
        (".gitignore and .env.local", [".gitignore", ".env.local"]),
        ("Python 3.11 is out... e.g. now, 1/2 of it", ["e.g", "1/2"]),
        ("https://example.org/a.py", []),
        ("", []),
        ("/ // . ..", []),
    ],
)
def test_files_and_folders_are_named_in_passing(prompt: str, named: list[str]) -> None:
    assert [ways[0] for ways in files_named(prompt)] == named


def test_a_path_is_looked_for_by_its_ends_too() -> None:
    assert files_named("/home/ada/a.py") == [["home/ada/a.py", "ada/a.py", "a.py"]]


def test_no_more_files_are_looked_up_than_a_person_would_name() -> None:
    assert len(files_named(" ".join(f"f{n}.py" for n in range(1000)))) == FILES


@pytest.mark.parametrize(
    ("prompt", "query"),
    [('fix "it" -now kind:fact', "fix it now kind fact"), ("--- -", ""), ("glob *.py", "glob .py")],
)
def test_what_a_person_writes_is_no_operator(prompt: str, query: str) -> None:
    assert plain_query(prompt) == query


@given(st.text())
def test_any_prompt_can_be_read(prompt: str) -> None:
    assert not set(plain_query(prompt)) & set('":*')
    assert all(ways[0] for ways in files_named(prompt))


@pytest.mark.parametrize(
    ("given", "prompt"),
    [
        ("fix the catalog", "fix the catalog"),
        ('{"hook_event_name": "UserPromptSubmit", "prompt": "fix it"}', "fix it"),
        ('{"prompt": [{"type": "text", "text": "fix it"}, {"type": "image"}, 7]}', "fix it\n"),
        ('{"prompt": null}', ""),
        ('{"hook_event_name": "SessionStart", "source": "startup"}', None),
        ('{"a": 1} is what it printed', '{"a": 1} is what it printed'),
        ('{"a": 1}', '{"a": 1}'),
        ("{", "{"),
        ('{"a":' * 200_000, '{"a":' * 200_000),
        ("", ""),
    ],
)
def test_a_prompt_is_text_or_the_json_of_a_hook(given: str, prompt: str | None) -> None:
    assert prompt_of(given) == prompt
