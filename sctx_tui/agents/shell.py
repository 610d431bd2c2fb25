"""Which files a shell command reads through cat, head or tail; nothing where that cannot be told for certain.

Only the first command of a pipeline counts. A pattern, or a variable in quotes, makes its command read
nothing; control flow, subshells and substitutions make the whole line read nothing. `cat $FILE` reads a file
of some name: the word is left as it is, so that what applies to every file is heard, as in the Go tool.
"""

from __future__ import annotations

import os

from sctx_tui.agents.shell_lexer import Token, Uncertain, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_RESERVED = [
    "if",
    "then",
    "else",
    "elif",
    "fi",
    "do",
    "done",
    "case",
    "esac",
    "while",
    "until",
    "for",
    "in",
    "function",
    "select",
    "coproc",
    "{",
    "}",
    "[[",
    "]]",
]
_PREFIXES = ["sudo", "doas", "time", "command", "builtin", "exec", "nohup", "nice", "env", "!"]
"""Words that run the command that follows them as it is."""
_MOVERS = ["pushd", "popd", "eval", "source", "."]
"""Commands that may change the working directory in ways that are not followed."""
_LONGEST = 4096
"""Characters in a directory's path; no system follows a longer one."""


class _Reader:
    """The options of one program: short ones without and with a value, long ones without and with one."""

    __slots__ = ("flags", "long_flags", "long_valued", "valued")

    def __init__(self, flags: str, valued: str, long_flags: str, long_valued: str) -> None:
        self.flags = flags
        self.valued = valued
        self.long_flags = long_flags.split()
        self.long_valued = long_valued.split()


_READERS = {
    "cat": _Reader(
        "AbeEnstTuv",
        "",
        "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
        "",
    ),
    "head": _Reader("qvz", "cn", "quiet silent verbose zero-terminated", "bytes lines"),
    "tail": _Reader(
        "fFqrvz",
        "cns",
        "follow quiet retry silent verbose zero-terminated",
        "bytes lines max-unchanged-stats pid sleep-interval",
    ),
}


def files_read(command: str) -> list[str]:
    """The paths that `command` reads, in order, relative ones to the directory where it starts."""
    try:
        return list(dict.fromkeys(_reads(tokens(command))))
    except Uncertain:
        return []


def _reads(found: list[Token]) -> Iterator[str]:
    directory: str | None = ""
    before = ";"
    for pipeline, after in _pipelines(found):
        words, standard_input = _simple_command(pipeline[0])
        name = words[0].text.rpartition("/")[2] if words and words[0].certain else ""
        stays = len(pipeline) > 1 or after == "&"  # such a command runs in a process of its own
        if name == "cd" and not stays:
            directory = _moved(directory, words[1:]) if before != "||" else None
        elif name in _MOVERS and not stays:
            directory = None
        elif name in _READERS and before != "||":
            paths = _operands(_READERS[name], words[1:], standard_input)
            yield from filter(None, (_located(directory, path) for path in paths))
        before = after


def _pipelines(found: list[Token]) -> Iterator[tuple[list[list[Token]], str]]:
    """Each pipeline, as its commands, with the operator that ends it."""
    pipeline: list[list[Token]] = [[]]
    for token in [*found, Token("operator", "\n")]:
        if token.kind != "operator":
            pipeline[-1].append(token)
        elif token.text in ("|", "|&"):
            pipeline.append([])
        elif token.text in ("(", ")", ";;"):
            raise Uncertain
        elif pipeline != [[]]:
            yield pipeline, token.text
            pipeline = [[]]


def _simple_command(found: list[Token]) -> tuple[list[Token], Token | None]:
    """The words of a command without assignments and harmless prefixes, and the file it has as input."""
    words = [token for token in found if token.kind == "word"]
    inputs = [token for token in found if token.kind == "input"]
    names = (i for i, word in enumerate(words) if not _is_assignment(word) and not _is_prefix(word))
    words = words[next(names, len(words)) :]
    if words and any(map(words[0].is_plain, _RESERVED)):
        raise Uncertain
    return words, inputs[-1] if inputs else None


def _is_prefix(word: Token) -> bool:
    return any(map(word.is_plain, _PREFIXES))


def _is_assignment(word: Token) -> bool:
    name, equals, _ = word.text.partition("=")
    return bool(equals) and word.plain > len(name) and name.isidentifier()


def _operands(reader: _Reader, words: list[Token], standard_input: Token | None) -> list[str]:
    """The files that a reader is told to read; none unless every word of it is certain."""
    found = []
    remaining = iter(words)
    options = True
    for word in remaining:
        text = word.text
        if options and text == "--":
            options = False
        elif options and text.startswith("-") and text != "-":
            if not _skip_option(reader, text, remaining):
                return []
        elif not (reader.valued and text[:1] == "+" and text[1:].isdigit()):
            found.append(text)
    if standard_input is not None and all(text == "-" for text in found):
        words = [*words, standard_input]
        found.append(standard_input.text)
    if not all(word.certain or word.has_variable for word in words):
        return []
    return [text for text in found if text and not text.startswith("-")]


def _skip_option(reader: _Reader, text: str, remaining: Iterator[Token]) -> bool:
    """Consume the value of an option; false for an option that we don't know."""
    if text.startswith("--"):
        name, equals, _ = text[2:].partition("=")
        if name in reader.long_valued and not equals:
            next(remaining, None)
        return name in reader.long_valued or name in reader.long_flags
    if reader.valued and text[1].isdigit():
        return True  # -20
    for index, letter in enumerate(text[1:], start=1):
        if letter in reader.valued:
            if index == len(text) - 1:
                next(remaining, None)
            return True
        if letter not in reader.flags:
            return False
    return True


def _moved(directory: str | None, words: list[Token]) -> str | None:
    """The directory after `cd`, None when it cannot be told."""
    if words and words[0].text == "--":
        words = words[1:]
    if not words:
        return os.path.expanduser("~")
    target = words[0]
    if len(words) > 1 or not target.certain or not target.text or target.text.startswith("-"):
        return None
    return _located(directory, target.text)


def _located(directory: str | None, path: str) -> str | None:
    """`path` seen from where the command started, None when the directory is unknown."""
    if path.startswith("/"):
        return path
    if directory is None or len(directory) > _LONGEST:
        return None
    if directory:
        return f"{directory.rstrip('/')}/{path}"
    return f"./{path}" if path.startswith("~") else path
