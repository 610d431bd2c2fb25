"""What the app remembers of a project between two runs, in the user's state directory, never in the
repository."""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import asdict, dataclass, field

from sctx_tui.tui.desk import ACTIONS, TIMINGS
from sctx_tui.tui.keys import PANE_NAMES
from sctx_tui.user_directories import user_state

MAX_OPENED = 500


@dataclass
class State:
    """What is remembered; every field has the value of a first run."""

    path: str = ""
    is_folder: bool = True
    action: str = "all"
    timing: str = "all"
    pane: str = PANE_NAMES[0]
    exclusions: bool = False
    ignored: bool = False
    split: int = 0
    """Columns of the tree, 0 for as many as suit the window."""
    theme: str = ""
    opened: list[str] = field(default_factory=list)


def state_file(root: str) -> str:
    """Where the state of the project at `root` is kept."""
    # Quick to load, unlike a real digest; what two projects share by chance is told apart by `root` in it.
    path = os.fsencode(root)
    name = f"{zlib.crc32(path):08x}{zlib.adler32(path):08x}"
    return os.path.join(user_state(), "app", name + ".json")


def load(root: str) -> State:
    """The remembered state; anything that can't be read, or isn't what it should be, is as on a first run."""
    try:
        with open(state_file(root), encoding="utf-8") as file:
            raw = json.load(file)
    except (OSError, ValueError, RecursionError):
        return State()
    state = State()
    if not isinstance(raw, dict) or raw.get("root") != root:
        return state
    for name, default in asdict(state).items():
        if type(raw.get(name)) is type(default):
            setattr(state, name, raw[name])
    state.opened = [each for each in state.opened if isinstance(each, str)][:MAX_OPENED]
    state.action = state.action if state.action in ACTIONS else "all"
    state.timing = state.timing if state.timing in TIMINGS else "all"
    state.pane = state.pane if state.pane in PANE_NAMES else PANE_NAMES[0]
    state.split = min(max(state.split, 0), 400)
    return state


def save(root: str, state: State) -> None:
    """Remember the state; where that can't be written, nothing is remembered."""
    from sctx_tui.atomic import write_atomically

    path = state_file(root)
    state.opened = state.opened[:MAX_OPENED]
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_atomically(path, json.dumps({"root": root, **asdict(state)}, indent=1).encode())
    except (OSError, ValueError):
        pass  # a read-only home directory is no reason to complain on the way out
