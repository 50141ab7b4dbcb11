"""Reading a transcript: who said what in which turn, sentences and words, the session in brief,
what it leaves unfinished.
"""
