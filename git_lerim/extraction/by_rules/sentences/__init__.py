"""Rules about a single sentence: is it an order, does it last, does it give a reason."""
