"""The terminal app: theme, start, end, and what works on every screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from textual.app import App, SystemCommand
from textual.screen import Screen

from sctx_tui.sanitize import clean
from sctx_tui.tui import keys, state
from sctx_tui.tui.desk import ACTIONS, TIMINGS
from sctx_tui.tui.project import Project
from sctx_tui.tui.screens.main import MainScreen
from sctx_tui.tui.widgets.lines import key_bindings

THEMES = {"dark": "tokyo-night", "light": "catppuccin-latte", "ansi": "ansi-dark"}
"""Short names of themes; every theme of the framework can be named too."""
SIZE = (120, 36)
"""Columns and rows of a picture that is taken without a terminal."""
NO_TERMINAL = "the app needs a terminal; `sctx explain PATH` prints the same answers, --screenshot draws them"


class SctxApp(App[None]):
    """Shows what an agent will be told about a path, and why."""

    TITLE = "sctx"
    CSS_PATH = "app.tcss"
    BINDINGS = key_bindings("app")
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(self, project: Project, remembered: state.State, *, theme: str = "") -> None:
        # Without colours the terminal's own remain, and no code for a colour is sent.
        has_colour = not os.environ.get("NO_COLOR")
        super().__init__(ansi_color=None if has_colour else True)
        self.project = project
        self.remembered = remembered
        self.failure: BaseException | None = None
        wanted = theme or remembered.theme or _suitable(os.environ.get("COLORFGBG", ""))
        wanted = THEMES.get(wanted, wanted) if has_colour else THEMES["ansi"]
        if wanted in self.available_themes:
            self.theme = wanted
        self.began_with = self.theme

    def get_default_screen(self) -> Screen[None]:
        """The main screen is there from the first paint."""
        return MainScreen(self.project, self.remembered)

    def get_system_commands(self, screen: Screen[None]) -> Iterable[SystemCommand]:
        """Every row of the key table can be found by its words."""
        for key in keys.KEYS:
            if key.where in ("main", "app") and key.action not in ("command_palette", "suspend_process"):
                yield SystemCommand(
                    key.help, f"{key.group}  {keys.signs(key)}", lambda key=key: self._act(key)
                )
        yield SystemCommand("Change the theme", "App", self.action_change_theme)

    def _act(self, key: keys.Key) -> None:
        self.call_later(self.run_action, key.action, self if key.where == "app" else self.screen)

    def action_help(self) -> None:
        """Every key."""
        from sctx_tui.tui.screens.help import Help

        if not isinstance(self.screen, Help):
            self.push_screen(Help())

    async def action_quit(self) -> None:
        """Leave; the next run goes on from here."""
        for screen in self.screen_stack:
            if isinstance(screen, MainScreen):
                screen.remember()
        self.exit()

    def _fatal_error(self) -> None:
        """A fault of ours ends the app with one line; a traceback helps nobody who didn't write it."""
        if os.environ.get("SCTX_TRACEBACK"):
            super()._fatal_error()
        self.failure = sys.exception()
        self._close_messages_no_wait()


def _suitable(colours: str) -> str:
    """A theme for what a terminal says of its colours (`15;0`: white on black), dark if it doesn't."""
    return "light" if colours.rpartition(";")[2] in ("7", "15") else "dark"


def quick(arguments: list[str]) -> int | None:
    """The exit code of `sctx tui` with these arguments; None: the command line proper has to answer.

    The forms that people type: no library for command lines is loaded before the first paint.
    """
    paths = [each for each in arguments if not each.startswith("-")]
    if len(paths) > 1 or not {*paths, "--no-index"}.issuperset(arguments):
        return None
    try:
        return run(paths[0] if paths else None, no_index="--no-index" in arguments)
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def run(
    path: str | None = None,
    *,
    root: str | None = None,
    on: str | None = None,
    when: str | None = None,
    theme: str | None = None,
    screenshot: str | None = None,
    no_index: bool = False,
    web: bool = False,
) -> int:
    """Open the app; the exit code, 0 or 1. What goes wrong is one line on standard error.

    A folder `path` is the root, unless `root` is given; a file is selected. `on` and `when` are action and
    timing at the start, what was last used if None. `screenshot` names an SVG file that is written instead of
    opening anything.
    """
    from datetime import date

    if web:
        from sctx_tui.tui.web import serve

        return serve(path, root=root, on=on, when=when, theme=theme, no_index=no_index)
    base, selected, problem = place(path, root)
    for name, value, known in (("action", on, ACTIONS), ("timing", when, TIMINGS)):
        if value is not None and value not in known:
            problem = f"unknown {name} {value!r}; one of {', '.join(known)}"
    if problem:
        return _fail(problem)
    remembered = state.load(base)
    remembered.action, remembered.timing = on or remembered.action, when or remembered.timing
    if selected is not None:
        remembered.path, remembered.is_folder = selected, os.path.isdir(os.path.join(base, selected))
    project = Project(base, date.today().isoformat(), builds_index=not no_index and not screenshot)
    app = SctxApp(project, remembered, theme=theme or "")
    if theme and app.theme != THEMES.get(theme, theme):
        themes = ", ".join((*THEMES, *sorted(app.available_themes)))
        return _fail(f"unknown theme {theme!r}; one of {themes}")
    if screenshot:
        from sctx_tui.tui.screenshot import take

        return _end(app, take(app, screenshot, SIZE))
    if not _is_terminal():
        return _fail(NO_TERMINAL)
    app.run()
    if app.failure is None:
        remembered.theme = app.theme if app.theme != app.began_with else remembered.theme
        state.save(base, remembered)
    return _end(app, "")


def place(path: str | None, root: str | None) -> tuple[str, str | None, str]:
    """The root, the selected path relative to it or None, and what is wrong with them, "" for nothing."""
    base = os.path.realpath(root or os.curdir)
    if path and root is None and os.path.isdir(path):
        base, path = os.path.realpath(path), None
    if not os.path.isdir(base):
        return base, None, f"{root or path}: no such directory"
    if not path:
        return base, None, ""
    folder, name = os.path.split(os.path.abspath(path))
    full = os.path.join(os.path.realpath(folder), name)
    if full != base and not full.startswith(base.rstrip("/") + "/"):
        return base, None, f"{path} is outside the root {base}; name another with --root"
    return base, os.path.relpath(full, base) if full != base else "", ""


def _is_terminal() -> bool:
    if os.environ.get("TEXTUAL_DRIVER"):  # the web page stands in for one
        return True
    streams = (sys.__stdin__, sys.__stderr__)
    return os.environ.get("TERM") != "dumb" and all(
        stream is not None and stream.isatty() for stream in streams
    )


def _end(app: SctxApp, problem: str) -> int:
    app.project.code.close()
    if app.failure is not None:
        name = type(app.failure).__name__
        problem = f"unexpected {name}: {app.failure} (set SCTX_TRACEBACK=1 to see where)"
    return _fail(problem) if problem else 0


def _fail(problem: str) -> int:
    sys.stderr.write(f"error: {clean(problem)}\n")
    return 1
