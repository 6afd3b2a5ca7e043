# `make play` starts the site; `make help` lists the commands. PORT, HOST and PYTHON can be set:
# `make play PORT=8080`.

PORT ?= 8000
HOST ?= 127.0.0.1
export PYTHON ?= python3
# Each of hundreds of processes would compile the site again, and each worker all tests.
unexport PYTHONDONTWRITEBYTECODE
python := .venv/bin/python
pytest := $(python) -m pytest --numprocesses auto --dist worksteal
# Tests of processes wait for a third of their time, and those of browsers for half of it: three and
# four workers for two processors.
processors = $(shell getconf _NPROCESSORS_ONLN)
waiting = $(python) -m pytest --numprocesses $(shell echo $$(($(processors) * 3 / 2))) --dist worksteal
browsing = $(python) -m pytest --numprocesses $(shell echo $$(($(processors) * 2))) --dist worksteal
whole_games := tests/browser/play/test_whole_games.py
# Only the files with such tests are read: the folders of tests/conftest.py, and files with a mark.
marked = $(shell grep -rl "mark\.$(1)" tests --include="test_*.py" | grep -v /browser/)
with_processes = tests/ops tests/server $(call marked,processes)
with_services = tests/storage tests/worker $(call marked,services)
# Files whose tests do more with SOAK=1, and not those that `make soak` names.
repeated = $(shell grep -rlE "support.repeats|accessibility|hypothesis import" tests --include="test_*.py" | grep -v -e test_faults -e test_fuzzing)

.PHONY: help play dev admin test test-all test-processes test-browsers test-services coverage soak check format bench bench-engines bench-server match levels messages lock
# A benchmark needs the machine for itself, so no two targets run at once.
.NOTPARALLEL:

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

play:  ## start the site: http://localhost:8000
	@scripts/venv requirements.lock
	@exec $(python) manage.py serve --host "$(HOST)" --port "$(PORT)"

dev:  ## start the site for developers: autoreload, a worker, debug pages
	@scripts/venv requirements-dev.lock
	@export BOARDSITE_DEBUG=1 && $(python) manage.py migrate --verbosity 0 && \
		{ $(python) manage.py run_computers & worker=$$!; trap "kill $$worker" EXIT INT TERM; \
		$(python) manage.py runserver "$(HOST):$(PORT)"; }

admin:  ## make an account for /admin/
	@scripts/venv requirements.lock
	@$(python) manage.py migrate --verbosity 0
	@$(python) manage.py createsuperuser

test:  ## run the tests without processes, and a whole game of each kind in a browser (minutes)
	@scripts/venv requirements-dev.lock
	@$(python) -m scripts.chromium
	@$(pytest) -m "not processes and not browser" --ignore-glob="*/browser" --ignore-glob="*/ops" --ignore-glob="*/server"
	@$(pytest) $(whole_games)

test-all: test test-processes test-browsers  ## run all tests: those of processes and of browsers too

test-processes:  ## run the tests that start processes of the site
	@scripts/venv requirements-dev.lock
	@$(waiting) -m processes $(with_processes)

test-browsers:  ## run the tests in Chromium and Firefox
	@scripts/venv requirements-dev.lock
	@$(python) -m scripts.chromium
	@$(python) -m scripts.firefox
	@$(browsing) -m browser --deselect=$(whole_games) tests/browser tests/games/*/browser

test-services:  ## run the tests of database and site on PostgreSQL and Redis
	@scripts/venv requirements-dev.lock
	@$(python) -m scripts.services $(waiting) -m "services and not browser" --ignore-glob="*/browser" $(or $(TESTS),$(with_services))

coverage:  ## measure the lines that the tests run without a browser, of templates too
	@scripts/venv requirements-dev.lock
	@mkdir -p var/coverage
	@PYTHONPATH="$(CURDIR)" $(python) -m coverage run -m pytest -m "not browser" --numprocesses auto --dist worksteal $(TESTS)
	@$(python) -m coverage combine --quiet
	@$(python) -m coverage report

soak:  ## repeat tests more often, and test faults and rude requests at full length (an hour)
	@scripts/venv requirements-dev.lock
	@SOAK=1 $(python) -m pytest tests/ops/test_faults.py tests/views/test_fuzzing.py
	@SOAK=1 $(pytest) $(repeated)
	@SOAK=1 $(python) -m scripts.services $(python) -m pytest tests/ops/test_faults.py tests/views/test_fuzzing.py

check:  ## check style, types, imports, templates, migrations, settings and translations
	@scripts/venv requirements-dev.lock
	@scripts/check

format:  ## format Python, templates, scripts, style sheets and shell
	@scripts/venv requirements-dev.lock
	@.venv/bin/ruff format .
	@find templates games/*/templates -name '*.html' -exec .venv/bin/djhtml --tabwidth 2 {} + \
		-o -name '*.jinja' -exec .venv/bin/djhtml --tabwidth 2 {} +
	@scripts/biome check --write
	@.venv/bin/shfmt --indent 4 --write .ci deploy scripts

bench: bench-engines bench-server  ## measure engines, computer players and server

bench-engines:  ## measure the speed of engines and computer players
	@scripts/venv requirements-dev.lock
	@$(python) -m pytest benchmarks --benchmark-only

match:  ## measure the strength of the computer players (hours; SHARE=10: a tenth of the games)
	@scripts/venv requirements-dev.lock
	@$(python) -m benchmarks.strength --share $(or $(SHARE),1)

levels:  ## measure each level against the one below it, GAMES=10 a line (an hour)
	@scripts/venv requirements-dev.lock
	@$(python) -m benchmarks.levels --games $(or $(GAMES),10)

# Beside a peer in benchmarks/peers where a game has one; then all games, and the parts of a move.
bench-server:  ## measure moves per second, streams and pages
	@scripts/venv requirements-dev.lock
	@if command -v npm >/dev/null; then npm ci --prefix benchmarks/peers --no-audit --no-fund --silent; fi
	@for peer in benchmarks/peers/*_boardgame_io.js; do \
		kind=$$(basename $$peer _boardgame_io.js) && \
		$(python) -m benchmarks.moves $$kind $(BENCH) && \
		$(python) -m benchmarks.moves $$kind $(BENCH) --processes 2 --alone && \
		$(python) -m benchmarks.streams $$kind || exit; \
	done
	@$(python) -m benchmarks.moves --alone --tables 16 $(BENCH)
	@$(python) -m benchmarks.moves --alone --tables 16 $(BENCH) --largest
	@$(python) -m benchmarks.move_cost
	@$(python) -m benchmarks.opening

messages:  ## collect the sentences to translate into locale/ and games/*/locale/
	@scripts/venv requirements-dev.lock
	@$(python) manage.py makemessages

lock:  ## pin the dependencies of pyproject.toml, with hashes
	@scripts/venv requirements-dev.lock
	@scripts/lock
