import pytest
from support.costs import grows_evenly

from git_lerim.extraction.from_files.base import File, Form, Reading
from git_lerim.extraction.from_files.sources import READERS, form_of_file, sort_out

RECORD = "# 1. Use X\n\n## Status\n\nAccepted\n\n## Context\n\nA.\n\n## Decision\n\nB.\n"
OURS = '---\nid: "k3v2qd2m7x4ab"\nprimitive: "decision"\n---\n'
MINE = "decisions/2026-02/20260220-use-sqlite-k3v2qd2m7x4ab.md"
NOTE = "---\ntitle: x\n---\nText.\n"


@pytest.mark.parametrize(
    ("files", "place", "forms"),
    [
        ({MINE: OURS}, "/out", {Form.EXPORT: 1}),
        ({"decisions/20260220-a.md": NOTE, "index.md": ""}, "/x", {Form.LERIM: 2}),
        ({"user_a.md": NOTE}, "/repo/.lerim/memory", {Form.LERIM: 1}),
        ({"0001-a.md": RECORD, "README.md": "", "template.md": ""}, "/repo/docs/adr",
            {Form.ADR: 3}),
        ({"a.md": NOTE, "b.md": NOTE, "0001-a.md": RECORD}, "/notes", {Form.NOTES: 3}),
        ({"a.mdc": "", "b/c.mdc": ""}, "/repo/.cursor/rules", {Form.RULES: 2}),
        (
            {"CLAUDE.md": "", "docs/adr/0001-a.md": RECORD,
                ".lerim/memory/decisions/20260220-a.md": NOTE, "docs/guide.md": NOTE},
            "/repo", {Form.RULES: 1, Form.ADR: 1, Form.LERIM: 1},
        ),
        ({}, "/empty", {Form.NOTES: 0}),
    ],
)  # fmt: skip
def test_a_folder_is_known_by_what_lies_in_it(
    files: dict[str, str], place: str, forms: dict[Form, int]
) -> None:
    found = sort_out(list(files), place, files.get)

    assert {form: len(some) for form, some in found.by_form.items()} == forms
    assert len(found.beside) == len(files) - sum(forms.values())


def test_files_that_cannot_be_read_say_nothing_of_the_format() -> None:
    texts = {"0001-a.md": RECORD}

    found = sort_out(["0001-a.md", "0002-gone.md", "0003-gone.md"], "/repo/docs/adr", texts.get)

    assert list(found.by_form) == [Form.ADR]


@pytest.mark.parametrize(
    ("path", "text", "form"),
    [
        ("/r/CLAUDE.md", "", Form.RULES), ("/r/out.json", "", Form.EXPORT),
        ("/r/a.md", OURS, Form.EXPORT),
        ("/r/a.md", RECORD, Form.ADR), ("/r/a.md", NOTE, Form.NOTES),
        ("/r/.lerim/memory/decisions/1.md", NOTE, Form.LERIM),
        ("/r/a.png", "", None),
    ],
)  # fmt: skip
def test_a_file_is_known_by_its_name_or_content(path: str, text: str, form: Form | None) -> None:
    assert form_of_file(path, lambda: text) is form


@pytest.mark.parametrize(
    "mark",
    [
        "[",
        "#",
        " ",
        "\n",
        "`",
        "- ",
        "*",
        "|",
        "{",
        "~",
        "<!--",
        "# a\n",
        "- a\n",
        "  - a\n",
        "a.",
        "\n\n",
        "_",
        "> ",
        "---\n",
    ],
)
@pytest.mark.parametrize(
    "lead",
    [
        "",
        "# 1. A\n\nStatus: superseded by [",
        "## Status\n\nSupersedes ",
        "## Decision\n\n- Always ",
    ],
)
def test_a_file_made_to_be_slow_is_not(mark: str, lead: str) -> None:
    def read(size: int) -> None:
        text = lead + mark * (size // len(mark)) + "\n## Decision\n\nx\n"
        for form in (Form.ADR, Form.RULES, Form.NOTES, Form.LERIM):
            READERS[form]([File(name="a.md", path="a.md", text=text)], Reading())

    assert grows_evenly(read, 25_000)
