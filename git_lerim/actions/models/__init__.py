"""Ask models concurrently, within a budget, with traces, and in the background if allowed."""
