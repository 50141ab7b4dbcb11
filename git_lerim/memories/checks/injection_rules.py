"""Which prompt-injection rules this version has, for caches that need not load them."""

VERSION = "2"  # what was judged by other rules is judged again; change it with `prompt_injection`
OTHERS_VERSION = "1"  # change it with `orders_of_others`
