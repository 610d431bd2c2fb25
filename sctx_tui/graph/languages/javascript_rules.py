"""JavaScript and TypeScript for the linker: modules, global names, constructors, the language's functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sctx_tui.graph.languages.javascript_builtins import CALLBACKS, COMMON_METHODS, METHODS, MODELS
from sctx_tui.graph.languages.javascript_containers import held, iterated
from sctx_tui.graph.languages.javascript_modules import SCRIPTS, resolve
from sctx_tui.graph.rules import Rules

if TYPE_CHECKING:
    from sctx_tui.graph.program import Program


class FreeNames(Mapping[str, str]):
    """A name that no file declares is the platform's: outside of the repository, whatever it is called."""

    def __getitem__(self, name: str) -> str:
        return name

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def scripts(path: str, name: str, program: Program) -> tuple[str, ...]:
    """The nearest script that declares a global which a script (it neither imports nor exports) may see."""
    if not is_script(path, program):
        return ()
    known = program.cache.get("scripts")
    if known is None:
        known = program.cache["scripts"] = globals_of_scripts(program)
    place = path.split("/")

    def distance(other: str) -> tuple[int, str]:
        shared = 0
        for one, two in zip(place, other.split("/"), strict=False):
            if one != two:
                break
            shared += 1
        return -shared, other

    return tuple(sorted((other for other in known.get(name, ()) if other != path), key=distance)[:1])


def globals_of_scripts(program: Program) -> dict[str, list[str]]:
    """Top-level name -> the scripts that declare it."""
    found: dict[str, list[str]] = {}
    for path in program.paths:
        file = program.file(path) if is_script(path, program) else None
        if file is not None:
            for name in file.facts["exits"].get(0, {}):
                if name != "exports":
                    found.setdefault(name, []).append(path)
    return found


def is_script(path: str, program: Program) -> bool:
    """Whether the file is a classic script."""
    if not path.endswith(SCRIPTS):
        return False
    file = program.file(path)
    return file is not None and not (file.facts["imports"] or file.facts["exports"] or file.facts["stars"])


RULES = Rules(
    resolve=resolve,
    siblings=scripts,
    constructors=("constructor",),
    c3=False,
    types_decide=False,
    iterator_method="[Symbol.iterator]",
    next_method="next",
    class_attribute="constructor",
    name_attribute="name",
    items_are_attributes=True,
    functions_construct=True,
    has_exports=True,
    builtins=FreeNames(),
    models=MODELS,
    methods=METHODS,
    callbacks=CALLBACKS,
    outside_wraps=True,
    held=held,
    iterated=iterated,
    by_name=True,
    common_methods=COMMON_METHODS,
)
