"""Find out which files contain rules that coding agents load by themselves."""

import re

# These paths are from the documentation of the agents: Claude Code, Codex, Gemini CLI, Qwen Code,
# Copilot, Cursor, Windsurf, Cline, Roo, Kilo Code, Kiro, Junie, Continue, Augment, Amazon Q, Trae,
# Antigravity, Goose.
_PATH = re.compile(
    r"(?:.*/)?(?:(?:CLAUDE(?:\.local)?|AGENTS?(?:\.override)?|GEMINI|QWEN)\.md|"
    r"copilot-instructions\.md|[^/]+\.instructions\.md|[^/]+\.mdc|"
    r"\.(?:cursor|windsurf|cline|roo|kilocode)rules|\.goosehints|\.augment-guidelines|"
    r"\.(?:claude|cursor|windsurf|continue|augment|amazonq|trae|agent)/rules/(?:.*/)?[^/]+\.md|"
    r"\.(?:roo|kilocode)/rules(?:-[^/]+)?/(?:.*/)?[^/]+\.md|\.clinerules/(?:.*/)?[^/]+\.md|"
    r"\.kiro/steering/(?:.*/)?[^/]+\.md|\.junie/guidelines\.md)",
    re.DOTALL,
)


def is_rule_file(path: str) -> bool:
    """Return whether agents load a file as rules, judged by its path with `/` as separator."""
    return bool(_PATH.fullmatch(path))
