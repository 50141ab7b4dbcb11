from git_lerim.extraction.transcript.words import topic_tags


def test_no_tag_is_a_part_of_a_word() -> None:
    assert topic_tags("Los comentarios del código siempre en español") == ("comentarios", "siempre")
    assert topic_tags("Künftig Abhängigkeiten mit uv pinnen") == ("pinnen",)
