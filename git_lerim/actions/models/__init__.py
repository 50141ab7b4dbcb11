"""Ask models: concurrently, within a budget, with a trace, and in the background where allowed."""
