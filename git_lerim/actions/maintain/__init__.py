"""One run of `git lerim maintain`, and when it runs by itself."""
