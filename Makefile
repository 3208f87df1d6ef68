# Python 3.11 or newer, pip and make are enough; everything else goes into .venv.
#
#   make play ARGS="--players 3"       arguments for the command
#   make play CARDSET=my_game.yaml     another card set
#   make test PYTHON=python3.12        another Python for a new .venv

PYTHON ?= python3
CARDSET ?= cardsets/sushi_go.yaml
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin

# A comma in the text of a call would end an argument.
COMMA := ,

# Python keeps what it has compiled, also where somebody asked for the contrary: tests start many short processes, and
# each would compile the program anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

# ── Commands ────────────────────────────────────────────────────────────────────────────────────────────────────────

.PHONY: play
play: $(VENV)/.installed ## Play a game, and say how to reach the command
	@trap : INT; $(BIN)/draftengine play $(CARDSET) $(ARGS) || { status=$$?; test $$status -eq 130 || exit $$status; }
	@command -v draftengine >/dev/null || \
		echo 'For draftengine itself in this terminal: source $(BIN)/activate (then: draftengine --help)' >&2

# Every check runs, so that one call shows all there is to mend: beside the tests, and what it says is shown as it ends.
# Of the whole suite the last line is pytest's summary, unless something failed: then it says what.
CHECKS = 'ruff check --quiet' 'ruff format --check --quiet' 'mypy' 'lint-imports --no-logo --no-cache' \
	'lint-imports --no-logo --no-cache tests/runtime_imports.toml'

# A process for each core. Neighbouring tests run in the same one, because they need the same games; whoever is done first
# takes over some of the others' tests.
SHARED = -n auto --dist=worksteal

.PHONY: test
test: $(VENV)/.installed-dev ## Run every check and every test
	@failed=$$(mktemp); trap 'rm -f "$$failed"' EXIT; \
	for check in $(CHECKS); do \
		said=$$($(BIN)/$$check 2>&1) || echo "$$check" >> "$$failed"; \
		printf '\n== %s\n%s\n' "$$check" "$$said"; \
	done & trap 'kill $$! 2>/dev/null; exit 130' INT TERM; \
	echo '== pytest'; \
	$(BIN)/pytest $(SHARED) $(ARGS) || echo pytest >> "$$failed"; \
	wait; \
	test ! -s "$$failed" || { echo "make test failed in: $$(paste -sd, "$$failed")" >&2; exit 1; }

.PHONY: test-web
test-web: $(VENV)/.installed-dev ## Run every test of tables in the browser, with Chromium and PostgreSQL
	@$(BIN)/python tests/serve/needed.py
	@DRAFTENGINE_WEB=1 $(BIN)/pytest $(SHARED) tests/serve $(ARGS)

.PHONY: prose
prose: $(VENV)/.installed-dev ## List what the linter of prose and names finds (ARGS=--write lowers its baseline)
	@PYTHONPATH=tests $(BIN)/python -m prose $(ARGS)

.PHONY: nightly
nightly: $(VENV)/.installed-dev docs-site ## Build the site, and run the tests with many more generated examples
	@DRAFTENGINE_NIGHTLY=1 $(BIN)/pytest $(SHARED) $(ARGS)

.PHONY: mutation
mutation: $(VENV)/.installed-dev ## Plant mistakes and list those that no test finds (an hour; ARGS="--sample 20")
	@$(BIN)/python benchmarks/mutation.py $(ARGS)

