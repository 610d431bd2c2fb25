"""The MCP server: `ctx serve`."""
