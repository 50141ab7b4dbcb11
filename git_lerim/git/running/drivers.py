"""Find or disable the programs that a repository's configuration makes git run."""

import os
import re
from collections.abc import Mapping
from functools import cache

from git_lerim.git.repo import Place
from git_lerim.git.running.environment import emptied
from git_lerim.git.running.process import run_git

_DRIVER = re.compile(r"(filter|diff)\.(.*)\.[a-z]+", re.DOTALL)
_OWN_SCOPES = ("local", "worktree")
_OFF = {
    "filter": ("clean", "smudge", "process", "required"),
    "diff": ("textconv", "command"),
}


# _FETCHING: settings that can change what a fetch runs or which server it contacts
# _PLAIN: those among them that are harmless
# _HARMLESS: those that can name a server, but no program, no file and no way round the check of
# certificates, by which a password would go to another server
_FETCHING = r"^(core|remote|url|http|credential|fetch|gc|maintenance|protocol|ssh|transfer)\."
_PLAIN = re.compile(
    r"remote\..*\.(?:url|pushurl|fetch|push|promisor|partialclonefilter|tagopt|prune|mirror)|"
    r"core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|symlinks|"
    r"precomposeunicode|protecthfs|protectntfs|autocrlf|eol|safecrlf|quotepath|abbrev|worktree|"
    r"sharedrepository|sparsecheckout|sparsecheckoutcone|hookspath|fsmonitor|untrackedcache|"
    r"commentchar|editor|pager|excludesfile|attributesfile|whitespace|longpaths|compression|"
    r"preloadindex|trustctime|checkstat|fscache|commitgraph|multipackindex|bigfilethreshold)|"
    r"(?:fetch\.(?:prune|prunetags|parallel|recursesubmodules)|gc\.(?:auto|autodetach))",
    re.DOTALL,
)


_HARMLESS = re.compile(
    r"(?:url|fetch|gc|maintenance|transfer)\..*|remote\..*\.skip.*|"
    r"http\.(?:.*\.)?(?:postbuffer|lowspeed\w+|version|useragent|maxrequests|minsessions|"
    r"followredirects|sslversion|extraheader|noepsv)|"
    r"credential\.(?:.*\.)?(?:username|usehttppath)",
    re.DOTALL,
)


def transport_settings(place: Place) -> Mapping[str, str]:
    """Return the repository's own settings that could change how git talks to a remote.

    They name a program, such as `core.sshCommand`, or another address, or are unknown to git-lerim.
    Their values can contain passwords.
    """
    listed = run_git(
        place.git("config", "--show-scope", "-z", "--get-regexp", _FETCHING),
        cwd=place.git_dir,
        check=False,
    )
    words = os.fsdecode(listed).split("\0")
    found: dict[str, str] = {}
    for scope, entry in zip(words[::2], words[1::2], strict=False):
        key, _, value = entry.partition("\n")
        if scope in _OWN_SCOPES and not _PLAIN.fullmatch(key):
            found[key] = f"{found[key]}\n{value}" if key in found else value
    return found


def connecting_programs(place: Place) -> Mapping[str, str]:
    """Return the repository's own settings that could do harm when git connects to a remote.

    They make git run a program, write a file, or connect to another server.
    """
    settings = transport_settings(place).items()
    return {key: value for key, value in settings if not _HARMLESS.fullmatch(key)}


@cache
def disable_drivers(place: Place) -> tuple[str, ...]:
    """Return the git options that disable all configured filter and diff drivers."""
    listed = run_git(
        place.git("config", "--name-only", "-z", "--get-regexp", r"^(filter|diff)\."),
        cwd=place.git_dir,
        check=False,
    )
    names = (_DRIVER.fullmatch(name) for name in os.fsdecode(listed).split("\0"))
    found = dict.fromkeys((name[1], name[2]) for name in names if name)
    return tuple(
        word
        for kind, name in found
        for key in _OFF[kind]
        for word in emptied(f"{kind}.{name}.{key}")
    )
