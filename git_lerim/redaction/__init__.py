"""Find secrets in text and redact them."""
