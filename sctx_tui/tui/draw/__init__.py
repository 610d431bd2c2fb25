"""Pure drawing: plain data and a width in, lines of text with roles out. Nothing here knows a widget or a
colour."""
