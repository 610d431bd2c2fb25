"""What the Go tool answers on the command line, where the written protocol agrees with it.

The cases in tests/data were generated for this project. Where more of them lie beside the checkout, those are
run too. A disputed case is held against its corrected answers. An exception belongs to a rule of ours that
decides otherwise (docs/differences.md); one that has come to agree fails, so that the table stays true.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve()
DATA = HERE.parents[1] / "data"
SHARED = HERE.parents[3] / "shared" / "oracle"
DIFFERENCES = HERE.parents[2] / "docs" / "differences.md"

Case = dict[str, Any]

GO_CODES = {
    *("content_required", "decision_required", "rationale_required", "option_required"),
    *("reason_rejected_required", "invalid_action", "invalid_when", "invalid_glob", "invalid_date"),
    *("invalid_yaml", "unknown_field"),
}
"""Codes that the Go tool's messages were given; the others are faults that it doesn't look for."""


def read_lines(path: Path) -> list[Case]:
    """A JSON-lines file; its texts hold U+2028, so only "\\n" ends a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def more(name: str, known: list[Case]) -> list[Case]:
    """Cases beside the checkout that are not among the known ones."""
    ids = {case["id"] for case in known}
    return [row for row in read_lines(SHARED / name) if row["id"] not in ids] if SHARED.is_dir() else []


def answers(row: Case) -> list[Case]:
    """The answers that a case accepts: the corrected ones where it is disputed."""
    return [row[key] for key in ("proposed", "proposed_strict") if key in row] or [row]


def as_validate_case(row: Case) -> Case:
    accept = [
        {
            "problems": [
                [each["code"], each["severity"], each["file"], each.get("where")] for each in answer["expect"]
            ],
            "exit_code": answer["exit_code"],
        }
        for answer in answers(row)
    ]
    return {key: row[key] for key in ("id", "files", "args", "cwd")} | {"accept": accept}


VALIDATE = read_lines(DATA / "sctx_validate.jsonl")
VALIDATE += map(as_validate_case, more("validate.jsonl", VALIDATE))
CLI = read_lines(DATA / "sctx_cli.jsonl")
CLI += more("cli.jsonl", CLI)
TREES = json.loads((DATA / "sctx_cli_trees.json").read_text(encoding="utf-8"))

VALIDATE_EXCEPTIONS = {
    "a single value is a list of one": {"VY_match_00", "VY_match_01", "VY_exclude_00", "VY_dec_35", "VR31"},
    "a misspelt filter is an error": {
        *("VY_shape_bool_key_entry", "VY_on_key_upper", "VT_unknown", "VT_mixed"),
        *("VT_arg_02", "VT_arg_04", "VT_arg_05", "VT_arg_06", "VT_arg_17"),
    },
    "a decision may have exclude": {"VY_dec_38"},
    "vendored directories contribute nothing": {"VT_hidden"},
    "only regular files are read": {"VT_dir_named_ok"},
    "a link that is named is followed": {"VT_symlink_dir_arg", "VT_symlink_dir_arg_slash"},
    "each bad alternative is reported by itself": {"VY_dec_26"},
    "every unknown field is reported": {
        *("VY_shape_dup_nested_unknown", "VY_shape_self_alias", "VY_shape_bomb_unknown_key"),
    },
    "entries are numbered as written": {"VH_10"},
    "a key stands once, under an alias too": {"VH_14"},
    "YAML is what libyaml reads": {"VY_shape_json_slash_escape"},
    "a class inside braces is a class": {"VG_match_13", "VG_exdec_13"},
    "options are understood": {"VT_arg_15", "VT_arg_16"},
}
CLI_EXCEPTIONS = {
    "vendored directories contribute nothing": {f"C_main-0{number}" for number in (22, 23, 24, 25, 27, 28)},
    "an extra argument is an error": {"C_main-063", "C_main-071", "C_main-072"},
    "options are understood": {"C_main-064", "C_main-065", "C_main-074", "C_main-075", "C_main-076"},
    "an unknown option is an error": {"C_main-066", "C_main-067", "C_main-069", "C_main-070"},
    "an entry with a fault gives nothing": {
        *("CR00-001", "CR00-002", "CR00-003", "CR02-001", "CR02-002", "CR02-003"),
        *("CR08-001", "CR08-002", "CR08-003", "CR08-005"),
    },
    "settings are edited in place": {"S_settings-006"},
    "settings of an odd shape are refused": {f"S_settings_hooks_odd-00{number}" for number in (1, 5, 6)},
    "a half-installed hook is completed": {"S_settings_partial-001", "S_settings_partial-005"},
    "a file that sctx did not write stays": {"S_pi_ext_only-004", "S_pi_ext_only-007"},
    "init refuses where either name exists": {"S_has_yml-001"},
}


def excepted(table: dict[str, set[str]], case: Case) -> bool:
    return any(case["id"] in ids for ids in table.values())


