"""The careful method: for languages known by name only, and for source that the parser did not understand.

Comments and white space outside literals say nothing, everything else counts as it stands. Where a line end
may mean something it stays, where indentation may, so does that.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, NamedTuple

from sctx_tui.graph import grammars
from sctx_tui.graph.canonical import stream
from sctx_tui.graph.canonical.stream import GAP, TEXT_END, Edit, Locate, Stream, opaque

if TYPE_CHECKING:
    from tree_sitter import Node

FREE, LINES, INDENTED = "free", "lines", "indented"
"""What layout means: nothing; line ends count; line ends and indentation count."""


class Lexis(NamedTuple):
    """Names of the node types that hold comments and literals in a grammar."""

    layout: str
    comments: str
    literals: str


_SCRIPT = "string template_string regex jsx_text"
LEXIS = {
    "python": Lexis(INDENTED, "comment", "string"),
    "javascript": Lexis(LINES, "comment html_comment hash_bang_line", _SCRIPT),
    "typescript": Lexis(LINES, "comment html_comment hash_bang_line", _SCRIPT + " template_literal_type"),
    "tsx": Lexis(LINES, "comment html_comment hash_bang_line", _SCRIPT + " template_literal_type"),
    "go": Lexis(LINES, "comment", "interpreted_string_literal raw_string_literal rune_literal"),
    "rust": Lexis(LINES, "line_comment block_comment", "string_literal raw_string_literal char_literal"),
    "java": Lexis(FREE, "line_comment block_comment", "string_literal character_literal"),
    "c": Lexis(FREE, "comment", "string_literal char_literal system_lib_string"),
    "cpp": Lexis(FREE, "comment", "string_literal raw_string_literal char_literal system_lib_string"),
    "csharp": Lexis(
        FREE,
        "comment",
        "string_literal verbatim_string_literal raw_string_literal interpolated_string_expression "
        "character_literal",
    ),
    "ruby": Lexis(
        LINES,
        "comment",
        "string bare_string heredoc_beginning heredoc_body regex subshell character string_array "
        "symbol_array delimited_symbol",
    ),
    "php": Lexis(FREE, "comment", "string encapsed_string heredoc nowdoc shell_command_expression text"),
    "kotlin": Lexis(
        LINES, "line_comment multiline_comment block_comment", "string_literal character_literal"
    ),
    "swift": Lexis(
        LINES,
        "comment multiline_comment",
        "line_string_literal multi_line_string_literal raw_string_literal regex_literal",
    ),
    "scala": Lexis(
        INDENTED,
        "comment block_comment",
        "string interpolated_string interpolated_string_expression character_literal",
    ),
    "lua": Lexis(FREE, "comment", "string"),
    "bash": Lexis(
        LINES, "comment", "string raw_string ansi_c_string translated_string heredoc_redirect regex"
    ),
}

_LITERAL_NAMES = re.compile(r"string|char|sigil|heredoc|regex|quoted|template", re.IGNORECASE)
_OPAQUE = re.compile(rb"(\x01[^\x02]*\x02)")
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\\\n]|\\[^\n]|\\\n)*", re.MULTILINE)
_REMARK = re.compile(rb'("(?:[^"\\]|\\.)*")|//.*|/\*.*?\*/')
_FUSING = (b"+ +", b"- -", b"& &", b"! =", b"? .", b"? ?", b": :", b". .")
_POINT = re.compile(rb" (?:(?<=[0-9] )(?=\.)|(?<=\. )(?=[0-9]))")
_MAGIC = re.compile(rb"#.*\b(?:frozen_string_literal|encoding|coding)\s*:", re.IGNORECASE)


def canonical(source: bytes, root: Node, language: str, locate: Locate) -> Stream:
    """The careful stream of any code; what ``locate`` finds is marked."""
    lexis = lexis_of(language)
    found = stream.captures(root, language, _patterns(language))
    spans = locate(found)
    edits: list[Edit] = []
    for node in found("comment"):
        start, end = node.byte_range
        text = source[start:end]
        if language == "ruby" and _MAGIC.match(text):
            edits.append((start, end, opaque(text)))
        else:
            edits.append((start, end, b"\n" if stream.NEWLINE in text else b" "))
    for node in found("literal"):
        start, end = node.byte_range
        edits.append((start, end, opaque(source[start:end].replace(b"\r\n", b"\n"))))
    edits.sort(key=lambda edit: (edit[0], -edit[1]))  # of nested literals the outer one counts
    outer: list[Edit] = []
    for edit in edits:
        if not outer or edit[0] >= outer[-1][1]:
            outer.append(edit)
    text, payloads = stream.lift(stream.splice(source, outer, spans), _OPAQUE, stream.lifted)
    if lexis.layout == FREE:
        return Stream(_free(text), payloads, spans)
    return Stream(_lines(text, keep_indentation=lexis.layout == INDENTED), payloads, spans)


@functools.cache
def lexis_of(language: str) -> Lexis:
    """The row of a language; for one without, what the names in its grammar say, and layout counts."""
    if language in LEXIS:
        return LEXIS[language]
    grammar = grammars.language(language)
    kinds = range(grammar.node_kind_count)
    names = [grammar.node_kind_for_id(kind) for kind in kinds if grammar.node_kind_is_named(kind)]
    found = sorted({name for name in names if name and not name.startswith("_")})
    return Lexis(
        INDENTED,
        " ".join(name for name in found if name.lower().endswith("comment")),
        " ".join(name for name in found if _LITERAL_NAMES.search(name)),
    )


@functools.cache
def _patterns(language: str) -> str:
    """The query for a language; names that the installed grammar doesn't have are left out."""
    grammar = grammars.language(language)
    lexis = lexis_of(language)
    parts = []
    for label, names in (("comment", lexis.comments), ("literal", lexis.literals)):
        parts += [
            f"({name}) @{label}" for name in names.split() if grammar.id_for_node_kind(name, True) is not None
        ]
    return " ".join(parts)


def _free(text: bytes) -> bytes:
    """Code where layout means nothing but in preprocessor lines, whose end counts, and the spaces in them."""
    text = text.replace(b"\r\n", b"\n")
    text = _DIRECTIVE.sub(_directive, text)
    text = b" ".join(text.split())
    return stream.squeeze(_POINT.sub(GAP, text), _FUSING)


def _directive(line: re.Match[bytes]) -> bytes:
    """A preprocessor line; the parser may have taken it as it is, comments included."""
    bare = _REMARK.sub(lambda found: found[1] or b" ", line.group().replace(b"\\\n", b" "))
    return b"\n" + GAP.join(bare.split()) + TEXT_END


def _lines(text: bytes, *, keep_indentation: bool) -> bytes:
    """Lines without blank ones, trailing space and runs of spaces."""
    lines = []
    for line in text.split(b"\n"):
        words = b" ".join(line.split())
        if words:
            indentation = line[: len(line) - len(line.lstrip(b" \t"))] if keep_indentation else b""
            lines.append(indentation + words)
    return b"\n".join(lines)
