from git_lerim.recall.why.certainty import together, word


def test_grounds_beside_each_other_make_surer_and_never_certain() -> None:
    assert together([0.5]) == 0.5
    assert together([0.5, 0.5]) == 0.75
    assert together([0.95] * 9) == 0.99
    assert [word(sure) for sure in (0.8, 0.79, 0.5, 0.49)] == [
        "sure",
        "likely",
        "likely",
        "possible",
    ]
