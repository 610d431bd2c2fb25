"""The tools that write back what an agent learned: marked as an agent's, and limited in length."""

from __future__ import annotations

import json
from typing import Any

from sctx_tui.graph import indexer, store_notes, store_taint
from sctx_tui.graph.ids import file_of
from sctx_tui.graph.store import Store
from sctx_tui.sanitize import clean
from sctx_tui.services.mcp.answers import Answer, Refused, line
from sctx_tui.services.mcp.session import Session

Arguments = dict[str, Any]
AGENT = "agent"
SUMMARY_WORDS = 15
LIMITS = {
    "purpose": 200,
    "summary": 200,
    "summary_long": 500,
    "danger": 500,
    "description": 500,
    "reason": 500,
    "decision": 500,
    "alternatives": 300,
    "last_change": 200,
    "system": 60,
    "entry": 2000,
    "plan": 2000,
    "mutates": 120,
    "taint_source": 400,
}
"""Characters of each text; longer ones are cut, and the answer says so."""
MOST_ITEMS = 50


def _texts(arguments: Arguments, *names: str) -> tuple[dict[str, str], list[str]]:
    """The given texts, cleaned and cut; and notes about what was cut."""
    given: dict[str, str] = {}
    notes: list[str] = []
    for name in names:
        if name in arguments:
            given[name], note = _cut(arguments[name], name)
            notes += note
    return given, notes


def _cut(text: str, name: str) -> tuple[str, list[str]]:
    joined = clean(" ".join(text.split()))
    words = joined.split(" ")
    if name == "summary" and len(words) > SUMMARY_WORDS:
        return " ".join(words[:SUMMARY_WORDS]), [f"summary cut to {SUMMARY_WORDS} words"]
    if len(joined) > LIMITS[name]:
        return line(joined, LIMITS[name]), [f"{name} cut to {LIMITS[name]} characters"]
    return joined, []


def _list(arguments: Arguments, name: str) -> tuple[list[str], list[str]]:
    """The given list of texts, each cleaned and cut; and notes about what was cut."""
    cut = [_cut(each, name) for each in _first(arguments, name)]
    notes = [note for _, found in cut for note in found]
    return [text for text, _ in cut], list(dict.fromkeys(notes + _left_out(arguments, name)))


def _first(arguments: Arguments, name: str) -> list[str]:
    found: list[str] = arguments.get(name, [])[:MOST_ITEMS]
    return found


def _left_out(arguments: Arguments, name: str) -> list[str]:
    return [f"{name} cut to {MOST_ITEMS} items"] if len(arguments.get(name, [])) > MOST_ITEMS else []


def _done(what: str, notes: list[str], **data: Any) -> Answer:
    return Answer("; ".join((what, *notes)), {**data, "notes": notes})


def _reread(session: Session, path: str) -> Store:
    """Bring the file's record up to date with the disk; the index."""
    store = session.store()
    for _ in indexer.update(store, session.root, [path], workers=1):
        pass
    return store


def update_file(session: Session, arguments: Arguments) -> Answer:
    """Parse the file again, then write texts about it: it is described, with confidence 1."""
    path = session.path(arguments["file"])
    store = _reread(session, path)
    fields, notes = _texts(arguments, "purpose", "summary", "danger", "last_change", "system")
    if not store_notes.describe(store, "file", path, fields, source=AGENT):
        raise Refused(f"{clean(path)} is not a file that the index lists")
    if "last_change" in fields:
        store_notes.log_changes(store, [(path, fields["last_change"])], source=AGENT)
    return _done(f"{clean(path)} is up to date and described", notes, file=path, written=sorted(fields))


def update_function(session: Session, arguments: Arguments) -> Answer:
    """Parse the function's file again, then write texts about the function; clears its taint."""
    path = session.path(file_of(arguments["id"]))
    store = _reread(session, path)
    record = session.function(arguments["id"])
    fields, notes = _texts(arguments, "summary", "summary_long", "danger")
    if "mutates" in arguments:
        mutates, cut = _list(arguments, "mutates")
        fields["mutates"] = json.dumps(mutates, ensure_ascii=False)
        notes += cut
    store_notes.describe(store, "function", record.id, fields, source=AGENT)
    return _done(
        f"{clean(record.id)} is described and not tainted", notes, id=record.id, written=sorted(fields)
    )


