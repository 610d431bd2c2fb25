"""What the keys of the main screen do."""

from __future__ import annotations

import os
import subprocess

from textual.app import SuspendNotSupported

from sctx_tui.sanitize import clean
from sctx_tui.tui.background import begin
from sctx_tui.tui.draw.lines import Block, Target
from sctx_tui.tui.screens.answering import AnsweringScreen


class ActingScreen(AnsweringScreen):
    """One method per row of the key table."""

    # The question

    def action_cycle_action(self, step: int) -> None:
        """Next action."""
        self.ask(self.desk.with_action(step))

    def action_cycle_timing(self, step: int) -> None:
        """Next timing."""
        self.ask(self.desk.with_timing(step))

    def action_toggle_exclusions(self) -> None:
        """Show or hide what does not apply."""
        self.ask(self.desk._replace(exclusions=not self.desk.exclusions))

    # Panes

    def action_show_pane(self, name: str) -> None:
        """Go to a pane."""
        self.ask(self.desk._replace(pane=name))
        self.enter_pane()

    def action_compare(self) -> None:
        """Pin the question, or let go of the one that is pinned."""
        pinned = None if self.desk.pinned else self.desk.question._replace(symbol="")
        self.ask(self.desk._replace(pane="compare", pinned=pinned))

    def action_search(self) -> None:
        """Go to the search line."""
        self.ask(self.desk._replace(pane="search"))
        prompt = self.side.show_prompt(True, self.desk.query)
        if prompt is not None:
            self.add_class("-show-side")
            self.set_focus(prompt)

    def action_focus_tree(self) -> None:
        """Go to the files."""
        self.enter_files()

    def action_switch_focus(self) -> None:
        """Between files and pane."""
        if self.files.has_focus_within:
            self.enter_pane()
        else:
            self.action_focus_tree()

    def action_zoom(self) -> None:
        """The pane alone, and back."""
        self.toggle_class("-zoom")
        if self.has_class("-zoom"):
            self.enter_pane()

    def action_resize(self, step: int) -> None:
        """Move the line between the sides."""
        self.set_split(self.files.size.width + 1 + step)

    def set_split(self, width: int) -> None:
        """Give the tree so many columns; 0 chooses them by the width of the screen."""
        self.split = width and min(max(width, 20), max(20, self.size.width - 40))
        chosen = self.split or min(max(self.size.width * 3 // 10, 24), 40)
        self.files.styles.width = chosen if self.has_class("-wide") else None

    def action_escape(self) -> None:
        """Out of whatever was begun."""
        prompt = self.side.prompt
        if prompt is not None and prompt.has_focus:
            self.enter_pane()
        elif self.files.prompt is not None:
            self.files.end_filter(keep=False)
        else:
            self.remove_class("-zoom")

    # Files

    def action_filter(self) -> None:
        """Filter the tree."""
        self.remove_class("-zoom")
        self.files.start_filter()

    def action_find_file(self) -> None:
        """Go to a file by a few of its letters."""
        from sctx_tui.tui.screens.finder import Finder

        self.app.push_screen(Finder(self.project.index.paths), self._found)

    def _found(self, path: str | None) -> None:
        if path is not None:
            self.jump(self.desk.asking(path=path, is_folder=False, symbol="")._replace(trail=()))

    def action_reveal(self) -> None:
        """Show the current path in the tree."""
        self.files.reveal(self.desk.question.path)
        self.action_focus_tree()

    def action_collapse_all(self) -> None:
        """Close all folders."""
        self.files.file_tree.close_all()

    def action_cycle_coverage(self) -> None:
        """Only files with guidance, only those without, all."""
        self.files.cycle_shown()

    def action_toggle_ignored(self) -> None:
        """Show or hide ignored files."""
        self.files.toggle_ignored()

    # History

    def action_back(self) -> None:
        """Where we were before."""
        if (desk := self.history.back(self.desk)) is not None:
            self.go(desk)

    def action_forward(self) -> None:
        """Where we went back from."""
        if (desk := self.history.forward(self.desk)) is not None:
            self.go(desk)

    # Enter on a block

    async def open(self, block: Block) -> None:
        """Do what a block of a pane is for."""
        if block.action:
            await self.run_action(block.action)
        elif block.target is not None:
            self.edit(block.target)

    def action_walk(self) -> None:
        """Look at the neighbours of what the cursor is on."""
        target = self.side.page.target
        if target is not None:
            trail = (*self.desk.trail, self.desk.question.focus) if self.desk.pane == "neighbours" else ()
            desk = self.desk.asking(path=target.path, is_folder=False, symbol=target.symbol)
            self.jump(desk._replace(pane="neighbours", trail=trail))
            self.enter_pane()

    def action_show_all(self) -> None:
        """Every neighbour, not only the nearest."""
        self.ask(self.desk._replace(whole=self.desk.question.focus))

    def action_select_folder(self) -> None:
        """Go to the folder that the cursor is on."""
        target = self.side.page.target
        if target is not None:
            self.jump(
                self.desk.asking(path=target.path, is_folder=True, symbol="")._replace(
                    pane="context", trail=()
                )
            )
            self.enter_files()

    def action_init(self) -> None:
        """Write a starter AGENTS.yaml, as `sctx init` does."""
        begin(self, self._init, "init")

    async def _init(self) -> None:
        problem = await self.lanes["surveys"].run(self.project.init)
        if problem:
            self.say(problem, severity="error")
        else:
            self.say("Wrote AGENTS.yaml; e opens it.")
            self.read_files()

    # Acting

    def action_edit(self) -> None:
        """Open what the cursor is on in the editor."""
        self.edit(self.place)

    def action_edit_selected(self) -> None:
        """Open the selected file in the editor."""
        self.edit(Target(self.desk.question.path))

    def edit(self, place: Target) -> None:
        """Open a place in the editor, and come back when it ends."""
        from sctx_tui.tui.editor import NoEditor, editor_argv, editor_command

        try:
            command = editor_command(os.environ)
            argv = editor_argv(command, os.path.join(self.project.root, place.path), place.line)
            with self.app.suspend():
                code = subprocess.run(argv, cwd=self.project.root, check=False).returncode
        except NoEditor as error:
            self.say(str(error), severity="error")
        except SuspendNotSupported:
            self.say("No editor can be opened from here.", severity="warning")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self.say(f"{command[0]}: {reason}\nSet $VISUAL or $EDITOR to your editor.", severity="error")
        else:
            if code:
                self.say(f"{command[0]} ended with code {code}.", severity="warning")
            self.action_reload()

    def action_copy_path(self) -> None:
        """Send path and line to the terminal's clipboard."""
        place = self.place
        text = f"{place.path}:{place.line}" if place.line else place.path or "."
        self._copy(text, text)

    def action_copy_pane(self) -> None:
        """Send the text of the pane to the terminal's clipboard."""
        text = self.side.page.text()
        self._copy(text, f"the pane, {len(text.splitlines())} lines")

    def _copy(self, text: str, words: str) -> None:
        self.app.copy_to_clipboard(clean(text, multiline=True))
        self.say(f"Sent to the terminal's clipboard: {words}")

    def action_reload(self) -> None:
        """Read everything again."""
        self.read_files()
