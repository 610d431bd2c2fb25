"""Which part of a project a file belongs to, and how many files its folders hold."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterable

from sctx_tui.regular import open_regular

# Folders that say nothing about what is in them.
CONTAINERS = frozenset(
    [
        "app",
        "apps",
        "cmd",
        "code",
        "crates",
        "internal",
        "lib",
        "libs",
        "modules",
        "packages",
        "pkg",
        "pkgs",
        "projects",
        "source",
        "sources",
        "src",
        "workspaces",
    ]
)


def own_names(root: str) -> frozenset[str]:
    """The names that the project goes by, normalised: a folder of that name is a container too."""
    names = {os.path.basename(root)}
    for file, read in (
        ("pyproject.toml", _pyproject),
        ("package.json", _package),
        ("Cargo.toml", _cargo),
        ("go.mod", _go),
    ):
        try:
            with open_regular(os.path.join(root, file)) as opened:
                names.update(read(opened.read(1 << 20).decode()))
        except (OSError, ValueError, AttributeError, TypeError):
            continue  # absent, or not what such a file should be: then it names nothing
    return frozenset(_normal(name) for name in names if name)


def system_of(path: str, own: frozenset[str]) -> str:
    """The first folder that is no container; the last container where all are; "" for a file in the root."""
    folders = path.split("/")[:-1]
    for folder in folders:
        if folder.lower() not in CONTAINERS and _normal(folder) not in own:
            return folder
    return folders[-1] if folders else ""


def directory_counts(paths: Iterable[str]) -> dict[str, int]:
    """How many files lie below each folder, at any depth; "" is the root."""
    direct = Counter(path.rpartition("/")[0] for path in paths)
    counts: Counter[str] = Counter()
    for folder, number in direct.items():
        counts[folder] += number
        while folder:
            folder = folder.rpartition("/")[0]
            counts[folder] += number
    return dict(counts)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "", name).lower()


def _pyproject(text: str) -> list[str]:
    return [str(tomllib.loads(text).get("project", {}).get("name", ""))]


def _package(text: str) -> list[str]:
    return [str(json.loads(text).get("name", "")).rpartition("/")[2]]


def _cargo(text: str) -> list[str]:
    return [str(tomllib.loads(text).get("package", {}).get("name", ""))]


def _go(text: str) -> list[str]:
    found = re.search(r"(?m)^module\s+(\S+)", text)
    return [re.sub(r"/v\d+$", "", found[1]).rpartition("/")[2]] if found else []
