"""The search index: its tables, its words, its writer and its reader."""
