"""The version of the extraction rules. Increase it when they yield different memories.

The next sync then reads again what older rules extracted, and supersedes the memories that the new
rules do not yield.
"""

RULES_VERSION = 24
