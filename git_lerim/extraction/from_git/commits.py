"""Choose which commits of a repository a model reads, and which parts of them."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from git_lerim.git.history.messages import FileChange, Message
from git_lerim.tokens import clip

ROBOT, TRIVIAL, OURS = "by a bot", "too little information", "of the memory itself"
_BODY = 4000  # characters
_FILES = 8  # files of a commit that are named
_FEW = 3  # files that are named of a commit without a body
FILES_KNOWN = 200  # files of a commit that a memory can be about
_DIFF_LINES = 24  # changed lines; a longer diff is more than a decision about settings
_DIFF = 1200  # characters
_SHORT = 3  # words; a shorter subject says nothing

_ROBOTS = re.compile(
    r"\[bot\]|\b(?:dependabot|renovate|greenkeeper|snyk-bot|github-actions|pre-commit-ci|"
    r"allcontributors|mergify|weblate|semantic-release|pyup|imgbot|copybara)\b",
    re.IGNORECASE,
)
_NO_TEXT = re.compile(
    r"(?:fixup|squash|amend)! |(?:wip|tmp|temp|checkpoint|work in progress)\b|"
    r"merge (?:remote-tracking )?(?:branch|tag|commit|pull request)|"
    r"(?:(?:chore|build|docs?|style|ci|release|test|fix)(?:\([^)]*\))?!?: *)?"
    r"(?:(?:fix(?:es|ed)? |correct )?(?:a |some |the )?(?:typos?|spelling|whitespace|lint(?:ing)?|"
    r"formatting|grammar|tests?|build|ci|imports?|links?|readme)\b[^,;:]{0,30}$|"
    r"bump(?:s|ed)?\b|release\b|prepare (?:for )?release|v?\d+\.\d+|update(?:s|d)? "
    r"(?:dependenc|lock|changelog|translations?|submodules?|copyright)|reformat\b|run (?:black|"
    r"prettier|gofmt|rustfmt|ruff|isort)\b|initial commit|first commit|clean ?up$|minor\b)",
    re.IGNORECASE,
)
_TRAILER = re.compile(r"[A-Z][A-Za-z-]+(?:-by|-Id|-on|-at|-to|ed-from)?: \S.*")
_CONFLICTS = re.compile(r"\n#? ?Conflicts:\n.*", re.DOTALL)
_OUR_TRAILER = re.compile(r"^Lerim-Op: ", re.MULTILINE)
_BLANK = re.compile(r"\n{3,}")
# Files in which a few lines can be a decision: on dependencies, builds, environments and checks.
_CHOOSING = re.compile(
    r"(?:.*/)?(?:pyproject\.toml|setup\.(?:cfg|py)|requirements[^/]*\.txt|package\.json|"
    r"Cargo\.toml|go\.mod|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|mix\.exs|"
    r"CMakeLists\.txt|Makefile|justfile|Dockerfile|(?:docker-)?compose[^/]*\.ya?ml|"
    r"\.tool-versions|\.nvmrc|\.python-version|"
    r"\.editorconfig|\.gitattributes|tsconfig[^/]*\.json|[^/]*\.config\.[jt]s|"
    r"\.(?:eslintrc|prettierrc|golangci|pre-commit-config)[^/]*|tox\.ini|ruff\.toml|mypy\.ini|"
    r"\.github/workflows/[^/]+|\.gitlab-ci\.yml|[^/]+\.(?:tf|nix))",
)


def left_out(message: Message) -> str:
    """Return why a model does not read a commit, or an empty string if it does."""
    if _OUR_TRAILER.search(message.text):
        return OURS
    if _ROBOTS.search(message.author):
        return ROBOT
    subject, body = parts(message)
    if body:
        return ""
    says_little = _NO_TEXT.match(subject) or len(subject.split()) < _SHORT
    return TRIVIAL if says_little or len(message.parents) > 1 else ""


def parts(message: Message) -> tuple[str, str]:
    """Return the subject of a commit, and its body without trailers and lists of conflicts."""
    subject, _, rest = message.text.strip().partition("\n")
    paragraphs = _CONFLICTS.sub("", f"\n{rest}").strip().split("\n\n")
    while paragraphs and all(_TRAILER.fullmatch(line) for line in paragraphs[-1].splitlines()):
        paragraphs.pop()
    return subject.strip(), _BLANK.sub("\n\n", "\n\n".join(paragraphs)).strip()


def choosing(changed: Sequence[FileChange]) -> list[str]:
    """Return the manifests and configuration files a commit changed, if their diff is small.

    A small change to such a file can be a decision, so a model reads the diff.
    """
    found = [one for one in changed if _CHOOSING.fullmatch(one.path)]
    lines = sum((one.added or 0) + (one.removed or 0) for one in found)
    return [one.path for one in found] if 0 < lines <= _DIFF_LINES else []


def shown(message: Message, changed: Sequence[FileChange], diff: str) -> str:
    """Return the text that shows a commit to a model: message, changed files and diff."""
    subject, body = parts(message)
    day = f"{datetime.fromtimestamp(message.at, UTC):%Y-%m-%d}"
    merge = " (merge)" if len(message.parents) > 1 else ""
    lines = [f"COMMIT {message.id[:12]} {day}{merge}: {subject}"]
    lines += [clip(body, _BODY)] if body else []
    lines += [f"Files: {_files(changed, _FILES if body else _FEW)}"] if changed else []
    lines += [f"Diff:\n{diff}"] if diff and len(diff) <= _DIFF else []
    return "\n".join(lines)


def _files(changed: Sequence[FileChange], most: int) -> str:
    ordered = sorted(changed, key=lambda one: -(one.added or 0) - (one.removed or 0))
    named = [one.path + _count(one) for one in ordered[:most]]
    more = len(changed) - len(named)
    return ", ".join([*named, *([f"and {more} more"] if more else [])])


def _count(one: FileChange) -> str:
    return "" if one.added is None else f" +{one.added} -{one.removed}"
