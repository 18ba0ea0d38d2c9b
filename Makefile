# `make demo` and `make test` do all the set-up themselves: a virtual environment of their own, the program, its tools.
# They need Python 3.11 or later, git and make. `make help` lists the rest.

VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
COMPILING := $(BIN)/python -m fairlead.cli.compiling

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
# Python's bytecode is kept, whatever the machine says, and made when a module is first imported: without it every
# process that a test starts would read a thousand modules anew, 5.5 s instead of 1.5 s
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo browser test kernels tests quick style lint verify boundscheck rounding gpu-code bench docs pages pictures validation wheels clean distclean

help:
	@echo "make demo         run a mooring and show it: open demo/index.html"
	@echo "make test         style, imports and all tests but the slow ones, which make verify runs"
	@echo "make quick        the model, the algebra, the dense oracles and a short run of every formulation: a minute"
	@echo "make browser      install Chromium where it is missing, for the tests of the pages (Debian, Ubuntu)"
	@echo "make lint         style, imports and types"
	@echo "make verify       types, bounds checks, slow tests, and every comparison with a known answer"
	@echo "make boundscheck  tests of the kernels with every array index checked"
	@echo "make rounding     tests with code for another processor: TARGET=generic, x86-64-v3, ...; CONTRACTION=0"
	@echo "make gpu-code     what kernels become for a GPU: their registers, and what does not fit into them"
	@echo "make bench        speed and cost, beside MoorDyn"
	@echo "make docs         the documentation, in docs/_build/html, its links checked"
	@echo "make pages        write the generated parts of the documentation's pages again"
	@echo "make pictures     draw the pictures of the documentation again"
	@echo "make validation   run the checks again for the table in the documentation"
	@echo "make wheels       wheels with machine code, so that a first run compiles nothing, in dist/"
	@echo "make clean        remove what was made; make distclean removes the virtual environment too"

# --- set-up: stamps lie in the environment, so that they go when it goes ------------------------------------------

$(BIN)/python:
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11 python; do \
	    if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        echo "making $(VENV) with $$("$$python" --version) (once)"; \
	        "$$python" -m venv --clear $(VENV) && exit 0; \
	        rm -rf $(VENV); \
	        echo "'$$python -m venv' failed; on Debian and Ubuntu install python3-venv, then try again" >&2; \
	        exit 1; \
	    fi; \
	done; \
	echo "Fairlead needs Python 3.11 or later and found none; install one, or name it: make PYTHON=/path/to/python3" >&2; \
	exit 1

# uv fetches in a fifth of pip's time; where it is not to be had, or does not know where packages are, pip does it
get_uv = $(BIN)/python -m pip install -qq --no-compile uv 2>/dev/null || true
fetch = { $(BIN)/python -m uv pip install -q $(1) 2>/dev/null || $(BIN)/python -m pip install -qq --no-compile $(1); }

$(VENV)/.ready: pyproject.toml | $(BIN)/python
	@echo "installing Fairlead into $(VENV) (once, about a minute)"
	@$(get_uv)
	@$(call fetch,--editable .)
	@touch $@

$(VENV)/.ready-%: pyproject.toml | $(VENV)/.ready
	@echo "installing what '$*' needs (once)"
	@$(call fetch,--editable ".[$*]")
	@touch $@

# what kernels are made by is fetched first: a step and the statics are compiled while the rest is fetched
$(VENV)/.ready-to-show: pyproject.toml | $(BIN)/python
	@echo "installing Fairlead into $(VENV) and compiling (once, about a minute)"
	@$(get_uv)
	@$(call fetch,$$($(BIN)/python packaging/first_needs.py))
	@for part in --step --rest; do \
	        PYTHONPATH=src $(COMPILING) $$part examples/three_line_mooring.yaml >/dev/null 2>&1 & \
	    done; \
	    $(call fetch,--editable .) && touch $(VENV)/.ready && { $(COMPILING) --pages >/dev/null 2>&1; wait; }
	@touch $@

# --- what people ask for -------------------------------------------------------------------------------------------

demo: $(VENV)/.ready-to-show
	@$(BIN)/fairlead demo -o demo

