# Two commands do everything: `make tui` opens the app here, `make test` passes every check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: tui test lint types layers unit wheel docs bench clean

tui: $(STAMP)
	$(BIN)/sctx tui

test: lint types layers unit wheel

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "error: Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

layers: $(STAMP)
	$(BIN)/lint-imports

unit: $(STAMP)
	$(BIN)/pytest -n auto --cov --cov-report=term-missing:skip-covered

wheel: $(STAMP)
	$(BIN)/python tests/check_wheel.py

docs: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[docs]'
	$(BIN)/mkdocs build --strict

bench: $(STAMP)
	$(BIN)/python tests/bench

clean:
	rm -rf $(VENV) dist build site .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
