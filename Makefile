.PHONY: demo test check bench torture processors packages packages-test clean

PYTHON = .venv/bin/python
# Two processes a core, because many tests wait for servers, each with whole files in the order of tests/conftest.py.
SIDE_BY_SIDE = -n $(shell expr $$(getconf _NPROCESSORS_ONLN) '*' 2) --maxprocesses 8 --dist loadfile --no-loadscope-reorder
# Without files of bytecode dozens of processes of the suite would each compile all modules.
export PYTHONDONTWRITEBYTECODE =

demo: ## Show nbmail on a built-in demo mailbox.
	@packaging/prepare.sh run
	@$(PYTHON) -m nbmail --demo

test: ## Lint, types and the whole suite.
	@packaging/prepare.sh test
	@packaging/beside.sh "$(MAKE) --no-print-directory check" "$(PYTHON) -m coverage run -m pytest $(SIDE_BY_SIDE)"
	@packaging/covered.sh

check: ## Lint and types only.
	@packaging/prepare.sh test
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy

bench: ## Every measurement, each beside its peer.
	@packaging/prepare.sh test
	$(PYTHON) -m tests.bench all

torture: ## The long versions of the tests: kills, faults, mutations; the C parts with every check.
	@packaging/prepare.sh test
	NBMAIL_TORTURE=1 $(PYTHON) -m pytest $(SIDE_BY_SIDE)
	packaging/sanitize.sh

processors: ## The suite as other kinds of processors would run it: sums of floats may differ, nothing may depend on them.
	@packaging/prepare.sh test
	for kind in Prescott Haswell Zen; do OPENBLAS_CORETYPE=$$kind $(PYTHON) -m pytest -q $(SIDE_BY_SIDE) || exit 1; done
	NPY_DISABLE_CPU_FEATURES="$$($(PYTHON) -m tests.processor_features)" $(PYTHON) -m pytest -q $(SIDE_BY_SIDE)

packages: ## Wheels, a Debian package, a Windows installer and a Flatpak manifest, into dist/.
	@packaging/prepare.sh packages
	@packaging/packages.sh

packages-test: ## Install and start what `make packages` builds: in clean environments and a root of Debian 13.
	@packaging/prepare.sh packages
	@packaging/packages_test.sh

clean: ## Remove everything that was made.
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	find nbmail -name '*.so*' -delete
