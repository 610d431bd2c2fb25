"""Files are replaced whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from sctx_tui import atomic
from sctx_tui.atomic import write_atomically


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file(tmp_path: Path) -> None:
    umask = os.umask(0o022)
    try:
        write_atomically(tmp_path / "plain", b"a")
        write_atomically(tmp_path / "private", b"b", mode=0o600)
    finally:
        os.umask(umask)
    assert (tmp_path / "plain").read_bytes() == b"a"
    assert (mode(tmp_path / "plain"), mode(tmp_path / "private")) == (0o644, 0o600)
    assert sorted(os.listdir(tmp_path)) == ["plain", "private"]


def test_an_existing_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_atomically(path, b"new", mode=0o600)
    assert path.read_bytes() == b"new"
    assert mode(path) == 0o640


def test_readers_of_the_old_file_keep_it(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with path.open("rb") as reader:
        write_atomically(path, b"new")
        assert reader.read() == b"old"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "a"
    target.write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to(target)
    write_atomically(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"


@pytest.mark.parametrize("fault", ["fsync", "replace"])
def test_after_a_failure_the_old_file_is_whole(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("disk full")

    path = tmp_path / "a"
    path.write_bytes(b"old")
    monkeypatch.setattr(atomic.os, fault, fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_only_regular_files_are_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "directory").mkdir()
    for name in ("pipe", "directory"):
        with pytest.raises(OSError, match="not a regular file"):
            write_atomically(tmp_path / name, b"new")
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "missing" / "a", b"new")
    assert sorted(os.listdir(tmp_path)) == ["directory", "pipe"]
