"""The main screen's heart: the question that is asked, and how the panes come to their answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from textual.screen import Screen
from textual.worker import Worker, WorkerState

from sctx_tui.sanitize import clean
from sctx_tui.tui.background import Lane, begin, keep
from sctx_tui.tui.desk import Desk, History, Question
from sctx_tui.tui.draw import chrome
from sctx_tui.tui.draw.lines import Block, Target, line, text_block
from sctx_tui.tui.project import Project
from sctx_tui.tui.state import State
from sctx_tui.tui.widgets.bar import Bar
from sctx_tui.tui.widgets.files import FilesPane
from sctx_tui.tui.widgets.lines import COMPONENTS
from sctx_tui.tui.widgets.page import Page
from sctx_tui.tui.widgets.side import SidePane
from sctx_tui.wording import counted

if TYPE_CHECKING:
    from sctx_tui.tui.view import GuidanceView

PATIENCE = 0.1
"""Seconds before a pane says that its answer is being worked out."""
REST = 0.15
"""Seconds without a new question after which the dearer parts of an answer are worked out."""
SURVEYED = 20_000
"""Files up to which a project is validated without being asked."""
GUIDANCE = ("context", "decisions")
"""Panes that show what the guidance engine says."""
PREVIEWED = ("neighbours", "search")
"""Panes with source below them."""


class AnsweringScreen(Screen[None]):
    """Keeps the desk and gets the panes their answers; the newest question wins."""

    COMPONENT_CLASSES = COMPONENTS

    def __init__(self, project: Project, remembered: State) -> None:
        super().__init__()
        self.project = project
        question = Question(remembered.path, remembered.is_folder, remembered.action, remembered.timing)
        self.desk = Desk(question, remembered.pane, remembered.exclusions)
        self.remembered = remembered
        self.split = remembered.split
        self.history = History()
        self.lanes = {name: Lane(name) for name in ("answers", "code", "surveys")}
        self.guidance: GuidanceView | None = None
        self.tokens = (Question(), 0)
        self.answers: dict[str, Any] = {}
        self._complete: set[str] = set()
        self._said: dict[str, float] = {}  # errors, each with the moment when its toast goes

    @property
    def files(self) -> FilesPane:
        """The left side."""
        return self.query_one(FilesPane)

    @property
    def side(self) -> SidePane:
        """The right side."""
        return self.query_one(SidePane)

    @property
    def place(self) -> Target:
        """What `e` and `y` are about: what the cursor of the pane is on, or the selected path."""
        page = self.side.page
        if not self.files.has_focus_within and page.target is not None:
            return page.target
        return Target(self.desk.question.path)

    def enter_pane(self) -> None:
        """Put the focus on the pane, now: the next key may be on its way already."""
        self.add_class("-show-side")
        self.set_focus(self.side.page)

    def enter_files(self) -> None:
        """Put the focus on the tree."""
        self.remove_class("-zoom", "-show-side")
        self.set_focus(self.files.file_tree)

    def say(self, text: str, severity: Literal["information", "warning", "error"] = "information") -> None:
        """A toast; an error that is still on the screen isn't said again."""
        now = time.monotonic()
        if severity == "error":
            if now < self._said.get(text, now):
                return
            self._said[text] = now + self.app.NOTIFICATION_TIMEOUT
        self.notify(clean(text, multiline=True), severity=severity, markup=False)

    # Reading the project

    def read_files(self) -> None:
        """Read everything, as for the first time."""
        begin(self, self.read_all, "files")

    async def read_all(self) -> None:
        """The same, to be waited for."""
        await self.renew()
        await self.list_files()

    async def list_files(self) -> None:
        """List the files anew."""
        had_guidance = bool(self.project.guidance_files)
        await self.lanes["surveys"].run(self.project.list_files, sorted(self.files.file_tree.opened))
        self.show_files()
        keep()
        if had_guidance != bool(self.project.guidance_files):
            await self.renew()

    def show_files(self) -> None:
        """Show the files as they are listed now."""
        path = self.desk.question.path
        was_there = self.files.file_tree.path == path
        self.files.show(self.project.index, path)
        if was_there and self.files.file_tree.path != path:
            self.files.select_cursor()  # the file is gone: what the cursor is on now is the question
        self.tell()
        begin(self, self._count_problems, "problems")

    async def renew(self, *, problems: bool = True) -> None:
        """Work out again what is on show; cursor and scroll positions stay. Without `problems` only the index
        has changed."""
        await self.lanes["answers"].run(self.project.forget)
        self.files.renew()
        self.answer()
        if problems:
            begin(self, self._count_problems, "problems")

    async def _count_problems(self) -> None:
        """The tab and the tree say that something is wrong before anybody asks; in huge projects one has
        to."""
        if not 0 < len(self.project.index) <= SURVEYED:
            return
        await asyncio.sleep(REST)
        self.answers["problems"] = await self.lanes["surveys"].run(self.project.problems)
        self.files.renew_rows()
        self.tell()

    # The question and its answers

    def ask(self, desk: Desk) -> None:
        """Look at something else."""
        before, self.desk = self.desk, desk
        if before.question[2:4] != desk.question[2:4]:
            self.files.renew()
        self.tell()
        self.answer(pane=not self._is_answered(before))

    def _is_answered(self, before: Desk) -> bool:
        """Whether the pane says of the desk what it said of the one before: it is about the whole project."""
        from sctx_tui.tui.panes import PANE_WORK

        desk, work = self.desk, PANE_WORK[self.desk.pane]
        is_same = (before.pane, before.whole) == (desk.pane, desk.whole) and (
            work.subject(before) == work.subject(desk)
        )
        return is_same and work.lane != "answers" and desk.pane in self._complete

    def jump(self, desk: Desk) -> None:
        """Look at something else, with a way back."""
        if desk != self.desk:
            self.history.leave(self.desk)
            self.go(desk)

    def go(self, desk: Desk) -> None:
        """Look at something else and show it in the tree."""
        if desk.question.path != self.files.file_tree.path:
            self.files.reveal(desk.question.path)
        self.ask(desk)

    def answer(self, *, pane: bool = True) -> None:
        """Get the answers for what the user looks at now; what is on its way for an older question is
        dropped. Without `pane`, what the pane shows stands."""
        known = self.project.known(self.desk.question)
        if known is not None:
            self._take(known)
        begin(self, partial(self._answer, pane=pane), "answer")

    async def _answer(self, *, pane: bool) -> None:
        desk = self.desk
        question = desk.question._replace(symbol="")
        view = self.project.known(question)
        if view is None:
            view = await self.lanes["answers"].run(self.project.guidance, question)
        if view is not self.guidance:  # the tree may have asked first
            self._take(view)
        if pane and desk.pane not in GUIDANCE:
            await self._answer_pane(desk)
        await asyncio.sleep(REST)
        self.tokens = question, await self.lanes["answers"].run(self.project.tokens, question)
        self.tell()
        if self.project.code.has_index:
            await self.lanes["code"].last(self.project.code.read_ahead())

    def _take(self, view: GuidanceView) -> None:
        self.guidance = self.answers["context"] = self.answers["decisions"] = view
        self.tell()
        if self.desk.pane in GUIDANCE:
            self.draw_pane(view)

    async def _answer_pane(self, desk: Desk) -> None:
        from sctx_tui.tui.panes import PANE_WORK

        work = PANE_WORK[desk.pane]
        if work.lane == "surveys" or (work.lane == "code" and not self.project.code.has_index):
            await asyncio.sleep(REST / 2)  # a held-down key asks for one of many
        subject = f"{desk.pane} {work.subject(desk)}"
        waiting = self.set_timer(PATIENCE, partial(self._say_waiting, subject))

        def show(answer: Any) -> None:
            waiting.stop()
            self.answers[desk.pane] = answer
            self.tell()
            self.draw_pane(answer)

        self._complete.discard(desk.pane)
        try:
            await self.lanes[work.lane].last(work.fetch(self.project, desk), show)
            self._complete.add(desk.pane)
        finally:
            waiting.stop()

    def _say_waiting(self, subject: str) -> None:
        if self.side.page.subject == subject:
            return  # an older answer is better than none
        note = text_block(line("  ", ("Working it out …", "muted")))
        self.side.page.show("waiting", lambda width: iter((note,)))

    def draw_pane(self, answer: Any) -> None:
        """Draw an answer on the page of the current pane."""
        from sctx_tui.tui.panes import PANE_WORK

        desk, work = self.desk, PANE_WORK[self.desk.pane]

        def draw(width: int) -> Iterator[Block]:
            return work.draw(answer, desk, width)

        self.side.show_preview(desk.pane in PREVIEWED and self.has_class("-high"))
        self.side.show_prompt(desk.pane == "search", desk.query)
        self.side.page.show(f"{desk.pane} {work.subject(desk)}", draw)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """What goes wrong in the background is said, never raised."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            reason = clean(f"{type(error).__name__}: {error}")
            self.say(f"{reason}\nr reads everything again.", severity="error")

    # Source below the page

    def on_page_pointed(self, event: Page.Pointed) -> None:
        """Show the source of what the cursor of the page is on."""
        event.stop()
        if event.page.id == "page":
            self.show_source(event.target)

    def show_source(self, target: Target | None) -> None:
        """Show the source at a place, if source is shown at all."""
        if self.side.preview is not None:
            begin(self, partial(self._preview, target), "preview")

    async def _preview(self, target: Target | None) -> None:
        from sctx_tui.tui.draw.graph import source_blocks
        from sctx_tui.tui.source import read_source

        head, preview = self.side.query_one("#preview-head", Bar), self.side.preview
        if preview is None:
            return
        if target is None:
            head.show([])
            preview.show("", lambda width: iter(()))
            return
        source = await self.lanes["answers"].run(read_source, self.project.root, target.path, target.line)
        place = f"{target.path}:{target.line}" if target.line else target.path
        head.show([(line(" ", (place, "link")), "edit")])
        preview.show(place, lambda width: source_blocks(source, width), at_cursor=True)

    # Around the panes

    def tell(self) -> None:
        """Title, tabs and keys say where we are."""
        if not self.is_mounted:
            return
        desk = self.desk
        left, right = chrome.title(self.project.name, desk.question, self._counts(), self.size.width)
        self.query_one("#title", Bar).show(left, right)
        on_page = not self.files.has_focus_within
        tabs = chrome.tabs(desk.pane, self._badges(), self.size.width, on_page=on_page)
        self.query_one("#tabs", Bar).show(tabs)
        context = desk.pane if on_page else "tree"
        status = self.status() if self.size.width > 60 else ""
        shown = chrome.footer(context, self.size.width - len(status) - 2)
        self.query_one("#keys", Bar).show(shown, [(line((status, "faint"), " "), "cancel_indexing")])

    def _badges(self) -> dict[str, str]:
        if not self.answers:
            return {}
        from sctx_tui.tui.panes import PANE_WORK

        return {name: PANE_WORK[name].badge(answer) for name, answer in self.answers.items()}

    def status(self) -> str:
        """The state of the index."""
        return ""

    def _counts(self) -> str:
        view, question = self.guidance, self.desk.question._replace(symbol="")
        if view is None or view.question != question:
            return ""
        words = f"{view.applying} apply"
        if view.excluded:
            words += f" · {view.excluded} excluded"
        if view.deciding:
            words += f" · {counted(view.deciding, 'decision')}"
        known, tokens = self.tokens
        return f"{words} · {tokens:,} tok" if tokens and known == question else words
