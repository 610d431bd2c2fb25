"""What a `match` or `exclude` pattern means for a file and for a directory: matching, without a parser.

A compiled pattern is a list of brace alternatives, each a list of segments. `**` as a whole segment crosses
directories, every other segment fits one name. Names are matched by string methods or wcmatch's expressions;
the walk over the segments is ours, because wcmatch turns a whole pattern into one expression in which several
`**` backtrack against each other (polynomial in the depth of the path, the exponent being the number of
`**`), and guidance files are hostile input. Here the positions that a pattern may be at are the bits of one
integer (shift-and, Baeza-Yates and Gonnet 1992, with a loop for `**`): a few integer operations per path
segment.

A compiled pattern is plain lists and strings (`Glob.packed`): a cache can keep it, and a later process
matches without wcmatch and, unless a segment holds `?` or `[`, without `re`.
"""

from __future__ import annotations

MAX_LENGTH = 1024
"""Characters in a pattern; longer ones are invalid."""
MAX_ALTERNATIVES = 256
"""Alternatives after the braces are expanded; more are invalid."""

GLOBSTAR = 0
"""A `**` segment."""
ANY_NAME = ["", "", ""]
"""A `*` segment."""
_NAME = "\0"
"""Marks a key as a name that may stand anywhere; no path holds it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Pattern
    from typing import TypeAlias

    # A name; GLOBSTAR; [prefix, suffix, expression for what is between]; or, if it has no wildcard but stars,
    # [prefix, suffix, "", what stands between one star and the next, ...].
    Segment: TypeAlias = "str | int | list[str]"
    # (segments, whether the pattern ended in a slash)
    Alternative: TypeAlias = "tuple[list[Segment], bool]"
    # An alternative in which a character class may stand for a slash (module `crossing`): whether it names
    # directories, how its paths begin and end, an expression for them; and for directories with their slash,
    # below which a path may fit: expressions, and those of them below which every name fits.
    Crossing: TypeAlias = "tuple[bool, str, str, str, list[str], list[str]]"
    Packed: TypeAlias = "tuple[list[Alternative], list[Crossing]]"
    Test: TypeAlias = "Callable[[str], bool]"


class Glob:
    """A compiled pattern. `problem` says why it is invalid (it then matches nothing), or is None.

    Paths are relative to the directory of the file that holds the pattern, in NFC, with `/`, "" for that
    directory itself.
    """

    __slots__ = ("_directories", "_file_test", "_files", "alternatives", "crossings", "pattern", "problem")

    def __init__(self, pattern: str, problem: str | None, packed: Packed) -> None:
        self.pattern = pattern
        self.problem = problem
        self.alternatives, self.crossings = packed
        self._files: Positions | None = None
        self._directories: Positions | None = None
        self._file_test: Test | None = None

    def __reduce__(self) -> tuple[type[Glob], tuple[object, ...]]:
        return Glob, (self.pattern, self.problem, self.packed)

    def __repr__(self) -> str:
        return f"Glob({self.pattern!r})"

    @property
    def packed(self) -> Packed:
        """What it was compiled to."""
        return self.alternatives, self.crossings

    @property
    def size(self) -> int:
        """Characters of what it was compiled to."""
        within = sum(len(str(segment)) for segments, _ in self.alternatives for segment in segments)
        return within + sum(len(whole) + sum(map(len, below)) for _, _, _, whole, below, _ in self.crossings)

    @property
    def is_directory_pattern(self) -> bool:
        """Whether only directories can match: every alternative ends in a slash."""
        return bool(self.alternatives) and all(directory for _, directory in self.alternatives)

    def file_test(self) -> Test:
        """`matches_file` as a function by itself, the quickest one for this pattern."""
        if self._file_test is None:
            self._file_test = _file_test(self)
        return self._file_test

    def matches_file(self, path: str) -> bool:
        """Whether the pattern names this file."""
        return self.file_test()(path)

    def keys(self) -> list[str] | None:
        """Where an index finds this pattern: it fits a file if one of these is among `keys_of` the file.

        None for a pattern that isn't of the kind `path`, `directory/**` or `**/name`, or braces of those.
        """
        found = [_key(segments) for segments, directory in self.alternatives if not directory]
        keys = [key for key in found if key]
        return keys if len(keys) == len(found) else None

    def files(self) -> Positions:
        """The alternatives that name files."""
        if self._files is None:
            self._files = Positions([names for names, directory in self.alternatives if not directory])
        return self._files

    def directories(self) -> Positions:
        """The alternatives that name directories."""
        if self._directories is None:
            self._directories = Positions([names for names, directory in self.alternatives if directory])
        return self._directories

    def matches_directory(self, path: str) -> bool:
        """Whether the pattern names this directory or could fit a path below it."""
        return self._names_directory(path, self.files().unfinished) or any(
            _crosses_below(each, path, each[4]) for each in self.crossings
        )

    def excludes_directory(self, path: str) -> bool:
        """Whether the pattern names this directory or fits every name directly below it."""
        return self._names_directory(path, self.files().fits_any_name) or any(
            _crosses_below(each, path, each[5]) for each in self.crossings
        )

    def _names_directory(self, path: str, enough: int) -> bool:
        names = path.split("/") if path else []
        directories = self.directories()
        return bool(directories.after(names) & directories.final or self.files().after(names) & enough)


def _key(segments: list[Segment]) -> str:
    """The key of an alternative, "" if it has none."""
    *lead, last = segments
    if lead == [GLOBSTAR] and isinstance(last, str):
        return f"{_NAME}{last}"
    names = [name for name in lead if isinstance(name, str)]
    if len(names) < len(lead):
        return ""
    if isinstance(last, str):
        return "/".join([*names, last])
    return "".join(f"{name}/" for name in names) if last == GLOBSTAR else ""


def keys_of(path: str) -> list[str]:
    """The path, every directory above it and itself with a slash, and its name marked as such."""
    keys = [path, f"{path}/", f"{_NAME}{path[path.rfind('/') + 1 :]}"]
    slash = path.find("/")
    while slash >= 0:
        keys.append(path[: slash + 1])
        slash = path.find("/", slash + 1)
    return keys


class Positions:
    """Alternatives as a set of positions, one bit each: bit `k` of an alternative is "before segment k"."""

    __slots__ = ("final", "fits_any_name", "literals", "loops", "start", "unfinished", "wildcards")

    def __init__(self, alternatives: list[list[Segment]]) -> None:
        self.start = self.final = self.loops = self.unfinished = self.fits_any_name = 0
        self.literals: dict[str, int] = {}
        wildcards: dict[tuple[str, ...], int] = {}
        bit = 1
        for segments in alternatives:
            self.start |= bit
            open_from = len(segments) - _open_tail(segments)
            for index, segment in enumerate(segments):
                if isinstance(segment, int):
                    self.loops |= bit
                elif isinstance(segment, str):
                    self.literals[segment] = self.literals.get(segment, 0) | bit
                else:
                    key = tuple(segment)
                    wildcards[key] = wildcards.get(key, 0) | bit
                if index >= open_from:
                    self.fits_any_name |= bit
                self.unfinished |= bit
                bit <<= 1
            self.final |= bit
            bit <<= 1
        self.start |= (self.start & self.loops) << 1
        self.wildcards = list(wildcards.items())

    def after(self, names: list[str]) -> int:
        """The positions that can be reached by these path segments."""
        state = self.start
        loops, literals, wildcards = self.loops, self.literals, self.wildcards
        for name in names:
            fitting = literals.get(name, 0)
            for wildcard, bits in wildcards:
                if state & bits and name_fits(name, *wildcard):
                    fitting |= bits
            state = (state & fitting) << 1 | state & loops
            state |= (state & loops) << 1  # `**` may stand for nothing
            if not state:
                break
        return state

    def fit(self, path: str) -> bool:
        """Whether an alternative fits the whole path."""
        return bool(self.after(path.split("/")) & self.final)


def _open_tail(segments: list[Segment]) -> int:
    """How many of the last segments together fit any one name: any number of `**`, and one `*` at most."""
    count = names = 0
    for segment in reversed(segments):
        names += segment == ANY_NAME
        if names > 1 or segment not in (GLOBSTAR, ANY_NAME):
            break
        count += 1
    return count


def name_fits(name: str, prefix: str, suffix: str, expression: str = "", *between: str) -> bool:
    """Whether one path segment fits a wildcard segment. Each star takes as little as it can, for good."""
    start, end = len(prefix), len(name) - len(suffix)
    if end < start or not name.startswith(prefix) or not name.endswith(suffix):
        return False
    if expression:
        # Not `match`: the expression ends in `$`, which fits before a final newline too.
        return _compiled(expression).fullmatch(name[start:end]) is not None
    for text in between:
        start = name.find(text, start, end)
        if start < 0:
            return False
        start += len(text)
    return True


_expressions: dict[str, Pattern[str]] = {}


def _compiled(expression: str) -> Pattern[str]:
    found = _expressions.get(expression)
    if found is None:
        import re  # some 3 ms, which most patterns never need

        if len(_expressions) > _MOST:
            _expressions.clear()
        found = _expressions[expression] = re.compile(expression)
    return found


def _crosses(crossing: Crossing, path: str) -> bool:
    """Whether a path fits an alternative that crosses segments."""
    _, beginning, ending, expression, _, _ = crossing
    fits = path.startswith(beginning) and path.endswith(ending)
    return fits and _compiled(expression).fullmatch(path) is not None


def _crosses_below(crossing: Crossing, path: str, below: list[str]) -> bool:
    """Whether an alternative that crosses segments names a directory, or one of `below` fits it."""
    if crossing[0]:
        return _crosses(crossing, path)
    if not path or not path.startswith(crossing[1][: len(path)]):
        return False
    return any(_compiled(expression).fullmatch(f"{path}/") for expression in below)


def _file_test(glob: Glob) -> Test:
    """A test for the pattern as a whole."""
    crossings = [crossing for crossing in glob.crossings if not crossing[0]]
    test = _test_within_names(glob)
    if not crossings:
        return test
    return lambda path: test(path) or any(_crosses(crossing, path) for crossing in crossings)


def _test_within_names(glob: Glob) -> Test:
    """A test for all alternatives as segments: string methods where they suffice, else positions."""
    tests: list[Test] = []
    for segments, directory in glob.alternatives:
        if not directory:
            test = _string_test(segments)
            if test is None:
                return _guarded(glob)
            tests.append(test)
    return tests[0] if len(tests) == 1 else lambda path: any(test(path) for test in tests)


def _guarded(glob: Glob) -> Test:
    """Positions, asked only about paths that begin as one of the alternatives does."""
    begins = [_beginning(segments) for segments, directory in glob.alternatives if not directory]
    fit = glob.files().fit
    if "" in begins:
        return fit
    beginnings = tuple(begins)
    return lambda path: path.startswith(beginnings) and fit(path)


def _beginning(segments: list[Segment]) -> str:
    """The names that a pattern begins with, without the last slash: `a/**` fits `a` too."""
    names: list[str] = []
    for segment in segments:
        if not isinstance(segment, str):
            break
        names.append(segment)
    return "/".join(names)


def _string_test(segments: list[Segment]) -> Test | None:
    """A test by string methods for `lead/name`, `lead/**`, `lead/**/name` and `**/name/**`, else None."""
    lead = next((i for i, each in enumerate(segments) if not isinstance(each, str)), len(segments))
    start = "".join(f"{name}/" for name in segments[:lead])
    rest = segments[lead:]
    if not rest:
        return start[:-1].__eq__
    if rest == [GLOBSTAR]:
        return _below(start)
    last = rest[-1]
    if len(rest) == 1 and isinstance(last, list):
        return _directly_below(start, last)
    if len(rest) == 2 and rest[0] == GLOBSTAR and not isinstance(last, int):
        return _named_below(start, last) if isinstance(last, str) else _anywhere_below(start, last)
    if not start and rest[0] == GLOBSTAR == last and all(isinstance(name, str) for name in rest[1:-1]):
        middle = f"/{'/'.join(str(name) for name in rest[1:-1])}/"
        return lambda path: middle in f"/{path}/"
    return None


def _below(start: str) -> Test:
    """`start**`."""
    if not start:
        return lambda path: True
    return lambda path: path.startswith(start) or path == start[:-1]


def _named_below(start: str, name: str) -> Test:
    """`start**/name`."""
    end = f"/{name}"
    if start:
        return lambda path: path.startswith(start) and path.endswith(end)
    return lambda path: path.endswith(end) or path == name


def _directly_below(start: str, wildcard: list[str]) -> Test:
    """`start*.py`."""
    prefix, suffix, *rest = wildcard
    begin, skip = start + prefix, len(start)
    return lambda path: (
        path.endswith(suffix)
        and path.startswith(begin)
        and "/" not in path[skip:]
        and name_fits(path[skip:], prefix, suffix, *rest)
    )


def _anywhere_below(start: str, wildcard: list[str]) -> Test:
    """`start**/*.py`."""
    prefix, suffix, *rest = wildcard
    if not prefix and rest == [""]:
        if start:
            return lambda path: path.endswith(suffix) and path.startswith(start)
        return lambda path: path.endswith(suffix)
    return lambda path: (
        path.endswith(suffix)
        and path.startswith(start)
        and name_fits(path[path.rfind("/") + 1 :], prefix, suffix, *rest)
    )


_MOST = 20_000
"""How many patterns are kept in memory."""

_globs: dict[str, Glob] = {}
_remembered: dict[str, Packed] = {}


def compile_glob(pattern: str) -> Glob:
    """The pattern compiled; one that is invalid has a `problem` and matches nothing."""
    glob = _globs.get(pattern)
    if glob is None:
        if len(_globs) > _MOST:
            _globs.clear()
        known = _remembered.get(pattern)
        glob = _globs[pattern] = _compile(pattern) if known is None else Glob(pattern, None, known)
    return glob


def _compile(pattern: str) -> Glob:
    from sctx_tui.guidance.dialect import BadPattern, parse_pattern

    try:
        return Glob(pattern, None, parse_pattern(pattern))
    except BadPattern as error:
        return Glob(pattern, str(error), ([], []))


def remember_globs(packed: dict[str, Packed]) -> None:
    """Take over `Glob.packed` by pattern, as an earlier run compiled them."""
    if len(_remembered) > _MOST:
        _remembered.clear()
    _remembered.update(packed)
