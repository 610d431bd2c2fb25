"""Widgets of the app; all of them draw lines on demand, so their number never depends on the data."""
