"""Where the system refuses to watch: looks take the place of events, and it is said."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from sctx_tui.services import watcher_control, watcher_state

from .conftest import Repository
from .watching import eventually

# Follows the folder of its first argument; does what it is told, and says what it notices.
SCRIPT = """
import os, sys, threading, time
from sctx_tui.services import watcher_sources
from sctx_tui.services.watcher import ANYTHING, Follower
watcher_sources.SHORTEST_PAUSE = 0.05
watcher_sources.SHARE = 1.0
root = sys.argv[1]
follower = Follower(root)
def notices(path):
    with open(os.path.join(root, path), "a") as file:
        file.write("x = 1\\n")
    found, end = set(), time.monotonic() + 30
    while not found & {path, ANYTHING} and time.monotonic() < end:
        found |= follower.wait(0.2, threading.Event())
    return bool(found & {path, ANYTHING})
"""
Limited = Callable[..., list[str]]


@pytest.fixture
def limited() -> Limited:
    """Run a script where the user may have so many watches, or watchers; the lines that it prints."""
    if not sys.platform.startswith("linux") or shutil.which("unshare") is None:
        pytest.skip("needs the user namespaces of Linux")

    def run(what: str, number: int, script: str, *arguments: str, code: int = 0) -> list[str]:
        set_it = f"echo {number} > /proc/sys/user/max_inotify_{what} || exit 99"
        done = subprocess.run(
            (
                "unshare",
                "-Ur",
                "sh",
                "-c",
                f'{set_it}; exec "$@"',
                "sh",
                sys.executable,
                "-c",
                script,
                *arguments,
            ),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        if done.returncode == 99 or "unshare" in done.stderr:
            pytest.skip("user namespaces are not for us here")
        assert done.returncode == code, done.stderr
        return (done.stdout + done.stderr).splitlines()

    return run


@pytest.fixture
def folders(repository: Repository) -> Repository:
    repository.write({f"d{number}/a.py": "" for number in range(6)})
    repository.commit()
    return repository


def test_too_many_folders(folders: Repository, limited: Limited) -> None:
    script = (
        SCRIPT + "print(follower.mode); print(notices('d5/a.py'), notices('d0/a.py'), notices('d1/new.py'))"
    )
    mode, noticed = limited("watches", 4, script, str(folders.root))
    why = "the system's watch limit is reached; raise fs.inotify.max_user_watches and start again"
    assert mode == f"a look every 0 s: {why}"
    assert noticed == "True True True"


def test_too_many_watchers(folders: Repository, limited: Limited) -> None:
    script = SCRIPT + "print(follower.mode); print(notices('d5/a.py'))"
    mode, noticed = limited("instances", 0, script, str(folders.root))
    assert "raise fs.inotify.max_user_instances" in mode
    assert noticed == "True"


def test_folders_that_become_too_many(folders: Repository, limited: Limited) -> None:
    """Ten watches are needed at first; there are never enough for two sets of them."""
    script = (
        SCRIPT
        + """
print(follower.mode, notices('d0/a.py'))
os.mkdir(root + '/e0'); print(notices('e0/a.py'), notices('e0/a.py'), follower.mode)
for number in range(9): os.mkdir(f'{root}/f{number}')
print(notices('f8/a.py'), notices('f8/a.py'), notices('e0/a.py'), notices('d3/a.py'), follower.mode)
"""
    )
    first, second, third = limited("watches", 14, script, str(folders.root))
    assert first == "events True"
    assert second == "True True events"
    assert third.startswith("True True True True a look every 0 s: the system's watch limit is reached")


def test_the_command_says_so(folders: Repository, limited: Limited) -> None:
    folders.sync()
    root = str(folders.root)
    script = "from sctx_tui.cli.ctx import main; main()"
    try:
        said = limited("watches", 2, script, "watch", f"--root={root}")
        assert said[0].startswith("Watching ")
        assert said[1].startswith("note: a look every 1 s: the system's watch limit is reached")
        folders.write({"d3/a.py": "def found():\n    pass\n"})
        eventually(lambda: folders.rows("SELECT id FROM functions WHERE name = 'found'"))
        assert "watch limit" in watcher_state.read(root).mode
        with open(watcher_state.log_file(root)) as file:
            assert "watch limit" in file.readline()
    finally:
        watcher_control.stop(root)


def test_a_folder_that_nobody_may_read(folders: Repository) -> None:
    script = SCRIPT + "print(follower.mode, notices('d5/a.py'))"
    root_is_nobody: tuple[str, ...] = ()
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root may read everything")
        lost = "-dac_override,-dac_read_search"
        root_is_nobody = ("setpriv", f"--bounding-set={lost}", f"--inh-caps={lost}")
    (folders.root / "d2").chmod(0)
    try:
        done = subprocess.run(
            (*root_is_nobody, sys.executable, "-c", script, str(folders.root)),
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        (folders.root / "d2").chmod(0o755)
    assert done.stdout == "events True\n", done.stderr
