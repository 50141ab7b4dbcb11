"""The version of the prompt-injection rules, for caches that do not load them."""

# Raise with a change to `prompt_injection` or its patterns: older verdicts are dropped.
VERSION = "5"
# Raise with a change to `orders_of_others`, `languages`, `english/` or `commands/`.
OTHERS_VERSION = "4"
