"""Open the configured models: the language models and the embedding model."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from git_lerim.config import Settings
from git_lerim.errors import BadSetting, ModelFailed
from git_lerim.git.repo import Place

if TYPE_CHECKING:
    from git_lerim.llm.base import Model
    from git_lerim.llm.chat import Chat
    from git_lerim.llm.program import Claude
    from git_lerim.recall.search.embeddings import Source

Key = Callable[[str], str]  # returns the API key for a URL


def one_model(
    settings: Settings, key: Key, env: Mapping[str, str], setting: str, patience: float
) -> "Claude | Chat":
    """Return the language model that a setting names; `patience` is its timeout in seconds.

    Raises BadSetting or ModelFailed.
    """
    name = settings[setting]
    return (
        _program(name, setting, patience, env)
        if name.startswith("cli:")
        else _chat(name, settings, key, patience)
    )


def language_model(
    settings: Settings, key: Key, env: Mapping[str, str], setting: str = "model"
) -> "Model":
    """Return the language model that a setting names, with a fallback if one is configured.

    The fallback is the model in lerim.fallbackModel. Raises BadSetting or ModelFailed.
    """

    def opened(setting: str) -> "Model":
        return one_model(settings, key, env, setting, settings["modelTimeout"])

    if settings["fallbackModel"] in {"", settings[setting]}:
        return opened(setting)
    from git_lerim.llm.fallback import WithFallback  # noqa: PLC0415 few have two

    try:
        return WithFallback(first=opened(setting), open_second=lambda: opened("fallbackModel"))
    except ModelFailed:  # the first is a program that is not installed
        return opened("fallbackModel")


def _program(name: str, setting: str, patience: float, env: Mapping[str, str]) -> "Claude":
    if name.split(":")[1] != "claude":
        hint = (
            "use cli:claude, the only program that can run without its tools, or a model at an"
            " endpoint"
        )
        raise BadSetting(f"lerim.{setting} is {name!r}, which cannot be used", hint=hint)
    from git_lerim.llm.program import Claude  # noqa: PLC0415 rarely needed

    return Claude(model=name, env=env, patience=patience)


def _chat(name: str, settings: Settings, key: Key, patience: float) -> "Chat":
    from git_lerim.llm.chat import Chat  # noqa: PLC0415 it loads openai, which takes a second

    return Chat(
        model=name,
        base=settings["apiBase"],
        key=key,
        variable=settings["apiKeyEnv"],
        patience=patience,
        temperature=settings["temperature"],
    )


def meaning(settings: Settings, key: Key, redact: Callable[[str], str], folder: Path) -> "Source":
    """Return a source of embeddings, made by the model that lerim.embedModel names."""
    from git_lerim.llm.openai import Endpoint  # noqa: PLC0415 few have such a model
    from git_lerim.recall.search.embeddings import Source  # noqa: PLC0415 as above

    embedder = Endpoint(model=settings["embedModel"], base=settings["apiBase"], key=key)
    return Source(embedder=embedder, redact=redact, folder=folder)


def api_key(settings: Settings, env: Mapping[str, str], place: Place, url: str) -> str:
    """Return the key for an endpoint, from the configured variable or git's credential helpers."""
    from git_lerim.git.running import credential  # noqa: PLC0415 few need it

    return env.get(settings["apiKeyEnv"], "").strip() or credential.password(place, url)
