"""Tables of `.ctx/index.db`.

Two kinds of tables. *Derived* ones follow from the files and can be made anew at any time. *Written* ones
hold what people and agents said; they survive every rebuild, and rows of `written` wait for their file or
function to come back. Columns of `files`, `functions` and `directories` that show such text are copies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Grows with every change of a table. An index of another version is made anew; written rows are carried over.
SCHEMA_VERSION = 3

WRITTEN_TABLES = """
CREATE TABLE IF NOT EXISTS written (
  kind TEXT NOT NULL,             -- file, function, directory
  target TEXT NOT NULL,           -- a path, or path::qualname
  field TEXT NOT NULL,            -- purpose, summary, summary_long, danger, last_change, system, mutates
  value TEXT NOT NULL,
  source TEXT NOT NULL,           -- person, agent, model
  semantic_hash TEXT,             -- what it was written about
  written_at TEXT NOT NULL,       -- UTC, ISO 8601
  PRIMARY KEY (kind, target, field)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dangers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,            -- *, a path, a folder, a glob, a function id
  description TEXT NOT NULL,
  reason TEXT,
  source TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS decisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL,
  decision TEXT NOT NULL,
  alternatives TEXT NOT NULL DEFAULT '[]',  -- JSON array of text
  reason TEXT,
  source TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS session_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,             -- log, plan
  entry TEXT NOT NULL,
  files_touched TEXT NOT NULL DEFAULT '[]', -- JSON array of paths
  source TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file TEXT NOT NULL,
  summary TEXT NOT NULL,
  source TEXT NOT NULL,           -- git, agent, person
  commit_id TEXT,
  created_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS changes_by_file ON changes (file, id);
CREATE TABLE IF NOT EXISTS taints (
  function_id TEXT NOT NULL,      -- who has to look again
  source_id TEXT NOT NULL,        -- what changed
  reason TEXT NOT NULL,           -- signature, removed, renamed, moved, marked
  is_candidate INTEGER NOT NULL DEFAULT 0,  -- perhaps not a caller at all
  priority REAL NOT NULL DEFAULT 1,         -- by fan-in; below 1 for candidates
  signature_before TEXT,          -- of the source, to know when it is back
  created_at TEXT NOT NULL,
  PRIMARY KEY (function_id, source_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS taints_by_source ON taints (source_id);
"""

DERIVED_TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (
  number INTEGER PRIMARY KEY,     -- ties the full-text index, nothing else
  path TEXT NOT NULL UNIQUE,      -- posix, relative to the root
  language TEXT NOT NULL DEFAULT '',        -- '' is listed but not parsed
  problem TEXT,                   -- why not, or what is wrong with it
  system TEXT NOT NULL DEFAULT '',
  purpose TEXT,
  exports TEXT NOT NULL DEFAULT '[]',       -- JSON array of names
  imports TEXT NOT NULL DEFAULT '[]',       -- JSON array of paths
  used_by TEXT NOT NULL DEFAULT '[]',       -- JSON array of the first 15 paths
  used_by_count INTEGER NOT NULL DEFAULT 0,
  summary TEXT,
  danger TEXT,
  last_change TEXT,
  semantic_hash TEXT,
  content_hash TEXT,              -- SHA-256; NULL makes the next sync read the file again
  confidence REAL NOT NULL DEFAULT 1.0,
  is_stale INTEGER NOT NULL DEFAULT 0,
  described_hash TEXT,            -- semantic hash at the last write-back, summary or init
  accepted_hash TEXT,             -- semantic hash that a commit may have: also after sync and update
  staged_hash TEXT,               -- the same for what was staged then, where it differed
  lines INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0,          -- bytes
  stat TEXT                       -- size, times and inode when it was read; NULL is not trusted
);
CREATE TABLE IF NOT EXISTS functions (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,        -- path::Class.method
  file TEXT NOT NULL REFERENCES files (path) ON DELETE CASCADE ON UPDATE CASCADE,
  class_name TEXT,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,             -- module, class, interface, function, method
  signature TEXT NOT NULL,
  summary TEXT,
  summary_long TEXT,
  mutates TEXT NOT NULL DEFAULT '[]',       -- JSON array of names
  danger TEXT,
  is_tainted INTEGER NOT NULL DEFAULT 0,
  taint_source TEXT,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  docstring TEXT,
  decorators TEXT NOT NULL DEFAULT '[]',    -- JSON array
  is_exported INTEGER NOT NULL DEFAULT 0,
  semantic_hash TEXT,
  body_hash TEXT,                 -- the same without its name: a renamed function keeps it
  described_hash TEXT,
  confidence REAL NOT NULL DEFAULT 1.0,
  is_stale INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS call_graph (
  number INTEGER PRIMARY KEY,
  caller_id TEXT NOT NULL,
  callee_id TEXT,                 -- NULL where only candidates are known
  line INTEGER NOT NULL,          -- of the call, in the caller's file
  is_ambiguous INTEGER NOT NULL DEFAULT 0,
  candidates TEXT                 -- JSON array of ids
);
CREATE TABLE IF NOT EXISTS call_candidates (  -- the arrays above, to be found by callee
  callee_id TEXT NOT NULL,
  call INTEGER NOT NULL REFERENCES call_graph (number) ON DELETE CASCADE,
  PRIMARY KEY (callee_id, call)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file_links (     -- one row for each pair of files with an import or a call
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  import_line INTEGER NOT NULL DEFAULT 0,   -- 0: calls only
  weight REAL NOT NULL,           -- for ranks
  PRIMARY KEY (source, target)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (          -- what the linker needs of a file: names, no source
  path TEXT PRIMARY KEY NOT NULL REFERENCES files (path) ON DELETE CASCADE ON UPDATE CASCADE,
  data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS link_notes (     -- what the last link of everything says of a file's symbols
  path TEXT PRIMARY KEY NOT NULL REFERENCES files (path) ON DELETE CASCADE ON UPDATE CASCADE,
  symbols BLOB NOT NULL,
  names BLOB NOT NULL             -- that its module or classes were asked for
);
CREATE TABLE IF NOT EXISTS link_names (     -- and of names
  name BLOB PRIMARY KEY NOT NULL,
  roles INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS directories (
  path TEXT PRIMARY KEY NOT NULL, -- '' is the root
  parent TEXT,
  file_count INTEGER NOT NULL,    -- at any depth
  purpose TEXT
) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS functions_text USING fts5 (
  name, signature, summary, summary_long, content='functions', content_rowid='number',
  tokenize="unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE IF NOT EXISTS files_text USING fts5 (
  path, purpose, summary, content='files', content_rowid='number', tokenize="unicode61 remove_diacritics 2"
);
"""

# Made after the first load: building an index once is cheaper than keeping it sorted row by row.
INDEXES = """
CREATE INDEX IF NOT EXISTS functions_by_file ON functions (file, start_line);
CREATE INDEX IF NOT EXISTS functions_by_name ON functions (name);
CREATE INDEX IF NOT EXISTS functions_tainted ON functions (id) WHERE is_tainted;
CREATE INDEX IF NOT EXISTS call_graph_by_caller ON call_graph (caller_id, line);
CREATE INDEX IF NOT EXISTS call_graph_by_callee ON call_graph (callee_id);
CREATE INDEX IF NOT EXISTS call_candidates_by_call ON call_candidates (call);
CREATE INDEX IF NOT EXISTS file_links_by_target ON file_links (target, source, weight);
CREATE INDEX IF NOT EXISTS directories_by_parent ON directories (parent);
CREATE TRIGGER IF NOT EXISTS functions_text_insert AFTER INSERT ON functions BEGIN
  INSERT INTO functions_text (rowid, name, signature, summary, summary_long)
  VALUES (new.number, new.name, new.signature, new.summary, new.summary_long);
END;
CREATE TRIGGER IF NOT EXISTS functions_text_delete AFTER DELETE ON functions BEGIN
  INSERT INTO functions_text (functions_text, rowid, name, signature, summary, summary_long)
  VALUES ('delete', old.number, old.name, old.signature, old.summary, old.summary_long);
END;
CREATE TRIGGER IF NOT EXISTS functions_text_update
AFTER UPDATE OF name, signature, summary, summary_long ON functions BEGIN
  INSERT INTO functions_text (functions_text, rowid, name, signature, summary, summary_long)
  VALUES ('delete', old.number, old.name, old.signature, old.summary, old.summary_long);
  INSERT INTO functions_text (rowid, name, signature, summary, summary_long)
  VALUES (new.number, new.name, new.signature, new.summary, new.summary_long);
END;
CREATE TRIGGER IF NOT EXISTS files_text_insert AFTER INSERT ON files BEGIN
  INSERT INTO files_text (rowid, path, purpose, summary)
  VALUES (new.number, new.path, new.purpose, new.summary);
END;
CREATE TRIGGER IF NOT EXISTS files_text_delete AFTER DELETE ON files BEGIN
  INSERT INTO files_text (files_text, rowid, path, purpose, summary)
  VALUES ('delete', old.number, old.path, old.purpose, old.summary);
END;
CREATE TRIGGER IF NOT EXISTS files_text_update AFTER UPDATE OF path, purpose, summary ON files BEGIN
  INSERT INTO files_text (files_text, rowid, path, purpose, summary)
  VALUES ('delete', old.number, old.path, old.purpose, old.summary);
  INSERT INTO files_text (rowid, path, purpose, summary)
  VALUES (new.number, new.path, new.purpose, new.summary);
END;
"""

WRITTEN = ("written", "dangers", "decisions", "session_log", "changes", "taints")

# Tables that SQLite makes by itself.
_OWN = re.compile(r"(functions|files)_text_(data|idx|content|docsize|config)|sqlite_\w+")


def is_ours(found: Iterable[tuple[str, str]]) -> bool:
    """Whether these are the names and definitions of our tables, indexes and triggers, and nothing else.

    A database may come with a repository; a trigger or a view in it would run when we read or write.
    """
    ours = _definitions()
    return all(
        _normal(sql) in ours or (_OWN.fullmatch(name) and sql.startswith("CREATE TABLE "))
        for name, sql in found
    )


def statements(script: str) -> list[str]:
    """The single statements of one of the scripts above."""
    return [sql.strip() for sql in re.split(r";\s+(?=CREATE |\Z)", script) if sql.strip()]


def _definitions() -> set[str]:
    return {_normal(sql) for sql in statements(WRITTEN_TABLES + DERIVED_TABLES + INDEXES)}


def _normal(sql: str) -> str:
    return sql.strip().replace("IF NOT EXISTS ", "")
