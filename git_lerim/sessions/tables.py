"""The tables of `catalog.sqlite3` and of the cache of transcripts, as migrations."""

CATALOG = (
    """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sources (path TEXT PRIMARY KEY, agent TEXT NOT NULL, stamp TEXT NOT NULL,
bookmark BLOB);
CREATE TABLE sessions (
    agent TEXT NOT NULL, id TEXT NOT NULL, header BLOB NOT NULL, started INTEGER, ended INTEGER,
    stored INTEGER NOT NULL,
    prompts INTEGER NOT NULL, kept INTEGER NOT NULL, places TEXT NOT NULL, state TEXT NOT NULL,
    reason TEXT NOT NULL,
    generation INTEGER NOT NULL, extracted INTEGER NOT NULL, tried INTEGER NOT NULL, journal BLOB,
    PRIMARY KEY (agent, id));
CREATE INDEX sessions_by_state ON sessions (state, ended);
CREATE TABLE held (
    agent TEXT NOT NULL, session TEXT NOT NULL, part TEXT NOT NULL, source TEXT NOT NULL,
    stored INTEGER NOT NULL,
    prompts INTEGER NOT NULL, kept INTEGER NOT NULL,
    started INTEGER, ended INTEGER, others INTEGER NOT NULL, PRIMARY KEY (agent, session, part,
    source))
""",
    "CREATE TABLE accesses (id TEXT PRIMARY KEY, count INTEGER NOT NULL, last TEXT NOT NULL)",
    """
CREATE TABLE touched (
    agent TEXT NOT NULL, session TEXT NOT NULL, part TEXT NOT NULL, source TEXT NOT NULL,
    name TEXT NOT NULL,
    path TEXT NOT NULL, at INTEGER);
CREATE INDEX touched_by_name ON touched (name, at);
CREATE INDEX touched_by_session ON touched (agent, session);
CREATE TABLE made (
    agent TEXT NOT NULL, session TEXT NOT NULL, part TEXT NOT NULL, source TEXT NOT NULL,
    id TEXT NOT NULL, at INTEGER);
CREATE INDEX made_by_session ON made (agent, session);
CREATE INDEX made_by_id ON made (id);
CREATE INDEX made_by_time ON made (at);
CREATE INDEX sessions_by_end ON sessions (ended)
""",
    # 1 is the version of the rules from before this column existed
    "ALTER TABLE sessions ADD COLUMN rules INTEGER NOT NULL DEFAULT 1",
    "CREATE TABLE history (unit TEXT PRIMARY KEY)",
)
TRANSCRIPTS = (
    """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE chunks (
    agent TEXT NOT NULL, session TEXT NOT NULL, part TEXT NOT NULL, source TEXT NOT NULL,
    records BLOB NOT NULL);
CREATE INDEX chunks_by_session ON chunks (agent, session, part, source)
""",
)
