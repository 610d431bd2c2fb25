"""The table of languages: which file names they own, which grammar reads them, which module knows more.

``LANGUAGES`` has one row per language. A row's ``module`` is ``languages/<module>.py`` with
``extract(path, source, tree, language) -> FileFacts``
and the rules the linker asks for (``modules.py``); by-name languages share one module and have a
``.scm`` query file of their own.
"""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """One language: ``name`` is what the index stores, ``grammar`` the parser's name."""

    name: str
    grammar: str
    module: str
    suffixes: tuple[str, ...]
    names: tuple[str, ...] = ()  # whole file names


LANGUAGES: tuple[Language, ...] = (
    Language("python", "python", "python", (".py", ".pyi", ".pyw")),
    Language("javascript", "javascript", "javascript", (".js", ".mjs", ".cjs", ".jsx")),
    Language("typescript", "typescript", "javascript", (".ts", ".mts", ".cts")),
    Language("tsx", "tsx", "javascript", (".tsx",)),
    Language("go", "go", "go", (".go",)),
    Language("rust", "rust", "rust", (".rs",)),
    Language("java", "java", "by_name", (".java",)),
    Language("c", "c", "by_name", (".c", ".h")),
    Language("cpp", "cpp", "by_name", (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx")),
    Language("csharp", "csharp", "by_name", (".cs",)),
    Language("ruby", "ruby", "by_name", (".rb", ".rake"), ("Rakefile", "Gemfile")),
    Language("php", "php", "by_name", (".php",)),
    Language("kotlin", "kotlin", "by_name", (".kt", ".kts")),
    Language("swift", "swift", "by_name", (".swift",)),
    Language("scala", "scala", "by_name", (".scala", ".sc")),
    Language("lua", "lua", "by_name", (".lua",)),
    Language("bash", "bash", "by_name", (".sh", ".bash")),
)

BY_NAME = {row.name: row for row in LANGUAGES}
_BY_SUFFIX = {suffix: row for row in LANGUAGES for suffix in row.suffixes}
_BY_FILE_NAME = {name: row for row in LANGUAGES for name in row.names}


def language_of(path: str) -> str | None:
    """The language of the file at ``path`` by its name alone, or None where we don't parse it."""
    name = path.rpartition("/")[2]
    row = _BY_FILE_NAME.get(name) or _BY_SUFFIX.get(name[name.rfind(".") :].lower() if "." in name else "")
    return row.name if row else None