def update_summary(session: Session, arguments: Arguments) -> Answer:
    """A summary for a file or a function."""
    if arguments["type"] == "function":
        return update_function(session, {name: text for name, text in arguments.items() if name != "type"})
    answer = update_file(session, {"file": arguments["id"], "summary": arguments["summary"]})
    if "summary_long" in arguments:
        note = "a file has no summary_long; update_file writes its purpose"
        answer.text += f"; {note}"
        answer.data["notes"] += [note]
    return answer


def add_danger(session: Session, arguments: Arguments) -> Answer:
    """Record an invariant for a scope."""
    store = session.store()
    scope = _scope(session, arguments.get("scope", "*"))
    fields, notes = _texts(arguments, "description", "reason")
    if not fields["description"]:
        raise Refused("description is empty")
    number = store_notes.add_danger(
        store, scope, fields["description"], reason=fields.get("reason"), source=AGENT
    )
    return _done(f"danger {number} recorded for {clean(scope)}", notes, id=number, scope=scope)


def _scope(session: Session, scope: str) -> str:
    """`*`, a glob as it stands, or a path inside the root."""
    if len(scope) > 400:
        raise Refused("a scope has at most 400 characters")
    if scope == "*" or any(sign in scope for sign in "*?[{"):
        return clean(scope)
    path, separator, name = scope.partition("::")
    return session.path(path) + separator + clean(name)


def remove_danger(session: Session, arguments: Arguments) -> Answer:
    """Forget a danger that a model recorded."""
    store = session.store()
    number = arguments["id"]
    found = [each for each in store_notes.dangers(store) if each.id == number]
    if not found:
        raise Refused(f"there is no danger {number}; get_dangers lists them")
    if found[0].source not in (AGENT, "model"):
        raise Refused(f"danger {number} is a person's: only `ctx danger remove {number}` takes it back")
    store_notes.remove_danger(store, number)
    return _done(f"danger {number} removed", [], id=number)


def add_decision(session: Session, arguments: Arguments) -> Answer:
    """Record a design choice for a scope, with what was rejected."""
    store = session.store()
    scope = _scope(session, arguments.get("scope", "*"))
    fields, notes = _texts(arguments, "decision", "reason")
    alternatives, cut = _list(arguments, "alternatives")
    if not fields["decision"]:
        raise Refused("decision is empty")
    number = store_notes.add_decision(
        store,
        scope,
        fields["decision"],
        alternatives=alternatives,
        reason=fields.get("reason"),
        source=AGENT,
    )
    return _done(f"decision {number} recorded for {clean(scope)}", notes + cut, id=number, scope=scope)


def log_session(session: Session, arguments: Arguments) -> Answer:
    """What was done, for the next session; the last 10 entries are kept."""
    return _log(session, arguments, "entry", "log")


def plan(session: Session, arguments: Arguments) -> Answer:
    """What is about to be done, for the next session."""
    return _log(session, arguments, "plan", "plan")


def _log(session: Session, arguments: Arguments, name: str, kind: str) -> Answer:
    fields, notes = _texts(arguments, name)
    if not fields[name]:
        raise Refused(f"{name} is empty")
    store = session.store()
    touched = [session.path(each) for each in _first(arguments, "files_touched")]
    number = store_notes.log_session(store, fields[name], kind=kind, files_touched=touched, source=AGENT)
    notes += _left_out(arguments, "files_touched")
    return _done(f"{kind} entry {number} kept", notes, id=number)


def log_change(session: Session, arguments: Arguments) -> Answer:
    """One change of a file in a sentence; the last 20 a file are kept."""
    record = session.file(arguments["file"])
    sentence, notes = _cut(arguments["summary"], "last_change")
    if not sentence:
        raise Refused("summary is empty")
    store_notes.log_changes(session.store(), [(record.path, sentence)], source=AGENT)
    return _done(f"change of {clean(record.path)} logged", notes, file=record.path)


def mark_tainted(session: Session, arguments: Arguments) -> Answer:
    """Put a function into the queue of those to look at again."""
    record = session.function(arguments["function_id"])
    store = session.store()
    source, notes = _cut(arguments["taint_source"], "taint_source")
    with store.transaction():
        taint = store_taint.Taint(record.id, source, "marked", False, None)
        store_taint.add(store, [taint], store_notes.now())
    return _done(f"{clean(record.id)} is marked", notes, id=record.id)


def clear_taint(session: Session, arguments: Arguments) -> Answer:
    """Take a function out of the queue."""
    record = session.function(arguments["function_id"])
    was_there = store_taint.clear(session.store(), record.id)
    return _done(
        f"{clean(record.id)} " + ("is cleared" if was_there else "was not tainted"), [], id=record.id
    )
