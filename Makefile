PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help run test check format ui bench clean

help: ## List the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

run: $(READY) ## Set up, then run the quickstart sweep on the embedded model and report on it
	$(BIN)/abstain experiment=quickstart
	$(BIN)/abstain task=report task.name=quickstart

test: $(READY) ## Set up, then run the tests
	$(BIN)/python -m pytest

check: $(READY) ## Formatter, linter and strict types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(READY) ## Let the formatter and the linter mend what they can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

ui: $(READY) ## Open the MLflow UI of the runs below this folder on 127.0.0.1:5000
	$(BIN)/mlflow ui --host 127.0.0.1 --port 5000 --backend-store-uri sqlite:///$(CURDIR)/mlruns/mlflow.db

bench: $(READY) ## Measure the engine, a whole sweep and the scoring, side by side with what they replace
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/sweep.py
	$(BIN)/python benchmarks/framework.py
	$(BIN)/python benchmarks/scoring.py

clean: ## Remove the environment and the caches of the tools (runs and stores stay)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
		|| { echo "abstain needs Python 3.11 to 3.13; name one: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	@echo "Installing torch (large) ..."
	$(BIN)/python -m pip install --quiet --constraint requirements.lock torch
	@echo "Installing the rest; llama-cpp-python is compiled from source, about 5 minutes on two cores the first time ..."
	$(BIN)/python -m pip install --quiet --constraint requirements.lock --editable '.[demo,dev]'
	@touch $(READY)
