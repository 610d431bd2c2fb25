"""New versions of files into the index: rows, what hangs on them, and who has to know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sctx_tui.graph import store_edges, store_index, store_notes, store_taint
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_index import FileRow, FileState, Text
from sctx_tui.graph.store_taint import Taint
from sctx_tui.graph.systems import system_of
from sctx_tui.graph.taint import Standing, Version, aged, events, first, match
from sctx_tui.graph.worker import PARSED_COLUMNS, Parsed

_ID, _KIND, _SIGNATURE, _HASH, _BODY = map(
    PARSED_COLUMNS.index, ("id", "kind", "signature", "semantic_hash", "body_hash")
)
_WRITABLE = {name: PARSED_COLUMNS.index(name) for name in ("mutates", "summary", "summary_long")}

Texts = Mapping[str, Mapping[str, Text]]  # target -> field -> text


class Terms(NamedTuple):
    """How a run applies files."""

    own_names: frozenset[str]  # of the project, for systems
    is_first: bool  # nothing was indexed before: nothing to compare with
    rehashed: bool  # hashes are made in another way than those of the index: they say nothing about change


def apply(store: Store, parsed: Sequence[Parsed], terms: Terms) -> dict[str, str]:
    """Write parsed files, in one transaction; the functions that have another id now (old -> new)."""
    with store.transaction():
        texts = _texts(store, parsed)
        if terms.is_first:
            _insert(store, parsed, texts, terms, {}, {})
            return {}
        states = store_index.file_states(store, [p.path for p in parsed])
        standings: dict[str, Standing] = {}
        taints: list[Taint] = []
        renamed: dict[str, str] = {}
        for p in parsed:
            if p.path in states:
                pairs, kept, news = _succeed(store, p, states[p.path], terms)
                standings.update(kept)
                renamed.update(pairs)
                taints.extend(news)
        texts = _texts(store, parsed)  # anew: they may have moved to other ids
        store_index.drop_functions(store, states)
        store_index.drop_facts(store, (p.path for p in parsed if p.facts is None and p.path in states))
        _insert(store, parsed, texts, terms, states, standings)
        restored = _withdraw(store, parsed)
        # A name that is back after another is no news to callers that were flagged when it went.
        taints = [
            t
            for t in taints
            if (t.function, t.source) not in restored and (t.function, renamed.get(t.source)) not in restored
        ]
        store_taint.add(store, taints, store_notes.now())
        store_taint.drop_missing(store)
        for p in parsed:
            store_taint.refresh_file(store, p.path)
        return {old: new for old, new in renamed.items() if old != new}


def remove(store: Store, paths: Sequence[str]) -> None:
    """Delete files; callers of what was in them are flagged. Joins the caller's transaction."""
    with store.transaction():
        taints: list[Taint] = []
        for path in paths:
            olds = [version for version, _ in store_index.versions(store, path)]
            taints.extend(_taints(store, olds, [], {}))
        store_index.delete_files(store, paths)
        store_taint.add(store, taints, store_notes.now())
        store_taint.drop_missing(store)


def move(store: Store, old: str, new: str) -> None:
    """Give a file another path; callers are flagged until they turn out to reach it there."""
    with store.transaction():
        ids = {
            v.id: new + v.id[len(old) :] for v, _ in store_index.versions(store, old) if v.kind != "module"
        }
        calls = [call for call in store_edges.callers(store, ids) if call.caller not in ids]
        store_index.move_file(store, old, new)
        taints = [Taint(c.caller, ids[c.callee], "moved", c.ambiguous, None) for c in calls]
        store_taint.add(
            store, [t for t in taints if not t.function.startswith(f"{old}::")], store_notes.now()
        )


def _texts(store: Store, parsed: Iterable[Parsed]) -> Texts:
    if not store_index.has_texts(store):
        return {}
    found: dict[str, Mapping[str, Text]] = {}
    for p in parsed:
        found.update(store_index.texts(store, p.path))
    return found


def _version(row: Sequence[Any]) -> Version:
    return Version(row[_ID], row[_KIND], row[_SIGNATURE], row[_HASH], row[_BODY])


