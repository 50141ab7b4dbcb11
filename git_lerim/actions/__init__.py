"""The steps of a verb: plain values in, plain values out."""
