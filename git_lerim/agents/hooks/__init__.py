"""The hooks of coding agents: what each event means, what its payload says, and the form of the
answer.
"""
