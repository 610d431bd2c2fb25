"""One look over all files before linking: tables by name that single files can't answer."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Protocol

from sctx_tui.graph.accessors import called_name
from sctx_tui.graph.facts import (
    BASES,
    FLAGS,
    KIND,
    NAME,
    OWN_THIS,
    OWNER,
    PARENT,
    PROPERTY,
    SETTER,
    Expr,
    FileFacts,
)
from sctx_tui.graph.points_to import Evaluator
from sctx_tui.graph.program import File, Program
from sctx_tui.graph.resolve_classes import MANY_SUBCLASSES, bases_of

Stored = tuple[File, int, Expr]


def survey(program: Program) -> None:
    """Loads every file and fills the program's tables by name."""
    for path in program.paths:
        file = program.file(path)
        if file is not None:
            survey_symbols(program, file)
    program.calling_metaclasses &= {
        program.symbol(gid - program.where(gid)[1] + program.symbol(gid)[PARENT])[NAME]
        for gid in program.methods_by_name.get("__call__", ())
    }
    if any(special_names(program)):
        survey_special_classes(program)
    names = program.callable_names
    for rules in {file.rules for file in program.files.values() if file is not None}:
        for name, instead in reversed(list(rules.stand_ins.items())):
            if instead in names:
                names.add(name)


def survey_symbols(program: Program, file: File) -> None:
    """Note a file's symbols in the tables by name that the linker asks."""
    for index, row in enumerate(file.symbols):
        name, kind, flags = row[NAME], row[KIND], row[FLAGS]
        if flags & OWN_THIS:
            program.own_this.add(file.base + index)
        if kind in ("module", "lambda"):
            continue
        if flags & PROPERTY:
            program.property_names.add(name)
        if flags & SETTER and kind == "method":
            program.setter_names.add(name)
            program.setters[(file.base + row[PARENT], name)] = file.base + index
        role = file.rules.class_roles.get(name)
        if role is not None:
            getattr(program, role).add(
                module_name(file) if not row[PARENT] else file.symbols[row[PARENT]][NAME]
            )
        if kind == "method":
            program.methods_by_name.setdefault(name, []).append(file.base + index)
    lists, metaclass = file.rules.field_lists, file.rules.metaclass_attribute
    for scope, name, value in file.binds:
        if scope and value is not None:
            if value[0] == "call" and value[1] == ("name", "property"):
                program.property_names.add(name)
                if len(value[2]) > 1 or len(value[3]) > 1:
                    program.setter_names.add(name)
            elif name == metaclass:
                program.created_names.add(file.symbols[scope][NAME])
                program.calling_metaclasses.add(called_name(file.facts, value))
            elif name in lists and value[0] == "list":
                program.field_names.update(map(str, constants(value[1])))
    program.property_names |= accessor_names(file.facts)
    stored = attribute_names(file.facts)
    program.attribute_names |= stored
    program.callable_names |= stored | defined_names(file.facts)


def constants(items: Iterable[Expr]) -> Iterable[Any]:
    """The values of the constants among the items of a container."""
    return (one[1] for one in items if one is not None and one[0] == "const")


def module_name(file: File) -> str:
    """The last name by which a module is imported."""
    folder, _, name = file.path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] if stem == "__init__" else stem


def special_names(program: Program) -> tuple[set[str], ...]:
    """The tables of names of classes that run something by themselves."""
    return (
        program.descriptor_names,
        program.data_descriptor_names,
        program.getattr_names,
        program.setattr_names,
        program.created_names,
    )


def survey_special_classes(program: Program) -> None:
    """Adds the subclasses, as far as names tell, to classes that run something for attributes, and the names
    of attributes that are such objects."""
    files = [file for path in program.paths if (file := program.file(path)) and file.rules.class_roles]
    heirs: dict[str, list[str]] = {}
    for file in files:
        for row in file.symbols:
            if row[BASES] and row[KIND] == "class":
                for base in row[BASES]:
                    heirs.setdefault(called_name(file.facts, base), []).append(row[NAME])
    program.descriptor_names |= program.data_descriptor_names
    for names in special_names(program):
        names.update(*[all_heirs(heirs, name, few=names is program.created_names) for name in list(names)])
    if program.descriptor_names:
        for file in files:
            found = descriptors_in(file.facts, program.descriptor_names)
            program.property_names |= found
            program.setter_names |= descriptors_in(file.facts, program.data_descriptor_names)


