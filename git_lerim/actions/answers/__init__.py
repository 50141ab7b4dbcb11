"""Answer questions about the memory and the code, with a model or without."""
