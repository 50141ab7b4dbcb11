"""Tool: asks models, where the user has set one."""