@pytest.mark.parametrize("case", VALIDATE, ids=lambda case: case["id"])
def test_validate(case, sctx, plant):
    root = plant(case["files"])
    arguments = [argument.replace("{ROOT}", str(root)) for argument in case["args"]]
    result = sctx("validate", *arguments, "--json", cwd=root / case["cwd"])
    found = problems_of(result, case["cwd"])
    agrees = any(
        result.code == answer["exit_code"] and same_problems(found, answer["problems"])
        for answer in case["accept"]
    )
    assert agrees != excepted(VALIDATE_EXCEPTIONS, case), found


def problems_of(result: Any, cwd: str) -> list[tuple[str, str, str, str]]:
    if not result.out.startswith("["):
        return []  # refused
    return [
        (each["code"], each["severity"], os.path.normpath(os.path.join(cwd, each["file"])), each["where"])
        for each in result.json
        if each["code"] in GO_CODES
    ]


def same_problems(found: list[tuple[str, str, str, str]], expected: list[list[Any]]) -> bool:
    """The same problems; where the Go tool names only the file, ours may name the part of it."""
    files = {tuple(each[:3]) for each in expected if each[3] is None}
    found_places = [(*each[:3], None if each[:3] in files else each[3]) for each in found]
    return Counter(found_places) == Counter(tuple(each) for each in expected)


def test_every_exception_is_documented():
    text = DIFFERENCES.read_text(encoding="utf-8")
    tables = (VALIDATE_EXCEPTIONS, CLI_EXCEPTIONS)
    missing = [each for table in tables for ids in table.values() for each in ids if f"`{each}`" not in text]
    assert not missing


@pytest.mark.parametrize("case", CLI, ids=lambda case: case["id"])
def test_command(case, sctx, plant):
    root = plant(TREES[case["tree_id"]])
    before = snapshot(root)
    result = None
    for command in split(case["argv"]):
        result = sctx(*command, cwd=root / case["cwd"])
        if result.code:
            break
    assert result is not None
    changed = {path for path, _ in snapshot(root).items() ^ before.items()}
    agrees = result.code == case["exit_code"] and changed == files_changed(case)
    if agrees and case["argv"][:1] in (["context"], ["decisions"]) and result.code == 0:
        theirs = go_entries(case["stdout"], case["argv"])
        agrees = same_entries(our_entries(result.out, case["argv"]), theirs, case["cwd"])
    assert agrees != excepted(CLI_EXCEPTIONS, case), result


def split(argv: list[str]) -> Iterator[list[str]]:
    """The commands of an argument list that holds `&&`."""
    command: list[str] = []
    for word in argv:
        if word == "&&":
            yield command
            command = []
        else:
            command.append(word)
    yield command


def files_changed(case: Case) -> set[str]:
    """The files that the Go tool created, changed or removed; it lists emptied directories too."""
    return {path for path in case.get("files_changed", ()) if path not in (".claude", ".pi")}


def snapshot(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


Named = tuple[str, str | None]
"""The text of an entry, or the first line of a decision's, and where it is from as far as that is said."""


def our_entries(out: str, argv: list[str]) -> list[tuple[str, str]]:
    """The entries that our output names, in order, with their files."""
    if "--json" in argv:
        return [(text_of(each), each["SourceFile"]) for each in json.loads(out)]
    named = []
    for block in re.split(r"^(?=\S.*:\d+(?:  |$))", out, flags=re.MULTILINE)[1:]:
        source, *lines = block.split("\n")
        text = "\n".join(line.removeprefix("  ") for line in lines)
        if argv[0] == "decisions":
            text = text.split("\nRationale:")[0]
        named.append((text.strip("\n"), source.rsplit(":", 1)[0]))
    return named


def go_entries(out: str, argv: list[str]) -> list[Named]:
    """The entries that the Go tool's output names, in order; sources are files or directories."""
    if "--json" in argv:
        return [
            (text_of(each), each.get("SourceFile", each.get("SourceDir"))) for each in json.loads(out) or []
        ]
    if argv[0] == "context":
        found = re.findall(
            r"^  - (.*?)\n(?:    Match: [^\n]*\n)?    \(from (.*?)\)$", out, flags=re.MULTILINE | re.DOTALL
        )
        return [(text.strip("\n"), source) for text, source in found]
    texts = re.findall(r"^  - (.*?)\n    Rationale: ", out, flags=re.MULTILINE | re.DOTALL)
    sources: list[str | None] = list(re.findall(r"^    \(from (.*?)\)$", out, flags=re.MULTILINE))
    return list(zip(texts, sources or [None] * len(texts), strict=True))


def text_of(entry: Case) -> str:
    return str(entry["Content"] if "Content" in entry else entry["Decision"]).strip("\n")


def same_entries(ours: list[tuple[str, str]], theirs: list[Named], cwd: str) -> bool:
    """The same entries in the same order, from the same files or directories."""
    if [text for text, _ in ours] != [text for text, _ in theirs]:
        return False
    for (_, file), (_, source) in zip(ours, theirs, strict=True):
        directory = os.path.normpath(os.path.join("{ROOT}", cwd, os.path.dirname(file)))
        if source is not None and source not in (file, directory):
            return False
    return True
