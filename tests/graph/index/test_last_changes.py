"""The last change of each file, from git."""

from __future__ import annotations

import subprocess

from sctx_tui.graph.store_notes import log_changes

from .conftest import Project


def last_changes(project):
    return dict(project.rows("SELECT path, last_change FROM files"))


def test_the_last_commits_subject(project):
    project.write({"a.py": "A = 1\n", "b/c.py": "B = 1\n", "ü d.txt": "x"})
    project.commit("First things\n\nAnd a body.")
    project.write({"a.py": "A = 2\n"})
    project.commit("Second things")
    project.write({"new.py": "N = 1\n"})
    project.sync()
    assert last_changes(project) == {
        "a.py": "Second things",
        "b/c.py": "First things",
        "ü d.txt": "First things",
        "new.py": None,
    }
    assert set(project.rows("SELECT source FROM written")) == {"git"}


def test_later_commits_are_noticed_even_when_files_are_not(project):
    project.write({"a.py": "A = 1\n", "b.py": "B = 1\n"})
    project.commit("First")
    project.sync()
    project.write({"a.py": "A = 2\n"})
    project.sync()
    project.commit("Second")
    project.sync()
    assert last_changes(project) == {"a.py": "Second", "b.py": "First"}


def test_an_agents_later_word_stays_until_the_next_commit(project, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
    project.write({"a.py": "A = 1\n"})
    project.commit("First")
    project.sync()
    with project.store() as store:
        log_changes(store, [("a.py", "An agent's word")], source="agent")
    project.write({"b.py": "B = 1\n"})
    project.commit("Second")
    project.sync()
    assert last_changes(project) == {"a.py": "An agent's word", "b.py": "Second"}
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2037-01-01T00:00:00Z")
    project.write({"a.py": "A = 2\n"})
    project.commit("Third")
    project.sync()
    assert last_changes(project)["a.py"] == "Third"


def test_a_rewritten_history_is_read_anew(project):
    project.write({"a.py": "A = 1\n"})
    project.commit("First")
    project.sync()
    project.git("commit", "-q", "--amend", "-m", "Better")
    project.git("reflog", "expire", "--expire=now", "--all")
    project.git("gc", "-q", "--prune=now")
    project.sync()
    assert last_changes(project) == {"a.py": "Better"}


def test_files_of_merges_and_of_a_folder_below_the_checkout(project):
    project.write({"sub/a.py": "A = 1\n"})
    project.commit("First")
    project.git("checkout", "-q", "-b", "side")
    project.write({"sub/b.py": "B = 1\n"})
    project.commit("On the side")
    project.git("checkout", "-q", "main")
    project.write({"c.py": "C = 1\n"})
    project.commit("Meanwhile")
    project.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
    project.sync()
    assert last_changes(project) == {"sub/a.py": "First", "sub/b.py": "On the side", "c.py": "Meanwhile"}
    below = Project(project.root / "sub")
    below.sync()
    assert last_changes(below) == {"a.py": "First", "b.py": "On the side"}


def test_where_history_was_cut_off_nothing_is_made_up(project, tmp_path):
    project.write({"a.py": "A = 1\n", "b.py": "B = 1\n"})
    project.commit("First")
    project.write({"a.py": "A = 2\n"})
    project.commit("Second")
    project.write({"a.py": "A = 3\n"})
    project.commit("Third")
    clone = tmp_path / "clone"
    subprocess.run(
        ("git", "clone", "-q", "--depth", "2", project.root.as_uri(), str(clone)),
        check=True,
        capture_output=True,
    )
    shallow = Project(clone)
    shallow.sync()
    assert last_changes(shallow) == {"a.py": "Third", "b.py": None}


def test_without_git_or_a_commit_there_is_none(project, tmp_path):
    project.write({"a.py": "A = 1\n"})
    project.sync()
    assert last_changes(project) == {"a.py": None}
    plain = Project(tmp_path / "plain")
    plain.root.mkdir()
    plain.write({"a.py": "A = 1\n"})
    plain.sync()
    assert last_changes(plain) == {"a.py": None}


def test_odd_subjects_are_data(project):
    project.write({"a.py": "A = 1\n"})
    project.commit("\x1b[31mred\x02\x01 and more " + "x" * 500)
    project.sync()
    found = last_changes(project)["a.py"]
    assert found is None or len(found) <= 200


def test_the_repositorys_configuration_runs_nothing_and_hides_nothing(project, tmp_path):
    marker = tmp_path / "ran"
    program = tmp_path / "gpg"
    program.write_text(f"#!/bin/sh\ntouch {marker}\nexit 1\n")
    program.chmod(0o755)
    project.write({"a.py": "A = 1\n"})
    project.commit("First")
    signed = project.git("cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n", 1
    )
    made = subprocess.run(
        ("git", "hash-object", "-t", "commit", "-w", "--stdin"),
        cwd=project.root,
        input=signed,
        text=True,
        capture_output=True,
        check=True,
    )
    project.git("reset", "-q", "--hard", made.stdout.strip())
    for name, value in {
        "log.showSignature": "true",
        "gpg.program": str(program),
        "log.showRoot": "false",
        "color.ui": "always",
        "diff.external": str(program),
    }.items():
        project.git("config", name, value)
    project.git("log", "-1")
    assert marker.exists()  # the trap works
    marker.unlink()
    project.sync()
    assert last_changes(project) == {"a.py": "First"}
    assert not marker.exists()
