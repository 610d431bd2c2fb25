"""Long-running faces: MCP server, watcher, git hooks."""