def all_heirs(heirs: Mapping[str, Sequence[str]], name: str, *, few: bool) -> set[str]:
    """The names of all subclasses of a class of that name; ``few``: none where they are very many, so that
    what each of them runs says little."""
    found: dict[str, None] = {}
    pending = [name]
    while pending:
        for heir in heirs.get(pending.pop(), ()):
            if heir not in found:
                found[heir] = None
                pending.append(heir)
                if few and len(found) > MANY_SUBCLASSES:
                    return set()
    return set(found)


def descriptors_in(facts: FileFacts, names: Container[str]) -> set[str]:
    """The attributes of a file's classes that are objects of classes of these names."""
    return {
        name
        for scope, name, value in facts["binds"]
        if value is not None
        and value[0] == "call"
        and facts["symbols"][scope][KIND] == "class"
        and called_name(facts, value[1]) in names
    }


def attribute_names(facts: FileFacts) -> set[str]:
    """The names of the attributes that a file stores in anything."""
    return {target[2] for _, target, _ in facts["stores"] if target[0] == "attr"}


def accessor_names(facts: FileFacts) -> set[str]:
    """The names under which a file stores getters: property descriptors."""
    symbols = facts["symbols"]
    return {
        target[2]
        for _, target, value in facts["stores"]
        if target[0] == "attr"
        and value is not None
        and value[0] == "def"
        and symbols[value[1]][FLAGS] & PROPERTY
    }


def defined_names(facts: FileFacts) -> set[str]:
    """The other names that a callee of the file may have."""
    names = {row[NAME] for row in facts["symbols"] if row[KIND] not in ("module", "lambda")}
    names.update(name for scope in facts["exits"].values() for name in scope)
    names.update(name for name, _ in facts["exports"])
    names.update(facts["keys"])
    return names


def survey_subclasses(ev: Evaluator) -> None:
    """Finds every class's direct subclasses."""
    for path in ev.program.paths:
        file = ev.program.file(path)
        if file is not None:
            for base, cls in subclasses_in(ev, file):
                ev.program.subclasses.setdefault(base, []).append(cls)


def subclasses_in(ev: Evaluator, file: File) -> Iterable[tuple[int, int]]:
    """The classes of a file, each with every class that it names as a base: (base, class)."""
    for index, row in enumerate(file.symbols):
        if row[KIND] in ("class", "interface") and row[BASES]:
            for base in bases_of(ev, file.base + index):
                if base[0] == "C":
                    yield base[1], file.base + index


def survey_outside_methods(ev: Evaluator) -> None:
    """Finds the classes of methods that stand outside of them."""
    program = ev.program
    for path in program.paths:
        file = program.file(path)
        if file is not None:
            survey_file(ev, file, program)


class Outside(Protocol):
    """Tables of what stands outside of its class, as `Program` has them."""

    methods_outside: dict[tuple[int, str], list[int]]
    defined_outside: dict[tuple[int, str], list[Stored]]
    implemented: dict[int, list[Stored]]
    stores_outside: dict[tuple[int, str], list[Stored]]


def survey_file(ev: Evaluator, file: File, found: Outside) -> None:
    """Finds what of a file stands outside of its class."""
    for scope, type_, trait in file.facts["impls"]:
        for value in ev.ev(type_, file, scope, 0):
            if value[0] == "C" or (value[0] in ("F", "B") and ev.constructs(value[1])):
                found.implemented.setdefault(value[1], []).append((file, scope, trait))
    for index, row in enumerate(file.symbols):
        if row[OWNER] is not None:
            for cls in ev.class_of_method(file, index):
                found.methods_outside.setdefault((cls, row[NAME]), []).append(file.base + index)
    if file.rules.functions_construct:
        survey_prototypes(ev, file, found)
    for name, stores in file.this_stores(-1).items():
        for scope, stored in stores:
            for cls in ev.class_of_method(file, file.method_of(scope)):
                found.stores_outside.setdefault((cls, name), []).append((file, scope, stored))


def survey_prototypes(ev: Evaluator, file: File, found: Outside) -> None:
    """Finds what is stored in prototypes: it belongs to the class as its own definitions do."""
    for scope, target, value in file.facts["stores"]:
        base = target[1]
        if target[0] != "attr" or value is None or base is None or base[0] != "inst" or base[1] is None:
            continue
        if base[1][0] == "def":
            continue
        for cls in ev.ev(base[1], file, scope, 0):
            if cls[0] == "C" or (cls[0] in ("F", "B") and ev.constructs(cls[1])):
                found.defined_outside.setdefault((cls[1], target[2]), []).append((file, scope, value))
