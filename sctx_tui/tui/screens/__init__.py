"""Screens of the app: the main one and those that open above it."""
