r"""The invisible characters, as parts of a regular expression's character class.

They are listed in this one place, because secrets are searched for as if these characters were
absent. Code that later removes a character not listed here could join the halves of a secret.
"""

# Control characters of C0 and C1 but tab, line feed and those below.
CONTROLS = "\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009a\u009c-\u009f"
CODES = "\u001b\u009b"  # begin a terminal's codes
RETURN = "\r"  # separates lines
# Zero width, controls of direction, variation selectors, and tags.
ZERO_WIDTH = (
    "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
# Fillers, joiners, other selectors, controls of shorthand, music and hieroglyphs, and code
# points reserved for invisible characters.
FILLERS = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufff0-\ufff8\ufffc\ufffe\uffff"
    "\U00013430-\U00013455\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
# The few characters that become ASCII in NFC, and what they become.
NORMALIZED = {"\u037e": ";", "\u1fef": "`", "\u212a": "K"}
