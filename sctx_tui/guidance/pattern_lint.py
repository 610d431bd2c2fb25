"""Why a pattern fits nothing, and what was probably meant.

A valid pattern that fits no listed file is silent for ever. Three kinds of cause are looked for, surest
first: a habit from another dialect (`!x`, `{1..3}`, commas); a near miss, where a small change makes the
pattern fit files that exist; and, where neither is found, the plain fact. An `exclude` that fits nothing may
guard against files to come, so the plain fact is reported for `match` only.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from sctx_tui.guidance.globs import compile_glob
from sctx_tui.guidance.inventory import extension

if TYPE_CHECKING:
    from sctx_tui.guidance.inventory import Inventory, Scope


class Finding(NamedTuple):
    """What is wrong with one pattern: a code, and words that follow "pattern 'x'"."""

    code: str
    message: str


class Place:
    """Where a guidance file stands: the directory that its patterns are relative to, and what lies there."""

    def __init__(self, root: str, directory: str, inventory: Inventory) -> None:
        self.root = root
        self.directory = directory
        self.inventory = inventory

    @property
    def scope(self) -> Scope:
        """The listed files below the directory."""
        return self.inventory.scope(self.directory)

    def exists(self, path: str, *, from_root: bool = False) -> bool:
        """Whether a relative path is on disk, listed or not; yes for one that leads out."""
        inside = posixpath.normpath(posixpath.join("" if from_root else self.directory, path))
        return inside.split("/")[0] == ".." or os.path.lexists(os.path.join(self.root, inside))


class Habit(NamedTuple):
    """A way of writing that means something in another dialect."""

    code: str
    sign: re.Pattern[str]
    advice: str


HABITS = (
    Habit(
        "negated_pattern", re.compile(r"^!"), "`!` does not negate: move the pattern to `exclude`, without it"
    ),
    Habit(
        "extended_glob",
        re.compile(r"[?*+@!]\([^()]*\)"),
        "extended globs are not known: write {a,b} for a choice",
    ),
    Habit(
        "posix_class",
        re.compile(r"\[\[[:.=]\w+[:.=]\]"),
        "POSIX classes are not known: write a range such as [a-zA-Z]",
    ),
    Habit(
        "brace_range",
        re.compile(r"\{[^{},]*\w\.\.[^{},]*\w\}"),
        "braces know no ranges: write each alternative, as in {1,2,3}",
    ),
    Habit(
        "parent_path",
        re.compile(r"(^|/)\.\.(/|$)"),
        "`..` never matches, for a pattern stays in its file's directory; put the entry into a file there",
    ),
    Habit(
        "absolute_path",
        re.compile(r"^(~/|[A-Za-z]:[\\/])"),
        "patterns are relative to the directory of their file",
    ),
    Habit(
        "backslash",
        re.compile(r"\\[\w*?]"),
        "`\\` escapes the character that follows: write `/` between directories",
    ),
)

MOST_NEIGHBOURS = 2_000
"""A name is compared with at most so many others: similarity is slow."""

LONGEST_ALIKE = 64
"""Characters of a name that others are compared with."""

SPELLINGS = ({".yaml", ".yml"}, {".html", ".htm"}, {".jpeg", ".jpg"}, {".markdown", ".md"})
"""Extensions that mean the same and are written in two ways."""

_BLANK_ENDS = re.compile(r"^\s|\s$")
_QUOTED = re.compile(r"""^(["'`])(.*)\1$""", re.DOTALL)
_BLANK_IN_BRACES = re.compile(r"(?<=[{,])\s+|\s+(?=[,}])")
_DETOUR = re.compile(r"/(?:\.?/)+")
_BRACKET = re.compile(r"(?<!\\)[\[\]]")


def lint_pattern(pattern: str, field: str, place: Place) -> Finding | None:
    """What is wrong with a pattern of `match` or `exclude`, or None. That it is invalid, the parser says."""
    scope = place.scope
    if compile_glob(pattern).problem is not None:
        return _literal_brackets(pattern, scope)
    if pattern in ("", "."):
        return _own_directory(pattern)
    if scope.example(pattern) is None:
        return _dead(pattern, field, place)
    return (
        _blank_in_braces(pattern, scope)
        or _literal_brackets(pattern, scope)
        or (_directory_exclude(pattern, scope) if field == "exclude" else None)
    )


def _dead(pattern: str, field: str, place: Place) -> Finding | None:
    scope = place.scope
    return (
        _blank_ends(pattern, scope)
        or _comma_list(pattern)
        or _blank_in_braces(pattern, scope)
        or _literal_brackets(pattern, scope)
        or _habit(pattern, scope)
        or _near_miss(pattern, place)
        or (_fits_nothing(pattern, place) if field == "match" else None)
    )


def _own_directory(pattern: str) -> Finding:
    if not pattern:
        return Finding("empty_pattern", "is empty and fits nothing")
    return Finding("bare_directory", "names the directory itself, not the files in it: write '**' for those")


def _fits_nothing(pattern: str, place: Place) -> Finding | None:
    """The plain fact, unless the pattern names something that is there but isn't listed, being ignored."""
    beginning = _literal_path(pattern)
    parent, _, name = beginning.rpartition("/")
    if beginning and name not in place.scope.children.get(parent, ()) and place.exists(beginning):
        return None
    what = "directory" if pattern.endswith("/") else "file"
    where = f" below {place.directory}/" if place.directory else ""
    return Finding("dead_pattern", f"fits no listed {what}{where}")


def _literal_path(pattern: str) -> str:
    """The longest literal beginning of a pattern in whole segments, without a trailing slash."""
    alternatives = compile_glob(pattern).alternatives
    literal: list[str] = []
    for segment in alternatives[0][0] if len(alternatives) == 1 else ():
        if not isinstance(segment, str):
            break
        literal.append(segment)
    return "/".join(literal)


def _blank_ends(pattern: str, scope: Scope) -> Finding | None:
    if not _BLANK_ENDS.search(pattern):
        return None
    return Finding("outer_blank", f"begins or ends with a blank: write {_shown(pattern.strip(), scope)}")


def _blank_in_braces(pattern: str, scope: Scope) -> Finding | None:
    """`{ts, tsx}`: one alternative begins with a blank, and no file name does."""
    if "{" not in pattern or not _BLANK_IN_BRACES.search(pattern):
        return None
    meant = _BLANK_IN_BRACES.sub("", pattern)
    wanted, given = compile_glob(meant), compile_glob(pattern)
    spaced = [alternative for alternative in given.alternatives if alternative not in wanted.alternatives]
    if not spaced or any(" " in path for path in scope.fitting(pattern)):
        return None
    return Finding(
        "blank_in_braces", f"has a blank inside braces, which counts: write {_shown(meant, scope)}"
    )


def _comma_list(pattern: str) -> Finding | None:
    """A comma outside braces: two patterns in one string."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(pattern):
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            parts.append(pattern[start:index].strip())
            start = index + 1
    if not parts:
        return None
    parts.append(pattern[start:].strip())
    listed = ", ".join(f'"{part}"' for part in parts if part)
    return Finding("comma_list", f"holds a comma, which separates nothing: write a list, [{listed}]")


def _literal_brackets(pattern: str, scope: Scope) -> Finding | None:
    """`app/[slug]/**` where a directory is really called `[slug]`."""
    if not _BRACKET.search(pattern):
        return None
    meant = _BRACKET.sub(lambda found: "\\" + found[0], pattern)
    fits = compile_glob(pattern).matches_file
    missed = next((path for path in scope.fitting(meant) if not fits(path.rstrip("/"))), None)
    if missed is None:
        return None
    return Finding(
        "literal_brackets",
        f"does not fit {missed}: brackets stand for one character out of several; "
        f"write '{meant}' in single quotes (in double quotes each \\ is written twice)",
    )


def _habit(pattern: str, scope: Scope) -> Finding | None:
    for habit in HABITS:
        if habit.sign.search(pattern):
            if habit.code == "backslash":
                meant = re.sub(r"\\+", "/", pattern)
                return Finding(habit.code, f"holds a backslash: {habit.advice}, {_shown(meant, scope)}")
            return Finding(habit.code, f"fits nothing: {habit.advice}")
    return None


def _directory_exclude(pattern: str, scope: Scope) -> Finding | None:
    """`exclude: [vendor/]`: a gitignore habit; here it concerns queries for that directory only."""
    if not compile_glob(pattern).is_directory_pattern:
        return None
    inside = scope.example(pattern + "**")
    if inside is None:
        return None
    return Finding(
        "directory_exclude",
        f"excludes the directory, not the files in it ({inside} still gets the entry): write '{pattern}**'",
    )


def _near_miss(pattern: str, place: Place) -> Finding | None:
    """The first small change that makes the pattern fit something."""
    for code, meant, why in _changes(pattern, place):
        example = place.scope.example(meant)
        if example is not None:
            return Finding(code, f"fits nothing: {why}; did you mean '{meant}' (fits {example})?")
    return _wrong_case(pattern, place.scope) or _not_relative(pattern, place)


def _changes(pattern: str, place: Place) -> Iterator[tuple[str, str, str]]:
    """(code, changed pattern, explanation), surest first."""
    quoted = _QUOTED.match(pattern)
    if quoted:
        yield "quoted_pattern", quoted[2], "the quotes are part of it"
    simple = _DETOUR.sub("/", pattern)
    if simple != pattern:
        yield "empty_segment", simple, "no path holds `//` or `/./`"
    bare = pattern.rstrip("/")
    if not pattern.endswith("/"):
        if pattern.endswith("/*"):
            yield "bare_directory", pattern + "*", "`*` stays in one directory"
        else:
            yield "bare_directory", pattern + "/**", "it names a directory, not the files in it"
    else:
        yield "file_as_directory", bare, "a trailing slash makes it a directory pattern"
    for code, above in (("absolute_path", place.root), ("not_relative", "")):
        prefix = f"{above}/{place.directory}/".replace("//", "/").lstrip("/")
        if prefix and pattern.lstrip("/").startswith(prefix):
            where = f"{place.directory}/" if place.directory else "the root"
            yield code, pattern.lstrip("/")[len(prefix) :] or "**", f"patterns are relative to {where}"
    if not pattern.startswith(("**/", "./", "/")):
        yield "only_deeper", "**/" + pattern, "such files exist only deeper"
        if not pattern.endswith("/"):
            yield "only_deeper", f"**/{bare}/**", "such directories exist only deeper"
    head, slash, name = bare.rpartition("/")
    if slash and not head.endswith("**"):
        yield "only_deeper", f"{head}/**/{name}{pattern[len(bare) :]}", "such files exist only deeper"
    yield from _misspelt(pattern, place.scope)


def _misspelt(pattern: str, scope: Scope) -> Iterator[tuple[str, str, str]]:
    """A directory, a name or an extension that doesn't exist, where one much like it does."""
    beginning = _literal_path(pattern)
    parent = ""
    for name in beginning.split("/") if beginning else ():
        names = scope.children.get(parent, set())
        if name not in names:
            for close in _alike(name, parent, scope):
                full, wrong = f"{parent}/{close}".lstrip("/"), f"{parent}/{name}".lstrip("/")
                yield "misspelt", pattern.replace(wrong, full, 1), f"there is no {wrong}"
            return
        parent = f"{parent}/{name}".lstrip("/")
    found = re.search(r"\.\w+$", pattern)
    for other in filter(None, scope.by_extension if found else ()):
        if found and _same_extension(found[0], other):
            yield "misspelt", pattern[: found.start()] + other, f"no such file ends in {found[0]}"


def _same_extension(wrong: str, other: str) -> bool:
    """Another spelling, or the same letters in another order; what is merely alike is another kind."""
    return {wrong, other} in SPELLINGS or sorted(wrong) == sorted(other)


def _alike(name: str, parent: str, scope: Scope) -> tuple[str, ...]:
    """The name in a directory that is most like `name`, if any is; the same extension counts for nothing."""
    names = scope.children.get(parent, set())
    if len(names) > MOST_NEIGHBOURS or len(name) > LONGEST_ALIKE:
        return ()
    if (parent, name) not in scope.alike:
        scope.spend(len(names) * len(name) ** 2 // 8)  # as measured, where names are as alike as can be
        end = extension(name) if extension(name) != name else ""
        stems = {
            each.removesuffix(end): each
            for each in sorted(names)
            if each.endswith(end) and len(each) <= 2 * LONGEST_ALIKE
        }
        close = get_close_matches(name.removesuffix(end), stems, n=1, cutoff=0.85)
        scope.alike[parent, name] = tuple(stems[each] for each in close)
    return scope.alike[parent, name]


def _wrong_case(pattern: str, scope: Scope) -> Finding | None:
    lowered = scope.lowered.example(pattern.lower())
    if lowered is None:
        return None
    example = next((path for path in scope.files if path.lower() == lowered), lowered)
    return Finding("wrong_case", f"fits nothing: case matters, and it differs from {example}")


def _not_relative(pattern: str, place: Place) -> Finding | None:
    """The pattern is written as seen from the root."""
    if not place.directory or not _literal_path(pattern):
        return None  # `**/*.sql` says nothing about where it was thought to stand
    example = place.inventory.scope("").example(pattern)
    if example is None:
        return None
    return Finding(
        "not_relative",
        f"fits nothing: patterns are relative to {place.directory}/, where this file is "
        f"(from the root it fits {example})",
    )


def _shown(meant: str, scope: Scope) -> str:
    example = scope.example(meant)
    return f"'{meant}'" + (f" (fits {example})" if example else "")
