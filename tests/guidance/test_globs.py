"""What patterns mean.

F-numbers in ids are rows of the list of reproduced faults, C-numbers reports about neighbouring tools.
"""

from __future__ import annotations

import os
import subprocess
import sys
from unicodedata import normalize

import pytest

from sctx_tui.guidance.dialect import parse_pattern
from sctx_tui.guidance.globs import MAX_ALTERNATIVES, MAX_LENGTH, compile_glob

# id: (pattern, files that fit, files that don't)
FILES = {
    "star-stays-in-a-segment": ("src/*.py", ["src/a.py", "src/.py"], ["src/x/a.py", "a.py"]),
    "double-star-crosses": ("src/**/*.py", ["src/a.py", "src/x/y/a.py"], ["a.py", "src"]),
    "double-star-matches-its-directory": ("a/**", ["a", "a/b", "a/b/c"], ["b", "ab"]),
    "double-star-alone": ("**", ["a", ".env", "a/.b/c"], []),
    "double-star-in-a-segment-is-a-star": ("a**", ["a", "ab"], ["a/b"]),
    "several-stars-leftmost-first": ("*ab*ab*c", ["ababc", "xabyabzc"], ["abc", "abab"]),
    "stars-do-not-overlap": ("ab*ba", ["abba", "abxba"], ["aba"]),
    "question-mark": ("?.py", ["a.py", "..py"], [".py", "ab.py"]),
    "classes": ("[a-c][!x][^y]", ["aaa", "czz"], ["axa", "aay", "daa"]),
    "class-with-escapes": ("[\\]\\-]", ["]", "-"], ["\\"]),
    "class-with-a-hyphen-at-its-end": ("[a-]", ["a", "-"], ["b"]),
    "class-in-reverse-is-empty": ("[z-a]x", [], ["ax", "zx"]),
    "class-that-fits-a-slash": ("a[!b]c", ["axc", "a/c"], ["abc", "a/b/c"]),
    "class-that-names-a-slash": ("a[.-0]c", ["a.c", "a/c"], ["ac", "a//c"]),
    "class-that-does-not-fit-a-slash": ("a[b-z]c", ["axc"], ["a/c"]),
    "class-at-an-end-fits-part-of-a-name": (
        "src/[!_]*.[!x]",
        ["src/a.y"],
        ["src/_a.y", "src//a.y", "src/a./y"],
    ),
    "classes-of-two-names": ("**/a[!b]c/d[!e]f", ["x/a/c/d/f", "a-c/d-f"], ["x/a/b/c/d/f"]),
    "class-behind-a-star": ("*[!a]b", ["x/b", "xyb"], ["x/ab", "x/y/b"]),
    "stars-are-settled-before-a-class": ("*[!a]*", ["xy", "a/b"], ["x/y"]),
    "three-stars-take-a-character": ("a***", ["ab", "abc"], ["a", "ab/c"]),
    "three-stars-in-the-middle-need-none": ("a***b", ["ab", "axb"], ["a"]),
    "braces-nest": ("{a,b{c,d}}.x", ["a.x", "bc.x", "bd.x"], ["b.x"]),
    "braces-of-one": ("*.{ts}", ["a.ts"], ["a.{ts}"]),
    "braces-may-be-empty": ("a.ts{,x}", ["a.ts", "a.tsx"], ["a.tsy"]),
    "escapes": ("\\*\\{\\[\\\\", ["*{[\\"], ["x{[\\"]),
    "escape-of-a-plain-character": ("\\a", ["a"], []),
    "comma-outside-braces": ("a,b", ["a,b"], ["a", "b"]),
    "case-matters": ("*.PY", ["a.PY"], ["a.py"]),
    "F31-leading-dot-slash": ("./src/*.py", ["src/a.py"], []),
    "F31-leading-slash": ("/src/*.py", ["src/a.py"], ["x/src/a.py"]),
    "leading-dot-slash-in-braces": ("{./a,/b}", ["a", "b"], []),
    "F33-directory-pattern": ("vendor/", [], ["vendor", "vendor/a.py"]),
    "F34-a-name-is-not-its-content": ("gen", ["gen"], ["gen/x/a.py"]),
    "F34-one-level": ("gen/*", ["gen/a"], ["gen/x/a.py"]),
    "F34-all-levels": ("gen/**", ["gen/x/a.py"], []),
    "F35-exclamation-mark-is-literal": ("!a", ["!a"], ["a", "b"]),
    "F37-escaped-brackets": ("app/\\[slug\\]/**", ["app/[slug]/page.tsx"], ["app/s/page.tsx"]),
    "F38-C28-parentheses": ("app/(group)/**", ["app/(group)/x"], ["app/group/x"]),
    "F38-at-sign": ("app/@modal/**", ["app/@modal/x"], []),
    "F39-space-in-braces": ("**/*.{ts, tsx}", ["a.ts", "a. tsx"], ["a.tsx"]),
    "F41-braces-across-directories": ("{src,lib/{a,b}}/**", ["src/x", "lib/a/x"], ["lib/c/x", "lib/x"]),
    "F41-no-ranges": ("f{1..3}.ts", ["f1..3.ts"], ["f1.ts", "f2.ts"]),
    "F42-blanks-count": ("**/*.py ", ["a.py "], ["a.py"]),
    "F43-backslash-escapes": ("src\\**", ["src*x"], ["src/a.py", "src/x/a.py"]),
    "F45-parent": ("../b/**", [], ["b/x"]),
    "F46-empty": ("", [], ["a"]),
    "F47-dotfiles": ("*", [".env", "a"], [".github/x"]),
    "F47-dotfiles-below": ("**/*.yml", [".github/workflows/ci.yml"], []),
    "F50-names-that-begin-with-dots": ("**", ["..foo.py", "...x", "..dir/a"], []),
    "F51-no-posix-classes": ("[[:alpha:]]*.py", ["a]x.py", ":].py"], ["b.py", "abc.py"]),
    "F51-no-extended-globs": ("@(x|y).py", ["@(x|y).py"], ["x.py"]),
    "F53-text-of-numbers": ("2.50", ["2.50"], ["2.5"]),
    "F54-newline-in-a-name": ("a*", ["a\nb"], []),
    "F54-newline-after-a-name": ("?[a]", ["aa"], ["aa\n", "\naa"]),
    "negated-class-of-nothing": ("x[!z-a]", ["xa", "xz"], ["x"]),
    "F54-literal-star-in-a-name": ("a\\*", ["a*"], ["ab"]),
    "F54-invalid-utf-8": ("*.py", ["\udcff.py"], []),
    "braces-of-a-simple-and-a-hard-pattern": ("{a/**,b/?/**}", ["a", "a/x", "b/x", "b/x/y"], ["b", "b/xx"]),
    "C14-slashless": ("*.py", ["a.py"], ["src/a.py"]),
    "C20-anchored": ("src/**", ["src/x"], ["app/src/x"]),
    "C23-braces-with-a-slash": ("{a,b/c}/x", ["a/x", "b/c/x"], ["b/x"]),
    "C29-range-that-looks-like-a-directory": ("[a-z]/x", ["q/x"], ["[a-z]/x"]),
}


