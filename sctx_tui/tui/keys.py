"""The one table of keys: bindings, footer, help, command palette and docs/keys.md all come from it."""

from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    """One row of the table."""

    keys: str
    """Key names as the framework spells them, separated by commas; the first is the one that is shown."""
    action: str
    label: str
    """One or two words for the footer."""
    help: str
    group: str
    where: str = "main"
    """Who answers: "main" the screen, "app" everywhere, "list" whatever list has the focus, "tree" or "page"
    only that."""


class Pane(NamedTuple):
    """One of the views of the right side."""

    name: str
    title: str
    help: str
    key: str = ""
    """A letter that opens it too."""


PANES = (
    Pane("context", "Context", "what applies, in merge order"),
    Pane("decisions", "Decisions", "decisions and dangers"),
    Pane("neighbours", "Neighbours", "functions, callers, callees, imports, dependents"),
    Pane("delivered", "Delivered", "what each agent receives, and the payload"),
    Pane("compare", "Compare", "two questions side by side", "d"),
    Pane("problems", "Problems", "everything that validate reports", "p"),
    Pane("coverage", "Coverage", "files without guidance, entries that match nothing", "v"),
    Pane("search", "Search", "full text over symbols, summaries and guidance", "s"),
)
PANE_NAMES = tuple(pane.name for pane in PANES)

KEYS = (
    Key("a", "cycle_action(1)", "action", "Next action: read, edit, create, all", "Question"),
    Key("A", "cycle_action(-1)", "", "Previous action", "Question"),
    Key("t", "cycle_timing(1)", "timing", "Next timing: before, after, all", "Question"),
    Key(
        "x",
        "toggle_exclusions",
        "exclusions",
        "Show or hide what does not apply, with the reason",
        "Question",
    ),
    *(
        Key(str(number), f"show_pane('{pane.name}')", "", f"{pane.title}: {pane.help}", "Panes")
        for number, pane in enumerate(PANES, 1)
    ),
    Key("0", "focus_tree", "", "Files", "Panes"),
    Key("d", "compare", "compare", "Pin this question to compare with the next; again: let go", "Panes"),
    Key("p", "show_pane('problems')", "problems", "Problems of the whole project", "Panes"),
    Key("v", "show_pane('coverage')", "coverage", "Coverage of the whole project", "Panes"),
    Key("s", "search", "search", "Search symbols, summaries and guidance", "Panes"),
    Key("tab", "switch_focus", "", "Between files and pane", "Panes"),
    Key("z", "zoom", "zoom", "Give the pane the whole window, and back", "Panes"),
    Key("less_than_sign", "resize(-4)", "", "Narrower file tree", "Panes"),
    Key("greater_than_sign", "resize(4)", "", "Wider file tree", "Panes"),
    Key("j,down", "down", "", "Down", "Move", "list"),
    Key("k,up", "up", "", "Up", "Move", "list"),
    Key("g,home", "first", "", "To the top", "Move", "list"),
    Key("G,end", "last", "", "To the bottom", "Move", "list"),
    Key("ctrl+d", "half_page(1)", "", "Half a page down", "Move", "list"),
    Key("ctrl+u", "half_page(-1)", "", "Half a page up", "Move", "list"),
    Key("pagedown,ctrl+f", "page(1)", "", "A page down", "Move", "list"),
    Key("pageup,ctrl+b", "page(-1)", "", "A page up", "Move", "list"),
    Key("left_square_bracket", "back", "", "Back in history", "Move"),
    Key("right_square_bracket", "forward", "", "Forward in history", "Move"),
    Key("enter", "open", "open", "Open or close the folder; go to the pane", "Files", "tree"),
    Key("l,right", "expand", "", "Open the folder, or go to the pane", "Files", "tree"),
    Key("h,left", "collapse", "", "Close the folder, or go to its parent", "Files", "tree"),
    Key("slash", "filter", "filter", "Filter the tree as you type; Esc ends it", "Files"),
    Key("escape", "escape", "", "End the filter, the search or the zoom", "Files"),
    Key("f", "find_file", "find", "Go to a file", "Files"),
    Key("full_stop", "reveal", "", "Show the current file in the tree", "Files"),
    Key("minus", "collapse_all", "", "Close all folders", "Files"),
    Key("w", "cycle_coverage", "", "Only files with guidance, only those without, all", "Files"),
    Key("i", "toggle_ignored", "", "Show or hide ignored files", "Files"),
    Key("enter", "open", "open", "Go to what the line speaks of", "Pane", "page"),
    Key("h,left", "leave", "", "To the files", "Pane", "page"),
    Key("backspace", "screen.back", "back", "Return from where Enter led", "Pane", "page"),
    Key("e", "edit", "edit", "Open the entry or file at its line in $VISUAL or $EDITOR", "Act"),
    Key("o", "edit_selected", "", "Open the selected file in $VISUAL or $EDITOR", "Act"),
    Key("y", "copy_path", "copy", "Copy path:line through the terminal (OSC 52)", "Act"),
    Key("Y", "copy_pane", "", "Copy the text of the pane", "Act"),
    Key("r", "reload", "reload", "Read everything again", "Act"),
    Key("c", "cancel_indexing", "", "Stop building the index, or start it", "Act"),
    Key("ctrl+p,colon", "command_palette", "", "Command palette", "App", "app"),
    Key("question_mark,f1", "help", "help", "These keys", "App", "app"),
    Key("q", "quit", "quit", "Quit", "App", "app"),
    Key("ctrl+c,ctrl+q", "quit", "", "Quit, also while typing", "App", "app"),
    Key("ctrl+z", "suspend_process", "", "Back to the shell; fg returns", "App", "app"),
)

