"""What a new version of a file means for its functions: who is who, what callers must know, what is stale."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sctx_tui.graph.ids import base_of

DECAY = 0.85  # of confidence, for each change of meaning since the last description


class Version(NamedTuple):
    """A function in one version of its file."""

    id: str
    kind: str
    signature: str
    semantic_hash: str | None
    body_hash: str | None


class Event(NamedTuple):
    """A change that callers have to know of."""

    function: str  # id before the change
    reason: str  # signature, renamed, removed
    signature_before: str


class Standing(NamedTuple):
    """How far a description can be trusted."""

    described_hash: str | None
    confidence: float
    is_stale: bool


def match(old: Sequence[Version], new: Sequence[Version]) -> dict[str, str]:
    """Old id -> new id of the functions that go on living.

    The same id stays the same function, except among duplicates (`f`, `f#2`), which are told apart by what
    they do before their order. What is left over is a renamed function if its body, and no other's, is
    still there.
    """
    pairs: dict[str, str] = {}
    olds, news = _by_base(old), _by_base(new)
    for base, before in olds.items():
        after = news.get(base, [])
        if len(before) == 1 and len(after) == 1:
            pairs[before[0].id] = after[0].id
        else:
            pairs.update(_match_duplicates(before, after))
    taken = set(pairs.values())
    gone = [version for version in old if version.id not in pairs]
    come = [version for version in new if version.id not in taken]
    pairs.update(_match_renamed(gone, come))
    return pairs


def _by_base(versions: Iterable[Version]) -> dict[str, list[Version]]:
    groups: dict[str, list[Version]] = defaultdict(list)
    for version in versions:
        groups[base_of(version.id)].append(version)
    return groups


def _match_duplicates(before: Sequence[Version], after: Sequence[Version]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    left = list(after)
    for same in (_same_text, _same_body, _anything):
        for version in before:
            found = next((other for other in left if version.id not in pairs and same(version, other)), None)
            if found is not None:
                pairs[version.id] = found.id
                left.remove(found)
    return pairs


def _same_text(a: Version, b: Version) -> bool:
    return a.semantic_hash is not None and a.semantic_hash == b.semantic_hash


def _same_body(a: Version, b: Version) -> bool:
    return a.body_hash is not None and a.body_hash == b.body_hash


def _anything(a: Version, b: Version) -> bool:
    return True


def _match_renamed(gone: Sequence[Version], come: Sequence[Version]) -> dict[str, str]:
    def once(versions: Sequence[Version]) -> dict[tuple[str, str], Version]:
        keys = Counter((v.kind, v.body_hash) for v in versions if v.body_hash)
        return {(v.kind, v.body_hash): v for v in versions if v.body_hash and keys[v.kind, v.body_hash] == 1}

    come_once = once(come)
    return {v.id: come_once[key].id for key, v in once(gone).items() if key in come_once}


def events(old: Sequence[Version], new: Sequence[Version], pairs: Mapping[str, str]) -> list[Event]:
    """What callers of the old functions have to know. A module's own code has no callers."""
    after = {version.id: version for version in new}
    found = []
    for version in old:
        if version.kind == "module":
            continue
        successor = pairs.get(version.id)
        if successor is None:
            found.append(Event(version.id, "removed", version.signature))
        elif base_of(successor) != base_of(version.id):
            found.append(Event(version.id, "renamed", version.signature))
        elif after[successor].signature != version.signature:
            found.append(Event(version.id, "signature", version.signature))
    return found


def aged(standing: Standing, old_hash: str | None, new_hash: str | None) -> Standing:
    """The standing of a description after its subject went from one semantic hash to another."""
    if new_hash == standing.described_hash:
        return Standing(new_hash, 1.0, False)
    if new_hash == old_hash:
        return standing
    return Standing(standing.described_hash, standing.confidence * DECAY, True)


def first(new_hash: str | None, written_about: str | None) -> Standing:
    """The standing of what appears: described by its docstring, or by what was once written about it."""
    if written_about is None or written_about == new_hash:
        return Standing(new_hash, 1.0, False)
    return Standing(written_about, DECAY, True)
