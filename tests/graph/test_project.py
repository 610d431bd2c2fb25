"""Which project the code graph is about."""

from __future__ import annotations

import os
from pathlib import Path

from sctx_tui.graph.project import project_root

from ..repository import Repository


def test_the_nearest_index_else_gits_top_level_else_the_folder_itself(tmp_path: Path) -> None:
    top = Path(os.path.realpath(tmp_path))
    repository = Repository.new(top / "repository")
    (repository.root / "indexed/.ctx").mkdir(parents=True)
    for folder in ("indexed/deep", "other"):
        (repository.root / folder).mkdir()
    assert project_root(str(repository.root / "indexed/deep")) == str(repository.root / "indexed")
    assert project_root(str(repository.root / "other")) == str(repository.root)
    repository.commit()
    repository.git("worktree", "add", "-q", "indexed/tree")
    assert project_root(str(repository.root / "indexed/tree")) == str(repository.root / "indexed/tree")
    assert project_root(str(top)) == str(top)
