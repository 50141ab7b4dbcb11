"""Answer a question by quoting sentences from memories."""
