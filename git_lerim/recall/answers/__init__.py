"""Answer a question from the sentences of the memory."""
