"""What a purge deletes, file by file."""

from git_lerim.storage.sharing.tombstones import MARK, Purge, scrub_message

GONE, OTHER = "a2b3c4d5e6f7g", "b2b3c4d5e6f7g"
SUMMARY = "summaries/2026-02/20260220-093045-claude-5b0c1a2f.md"
PURGE = Purge(frozenset({GONE}), {GONE: frozenset({SUMMARY})})


def head(id_: str) -> bytes:
    return f'---\nid: "{id_}"\nprimitive: "summary"\n'.encode()


def test_a_memory_is_known_by_the_id_in_its_name_wherever_it_stands() -> None:
    path = f"decisions/2026-02/20260220-use-sqlite-{GONE}.md"

    assert PURGE.meets(path, None)
    assert PURGE.meets(f"archived/{path}", b"whatever it says")
    assert not PURGE.meets(path.replace(GONE, OTHER), head(GONE))


def test_a_word_of_a_title_is_no_id() -> None:
    word = Purge(frozenset({"configuration"}), {})

    assert not word.meets(f"decisions/2026-02/20260220-the-configuration-{OTHER}.md", None)
    assert not word.meets(f"archived/learnings/2026-02/20260220-configuration-{OTHER}.md", None)
    assert word.meets("decisions/2026-02/20260220-the-words-configuration.md", None)


def test_a_copy_with_a_further_ending_is_of_the_same_memory() -> None:
    assert PURGE.meets(f"decisions/2026-02/20260220-use-sqlite-{GONE}.md.orig", None)


def test_the_note_of_a_purge_is_none_of_its_memories() -> None:
    assert not PURGE.meets(f"purged/{GONE}", b"")


def test_a_summary_is_known_by_its_place_unless_it_is_of_another_session() -> None:
    for path in (SUMMARY, f"archived/{SUMMARY}"):
        assert PURGE.meets(path, head(GONE))
        assert PURGE.meets(path, None)
        assert not PURGE.meets(path, head(OTHER))
    assert not PURGE.meets(SUMMARY.replace("claude", "codex"), head(OTHER))


def test_what_either_purged_both_have_purged() -> None:
    second = SUMMARY.replace("claude", "codex")
    both = PURGE | Purge(frozenset({GONE, OTHER}), {GONE: frozenset({second})})

    assert both.ids == {GONE, OTHER}
    assert both.paths == {SUMMARY, second}
    assert not Purge(frozenset(), {})


def test_of_two_titles_the_longer_one_is_blanked_as_a_whole() -> None:
    assert (
        scrub_message("Use SQLite for all, once", [], ["Use SQLite", "Use SQLite for all"])
        == f"{MARK}, once"
    )


def test_a_word_that_could_be_an_id_stays_in_a_message() -> None:
    said = (
        "remember: The configuration is reviewed\n\n+ configuration The title\n\n"
        f"Lerim-Added: configuration\nLerim-Added: {OTHER}\n"
    )

    assert scrub_message(said, ["configuration"], []) == (
        f"remember: The configuration is reviewed\n\n+ {MARK}\n\n"
        f"Lerim-Added: {MARK}\nLerim-Added: {OTHER}\n"
    )
