"""Find the importable files of a folder or file, detect their format, and read them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from git_lerim.bulk import halved
from git_lerim.errors import BadMemory, UsageError
from git_lerim.extraction.from_files import exported, notes, walking
from git_lerim.extraction.from_files.base import File, Form, LeftOut, Reading
from git_lerim.extraction.from_files.sources import READERS, Read, form_of_file, sort_out
from git_lerim.tokens import counted, printable

_SAMPLE = 5


@dataclass(slots=True)
class Gathered:
    """The result of importing a folder or file: what was found, and which files were read."""

    reading: Reading = field(default_factory=Reading)
    read: dict[str, Path] = field(default_factory=dict)  # files read, by name
    forms: dict[Form, int] = field(default_factory=dict)  # number of files of each format


def gather(source: Path, form: Form | None, name: Callable[[str], str]) -> Gathered:
    """Read a folder or file in its detected format or, if given, in the format `form`.

    `name` maps the path of a file below the source to the name by which memories cite the file.
    Raises UsageError.
    """
    if source.is_dir():
        return _folder(source, form, name)
    if not source.is_file():
        place = printable(str(source))
        why = (
            f"{place} is neither a file nor a folder"
            if source.exists()
            else f"no such file or folder: {place}"
        )
        raise UsageError(why, hint="git lerim import FOLDER|FILE")
    folder, path = source.parent, source.name
    known = form or form_of_file(source.as_posix(), lambda: _tried(folder, path))
    if known is None:
        raise UsageError(
            f"{printable(path)} has no known format",
            hint="to import it as a note, use --as notes",
        )
    made = Gathered()
    text = _text(folder, path, name, made, known)
    if text is None:
        return made
    if known is Form.ADR:
        _record_alone(folder, path, name, made)
    else:
        _read(_reader(known, loose=form is not None, named=True), {path: text}, name, made)
        made.forms[known] = 1
    return made


def _record_alone(folder: Path, path: str, name: Callable[[str], str], made: Gathered) -> None:
    """Read one decision record, and its neighbours only to see which of them supersede it."""
    beside = {path, *sorted(other.name for other in folder.glob("*.md"))[: walking.FILES]}
    texts = {other: shown for other in beside if (shown := _tried(folder, other)) is not None}
    around = Gathered()
    _read(READERS[Form.ADR], texts, name, around)
    mine = name(path)
    made.reading.found += [one for one in around.reading.found if one.file == mine]
    made.reading.left += [one for one in around.reading.left if one.place == mine]
    made.read[mine], made.forms[Form.ADR] = Path(path), 1


def _tried(folder: Path, path: str) -> str | None:
    try:
        return walking.text_of(folder, path)
    except BadMemory:
        return None


def _folder(source: Path, form: Form | None, name: Callable[[str], str]) -> Gathered:
    made = Gathered()
    texts: dict[str, str | None] = {}

    def text(path: str) -> str | None:
        if path not in texts:
            texts[path] = _text(source, path, name, made, form)
        return texts[path]

    paths = _own(source, list(walking.walk(source)), name, made)
    if form is None:
        found = sort_out(paths, source.as_posix(), text)
        by_form, beside = found.by_form, found.beside
    else:
        ends = (".json", ".md") if form is Form.EXPORT else (".md", ".markdown", ".mdc", "rules")
        by_form, beside = {form: [path for path in paths if path.lower().endswith(ends)]}, []
    if sum(map(len, by_form.values())) > walking.FILES:
        raise UsageError(
            f"{printable(str(source))} has more than {walking.FILES} files to read",
            hint="import its subfolders one by one",
        )
    for known, some in by_form.items():
        if form is Form.NOTES:  # none of their texts is needed twice
            _notes(source, some, name, made)
            continue
        given = {path: shown for path in some if (shown := text(path)) is not None}
        _read(_reader(known, loose=form is not None), given, name, made)
        if given:
            made.forms[known] = len(given)
    place = printable(name("").rstrip("/") or source.name)
    _rest(place, paths, {path for some in by_form.values() for path in some}, beside, made)
    return made


def _notes(source: Path, paths: list[str], name: Callable[[str], str], made: Gathered) -> None:
    """Read notes one by one, so that no process holds the texts of many notes at once."""
    each = dict(zip(paths, halved(lambda: partial(_note, source, name), paths), strict=True))
    for one in each.values():
        if isinstance(one, LeftOut):
            made.reading.left.append(one)
    for path, one in sorted(each.items()):
        if not isinstance(one, LeftOut):
            made.read[one[0]] = Path(path)
            made.reading.found += one[1].found
            made.reading.left += one[1].left
    if made.read:
        made.forms[Form.NOTES] = len(made.read)


def _note(source: Path, name: Callable[[str], str], path: str) -> tuple[str, Reading] | LeftOut:
    """Return the name of a note and the result of reading it, or why it cannot be read."""
    try:
        text = walking.text_of(source, path)
    except BadMemory as error:
        return LeftOut(place=name(path), reason=str(error), failed=True)
    file = File(name=name(path), path=path, text=text)
    return file.name, notes.read_alone(file, loose=True)


def _own(source: Path, paths: list[str], name: Callable[[str], str], made: Gathered) -> list[str]:
    """Return the paths, leaving out links to other files of the source, which are read anyway."""
    known = set(paths)
    kept = []
    for path in paths:
        target = walking.link_target(source, path)
        if target in known and target != path:
            made.reading.leave(name(path), f"is a link to {target}, which is imported itself")
        else:
            kept.append(path)
    return kept


def _rest(place: str, paths: list[str], taken: set[str], beside: list[str], made: Gathered) -> None:
    """Record how many files were not read; they are not listed, as a repository has many."""
    other = len(paths) - len(taken) - len(beside)
    if beside:
        few = ", ".join(beside[:_SAMPLE]) + (", …" if len(beside) > _SAMPLE else "")
        lie = f"{'is' if len(beside) == 1 else 'are'} not in a place known for memories"
        made.reading.leave(
            place,
            f"{counted(len(beside), 'other markdown file')} {lie}; --as notes imports such files"
            f" ({few})",
        )
    if other:
        made.reading.leave(
            place,
            f"{counted(other, 'file')} of another type {'was' if other == 1 else 'were'} not read",
        )


def _text(
    folder: Path, path: str, name: Callable[[str], str], made: Gathered, form: Form | None
) -> str | None:
    whole_export = form is Form.EXPORT and path.endswith(".json")
    largest = walking.LARGEST_EXPORT if whole_export else walking.LARGEST
    try:
        return walking.text_of(folder, path, largest=largest)
    except BadMemory as error:
        made.reading.leave(name(path), str(error), failed=True)
        return None


def _reader(form: Form, *, loose: bool, named: bool = False) -> Read:
    if form is Form.NOTES:
        return partial(notes.read, loose=loose, named=named)
    return partial(exported.read, named=named) if form is Form.EXPORT else READERS[form]


def _read(read: Read, texts: dict[str, str], name: Callable[[str], str], made: Gathered) -> None:
    files = [File(name=name(path), path=path, text=text) for path, text in sorted(texts.items())]
    made.read |= {file.name: Path(file.path) for file in files}
    read(files, made.reading)
