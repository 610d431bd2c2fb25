"""What the code says: files, symbols, imports, calls, and who is affected by a change."""
