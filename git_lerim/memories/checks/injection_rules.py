"""The version of the prompt-injection rules, for caches that do not load them."""

VERSION = "3"  # what was judged by other rules is judged again; change it with `prompt_injection`
# change it with `orders_of_others`, `english_orders`, `command_lines` and `languages`
OTHERS_VERSION = "2"
