"""What tests share: the corpus, sealed homes, recordings in the agents' formats."""
