"""Recognize wishes for all future work (standing wishes) in eleven languages, by patterns."""
