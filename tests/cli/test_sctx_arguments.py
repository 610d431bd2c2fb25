"""How `sctx` takes its arguments, and what it says about wrong ones."""

from __future__ import annotations

import pytest

GUIDANCE = "context:\n  - content: everywhere\n  - {content: edits, on: edit}\n"

WRONG = {
    # arguments: what the one error line must name
    "98-unknown-option": (["context", "a.py", "--bogus"], ["--bogus", "--json"]),
    "98-misspelt-option": (["context", "a.py", "--whn", "after"], ["--whn", "did you mean --when?"]),
    "98-short-option": (["context", "a.py", "-j"], ["-j", "did you mean --json?"]),
    "98-second-path": (["context", "a.py", "b.py"], ["'b.py'", "usage: sctx context"]),
    "98-option-without-dashes": (["context", "a.py", "json"], ["'json'", "did you mean --json?"]),
    "98-validate-second-path": (["validate", "a", "b"], ["'b'", "usage: sctx validate"]),
    "99-action-of-a-decision": (["decisions", "--on", "edit", "a.py"], ["--on", "no action", "sctx context"]),
    "timing-of-a-decision": (["decisions", "a.py", "--when=after"], ["--when", "no timing", "sctx context"]),
    "like-no-option": (["context", "a.py", "--zzz"], ["--zzz", "use --all, --on, --when, --json"]),
    "29-option-twice": (["context", "--on", "read", "--on", "edit", "a.py"], ["--on", "2 times"]),
    "root-twice": (["context", "--root", ".", "--root", "..", "a.py"], ["--root", "2 times"]),
    "unknown-command": (["contxt"], ["'contxt'", "did you mean context?"]),
    "unknown-subcommand": (["claude", "enabel"], ["'enabel'", "did you mean enable?"]),
    "unlike-any-subcommand": (["pi", "bogus"], ["'bogus'", "enable or disable"]),
    "no-path": (["context"], ["PATH", "--all"]),
    "empty-path": (["context", ""], ["PATH"]),
    "explain-no-path": (["explain"], ["missing PATH"]),
    "no-shell": (["completion"], ["missing SHELL", "bash, zsh or fish"]),
    "all-and-path": (["context", "--all", "a.py"], ["--all", "a.py"]),
    "decisions-all-and-path": (["decisions", "a.py", "--all"], ["--all", "a.py"]),
    "no-value": (["context", "a.py", "--on"], ["--on"]),
    "bad-action": (["context", "a.py", "--on", "delete"], ["delete", "read", "edit", "create", "all"]),
    "action-in-capitals": (["context", "a.py", "--on", "READ"], ["READ", "read"]),
    "empty-action": (["context", "a.py", "--on="], ["--on"]),
    "bad-timing": (["context", "a.py", "--when", "during"], ["during", "before", "after", "all"]),
    "root-missing": (["context", "a.py", "--root", "nowhere"], ["nowhere", "no such directory"]),
    "root-a-file": (["context", "a.py", "--root", "a.py"], ["a.py", "no such directory"]),
    "version-with-argument": (["version", "x"], ["'x'"]),
    "help-for-unknown": (["help", "contxt"], ["'contxt'", "did you mean context?"]),
    "help-too-deep": (["help", "context", "x"], ["'x'", "no commands"]),
    "unknown-shell": (["completion", "tcsh"], ["tcsh", "bash", "zsh", "fish"]),
    "both-scopes": (["claude", "enable", "--shared", "--user"], ["--shared", "--user"]),
    "validate-missing": (["validate", "nope"], ["nope: no such file or directory"]),
    "validate-outside": (["validate", "..", "--root", "."], ["..", "outside the root"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_argument_is_one_error_line_that_names_it(name, sctx, plant):
    arguments, named = WRONG[name]
    result = sctx(*arguments, cwd=plant({"AGENTS.yaml": GUIDANCE, "a.py": "", "b.py": ""}))
    assert result.code == 1
    assert result.out == ""
    assert result.err.startswith("error: ")
    assert result.err.count("\n") == 1
    for words in named:
        assert words in result.err


@pytest.mark.parametrize("arguments", [[], ["claude"], ["pi"]])
def test_without_a_command_the_help_goes_to_standard_error(arguments, sctx, tmp_path):
    result = sctx(*arguments, cwd=tmp_path)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: no command given\n")
    assert "Commands:" in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--on=edit", "a.py"],
        ["a.py", "--on=edit"],
        ["--on", "edit", "a.py"],
        ["a.py", "--on", "edit"],
        ["--on", "edit", "--", "a.py"],
    ],
)
def test_an_option_may_stand_anywhere_and_take_its_value_either_way(arguments, sctx, plant):
    result = sctx("context", "--json", *arguments, cwd=plant({"AGENTS.yaml": GUIDANCE}))
    assert [entry["Content"] for entry in result.json] == ["everywhere", "edits"]


def test_on_and_when_are_all_by_default(sctx, plant):
    root = plant({"AGENTS.yaml": GUIDANCE})
    everything = sctx("context", "a.py", cwd=root)
    assert everything.out == sctx("context", "a.py", "--on=all", "--when=all", cwd=root).out
    assert "edits" in everything.out
    assert "edits" not in sctx("context", "a.py", "--on=read", cwd=root).out


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize(
    "command",
    [
        "",
        "context",
        "decisions",
        "explain",
        "validate",
        "init",
        "claude",
        "claude enable",
        "pi disable",
        "tui",
    ],
)
def test_help_never_counts_as_a_path(command, flag, sctx, tmp_path):
    result = sctx(*command.split(), flag, cwd=tmp_path)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"Usage: sctx {command}".rstrip())
    assert result.out == sctx("help", *command.split(), cwd=tmp_path).out


