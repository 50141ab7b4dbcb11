"""The versions of what a model is asked: raise one when its prompt, its schema or what is shown
with it changes.
"""

PROMPT_VERSION = 2  # about a session
COMPARE_VERSION = 2  # about its memories beside those of other sessions
