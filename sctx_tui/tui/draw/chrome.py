"""The rows around the panes: title, tabs and keys, as parts that can be clicked."""

from __future__ import annotations

from sctx_tui.tui import keys
from sctx_tui.tui.draw.lines import Line, cut_start, line, span
from sctx_tui.tui.view import Question

Item = tuple[Line, str]


def title(project: str, question: Question, counts: str, width: int) -> tuple[list[Item], list[Item]]:
    """Where we are at the left; action, timing and what applies at the right."""
    right: list[Item] = [
        (line((f" {counts}  ", "muted")), ""),
        (line((" action ", "faint"), (question.action, "strong"), " "),
         "cycle_action(1)"),
        (line((" timing ", "faint"), (question.timing, "strong"), " "), "cycle_timing(1)"),
    ]  # fmt: skip
    room = max(12, width - 34 - len(counts) - len(project))
    path = cut_start(question.path, room)
    folder, slash, name = path.rpartition("/")
    parts = [span(f" {project}", "strong")]
    for each in (folder + slash).split("/")[:-1]:
        parts += [span(" › ", "faint"), span(each, "muted")]
    if question.path:
        parts += [span(" › ", "faint"), span(name + ("/" if question.is_folder else ""), "title")]
    return [(tuple(parts), "")], right


def tabs(current: str, badges: dict[str, str], width: int, *, files: bool, has_focus: bool) -> list[Item]:
    """The panes by number; where the width does not do for all names, the far ones are numbers only."""
    panes = [(f"{number}", pane.title, pane.name) for number, pane in enumerate(keys.PANES, 1)]
    if files:
        panes.insert(0, ("0", "Files", "files"))
    badges = dict(badges)
    named = {name for _, _, name in panes}

    def needed() -> int:
        cells = 1  # one more blank behind the current one
        for number, text, name in panes:
            words = [number, text, badges.get(name, "")] if name in named else [number]
            cells += sum(len(word) + 1 for word in words if word)
        return cells

    for _, _, name in reversed(panes):
        if needed() <= width:
            break
        badges.pop(name, None)
    for _, _, name in reversed(panes):
        if needed() <= width:
            break
        if name != current:
            named.discard(name)
    items: list[Item] = []
    for number, text, name in panes:
        action = "focus_tree" if name == "files" else f"show_pane('{name}')"
        is_current = name == current
        look = ("tab-on" if has_focus else "tab-off") if is_current else ""
        parts = [span(f" {number}", look or "faint")]
        if name in named or is_current:
            parts.append(span(f" {text}", look or "muted"))
            if badge := badges.get(name, ""):
                parts.append(span(f" {badge}", look or "count"))
        if is_current:
            parts.append(span(" ", look))
        items.append((tuple(parts), action))
    return items


def footer(context: str) -> list[Item]:
    """The keys of whatever has the focus."""
    return [
        (line(" ", (keys.sign(key.keys.split(",")[0]), "key"), (f" {key.label} ", "muted")), key.action)
        for key in keys.footer(context)
    ]
