"""No text of a literal gets into the index, but what can be a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from sctx_tui.graph import store_index
from sctx_tui.graph.extract import extract
from sctx_tui.graph.link import link
from sctx_tui.graph.linking import unpack
from sctx_tui.graph.literals import elide, is_name, kept, specifier

from .conftest import Project

PLACES = {
    "a.py": """
TOKEN = {s}
TABLE = {{{s}: call, "name": {s}}}
TABLE[{s}]()
__all__ = [{s}]


@register({s}, key={s})
def signed(password: str = {s}, *, other={s}) -> "Wallet":
    global_name = getattr(password, {s})
    send({s}, to={s})
    password[{s}] = {s}
    eval({s})
    getattr(password, {s} + other)()
    getattr(password, f{s} f"{{{{other}}}}")()
    getattr(password, {s} % other)()
    getattr(password, {s}.format(other))()
    return {s} + {s}


@register(
    {s}
)
class Held(Base, option={s}):
    field: str = {s}
    options = [{s}, {s} % 3, f"{{signed({s})}}"]

    def method(self, value=lambda: {s}): return {s}

match TOKEN:
    case {s}: signed()
""",
    "b.ts": """
import thing from {s}
export * from {s}
const token = {s}, table = {{ {s}: run, [{s}]: run, {s}() {{ return {s} }}, [{s} + x]: () => {s} }}
export function signed(password = {s}, { { } } options = {{ key: {s} }}): {s} | Wallet {{
  table[{s}]({s}, `${{password}}`)
  require({s}); import({s}); eval({s}); setTimeout({s})
  return new Wallet({s}).at[{s}]
}}
export type Kind = {s} | {s}
@decorated({s})
class Held {{
  {s} = {s}
  {s}(value = {s}) {{ return this[{s}] }}
  static {s} = () => {s}
}}
export {{ token as {s} }}
Object.defineProperty(table, {s}, {{ get: run }})
define({s}, [{s}], function () {{}})
""",
    "c.js": """
module.exports[{s}] = function () {{ return {s} }}
exports.key = {{ {s}: {{ {s}: run }} }}
const view = <a href={s} title={s}>{{{s}}}</a>
class C {{ {s}() {{}} }}
function signed(password = {s}) {{}}
""",
    "d.go": """package d
import x {s}
const Token = {s}
type Held struct {{ Field string {s} }}
type Kind map[string]struct{{ A int {s} }}
var table = map[string]func(){{ {s}: run }}
func signed(password string) string {{ table[{s}](); send({s}); return {s} + {s} }}
""",
    "e.rs": """
