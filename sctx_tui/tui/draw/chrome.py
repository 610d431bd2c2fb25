"""The rows around the panes: title, tabs and keys, as parts that can be clicked."""

from __future__ import annotations

from sctx_tui.tui import keys
from sctx_tui.tui.desk import Question
from sctx_tui.tui.draw.lines import ELLIPSIS, Line, Span, line, width_of

Item = tuple[Line, str]


def title(project: str, question: Question, counts: str, width: int) -> tuple[list[Item], list[Item]]:
    """Where we are at the left; what applies, action and timing at the right. The counts go first."""
    right: list[Item] = [
        (line((f" {counts} ", "muted")), ""),
        (line("  ", ("action ", "faint"), (question.action, "strong"), " "), "cycle_action(1)"),
        (line(" ", ("timing ", "faint"), (question.timing, "strong"), " "), "cycle_timing(1)"),
    ]
    folders = [project, *question.path.split("/")]
    name = folders.pop() + ("/" if question.is_folder and question.path else "")
    room = width - sum(width_of(part) for part, _ in right)
    if room < width // 3:
        room += width_of(right.pop(0)[0])
    left = _crumbs(folders, name)
    while width_of(left) > room and len(folders) > 1:
        del folders[1]
        left = _crumbs([folders[0], ELLIPSIS, *folders[1:]], name)
    return [(left, "reveal")], right


def _crumbs(folders: list[str], name: str) -> Line:
    parts: list[str | Span] = [" "]
    for number, folder in enumerate(folders):
        parts += [(folder, "strong" if number == 0 else "muted"), (" › " if name else "", "faint")]
    return line(*parts, (name, "title"))


def tabs(current: str, badges: dict[str, str], width: int, *, on_page: bool) -> list[Item]:
    """Files and panes by number, that with the focus lit; where width is short the far ones lose their
    names."""
    titles = {"files": "Files", **{pane.name: pane.title for pane in keys.PANES}}
    far_first = list(reversed(titles))
    droppable = [(name, 2) for name in far_first]
    droppable += [(name, 1) for name in far_first if name not in ("files", current)]
    words = {name: [str(at), title, badges.get(name, "")] for at, (name, title) in enumerate(titles.items())}
    gap = 2  # cells between two tabs; none where there is too little room, only their leading blank
    for name, column in droppable:
        if sum(sum(len(word) + 1 for word in each if word) + gap for each in words.values()) + 2 <= width:
            break
        gap = 0
        words[name][column] = ""
    lit = current if on_page else "files"
    items: list[Item] = []
    for name, each in words.items():
        look = "tab-on" if name == lit else "tab-off" if name == current else ""
        roles = (look or "faint", look or "muted", look or "count")
        # Side by side with the next number, a count is tied to its name.
        before = (" ", " ", " " if look or gap > 1 else "·")
        parts = [(space + word, role) for space, word, role in zip(before, each, roles, strict=True) if word]
        action = "focus_tree" if name == "files" else f"show_pane('{name}')"
        parts.append((" " if look or gap > 1 else "", look))
        items += [(line(*parts), action), (line(" " * max(0, gap - 1)), "")]
    return items


def footer(context: str, width: int) -> list[Item]:
    """The keys of whatever has the focus; where width is short those before the help and the end go first."""
    items = [
        (line(" ", (keys.sign(key.keys.split(",")[0]), "key"), (f" {key.label} ", "muted")), key.action)
        for key in keys.footer(context)
    ]
    while len(items) > 2 and sum(width_of(text) for text, _ in items) > width:
        del items[-3]
    return items
