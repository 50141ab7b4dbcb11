"""Ask language models, if the user configured one."""
