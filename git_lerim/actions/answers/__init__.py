"""Answer questions about the memory and the code, with or without a model."""
