"""Tell whether what a memory claims of code is still so."""
