"""One more decision in a file: where it goes, that all else stays, and which files are left alone."""

from __future__ import annotations

import pytest

from sctx_tui.guidance.append import CannotAppend, with_decision
from sctx_tui.guidance.model import Alternative, Decision
from sctx_tui.guidance.parse import parse_guidance

NEW = Decision(
    'Say "no"',
    "because: # it's so\n\u202e",
    (Alternative("yes", "no\x1b"),),
    "",
    "2026-01-02",
    ("a\\[1]/**", "b"),
)
ONE = "  - decision: a\n    rationale: b\n"

EDITABLE = [
    "",
    "# only a comment\n",
    "context:\n  - content: a",
    "decisions:\n",
    "decisions: []  # none\ncontext: []\n",
    "decisions: ~\n",
    "decisions: null # yet\n\n# below\ncontext:\n  - content: a\n",
    f"decisions:\n{ONE}\n    # about a\n\n# about context\ncontext:\n  - content: a\n",
    "decisions:\n- decision: a\n  rationale: b # c\n\n\ncontext: []\n",
    "decisions: [{decision: a, rationale: b}]\n",
    "decisions: [{decision: a, rationale: b},\n ]\n",
    f"---\ndecisions:\n{ONE}...\n",
    f"decisions:\n{ONE}context: []\n".replace("\n", "\r\n"),
    "  context: []\n",
    f"\ufeffdecisions:\n{ONE}",
    "decisions:\n  - decision: a\n    rationale: |\n      b\n\n      c\n\ncontext: []\n",
    "decisions:\n  - decision: 'a\n      b'\n    rationale: >-\n      folded\n      text",
    "decisions:\n  - decision: a\n    rationale: b\n    match:\n      - c\n      - d\ncontext: []\n",
]


@pytest.mark.parametrize("text", EDITABLE)
def test_the_decision_is_added_and_every_line_stays(text: str) -> None:
    edited, line = with_decision(text.encode(), "AGENTS.yaml", NEW)
    found = parse_guidance(edited, "AGENTS.yaml")
    before = parse_guidance(text, "AGENTS.yaml")
    assert not found.problems
    assert [entry.content for entry in found.context] == [entry.content for entry in before.context]
    assert [entry.decision for entry in found.decisions[:-1]] == [
        entry.decision for entry in before.decisions
    ]
    last = found.decisions[-1]
    assert last == Decision(*(getattr(NEW, name) for name in (
        "decision", "rationale", "alternatives", "revisit_when", "date", "match", "exclude"
    )), line=line)  # fmt: skip
    rest = iter(edited.decode().splitlines())
    for kept in text.splitlines():
        head = kept.partition(" []")[0].partition(" ~")[0].partition(" null")[0].rstrip("]")
        assert any(kept_line.startswith(head) for kept_line in rest), kept


def test_the_new_lines_look_like_the_others() -> None:
    plain = Decision("Use A", "it is there", (Alternative("B", "slow"),), "", "2026-01-02", ("src/**",))
    edited, line = with_decision(f"decisions:\n{ONE}# end\n".encode(), "AGENTS.yaml", plain)
    assert line == 4
    assert edited.decode() == (
        f"decisions:\n{ONE}"
        '  - decision: "Use A"\n'
        '    rationale: "it is there"\n'
        "    alternatives:\n"
        '      - option: "B"\n'
        '        reason_rejected: "slow"\n'
        "    date: 2026-01-02\n"
        '    match: ["src/**"]\n'
        "# end\n"
    )


def test_hidden_characters_are_spelt_out() -> None:
    edited, _ = with_decision(b"", "AGENTS.yaml", NEW)
    assert "\\u202e" in edited.decode()
    assert "\\u001b" in edited.decode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("decisions:\n  - decision: a\n", "AGENTS.yaml:2:5: decisions[0]: rationale is required"),
        ("context: [\n", "AGENTS.yaml:2:1"),
        ("context: []\n---\nx: 1\n", "can't be edited safely"),
        ("{context: []}\n", "can't be edited safely"),
        (f"decisions:\n  - &x\n    {ONE[4:]}  - *x\n", "can't be edited safely"),
    ],
)
def test_what_cannot_be_edited_is_said(text: str, said: str) -> None:
    with pytest.raises(CannotAppend) as refused:
        with_decision(text.encode(), "AGENTS.yaml", NEW)
    assert said in str(refused.value)
