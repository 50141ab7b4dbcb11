"""Check that a memory which an agent gives as the user's words says no more than these words."""


def says_more(title: str, reason: str, words: str) -> str | None:
    """Return the sentence by which a memory says more than the user's words that it quotes.

    Each part of the title must be in the words. A reason may be the agent's, but may give no order,
    rule or claim of what a person said that is not in the words.
    """
    # the rules take long to load
    from git_lerim.extraction.transcript.text import sentences  # noqa: PLC0415
    from git_lerim.extraction.wishes.says import Wish, may_be_order, wish_in  # noqa: PLC0415
    from git_lerim.memories.checks.claims_of_people import claim_of_person  # noqa: PLC0415
    from git_lerim.memories.checks.prompt_injection import begins_as_order  # noqa: PLC0415
    from git_lerim.memories.similarity.claim import content  # noqa: PLC0415
    from git_lerim.memories.similarity.negation import states  # noqa: PLC0415

    said = sentences(words)
    orders = [
        one
        for one in sentences(reason)
        if begins_as_order(one) or may_be_order(one) or wish_in(one) >= Wish.RULE
    ]
    claims = [
        rest
        for one in sentences(reason)
        if (claim := claim_of_person(one)) and content(rest := one.replace(claim, ""))
    ]
    return next((one for one in (title, *orders, *claims) if not states(said, one)), None)
