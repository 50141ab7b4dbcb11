"""Troubles that a machine or a stranger can give: full and read-only disks, other gits, branches
that we did not write.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.repos import Repo

Entry = tuple[int, bytes, bytes]  # mode, name, content (of a submodule: the commit's id)


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[Path]:
    """Mount something on a folder, or skip the test where nobody may."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        ["mount", *options, str(folder)], capture_output=True, check=False, text=True
    )
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Let nothing be written below a folder: by its mode, or for root, who passes any mode, by a
    mount.
    """
    if os.geteuid():
        folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
        modes = {path: path.stat().st_mode for path in folders}
        for path in folders:
            path.chmod(0o555)
        try:
            yield
        finally:
            for path, mode in modes.items():
                path.chmod(mode)
        return
    with mounted(folder, "--bind", str(folder)):
        subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
        yield


def program(folder: Path, name: str, script: str) -> Path:
    """Write a shell script that can be run by its name, once its folder is on PATH; return the
    folder.
    """
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return folder


def store(repo: Repo, files: Mapping[str, bytes | str]) -> None:
    """Commit files on the memory branch as a person with git would, not as we do."""
    index = Repo(repo.path).git("rev-parse", "--absolute-git-dir") + "/index-of-a-test"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_INDEX_FILE", index)
        repo.git("read-tree", "lerim/memory")
        for path, content in files.items():
            blob = repo.git("hash-object", "-w", "--stdin", stdin=content)
            repo.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
        tree = repo.git("write-tree")
    Path(index).unlink()
    _move(repo, tree)


def store_raw(repo: Repo, folders: Mapping[str, list[Entry]]) -> None:
    """Commit top folders made of the very entries given, such as no git would write; the others
    stay.
    """
    entries = {
        line.split("\t")[1]: line.split()[:3]
        for line in repo.git("ls-tree", "lerim/memory").splitlines()
    }
    for name, below in folders.items():
        entries[name] = ["040000", "tree", _raw_tree(repo, below)]
    listed = "".join(
        f"{mode} {kind} {id_}\t{name}\n" for name, (mode, kind, id_) in entries.items()
    )
    _move(repo, repo.git("mktree", stdin=listed))


def _raw_tree(repo: Repo, entries: list[Entry]) -> str:
    raw = b""
    for mode, name, content in entries:
        id_ = (
            content.decode()
            if mode == 0o160000
            else repo.git("hash-object", "-w", "--stdin", stdin=content)
        )
        raw += b"%o %s\0" % (mode, name) + bytes.fromhex(id_)
    return repo.git("hash-object", "-t", "tree", "-w", "--stdin", "--literally", stdin=raw)


def _move(repo: Repo, tree: str) -> None:
    commit = repo.git("commit-tree", tree, "-p", "lerim/memory", "-m", "by hand")
    repo.git("update-ref", "refs/heads/lerim/memory", commit)


def removed(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
