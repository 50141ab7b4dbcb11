"""Ask git's credential helpers for a password, without any prompt."""

import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from git_lerim.git.repo import Place
from git_lerim.git.running.drivers import transport_settings
from git_lerim.git.running.process import run_git

# An empty GIT_ASKPASS disables other prompting programs; the last is for Git Credential Manager.
_SILENT = {"GIT_ASKPASS": "", "SSH_ASKPASS": "", "GCM_INTERACTIVE": "never"}


def password(place: Place, url: str) -> str:
    """Return the stored password for a URL, or an empty string.

    If the repository's own configuration has settings for credentials, these are ignored, because
    somebody else may have written them.
    """
    parts = urlsplit(url)
    asked = f"protocol={parts.scheme}\nhost={parts.netloc}\npath={parts.path.strip('/')}\n\n"
    if any(key.startswith("credential.") for key in transport_settings(place)):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            output = run_git(
                ["credential", "fill"],
                cwd=folder,
                input=asked.encode(),
                check=False,
                env=_SILENT | {"GIT_CEILING_DIRECTORIES": str(folder.parent)},
            )
    else:
        output = run_git(
            place.git("credential", "fill"),
            cwd=place.git_dir,
            input=asked.encode(),
            check=False,
            env=_SILENT,
        )
    lines = output.decode(errors="replace").splitlines()
    return next(
        (line.removeprefix("password=") for line in lines if line.startswith("password=")), ""
    )
