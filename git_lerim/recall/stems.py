"""English words without their endings, so that `indexes`, `indexed` and `indexing` are one."""


def stem(word: str) -> str:
    """Return the stem of a folded word; what is no English word mostly stays as it is."""
    if len(word) < 4 or not word.isalpha():
        return word
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    word = word.rstrip("ey") or word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
