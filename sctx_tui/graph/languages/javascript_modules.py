"""Which file a JavaScript or TypeScript module specifier means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sctx_tui.graph.languages.jsconfig import Project, ancestors, joined

if TYPE_CHECKING:
    from sctx_tui.graph.program import Program
    from sctx_tui.graph.rules import Resolved

SOURCES = (".ts", ".tsx", ".mts", ".cts")
SCRIPTS = (".js", ".jsx", ".mjs", ".cjs")
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
#: An extension as it is written -> those of the source that it may be compiled from.
COMPILED_FROM = {
    ".js": (".ts", ".tsx", ".jsx", ".d.ts"),
    ".jsx": (".tsx", ".d.ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
#: Modules of Node itself.
NODE = frozenset(
    [
        "assert",
        "async_hooks",
        "buffer",
        "child_process",
        "cluster",
        "console",
        "constants",
        "crypto",
        "dgram",
        "diagnostics_channel",
        "dns",
        "domain",
        "events",
        "fs",
        "http",
        "http2",
        "https",
        "inspector",
        "module",
        "net",
        "os",
        "path",
        "perf_hooks",
        "process",
        "punycode",
        "querystring",
        "readline",
        "repl",
        "stream",
        "string_decoder",
        "sys",
        "timers",
        "tls",
        "trace_events",
        "tty",
        "url",
        "util",
        "v8",
        "vm",
        "wasi",
        "worker_threads",
        "zlib",
    ]
)

_BUILT = re.compile(r"(?:^|(?<=/))(?:dist|lib|build|out|es|esm|cjs|umd)(?:/(?:esm|cjs|es|umd|types|src))?/")
_VARIANT = re.compile(
    r"\.(?:esm|cjs|umd|global|runtime|prod|min|module|production|development)\b|\.d(?=\.[mc]?ts$)"
)
_EXTENSION = re.compile(r"\.[mc]?[jt]sx?$")


def resolve(spec: str, path: str, program: Program) -> Resolved:
    """The file that ``spec`` means in the file at ``path``; None: not of the repository."""
    folder = path.rpartition("/")[0]
    typed = path.endswith((*SOURCES, ".vue"))
    key = ("javascript", spec, folder, typed)
    if key not in program.cache:
        found = next(iter(candidates(spec, folder, typed, program)), None)
        program.cache[key] = (found,) if found is not None else None
    result: Resolved = program.cache[key]
    return result


def project_of(program: Program) -> Project:
    """The program's project files."""
    found: Project | None = program.cache.get("javascript project")
    if found is None:
        found = program.cache["javascript project"] = Project(program.texts)
    return found


def candidates(spec: str, folder: str, typed: bool, program: Program) -> Iterator[str]:
    """The files that ``spec`` may mean, best first."""
    spec = spec.rpartition("!")[2].partition("?")[0]
    if not spec or spec.startswith(("node:", "http:", "https:", "data:")):
        return
    for place in places(spec, folder, program):
        found = file_at(place, typed, program)
        if found is not None:
            yield found


def places(spec: str, folder: str, program: Program) -> Iterator[str]:
    """The paths (with or without an extension) that ``spec`` may mean."""
    project = project_of(program)
    if spec.startswith("."):
        place = joined(folder, spec)
        if place is not None:
            yield place
        return
    for paths in project.paths_around(folder):
        yield from paths.targets(spec)
    if spec.startswith("/"):
        yield spec[1:]
        return
    package = project.package_around(folder)
    if spec.startswith("#"):
        for place in package.internal(spec) if package is not None else ():
            yield from with_sources(place)
        return
    name, _, rest = spec.partition("/")
    if name.startswith("@"):
        scope, _, rest = rest.partition("/")
        name = f"{name}/{scope}"
    if name in project.named:
        for place in project.named[name].entries(rest):
            yield from with_sources(place, main=not rest or _BUILT.match(rest) is not None)
        return
    if name in NODE:
        return
    if package is None or (rest and not name.startswith("@") and not listed(name, folder, project)):
        # neither a package that the project lists nor a relative path: some loaders look below a base folder
        for around in ancestors(folder):
            yield f"{around}/{spec}" if around else spec


def listed(name: str, folder: str, project: Project) -> bool:
    """Whether a ``package.json`` around the folder lists the package."""
    return any(at in project.packages and project.packages[at].depends_on(name) for at in ancestors(folder))


def with_sources(place: str, *, main: bool = True) -> Iterator[str]:
    """A place that a package publishes, then where the source of a built file tends to be.

    A bundler writes any extension for any source, so the source is looked for without one too. ``main``: it
    is the package itself or one of its builds (``vue/dist/vue.js``), and may be made from the sources' index.
    """
    yield place
    plain = _VARIANT.sub("", place)
    for match in list(_BUILT.finditer(place))[:1]:
        before, after = plain[: match.start()], plain[match.end() :]
        for one in (after, _EXTENSION.sub("", after)):
            yield f"{before}src/{one}"
            yield before + one
        if main:
            yield f"{before}src/index"
            yield f"{before}index"


def file_at(place: str, typed: bool, program: Program) -> str | None:
    """The file at ``place``: as it is, the source of a compiled file, with an extension, a folder's index."""
    known = program.path_set
    stem, dot, extension = place.rpartition(".")
    sources = COMPILED_FROM.get(dot + extension, ()) if stem and not stem.endswith("/") else ()
    if typed:
        for suffix in sources:
            if suffix not in DECLARATIONS and stem + suffix in known:
                return stem + suffix
    if place in known:
        return place
    for suffix in sources:
        if stem + suffix in known:
            return stem + suffix
    order = (*SOURCES, *SCRIPTS, *DECLARATIONS) if typed else (*SCRIPTS, *SOURCES, *DECLARATIONS)
    for suffix in order:
        if place + suffix in known:
            return place + suffix
    package = project_of(program).packages.get(place)
    if package is not None:
        for entry in package.entries(""):
            for at in with_sources(entry):
                if at != place and (found := file_at(at, typed, program)) is not None:
                    return found
    inside = f"{place}/index" if place else "index"
    return next((inside + suffix for suffix in order if inside + suffix in known), None)