@pytest.mark.parametrize(("pattern", "fits", "fits_not"), FILES.values(), ids=FILES)
def test_files(pattern: str, fits: list[str], fits_not: list[str]) -> None:
    glob = compile_glob(pattern)
    assert glob.problem is None
    assert [path for path in fits + fits_not if glob.matches_file(path)] == fits


# id: (pattern, directories that match, directories that don't); "" is the directory of the guidance file
MATCHES_DIRECTORY = {
    "src/**": ("src/**", ["", "src", "src/api"], ["tests", "srcx"]),
    "src/*.py": ("src/*.py", ["", "src"], ["src/api", "tests"]),
    "**/*.py": ("**/*.py", ["", "src", "a/b"], []),
    "F61-a/**/b/*.py": ("a/**/b/*.py", ["", "a", "a/x/y", "a/b"], ["b"]),
    "F62-nope/**/x.rs": ("nope/**/x.rs", ["", "nope", "nope/a"], ["src"]),
    "tests/": ("tests/", ["tests"], ["", "tests/unit"]),
    "**/tests/": ("**/tests/", ["tests", "a/tests"], ["", "tests/a"]),
    "**/": ("**/", ["", "a", "a/b"], []),
    "src/**/": ("src/**/", ["src", "src/a"], ["", "x"]),
    "./": ("./", [""], ["a"]),
    "/": ("/", [""], ["a"]),
    "F63-.": (".", [""], ["a"]),
    "F63-tests": ("tests", [""], ["tests"]),
    "C23-{src,lib/a}/*.py": ("{src,lib/a}/*.py", ["", "src", "lib", "lib/a"], ["lib/b"]),
    "{src/,lib/}": ("{src/,lib/}", ["src", "lib"], [""]),
    "../x": ("../x", [], ["", "x"]),
    "": ("", [], [""]),
    "[": ("[", [], [""]),
    "[z-a]/x": ("[z-a]/x", [], ["", "a"]),
    "*": ("*", [""], ["a"]),
    "**": ("**", ["", "a"], []),
}


@pytest.mark.parametrize(("pattern", "fits", "fits_not"), MATCHES_DIRECTORY.values(), ids=MATCHES_DIRECTORY)
def test_matches_directory(pattern: str, fits: list[str], fits_not: list[str]) -> None:
    glob = compile_glob(pattern)
    assert [path for path in fits + fits_not if glob.matches_directory(path)] == fits


