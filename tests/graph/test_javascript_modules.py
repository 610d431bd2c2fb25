"""Which file a JavaScript or TypeScript module specifier means."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sctx_tui.graph.languages.javascript_modules import resolve
from sctx_tui.graph.languages.jsconfig import is_project_file, joined, parse_jsonc
from sctx_tui.graph.program import Program


def found(spec: str, importer: str, files: str, **texts: Any) -> str | None:
    """The file that ``spec`` means in ``importer``; ``texts``: project files, with ``__`` for ``/``."""
    project = {
        name.replace("__", "/").replace("_json", ".json"): text if isinstance(text, str) else json.dumps(text)
        for name, text in texts.items()
    }
    program = Program([*files.split(), importer], lambda path: None, project)
    made = resolve(spec, importer, program)
    return made[0] if made else None


@pytest.mark.parametrize(
    ("spec", "importer", "files", "expected"),
    [
        ("./util", "src/a.ts", "src/util.ts", "src/util.ts"),
        ("./util.js", "src/a.ts", "src/util.ts", "src/util.ts"),
        ("./util.jsx", "src/a.ts", "src/util.tsx", "src/util.tsx"),
        ("./util.mjs", "src/a.mts", "src/util.mts", "src/util.mts"),
        ("./util", "src/a.js", "src/util.ts src/util.js", "src/util.js"),
        ("./util", "src/a.ts", "src/util.ts src/util.js", "src/util.ts"),
        ("./util.js", "src/a.js", "src/util.ts src/util.js", "src/util.js"),
        ("./util.js", "src/a.ts", "src/util.d.ts src/util.js", "src/util.js"),
        ("./util", "src/a.ts", "src/util.d.ts", "src/util.d.ts"),
        ("./util", "src/a.ts", "src/util/index.tsx", "src/util/index.tsx"),
        (".", "src/a.ts", "src/index.ts", "src/index.ts"),
        ("./", "src/a.ts", "src/index.ts", "src/index.ts"),
        ("..", "src/deep/a.ts", "src/index.ts", "src/index.ts"),
        ("../x", "src/a.ts", "x.ts", "x.ts"),
        ("../../x", "src/a.ts", "x.ts", None),
        ("./styles.css", "src/a.ts", "src/styles.css.ts", "src/styles.css.ts"),
        ("./worker?worker", "src/a.ts", "src/worker.ts", "src/worker.ts"),
        ("/src/x", "a.js", "src/x.js", "src/x.js"),
        ("node:path", "a.js", "path.js", None),
        ("path", "a.js", "path.js", None),
        ("./missing", "a.js", "other.js", None),
        ("lib/x", "pages/a.js", "lib/x.js", "lib/x.js"),
    ],
)
def test_paths(spec: str, importer: str, files: str, expected: str | None) -> None:
    assert found(spec, importer, files) == expected


def test_paths_of_tsconfig_with_comments_and_trailing_commas() -> None:
    config = """{
      // where things are
      "compilerOptions": {
        "baseUrl": "./src", /* a base */
        "paths": { "@/*": ["./*"], "@ui": ["widgets/index.ts",], "url//*": ["x/*"], },
      },
    }"""
    files = "src/util.ts src/widgets/index.ts src/x/y.ts"
    assert found("@/util", "src/a.ts", files, tsconfig_json=config) == "src/util.ts"
    assert found("@ui", "src/a.ts", files, tsconfig_json=config) == "src/widgets/index.ts"
    assert found("url//y", "src/a.ts", files, tsconfig_json=config) == "src/x/y.ts"
    assert found("widgets", "src/deep/a.ts", files, tsconfig_json=config) == "src/widgets/index.ts"
    assert found("@/nowhere", "src/a.ts", files, tsconfig_json=config) is None


def test_the_longest_pattern_decides_and_targets_are_tried_in_order() -> None:
    config = {"compilerOptions": {"paths": {"*": ["any/*"], "app/*": ["gone/*", "src/*"]}}}
    files = "src/x.ts any/app/x.ts any/y.ts"
    assert found("app/x", "a.ts", files, tsconfig_json=config) == "src/x.ts"
    assert found("y", "a.ts", files, tsconfig_json=config) == "any/y.ts"


def test_extends_keeps_paths_relative_to_the_file_that_says_them() -> None:
    base = {"compilerOptions": {"baseUrl": "..", "paths": {"~/*": ["src/*"]}}}
    nested = {"extends": "../config/base", "compilerOptions": {"strict": True}}
    texts = {"config__base_json": base, "app__tsconfig_json": nested}
    project = {"config/tsconfig.base.json": json.dumps(base), "app/tsconfig.json": json.dumps(nested)}
    program = Program(["src/x.ts", "app/a.ts"], lambda path: None, project)
    assert resolve("~/x", "app/a.ts", program) is None  # "../config/base.json" isn't there
    project["app/tsconfig.json"] = json.dumps({"extends": ["../config/tsconfig.base"]})
    program = Program(["src/x.ts", "app/a.ts"], lambda path: None, project)
    assert resolve("~/x", "app/a.ts", program) == ("src/x.ts",)
    assert texts


def test_the_nearest_tsconfig_wins() -> None:
    outer = {"compilerOptions": {"paths": {"@/*": ["outer/*"]}}}
    inner = {"compilerOptions": {"paths": {"@/*": ["./own/*"]}}}
    files = "outer/x.ts outer/y.ts pkg/own/x.ts"
    texts = {"tsconfig_json": outer, "pkg__tsconfig_json": inner}
    assert found("@/x", "pkg/a.ts", files, **texts) == "pkg/own/x.ts"
    assert found("@/x", "a.ts", files, **texts) == "outer/x.ts"


def test_a_cycle_of_extends_ends() -> None:
    texts = {"tsconfig_json": {"extends": "./tsconfig.json"}}
    assert found("@/x", "a.ts", "src/x.ts", **texts) is None


def test_workspaces_are_found_by_name() -> None:
    texts = {
        "packages__core__package_json": {
            "name": "@shop/core",
            "main": "dist/index.js",
            "exports": {
                ".": {"types": "./dist/index.d.ts", "import": "./dist/index.mjs"},
                "./cart": {"require": "./dist/cart.cjs.js"},
                "./parts/*": "./src/parts/*.ts",
            },
        },
        "packages__app__package_json": {"name": "app", "dependencies": {"@shop/core": "workspace:*"}},
    }
    files = "packages/core/src/index.ts packages/core/src/cart.ts packages/core/src/parts/line.ts"
    importer = "packages/app/main.ts"
    assert found("@shop/core", importer, files, **texts) == "packages/core/src/index.ts"
    assert found("@shop/core/cart", importer, files, **texts) == "packages/core/src/cart.ts"
    assert found("@shop/core/parts/line", importer, files, **texts) == "packages/core/src/parts/line.ts"
    assert found("@shop/other", importer, files, **texts) is None


def test_what_a_bundler_made_has_its_own_source() -> None:
    package = {
        "name": "swift",
        "exports": {
            ".": {"import": "./dist/index/index.mjs"},
            "./parts": {"import": {"types": "./dist/parts/index.d.mts", "default": "./dist/parts/index.mjs"}},
            "./gone": "./dist/gone/index.mjs",
            "./dist/*": "./dist/*",
        },
    }
    files = "src/index.ts src/index/index.ts src/parts/index.ts"
    assert found("swift", "test/a.tsx", files, package_json=package) == "src/index/index.ts"
    assert found("swift/parts", "test/a.tsx", files, package_json=package) == "src/parts/index.ts"
    assert found("swift/dist/swift.prod.js", "test/a.tsx", files, package_json=package) == "src/index.ts"
    assert found("swift/gone", "test/a.tsx", files, package_json=package) is None


def test_main_and_internal_imports_of_a_package() -> None:
    package = {
        "name": "tool",
        "main": "./lib/run",
        "imports": {"#log": "./lib/log.js", "#deep/*": "./lib/deep/*.js"},
    }
    files = "lib/run.js lib/log.js lib/deep/x.js"
    assert found("tool", "test/a.js", files, package_json=package) == "lib/run.js"
    assert found("#log", "lib/a.js", files, package_json=package) == "lib/log.js"
    assert found("#deep/x", "lib/a.js", files, package_json=package) == "lib/deep/x.js"


def test_a_folder_with_a_package_has_its_main() -> None:
    files = "plugins/one/entry.js plugins/one/index.js"
    texts = {"plugins__one__package_json": {"main": "entry.js"}}
    assert found("./plugins/one", "a.js", files, **texts) == "plugins/one/entry.js"


def test_packages_that_are_not_ours_stay_outside() -> None:
    package = {"name": "app", "dependencies": {"react": "^18", "lodash": "4"}}
    files = "react.js lodash/map.js src/react.js components/button.js"
    assert found("react", "src/a.js", files, package_json=package) is None
    assert found("lodash/map", "src/a.js", files, package_json=package) is None
    assert found("chalk", "src/a.js", "chalk.js", package_json=package) is None
    assert found("components/button", "src/a.js", files, package_json=package) == "components/button.js"


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"a": 1 // x', "\ufeff{}", '{"compilerOptions": 3, "extends": 7}', "[" * 100_000]
)
def test_broken_project_files_say_nothing(text: str) -> None:
    assert parse_jsonc(text) in ({}, {"compilerOptions": 3, "extends": 7})
    assert found("@/x", "a.ts", "src/x.ts", tsconfig_json=text, package_json=text) is None


def test_odd_shapes_of_exports_do_no_harm() -> None:
    for exports in (
        None,
        1,
        [],
        ["./a.js"],
        {"./x": [{"import": None}, "./a.js"]},
        {"import": {"import": {}}},
    ):
        package = {"name": "odd", "exports": exports, "imports": exports, "main": 4, "dependencies": ["x"]}
        found("odd/x", "a.js", "a.js", package_json=package)
        found("#x", "a.js", "a.js", package_json=package)


def test_project_files() -> None:
    assert (
        is_project_file("a/package.json")
        and is_project_file("tsconfig.app.json")
        and is_project_file("jsconfig.json")
    )
    assert not is_project_file("data.json") and not is_project_file("my-package.json")


def test_joined_stays_below_the_root() -> None:
    assert joined("a/b", "../c") == "a/c"
    assert joined("a", "../../c") is None
    assert joined("", "./x//y/") == "x/y"
