import pytest

from git_lerim.extraction.from_git.documents import is_document, is_text, parts_of


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "readme",
        "packages/web/README.rst",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "AGENTS.md",
        "web/CLAUDE.md",
        ".cursorrules",
        ".cursor/rules/style.mdc",
        ".kiro/steering/tech.md",
        ".github/copilot-instructions.md",
        "docs/design.md",
        "docs/adr/0001-use-x.md",
        "doc/guide/a.adoc",
        "rfcs/12.txt",
    ],
)
def test_documents_are_known_by_their_names(path: str) -> None:
    assert is_document(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/a.py",
        "notes.md",
        "node_modules/x/README.md",
        "vendor/y/docs/a.md",
        "tests/fixtures/README.md",
        ".lerim/memory/README.md",
        "docs/logo.svg",
        "docs/LICENSE.md",
    ],
)
def test_other_files_are_not_read(path: str) -> None:
    assert not is_document(path)


def test_a_folder_that_is_named_may_hold_any_text() -> None:
    assert is_text("notes/a.md")
    assert not is_text("notes/a.py")


def test_a_document_is_cut_at_its_headings() -> None:
    text = "\nIntro.\n\n# One\n\nA.\n```\n# no heading\n```\n\n## Two\nB.\n\n# One\nC.\n"
    assert [(part.lines, part.place) for part in parts_of(text)] == [
        ((2, 2), ""),
        ((4, 9), "one"),
        ((11, 12), "two"),
        ((14, 15), "one 2"),
    ]


def test_headings_of_other_markup_are_known() -> None:
    text = "Title\n=====\n\nA.\n\nPart\n----\nB.\n\n== Third\nC.\n\n---\n\nD.\n"
    assert [(part.lines, part.place) for part in parts_of(text)] == [
        ((1, 4), "title"),
        ((6, 8), "part"),
        ((10, 15), "third"),
    ]


def test_a_long_section_is_cut_between_paragraphs() -> None:
    paragraph = "word " * 100 + "\n\n"
    found = parts_of("# One\n\n" + paragraph * 10)

    assert len(found) > 2
    assert {part.place for part in found} == {"one"}
    assert all(len(part.text) < 2500 for part in found)
    assert [part.lines[0] for part in found] == sorted(part.lines[0] for part in found)


def test_one_endless_line_is_cut_off() -> None:
    (part,) = parts_of("x" * 100_000)
    assert len(part.text) == 6000
