"""Whatever happens to a project: who reads again only what the follower names has what is on disk."""

from __future__ import annotations

import os
import random
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from sctx_tui.listing import listed_files
from sctx_tui.services import watcher_sources
from sctx_tui.services.watcher import ANYTHING, HEAD, Follower

from .conftest import Repository

STEPS = 30
FOLDERS = ("", "src", "src/deep", "src/deep/er", "lib", "build", "build/out", "new", "new/er")
NAMES = ("a.py", "b.py", "c.o", "d.txt", "AGENTS.yaml")
RULES = ("*.o\nbuild/\n", "*.o\n", "build/\nlib/\n", "new\n", "*.txt\n!d.txt\n", "/src/deep\n")


class Doing:
    """Things that people, editors and git do."""

    def __init__(self, repository: Repository, source: random.Random) -> None:
        self.repository = repository
        self.source = source
        self.count = 0

    def path(self) -> Path:
        return self.repository.root / self.source.choice(FOLDERS) / self.source.choice(NAMES)

    def text(self) -> str:
        self.count += 1
        return f"{self.count}\n" * self.source.randint(1, 3)

    def save(self) -> None:
        path = self.path()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text())

    def save_atomically(self) -> None:
        path = self.path()
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.tmp")
        fresh.write_text(self.text())
        os.replace(fresh, path)

    def delete(self) -> None:
        self.path().unlink(missing_ok=True)

    def rename(self) -> None:
        old, new = self.path(), self.path()
        if old.exists() and new.parent.is_dir():
            os.replace(old, new)

    def move_folder(self) -> None:
        old, new = (self.repository.root / self.source.choice(FOLDERS[1:]) for _ in range(2))
        if old.is_dir() and not new.exists() and new.parent.is_dir() and old not in new.parents:
            os.rename(old, new)

    def delete_folder(self) -> None:
        shutil.rmtree(self.repository.root / self.source.choice(FOLDERS[1:]), ignore_errors=True)

    def make_folder(self) -> None:
        (self.repository.root / self.source.choice(FOLDERS[1:])).mkdir(parents=True, exist_ok=True)

    def change_rules(self) -> None:
        folder = self.repository.root / self.source.choice(("", "src"))
        folder.mkdir(exist_ok=True)
        (folder / ".gitignore").write_text(self.source.choice(RULES))

    def commit(self) -> None:
        self.repository.try_git("add", "-A")
        self.repository.try_git("commit", "-q", "-m", "x")

    def switch(self) -> None:
        self.repository.try_git("checkout", "-q", "-f", "-B", f"b{self.source.randint(0, 2)}")
        self.repository.try_git("checkout", "-q", "-f", f"b{self.source.randint(0, 2)}")

    def go_back(self) -> None:
        self.repository.try_git("reset", "-q", self.source.choice(("--hard", "--mixed", "--soft")), "HEAD~1")

    def stash(self) -> None:
        self.repository.try_git("stash", "-u", "-q")

    def clean(self) -> None:
        self.repository.try_git("clean", "-fdq")

    def add_by_force(self) -> None:
        self.repository.try_git("add", "-f", str(self.path()))

    def forget(self) -> None:
        self.repository.try_git("rm", "-q", "--cached", "--ignore-unmatch", str(self.path()))

    def something(self) -> None:
        often = (self.save, self.save_atomically) * 4
        rest: tuple[Callable[[], None], ...] = (
            *(self.delete, self.rename, self.move_folder, self.delete_folder, self.make_folder),
            *(self.change_rules, self.commit, self.switch, self.go_back, self.stash, self.clean),
            *(self.add_by_force, self.forget),
        )
        self.source.choice(often + rest)()


def contents(root: Path) -> dict[str, str]:
    return {path: text for path in listed_files(str(root)) if (text := _text(root / path)) is not None}


def _text(path: Path) -> str | None:
    try:
        return path.read_text()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("mode", ["events", "looks"])
def test_nothing_is_missed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, mode: str, seed: int
) -> None:
    if mode == "looks":
        monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "1")
        monkeypatch.setattr(watcher_sources, "SHORTEST_PAUSE", 0.02)
        monkeypatch.setattr(watcher_sources, "SHARE", 1.0)
    repository.write({"src/a.py": "0\n", "lib/b.py": "0\n", ".gitignore": RULES[0]})
    repository.commit()
    root, stop = repository.root, threading.Event()
    source = random.Random(seed)
    doing = Doing(repository, source)
    with closing(Follower(str(root))) as follower:
        known = contents(root)
        for step in range(STEPS):
            for _ in range(source.randint(1, 4)):
                doing.something()
            _until_same(follower, root, known, stop, f"seed {seed}, step {step}")


def _until_same(
    follower: Follower, root: Path, known: dict[str, str], stop: threading.Event, where: str
) -> None:
    """Read again what the follower names, until that is what is there."""
    end = time.monotonic() + 15
    while True:
        told = follower.wait(0.1, stop)
        for path in told - {ANYTHING, HEAD}:
            text = _text(root / path)
            if text is None or path not in set(listed_files(str(root))):
                known.pop(path, None)
            else:
                known[path] = text
        if ANYTHING in told:
            known.clear()
            known |= contents(root)
        there = contents(root)
        if not told and known == there:
            return
        wrong = {path for path in known.keys() | there.keys() if known.get(path) != there.get(path)}
        assert time.monotonic() < end, f"{where}: {wrong}"
