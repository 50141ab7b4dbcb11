"""Read the history of the user's code: blame, log, dates and definitions."""
