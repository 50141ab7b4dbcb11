"""Questions that a model answers from what it is shown: what it is asked, and what of its answer is
believed.
"""
