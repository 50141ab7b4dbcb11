"""Which files are known to hold rules."""

import pytest

from git_lerim.memories.rule_files import is_rule_file


@pytest.mark.parametrize(
    "path",
    [
        "CLAUDE.md",
        "a/AGENTS.md",
        "AGENTS.override.md",
        "QWEN.md",
        ".cursorrules",
        ".cursor/rules/a/b.mdc",
        ".claude/rules/style.md",
        ".github/copilot-instructions.md",
        ".github/instructions/python.instructions.md",
        ".clinerules/a.md",
        ".roo/rules-code/a.md",
        ".kiro/steering/tech.md",
        "web/.kiro/steering/product.md",
        ".junie/guidelines.md",
        ".amazonq/rules/a.md",
        ".goosehints",
    ],
)
def test_files_of_rules_are_known_by_their_paths(path: str) -> None:
    assert is_rule_file(path)


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "docs/agents.txt",
        "claude.md.bak",
        ".kiro/specs/shop/design.md",
        ".kiro/steering/logo.png",
        "guidelines.md",
        "rules/a.md",
        ".claude/commands/fix.md",
    ],
)
def test_other_files_are_not(path: str) -> None:
    assert not is_rule_file(path)
