# One verb a command; .ci/run calls the same verbs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help install demo serve check test bench lock schema strength clean

help:  ## List the verbs
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(STAMP)  ## Create .venv with everything a checkout needs

$(STAMP): requirements.txt protocol/pyproject.toml server/pyproject.toml clients/python/pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Fangnetz needs Python 3.11 or newer: make PYTHON=python3.11 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e protocol -e server -e clients/python
	touch $@

demo: install  ## Play both games over real WebSockets, with the final tables
	$(BIN)/fangnetz demo

serve: install  ## Run a server on 127.0.0.1:7474
	$(BIN)/fangnetz serve

check: install  ## Format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

test: install  ## All tests; extras that are missing are skipped with the reason
	$(BIN)/pytest -n auto --dist loadfile

bench: install  ## The benchmarks; each prints ratios
	$(BIN)/python -m bench

strength: install  ## Table of the reference bots' strength, 100 seeded matches a row
	$(BIN)/fangnetz-bot strength

schema: install  ## Write the schemas, the tables of the protocol reference and the types of the JavaScript SDK anew from the models
	$(BIN)/python -m fangnetz_protocol.schema protocol/schema
	$(BIN)/python -m fangnetz_protocol.reference docs/reference/protocol.md
	$(BIN)/python -m fangnetz_protocol.typescript clients/javascript

lock:  ## Pin requirements.in in requirements.txt (needs uv)
	uv pip compile requirements.in --universal --python-version 3.11 --generate-hashes --quiet --custom-compile-command "make lock" --output-file requirements.txt

clean:  ## Remove what the other verbs made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov fangnetz-demo test-artifacts
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