@pytest.mark.parametrize("arguments", [["version"], ["--version"]])
def test_version(arguments, sctx, tmp_path):
    from sctx_tui import __version__

    assert sctx(*arguments, cwd=tmp_path).out == f"sctx {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_name_the_command(shell, sctx, tmp_path):
    result = sctx("completion", shell, cwd=tmp_path)
    assert (result.code, result.err) == (0, "")
    assert f"_SCTX_COMPLETE={shell}_complete" in result.out


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("sctx context --o", "plain,--on\n"),
        ("sctx context --on e", "plain,edit\n"),
        ("sctx context s", "file,s\n"),
        ("sctx validate s", "file,s\n"),
        ("sctx context --root s", "dir,s\n"),
        ("sctx cl", "plain,claude\n"),
        ("sctx claude e", "plain,enable\n"),
    ],
)
def test_completion_answers_the_shell(typed, offered, sctx, tmp_path, monkeypatch):
    monkeypatch.setenv("_SCTX_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
    assert sctx(cwd=tmp_path).out == offered


FILES = {
    "AGENTS.yaml": "context: [{content: top}]",
    "sub/AGENTS.yaml": "context: [{content: sub}]",
    "sub/a.py": "",
}


class TestRoot:
    """`--root`, and what paths are relative to."""

    def contents(self, result) -> list[str]:
        return [entry["Content"] for entry in result.json]

    def test_the_working_directory_is_the_root(self, sctx, plant):
        root = plant(FILES)
        assert self.contents(sctx("context", "sub/a.py", "--json", cwd=root)) == ["top", "sub"]
        assert self.contents(sctx("context", "a.py", "--json", cwd=root / "sub")) == ["sub"]

    def test_a_path_is_relative_to_the_working_directory_inside_the_root(self, sctx, plant):
        root = plant(FILES)
        result = sctx("context", "a.py", "--root", "..", "--json", cwd=root / "sub")
        assert self.contents(result) == ["top", "sub"]

    def test_a_path_is_relative_to_the_root_from_elsewhere(self, sctx, plant, tmp_path):
        root = plant(FILES)
        result = sctx("context", "sub/a.py", "--root", str(root), "--json", cwd=tmp_path)
        assert self.contents(result) == ["top", "sub"]

    def test_87_one_answer_from_four_working_directories(self, sctx, plant, tmp_path):
        root = plant({**FILES, "other/x": ""})
        places = [root, root / "sub", root / "other", tmp_path]
        answers = [
            sctx("context", str(root / "sub/a.py"), "--root", str(root), "--json", cwd=place).json
            for place in places
        ]
        assert [[entry["Content"] for entry in answer] for answer in answers] == [["top", "sub"]] * 4

    @pytest.mark.parametrize("command", ["context", "decisions", "explain"])
    def test_03_a_path_outside_the_root_gets_nothing_and_is_told_so(self, command, sctx, plant):
        root = plant({**FILES, "other/f.py": ""})
        result = sctx(command, "../other/f.py", cwd=root / "sub")
        assert result.code == 0
        assert "top" not in result.out + result.err
        assert result.err.startswith("warning: ")
        assert "outside the root" in result.err

    def test_06_a_symlinked_root_is_the_same_root(self, sctx, plant):
        root = plant({**FILES, "link": {"symlink": "sub"}})
        result = sctx("context", str(root / "sub/a.py"), "--json", cwd=root / "link")
        assert self.contents(result) == ["sub"]
