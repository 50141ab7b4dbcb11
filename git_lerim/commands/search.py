"""`git lerim search`, also called `recall`: find memories, best match first."""

import re
from typing import Any

import click

from git_lerim.actions.authorship import by_agent
from git_lerim.actions.mistrust import marked_hits
from git_lerim.actions.search import (
    SearchQuery,
    check_query,
    json_of,
    search_memories,
    text_of,
)
from git_lerim.commands.opening import opened
from git_lerim.commands.terminal import (
    DATE,
    Verb,
    at_option,
    data,
    data_json,
    is_coloured,
    json_option,
    limit_option,
    personal_option,
    say,
    styled,
    takes_no,
    verb,
)
from git_lerim.memories.memory import Kind, Primitive

# matches -word, but not --option, -n5, -n=5, -qv, or a lone -c, which is a mistake
_EXCLUSION = re.compile(r"-(?!n=?\d|[qvh]+$)[^-\s]\S.*", re.DOTALL)


class Search(Verb):
    """A command whose query may contain words such as `-word`, which are not options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Move each `-word` behind the options, then parse the arguments."""
        valued = {
            name
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        end = args.index("--") if "--" in args else len(args)
        given: list[str] = []
        words: list[str] = []
        for before, word in zip(["", *args], args[:end], strict=False):
            is_word = before not in valued and _EXCLUSION.fullmatch(word)
            (words if is_word else given).append(word)
        rest = [*words, *args[end + 1 :]]
        return super().parse_args(ctx, [*given, "--", *rest] if rest else given)


@verb(Search, paged=True)
@click.argument("query", nargs=-1)
@limit_option(10, "Show at most N.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include suspect, superseded, archived and hidden memories.",
)
@click.option(
    "--decisions",
    "primitives",
    flag_value=Primitive.DECISION.value,
    multiple=True,
    help="Show only decisions.",
)
@click.option(
    "--learnings",
    "primitives",
    flag_value=Primitive.LEARNING.value,
    multiple=True,
    help="Show only learnings.",
)
@click.option(
    "--kind", type=click.Choice([k.value for k in Kind]), help="Show only learnings of this kind."
)
@click.option("--tag", metavar="TAG", help="Show only memories with this tag.")
@click.option("--agent", metavar="AGENT", help="Show only memories from this agent's sessions.")
@click.option("--path", metavar="PATH", help="Show only memories about this file or folder.")
@click.option("--since", metavar="DATE", help=f"Show only memories since DATE: {DATE}.")
@click.option(
    "--files-with", is_flag=True, help="Print only the paths of the memory files on the branch."
)
@at_option
@personal_option
@json_option
def command(
    *, query: tuple[str, ...], files_with: bool, personal: bool, as_json: bool, **options: Any
) -> None:
    """Search the memories for QUERY, best match first.

    QUERY may contain words, "phrases", word* and -word, and the filters tag: kind: path: agent: and
    since:. With filters or options alone, shows the newest memories that match them. Words alone
    also find up to three session summaries.
    """
    if files_with:
        takes_no("search --files-with", json=as_json)
    ws = opened(personal=personal, fallback=True)
    summaries = not (as_json or files_with or by_agent(ws))
    wanted = SearchQuery(query=" ".join(query), summaries=summaries, **options)
    check_query(ws, wanted)
    items = marked_hits(ws, search_memories(ws, wanted, with_held=as_json), wanted.at)
    if as_json:
        data_json(json_of(ws, items))
    elif files_with:
        for item in items:
            if not (item.doubt and by_agent(ws)):  # a file's name has words of the title
                data(item.hit.path)
    elif items:
        styled(text_of(items, wanted.query, coloured=is_coloured()).removesuffix("\n"))
    else:
        other = "" if wanted.everything else "; --all includes archived ones"
        say(f"no matching memories{other}")
