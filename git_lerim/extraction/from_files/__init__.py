"""What persons and other tools wrote down in files: each format is one module that says what of it
is a memory.
"""
