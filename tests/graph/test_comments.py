"""Descriptions out of docstrings and comments, through the worker that makes the index's rows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sctx_tui.graph.comments import comment_above, leading_comment
from sctx_tui.graph.languages import language_of
from sctx_tui.graph.sentences import first_sentences, summary
from sctx_tui.graph.worker import PARSED_COLUMNS, Parsed, read

APACHE = """Copyright The Authors
Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS.
"""
BSD = """Copyright (c) 2020, Somebody
All rights reserved.

Redistribution and use in source and binary forms are permitted provided that:

1. Redistributions of source code must retain the above copyright notice.

2. Neither the name of the copyright holder nor the names of its contributors may be used.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS WITHOUT WARRANTIES OF ANY KIND.
"""
MIT = """The MIT License (MIT)

Permission is hereby granted, free of charge, to any person obtaining a copy

The above copyright notice and this permission notice shall be included

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND
"""
GPL = """This program is free software: you can redistribute it and/or modify it.

This program is distributed in the hope that it will be useful.

You should have received a copy of the GNU General Public License.
"""


def parsed(tmp_path: Path, name: str, text: str) -> Parsed:
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = read(str(tmp_path), name, language_of(name) or "")
    assert found.problem is None
    return found


def columns(found: Parsed, name: str) -> dict[str, str | None]:
    """Id (without path) -> a column of each function."""
    index = PARSED_COLUMNS.index(name)
    return {row[0].partition("::")[2]: row[index] for row in found.functions if row[3] != "module"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", '"""Reads the settings. And more."""\n\nimport os\n'),
        ("b.py", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n#\n# Reads the settings.\n\nimport os\n"),
        ("c.py", "# Copyright 2020 Somebody\n#\n# Reads the settings.\n\nX = 1\n"),
        ("a.ts", "/**\n * @file Reads the settings.\n * More of it.\n */\nimport x from 'x';\n"),
        ("b.ts", "// eslint-disable no-console\n// Reads the settings.\n\nexport const x = 1;\n"),
        ("a.js", "/*! x v1 | MIT */\n/* Reads the settings. */\n\nconst a = 1;\n"),
        ("b.js", "'use strict';\n".join(["// Reads the settings.\n", "\nvar a = 1;\n"])),
        ("a.go", "// Copyright X. All rights reserved.\n\n// Reads the settings.\npackage a\n"),
        ("a.rs", "//! Reads the settings.\n//!\n//! More.\n\nuse x::y;\n"),
        ("A.java", "/* Reads the settings. */\npackage a;\n\nclass A {}\n"),
        ("a.c", "/* a.c - Reads the settings.\n *\n * Copyright X\n */\n#include <x.h>\n"),
        ("a.rb", "# frozen_string_literal: true\n\n# Reads the settings.\n\nrequire 'x'\n"),
        ("a.php", "<?php\n/**\n * Reads the settings.\n */\n\nnamespace X;\n"),
        ("a.sh", "#!/bin/sh\n# shellcheck disable=SC1000\n# Reads the settings.\n\nset -e\n"),
        ("a.lua", "--[[\nReads the settings.\n]]\n\nlocal x = 1\n"),
        ("a.kt", "// Reads the settings.\n\npackage a\n"),
    ],
    ids=lambda value: value if len(value) < 8 else "",
)
def test_what_a_file_says_of_itself_first(tmp_path: Path, name: str, text: str) -> None:
    found = parsed(tmp_path, name, text)
    assert found.purpose == "Reads the settings."
    assert found.summary == "Reads the settings."


@pytest.mark.parametrize("licence", [APACHE, BSD, MIT, GPL], ids=["apache", "bsd", "mit", "gpl"])
@pytest.mark.parametrize(
    ("name", "marks"), [("a.py", "# {}"), ("a.js", "// {}"), ("a.go", "// {}"), ("a.ts", " * {}")]
)
def test_a_licence_describes_nothing(tmp_path: Path, name: str, marks: str, licence: str) -> None:
    body = "\n".join(marks.format(line).rstrip() for line in licence.splitlines())
    text = f"/*\n{body}\n */" if name == "a.ts" else body
    code = {"a.py": "import os", "a.go": "package a"}.get(name, "import 'x';")
    assert parsed(tmp_path, name, f"{text}\n\n{code}\n").purpose is None
    assert parsed(tmp_path, name, f"{text}\n{code}\n").purpose is None


def test_a_comment_right_above_a_definition_is_not_about_the_file(tmp_path: Path) -> None:
    found = parsed(tmp_path, "a.ts", "// Adds two numbers up.\nfunction add() {}\n")
    assert found.purpose is None
    assert columns(found, "summary") == {"add": "Adds two numbers up."}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "x = 1\n\n# Adds two numbers up.\n@cached\ndef f(): pass\n"),
        ("b.py", 'def f():\n    """\n    Adds two numbers up.\n\n    Args:\n        x: one\n    """\n'),
        ("c.py", 'def f():\n    """Adds two numbers up.\n\n    :param x: one\n    """\n'),
        (
            "d.py",
            'def f():\n    """Adds two :class:`~a.b numbers` up."""\n'.replace("~a.b numbers", "numbers"),
        ),
        (
            "a.ts",
            "import 'x';\n\n/**\n * Adds two numbers up.\n * @param a - one\n */\nexport function f(a) {}\n",
        ),
        (
            "b.ts",
            "const x = 1;\n// eslint-disable-next-line no-foo\n// Adds two numbers up.\nfunction f() {}\n",
        ),
        ("a.go", "package a\n\n// Adds two numbers up.\n//\n//go:noinline\nfunc f() {}\n"),
        ("a.rs", "//! The crate.\n\n/// Adds two numbers up.\n///\n/// # Examples\n#[inline]\nfn f() {}\n"),
        ("a.rb", "class A\n  # Adds two numbers up.\n  def f; end\nend\n"),
        (
            "A.java",
            "class A {\n  /** Adds two {@code numbers} up. @param x the x */\n  void f(int x) {}\n}\n",
        ),
        (
            "a.cs",
            "class A {\n  /// <summary>Adds two numbers up.</summary>\n"
            '  /// <param name="x">x</param>\n  void f(int x) {}\n}\n',
        ),
        ("a.c", "#include <x.h>\n\n/** \\brief Adds two numbers up. */\nint f(int a) { return a; }\n"),
        ("a.swift", "/// Adds two numbers up.\n/// - Parameter x: one\nfunc f(x: Int) {}\n"),
        ("a.sh", "# Adds two numbers up.\nf() { echo; }\n"),
        ("a.lua", "--- Adds two numbers up.\n-- @param a one\nfunction f(a) end\n"),
    ],
    ids=lambda value: value if len(value) < 8 else "",
)
def test_what_a_function_says_of_itself_first(tmp_path: Path, name: str, text: str) -> None:
    found = {
        id_: said for id_, said in columns(parsed(tmp_path, name, text), "summary").items() if id_[-1] == "f"
    }
    assert list(found.values()) == ["Adds two numbers up."]


@pytest.mark.parametrize(
    "comment",
    [
        "TODO: make this faster and nicer",
        "def old(a, b):",
        "return old(a, b);",
        "noqa",
        "pylint: disable=invalid-name",
        "--------------------",
        "optional",
        "dev only, for now",
        "Note that this is called twice by the caller",
        "https://example.org/a/b",
        "Copyright (c) 2020 by somebody else",
    ],
)
def test_remarks_describe_nothing(comment: str) -> None:
    lines = [b"x = 1", b"", f"# {comment}".encode(), b"def f(): pass"]
    assert comment_above(lines, 4, "f", "python") == ""


def test_a_banner_describes_nothing() -> None:
    lines = [b"# " + b"-" * 60, b"# All the helper functions", b"# " + b"-" * 60, b"def f(): pass"]
    assert comment_above(lines, 4, "f", "python") == ""


def test_a_blank_line_parts_a_comment_from_a_definition() -> None:
    assert comment_above([b"# Adds two numbers up.", b"", b"def f(): pass"], 3, "f", "python") == ""


def test_a_model_may_begin_with_its_name() -> None:
    lines = [b"// parse reads all of it.", b"const parse = () => 1"]
    assert comment_above(lines, 2, "parse", "javascript") == "parse reads all of it."
    assert comment_above(lines, 2, "other", "javascript") == ""


@pytest.mark.parametrize(
    "text", [b"", b"#", b"/*", b"/* never ends", b"\xff\xfe# x", b"//\r\n//\r\n", b"\n" * 9]
)
@pytest.mark.parametrize("language", ["python", "javascript", "lua", "php"])
def test_any_bytes_are_read(text: bytes, language: str) -> None:
    assert leading_comment(text, language) == ""
    assert comment_above(text.split(b"\n"), text.count(b"\n") + 1, "f", language) == ""


def test_a_long_text_is_cut() -> None:
    assert summary("word " * 40) == " ".join(["word"] * 15) + "…"
    assert len(first_sentences("word " * 400, 2)) == 500


def test_two_sentences_are_the_long_form(tmp_path: Path) -> None:
    found = parsed(tmp_path, "a.py", 'def f():\n    """One. Two. Three."""\n')
    assert columns(found, "summary") == {"f": "One."}
    assert columns(found, "summary_long") == {"f": "One. Two."}


def test_reading_long_comments_is_linear() -> None:
    """Many comment lines above many definitions: each looks at a limited number of lines."""
    code = (
        "from sctx_tui.graph.comments import comment_above, leading_comment\n"
        "lines = [b'# x'] * 20_000\n"
        "for row in range(2, 20_000): comment_above(lines, row, 'f', 'python')\n"
        "leading_comment(b'/*' * 1_000_000, 'javascript')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
