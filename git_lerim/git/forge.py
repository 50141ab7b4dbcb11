"""Open pull requests on a remote's forge, through a web page or the forge's own program."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlencode, urlsplit

from git_lerim.git.running.environment import network_environment
from git_lerim.git.running.process import plain

PATIENCE = 120.0  # seconds
_SCP = re.compile(r"(?:[^@/:]+@)?(?P<host>\[[^\]]+\]|[^/:@]+):(?!//)(?P<path>.+)")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]")
_OTHER_DOORS = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
_KINDS = ("github", "gitlab", "bitbucket")
_PROGRAMS = {"github": "gh", "gitlab": "glab"}
_ALONE = {"GH_PROMPT_DISABLED": "1", "NO_PROMPT": "1", "GLAB_NO_PROMPT": "1", "NO_COLOR": "1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project on a forge, whose URL contains no credentials."""

    kind: str  # github | gitlab | bitbucket | other, such as Gitea, with URLs like GitHub's
    site: str  # https://host[:port]
    path: str  # owner/name, or more folders

    def compare(self, base: str, head: str) -> str:
        """Return the URL of the page that compares two branches and opens a pull request."""
        at = f"{self.site}/{quote(self.path)}"
        if self.kind == "gitlab":
            asked = {"merge_request[source_branch]": head, "merge_request[target_branch]": base}
            return f"{at}/-/merge_requests/new?{urlencode(asked)}"
        if self.kind == "bitbucket":
            return f"{at}/pull-requests/new?{urlencode({'source': head, 'dest': base})}"
        query = "?expand=1" if self.kind == "github" else ""
        return f"{at}/compare/{quote(base)}...{quote(head)}{query}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A pull request to open."""

    base: str
    head: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The result of running a forge's program to open a pull request."""

    program: str
    done: bool
    said: str  # safe to print


def project(url: str) -> Project | None:
    """Return the project that a remote's URL points to, or None for a folder or an invalid URL."""
    found = _split(url)
    if found is None:
        return None
    scheme, host, port, path = found
    host = _OTHER_DOORS.get(host.lower(), host.lower())
    path = path.strip("/").removesuffix(".git").rstrip("/")
    steps = path.split("/")
    if (
        not _HOST.fullmatch(host)
        or len(steps) < 2
        or any(step in {"", ".", ".."} for step in steps)
        or not path.isprintable()
    ):
        return None
    kind = next((kind for kind in _KINDS if kind in host), "other")
    return Project(kind=kind, site=f"{scheme}://{host}{f':{port}' if port else ''}", path=path)


def _split(url: str) -> tuple[str, str, int | None, str] | None:
    """Return scheme, host, port and path of the project's web pages; None if there are none.

    The port of an ssh URL is dropped.
    """
    if "://" not in url:
        scp = _SCP.fullmatch(url)
        return (
            ("https", scp["host"], None, scp["path"]) if scp and len(scp["host"]) > 1 else None
        )  # `C:/x` is a folder
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    host = f"[{host}]" if ":" in host else host
    if parts.scheme in {"http", "https"}:
        return parts.scheme, host, port, unquote(parts.path)
    if parts.scheme in {"ssh", "git", "git+ssh", "ssh+git"}:
        return "https", host, None, unquote(parts.path)
    return None


def open_request(where: Project, request: Request) -> Opened | None:
    """Open a pull request with the forge's program; return None if that is not installed.

    The program runs outside any repository, so that no repository's configuration affects it.
    """
    program = _PROGRAMS.get(where.kind, "")
    found = shutil.which(program) if program else None
    if found is None:
        return None
    with tempfile.TemporaryDirectory(prefix="git-lerim-") as folder:
        file = Path(folder) / "description.md"
        file.write_text(request.text, encoding="utf-8")
        args = list(_arguments(where, request, file))
        try:
            done = subprocess.run(
                [found, *args], cwd=folder, env=network_environment() | _ALONE,
                stdin=subprocess.DEVNULL, capture_output=True,
                check=False, timeout=PATIENCE,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Opened(
                program=program, done=False, said=f"it took longer than {PATIENCE:.0f} seconds"
            )
        except OSError as error:
            return Opened(program=program, done=False, said=plain(str(error.strerror)))
    return Opened(
        program=program,
        done=not done.returncode,
        said=_said(done.stderr if done.returncode else done.stdout),
    )


def _arguments(where: Project, request: Request, file: Path) -> Iterator[str]:
    if where.kind == "github":
        yield from ("pr", "create", "-R", f"{where.site.partition('://')[2]}/{where.path}")
        yield from (
            "-B",
            request.base,
            "-H",
            request.head,
            "--title",
            request.title,
            "--body-file",
            str(file),
        )
    else:
        yield from ("mr", "create", "-R", f"{where.site}/{where.path}")
        yield from ("--target-branch", request.base, "--source-branch", request.head)
        yield from ("--title", request.title, "--description", request.text, "--yes")


def _said(told: bytes) -> str:
    lines: Sequence[str] = [
        line.strip() for line in told.decode("utf-8", "replace").splitlines() if line.strip()
    ]
    return plain(" ".join(lines[-3:]))[:600]
