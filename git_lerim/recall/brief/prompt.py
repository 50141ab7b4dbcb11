"""Read a prompt: the files that it names, and its words as a plain query."""

from git_lerim.private_files import parse_json

LONGEST = 20_000  # characters of a prompt that are read
FILES = 24  # paths that are looked up
_AROUND = "`'\"()[]{}<>,;!?*“”‘’«»"
_OPERATORS = str.maketrans(dict.fromkeys('":*“”„«»', " "))


def files_named(prompt: str) -> list[list[str]]:
    """Return each path in a prompt with its endings: `src/app/a.py`, `app/a.py` and `a.py`."""
    found: dict[str, list[str]] = {}
    for word in prompt[:LONGEST].split():
        path = _bare(word)
        if path and path not in found:
            parts = path.split("/")
            found[path] = ["/".join(parts[start:]) for start in range(len(parts))]
        if len(found) == FILES:
            break
    return list(found.values())


def prompt_of(given: str) -> str | None:
    """Return the prompt in a text or in the JSON of an agent's hook; None if there is none."""
    if not given.lstrip().startswith("{"):
        return given
    try:
        payload = parse_json(given)
    except ValueError:
        return given
    if "prompt" not in payload:
        return None if "hook_event_name" in payload else given
    prompt = payload["prompt"]
    if isinstance(prompt, list):  # some agents pass blocks of content
        prompt = "\n".join(
            str(block.get("text", "")) for block in prompt if isinstance(block, dict)
        )
    return prompt if isinstance(prompt, str) else ""


def plain_query(prompt: str) -> str:
    """Return the words of a prompt as a search query, without characters of query syntax."""
    return " ".join(
        filter(None, (word.lstrip("-") for word in prompt[:LONGEST].translate(_OPERATORS).split()))
    )


def _bare(word: str) -> str:
    """Return the path in a word, without punctuation around it; empty if it is not a path."""
    path = word.strip(_AROUND).rstrip(".:").strip(_AROUND).replace("\\", "/")
    if "://" in path or len(path) > 400:
        return ""
    name, _, line = path.partition(":")  # src/a.py:12, src/a.py:12-20
    path = (name if line and line[0].isdigit() else path).strip("/")
    parts = [part for part in path.split("/") if part not in {"", ".", ".."}]
    if not parts:
        return ""
    stem, dot, suffix = parts[-1].rpartition(".")
    is_file = bool(dot) and suffix.isalnum() and len(suffix) <= 10 and any(map(str.isalpha, suffix))
    dotted = is_file and (stem == "" or not stem.endswith("."))
    return "/".join(parts) if dotted or len(parts) > 1 else ""
