"""The project as the app asks it: its files, and the engines' answers, remembered until something changes on
disk.

Nothing here knows a widget. Calls come from one thread at a time, except for surveys, which share nothing.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from sctx_tui.tui.code import NO_INDEX, CodeGraph
from sctx_tui.tui.desk import Question
from sctx_tui.tui.files import FileIndex, parents

if TYPE_CHECKING:
    from sctx_tui.guidance.model import Problem
    from sctx_tui.tui.draw.tree import RowFacts
    from sctx_tui.tui.survey import Coverage
    from sctx_tui.tui.view import (
        CompareView,
        DeliveredView,
        Found,
        GuidanceView,
        MatrixView,
        NeighboursView,
        SearchView,
    )
    from sctx_tui.tui.watch import Changes, Watch

MAX_REMEMBERED = 256
MAX_HITS = 50
MAX_ENDS = 100
"""Callers, and callees, that are shown of a file or symbol until all are asked for."""
MAX_MOVED = 500
"""Paths that are looked at one by one when they change; of more, everything is listed."""


class Project:
    """One project; `root` is an absolute real path and `today` YYYY-MM-DD."""

    def __init__(self, root: str, today: str, *, builds_index: bool = True) -> None:
        self.root = root
        self.name = os.path.basename(root) or root
        self.today = today
        self.index = FileIndex(root)
        self.guidance_files: list[str] = []
        self._is_listing = False
        self._told_meanwhile: set[str] = set()
        self._faulty: dict[str, tuple[int, int]] = {}
        self.code = CodeGraph(root, builds_index=builds_index)
        self._guidance: OrderedDict[Question, GuidanceView] = OrderedDict()

    @cached_property
    def watch(self) -> Watch:
        """What is known of the files on disk."""
        from sctx_tui.tui.watch import Watch

        return Watch(self.root)

    def list_files(self, opened: Iterable[str] = ()) -> FileIndex:
        """The files as they are now; `opened` are folders whose names are watched from here on."""
        from sctx_tui.git import git
        from sctx_tui.guidance.model import FILE_NAMES
        from sctx_tui.listing import listed_files

        self._told_meanwhile, self._is_listing = set(), True
        self.watch.note_folders(("", *opened))
        left_out = git(
            self.root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"
        )
        ignored = [each for each in os.fsdecode(left_out or b"").split("\0") if not each.startswith(".ctx/")]
        self.index = FileIndex(self.root, listed_files(self.root), filter(None, ignored))
        self.guidance_files = [path for path in self.index.paths if path.rpartition("/")[2] in FILE_NAMES]
        self._is_listing = False
        self._move(self._told_meanwhile)
        return self.index

    def take_in(self, told: Collection[str], selected: str) -> Changes:
        """Bring the list of files up to date with what the system tells (`following.py`), and say what that
        means for whoever looks at the selected path."""
        from sctx_tui.guidance.model import FILE_NAMES
        from sctx_tui.services.watcher import ANYTHING, HEAD, INDEX, PROGRESS
        from sctx_tui.tui.watch import Changes

        paths = set(told) - {ANYTHING, HEAD, INDEX, PROGRESS}
        names = {path.rpartition("/")[2] for path in paths}
        if ANYTHING in told or len(paths) > MAX_MOVED:
            return Changes(True, True, INDEX in told, folders=True)
        guidance = not names.isdisjoint(FILE_NAMES)
        is_moved = self._move(paths)
        return Changes(guidance, selected in paths, INDEX in told, ".gitignore" in names, is_moved)

    def _move(self, paths: Iterable[str]) -> bool:
        """Put files that are there on the list and take others off; whether that changed it."""
        from sctx_tui.guidance.model import FILE_NAMES
        from sctx_tui.listing import ignored

        if self._is_listing:
            self._told_meanwhile.update(paths)
        came: list[str] = []
        went: list[str] = []
        for path in paths:
            is_there = _is_file(os.path.join(self.root, path))
            if is_there != self.index.has_file(path):
                (came if is_there else went).append(path)
        # A guidance file counts though it is ignored: it is told of, and yet not on the list.
        unsure = [path for path in came if path.rpartition("/")[2] in FILE_NAMES]
        hidden = ignored(self.root, unsure) if unsure else ()
        came = [path for path in came if path not in hidden]
        if came or went:
            self.index = self.index.moved(came, went)
            self.guidance_files = [path for path in self.index.paths if path.rpartition("/")[2] in FILE_NAMES]
        return bool(came or went)

    def init(self) -> str:
        """Write a starter AGENTS.yaml as `sctx init` does; what went wrong, "" for nothing."""
        import subprocess
        import sys

        command = [sys.executable, "-P", "-m", "sctx_tui", "init", f"--root={self.root}"]
        done = subprocess.run(
            command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, timeout=60
        )
        return "" if done.returncode == 0 else done.stderr.strip() or "sctx init failed"

    def forget(self) -> None:
        """Something changed on disk: the next answers are worked out anew."""
        self._guidance.clear()

    # What applies

    def known(self, question: Question) -> GuidanceView | None:
        """What applies to a path, if that has been worked out already."""
        return self._guidance.get(question._replace(symbol=""))

    def guidance(self, question: Question) -> GuidanceView:
        """What applies to a path, and what doesn't."""
        question = question._replace(symbol="")
        if question in self._guidance:
            self._guidance.move_to_end(question)
            return self._guidance[question]
        from sctx_tui.guidance.resolve import OutsideRoot, make_query, resolve
        from sctx_tui.tui.view import GuidanceView, guidance_view
        from sctx_tui.tui.watch import governing

        self.watch.note(governing(question.path, is_folder=question.is_folder))
        try:
            query = make_query(question.label, root=self.root, action=question.action, timing=question.timing)
            view = guidance_view(question, resolve(query), self.today)
        except OutsideRoot as reason:
            view = GuidanceView(question, (), (), (), (str(reason),), ())
        if not view.files and not self.guidance_files:
            view = view._replace(is_first_run=True)
        view = view._replace(notes_of_index=self.code.notes(question.path))
        self._guidance[question] = view
        while len(self._guidance) > MAX_REMEMBERED:
            self._guidance.popitem(last=False)
        return view

    def tokens(self, question: Question) -> int:
        """About how many tokens the context costs an agent."""
        from sctx_tui.guidance.render import agent_text
        from sctx_tui.guidance.resolve import OutsideRoot, make_query, resolve
        from sctx_tui.payload.tokens import estimate

        try:
            query = make_query(question.label, root=self.root, action=question.action, timing=question.timing)
        except OutsideRoot:
            return 0
        return estimate(agent_text(resolve(query), decisions=False))

    def row_facts(self, rows: Iterable[tuple[str, bool]], action: str, timing: str) -> dict[str, RowFacts]:
        """What the tree shows of some paths, each with whether it is a folder."""
        from sctx_tui.guidance.model import FILE_NAMES
        from sctx_tui.tui.draw.tree import RowFacts

        tainted, stale = self.code.flags()
        found: dict[str, RowFacts] = {}
        for path, is_folder in rows:
            view = self.guidance(Question(path, is_folder, action, timing))
            is_guidance = not is_folder and path.rpartition("/")[2] in FILE_NAMES
            own = [problem.severity for problem in view.problems if is_guidance and problem.file == path]
            errors, warnings = self._faulty.get(path, (own.count("error"), own.count("warning")))
            found[path] = RowFacts(
                view.applying,
                view.deciding,
                is_guidance,
                errors,
                warnings,
                path in tainted,
                path in stale,
            )
        return found

    def with_context(self, paths: Iterable[str], action: str, timing: str) -> list[bool]:
        """For each file, whether any context applies to it."""
        from sctx_tui.guidance.resolve import OutsideRoot, make_query, resolve

        found: list[bool] = []
        for path in paths:
            try:
                query = make_query(path, root=self.root, action=action, timing=timing)
                found.append(bool(resolve(query).context))
            except OutsideRoot:
                found.append(False)
        return found

    def compare(self, left: Question, right: Question) -> CompareView:
        """What applies to one of two questions."""
        from sctx_tui.tui.view import compare_view

        return compare_view(self.guidance(left), self.guidance(right))

    def matrix(self, question: Question) -> MatrixView:
        """What applies to a path under every action and timing."""
        from sctx_tui.tui.view import MATRIX, matrix_view

        views = [self.guidance(question._replace(action=action, timing=timing)) for action, timing in MATRIX]
        return matrix_view(question, views)

    def delivered(self, question: Question) -> DeliveredView:
        """What agents receive."""
        from sctx_tui.tui.deliveries import delivered_view

        return delivered_view(self.root, question, self.code.store())

    # Code

    def neighbours(
        self, question: Question, trail: tuple[str, ...], *, everything: bool = False
    ) -> Iterator[NeighboursView]:
        """What is one step away in the code; of callers and callees the nearest, unless `everything` is
        wanted."""
        from sctx_tui.tui.view import NeighboursView

        if question.is_folder:
            yield NeighboursView(question, None, trail, "A folder; choose a file.")
            return
        found = None
        for found in self.code.neighbourhood(question.focus, None if everything else MAX_ENDS):
            yield NeighboursView(question, found, trail)
        if found is None:
            yield NeighboursView(question, None, trail, "Not code, or not in the index yet.")

    # The whole project

    def problems(self) -> tuple[Problem, ...]:
        """Everything that validate reports."""
        from datetime import date

        from sctx_tui.guidance.validate import validate

        found = tuple(validate(self.root, today=date.fromisoformat(self.today)))
        faulty: dict[str, tuple[int, int]] = {}
        for problem in found:
            is_error = problem.severity == "error"
            for path in (problem.file, *parents(problem.file)):
                errors, warnings = faulty.get(path, (0, 0))
                faulty[path] = (errors + is_error, warnings + (not is_error))
        self._faulty = faulty
        return found

    def coverage(self) -> Iterator[Coverage]:
        """What has guidance and what hasn't."""
        from sctx_tui.tui.survey import survey

        yield from survey(self.root, self.index.paths)

    def search(self, query: str) -> SearchView:
        """Symbols, summaries and guidance that hold every word of the query."""
        from sctx_tui.tui.view import SearchView

        words = query.casefold().split()
        if not words:
            return SearchView(query, (), (), "" if self.code.store() else NO_INDEX)
        symbols = self.code.search(query, MAX_HITS)
        guidance = list(self._guidance_with(words))[:MAX_HITS]
        return SearchView(query, tuple(symbols), tuple(guidance), "" if self.code.store() else NO_INDEX)

    def _guidance_with(self, words: list[str]) -> Iterator[Found]:
        from sctx_tui.guidance.resolve import resolve_all
        from sctx_tui.tui.view import Found

        for judged in resolve_all(self.root).judged:
            entry = judged.entry
            if hasattr(entry, "content"):
                title, text = entry.content, ""
            else:
                title, text = entry.decision, entry.rationale
            whole = f"{title} {text}".casefold()
            if all(word in whole for word in words):
                yield Found(judged.kind, title, text, judged.file, entry.line)


def _is_file(path: str) -> bool:
    """Whether something is there that git lists."""
    return os.path.islink(path) or os.path.isfile(path)
