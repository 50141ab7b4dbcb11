import pytest
from support.repos import Repo
from support.world import World


@pytest.fixture
def told(world: World, repo: Repo) -> Repo:
    repo.commit({"src/prices.py": "round\n"})
    world.lerim(
        repo.path,
        "remember",
        "Prices are rounded half to even.",
        "--decision",
        "--file",
        "src/prices.py",
        "--tag",
        "money",
    )
    world.lerim(
        repo.path,
        "remember",
        "Tests need TZ=UTC. They fail east of Greenwich.",
        "--kind",
        "pitfall",
    )
    return repo


def titles(world: World, repo: Repo, *words: str) -> list[str]:
    return [row["title"] for row in world.lerim(repo.path, "search", "--json", *words).json]


def test_what_fits_is_shown_with_the_line_that_fits_and_how_its_code_stands(
    world: World, told: Repo
) -> None:
    fresh = world.lerim(told.path, "search", "rounding")
    told.commit({"src/prices.py": "changed\n"})
    stale = world.lerim(told.path, "recall", "rounding")

    assert fresh.out.endswith("decision    Prices are rounded half to even\n")
    by_line = world.lerim(told.path, "search", "greenwich").out
    assert by_line.endswith("  Tests need TZ=UTC\n    They fail east of Greenwich.\n")
    assert stale.out == fresh.out  # it is about the whole file, and names nothing in it
    assert titles(world, told, "greenwich") == ["Tests need TZ=UTC"]


def test_summaries_of_sessions_are_found_by_people_below_the_memories_that_match(
    world: World, told: Repo
) -> None:
    world.session("claude-catalog.jsonl", told.path)
    world.lerim(told.path, "sync", "--window", "all")

    def found(*words: str) -> list[str]:
        lines = world.lerim(told.path, "search", *words).out.splitlines()
        return [line.split()[2] for line in lines if not line.startswith(" ")]

    assert found("pyproject") == ["summary"]
    assert found("fail around midnight") == ["preference", "pitfall", "pitfall", "summary"]
    assert found("fail around midnight", "-n", "2") == ["preference", "summary"]
    assert found("fail around midnight", "-n", "1") == ["preference"]
    assert found("greenwich") == ["pitfall"]
    assert found("kind:fact pyproject") == []
    (_, line) = world.lerim(told.path, "search", "kind:summary").out.splitlines()
    assert not line.strip().startswith("#")
    assert titles(world, told, "pyproject") == []
    for words, env in (((), {"CLAUDECODE": "1"}), (("--files-with",), {})):
        assert world.lerim(told.path, "search", "pyproject", *words, env=env).out == ""


@pytest.mark.parametrize(
    "words",
    [("tag:money",), ("--tag", "money"), ("path:src",), ("--path", "src/prices.py"),
        ("--decisions",),
     ("--", "prices", "-greenwich"), ('"half to even"',), ("round*",), ("kind:decision",),
     ("PRICES",)],
)  # fmt: skip
def test_a_search_is_narrowed_by_options_and_in_the_query(
    world: World, told: Repo, words: tuple[str, ...]
) -> None:
    assert titles(world, told, *words) == ["Prices are rounded half to even"]


def test_a_word_with_a_minus_is_left_out_and_a_misspelt_option_refused(
    world: World, told: Repo
) -> None:
    both = {"Prices are rounded half to even", "Tests need TZ=UTC"}
    assert set(titles(world, told, "prices", "tests")) == both
    for words in (
        ("prices", "tests", "-rounded"),
        ("-rounded", "-n5", "prices", "tests", "--kind", "pitfall"),
        ("prices", "-rounded", "--", "tests"),
    ):
        assert titles(world, told, *words) == ["Tests need TZ=UTC"]
    assert titles(world, told, "prices", "tests", "-n", "1", "-needing") == [
        "Prices are rounded half to even"
    ]

    refused = world.lerim(told.path, "search", "prices", "--limt", "3")
    assert (refused.code, "Did you mean --limit" in refused.err) == (2, True)
    assert world.lerim(told.path, "search", "prices", "-c").code == 2
    assert world.lerim(told.path, "search", "prices", "-n", "-rounded").code == 2


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("since:foo", "invalid since: 'foo'"),
        ("tag: prices", "tag: is empty"),
        ('path:""', "path: is empty"),
        ("kind:nonsense prices", "kind: cannot be 'nonsense'"),
        ("primitive:pitfall", "primitive: cannot be 'pitfall'"),
        ("agent:nobody", "git-lerim does not know the agent nobody"),
    ],
)
def test_a_filter_in_the_query_takes_what_the_option_takes(
    world: World, told: Repo, query: str, message: str
) -> None:
    world.lerim(told.path, "search", "prices")  # which lets the next one be answered at once
    refused = world.lerim(told.path, "search", query)

    assert (refused.code, refused.out) == (2, "")
    assert message in refused.err


