import pytest

from git_lerim.redaction.own_secrets.elsewhere import Values, certain, values_of
from git_lerim.redaction.own_secrets.shown import lines_naming_secrets
from git_lerim.redaction.redactor import Redactor


def shown_in(text: str) -> Values:
    return certain(values_of(text, Redactor().find(text)))


VALUE = "vK7" + "mQ2xR9tLw4Z"


@pytest.mark.parametrize(
    "output",
    [
        f"DB_HOST=a\nDB_PASSWORD={VALUE}\nDB_PORT=1",
        f"     12\u2192DB_PASSWORD={VALUE}\n",
        f"Password:\n    {VALUE}\n",
        f'{{"api_key": "{VALUE}"}}',
        "x" * 100_000 + f"\nexport API_TOKEN={VALUE}\n" + "y" * 100_000,
        "İ" * 1000 + f"\nDB_PASSWORD={VALUE}\n",
    ],
)
def test_the_secret_that_an_output_names_is_found_in_few_lines(output: str) -> None:
    told = lines_naming_secrets(output)

    assert len(told) <= 700
    assert set(shown_in(told)) == {VALUE.lower()}


@pytest.mark.parametrize(
    "output",
    ["", "All 12 tests passed.", "Use a token.\nNo number.", "password = os.environ['PW1']", "pwd"],
)
def test_other_outputs_show_no_secret(output: str) -> None:
    assert shown_in(lines_naming_secrets(output)) == {}


def test_little_of_an_output_full_of_names_is_searched() -> None:
    assert len(lines_naming_secrets("token 1\n" * 1_000_000)) <= 25_000
    assert len(lines_naming_secrets("token1" * 1_000_000)) <= 25_000
