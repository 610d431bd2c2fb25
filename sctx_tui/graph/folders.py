"""What folders are for: the first sentence of a README, else of a package's docstring."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Mapping

from sctx_tui.graph import store_summaries
from sctx_tui.graph.comments import describes
from sctx_tui.graph.sentences import first_sentences
from sctx_tui.graph.store import Store
from sctx_tui.graph.store_index import Known

READ = 16_384  # bytes of a README
LONGEST = 200  # characters of a purpose

_README = re.compile(r"readme(\.(md|markdown|mdx|rst|txt|adoc))?$", re.IGNORECASE)
_PACKAGES = ("__init__.py", "doc.go", "lib.rs", "mod.rs", "main.rs", "package-info.java")

# What stands between the beginning of a README and its first sentence.
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_BLOCKS = re.compile(r"<!--.*?-->|^(```|~~~).*?^\1[^\n]*$", re.DOTALL | re.MULTILINE)
_UNDERLINE = re.compile(r"([=\-~^*+#\"'`])\1{2,}\s*$")
_NO_PROSE = re.compile(r"\s{4}|\t|\s*(?:[#>|=]|\.\.\s|:\w+:|[-*+]\s|\d+[.)]\s|\[[^\]]*\]:|include::|image::)")
_NAVIGATION = re.compile(
    r"(?:Please|Visit|See|Note|For (?:full|more|further|docs)|This is (?:a )?work in)\b", re.IGNORECASE
)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)|\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|<[^<>]*>|\|[\w -]+\|_?")
_LINK = re.compile(
    r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|`([^`<]*?)\s*<[^`>]*>`__?|`+([^`]*)`+_?|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*"
)


def describe_folders(store: Store, root: str, files: Mapping[str, Known]) -> None:
    """Make the purposes of folders what READMEs and packages say; joins the caller's transaction.

    Reads nothing unless one of those files is another than the last time.
    """
    own = {path: known for path, known in files.items() if _speaks_for_folder(path) and known.content_hash}
    state = "\n".join(f"{path} {known.content_hash}" for path, known in sorted(own.items()))
    digest = hashlib.sha256(state.encode("utf-8", "surrogatepass")).hexdigest()
    if store.meta("folders_from") == digest:
        return
    packages = store_summaries.docstring_purposes(store, [p for p in own if not _README.match(_name(p))])
    purposes = _from_packages(packages)
    for path in sorted(own, reverse=True):  # README.md before README.rst
        said = _README.match(_name(path)) and readme_sentence(_beginning(root, path))
        if said:
            purposes[path.rpartition("/")[0]] = said
    store_summaries.put_folder_purposes(store, purposes)
    store.set_meta("folders_from", digest)


def readme_sentence(text: str) -> str:
    """The first sentence of the first paragraph that is prose; "" without one. Markdown and the like.

    Of the second where the first only says where to look: further down a README is about something else.
    """
    candidates = 0
    text = _BLOCKS.sub("", _FRONT.sub("", text.replace("\r\n", "\n")))
    for block in re.split(r"\n\s*\n", text):
        lines = _prose(block.split("\n"))
        line = _LINK.sub(lambda found: next(filter(None, found.groups()), ""), " ".join(lines))
        sentence = first_sentences(" ".join(line.split()).strip("_"), 1)
        if len(sentence.split()) < 3:
            continue
        if not _NAVIGATION.match(sentence) and describes(sentence):
            return sentence if len(sentence) <= LONGEST else sentence[: LONGEST - 1].rstrip() + "…"
        candidates += 1
        if candidates == 2:
            break
    return ""


def _prose(lines: list[str]) -> list[str]:
    """The lines of a block that are running text: no heading, list, table, picture or directive."""
    found: list[str] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        is_title = _UNDERLINE.match(following) and len(following.strip()) >= 3
        if is_title or _UNDERLINE.match(line) or (not any(found) and _NO_PROSE.match(line)):
            continue
        found.append(_IMAGE.sub(" ", line).strip())
    return [line for line in found if line]


def _speaks_for_folder(path: str) -> bool:
    name = _name(path)
    return name in _PACKAGES or bool(_README.match(name))


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _from_packages(purposes: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Folder -> what its package says; of several files the first in the order of `_PACKAGES`."""
    found: dict[str, str] = {}
    for path, purpose in sorted(purposes, key=lambda each: -_PACKAGES.index(_name(each[0]))):
        found[path.rpartition("/")[0]] = purpose
    return found


def _beginning(root: str, path: str) -> str:
    """The beginning of a listed file; "" when it can't be read, or is none any more."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with open(os.open(os.path.join(root, path), flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return ""
            return file.read(READ).decode("utf-8", "replace").removeprefix("\ufeff")
    except OSError:
        return ""
