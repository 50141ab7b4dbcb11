"""One finder per module: each knows one way to recognise secrets."""
