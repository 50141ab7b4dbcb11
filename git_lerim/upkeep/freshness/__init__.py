"""Check whether what memories claim about code is still true."""
