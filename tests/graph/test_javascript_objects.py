"""JavaScript objects that are built up by code: prototypes, properties of other objects, computed keys."""

# ruff: noqa: E501 - programs to look at are kept in one line
from __future__ import annotations

from collections.abc import Callable

import pytest

Calls = Callable[[dict[str, str]], set[str]]


def test_an_object_made_of_an_outside_prototype_has_its_own_methods(calls_of: Calls) -> None:
    text = """
    var http = require("http"); var res = Object.create(http.ServerResponse.prototype); module.exports = res;
    res.send = function send(body) { return this.json(body); };
    res.json = function json(body) { return this.end(body); };
    """
    assert calls_of({"response.js": text, "main.js": 'require("./response").send(1);'}) == {
        "response.js::res.send -> response.js::res.json", "main.js::<module> -> response.js::res.send",
    }  # fmt: skip


def test_an_object_made_of_a_prototype_overrides_it(calls_of: Calls) -> None:
    text = """
    function Base() {} Base.prototype.run = function () { this.step(); this.rest(); };
    Base.prototype.step = function () {}; Base.prototype.rest = function () {};
    const own = Object.create(Base.prototype); own.step = function ownStep() {}; own.go = function () { this.step(); this.rest(); };
    own.go(); own.run();
    """
    found = calls_of({"a.js": text})
    assert found >= {
        "own.go -> own.step", "own.go -> Base.rest", "<module> -> own.go", "<module> -> Base.run", "Base.run -> Base.rest",
    }  # fmt: skip
    assert "own.go -> Base.step" not in found


def test_computed_keys_stand_for_names_that_nothing_has(calls_of: Calls) -> None:
    text = """
    var app = module.exports = {}; function helper() {}
    app.set = function set() { return this; }; app.enable = function enable() { return this.set(); };
    require("methods").forEach(function (method) { app[method] = function verb() { helper(); }; });
    """
    found = calls_of(
        {
            "app.js": text,
            "main.js": 'const app = require("./app"); app.enable(); function use() { app.get("/"); }',
        }
    )
    assert found == {
        "app.js::app.enable -> app.js::app.set", "main.js::<module> -> app.js::app.enable",
        "app.js::verb -> app.js::helper", "main.js::use -> app.js::verb",
    }  # fmt: skip


MIXED = """
{head}
const proto = {{}}; proto.handle = function handle() {{ this.next(); }}; proto.next = function next() {{}};
function make() {{ const app = function () {{ app.handle(); }}; {mix}; app.next(); return app; }}
make().handle();
"""


@pytest.mark.parametrize(
    ("head", "mix"),
    [
        ("", "Object.assign(app, proto)"),
        ('const mixin = require("merge-descriptors");', "mixin(app, proto, false)"),
        ('import assign from "object-assign";', "assign(app, proto)"),
        ('import { extend as add } from "lodash";', "add(app, {}, proto)"),
        ('const _ = require("underscore");', "_.extend(app, proto)"),
        ('const util = require("util");', "util._extend(app, proto)"),
        ("", "$.extend(true, app, proto)"),
    ],
)
def test_properties_of_other_objects(calls_of: Calls, head: str, mix: str) -> None:
    found = calls_of({"a.js": MIXED.format(head=head, mix=mix)})
    assert found >= {"make -> proto.next", "<module> -> proto.handle", "proto.handle -> proto.next"}


def test_a_function_of_that_name_that_is_the_project_s_own(calls_of: Calls) -> None:
    text = """
    const proto = { handle() {} }; function extend(to, from) { return to; } function make() { const app = () => {}; extend(app, proto); return app; }
    make().handle();
    """
    assert calls_of({"a.js": text}) == {"make -> extend", "<module> -> make"}


def test_a_class_gets_static_functions(calls_of: Calls) -> None:
    text = """
    const statics = { create() { return new this(); }, other() { return this.create(); } }; class Model { run() {} }
    Object.assign(Model, statics); Model.create().run(); Model.other();
    """
    found = calls_of({"a.js": text})
    assert found >= {
        "<module> -> statics.create",
        "<module> -> statics.other",
        "statics.other -> statics.create",
    }