# kernels are compiled while what the tests need is fetched; style and imports are looked at beside the tests
test: $(VENV)/.ready
	@$(MAKE) --no-print-directory --jobs=2 kernels $(VENV)/.ready-test
	@$(MAKE) --no-print-directory --jobs=2 style tests

kernels: $(VENV)/.ready
	@PYTHONPATH=src $(BIN)/python tests/first_compilation.py $(JOBS)

tests: $(VENV)/.ready-test
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

QUICK := tests/model tests/algebra tests/oracle $(wildcard tests/formulations/*/test_*dense_oracle.py) \
    tests/formulations/test_contract.py tests/formulations/test_short_runs.py

quick: $(VENV)/.ready-test
	@$(BIN)/python -m ruff check .
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(QUICK)

browser:
	@if ! { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null; then \
	    as=""; [ "$$(id -u)" = 0 ] || as=sudo; \
	    $$as apt-get update -qq && $$as apt-get install -qq --yes --no-install-recommends chromium; \
	fi

style: $(VENV)/.ready-test
	@$(BIN)/python -m ruff check .
	@$(BIN)/lint-imports --no-cache --no-logo

# types take a minute and a half of a core, so that `make test` leaves them to `make verify`
lint: style
	@$(BIN)/python -m mypy

verify: lint boundscheck rounding gpu-code
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m slow
	@$(BIN)/fairlead verify

boundscheck: $(VENV)/.ready-test
	@NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=.numba_cache/boundscheck \
	    $(BIN)/python -m pytest tests/algebra tests/formulations tests/oracle

# code for another processor rounds otherwise: no test may hang on the digits of one. By default that is the plainest of
# the machine's kind; others: `make rounding TARGET=x86-64-v3`, without fused multiply-add `make rounding CONTRACTION=0`,
# some tests `make rounding TESTS=tests/cosim`
TARGET ?= generic
CONTRACTION ?= 1
TESTS ?=

rounding: $(VENV)/.ready-test
	@NUMBA_CPU_NAME=$(TARGET) NUMBA_CPU_FEATURES= FAIRLEAD_CONTRACTION=$(CONTRACTION) \
	    NUMBA_CACHE_DIR=.numba_cache/$(TARGET)-$(CONTRACTION) \
	    $(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(TESTS)

# what compiles for a GPU is large, and takes the place of a part of numba: it has an environment of its own, which sees
# the packages of the other
GPU := .venv-gpu
packages = $$($(1)/bin/python -c 'import site; print(site.getsitepackages()[0])')

$(GPU)/.ready: pyproject.toml | $(VENV)/.ready-test
	@echo "installing what compiles for a GPU into $(GPU) (once, 300 MB)"
	@$(BIN)/python -m venv --clear $(GPU)
	@echo "import site; site.addsitedir('$(call packages,$(VENV))')" > "$(call packages,$(GPU))/beside.pth"
	@$(GPU)/bin/python -m pip install -qq "fairlead[gpu]" nvidia-cuda-nvcc
	@touch $@

gpu-code: $(GPU)/.ready
	@$(GPU)/bin/python -m pytest -m "slow or not slow" tests/ensembles/test_gpu.py tests/ensembles/test_gpu_code.py

bench: $(VENV)/.ready-bench
	@$(BIN)/fairlead bench

docs: $(VENV)/.ready-docs
	@$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs docs/_build/html
	@$(BIN)/python docs/check_links.py
	@echo "docs/_build/html/index.html"

pages: $(VENV)/.ready-docs
	@$(BIN)/python docs/generated_pages.py

pictures: $(VENV)/.ready
	@$(BIN)/python docs/make_pictures.py

validation: $(VENV)/.ready
	@$(BIN)/python docs/make_validation.py
	@$(BIN)/python docs/make_curves.py

# the environment that builds is clean; what compiles the kernels is our own, with numba and a linker in it
wheels: $(VENV)/.ready-test
	@$(BIN)/python -m pip install -qq build
	@for machine in x86_64 aarch64; do \
	    FAIRLEAD_WHEEL=$$machine FAIRLEAD_PYTHON=$(abspath $(BIN)/python) $(BIN)/python -m build --wheel || exit 1; \
	done

clean:
	@rm -rf demo build dist docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis .numba_cache
	@find src tests docs benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	@rm -rf $(VENV) $(GPU)
