"""The main screen: the tree at the left, the panes at the right, and the question that both are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Size

from sctx_tui.tui.background import begin
from sctx_tui.tui.draw.lines import line
from sctx_tui.tui.files import parents
from sctx_tui.tui.screens.indexing import IndexingScreen
from sctx_tui.tui.widgets.bar import Bar
from sctx_tui.tui.widgets.files import FilesPane
from sctx_tui.tui.widgets.lines import key_bindings
from sctx_tui.tui.widgets.page import Page

if TYPE_CHECKING:
    from sctx_tui.tui.widgets.prompt import Prompt
from sctx_tui.tui.widgets.side import SidePane

LEAST = Size(40, 10)
"""Cells that the app needs."""


class MainScreen(IndexingScreen):
    """Puts the widgets together and listens to them."""

    is_too_small = False

    BINDINGS = key_bindings("main")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (76, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-high")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        """Title, tree and panes, keys."""
        yield Bar(id="title")
        yield Bar(id="tabs")
        with Horizontal(id="body"):
            yield FilesPane(self.project, self.lanes["answers"], self._question)
            yield SidePane(id="side")
        yield Bar(id="keys")

    def _question(self) -> tuple[str, str]:
        return self.desk.question.action, self.desk.question.timing

    # Start and end

    def on_mount(self) -> None:
        """Paint first; everything that reads the project comes after that."""
        tree = self.files.file_tree
        tree.shows_ignored = self.remembered.ignored
        tree.opened.update(self.remembered.opened, parents(self.desk.question.path))
        self.set_split(self.split)
        self.tell()
        self.enter_files()
        # Whatever had the terminal in the meantime, an editor or a shell, has left nothing of ours on it.
        self.app.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self.call_after_refresh(self.start)

    async def on_unmount(self) -> None:
        """Nothing outlives the screen."""
        self.stop_watching()
        for lane in self.lanes.values():
            lane.close()
        await self.builder.close()

    def start(self) -> None:
        """Read the project, after the first paint."""
        begin(self, self._start, "files")
        self.start_indexing()

    async def _start(self) -> None:
        await self.read_all()
        self.start_watching()

    def remember(self) -> None:
        """Write down what the next run begins with."""
        kept = self.remembered
        question = self.desk.question
        kept.path, kept.is_folder, kept.action, kept.timing = question[:4]
        kept.pane, kept.exclusions = self.desk.pane, self.desk.exclusions
        kept.ignored, kept.split = self.files.file_tree.shows_ignored, self.split
        kept.opened = sorted(self.files.file_tree.opened)

    def on_descendant_focus(self) -> None:
        """The keys are those of what has the focus."""
        self.set_class(not self.files.has_focus_within, "-show-side")
        self.tell()

    def on_resize(self, event: events.Resize) -> None:
        """Tabs and title have another width; below a certain size there is no use in any of it."""
        self.is_too_small = event.size.width < LEAST.width or event.size.height < LEAST.height
        self.set_class(self.is_too_small, "-too-small")
        if self.is_too_small and not self.query("#too-small"):
            self.mount(Bar(id="too-small"))
            words = f" The app needs {LEAST.width} x {LEAST.height} cells."
            self.query_one("#too-small", Bar).show([(line((words, "text")), "")])
        self.set_split(self.split)
        self.call_after_refresh(self.tell)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys do nothing that can't be seen."""
        return not self.is_too_small and super().check_action(action, parameters)

    # What the widgets say

    def on_files_pane_selected(self, event: FilesPane.Selected) -> None:
        """The cursor of the tree is the question; where it has moved on by now, the newest wins."""
        if event.path != self.files.file_tree.path:
            return
        question = self.desk.question
        if (event.path, event.is_folder) != (question.path, question.is_folder):
            desk = self.desk.asking(path=event.path, is_folder=event.is_folder, symbol="")
            self.ask(desk._replace(trail=()))

    def on_files_pane_dragged(self, event: FilesPane.Dragged) -> None:
        """The line between the sides is drawn with the mouse."""
        self.set_split(event.column + 1)

    def on_file_tree_entered(self) -> None:
        """From the tree into the pane."""
        self.enter_pane()

    def on_page_left(self) -> None:
        """From the pane into the tree."""
        self.enter_files()

    async def on_page_opened(self, event: Page.Opened) -> None:
        """Enter on a block."""
        await self.open(event.block)

    def on_input_changed(self, event: Prompt.Changed) -> None:
        """Each keystroke is a new search."""
        if event.input.id == "query":
            self.ask(self.desk._replace(query=event.value))

    def on_input_submitted(self, event: Prompt.Submitted) -> None:
        """From the words to what they found."""
        if event.input.id == "query":
            self.enter_pane()
