"""Recognize the languages and formats that a person may want something to be written in."""

import re

# adjectives, as in `englische Kommentare`, say the same
ADJECTIVE = (
    r"(?:deutsch|englisch|französisch|spanisch|italienisch|niederländisch|polnisch|russisch|"
    r"portugiesisch)e[nrs]?"
)
LANGUAGE = re.compile(
    r"\b(?:english|german|french|spanish|portuguese|italian|dutch|polish|russian|chinese|japanese|"
    r"korean|swedish|danish|norwegian|finnish|czech|turkish|ukrainian|(?:british|american)\b|"
    rf"(?:auf )?(?:deutsch|englisch|französisch|spanisch|italienisch)|{ADJECTIVE}|anglais|"
    r"allemand|français|espagnol|inglés|alemán|español|francés|inglês|alemão|português|inglese|"
    r"tedesco|italiano|engels|duits|nederlands|angielsku|niemiecku|polsku|русском|английском|"
    r"немецком)\b",
    re.IGNORECASE,
)
FORMAT = re.compile(
    r"\b(?:markdown|asciidoc|rst|restructuredtext|latex|html|org|json|yaml|toml|xml|csv|ini)\b",
    re.IGNORECASE,
)
_IN = r"(?:in(?: het)?|auf|en|em|po|w|на|op)"


def written_in(title: str, slot: str = "") -> str:
    """Return the word after `in`, or after `slot`: `German` of `Answer in German`."""
    found = re.search(rf"\b{re.escape(slot) or _IN} (\S+)", title, re.IGNORECASE)
    return found[1] if found else ""
