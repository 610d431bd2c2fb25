"""What JavaScript and TypeScript projects say about their modules: ``tsconfig.json``, ``package.json``.

Both are read as far as module resolution needs them: https://www.typescriptlang.org/tsconfig (``extends``,
``baseUrl``, ``paths``) and https://nodejs.org/api/packages.html (``exports``, ``imports``, ``main``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

#: Conditions of ``exports`` in the order in which we look: sources first, then what runs.
CONDITIONS = ("source", "development", "import", "module", "node", "require", "default", "browser", "types")
#: Longest chain of ``extends`` that is followed.
LONGEST_CHAIN = 10

_JSONC = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_COMMA = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])')
_PROJECT_FILE = re.compile(r"(?:^|/)(?:package|[tj]sconfig[\w.-]*)\.json$")


def is_project_file(path: str) -> bool:
    """Whether module resolution wants the text of that file."""
    return _PROJECT_FILE.search(path) is not None


def parse_jsonc(text: str) -> dict[str, Any]:
    """JSON with comments and trailing commas; {} where it isn't an object, or isn't readable."""
    text = text.removeprefix("\ufeff")
    text = _JSONC.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    text = _COMMA.sub(lambda match: match[0] if match[0].startswith('"') else "", text)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def joined(folder: str, path: str) -> str | None:
    """``path`` as seen from ``folder``, both posix, relative to the root; None: it leads out of the root."""
    parts = folder.split("/") if folder and not path.startswith("/") else []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                return None
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def ancestors(folder: str) -> Iterator[str]:
    """The folder itself, then those around it, up to the root ("")."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


@dataclass(frozen=True)
class Paths:
    """How a ``tsconfig.json`` maps what isn't relative: pattern -> targets, seen from the root."""

    patterns: tuple[tuple[str, tuple[str, ...]], ...] = ()
    base: str | None = None

    def targets(self, spec: str) -> list[str]:
        """The places where ``spec`` may be, best first: the longest pattern decides."""
        best, found = -1, list[str]()
        for pattern, targets in self.patterns:
            head, star, tail = pattern.partition("*")
            if star:
                fits = spec.startswith(head) and spec.endswith(tail) and len(spec) >= len(head) + len(tail)
                middle = spec[len(head) : len(spec) - len(tail)]
                rank = len(head)
            else:
                fits, middle, rank = spec == pattern, "", len(pattern) + 1
            if fits and rank > best:
                best, found = rank, [target.replace("*", middle, 1) for target in targets]
        if self.base is not None and (based := joined(self.base, spec)) is not None:
            found.append(based)
        return found


@dataclass(frozen=True)
class Package:
    """A ``package.json``: its folder and what it says of its own modules and of others."""

    folder: str
    name: str
    fields: Mapping[str, Any]

    def depends_on(self, name: str) -> bool:
        """Whether it lists the package ``name``."""
        kinds = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
        return any(
            name in (self.fields.get(kind) or ()) for kind in kinds if isinstance(self.fields.get(kind), dict)
        )

    def entries(self, subpath: str) -> list[str]:
        """The places of ``<name>/subpath`` ("": the package itself) in its folder, best first."""
        places = mapped(self.fields.get("exports"), "./" + subpath if subpath else ".")
        if not subpath:
            for kind in ("source", "module", "main", "types", "typings", "browser"):
                place = self.fields.get(kind)
                if isinstance(place, str):
                    places.append(place)
            places.append("index")
        else:
            places.append(subpath)
        found = (joined(self.folder, place) for place in places if place)
        return [place for place in found if place is not None]

    def internal(self, spec: str) -> list[str]:
        """The places of ``#name`` by its ``imports``."""
        found = (joined(self.folder, place) for place in mapped(self.fields.get("imports"), spec))
        return [place for place in found if place is not None]


def mapped(table: Any, key: str) -> list[str]:
    """The targets of ``key`` in a table of ``exports`` or ``imports``, in the order of ``CONDITIONS``."""
    if not isinstance(table, dict) or not any(isinstance(k, str) and k[:1] in (".", "#") for k in table):
        return conditional(table, 0) if key == "." else []
    if key in table:
        return conditional(table[key], 0)
    best, found = -1, list[str]()
    for pattern, target in table.items():
        head, star, tail = pattern.partition("*")
        if star and key.startswith(head) and key.endswith(tail) and len(head) > best:
            best = len(head)
            middle = key[len(head) : len(key) - len(tail)]
            found = [place.replace("*", middle) for place in conditional(target, 0)]
    return found


