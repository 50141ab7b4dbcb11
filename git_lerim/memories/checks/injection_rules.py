"""The versions of the rules on prompt injection, for caches that do not load the rules."""

# Raise this whenever `prompt_injection` or its patterns change: then cached verdicts are dropped.
VERSION = "9"
# Raise this whenever `orders_of_others`, `claimed_consent`, `languages`, `english/`, `commands/` or
# `learned/` change.
OTHERS_VERSION = "19"