_FOOTERS = {
    "tree": "a t x slash f e y question_mark q",
    "context": "a t x e y f d question_mark q",
    "neighbours": "enter backspace e y f s question_mark q",
    "compare": "a t d e y f question_mark q",
    "problems": "enter e y r question_mark q",
    "coverage": "enter e y r question_mark q",
    "search": "s enter e y question_mark q",
}
_SIGNS = {
    "less_than_sign": "<", "greater_than_sign": ">", "left_square_bracket": "[", "right_square_bracket": "]",
    "slash": "/", "full_stop": ".", "minus": "-", "question_mark": "?", "colon": ":", "enter": "Enter",
    "backspace": "Backspace", "escape": "Esc", "tab": "Tab", "down": "↓", "up": "↑", "left": "←",
    "right": "→", "home": "Home", "end": "End", "pagedown": "PgDn", "pageup": "PgUp", "f1": "F1",
}  # fmt: skip


def bindings(where: str) -> list[tuple[str, str, str]]:
    """Key names, action and description of the rows that `where` answers to."""
    return [(key.keys, key.action, key.help) for key in KEYS if key.where == where]


def sign(name: str) -> str:
    """How a key is written for people: `ctrl+d` is `Ctrl+D`, `slash` is `/`."""
    if name.startswith("ctrl+"):
        return "Ctrl+" + name[5:].upper()
    return _SIGNS.get(name, name)


def signs(key: Key) -> str:
    """All keys of a row, for people."""
    return " ".join(sign(name) for name in key.keys.split(","))


def footer(context: str) -> list[Key]:
    """The rows that the footer shows while the tree or the named pane has the focus."""
    wanted = _FOOTERS.get(context, _FOOTERS["context"]).split()
    side = "tree" if context == "tree" else "page"
    by_name = {key.keys.split(",")[0]: key for key in KEYS if key.where in ("main", "app", "list", side)}
    return [by_name[name] for name in wanted]


def grouped() -> dict[str, list[Key]]:
    """The table by group, in its order."""
    groups: dict[str, list[Key]] = {}
    for key in KEYS:
        groups.setdefault(key.group, []).append(key)
    return groups


def markdown() -> str:
    """docs/keys.md."""
    parts = [
        "# Keys of the app\n",
        "Generated from the table in `sctx_tui/tui/keys.py`; `?` shows the same in the app.\n",
    ]
    for group, keys in grouped().items():
        parts.append(f"## {group}\n")
        parts.append("| Key | What it does |\n|---|---|")
        parts.extend(
            f"| {' '.join(f'`{sign(name)}`' for name in key.keys.split(','))} | {key.help} |" for key in keys
        )
        parts.append("")
    return "\n".join(parts)
