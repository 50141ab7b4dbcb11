"""Find secrets in text and blank them."""
