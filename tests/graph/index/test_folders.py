"""What folders are for, by their own account."""

from __future__ import annotations

import os

import pytest

from sctx_tui.graph.folders import readme_sentence
from sctx_tui.graph.store_notes import describe

WANTED = "Keeps the orders of the shop."


def purposes(project):
    return dict(project.rows("SELECT path, purpose FROM directories"))


def test_a_readme_before_a_package_before_nothing(project):
    project.write(
        {
            "README.md": f"# Shop\n\n{WANTED} And more.\n",
            "both/README.rst": f"Both\n====\n\n{WANTED}\n",
            "both/__init__.py": '"""The package."""\n',
            "python/__init__.py": f'"""{WANTED} More."""\n',
            "go/doc.go": f"// Package go is fine. {WANTED}\npackage go\n",
            "rust/src/lib.rs": f"//! {WANTED}\n",
            "none/a.py": '"""A module."""\n',
        }
    )
    project.sync()
    assert purposes(project) == {
        "": WANTED,
        "both": WANTED,
        "python": WANTED,
        "go": "Package go is fine.",
        "rust": None,
        "rust/src": WANTED,
        "none": None,
    }


def test_it_follows_every_change(project):
    project.write({"a/README.md": f"{WANTED}\n", "a/__init__.py": '"""The package."""\n'})
    project.sync()
    assert purposes(project)["a"] == WANTED
    project.write({"a/README.md": "Keeps nothing at all.\n"})
    project.update("a/README.md")
    assert purposes(project)["a"] == "Keeps nothing at all."
    project.write({"a/README.md": None})
    project.sync()
    assert purposes(project)["a"] == "The package."
    project.write({"a/__init__.py": ""})
    project.sync()
    assert purposes(project)["a"] is None


def test_a_persons_word_stays_and_a_models_gives_way(project):
    project.write({"a/b.py": "", "c/d.py": ""})
    project.sync()
    with project.store() as store:
        describe(store, "directory", "a", {"purpose": "Mine."}, source="person")
        describe(store, "directory", "c", {"purpose": "A model's."}, source="model")
    project.write({"a/README.md": f"{WANTED}\n", "c/README.md": f"{WANTED}\n"})
    project.sync()
    assert purposes(project)["a"] == "Mine."
    assert purposes(project)["c"] == WANTED
    project.write({"c/README.md": None})
    project.sync()
    assert purposes(project)["c"] == "A model's."


def test_a_link_is_not_read(project, tmp_path):
    (tmp_path / "outside").write_text(f"{WANTED}\n")
    project.write({"a/b.py": ""})
    os.symlink(tmp_path / "outside", project.root / "a/README.md")
    project.sync()
    assert purposes(project)["a"] is None


@pytest.mark.parametrize(
    "text",
    [
        WANTED,
        f"\ufeff# Shop\r\n\r\n{WANTED}\r\n".lstrip("\ufeff"),
        f"Shop\n----\n\n{WANTED}",
        f"---\ntitle: x y z\n---\n\n# Shop\n\n{WANTED}",
        f"<!-- a b c -->\n<h1 align='center'>\n  <img src='x'>\n</h1>\n\n{WANTED}",
        f"# Shop\n\n[![build](a.svg)](b) [![docs](c.svg)](d)\n\n![A long picture](x.png)\n\n{WANTED}",
        f"# Shop\n[![build](a.svg)](b)\n\n- [One and two](#a)\n- [Three four](#b)\n\n{WANTED}",
        "# Shop\n\nKeeps the **orders** of\nthe [shop](https://example.org).",
        "Shop\n####\n\n.. image:: x.svg\n   :target: y\n\nKeeps the `orders <https://x.org>`_ of the shop.",
        f"```\ncode stands here first\n```\n\n{WANTED}",
        f"| a b | c d | e |\n|---|---|---|\n\n{WANTED}",
        f"Visit the [site](x) for more.\n\n{WANTED}",
        f"> A quote of somebody else.\n\n{WANTED}",
    ],
)
def test_the_first_sentence_of_a_readme(text):
    assert readme_sentence(text) == WANTED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Shop\n",
        "# Shop\n\nShop.\n",
        "\0\0\0",
        "<" * 5000,
        "[" * 5000,
        "`" * 5000,
        "*" * 5000,
        "![" * 3000,
    ],
)
def test_a_readme_that_says_nothing(text):
    assert readme_sentence(text) == ""


def test_a_licence_and_a_way_on_are_no_purpose():
    assert (
        readme_sentence("See the docs for it.\n\nCopyright (c) 2020 by us all.\n\nSomething else here.") == ""
    )