EXCLUDES_DIRECTORY = {
    "src/*": ("src/*", ["src"], ["", "src/a"]),
    "src/**": ("src/**", ["src", "src/a"], [""]),
    "**": ("**", ["", "src"], []),
    "**/**": ("**/**", ["", "src"], []),
    "**/*": ("**/*", ["", "src"], []),
    "*": ("*", [""], ["src"]),
    "?*": ("?*", [""], ["src"]),
    "src/**/*": ("src/**/*", ["src", "src/a"], [""]),
    "*/**": ("*/**", ["src", "src/a"], []),
    "**/*/**": ("**/*/**", ["", "src"], []),
    "F58-src/*.md": ("src/*.md", [], ["src"]),
    "F58-*/*.md": ("*/*.md", [], ["src"]),
    "F57-src/**/vendor/**": ("src/**/vendor/**", ["src/vendor", "src/a/vendor/b"], ["src", "src/api"]),
    "F59-src/**/*.gen.py": ("src/**/*.gen.py", [], ["src", "src/api"]),
    "**/*.py": ("**/*.py", [], ["src"]),
    "src/{*,x}": ("src/{*,x}", ["src"], [""]),
    "{src,lib/a}/**": ("{src,lib/a}/**", ["src", "lib/a", "lib/a/b"], ["", "lib"]),
    "src/": ("src/", ["src"], ["", "src/a"]),
    "./": ("./", [""], ["src"]),
    ".": (".", [], ["", "src"]),
    "src/?": ("src/?", [], ["src"]),
    "src": ("src", [], ["src", ""]),
    "src/[!a]*": ("src/[!a]*", [], ["src"]),
    "src/[!z-a]*": ("src/[!z-a]*", ["src"], []),
}


@pytest.mark.parametrize(("pattern", "fits", "fits_not"), EXCLUDES_DIRECTORY.values(), ids=EXCLUDES_DIRECTORY)
def test_excludes_directory(pattern: str, fits: list[str], fits_not: list[str]) -> None:
    glob = compile_glob(pattern)
    assert [path for path in fits + fits_not if glob.excludes_directory(path)] == fits


INVALID = {
    "[": "`[` without `]`",
    "[a": "`[` without `]`",
    "[]": "is empty",
    "[]a]": "is empty",
    "[!]": "is empty",
    "a{b": "`{` without `}`",
    "a}b": "`}` without `{`",
    "{a,[}": "`[` without `]`",
    "a\\": "lone `\\`",
    "[a\\": "`[` without `]`",
    "[[]slug[]]": "is empty",  # F37
    "x" * (MAX_LENGTH + 1): "longer than",
    "{a,aa}" * 18: "more than",
    "{a,b}" * 8 + "{,x}": "more than",
    "{" + "," * MAX_ALTERNATIVES + "}": "more than",
}


@pytest.mark.parametrize("pattern", INVALID, ids=lambda pattern: pattern[:20])
def test_invalid(pattern: str) -> None:
    glob = compile_glob(pattern)
    assert INVALID[pattern] in str(glob.problem)
    assert not glob.matches_file("a")
    assert not glob.matches_directory("")
    assert not glob.excludes_directory("")


@pytest.mark.parametrize(
    "pattern",
    ["x" * MAX_LENGTH, "{a,b}" * 8, "{" + "," * (MAX_ALTERNATIVES - 1) + "}", "{" * 400 + "a" + "}" * 400],
    ids=["longest", "most-alternatives", "most-in-one-group", "deepest"],
)
def test_at_the_limits(pattern: str) -> None:
    assert compile_glob(pattern).problem is None


def test_F49_composed_and_decomposed_characters() -> None:
    assert compile_glob(normalize("NFD", "café/**")).matches_file(normalize("NFC", "café/x"))
    assert compile_glob("caf?").matches_file(normalize("NFC", normalize("NFD", "café")))


def test_directory_patterns_are_recognised() -> None:
    assert compile_glob("{a,b}/").is_directory_pattern
    assert not compile_glob("{a/,b}").is_directory_pattern
    assert not compile_glob("[").is_directory_pattern


def test_wcmatch_stars_never_give_back() -> None:
    """Several stars in one segment are atomic groups: without them the number of stars is an exponent."""
    [([segment], _)], _ = parse_pattern("*a*[b]*c*d")
    assert isinstance(segment, list)
    assert segment[2].count("(?>") == 3


HOSTILE = {
    "stars": ("*a" * 500 + "[b]", "a" * 4000),
    "stars-and-classes": ("*[ab]" * 200 + "[c]", "ab" * 2000),
    "double-stars": ("**/a/" * 190 + "x", "a/" * 2000 + "y"),
    "one-long-run": ("**/" + "a/" * 500 + "**/x", "a/" * 2000 + "y"),
    "alternatives-of-double-stars": ("{a,b}/" * 8 + "**/a/" * 190 + "x", "a/" * 2000 + "y"),
    "braces": ("{a,aa}" * 18 + "b", "a" * 36),
    "nested-braces": ("{a," * 200 + "}" * 200, "a" * 100),
}


def test_hostile_patterns_end() -> None:
    """All of them together, in a process that is killed after 10 s of CPU: backtracking would need years."""
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (10, 10))\n"
        "from sctx_tui.guidance.globs import compile_glob\n"
        f"for pattern, path in {list(HOSTILE.values())!r}:\n"
        "    glob = compile_glob(pattern)\n"
        "    glob.matches_file(path), glob.matches_directory(path), glob.excludes_directory(path)\n"
        "print('ended')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=os.getcwd(), check=False
    )
    assert done.stdout == "ended\n", done.stderr
