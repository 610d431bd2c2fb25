"""`ctx watch`: one watcher for each project, in the background, that ends as it should."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sctx_tui.services import watcher_control, watcher_state

from .conftest import CTX, Repository
from .watching import eventually

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(repository: Repository) -> Iterator[Repository]:
    repository.write(
        {"a.py": "def a():\n    return 1\n", "b.py": "from a import a\n\n\ndef b():\n    return a()\n"}
    )
    repository.commit()
    repository.sync()
    yield repository
    watcher_control.stop(str(repository.root))


@pytest.fixture
def ctx(project: Repository) -> Run:
    """Run `ctx` in the project."""
    return project.ctx


def functions(repository: Repository) -> list[str]:
    return [str(row) for row in repository.rows("SELECT id FROM functions")]


def log(repository: Repository) -> str:
    return Path(watcher_state.log_file(str(repository.root))).read_text()


def test_from_start_to_stop(project: Repository, ctx: Run) -> None:
    root = str(project.root)
    started = ctx("watch")
    assert (started.returncode, started.stderr) == (0, "")
    pid = watcher_state.read(root).pid
    assert started.stdout == f"Watching {root} (process {pid}).\n"
    assert watcher_state.is_running(root)
    project.write({"b.py": "from a import a\n\n\ndef later():\n    return a()\n"})
    eventually(lambda: "b.py::later" in functions(project))
    again = ctx("watch", "start")
    assert (again.returncode, again.stdout) == (0, f"Already watching {root} (process {pid}).\n")
    assert "watcher      running" in ctx("status").stdout
    stopped = ctx("watch", "stop")
    assert (stopped.returncode, stopped.stdout) == (0, f"Stopped watching {root}.\n")
    assert not watcher_state.is_running(root)
    eventually(lambda: not _is_alive(pid))
    assert ctx("watch", "stop").stdout == f"No watcher runs for {root}.\n"
    assert "not running" in ctx("status").stdout
    assert watcher_state.read(root).ended == "SIGTERM"


def test_the_state_as_json(project: Repository, ctx: Run) -> None:
    ctx("watch")
    eventually(lambda: watcher_state.read(str(project.root)).updated_at)
    state = json.loads(ctx("watch", "status", "--json").stdout)
    assert state["running"] is True
    assert state["root"] == str(project.root)
    assert (state["mode"], state["folders"], state["queue"], state["problem"]) == ("events", 1, 0, "")
    text = ctx("watch", "status").stdout
    assert f"running, process {state['pid']}, since {state['since']}" in text
    assert "1 folder by events" in text
    ctx("watch", "stop")
    assert json.loads(ctx("watch", "status", "--json").stdout)["running"] is False
    assert "SIGTERM" in ctx("watch", "status").stdout


def test_nothing_but_the_state_folder_and_the_index_is_written(project: Repository, ctx: Run) -> None:
    ctx("watch")
    project.write({"a.py": "def other():\n    return 1\n"})
    eventually(lambda: "a.py::other" in functions(project))
    ctx("watch", "stop")
    assert project.git("status", "--porcelain", "--ignored").split() == ["M", "a.py", "!!", ".ctx/"]
    assert {path.name for path in (project.root / ".ctx").iterdir()} <= {
        ".gitignore",
        "index.db",
        "index.db-shm",
        "index.db-wal",
        "lock",
    }


def test_without_an_index(project: Repository, ctx: Run) -> None:
    for path in (project.root / ".ctx").glob("index.db*"):
        path.unlink()
    for action in ("start", "run"):
        done = ctx("watch", action)
        assert done.returncode == 1
        assert done.stderr.startswith("error: no index at ")
        assert "run `ctx init`" in done.stderr
    assert ctx("watch", "status").returncode == 0


def test_wrong_words(project: Repository, ctx: Run) -> None:
    assert ctx("watch", "begin").returncode == 1
    assert "--json goes with status" in ctx("watch", "start", "--json").stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_end_it_cleanly(project: Repository, ctx: Run, number: signal.Signals) -> None:
    ctx("watch")
    root = str(project.root)
    os.kill(watcher_state.read(root).pid, number)
    eventually(lambda: not watcher_state.is_running(root))
    assert watcher_state.read(root).ended == number.name
    assert log(project).splitlines()[-1].endswith(f"ended: {number.name}")
    assert "Traceback" not in log(project)


def test_a_signal_in_the_middle_of_an_update(project: Repository, ctx: Run) -> None:
    ctx("watch")
    root = str(project.root)
    eventually(lambda: watcher_state.read(root).updated_at)
    project.write({f"gen/f{n}.py": f"def f{n}():\n    return f{n}()\n" for n in range(600)})
    eventually(lambda: watcher_state.read(root).doing)
    assert ctx("watch", "stop").returncode == 0
    assert "Traceback" not in log(project)
    ctx("watch")  # and it goes on from there
    eventually(lambda: "gen/f599.py::f599" in functions(project))
    assert project.rows("PRAGMA integrity_check") == ["ok"]


def test_a_killed_watcher_keeps_nothing_and_what_it_missed_is_found(project: Repository, ctx: Run) -> None:
    ctx("watch")
    root = str(project.root)
    os.kill(watcher_state.read(root).pid, signal.SIGKILL)
    eventually(lambda: not watcher_state.is_running(root))
    assert "killed" in ctx("watch", "status").stdout
    project.write({"b.py": "def missed():\n    return 1\n"})
    assert ctx("watch").stdout.startswith("Watching ")
    eventually(lambda: "b.py::missed" in functions(project))


def test_the_indexing_process_ends_with_a_killed_watcher(project: Repository, ctx: Run) -> None:
    ctx("watch")
    root = str(project.root)
    eventually(lambda: watcher_state.read(root).updated_at)
    children = _children(watcher_state.read(root).pid)
    assert len(children) == 1
    os.kill(watcher_state.read(root).pid, signal.SIGKILL)
    eventually(lambda: not _is_alive(children[0]))


def _children(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        pytest.skip("this system doesn't tell of children")


def _is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
def test_it_outlives_the_terminal_that_started_it(project: Repository) -> None:
    import pty

    leader, follower = pty.openpty()
    shell = subprocess.Popen(
        (*CTX, "watch"),
        cwd=project.root,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
    )
    os.close(follower)
    assert b"Watching" in os.read(leader, 4096)
    shell.wait(timeout=60)
    os.close(leader)  # the terminal hangs up
    root = str(project.root)
    pid = watcher_state.read(root).pid
    assert os.getsid(pid) != os.getsid(0)
    project.write({"b.py": "def after_all():\n    return 1\n"})
    eventually(lambda: "b.py::after_all" in functions(project))
    assert all("/pts/" not in target and "/tty" not in target for target in _descriptors(pid))


def _descriptors(pid: int) -> list[str]:
    folder = f"/proc/{pid}/fd"
    return [os.readlink(f"{folder}/{name}") for name in os.listdir(folder)] if os.path.isdir(folder) else []


def test_many_starts_at_once_make_one_watcher(project: Repository) -> None:
    starts = [
        subprocess.Popen((*CTX, "watch"), cwd=project.root, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    said = [process.communicate(timeout=120)[0] for process in starts]
    assert [process.returncode for process in starts] == [0] * 4
    assert sum(text.startswith("Watching") for text in said) == 1
    assert len({text.rpartition("(")[2] for text in said}) == 1


def test_in_the_foreground(project: Repository, ctx: Run) -> None:
    with subprocess.Popen(
        (*CTX, "watch", "run"), cwd=project.root, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert "watching" in process.stderr.readline()
        assert ctx("watch", "run").returncode == 1
        assert ctx("watch").stdout.startswith("Already watching")
        project.write({"esc\x1b[31m.py": "def seen\x1b():\n"})
        said = ""
        while not any(" files in " in line and "esc" in line for line in said.splitlines()):
            said += process.stderr.readline()
        process.send_signal(signal.SIGINT)
        said += process.stderr.read()
    assert process.returncode == 0
    assert said.count("esc\\x1b[31m.py") == 2
    assert "\x1b" not in said
    assert "ended: SIGINT" in said
    assert "Traceback" not in said


def test_nothing_is_imported_from_the_project(project: Repository, ctx: Run) -> None:
    trap = "raise SystemExit('imported from the project')\n"
    project.write(
        {"json.py": trap, "watchfiles/__init__.py": trap, "click.py": trap, "sctx_tui/__init__.py": trap}
    )
    project.commit()
    assert watcher_control.start(str(project.root))
    eventually(lambda: "click.py" in project.rows("SELECT path FROM files"))
    assert watcher_state.is_running(str(project.root))


def test_a_state_folder_that_lies_elsewhere_is_not_written_through(
    project: Repository, tmp_path: Path
) -> None:
    target = tmp_path / "precious"
    target.write_text("precious")
    folder = Path(watcher_state.folder(str(project.root)))
    folder.mkdir(parents=True)
    (folder / "log").symlink_to(target)
    with pytest.raises(OSError):
        watcher_control.start(str(project.root))
    assert target.read_text() == "precious"


def test_a_state_that_is_no_state(project: Repository) -> None:
    root = str(project.root)
    folder = Path(watcher_state.folder(root))
    folder.mkdir(parents=True)
    for text in ("", "[]", "{", '{"pid": "1", "queue": null, "mode": 3, "unknown": 1}', '{"pid": true}'):
        (folder / "state.json").write_text(text)
        assert watcher_state.read(root) == watcher_state.State()


def test_a_watcher_on_another_machine_is_left_alone(project: Repository) -> None:
    root = str(project.root)
    lock = watcher_state.lock(root)
    assert lock is not None
    try:
        watcher_state.write(root, watcher_state.State(root=root, pid=os.getpid(), host="elsewhere"))
        with pytest.raises(watcher_control.WatcherError, match="elsewhere"):
            watcher_control.stop(root)
        state = watcher_state.State(root=root, pid=2**22 + 1, host=watcher_state.this_host())
        watcher_state.write(root, state)
        with pytest.raises(watcher_control.WatcherError, match="can't be seen"):
            watcher_control.stop(root)
    finally:
        os.close(lock)


def test_init_starts_it_only_when_asked_to(project: Repository, ctx: Run) -> None:
    root = str(project.root)
    assert ctx("init").returncode == 0
    assert not watcher_state.is_running(root)
    assert ctx("init", "--no-watch").returncode == 0
    assert not watcher_state.is_running(root)
    done = ctx("init", "--watch")
    assert done.returncode == 0
    assert "Watching " in done.stdout
    assert watcher_state.is_running(root)


def test_a_fault_of_our_own_is_survived(
    project: Repository, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import threading

    from sctx_tui.services import watcher_process

    monkeypatch.setattr(watcher_process, "FIRST_RETRY", 0.01)
    monkeypatch.setattr(watcher_process.log, "propagate", True)
    ready: list[int] = []
    real = watcher_process.Watcher._step
    steps: list[int] = []

    def step(self: watcher_process.Watcher, batch: set[str]) -> str:
        steps.append(1)
        if len(steps) <= 2:
            raise RuntimeError("a fault")
        if "b.py::found" in functions(project):
            os.kill(os.getpid(), signal.SIGTERM)
        return real(self, batch)

    monkeypatch.setattr(watcher_process.Watcher, "_step", step)
    project.write({"b.py": "def found():\n    return 1\n"})
    assert threading.current_thread() is threading.main_thread()
    assert watcher_process.run(str(project.root), ready=lambda: ready.append(1)) == "SIGTERM"
    assert ready == [1]
    assert caplog.text.count("RuntimeError: a fault") == 2


def test_faults_without_end_end_it(project: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    from sctx_tui.services import watcher_process

    def step(self: watcher_process.Watcher, batch: set[str]) -> str:
        raise RuntimeError("always")

    monkeypatch.setattr(watcher_process, "FIRST_RETRY", 0.01)
    monkeypatch.setattr(watcher_process.Watcher, "_step", step)
    ended = watcher_process.run(str(project.root))
    assert ended == "5 unexpected errors; the last: unexpected RuntimeError: always"
    assert not watcher_state.is_running(str(project.root))
