"""Python for the linker: packages, constructors, builtins."""

from __future__ import annotations

import builtins
import io
import re
import sys
from typing import TYPE_CHECKING

from sctx_tui.graph.languages.python_classes import DATACLASS_FIELDS, METACLASS, TUPLE_FIELDS
from sctx_tui.graph.languages.python_models import CALLBACKS, METHODS, MODELS, held
from sctx_tui.graph.rules import Resolved, Rules

if TYPE_CHECKING:
    from sctx_tui.graph.program import Program


#: Methods of builtin types and of files: on a receiver of which nothing is known, most likely theirs.
COMMON_METHODS = set(
    # queues, threads, processes, sockets, files
    "put put_nowait get_nowait task_done start run join acquire release wait notify notify_all set is_set "
    "submit "
    "shutdown poll communicate kill terminate connect bind listen accept send sendall recv recvfrom close "
    "open "
    "exists is_file is_dir mkdir unlink resolve "
    # tasks, logs, dates, databases, requests
    "cancel cancelled done result exception add_done_callback debug info warning error critical log date "
    "time "
    "isoformat strftime timestamp execute executemany commit rollback cursor fetchone fetchall fetchmany "
    "request "
    "post patch delete head json add_argument parse_args".split()
) | {
    name
    for type_ in (
        str,
        bytes,
        bytearray,
        list,
        dict,
        set,
        tuple,
        int,
        float,
        io.TextIOWrapper,
        io.BytesIO,
        re.Pattern,
        re.Match,
    )
    for name in dir(type_)
}
#: What runs where a class lacks a special method (data model of the language reference); what stands in
#: stands later.
STAND_INS = {
    "__format__": "__str__",
    "__str__": "__repr__",
    "__ne__": "__eq__",
    "__bool__": "__len__",
    "__contains__": "__iter__",
    "__getitem__": "__missing__",
    **{
        f"__i{name}__": f"__{name}__"
        for name in ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"]
    },
}
CONTAINER_TYPES = (
    *(f"builtins.{name}" for name in ("list", "tuple", "set", "frozenset", "dict")),
    *(
        f"collections.{name}"
        for name in ("OrderedDict", "defaultdict", "deque", "Counter", "UserDict", "UserList")
    ),
)


def resolve(spec: str, path: str, program: Program) -> Resolved:
    """The file of a module: ``a.b``, ``.x``, ``..``; from a folder that holds the importing file, or any
    root."""
    cache = program.cache
    folder = path.rpartition("/")[0]
    key = ("python", spec, folder)
    if key not in cache:
        cache[key] = _resolve(spec, folder, program)
    found: Resolved = cache[key]
    return found


def _resolve(spec: str, folder: str, program: Program) -> Resolved:
    name = spec.lstrip(".")
    level = len(spec) - len(name)
    parts = name.split(".") if name else []
    if level:
        places = folder.split("/") if folder else []
        if level - 1 > len(places):
            return None
        return module_at("/".join([*places[: len(places) - level + 1], *parts]), program)
    if not parts:
        return None  # `import_module("")`
    for root in roots(program, parts[0], folder):
        if parts[0] in sys.stdlib_module_names:
            top = module_at(f"{root}/{parts[0]}" if root else parts[0], program)
            if top is not None and top[0].endswith("/"):
                continue  # Python takes its own module before any folder without __init__.py
        found = module_at(f"{root}/{'/'.join(parts)}" if root else "/".join(parts), program)
        if found is not None:
            return found
    return None


def roots(program: Program, top: str, folder: str) -> list[str]:
    """The folders under which the top-level module ``top`` is found, nearest to ``folder`` first."""
    tops = program.cache.get("python tops")
    if tops is None:
        tops = program.cache["python tops"] = top_level_modules(program)
    found = tops.get(top, ())

    def distance(root: str) -> tuple[int, int, str]:
        shared = 0
        for one, other in zip(root.split("/"), folder.split("/"), strict=False):
            if one != other:
                break
            shared += 1
        return (-shared, len(root), root)

    return sorted(found, key=distance)


def top_level_modules(program: Program) -> dict[str, set[str]]:
    """Top-level module name -> folders that hold it: folders that are no packages themselves."""
    packages = {
        path.rpartition("/")[0] for path in program.paths if path.endswith(("/__init__.py", "/__init__.pyi"))
    }
    tops: dict[str, set[str]] = {}
    for path in program.paths:
        folder, _, name = path.rpartition("/")
        stem = name.partition(".")[0]
        if stem == "__init__":
            folder, _, stem = folder.rpartition("/")
        if folder not in packages:
            tops.setdefault(stem, set()).add(folder)
        # a folder without __init__.py is a namespace package
        while folder and folder not in packages:
            folder, _, stem = folder.rpartition("/")
            tops.setdefault(stem, set()).add(folder)
    return tops


def module_at(place: str, program: Program) -> Resolved:
    """The module whose path without suffix is ``place``; a folder without ``__init__`` is a namespace
    package."""
    for suffix in ("/__init__.py", ".py", "/__init__.pyi", ".pyi", ".pyw"):
        if (place + suffix if place else suffix[1:]) in program.path_set:
            return (place + suffix if place else suffix[1:],)
    folders = program.cache.get("folders")
    if folders is None:
        folders = program.cache["folders"] = {
            path[:index] for path in program.paths for index, char in enumerate(path) if char == "/"
        }
    return (place + "/",) if place in folders else None


def submodule(path: str, name: str, program: Program) -> Resolved:
    """The module ``name`` in the package at ``path``."""
    folder, _, file = path.rpartition("/")
    if file and file.partition(".")[0] != "__init__":
        return None
    return module_at(f"{folder}/{name}" if folder else name, program)


RULES = Rules(
    resolve=resolve,
    submodule=submodule,
    constructors=("__init__", "__new__"),
    types_decide=False,
    call_method="__call__",
    item_method="__getitem__",
    iterator_method="__iter__",
    next_method="__next__",
    enter_method="__enter__",
    class_attribute="__class__",
    name_attribute="__name__",
    missing_method="__getattr__",
    class_roles={
        **dict.fromkeys(("__get__", "__set_name__"), "descriptor_names"),
        "__set__": "data_descriptor_names",
        **dict.fromkeys(("__getattr__", "__getattribute__"), "getattr_names"),
        "__setattr__": "setattr_names",
        "__init_subclass__": "created_names",
    },
    metaclass_attribute=METACLASS,
    field_hook="__post_init__",
    field_lists=(DATACLASS_FIELDS, TUPLE_FIELDS),
    stand_ins=STAND_INS,
    builtins={name: f"builtins.{name}" for name in dir(builtins)},
    models=MODELS,
    methods=METHODS,
    callbacks=CALLBACKS,
    held=held,
    by_name=True,
    common_methods=frozenset(COMMON_METHODS),
    container_types=frozenset(CONTAINER_TYPES),
    empty_types=frozenset(("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol")),
)
