"""What differs between languages for the linker: data and small functions, one ``Rules`` per language.

``languages/<module>_rules.py`` defines ``RULES`` (or ``RULES_BY_LANGUAGE``); languages without such a file
get the defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sctx_tui.graph.languages import BY_NAME

if TYPE_CHECKING:
    from sctx_tui.graph.points_to import Call, Evaluator
    from sctx_tui.graph.program import Program
    from sctx_tui.graph.values import Values

#: What a module specification means: paths of files that together are the module (Go packages have several,
#: Python packages one); an empty tuple: in the repository, but no file of it (a namespace package's folder is
#: ``("dir/",)``); None: outside the repository.
Resolved = tuple[str, ...] | None
Model = Callable[["Evaluator", "Call"], "Values"]
#: Which symbols a call of outside code runs, each with the call as they see it.
Callback = Callable[["Evaluator", "Call"], "Iterable[tuple[int, Call]]"]


def nothing_resolves(spec: str, path: str, program: Program) -> Resolved:
    """A language whose imports aren't followed."""
    return None


def no_siblings(path: str, name: str, program: Program) -> tuple[str, ...]:
    """A language whose files share no scope."""
    return ()


def no_submodules(path: str, name: str, program: Program) -> Resolved:
    """A language whose modules hold no modules."""
    return None


@dataclass(frozen=True, eq=False)
class Rules:
    """How a language resolves modules and calls. The defaults suit a language that is linked by name
    alone."""

    #: (spec, path of the importing file, program) -> files
    resolve: Callable[[str, str, Any], Resolved] = nothing_resolves
    #: (path of a module, name, program) -> files of the module inside it
    submodule: Callable[[str, str, Any], Resolved] = no_submodules
    #: (path, name, program) -> files in which that top-level name may be found without an import (Go
    #: packages), the
    #: file itself left out
    siblings: Callable[[str, str, Any], tuple[str, ...]] = no_siblings
    #: methods that run when a class is called, in order; the first names the constructor
    constructors: tuple[str, ...] = ()
    #: do functions in a class body see the class's names without a receiver (Java yes, Python no)?
    class_scope_visible: bool = False
    #: C3 linearization; False: depth first, in source order
    c3: bool = True
    #: a declared type decides; False: only where the value says nothing
    types_decide: bool = True
    #: type arguments say what type parameters stand for; False: they stand for their bounds
    type_arguments: bool = False
    #: a call through an interface runs its implementations: "explicit", those that say so (Rust); "implicit",
    #: every class that has its methods (Go); "", the method that was found
    dispatch: str = ""
    #: calling a class without a constructor of its own is a call of the class; False: a conversion (Go)
    construction_is_a_call: bool = True
    #: special methods, "" where the language has none
    call_method: str = ""
    item_method: str = ""
    deref_method: str = ""  # gives what has the attributes that an object lacks
    iterator_method: str = ""
    next_method: str = ""
    enter_method: str = ""
    #: the function that gives attributes which an object, a class or a module lacks
    missing_method: str = ""
    #: methods that make reading or writing some attributes, or all of its objects', run something -> the
    #: table of the program that has the names of such classes
    class_roles: Mapping[str, str] = field(default_factory=dict)
    #: the attribute of a class that is its metaclass
    metaclass_attribute: str = ""
    #: the attributes of a class that list the fields its objects are made of; the last: of tuples
    field_lists: tuple[str, ...] = ()
    #: the method that runs when such an object is made
    field_hook: str = ""
    #: special methods that run where a class has no other: `__str__` for `__format__`
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    #: the attribute of an object that is its class
    class_attribute: str = ""
    #: the attribute of a class or function that is its name
    name_attribute: str = ""
    #: `obj["name"]` is `obj.name`
    items_are_attributes: bool = False
    #: a plain function called with `new` constructs; `this` in it is the object (JavaScript)
    functions_construct: bool = False
    #: exports decide what other files see (JavaScript); False: every name of the module does
    has_exports: bool = False
    #: names that always exist -> dotted path under which models know them
    builtins: Mapping[str, str] = field(default_factory=dict)
    #: dotted path of an outside function -> what calling it gives
    models: Mapping[str, Model] = field(default_factory=dict)
    #: (kind of receiver, method) -> what calling a builtin method gives; kind: "K", "F" or one of LITERALS
    methods: Mapping[tuple[str, str], Model] = field(default_factory=dict)
    #: dotted path, or ("K", method), of outside code that calls its argument at once -> which functions it
    #: calls
    callbacks: Mapping[Any, Callback] = field(default_factory=dict)
    #: dotted paths of outside types whose subclasses are containers
    container_types: frozenset[str] = frozenset()
    #: and of those that add nothing to what a class without bases has
    empty_types: frozenset[str] = frozenset()
    #: what an unknown outside function makes of a function given first can be called like it (JavaScript's
    #: `memo(f)`)
    outside_wraps: bool = False
    #: (evaluator, call Expr, file, scope, env, key) -> what the container that a builtin call made holds
    #: from the start
    held: Callable[..., Any] | None = None
    #: (evaluator, container or value of a type) -> what iterating it gives; None: its items
    iterated: Callable[..., Any] | None = None
    #: where nothing is known of a receiver, the methods of the called name are candidates, and a single
    #: one is called
    by_name: bool = False
    #: method names that are so common on outside objects that the name alone says nothing
    common_methods: frozenset[str] = frozenset()
    #: (path, program) -> files whose methods are meant first; a method elsewhere is a candidate, and where
    #: anything is known of a receiver there are none
    near: Callable[[str, Any], Container[str]] | None = None


@cache
def callback_names(rules: Rules) -> frozenset[str]:
    """The last names of what calls back: no other outside function needs a look."""
    keys = (key if isinstance(key, str) else key[1] for key in rules.callbacks)
    return frozenset(key.rpartition(".")[2] for key in keys)


@cache
def rules_of(language: str) -> Rules:
    """The rules of a language of the table."""
    module = f"sctx_tui.graph.languages.{BY_NAME[language].module}_rules"
    if find_spec(module) is None:
        return Rules()
    found = import_module(module)
    by_language: Mapping[str, Rules] = getattr(found, "RULES_BY_LANGUAGE", {})
    rules: Rules = by_language.get(language) or found.RULES
    return rules
