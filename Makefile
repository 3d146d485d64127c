# The two commands are `make run` and `make test`; `make help` lists all.

PYTHON_IN_VENV = .venv/bin/python
# One more than two cores: tests in a browser wait a good part of their time.
PROCESSES ?= 3

.PHONY: help run test test-browsers lint bench torture format clean setup-run setup-test

help: ## List what can be made
	@grep -E '^[a-z-]+: .*##' Makefile | sed -E 's/^([a-z-]+):.*## /\1|/' \
	    | while IFS='|' read -r name what; do printf '  make %-13s %s\n' "$$name" "$$what"; done

run: setup-run ## Serve the game; HOST, PORT and WORKERS change where and how (127.0.0.1, 8000, 2)
	@exec $(PYTHON_IN_VENV) -m flask --app app serve

test: setup-test ## Run every test, the browser's too
	@$(PYTHON_IN_VENV) -m tests.browser
	@exec $(PYTHON_IN_VENV) -m pytest --numprocesses $(PROCESSES) --dist worksteal $(TESTS)

test-browsers: setup-test ## Play a match in Firefox and in WebKitGTK, Safari's engine
	@exec $(PYTHON_IN_VENV) -m tests.engines

lint: setup-test ## Check style, types, and what browsers must know
	$(PYTHON_IN_VENV) -m ruff check .
	$(PYTHON_IN_VENV) -m ruff format --check .
	$(PYTHON_IN_VENV) -m mypy
	$(PYTHON_IN_VENV) -m tools.compatibility

bench: setup-test ## Measure what things cost, against the bounds set for them
	@exec $(PYTHON_IN_VENV) -m benchmarks

torture: setup-test ## Put the promises under force; PART=kill9 takes one part, SCALE=0.1 a tenth
	@exec $(PYTHON_IN_VENV) -m tests.torture $(PART)

format: setup-test ## Put the code into its format
	$(PYTHON_IN_VENV) -m ruff check --fix-only .
	$(PYTHON_IN_VENV) -m ruff format .

clean: ## Remove what can be made again; instance/, with the games in it, stays
	rm -rf .venv .pytest_cache .hypothesis .mypy_cache .ruff_cache pictures test-results
	find raisesum tests -name __pycache__ -type d -prune -exec rm -rf {} +

setup-run:
	@tools/setup.sh run

setup-test:
	@tools/setup.sh test
