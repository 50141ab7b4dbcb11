"""Which prompt-injection rules this version has, for caches that need not load them."""

VERSION = "3"  # what was judged by other rules is judged again; change it with `prompt_injection`
# change it with `orders_of_others`, `english_orders`, `command_lines` and `languages`
OTHERS_VERSION = "2"