def _succeed(
    store: Store, p: Parsed, state: FileState, terms: Terms
) -> tuple[dict[str, str], dict[str, Standing], list[Taint]]:
    """Hand what hung on a file's functions to their successors.

    Returns who succeeds whom (old id -> new id), standings by new id, and taints of callers.
    """
    known = store_index.versions(store, p.path)
    olds, news = [version for version, _ in known], [_version(row) for row in p.functions]
    pairs = match(olds, news)
    # A file that is as it was may read otherwise to a later version of ours: that is no news to callers.
    taints = _taints(store, olds, news, pairs) if state.content_hash != p.content_hash else []
    hashes = {version.id: version.semantic_hash for version in news}
    standings = {
        pairs[version.id]: _standing(standing, version.semantic_hash, hashes[pairs[version.id]], terms)
        for version, standing in known
        if version.id in pairs
    }
    store_index.move_functions(store, pairs)
    return pairs, standings, taints


def _standing(standing: Standing, old_hash: str | None, new_hash: str | None, terms: Terms) -> Standing:
    if terms.rehashed:
        return standing if standing.is_stale else Standing(new_hash, 1.0, False)
    return aged(standing, old_hash, new_hash)


def _taints(
    store: Store, olds: Sequence[Version], news: Sequence[Version], pairs: Mapping[str, str]
) -> list[Taint]:
    """Whom the change of a file's functions concerns, by the ids that callers have afterwards."""
    found = {event.function: event for event in events(olds, news, pairs)}
    own = {version.id for version in olds}
    taints = []
    for call in store_edges.callers(store, found) if found else ():
        event = found[call.callee]
        caller = pairs.get(call.caller) if call.caller in own else call.caller
        source = pairs[event.function] if event.reason == "signature" else event.function
        if caller is not None and call.caller != call.callee:
            taints.append(Taint(caller, source, event.reason, call.ambiguous, event.signature_before))
    return taints


def _withdraw(store: Store, parsed: Iterable[Parsed]) -> set[tuple[str, str]]:
    """Take back what functions caused whose signature is what it was before; the (function, source) pairs."""
    signatures: list[tuple[str, str]] = []
    for p in parsed:
        causes = store_taint.sources_in(store, p.path)
        signatures.extend((row[_ID], row[_SIGNATURE]) for row in p.functions if row[_ID] in causes)
    return store_taint.clear_restored(store, signatures)


def _insert(
    store: Store,
    parsed: Iterable[Parsed],
    texts: Texts,
    terms: Terms,
    states: Mapping[str, FileState],
    standings: Mapping[str, Standing],
) -> None:
    files, functions, facts = [], [], []
    for p in parsed:
        files.append(_file_row(p, texts.get(p.path, {}), terms, states.get(p.path)))
        for row in p.functions:
            functions.append(_function_row(p.path, row, texts.get(row[_ID], {}), standings.get(row[_ID])))
        if p.facts is not None:
            facts.append((p.path, p.facts))
    store_index.put_files(store, files)
    store_index.put_functions(store, functions)
    store_index.put_facts(store, facts)


def _file_row(p: Parsed, texts: Mapping[str, Text], terms: Terms, state: FileState | None) -> FileRow:
    def text(field: str, derived: str | None = None) -> str | None:
        return _shown(texts.get(field), derived)

    if state is None:
        standing = first(p.semantic_hash, _written_about(texts))
    else:
        standing = _standing(state.standing, state.semantic_hash, p.semantic_hash, terms)
    return FileRow(
        path=p.path,
        language=p.language,
        problem=p.problem,
        system=text("system") or system_of(p.path, terms.own_names),
        purpose=text("purpose", p.purpose),
        summary=text("summary", p.summary),
        danger=text("danger"),
        last_change=text("last_change"),
        exports=p.exports,
        semantic_hash=p.semantic_hash,
        content_hash=p.content_hash,
        stat=p.stat,
        lines=p.lines,
        size=p.size,
        confidence=standing.confidence,
        is_stale=standing.is_stale,
        described_hash=standing.described_hash,
    )


def _function_row(
    path: str, row: Sequence[Any], texts: Mapping[str, Text], standing: Standing | None
) -> tuple[Any, ...]:
    """A row as `store_index.FUNCTION_COLUMNS` has it."""
    values = row
    danger = None
    if texts:
        values = list(row)
        danger = _shown(texts.get("danger"), None)
        for field, index in _WRITABLE.items():
            values[index] = _shown(texts.get(field), row[index])
    if standing is None:
        standing = first(row[_HASH], _written_about(texts))
    return (path, *values, danger, *standing)


def _shown(text: Text | None, derived: str | None) -> str | None:
    """What a person or an agent wrote, else what the code says of itself, else what a model wrote."""
    if text is None or (derived and text.source == "model"):
        return derived
    return text.value


def _written_about(texts: Mapping[str, Text]) -> str | None:
    """The semantic hash that texts were written about, None where nothing says."""
    return next((text.about for field, text in texts.items() if text.about and field != "last_change"), None)
