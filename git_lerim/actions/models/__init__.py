"""Ask models: concurrently, within a budget, traced, and in the background where allowed."""
