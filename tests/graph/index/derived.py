"""Queries for what follows from the files alone, in no order of its making."""

# What follows from the files alone: an index brought up to date step by step must have it like a fresh one.
DERIVED = {
    "files": "SELECT path, language, problem, system, purpose, summary, exports, imports, used_by,"
    " used_by_count, semantic_hash, content_hash, lines, size FROM files",
    "functions": "SELECT id, file, class_name, name, kind, signature, summary, summary_long, mutates,"
    " start_line, end_line, docstring, decorators, is_exported, semantic_hash, body_hash FROM functions",
    "call_graph": "SELECT caller_id, callee_id, line, is_ambiguous, candidates FROM call_graph",
    "call_candidates": "SELECT c.callee_id, g.caller_id, g.line FROM call_candidates c"
    " JOIN call_graph g ON g.number = c.call",
    "file_links": "SELECT source, target, import_line, round(weight, 9) FROM file_links",
    "directories": "SELECT path, parent, file_count FROM directories",
    "functions_text": "SELECT f.id FROM functions_text t JOIN functions f ON f.number = t.rowid",
    "files_text": "SELECT f.path FROM files_text t JOIN files f ON f.number = t.rowid",
}