def conditional(target: Any, depth: int) -> list[str]:
    """The places that a target of ``exports`` may stand for."""
    if isinstance(target, str):
        return [target]
    if depth > LONGEST_CHAIN:
        return []
    if isinstance(target, list):
        return [place for one in target for place in conditional(one, depth + 1)]
    if isinstance(target, dict):
        order = [*(c for c in CONDITIONS if c in target), *(c for c in target if c not in CONDITIONS)]
        return [place for condition in order for place in conditional(target[condition], depth + 1)]
    return []


class Project:
    """The project files of a repository: ``texts`` by path."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self._parsed: dict[str, dict[str, Any]] = {}
        self._paths: dict[str, list[Paths]] = {}
        self.packages: dict[str, Package] = {}  # by folder
        self.named: dict[str, Package] = {}
        self._configs: dict[str, list[str]] = {}
        for path in sorted(texts):
            folder, _, name = path.rpartition("/")
            if name == "package.json":
                fields = self.parsed(path)
                called = fields.get("name")
                package = Package(folder, called if isinstance(called, str) else "", fields)
                self.packages[folder] = package
                if package.name:
                    self.named.setdefault(package.name, package)
            elif is_project_file(path):
                self._configs.setdefault(folder, []).append(path)

    def parsed(self, path: str) -> dict[str, Any]:
        """The object that a JSON file of the project holds, comments allowed; read once."""
        found = self._parsed.get(path)
        if found is None:
            found = self._parsed[path] = parse_jsonc(self.texts.get(path, ""))
        return found

    def package_around(self, folder: str) -> Package | None:
        """The nearest ``package.json`` around a folder."""
        return next((self.packages[at] for at in ancestors(folder) if at in self.packages), None)

    def paths_around(self, folder: str) -> Iterator[Paths]:
        """The path mappings that apply in a folder, nearest first."""
        for at in ancestors(folder):
            if at not in self._configs:
                continue
            if at not in self._paths:
                order = sorted(self._configs[at], key=lambda path: (len(path), path))
                self._paths[at] = [paths for path in order if (paths := self.paths_of(path)) is not None]
            yield from self._paths[at]

    def paths_of(self, path: str, depth: int = 0) -> Paths | None:
        """The mapping of one config file; what it doesn't say comes from what it extends."""
        if depth > LONGEST_CHAIN or path not in self.texts:
            return None
        fields, folder = self.parsed(path), path.rpartition("/")[0]
        options = fields.get("compilerOptions")
        options = options if isinstance(options, dict) else {}
        base: str | None = None
        patterns: tuple[tuple[str, tuple[str, ...]], ...] = ()
        extended = fields.get("extends")
        for one in reversed(extended if isinstance(extended, list) else [extended]):
            inherited = self.extended(one, folder, depth) if isinstance(one, str) else None
            if inherited is not None:
                base = inherited.base if base is None else base
                patterns = patterns or inherited.patterns
        if isinstance(options.get("baseUrl"), str):
            base = joined(folder, template(options["baseUrl"]))
        table = options.get("paths")
        if isinstance(table, dict):
            start = base if base is not None else folder
            patterns = tuple(
                (
                    pattern,
                    tuple(
                        place for target in targets if (place := joined(start, template(target))) is not None
                    ),
                )
                for pattern, listed in table.items()
                if (
                    targets := [one for one in listed if isinstance(one, str)]
                    if isinstance(listed, list)
                    else []
                )
            )
        return Paths(patterns, base) if patterns or base is not None else None

    def extended(self, spec: str, folder: str, depth: int) -> Paths | None:
        """The mapping of the config file that ``extends`` names."""
        if spec.startswith("."):
            place = joined(folder, spec)
        else:
            name, _, rest = spec.partition("/")
            if name.startswith("@"):
                scope, _, rest = rest.partition("/")
                name = f"{name}/{scope}"
            package = self.named.get(name)
            place = joined(package.folder, rest or "tsconfig.json") if package is not None else None
        if place is None:
            return None
        return self.paths_of(place if place.endswith(".json") else place + ".json", depth + 1)


def template(path: str) -> str:
    """``${configDir}/x`` means ``./x``."""
    return path.replace("${configDir}", ".")
