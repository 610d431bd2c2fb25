"""Which files a shell command reads, with bash itself as the judge of quoting."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sctx_tui.agents.shell import files_read
from sctx_tui.agents.shell_lexer import Uncertain, tokens

READS = [
    ("cat a", ["a"]),
    ("  cat \t a  b ", ["a", "b"]),
    ("cat a a", ["a"]),
    ("cat -n a", ["a"]),
    ("cat a -n", ["a"]),
    ("cat -- a", ["a"]),
    ("cat /r/a | grep x", ["/r/a"]),
    ("cat a| wc -l", ["a"]),
    ("cat a |& less", ["a"]),
    ("head -n 5 a | tail -2 b", ["a"]),
    ("head -20 a", ["a"]),
    ("head -n20 a b", ["a", "b"]),
    ("head -c 100 a", ["a"]),
    ("head --lines 5 a", ["a"]),
    ("head --lines=5 a", ["a"]),
    ("head -qn 5 a", ["a"]),
    ("tail -f a", ["a"]),
    ("tail --follow=name --retry a", ["a"]),
    ("tail -n +5 a", ["a"]),
    ("tail +5 a", ["a"]),
    ("tail -5f a", ["a"]),
    ("cat 'a b' \"c d\" e\\ f", ["a b", "c d", "e f"]),
    ("cat 'it'\"'\"'s'", ["it's"]),
    ("cat ';' '#x' '&&'", [";", "#x", "&&"]),
    ("cat a\\\nb", ["ab"]),
    ("\\cat a", ["a"]),
    ("'cat' a", ["a"]),
    ("/bin/cat a", ["a"]),
    ("cat a # b", ["a"]),
    ("cat a#b", ["a#b"]),
    ("cat <a", ["a"]),
    ("cat < a b", ["b"]),
    ("cat - < a", ["a"]),
    ("cat 2>/dev/null a", ["a"]),
    ("cat a >out 2>&1", ["a"]),
    ("cat a>out", ["a"]),
    ("cat a &> out", ["a"]),
    ("cat a <<< word", ["a"]),
    ("cat a 3<b", ["a"]),
    ("cat 12 >b", ["12"]),
    ("cat a; ls", ["a"]),
    ("cat a&&ls", ["a"]),
    ("cat a &", ["a"]),
    ("cat a || true", ["a"]),
    ("ls && cat a", ["a"]),
    ("cat a\ncat b", ["a", "b"]),
    ("cat a; cat $B; cat c", ["a", "$B", "c"]),
    ("cat $DIR/a.py b", ["$DIR/a.py", "b"]),
    ("cat a; cat *; cat c", ["a", "c"]),
    ("cd src && cat a", ["src/a"]),
    ("cd src; cat a; cd sub; head b; cat /c", ["src/a", "src/sub/b", "/c"]),
    ("cd -- src && cat ../a", ["src/../a"]),
    ("cd src & cat a", ["a"]),
    ("cd src | cat a", []),
    ("cd $X; cat a /b", ["/b"]),
    ("cd -; cat a", []),
    ("pushd src; cat a", []),
    ("sudo cat a", ["a"]),
    ("LC_ALL=C X='y z' cat a", ["a"]),
    ("env LC_ALL=C cat a", ["a"]),
    ("time cat a", ["a"]),
    ("! cat a", ["a"]),
    ("cat <<EOF\ncat x\nEOF\ncat b", ["b"]),
    ("cat <<-'E F'\n\tx\n\tE F\ncat b", ["b"]),
    ("cat <<A <<B\na\nA\nb\nB\ncat c", ["c"]),
    ("cat '~/a' \\~/b ~''", ["./~/a", "./~/b", "./~"]),
    ("cat '$a' 'a*'", ["$a", "a*"]),
    ('cat "\\$a" "\\`b"', ["$a", "`b"]),
    ("cat $", ["$"]),
    ("cat a\r", ["a\r"]),
]

NOTHING = [
    "",
    "cat",
    "cat -",
    "cat ''",
    "cat -n -- -x",
    "head -n 5",
    "ls -la",
    "echo hi | cat a",
    "false || cat a",
    "less a",
    "Cat a",
    "cat\u00a0a",
    "cat\na",
    "cat # a",
    "cat <<'EOF' > a\nx\nEOF",
    'cat "$FILE" a',
    'cat $A"$B"',
    "cat $A*",
    "cat < $FILE",
    'cat "$HOME/a"',
    "cat src/*.py",
    "cat a?",
    "cat [ab]",
    "cat {a,b}",
    "cat $(ls)",
    "cat `ls`",
    'cat "$(ls)"',
    "cat ${x:-a b}",
    "cat $'a\\n'",
    "cat <(ls) a",
    "cat ~bob/a",
    "(cat a)",
    "{ cat a; }",
    "if true; then cat a; fi",
    "cat ${FILE}",
    "for f in a; do cat $f; done",
    "f() { cat a; }",
    "case x in x) cat a;; esac",
    "cat 'a",
    'cat "a',
    "cat a >",
    "head --unknown a",
    "cat -Q a",
    "nice -n 5 cat a",
    "sudo -u bob cat a",
    "$PAGER a",
]


@pytest.mark.parametrize(("command", "files"), READS)
def test_reads(command: str, files: list[str]) -> None:
    assert files_read(command) == files


@pytest.mark.parametrize("command", NOTHING)
def test_reads_nothing_for_certain(command: str) -> None:
    assert files_read(command) == []


LONG = {
    "here-document": ("cat <<A\n" + "\n" * 1_000_000 + "A\ncat a", ["a"]),
    "assignments": ("A=1 " * 300_000 + "cat a", ["a"]),
    "directories": ("cd a;" * 200_000 + "cat b; cat /c", ["/c"]),
    "files": ("cat" + " a" * 500_000, ["a"]),
}


@pytest.mark.parametrize("case", LONG)
def test_a_command_as_long_as_a_file_ends(case: str) -> None:
    command, files = LONG[case]
    assert files_read(command) == files


def test_home_directory() -> None:
    home = os.path.expanduser("~")
    assert files_read("cat ~/a ~") == [f"{home}/a", home]
    assert files_read("cd && cat a") == [f"{home}/a"]


@given(st.text(alphabet=" \t\n'\"\\$`#~|&;<>(){}[]*?=!-cat/x0123", max_size=30))
def test_never_raises(command: str) -> None:
    files_read(command)
    files_read(f"cat {command}")


PIECES = [
    "a",
    " ",
    "'",
    '"',
    "\\",
    "\t",
    "#",
    "=",
    "b c",
    ";",
    "-",
    "\n",
    "$",
    "!",
    "~",
    "x/",
    "%",
    "\\\n",
    "0",
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8))
def test_words_are_those_of_bash(parts: list[str]) -> None:
    """Where we are certain of a command's words, bash splits it the same way."""
    text = "".join(parts)
    try:
        found = tokens(text)
    except Uncertain:
        return
    if not all(token.kind == "word" and token.certain for token in found):
        return
    done = subprocess.run(["bash", "-c", f"printf '%s\\0' x {text}"], capture_output=True, text=True)
    assert done.stdout.split("\0")[1:-1] == [token.text for token in found]
