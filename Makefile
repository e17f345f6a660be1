# Every command of this repository. `make help` lists them.
# uv is used when it is there, else venv and pip; nothing but Python 3.11+ and make is needed.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
UV     := $(shell command -v uv 2>/dev/null)
OMNIA  := examples/omnia
ZEN    := examples/zen

.DEFAULT_GOAL := help
# An environment that is there already answers to its own Python, whatever is asked for.
ifeq ($(origin PYTHON)$(filter clean help,$(MAKECMDGOALS)),command line)
HERE := $(shell test -x $(BIN)/python && $(BIN)/python -c 'import sys; print(sys.version_info[:2])')
ASKED := $(shell $(PYTHON) -c 'import sys; print(sys.version_info[:2])')
ifneq ($(HERE),)
ifneq ($(HERE),$(ASKED))
$(error $(VENV) was made with Python $(HERE), and PYTHON=$(PYTHON) is $(ASKED). \
Keep both: make $(MAKECMDGOALS) PYTHON=$(PYTHON) VENV=.venv-other, or remove it first: make clean)
endif
endif
endif

.PHONY: help setup demo test evals check format lint types imports changelog reference docs bench matrix sdk-matrix clean

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY)  ## make the virtual environment with all that development needs

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "tierwise needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1)."; \
	  echo "Name another one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@echo "Setting up $(VENV) (once; downloads about 300 MB) ..."
ifdef UV
	@test -x $(BIN)/python || uv venv --quiet --seed --python $(PYTHON) $(VENV)
	@uv pip install --quiet --python $(BIN)/python --editable '.[all]' --group dev
else
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]' --group dev
endif
	@$(BIN)/tierwise model install smollm2
	@touch $(READY)

demo: $(READY)  ## test a small real system in three tiers, a real language model in the third
	@cd $(OMNIA) && $(CURDIR)/$(BIN)/python demo.py

test: $(READY)  ## run the tests: those of the examples, then our own default tiers
	@cd $(OMNIA) && $(CURDIR)/$(BIN)/python -m pytest -q
	@cd $(ZEN) && $(CURDIR)/$(BIN)/python -m pytest -q
	@$(BIN)/python -m pytest -n 2

evals: $(READY)  ## run the evals of tierwise and of the example with a real small model
	@$(BIN)/tierwise eval run --provider local:smollm2
	@cd $(OMNIA) && $(CURDIR)/$(BIN)/tierwise eval run --provider local:smollm2

check: format-check lint types imports changelog docs evals sdk-check test  ## all that CI runs

format: $(READY)  ## format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix --quiet .

.PHONY: format-check
format-check: $(READY)
	@$(BIN)/ruff format --check --quiet . || { echo "Not formatted: run 'make format'."; exit 1; }

lint: $(READY)  ## lint
	@$(BIN)/ruff check --quiet .

types: $(READY)  ## check the types
	@$(BIN)/mypy
	@cd $(OMNIA) && $(CURDIR)/$(BIN)/mypy
	@cd $(ZEN) && $(CURDIR)/$(BIN)/mypy

imports: $(READY)  ## check that imports point down only
	@$(BIN)/lint-imports --no-logo 2>/dev/null || $(BIN)/lint-imports

changelog: $(READY)  ## show the changelog that the fragments make
	@$(BIN)/towncrier build --draft --version next >/dev/null

reference: $(READY)  ## write the pages of public names, commands and errors from the code
	@$(BIN)/python scripts/make_reference.py
	@$(BIN)/python scripts/make_commands.py
	@$(BIN)/python scripts/make_errors.py

docs: $(READY)  ## build the documentation into site/, and refuse broken links
	@$(BIN)/python scripts/make_site.py

bench: $(READY)  ## measure what is claimed about speed
	@for script in benchmarks/*.py benchmarks/*/run.py; do echo "== $$script"; $(BIN)/python $$script; done

sdk-matrix: $(READY)  ## run the gateway's tests with the vendors' SDKs of the major before
	@$(BIN)/python scripts/sdk_matrix.py $(VENV)-earlier-sdks

.PHONY: sdk-check
sdk-check: $(READY)
	@$(BIN)/python scripts/sdk_matrix.py --quick $(VENV)-earlier-sdks

matrix: $(READY)  ## run the tests on Python 3.11 to 3.13, without extras, and on lowest dependencies
	@$(BIN)/nox

clean:  ## remove what was made here
	rm -rf $(VENV) .tierwise .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist
