"""The table of verbs, grouped by what the user wants to do, each with a short description."""

# A verb's module in `git_lerim.commands` is imported when the verb runs, not before.
GROUPS = {
    "Start": {
        "init": "Create the memory branch, from the remote's if it has one.",
        "install": "Install git and agent hooks; shows every change and asks first.",
        "uninstall": "Remove everything that install wrote.",
        "connect": "Choose which agents' sessions are read, and from where.",
        "tour": "Demonstrate everything on sample sessions in a temporary repository.",
        "completion": "Print a shell completion script.",
    },
    "Keep memories": {
        "sync": "Read new agent sessions; commit the decisions and lessons in them.",
        "sessions": "List the sessions found, and why some were not used.",
        "queue": "List queued and failed sessions; retry or skip them.",
        "remember": "Write one memory by hand.",
        "import": "Import decision records, agent rules, notes, an export, or git's history.",
    },
    "Find them": {
        "list": "List the memories.",
        "show": "Show one memory and its sources.",
        "search": "Search the memories, best match first.",
        "recall": "Alias of search.",
        "ask": "Answer a question from the memories, with sources.",
        "why": "Show the memories, commits and sessions behind a file or a line.",
        "timeline": "Show what was learned before and after a memory, or about a file.",
        "stats": "Show statistics: memories, sources, growth, use.",
    },
    "Give them to agents": {
        "brief": "Print the context for an agent: preferences, current files, recent memories.",
        "handoff": "Hand work over from one agent to the next.",
        "hook": "Answer a coding agent's hook (set up by git lerim install).",
        "mcp": "Run the MCP server on stdin and stdout.",
        "skill": "Print the SKILL.md that teaches agents to use the memory.",
        "statusline": "Print a one-line summary for an agent's status bar.",
    },
    "Correct them": {
        "edit": "Edit a memory, in your editor or with options.",
        "forget": "Archive memories (undo with restore).",
        "restore": "Restore archived memories.",
        "protect": "Protect memories from being archived, merged or changed by sync.",
        "feedback": "Report that a memory was used, helpful, wrong, stale or confirmed.",
        "stale": "List memories the code has outgrown, with the change responsible.",
        "maintain": "Merge duplicates, archive outdated memories, find contradictions.",
    },
    "Follow and undo changes": {
        "log": "Show the history of the memories, or of one memory, agent or session.",
        "diff": "Show what changed between two revisions or dates.",
        "blame": "Show who wrote each line of a memory, and in which session.",
        "undo": "Undo a run or a commit.",
    },
    "Share them": {
        "push": "Merge the remote's memory, then push yours.",
        "pull": "Fetch a remote's memory and merge it.",
        "review": "List proposed memories, yours and others'; accept or reject them.",
        "backup": "Save the memory with its history to a file; restore it from one.",
        "export": "Export the memories as Markdown files or JSON.",
        "purge": "Delete memories from the whole history, permanently; asks first.",
    },
    "Look after the memory": {
        "status": "Show the state of the memory branch, the sessions and the queue.",
        "lint": "Check all memory files: format, limits, links, secrets.",
        "doctor": "Check git, the branch and the local state; fix what can be fixed.",
        "logs": "Show what recent runs did, and why.",
        "config": "Show all settings and where each comes from.",
        "allow": "Approve security-relevant settings in this repository's own configuration.",
        "reset": "Delete the local state, optionally the branch too; asks first.",
    },
}
VERBS = {verb: text for group in GROUPS.values() for verb, text in group.items()}
INTERNAL = ("githook",)  # run by git's hooks, and not shown in any list