#[doc = {s}]
fn signed<'a>(password: &'a str) -> &'a str {{ send({s}); let t = {s}; table[{s}](); {s} }}
const TOKEN: &str = {s};
fn shown() {{ println!({s}); format!({s}, 1) }}
""",
    "f.rb": "require {s}\ndef signed(password = {s}, key: {s})\n  send({s}) {{ {s} }}\nend\n",
    "g.php": "<?php\nrequire {s};\nfunction signed($password = {s}) {{ return send({s}); }}\n",
    "h.sh": "source {s}\nsigned() {{ send {s}; {s} --run; }}\n{s}\n",
    "i.kt": "fun signed(password: String = {s}) {{ send({s}) }}\n",
    "j.swift": "func signed(password: String = {s}) {{ send({s}) }}\n",
    "k.scala": "object A {{ def signed(password: String = {s}) = send({s}) }}\n",
    "l.java": "@Held({s}) class A {{ @Held({s}) void signed(@Held({s}) String p) {{ send({s}); }} }}\n",
    "m.cs": "class A {{ [Held({s})] void Signed(string p = {s}) {{ Send({s}); }} }}\n",
    "n.cpp": "#include {s}\nvoid signed(std::string p = {s}) {{ send({s}); }}\n",
    "o.c": "#include {s}\nvoid signed(void) {{ send({s}); }}\n",
    "p.lua": "require({s})\nlocal function signed(p) return send({s}) end\nM[{s}] = function() end\n",
}
SECRETS = (
    "correct horse battery staple",
    "hunter2!Hunter2!",
    "postgres://admin:s3cr3tpw@db.example/prod",
    "-----BEGIN RSA PRIVATE KEY-----MIIEowIBAAKCAQEA",
    "sk_live_4eC39HqLyjWDarjtT1zdP7dc",
    "AKIAIOSFODNN7EXAMPLE",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ.dozjgNryP4J3jVmNHl0w5N",
    "p@ss w0rd",
    "ünïcode gehéim",
)


def placed(secret: str) -> dict[str, str]:
    """Files that hold a secret wherever a literal may stand."""
    quoted = f'"{secret}"'
    return {
        f"{number}{path}": text.replace("{ { } }", "{}")
        .replace("{s}", quoted)
        .replace("{{", "{")
        .replace("}}", "}")
        for number, (path, text) in enumerate(PLACES.items())
    }


@pytest.mark.parametrize("secret", SECRETS)
def test_no_literal_gets_into_the_index(project: Project, secret: str) -> None:
    project.write(placed(secret))
    project.sync()
    folder = Path(project.root, ".ctx")
    stored = b"".join(file.read_bytes() for file in sorted(folder.iterdir()))
    with project.store() as store:
        facts = [unpack(data or b"") for _, data in store_index.all_facts(store)]
    assert len(facts) == len(PLACES)
    assert b"signed" in stored
    words = [word for word in (secret, *secret.split()) if len(word) > 4]
    shown = (
        repr(facts)
        + repr(project.rows("SELECT * FROM functions"))
        + repr(project.rows("SELECT * FROM files"))
    )
    for word in words:
        assert word.encode() not in stored
        assert word not in shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "on_save",
        "app.models.User",
        "./util/text.js",
        "@scope/package",
        "$el",
        "*",
        "~validate",
        "#private",
        "convertBase64ToUtf8String",
        "test_sha256_of_file",
        "application.json",
        "größe",
    ],
)
def test_what_can_be_a_name_is_kept(text: str) -> None:
    assert is_name(text)
    assert kept(text) == text


@pytest.mark.parametrize("text", [*SECRETS, "a b", "x" * 65, "say 'hi'", "a\nb", "k=v", "50%", "user:pw"])
def test_what_can_not_be_a_name_is_kept_for_comparison_alone(text: str) -> None:
    assert kept(text) != text
    assert kept(text) == kept(text[:]) != kept(text + "x")
    assert not is_name(kept(text))
    assert len(kept(text)) < 10


@pytest.mark.parametrize(
    ("spec", "stays"),
    [
        ("node:fs", True),
        ("./a.vue?raw", True),
        ("#internal/x", True),
        ("https://u:pw@cdn.example/x.js", False),
        ("two words", False),
        ("a" * 201, False),
    ],
)
def test_specifiers_of_modules_are_names(spec: str, stays: bool) -> None:
    assert (specifier(spec) == spec) is stays


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ('def f(password: str = "correct horse") -> str', "def f(password: str = …) -> str"),
        ("def f(mode='rb', sep=', ')", "def f(mode='rb', sep=', ')"),
        ("f(a='''x\ny''', b=r\"\\d+ x\")", "f(a=…, b=r…)"),
        ("f(a='it\\'s here', b=1)", "f(a=…, b=1)"),
        ('f(a="never ends', "f(a=…"),
        ("const f = (a = `t ${x} u`) => a", "const f = (a = …) => a"),
    ],
)
def test_signatures_leave_out_what_is_no_name(code: str, shown: str) -> None:
    assert elide(code) == shown


def test_a_lifetime_is_no_string() -> None:
    assert elide("fn f<'a>(x: &'a str, y: &'a str)", single=False) == "fn f<'a>(x: &'a str, y: &'a str)"


def test_literals_are_compared_still() -> None:
    text = 'def f(): pass\ndef g(): pass\nT = {"a b": f, "c d": g}\ndef run(): T["a b"]()\n'
    facts = extract("a.py", text.encode(), "python")
    names = [row[0] for row in facts["symbols"]]
    edges = {(names[e.caller], names[e.callee[1]]) for e in link({"a.py": facts})["a.py"] if e.callee}
    assert edges == {("run", "f")}


def test_facts_hold_no_texts_for_people(project: Project) -> None:
    project.write(
        {"a.py": '@cached(size=3)\ndef f(x: int) -> int:\n    """Says so."""\n    global y\n    y = x\n'}
    )
    project.sync()
    with project.store() as store:
        ((_, data),) = store_index.all_facts(store)
    shown = repr(unpack(data or b""))
    assert "'f'" in shown
    assert not [text for text in ("Says so", "-> int", "size=3", "global y") if text in shown]
    assert project.rows("SELECT signature FROM functions WHERE kind = 'function'") == ["def f(x: int) -> int"]
