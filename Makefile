# Two commands do everything: `make run` and `make test`. Each installs what is missing into the clone.
PYTHON ?= python3
BIN := .venv/bin
NPM := $(CURDIR)/scripts/npm
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
WEB := $(shell find web/src web/public web/plugins web/worker docs/regles docs/rules -type f 2>/dev/null) \
       $(wildcard web/*.json web/*.ts web/*.js web/index.html)
CLIENT := src/tablee/server/static/index.html
HOST ?= 127.0.0.1
PORT ?= 8000
# The tests start a hundred servers: without compiled files each start would compile all of ours again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-fast test-python test-web soak check check-python check-web lint-web docs format bench lock clean

run: .venv/ready $(CLIENT)
	$(BIN)/tablee serve --host $(HOST) --port $(PORT)

test: test-web test-python

test-fast: .venv/ready-dev $(CLIENT)
	$(BIN)/pytest -n 2 --dist loadfile -m "not slow and not soak" --ignore tests/browser

# Tests wait for servers and pages nearly half of their time, so three processes share two cores.
test-python: .venv/ready-dev $(CLIENT)
	NUMBA_CACHE_DIR=$(CURDIR)/.pytest_cache/numba TABLEE_CACHE=$(CURDIR)/.pytest_cache/graphs $(BIN)/python scripts/warm.py
	$(BIN)/pytest -n 3 --dist loadgroup --ignore tests/browser
	BROWSER="$$(scripts/browser)" $(BIN)/pytest -n 3 --dist loadgroup tests/browser

soak: .venv/ready-dev $(CLIENT)
	BROWSER="$$(scripts/browser)" $(BIN)/pytest -m soak
	TABLEE_TEST_SERVERS=2 $(BIN)/pytest -n 2 tests/server

test-web: web/node_modules/.ready
	cd web && $(NPM) test --silent

# The longest first: ESLint takes as long as all others together.
check: .venv/ready-dev web/node_modules/.ready
	$(MAKE) --jobs 2 --no-print-directory lint-web check-python check-web

check-python: .venv/ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	MYPYPATH=bench $(BIN)/mypy bench
	$(BIN)/lint-imports
	$(BIN)/tablee types --check
	$(BIN)/python scripts/terminal_words.py --check
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir build/site

check-web: web/node_modules/.ready
	cd web && $(NPM) run --silent format:check
	cd web && $(NPM) run --silent check

lint-web: web/node_modules/.ready
	cd web && $(NPM) run --silent lint

docs: .venv/ready-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The documentation is in site/; tablee serve shows it under /docs"

format: .venv/ready-dev web/node_modules/.ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/tablee types
	$(BIN)/python scripts/terminal_words.py
	cd web && $(NPM) run --silent format

bench: .venv/ready-dev $(CLIENT)
	for bench in rules bots kora review dames bitbases analysis president ojyx scrabble cold_start boards offline loop server store correspondence archive pairing compare scale servers storm envs; do $(BIN)/python bench/$$bench.py || exit 1; done

lock: .venv/ready-dev
	$(PIP) uv
	for lock in "" -dev -node; do \
	  extra=$$(echo $$lock | sed 's/^-/--extra /'); \
	  $(BIN)/uv pip compile pyproject.toml $$extra --universal --python-version 3.11 --upgrade --quiet \
	    --generate-hashes --no-emit-index-url --no-header -o requirements$$lock.lock; \
	done

clean:
	rm -rf .venv web/node_modules src/tablee/server/static build dist site

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Tablée needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) --version). Try make PYTHON=python3.12"; exit 1; }
	@echo "Creating an environment in .venv"
	@$(PYTHON) -m venv .venv

.venv/ready: requirements.lock pyproject.toml | .venv/bin/python
	@echo "Installing the packages of the server"
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps -e .
	@touch $@

.venv/ready-dev: requirements-dev.lock .venv/ready
	@echo "Installing the packages of the tests"
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

web/node_modules/.ready: web/package-lock.json | .venv/bin/python
	@echo "Installing the packages of the web client"
	@cd web && $(NPM) ci --silent --no-audit --no-fund
	@touch $@

$(CLIENT): $(WEB) web/node_modules/.ready
	@echo "Building the web client"
	@cd web && $(NPM) run --silent build -- --logLevel warn
	@touch $@
