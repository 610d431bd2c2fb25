"""The left side: the tree of files with its filter, what it leaves out, and the counts of the rows on
show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from sctx_tui.tui.background import Lane, begin
from sctx_tui.tui.draw.lines import line
from sctx_tui.tui.files import FileIndex, Row
from sctx_tui.tui.project import Project
from sctx_tui.tui.widgets.bar import Bar
from sctx_tui.tui.widgets.tree import FileTree
from sctx_tui.wording import counted

if TYPE_CHECKING:
    from sctx_tui.tui.widgets.prompt import Prompt

MAX_CHOSEN = 2_000
"""Files that a filter shows; more are counted."""
BATCH = 10
"""Rows whose counts are worked out in one go, so that a selection never waits for longer than that."""
SHOWN = ("all", "with", "without")


class FilesPane(Vertical):
    """Tree, filter and the line below; asks the project for what the rows show."""

    class Selected(Message):
        """The user went to another path."""

        def __init__(self, path: str, is_folder: bool) -> None:
            super().__init__()
            self.path = path
            self.is_folder = is_folder

    class Dragged(Message):
        """The line at the right is drawn to a column of the screen."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    def __init__(self, project: Project, lane: Lane, question: Callable[[], tuple[str, str]]) -> None:
        """`question` gives action and timing of the moment."""
        super().__init__(id="files")
        self.project = project
        self._lane = lane
        self._question = question
        self._fresh: set[str] = set()
        self._shown = SHOWN[0]
        self._found = 0
        self._left_out = 0
        self._before = ""
        self._is_listed = False

    def compose(self) -> ComposeResult:
        """Tree and foot; the filter comes when it is asked for."""
        yield FileTree(id="tree")
        yield Bar(id="files-foot")

    def on_mount(self) -> None:
        """Say that nothing is listed yet."""
        self.tell()

    @property
    def file_tree(self) -> FileTree:
        """The tree itself."""
        return self.query_one("#tree", FileTree)

    @property
    def prompt(self) -> Prompt | None:
        """The line in which a filter is typed, if it is shown."""
        return cast("Prompt | None", next(iter(self.query("#filter")), None))

    @property
    def wanted(self) -> str:
        """What is typed in it."""
        prompt = self.prompt
        return "".join(prompt.value.split()) if prompt is not None else ""

    # What is shown

    def show(self, index: FileIndex, cursor: str) -> None:
        """Show these files, with the cursor on a path."""
        self._is_listed = True
        self._fresh.clear()
        self.file_tree.show(index, cursor=cursor)
        self.tell()
        if self._shown != SHOWN[0] or self.wanted:
            self._choose()

    def renew_rows(self) -> None:
        """Something else is known of the rows on show."""
        self._fresh.clear()
        self.fill()

    def renew(self) -> None:
        """Counts may have changed: action, timing or guidance are others."""
        self.renew_rows()
        if self._shown != SHOWN[0]:
            self._choose()

    def tell(self) -> None:
        """The line below the tree."""
        index = self.project.index
        words, role = (counted(len(index), "file") if self._is_listed else "listing files …"), "faint"
        if self._shown != SHOWN[0] or self.wanted:
            kind = {"all": "", "with": " with guidance", "without": " without guidance"}[self._shown]
            words, role = f"{self._found:,} of {len(index):,}{kind}", "warn"
            if self._left_out:
                words = f"none; {self._left_out:,} ignored, i"
        ignored = len(index.ignored)
        note = (
            f"{ignored:,} ignored {'shown' if self.file_tree.shows_ignored else ''}".rstrip()
            if ignored
            else ""
        )
        self.query_one("#files-foot", Bar).show(
            [(line(" ", (words, role)), "cycle_coverage")],
            [(line((note, "faint"), (" i " if note else "", "key")), "toggle_ignored")],
        )

    # Counts of the rows on show

    def on_file_tree_scrolled(self) -> None:
        """Other rows want their counts."""
        self.fill()

    def fill(self) -> None:
        """Work out what the rows on show lack."""
        if self._is_listed:
            begin(self, self._fill, "rows")

    async def _fill(self) -> None:
        await asyncio.sleep(0)  # whatever was selected in this turn goes first
        action, timing = self._question()
        wanted = [
            (row.path, row.is_folder) for row in self.file_tree.rows_on_show() if row.path not in self._fresh
        ]
        for start in range(0, len(wanted), BATCH):
            part = wanted[start : start + BATCH]
            facts = await self._lane.run(self.project.row_facts, part, action, timing)
            self._fresh.update(facts)
            self.file_tree.learn(facts)

    # Choosing files

    def start_filter(self) -> None:
        """Open the filter."""
        prompt = self.prompt
        if prompt is None:
            from sctx_tui.tui.widgets.prompt import Prompt

            self._before = self.file_tree.path
            prompt = Prompt(placeholder="filter", id="filter")
            self.mount(prompt, before=self.file_tree)
        self.screen.set_focus(prompt)

    def end_filter(self, *, keep: bool) -> None:
        """Go to the tree; without `keep` the filter is gone and the cursor is where it was before."""
        prompt = self.prompt
        if prompt is not None and not (keep and self.wanted):
            prompt.remove()
            prompt.value = ""
            self._choose(self._before)
        self.screen.set_focus(self.file_tree)

    def on_input_changed(self, event: Prompt.Changed) -> None:
        """Each keystroke drops the search of the one before."""
        event.stop()
        self._choose()

    def on_input_submitted(self, event: Prompt.Submitted) -> None:
        """Enter goes to the tree, filter and all."""
        event.stop()
        self.end_filter(keep=True)

    def on_key(self, event: events.Key) -> None:
        """The arrows move through what the filter found while it is typed."""
        if event.key in ("up", "down") and self.prompt is not None and self.prompt.has_focus:
            event.stop()
            (self.file_tree.action_up if event.key == "up" else self.file_tree.action_down)()

    def cycle_shown(self) -> None:
        """All files, those with guidance, those without."""
        self._shown = SHOWN[(SHOWN.index(self._shown) + 1) % len(SHOWN)]
        self._choose()

    def toggle_ignored(self) -> None:
        """Show or hide what git ignores."""
        self.file_tree.shows_ignored = not self.file_tree.shows_ignored
        self.file_tree.show(self.project.index)
        self.tell()

    def reveal(self, path: str) -> None:
        """Show a path in the tree, whatever was filtered."""
        self._shown = SHOWN[0]
        if self.prompt is not None:
            self.prompt.remove()
        self.file_tree.reveal(path)
        self.tell()

    def _choose(self, cursor: str = "") -> None:
        begin(self, partial(self._choose_files, cursor), "choose")

    async def _choose_files(self, cursor: str) -> None:
        from sctx_tui.tui import fuzzy

        query = self.wanted
        if not query and self._shown == SHOWN[0]:
            self.file_tree.choose_all(cursor)
            self.select_cursor()
            self.tell()
            return
        found: list[str] = []
        for number, part in enumerate(self._slices(query)):
            found += part if self._shown == SHOWN[0] else await self._with_guidance(part)
            await asyncio.sleep(0)
            if self._shown != SHOWN[0] and number % 4 == 0:
                self._found = len(found)
                self.tell()
        if query:
            found = fuzzy.nearest(query, found)
        self._found = len(found)
        hidden = (
            self.project.index.ignored if query and not found and not self.file_tree.shows_ignored else []
        )
        self._left_out = sum(map(len, fuzzy.filtered(query, hidden))) if hidden else 0
        best = (fuzzy.ranked(query, found) if query else found)[:MAX_CHOSEN]
        first = best[0] if query and best else ""
        self.file_tree.choose(sorted(best), lambda path: fuzzy.spots(query, path), first)
        self.tell()
        self.select_cursor()

    def _slices(self, query: str) -> Iterator[list[str]]:
        from sctx_tui.tui import fuzzy

        paths = self.project.index.paths
        if query:
            yield from fuzzy.filtered(query, paths)
        else:
            yield from (paths[start : start + 200] for start in range(0, len(paths), 200))

    async def _with_guidance(self, paths: list[str]) -> list[str]:
        """Those of the paths that the current choice wants."""
        action, timing = self._question()
        found: list[str] = []
        for start in range(0, len(paths), BATCH):
            part = paths[start : start + BATCH]
            applies = await self._lane.run(self.project.with_context, part, action, timing)
            found += [
                path for path, each in zip(part, applies, strict=True) if each == (self._shown == "with")
            ]
        return found

    # The line at the right

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """The line is taken."""
        if self.styles.border_right[0] and event.x == self.outer_size.width - 1:
            event.stop()
            self.capture_mouse()
            self.add_class("-dragged")

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The line follows the mouse."""
        if self.has_class("-dragged"):
            event.stop()
            self.post_message(self.Dragged(event.screen_x))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """The line is let go."""
        if self.has_class("-dragged"):
            event.stop()
            self.capture_mouse(False)
            self.remove_class("-dragged")

    # The cursor

    def on_file_tree_moved(self, event: FileTree.Moved) -> None:
        """Tell of the new path."""
        event.stop()
        self._post(event.row)

    def select_cursor(self) -> None:
        """What the cursor is on is selected."""
        if self.file_tree.row is not None:
            self._post(self.file_tree.row)

    def _post(self, row: Row) -> None:
        self.post_message(self.Selected(row.path, row.is_folder))
