"""The tokens of a shell command, by POSIX rules of quoting, comments, redirections and here-documents.

Substitutions and patterns are recognised, not carried out: a word that holds one is not certain. `shlex` is
no help here: it forgets what was quoted, so that `';'` looks like `;`.
"""

from __future__ import annotations

import os

_BLANK = " \t"
_META = " \t\n;&|()<>"
_OPERATORS = ("&&", "||", "|&", ";;", ";", "&", "|", "\n", "(", ")")
_REDIRECTIONS = ("&>>", "&>", "<<<", "<<-", "<<", "<>", "<&", "<", ">>", ">|", ">&", ">")


class Uncertain(Exception):
    """The command holds something that only a running shell can work out, or is incomplete."""


class Token:
    """A "word", an "operator", or an "input": the file that standard input is read from.

    `certain` is false when a word depends on run time; `plain` counts the characters before its first quote;
    `has_variable` says that all it depends on are variables outside quotes, which its text has as written.
    """

    __slots__ = ("certain", "has_variable", "kind", "plain", "text")

    def __init__(
        self, kind: str, text: str, certain: bool = True, plain: int = 0, has_variable: bool = False
    ) -> None:
        self.kind = kind
        self.text = text
        self.certain = certain
        self.plain = plain
        self.has_variable = has_variable

    def is_plain(self, text: str) -> bool:
        """Whether this is the word `text`, unquoted."""
        return self.kind == "word" and self.text == text and self.plain == len(text)


def tokens(command: str) -> list[Token]:
    """The tokens of `command`, without comments and without redirections other than from a file.

    Raises Uncertain.
    """
    lexer = _Lexer(command)
    found = []
    while (token := lexer.next()) is not None:
        found.append(token)
    return found


class _Lexer:
    def __init__(self, command: str) -> None:
        self.command = command
        self.position = 0
        self.delimiters: list[tuple[str, bool]] = []
        """Of the here-documents that begin on the next line, with whether their tabs are stripped."""

    def next(self) -> Token | None:
        """The next token, None at the end."""
        while self._skip_blanks():
            redirection = self._redirection()
            if redirection == "<":
                word = self._target()
                return Token("input", word.text, word.certain)
            if redirection:
                self._other_redirection(redirection)
                continue
            operator = self._take(_OPERATORS)
            if operator == "\n":
                self._skip_here_documents()
            return Token("operator", operator) if operator else _Word(self).read()
        return None

    def _skip_blanks(self) -> bool:
        """Skip blanks, continued lines and comments; whether anything is left."""
        command = self.command
        while self.position < len(command):
            if command[self.position] in _BLANK:
                self.position += 1
            elif command.startswith("\\\n", self.position):
                self.position += 2
            elif command[self.position] == "#":
                end = command.find("\n", self.position)
                self.position = len(command) if end < 0 else end
            else:
                return True
        return False

    def _take(self, candidates: tuple[str, ...]) -> str:
        for each in candidates:
            if self.command.startswith(each, self.position):
                self.position += len(each)
                return each
        return ""

    def _redirection(self) -> str:
        """The redirection that begins here, with its descriptor unless that is 0; "" for none."""
        start = self.position
        while self.command[self.position : self.position + 1].isdigit():
            self.position += 1
        number = self.command[start : self.position]
        if number and self.command[self.position : self.position + 1] not in ("<", ">"):
            self.position = start
            return ""
        operator = self._take(_REDIRECTIONS)
        if not operator:
            self.position = start
        return operator if number in ("", "0") else number + operator

    def _target(self) -> Token:
        if not self._skip_blanks() or self.command[self.position] in _META:
            raise Uncertain  # also a process substitution, which begins with a parenthesis
        return _Word(self).read()

    def _other_redirection(self, operator: str) -> None:
        word = self._target()
        if operator.endswith(("<<", "<<-")):
            self.delimiters.append((word.text, operator.endswith("-")))

    def _skip_here_documents(self) -> None:
        for delimiter, strip in self.delimiters:
            line = None
            while line != delimiter and self.position < len(self.command):
                end = self.command.find("\n", self.position)
                end = len(self.command) if end < 0 else end
                line = self.command[self.position : end]
                self.position = min(end + 1, len(self.command))
                line = line.lstrip("\t") if strip else line
        self.delimiters = []


class _Word:
    """Reads one word at the lexer's position."""

    def __init__(self, lexer: _Lexer) -> None:
        self.lexer = lexer
        self.parts: list[str] = []
        self.certain = True
        self.has_variable = False
        self.plain = -1

    def read(self) -> Token:
        command = self.lexer.command
        while self.lexer.position < len(command) and command[self.lexer.position] not in _META:
            self._character(command[self.lexer.position])
        text = "".join(self.parts)
        plain = len(text) if self.plain < 0 else self.plain
        if "{" in text[:plain] and text != "{":
            self.certain = False
        user, slash, rest = text.partition("/")
        if user.startswith("~") and (plain > len(user) if slash else self.plain < 0):  # no quote in that part
            self.certain = self.certain and user == "~"
            text = os.path.expanduser("~") + slash + rest
        return Token(
            "word", text, self.certain and not self.has_variable, plain, self.certain and self.has_variable
        )

    def _character(self, character: str) -> None:
        if character == "\\":
            self._escaped()
        elif character == "'":
            self._quote(self._single_quoted())
        elif character == '"':
            self._quote(self._double_quoted())
        else:
            if character in "`$":
                self.has_variable |= self._is_variable(self.lexer.position)
            elif character in "*?[":
                self.certain = False
            self.parts.append(character)
            self.lexer.position += 1

    def _quote(self, text: str) -> None:
        if self.plain < 0:
            self.plain = sum(map(len, self.parts))
        self.parts.append(text)

    def _escaped(self) -> None:
        following = self.lexer.command[self.lexer.position + 1 : self.lexer.position + 2]
        self.lexer.position += 2
        if not following:
            raise Uncertain
        if following != "\n":
            self._quote(following)

    def _single_quoted(self) -> str:
        start = self.lexer.position + 1
        end = self.lexer.command.find("'", start)
        if end < 0:
            raise Uncertain
        self.lexer.position = end + 1
        return self.lexer.command[start:end]

    def _double_quoted(self) -> str:
        command, position = self.lexer.command, self.lexer.position + 1
        parts = []
        while command[position : position + 1] != '"':
            character = command[position : position + 1]
            if not character:
                raise Uncertain
            if character == "\\" and command[position + 1 : position + 2] in ("$", "`", '"', "\\", "\n"):
                position += 1
                character = command[position].replace("\n", "")
            elif character in "`$" and self._is_variable(position):
                self.certain = False
            parts.append(character)
            position += 1
        self.lexer.position = position + 1
        return "".join(parts)

    def _is_variable(self, position: int) -> bool:
        """Whether a variable begins here. Gives up on anything that holds a language of its own."""
        command, after = self.lexer.command, position + 1
        while command.startswith("\\\n", after):
            after += 2
        following = command[after : after + 1]
        if command[position] == "`" or following in ("(", "{", "[", "'", '"'):
            raise Uncertain
        return following.isalnum() or following in tuple("_@*#?$!-")
