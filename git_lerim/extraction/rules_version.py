"""The version of the extraction rules. Raise it when they stop yielding something.

The next sync then re-reads what older rules extracted, and supersedes what the new ones do not
yield.
"""

RULES_VERSION = 6
