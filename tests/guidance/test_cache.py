"""The cache makes answers quicker and never different."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sctx_tui.accelerators import checksum
from sctx_tui.guidance import cache as cache_module
from sctx_tui.guidance import globs, loading, parse
from sctx_tui.guidance.model import Resolution
from sctx_tui.guidance.resolve import make_query, resolve

from .conftest import Tree

Project = Callable[[Tree], Path]

RICH = """\
context:
  - content: "é one"
    match: ["**/*.py", "{a,b}[!x]?.md", "*x*y*"]
    exclude: ["**/gen/**"]
    on: [edit, create]
    when: after
  - {content: two, mach: x}
decisions:
  - decision: d
    rationale: r
    alternatives: [{option: o, reason_rejected: w}]
    date: 2025-01-01
    revisit_when: later
    exclude: ["*.md"]
    bogus: 1
"""


class Parses:
    """Counts how often a file is parsed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        real = parse.parse_guidance

        def counted(*arguments: object) -> object:
            self.count += 1
            return real(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(parse, "parse_guidance", counted)


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> Parses:
    return Parses(monkeypatch)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the clock forward by some seconds."""
    real = time.time_ns
    return lambda seconds: monkeypatch.setattr(time, "time_ns", lambda: real() + int(seconds * 1e9))


def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what a new process wouldn't know."""
    monkeypatch.setattr(loading, "_memory", {})
    for name in ("_globs", "_remembered", "_expressions"):
        monkeypatch.setattr(globs, name, {})


def ask(root: Path, path: str = "a.py") -> Resolution:
    return resolve(make_query(path, root=str(root), action="edit"))


def records(cache: Path) -> list[Path]:
    return sorted(cache.glob("*")) if cache.exists() else []


def test_a_second_process_parses_nothing_and_answers_the_same(
    project: Project,
    cache: Path,
    parses: Parses,
    later: Callable[[float], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = project({"AGENTS.yaml": RICH, "src/AGENTS.yml": "context: ["})
    later(3)
    first = ask(root, "src/a.py")
    assert parses.count == 2
    assert len(records(cache)) == 2
    new_process(monkeypatch)
    assert ask(root, "src/a.py") == first
    assert parses.count == 2
    new_process(monkeypatch)
    first_entries = [ask(root, path).judged[0] for path in ("aby.md", "axy.txt", "gen/a.py", "ax.md")]
    assert [(each.verdict, each.pattern) for each in first_entries] == [
        ("applies", "{a,b}[!x]?.md"),
        ("applies", "*x*y*"),
        ("excluded", "**/gen/**"),
        ("no-match", ""),
    ]
    assert parses.count == 2


def test_records_are_private(project: Project, cache: Path, later: Callable[[float], None]) -> None:
    root = project({"AGENTS.yaml": RICH})
    later(3)
    ask(root)
    [record] = records(cache)
    assert record.stat().st_mode & 0o777 == 0o600
    assert cache.stat().st_mode & 0o077 == 0


def test_where_records_lie(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def expected() -> str:
        return os.path.join(platformdirs.user_cache_dir("sctx", appauthor=False), "guidance")

    assert cache_module.cache_directory() == expected()
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_module.cache_directory() == expected()
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert cache_module.cache_directory() == expected()
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")  # relative: that would be in the project
    assert cache_module.cache_directory() == f"{tmp_path}/.cache/sctx/guidance"


def test_a_file_just_changed_is_not_trusted(
    project: Project, cache: Path, later: Callable[[float], None], parses: Parses
) -> None:
    """Two changes within the clock's grain may leave the same size and times."""
    root = project({"AGENTS.yaml": "context: [{content: one}]\n"})
    file = root / "AGENTS.yaml"
    before = file.stat()
    ask(root)
    assert records(cache) == []
    file.write_text("context: [{content: two}]\n")
    os.utime(file, ns=(before.st_mtime_ns, before.st_mtime_ns))
    # As if the clock had not moved on at all: the same signature for other content.
    known = loading._memory[str(file)]
    known.signature = loading._signature(file.stat())
    assert [each.entry.content for each in ask(root).context] == ["two"]  # type: ignore[union-attr]
    later(3)
    ask(root)
    assert len(records(cache)) == 1


def test_unchanged_text_is_not_parsed_again(
    project: Project, later: Callable[[float], None], parses: Parses, cache: Path
) -> None:
    root = project({"AGENTS.yaml": RICH})
    for seconds in (0, 0, 1, 3, 4):
        later(seconds)
        ask(root)
    assert parses.count == 1
    assert len(records(cache)) == 1


@pytest.mark.parametrize("change", ["content", "times", "inode", "gone"])
def test_changes_are_seen(
    project: Project, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    root = project({"AGENTS.yaml": "context: [{content: one}]\n"})
    file = root / "AGENTS.yaml"
    later(3)
    for process in ("same", "new"):
        file.write_text("context: [{content: one}]\n")
        later(3)
        assert len(ask(root).context) == 1
        if process == "new":
            new_process(monkeypatch)
        before = file.stat()
        if change == "content":
            file.write_text("context: [{content: two}]\n")
        elif change == "times":  # size and time of the content as before; only the inode's time tells
            file.write_text("context: [{content: two}]\n")
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        elif change == "inode":
            other = root / "other"
            other.write_text("context: [{content: two}]\n")
            os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
            other.replace(file)
        else:
            file.unlink()
        expected = [] if change == "gone" else ["two"]
        assert [each.entry.content for each in ask(root).context] == expected  # type: ignore[union-attr]


def _flip(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def _forged(data: bytes) -> bytes:
    """A whole record of another format, with a right checksum."""
    body = json.dumps({"key": json.loads(data.partition(b"\n")[2])["key"], "context": [["x"]]}).encode()
    return checksum(body).encode() + b"\n" + body


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "one-bit": _flip,
    "zeros": lambda data: b"\0" * len(data),
    "no-checksum": lambda data: data.partition(b"\n")[2],
    "not-ascii": lambda data: b"\xff" + data,
    "other-shape": _forged,
    "list": lambda data: checksum(b"[]").encode() + b"\n[]",
    "not-json": lambda data: checksum(b"{").encode() + b"\n{",
    "deep": lambda data: checksum(b"[" * 100_000).encode() + b"\n" + b"[" * 100_000,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_records_are_ignored(
    project: Project,
    cache: Path,
    later: Callable[[float], None],
    monkeypatch: pytest.MonkeyPatch,
    damage: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    root = project({"AGENTS.yaml": RICH})
    later(3)
    first = ask(root)
    [record] = records(cache)
    record.write_bytes(DAMAGE[damage](record.read_bytes()))
    new_process(monkeypatch)
    assert ask(root) == first
    assert capfd.readouterr() == ("", "")
    new_process(monkeypatch)
    monkeypatch.setattr(parse, "parse_guidance", None)  # the record is whole again
    assert ask(root) == first


def test_a_record_of_another_file_is_ignored(
    project: Project, cache: Path, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(
        {"a/AGENTS.yaml": "context: [{content: a}]\n", "b/AGENTS.yaml": "context: [{content: b}]\n"}
    )
    later(3)
    ask(root, "a/x")
    [a] = records(cache)
    ask(root, "b/x")
    [b] = set(records(cache)) - {a}
    b.write_bytes(a.read_bytes())
    new_process(monkeypatch)
    assert [each.entry.content for each in ask(root, "b/x").context] == ["b"]  # type: ignore[union-attr]


@pytest.mark.parametrize("foreign", ["group", "world", "owner", "link", "directory", "pipe"])
def test_foreign_records_are_ignored(
    project: Project,
    cache: Path,
    later: Callable[[float], None],
    monkeypatch: pytest.MonkeyPatch,
    parses: Parses,
    foreign: str,
) -> None:
    root = project({"AGENTS.yaml": RICH})
    later(3)
    first = ask(root)
    [record] = records(cache)
    if foreign == "group":
        record.chmod(0o620)
    elif foreign == "world":
        record.chmod(0o602)
    elif foreign == "owner":
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    else:
        moved = record.rename(cache.parent / "moved")
        if foreign == "link":
            record.symlink_to(moved)
        elif foreign == "directory":
            record.mkdir()
        else:
            os.mkfifo(record)
    new_process(monkeypatch)
    assert ask(root) == first
    assert parses.count == 2


def test_no_place_for_a_cache(
    project: Project, tmp_path: Path, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project({"AGENTS.yaml": RICH, "file": ""})
    later(3)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    first = ask(root)
    new_process(monkeypatch)
    assert ask(root) == first
    assert len(first.judged) == 3


def test_records_are_replaced_in_one_step(
    project: Project, cache: Path, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project({"AGENTS.yaml": RICH})
    later(3)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        ask(root)
    assert records(cache) == []


def test_old_records_are_swept_away(
    project: Project, cache: Path, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project({"AGENTS.yaml": RICH, "a/AGENTS.yaml": RICH})
    later(3)
    ask(root)
    [old] = records(cache)
    os.utime(old, (1, 1))
    monkeypatch.setattr(cache_module, "SWEEP", 1)
    ask(root, "a/x")
    assert len(records(cache)) == 1
    assert old not in records(cache)


def test_one_file_below_two_roots(
    project: Project, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project({"a/AGENTS.yaml": RICH})
    later(3)
    for _ in range(2):
        assert ask(root, "a/x.py").judged[0].file == "a/AGENTS.yaml"
        assert ask(root / "a", "x.py").judged[0].file == "AGENTS.yaml"
        assert ask(root, "a/x.py").problems[0].file == "a/AGENTS.yaml"
        new_process(monkeypatch)


texts = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc",)), max_size=12)
patterns = st.one_of(texts, st.sampled_from(["**", "*.py", "{a,b}/*", "[!a]?", "*a*b*", "src/", "[", "é*"]))
entries = st.fixed_dictionaries(
    {"content": texts},
    optional={
        "match": st.lists(patterns, max_size=3),
        "exclude": st.lists(patterns, max_size=2),
        "on": st.sampled_from(["edit", "read", ["edit", "create"], [], "x"]),
        "when": st.sampled_from(["before", "after", "all", "never"]),
        "extra": texts,
    },
)
decisions = st.fixed_dictionaries(
    {"decision": texts, "rationale": texts},
    optional={
        "match": st.lists(patterns, max_size=2),
        "alternatives": st.lists(
            st.fixed_dictionaries({"option": texts}, optional={"reason_rejected": texts}), max_size=2
        ),
        "date": st.sampled_from(["2025-01-01", "2025-13-01"]),
        "revisit_when": texts,
    },
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(entries, max_size=4),
    st.lists(decisions, max_size=2),
    st.lists(st.sampled_from(["a.py", "b/x", "é1", "src", "src/", "zab", "[", "."]), min_size=1, max_size=3),
)
def test_cached_equals_uncached(
    tmp_path: Path, context: list[object], made: list[object], paths: list[str]
) -> None:
    file = tmp_path / "AGENTS.yaml"
    file.write_text(json.dumps({"context": context, "decisions": made}))
    with pytest.MonkeyPatch.context() as patch:
        real = time.time_ns
        patch.setattr(time, "time_ns", lambda: real() + 10**10)
        new_process(patch)
        cold = [ask(tmp_path, path) for path in paths]
        in_memory = [ask(tmp_path, path) for path in paths]
        new_process(patch)
        patch.setattr(parse, "parse_guidance", None)
        from_disk = [ask(tmp_path, path) for path in paths]
    assert cold == in_memory == from_disk
