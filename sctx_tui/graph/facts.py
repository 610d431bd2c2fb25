"""What an extractor says about one file: the intermediate representation (IR) between parsers and the linker.

A ``FileFacts`` is a plain ``dict`` of lists, tuples, strings and ints, so that it marshals fast and means the
same in every process. An extractor (``languages/<lang>.py``) walks the syntax tree once, in program order,
and reports to a ``flow.Recorder``; it never builds the dict by hand. Nothing in the IR names another file's
symbols: who is meant by a name is the linker's business (``link.py``), and the same for all languages. What
people read of a symbol (signature, doc, decorators, what it mutates) goes into its row in the index; the
facts kept there are without.

Scopes
======
Every symbol is a scope. Symbol 0 is the module. ``scope`` below is always an index into ``symbols``. A
block-scoped language opens no scope for a block: ``flow.Recorder`` already keeps apart what can reach what,
and ``Recorder.shadow`` / ``Recorder.unshadow`` give a name back its outer meaning when a block ends.

Expressions (``Expr``)
======================
A tuple whose first item is the tag, or ``None`` for "nothing known". Leave out what can't matter for a call:
``None`` is always right, only less precise. Never nest deeper than ``MAX_DEPTH`` (write ``None`` there).

``("name", id)``
    Looked up by the linker: this scope, enclosing scopes (class scopes are skipped where the language says
    so), the module, files sharing the scope (Go), builtins. Write ``Recorder.use(id)``, never this.
``("var", bind)``
    A use whose reaching definition is known: an index into ``binds``.
``("phi", (bind, ...))``
    Only as the value of a bind: several definitions meet here. ``("prefer", ...)``: the first, where it is
    known.
``("param", k)``
    k-th parameter (a receiver in the list counts too) of the symbol that owns the bind or record.
``("this",)``
    The receiver of the enclosing method: ``self``, ``this``, Go's and Rust's receiver; the class where the
    method has CLASS_LEVEL. Lambdas (kind ``lambda``) see the outer one.
``("super",)``
    The receiver, looked up behind the enclosing method's class; explicit: ``("super", cls, obj)``.
``("attr", base, name)``
    ``base.name``, ``base::name``, ``base->name``. Write ``Recorder.attr``.
``("item", base, key)``
    ``base[key]``, and unpacking: ``a, b = e`` binds a to ``("item", e, ("const", 0))``. A key that isn't
    constant is any Expr; ``None`` is "some key". Write ``Recorder.item``.
``("slice", base, start, stop)``
    ``base[start:stop]`` with bounds that are numbers, or None.
``("concat", (part, ...))``
    A text that is put together, where it may be a name: ``"on_" + kind``.
``("elem", base)``
    What iterating ``base`` yields (``for x in base``; the value variable of Go's ``range``).
``("key", base)``
    What Go's ``for k := range base`` gives: a map's key, what comes from a channel or a sequence.
``("call", callee, args, kwargs)``
    ``args``: tuple of Expr; ``kwargs``: tuple of (name, Expr). Spreads: ``("star", e)`` among the args,
    ``("**", e)`` among the kwargs. Calling a class constructs it.
``("new", callee, args, kwargs)``
    ``new C(...)``: constructs, also where the callee is a plain function (JavaScript).
``("def", symbol)``
    The function, class or lambda itself.
``("list", (item, ...))``
    List, tuple, set, array, slice literal; ``("star", e)`` is a spread.
``("dict", ((key, value), ...))``
    Dict, map, object literal. Keys are Expr: ``("const", "a")`` for ``{a: 1}``, ``None`` for an unknown key;
    a spread is ``(("**",), e)``.
``("any", (e, ...))``
    One of these: conditional expression, ``a or b``, union of types, ``match`` as a value.
``("qualified", type, trait, name)``
    What ``type`` calls ``name`` as the trait means it: Rust's ``<Type as Trait>::name``.
``("else", first, second)``
    The first where something of the repository is known of it, else the second.
``("inst", type)``
    A value whose type is ``type``: annotations, casts, struct literals (``Point{...}``).
``("args", type, (arg, ...))``
    A type with type arguments: ``list[Foo]``, ``Vec<Foo>``, ``Promise<Foo>``; ``[]Foo`` is
    ``("args", ("lit", "list"), (foo,))``, ``map[K]V`` ``("args", ("lit", "dict"), (k, v))``.
``("class", type)``
    The type of a class: ``type[C]``; ``("inst", ("class", c))`` is ``c`` itself.
``("tparam", k, bound)``
    Only as the value of a bind: the k-th type parameter of a class or function. It means its bound, and in
    what a class inherits the type that the subclass gives; where the language says so, the type argument of
    the instance or call. A fourth item: the type that the method belongs to, whose k-th parameter it is.
``("functype", result)``
    The type of a function whose result has the type ``result``; a third item, where there is one, has the
    types of the parameters. ``("paramof", type, k)``: the type of the k-th parameter of such a type.
``("lit", kind)``
    A builtin type, one of ``LITERALS``. A literal is ``("inst", ("lit", "str"))`` or ``("const", v)``.
``("const", value)``
    A str or int literal whose value may matter (keys, ``getattr`` names).
``("import", spec)``
    A module as the source spells it (``..pkg.mod``, ``./util``, ``example.com/m/store``, ``crate::a``):
    ``languages/<lang>.py`` resolves it. ``from a import b`` is ``("attr", ("import", "a"), "b")``, which
    also finds submodules.
``("enter", e)``, ``("await", e)``
    What ``with e as x`` binds; the awaited value.
``("narrow", e, type)``
    ``e`` where it is known to be an instance of ``type`` (``isinstance``, type switch, ``if let``). Bind the
    name anew to it for that arm.
``("fixture", name)``
    The function whose result pytest gives a test's parameter of that name.
``("bound", f, receiver)``
    The function ``f`` with that receiver: ``f.bind(receiver)``.
``("decor", decorator, (def,), ())``
    What decorating gives: a call of ``decorator``, and the thing itself where nothing is known of the
    decorator.
``("iter", e)``
    A generator expression whose element is ``e``. (What calling a generator function gives, the linker
    makes.)

Records
=======
``symbols``  see ``Symbol``.
``binds``    (scope, name, value): each definition of a name; imports, parameters (``("param", k)``),
             functions and classes (``("def", i)``) included. A declared type beside a value: ``("any",
             (value, ("inst", type)))``; the type alone where the language guarantees it.
``exits``    {scope: {name: bind}} for modules and classes: what a name means when the scope's code has run,
             which is what other files and ``C.name`` see. Closures may see every bind of a function's name.
``impls``    (scope, type, trait): ``impl Trait for Type`` and the like, where it isn't written at the class.
``stars``    (scope, spec): ``from spec import *``, ``use spec::*``, ``export * from spec``: names not found
             here are looked up there.
``stores``   (scope, target, value): ``target`` is an ``attr`` or ``item`` Expr. Declared fields are stores to
             ``("attr", ("inst", ("def", class)), name)`` with value ``("inst", type)``. Container growth
             (``xs.append(v)``, ``xs.push(v)``) is a store to ``("item", xs, None)``, beside the call.
``returns``  (scope, Expr); ``yields`` (scope, Expr).
``calls``    (scope, line, Expr, flags): each call in program order, inner calls before outer ones; Expr is
             ``call``, ``new`` or ``decor``. An operator, iteration, ``with`` or ``raise C`` that runs
             code is a call with the flag IMPLICIT: it gives an edge only where the receiver is known, never
             candidates. A decorator is a call made by the scope that holds the definition; the decorated
             name is bound to its result.
``reads``    (scope, line, ``attr`` Expr): attribute reads that aren't callees: they call properties and
             getters.
``writes``   (scope, line, ``attr`` Expr, value): attribute writes: they call setters.
``imports``  (spec, line, names): for the file graph; ``names``: what is taken from it (each may be a
             submodule).
``exports``  (name, Expr): JavaScript and TypeScript only: ``default``, names, ``=`` for CommonJS's
             ``module.exports = e``.
``keys``     names under which an object literal holds what isn't defined there: they may be called.
``public``   names in ``__all__``; None: the language's rule.

Names and ids
=============
The store makes ids from ``qualname`` (``path::qualname``, duplicates ``#2`` in order). A qualname joins
names with ``.``: ``Class.method``, ``outer.inner``. Lambdas and anonymous functions are ``<lambdaN>``,
counted within their scope, and stand for the nearest enclosing named symbol in the public graph
(``public_symbol``). A function expression that is the value of a variable, property or field takes that
name, and kind ``function`` or ``method``. Methods that stand outside their class's body (Go receivers, Rust
``impl`` in any file, ``C.prototype.m =``, ``Class::m`` in C++) have ``owner`` = the type's Expr, qualname
``Type.method``, and the scope where they stand as parent.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypedDict

#: Grows with every change of meaning; facts stored under another version are extracted anew.
FACTS_VERSION = 22
#: Deepest nesting of an Expr that an extractor may write.
MAX_DEPTH = 40

Expr = tuple[Any, ...] | None

LITERALS = (
    "str",
    "bytes",
    "int",
    "float",
    "bool",
    "none",
    "list",
    "tuple",
    "set",
    "dict",
    "function",
    "object",
    "regexp",
)

# Symbol.flags
EXPORTED = (
    1  # visible outside the file by the language's rule (`export`, `pub`, capital letter, no underscore)
)
STATIC = 2  # no receiver: staticmethod, `static`, Rust associated function
CLASS_LEVEL = 4  # the receiver is the class: classmethod, JavaScript `static` (there `this` is the class)
PROPERTY = 8  # reading the attribute calls it: property, `get x()`
ASYNC = 16
SETTER = 128  # writing the attribute calls it: `@x.setter`, `set x(v)`
GENERATOR = 32
ABSTRACT = 64  # declared without a body (interface methods, abstract methods)
OWN_THIS = 256  # reads the receiver, whatever object it is called on: JavaScript's functions but not arrows
LEFT_OUT = 512  # a module that is no part of the program as it is usually built: Go's build constraints
# flags of a call record
IMPLICIT = 1
FLOW_ONLY = 2  # nothing is called here, but this is how it will be: a getter in a property descriptor

RECEIVER = "self"  # kind of a parameter

Param = tuple[str, Expr, Expr, str]
"""(name, type, default, kind): kind is "pos" (which may be given by keyword too), "kw", "*", "**" or
RECEIVER."""


class Symbol(NamedTuple):
    """One row of ``symbols``; a plain tuple in this order in the facts: ``Symbol(*row)`` or the indexes
    below."""

    name: str
    qualname: str
    kind: str  # module, function, method, class, interface (traits too), namespace, lambda
    parent: int  # index of the enclosing symbol; -1 for the module
    start: int  # first line, decorators excluded, 1-based
    end: int  # last line, inclusive
    signature: str  # one line, types included: `def f(a: int = 1) -> str`
    doc: str
    decorators: tuple[str, ...]  # source text without `@`
    bases: tuple[Expr, ...]  # superclasses, embedded structs, interfaces, supertraits, in source order;
    # of a method that stands in `impl Trait for Type`: the trait
    params: tuple[Param, ...]
    returns: Expr  # declared type of the result (not wrapped in "inst"), or None
    flags: int
    mutates: tuple[str, ...]  # `self.x`, `global y`, parameter names whose content is written: sorted
    owner: Expr  # the type of a method declared outside its class's body, else None


(
    NAME,
    QUALNAME,
    KIND,
    PARENT,
    START,
    END,
    SIGNATURE,
    DOC,
    DECORATORS,
    BASES,
    PARAMS,
    RETURNS,
    FLAGS,
    MUTATES,
    OWNER,
) = range(15)

Row = tuple[Any, ...]


class FileFacts(TypedDict):
    """The facts of one file; see the module's docstring for each list's rows."""

    language: str
    symbols: list[Row]
    binds: list[Row]
    exits: dict[int, dict[str, int]]
    impls: list[Row]
    stars: list[Row]
    stores: list[Row]
    returns: list[Row]
    yields: list[Row]
    calls: list[Row]
    reads: list[Row]
    writes: list[Row]
    imports: list[Row]
    exports: list[Row]
    keys: list[str]
    public: tuple[str, ...] | None
    errors: int  # 1 where the parser met a syntax error


def no_facts(language: str) -> FileFacts:
    """Facts of a file in which nothing has been found yet."""
    return {
        "language": language,
        "symbols": [],
        "binds": [],
        "exits": {},
        "impls": [],
        "stars": [],
        "stores": [],
        "returns": [],
        "yields": [],
        "calls": [],
        "reads": [],
        "writes": [],
        "imports": [],
        "exports": [],
        "keys": [],
        "public": None,
        "errors": 0,
    }


def public_symbol(facts: FileFacts, symbol: int) -> int:
    """The symbol that stands for ``symbol`` in the public graph: the nearest that isn't a lambda or a
    namespace, whose own code is the module's."""
    symbols = facts["symbols"]
    while symbols[symbol][KIND] in ("lambda", "namespace"):
        symbol = symbols[symbol][PARENT]
    return symbol


def symbol_ids(path: str, facts: FileFacts) -> list[str]:
    """The id of every symbol of the file at ``path``, by index: ``path::qualname``, duplicates ``#2`` in
    order,
    types behind what runs."""
    symbols = facts["symbols"]
    seen: dict[str, int] = {}
    ids = [""] * len(symbols)
    for index in sorted(range(len(symbols)), key=lambda index: symbols[index][KIND] == "interface"):
        name = symbols[index][QUALNAME]
        seen[name] = count = seen.get(name, 0) + 1
        ids[index] = f"{path}::{name}" if count == 1 else f"{path}::{name}#{count}"
    return ids
