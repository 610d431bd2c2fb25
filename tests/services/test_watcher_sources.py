"""Where changes are heard of: the system's events, and looks where it has none."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sctx_tui.services import watcher, watcher_sources
from sctx_tui.services.watcher import ANYTHING, HEAD

from .conftest import Repository
from .watching import following


def test_names_that_are_no_text(planted: Repository) -> None:
    with following(planted) as follow:
        planted.write({"src/line\n.py": "", "src/\x1b[31m.py": "", "src/[markup].py": ""})
        assert follow.until_last() == {"src/line\n.py", "src/\x1b[31m.py", "src/[markup].py"}
        try:
            with open(os.fsencode(planted.root) + b"/src/caf\xe9.py", "w"):
                pass
        except OSError:
            pytest.skip("this file system takes UTF-8 names only")
        assert ANYTHING in follow.until(ANYTHING)
        planted.write({"src/a.py": "a = 2\n"})
        assert "src/a.py" in follow.until("src/a.py")


def test_events_that_are_lost_again_and_again(planted: Repository) -> None:
    with following(planted) as follow:
        for number in range(watcher._LOSSES):
            try:
                with open(os.fsencode(planted.root) + b"/src/caf\xe9%d.py" % number, "w"):
                    pass
            except OSError:
                pytest.skip("this file system takes UTF-8 names only")
            assert ANYTHING in follow.until(ANYTHING)
        assert "events are lost" in follow.follower.mode
        planted.write({"src/a.py": "a = 2\n"})
        assert "src/a.py" in follow.until("src/a.py")


def test_a_root_that_is_no_text(planted: Repository, tmp_path: Path) -> None:
    moved = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9\nline"))
    try:
        os.rename(planted.root, moved)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    with following(Repository(moved)) as follow:
        assert follow.follower.mode.endswith("the project's path is not UTF-8")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts watches of Linux")
def test_only_folders_that_matter_are_watched(planted: Repository) -> None:
    planted.write({f"node_modules/m{number}/lib/i.js": "" for number in range(50)})
    before = _watches()
    with following(planted) as follow:
        # root, src, src/deep, src/deep/er, empty; .git, .git/logs, .git/info
        assert _watches() - before == 8
        planted.write({f"node_modules/n{number}/lib/i.js": "" for number in range(50)})
        planted.write({"new/x.py": ""})
        assert follow.until_last() == {"new/x.py"}
        assert _watches() - before == 9
        shutil.rmtree(planted.root / "new")
        follow.until_last()
        assert _watches() - before == 8


def _watches() -> int:
    """How many inotify watches this process has."""
    found = 0
    for name in os.listdir("/proc/self/fdinfo"):
        try:
            with open(f"/proc/self/fdinfo/{name}") as file:
                found += sum(line.startswith("inotify") for line in file)
        except OSError:
            continue
    return found


def test_a_tree_that_the_system_follows_as_a_whole(
    planted: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on macOS and Windows: what doesn't matter is left out by us."""
    monkeypatch.setattr("sctx_tui.services.watcher.TAKES_TREES", True)
    monkeypatch.setattr(watcher_sources, "TAKES_TREES", True)
    with following(planted) as follow:
        planted.write({"build/out/x.py": "x", "src/a.o": "", ".git/objects/x": "", "src/a.py": "a = 2\n"})
        planted.write({"node_modules/m/i.js": "", "new/er/x.py": ""})
        assert follow.until_last() == {"src/a.py", "new/er/x.py"}
        planted.commit()
        assert HEAD in follow.until_last()


def test_file_systems_that_tell_nothing(
    planted: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, opened: Callable[[str], None]
) -> None:
    root = str(planted.root)
    opened(f"21 1 0:20 / / rw - ext4 /dev/sda rw\n22 21 0:21 / {_escaped(root)} rw shared:1 - 9p drvfs rw\n")
    assert watcher_sources.without_events(root) == "9p file systems don't tell of changes"
    opened(f"21 1 0:20 / / rw - 9p C: rw\n22 21 0:21 / {_escaped(root)} rw - ext4 /dev/sdb rw\n")
    assert watcher_sources.without_events(root) is None
    monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "1")
    assert "WATCHFILES_FORCE_POLLING" in (watcher_sources.without_events(root) or "")
    opened("21 1 0:20 / / rw - 9p C: rw\n")
    monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "false")
    assert watcher_sources.without_events(root) is None


def _escaped(path: str) -> str:
    return path.replace(" ", "\\040")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a text in the place of the list of mounts."""
    import builtins
    import io

    really = builtins.open
    texts: list[str] = []

    def open_it(path: str, *arguments: object, **options: object) -> object:
        if path == "/proc/self/mountinfo":
            return io.StringIO(texts[-1])
        return really(path, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(builtins, "open", open_it)
    return texts.append
