"""One of everything that people and agents write, and what must be left of it."""

from __future__ import annotations

from sctx_tui.graph import store_notes


def write_notes(project) -> None:  # type: ignore[no-untyped-def]
    with project.store() as store:
        store_notes.describe(store, "file", "a.py", {"purpose": "Holds f"}, source="agent")
        store_notes.describe(store, "function", "a.py::f", {"summary": "Does nothing"}, source="agent")
        store_notes.add_danger(store, "*", "Never block", reason="latency", source="person")
        store_notes.add_decision(store, "a.py", "Stay small", alternatives=["grow"], source="person")
        store_notes.log_session(store, "Began", files_touched=["a.py"], source="agent")
        store_notes.log_changes(store, [("a.py", "made")], source="git", commit_id="abc")


def notes(project) -> list:
    with project.store() as store:
        return [
            store_notes.written(store, "file", "a.py")["purpose"],
            store_notes.written(store, "function", "a.py::f")["summary"],
            [(d.scope, d.description, d.reason) for d in store_notes.dangers(store)],
            [(d.scope, d.decision, d.alternatives) for d in store_notes.decisions(store)],
            [entry.entry for entry in store_notes.session(store)],
            [change.summary for change in store_notes.changes(store, "a.py")],
        ]


NOTES = [
    ("Holds f", "agent"),
    ("Does nothing", "agent"),
    [("*", "Never block", "latency")],
    [("a.py", "Stay small", ("grow",))],
    ["Began"],
    ["made"],
]