@pytest.mark.parametrize("query", ["(", "!!!", "..."])
def test_punctuation_alone_is_no_query(world: World, told: Repo, query: str) -> None:
    world.lerim(told.path, "search", "prices")  # which lets the next one be answered at once
    refused = world.lerim(told.path, "search", query)

    assert (refused.code, refused.out) == (2, "")
    assert "the query has no word" in refused.err


@pytest.mark.parametrize("words", [("-greenwich",), ("--", "-greenwich"), ('-"greenwich"',)])
def test_exclusions_alone_are_no_query(world: World, told: Repo, words: tuple[str, ...]) -> None:
    world.lerim(told.path, "search", "prices")  # which lets the next one be answered at once
    refused = world.lerim(told.path, "search", *words)

    assert (refused.code, refused.out) == (2, "")
    assert "no words to search for: -word only leaves memories out\n" in refused.err
    assert titles(world, told, '"-greenwich"') == ["Tests need TZ=UTC"]
    assert titles(world, told, "kind:decision", "-greenwich") == ["Prices are rounded half to even"]


def test_json_is_that_of_list_with_the_score_and_the_line(world: World, told: Repo) -> None:
    (row,) = world.lerim(told.path, "search", "greenwich", "--json").json
    listed = {item["id"]: item for item in world.lerim(told.path, "list", "--json").json}

    assert row["score"] > 0
    assert row["line"] == "Tests need TZ=UTC. They fail east of Greenwich."
    assert row["state"] == "unknown"
    assert listed[row["id"]].items() <= row.items()


def test_paths_alone_nothing_found_nothing_asked(world: World, told: Repo) -> None:
    paths = world.lerim(told.path, "search", "rounded", "--files-with").out
    nothing = world.lerim(told.path, "search", "zebra")

    assert paths.startswith("decisions/")
    assert (nothing.code, nothing.out) == (0, "")
    assert "no matching memories" in nothing.err
    assert world.lerim(told.path, "search", "zebra", "--json").json == []
    assert world.lerim(told.path, "search").code == 2


def test_the_past_and_the_archive_are_searched_on_demand(world: World, told: Repo) -> None:
    before = told.git("rev-parse", "lerim/memory")
    (row,) = world.lerim(told.path, "search", "greenwich", "--json").json
    world.lerim(told.path, "forget", row["id"])

    assert titles(world, told, "greenwich") == []
    assert titles(world, told, "greenwich", "--at", before) == ["Tests need TZ=UTC"]
    assert titles(world, told, "greenwich", "--all") == ["Tests need TZ=UTC"]
    assert "(archived)" in world.lerim(told.path, "search", "greenwich", "--all").out


@pytest.mark.parametrize(
    "words",
    [("tag:\udcff",), ("\udcff*", "path:\udce9.py"), ("prices", "--tag", "\udcff"),
        ("prices", "--path", "src/\udce9.py"),
     ('"\udcff prices"', "--", "-\udcff")],
)  # fmt: skip
def test_what_is_no_text_is_looked_for_and_not_found(
    world: World, told: Repo, words: tuple[str, ...]
) -> None:
    ran = world.lerim(told.path, "search", *words)

    assert (ran.code, "internal error" in ran.err) == (0, False)


def test_an_agent_in_the_query_that_is_no_text_is_refused(world: World, told: Repo) -> None:
    ran = world.lerim(told.path, "search", "prices", "agent:\udcff")

    assert (ran.code, "internal error" in ran.err) == (2, False)