PURE := $(foreach package,engine model,*/draftengine/$(package)/*)
empty :=
PURE := $(subst $(empty) ,$(COMMA),$(PURE))

.PHONY: coverage
coverage: $(VENV)/.installed-dev ## Show which lines and branches no test reaches; the pure packages have a threshold
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest $(ARGS)
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report
	@echo 'The pure packages:'
	@$(BIN)/coverage report --include='$(PURE)' --fail-under=97

.PHONY: bench
bench: $(VENV)/.installed-bench ## Run the benchmarks (figures go to bench.json; ARGS=--write for the documents)
	@$(BIN)/python benchmarks bench.json $(ARGS)

.PHONY: bench-bots
bench-bots: $(VENV)/.installed-bench ## Measure how strong the bots are (some hours; ARGS="--only 'sushi_go 2'")
	@$(BIN)/python benchmarks/bots.py $(ARGS)

.PHONY: bench-levels
bench-levels: $(VENV)/.installed-bench ## Measure levels against their neighbours, and agents against levels (an hour)
	@$(BIN)/python benchmarks/levels.py $(ARGS)

.PHONY: tables
tables: $(VENV)/.installed-bench ## Learn what bots know of the shipped games, where it is missing or the rules have changed
	@$(BIN)/python tests/bots/ship_tables.py $(ARGS)

.PHONY: learnt
learnt: tables ## Teach networks the shipped games that have none yet (hours in all; ARGS="sushi_go" for some)
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python tests/bots/ship_networks.py $(ARGS)

.PHONY: format
format: $(VENV)/.installed-dev ## Format the code and mend what can be mended by itself
	@$(BIN)/ruff check --fix-only
	@$(BIN)/ruff format

.PHONY: clean
clean: ## Remove .venv and everything else that was made here
	@rm -rf $(VENV) build dist htmlcov .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache \
		.ruff_cache
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# ── Generated files: each is what one command prints; the tests compare them ─────────────────────────────────────────

GENERATED := $(foreach kind,cardset scenarios tables game,schemas/$(kind).schema.json)

schemas/%: COMMAND = schema $(firstword $(subst ., ,$(@F)))

PAGES := $(foreach page,cli findings gallery keys limits recipes rules,docs/$(page).md)

TABLES := src/draftengine/model/language/formula_tables.json

.PHONY: docs $(GENERATED) $(PAGES) $(TABLES) tests/corpus/wrong.tsv
docs: $(GENERATED) $(PAGES) $(TABLES) tests/corpus/wrong.tsv ## Write the generated files again

$(GENERATED): $(VENV)/.installed
	@mkdir -p $(@D)
	@$(BIN)/draftengine $(COMMAND) > $@.new || { rm -f $@.new; exit 1; }
	@mv $@.new $@
	@echo 'Wrote $@'

docs/cli.md: SCRIPT = reference.py
docs/findings.md: SCRIPT = findings_page.py
docs/gallery.md: SCRIPT = gallery_page.py
docs/keys.md: SCRIPT = keys_page.py
docs/limits.md: SCRIPT = limits_page.py
docs/recipes.md: SCRIPT = recipes_page.py
docs/rules.md: SCRIPT = rules_table.py
$(TABLES): SCRIPT = formula_tables.py
$(PAGES) $(TABLES): $(VENV)/.installed
	@PYTHONPATH=tests $(BIN)/python tests/docs/$(SCRIPT) > $@.new || { rm -f $@.new; exit 1; }
	@mv $@.new $@
	@echo 'Wrote $@'

tests/corpus/wrong.tsv: $(VENV)/.installed
	@$(BIN)/python tests/corpus/make.py > $@.new || { rm -f $@.new; exit 1; }
	@mv $@.new $@
	@echo 'Wrote $@'

# The one script that is not written here. Versions and hashes of its packages are in editor/package-lock.json.
EDITOR := src/draftengine/apps/web/static/vendor/editor.js

.PHONY: editor
editor: ## Bundle the editor of the workshop again (needs Node)
	@cd editor && npm ci --silent --no-audit --no-fund && npm run --silent build
	@sha256sum $(EDITOR) | cut -d ' ' -f 1 > editor/bundle.sha256
	@echo 'Wrote $(EDITOR)'

.PHONY: docs-site
docs-site: $(VENV)/.installed-docs ## Build the documentation site in build/site; a warning is an error
	@$(BIN)/sphinx-build -W --keep-going -q -E docs build/site
	@echo 'Wrote build/site/index.html'

.PHONY: pictures
pictures: $(VENV)/.installed-dev ## Take the pictures of the documents again (needs Chromium and a font with emoji)
	@for folder in serve tui rulebook cardsheets docs simulation; do \
		PYTHONPATH=tests $(BIN)/python -m $$folder.pictures docs/pictures || exit 1; \
	done

# ── The environment ─────────────────────────────────────────────────────────────────────────────────────────────────

# Install this project with the extras named by $(1) into .venv, which is made first if need be. Quiet unless it fails.
# Those named by $(2) make it quick: with them if they come ready for this machine, without them if not.
define install
@command -v $(PYTHON) >/dev/null || { \
	echo 'Cannot find $(PYTHON): install Python 3.11 or newer, or name one (make PYTHON=/path/to/python3).' >&2; exit 1; }
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo "draftengine needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) -V 2>&1);" \
		'name another one (make PYTHON=python3.12).' >&2; exit 1; }
@echo 'Setting up $(VENV), which takes a minute (only now and after a change of pyproject.toml) ...' >&2
@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { \
	$(PYTHON) -m venv --clear --without-pip $(VENV) && \
	$(PYTHON) -m pip --python $(BIN)/python install --quiet pip </dev/null; } || { rm -rf $(VENV); \
	echo 'Cannot make $(VENV): this Python needs its venv module (Debian and Ubuntu: apt install python3-venv).' >&2; exit 1; }
$(if $(2),@$(PIP) --only-binary llvmlite$(COMMA)numpy --editable '.$(2)' </dev/null >$(VENV)/install.log 2>&1 || \
	)$(if $(2),,@)$(PIP) --editable '.$(1)' </dev/null >$(VENV)/install.log 2>&1 || { \
	cat $(VENV)/install.log >&2; echo 'Cannot install draftengine into $(VENV): see above.' >&2; exit 1; }
@touch $(VENV)/.installed $@
endef

PIP = $(BIN)/python -m pip install --disable-pip-version-check

$(VENV)/.installed: pyproject.toml
	$(call install,[tui],[fast$(COMMA)tui])

$(VENV)/.installed-dev: pyproject.toml
	$(call install,[dev])

$(VENV)/.installed-docs: pyproject.toml
	$(call install,[docs])

$(VENV)/.installed-bench: pyproject.toml
	$(call install,[fast$(COMMA)rl$(COMMA)tui])
