"""Which command opens a file at a line."""

from __future__ import annotations

import pytest

from sctx_tui.tui.editor import NoEditor, editor_argv, editor_command

PATH = "/p/my file.py"


@pytest.mark.parametrize(
    ("command", "argv"),
    [
        (["vim"], ["vim", "+7", PATH]),
        (["/usr/bin/nvim"], ["/usr/bin/nvim", "+7", PATH]),
        (["nano"], ["nano", "+7", PATH]),
        (["emacs", "-nw"], ["emacs", "-nw", "+7", PATH]),
        (["emacsclient", "-t"], ["emacsclient", "-t", "+7", PATH]),
        (["kak"], ["kak", "+7", PATH]),
        (["micro"], ["micro", "+7", PATH]),
        (["hx"], ["hx", f"{PATH}:7"]),
        (["subl", "-w"], ["subl", "-w", f"{PATH}:7"]),
        (["zed", "--wait"], ["zed", "--wait", f"{PATH}:7"]),
        (["code", "-w"], ["code", "-w", "--goto", f"{PATH}:7"]),
        (["Code.exe"], ["Code.exe", "--goto", f"{PATH}:7"]),
        (["pycharm"], ["pycharm", "--line", "7", PATH]),
        (["kate"], ["kate", "--line", "7", PATH]),
        (["notepad++"], ["notepad++", "-n7", PATH]),
        (["unheard-of"], ["unheard-of", PATH]),
    ],
)
def test_line_forms(command: list[str], argv: list[str]) -> None:
    assert editor_argv(command, PATH, 7) == argv
    assert editor_argv(command, PATH, 0) == [*command, PATH]


def test_a_name_is_never_an_option_or_a_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert editor_argv(["vim"], "-c :q", 1) == ["vim", "+1", "/-c :q"]
    assert editor_argv(["hx"], "/{line}{path}", 1) == ["hx", "/{line}{path}:1"]


@pytest.mark.parametrize(
    ("environment", "command"),
    [
        ({"VISUAL": "code -w", "EDITOR": "vi"}, ["code", "-w"]),
        ({"VISUAL": "", "EDITOR": "nano"}, ["nano"]),
        ({"EDITOR": "'/opt/my editor/bin' -x"}, ["/opt/my editor/bin", "-x"]),
        ({}, ["vi"]),
    ],
)
def test_which_editor(environment: dict[str, str], command: list[str]) -> None:
    assert editor_command(environment) == command


@pytest.mark.parametrize("value", ["'unclosed", "   "])
def test_what_is_no_command_is_said(value: str) -> None:
    with pytest.raises(NoEditor, match=r"VISUAL"):
        editor_command({"VISUAL": value})
