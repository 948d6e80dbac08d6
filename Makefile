# Every target has its one line; make alone lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash
GO ?= go
BIN := bin
GOLANGCI_VERSION := v2.15.0
GOLANGCI := $(BIN)/golangci-lint-$(GOLANGCI_VERSION)

# What "parley version" tells where the Go tool puts no stamp of the repository
# into the program, as with GOFLAGS=-buildvcs=false or a build in a container.
VERSION ?=
COMMIT ?= $(shell git describe --always --abbrev=40 --exclude '*' --dirty=+dirty 2>/dev/null)
LDFLAGS = -X main.version=$(VERSION) -X main.commit=$(COMMIT)

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: dev
dev: ## Serve a demo workspace and start again when a Go file changes
	@sh scripts/dev.sh

.PHONY: build
build: ## Build the binary into bin/ (VERSION=1.2.3 names a release)
	$(GO) build -ldflags "$(LDFLAGS)" -o $(BIN)/parley ./cmd/parley

.PHONY: nodemo
nodemo: ## Build the binary without the demo and the fake network into bin/parley-nodemo
	$(GO) build -tags nodemo -ldflags "$(LDFLAGS)" -o $(BIN)/parley-nodemo ./cmd/parley
	$(GO) vet -tags nodemo ./cmd/parley

.PHONY: test
test: ## Run all tests (what needs PostgreSQL skips where there is none)
	$(GO) test ./...

.PHONY: test-postgres
test-postgres: ## Run all tests and fail where PostgreSQL is missing
	CI=true $(GO) test ./internal/... ./cmd/...

# Packages that contain the client library of the messaging application: under
# the race detector it takes six minutes to compile, and one race of its own
# between closing and being closed (NoiseSocket.Stop, FrameSocket.Close) would
# fail the tests now and then.
WITH_LIBRARY := parley/cmd/parley parley/internal/demo parley/internal/chatapp/chatsim parley/internal/chatapp/whatsapp

# Tests of the program as a process of its own, which the detector does not see.
ANOTHER_PROCESS := parley/internal/robustness parley/internal/robustness/%

# Packages that run something side by side, in themselves or in their tests.
GOROUTINES := \bgo func|\.Go\(|^\s+go [a-z]|t\.Parallel|sync\.WaitGroup
SIDE_BY_SIDE = $(sort $(shell grep -rlE '$(GOROUTINES)' --include=*.go internal | xargs dirname))

# SQLite is C that was translated to Go. Under the race detector, watching each
# of its reads takes more than half of the tests' time and sees nothing of ours:
# what goroutines share is above it.
RACE := -race -gcflags=modernc.org/...=-race=false

# The largest packages, and what they do side by side by the names of their tests.
LARGEST := $(addprefix parley/internal/,backup dashboard erasure publicapi)
AT_ONCE := AtOnce|While|Beside|Race|Stream|Load|Held|Idempot|Fair|Follow|Reset|Ends|Waits|Search|Bulk|FreshState

# Tests of the others that are long and do one thing after another.
SEQUENTIAL := TestUpgrades|TestFillLeavesTablesOfOthers|TestHistory|TestRoundTrip|TestLookupPlans|TestSearchPlan|TestBudgetOfAnAddress|$\
	TestQuestionsOfAnAddress|TestOriginsOfOtherInterfaces|TestBudgetsOfVisitors|TestThrottlesOfAnAddress|TestReasonForPeople|$\
	TestManyNotices|TestWhenAgainstWalker

.PHONY: test-race
test-race: ## Run the short form of the tests under the race detector, but for what contains the messaging application's library, and what runs nothing side by side
	$(GO) test $(RACE) -short -run '$(AT_ONCE)' -vet=off -p 4 -timeout 20m $(LARGEST)
	$(GO) test $(RACE) -short -skip '^($(SEQUENTIAL))$$' -vet=off -p 4 -timeout 20m parley/internal/store $(filter-out parley/internal/store $(LARGEST) $(WITH_LIBRARY) $(ANOTHER_PROCESS),$(addprefix parley/,$(SIDE_BY_SIDE)))

.PHONY: test-race-all
test-race-all: ## Run all tests under the race detector, but for what contains the messaging application's library
	$(GO) test $(RACE) -vet=off -timeout 60m $(filter-out $(WITH_LIBRARY),$(shell $(GO) list ./...))

.PHONY: test-race-library
test-race-library: ## Run the other tests under the race detector; slow, and a race inside the library is not ours
	$(GO) test $(RACE) -timeout 30m $(WITH_LIBRARY)

.PHONY: golden
golden: ## Write the golden files anew, and complete the examples of answers; look at the difference
	$(GO) test . ./internal/wire ./internal/publicapi ./internal/dashboard ./api -run 'Golden|AnswersHaveExamples' -update

.PHONY: fuzz
fuzz: ## Run every fuzz target for 20 seconds
	@sh scripts/fuzz.sh 20s

.PHONY: bench
bench: ## Measure posting against the same SQL without HTTP and beside an erasure, lists, reports, search, help centers, and 10,000 event streams
	$(GO) test -run '^$$' -bench . -benchtime 3s -count 3 ./cmd/parley ./internal/store ./internal/wire ./internal/desk ./internal/reports ./internal/dashboard ./internal/erasure ./internal/helpcenter ./internal/knowledge/ranking

.PHONY: soak
soak: ## Deliver a million events over two nodes that are killed and a line that breaks, with and without wake-ups
	PARLEY_SOAK=1000000 $(GO) test ./cmd/parley -run TestStreamsMissNothing -v -timeout 40m

.PHONY: soak-long
soak-long: ## Let a server work at half of what it can for two hours, and watch memory, goroutines, log and queue (TIME=20m: for less)
	PARLEY_SOAK_TIME=$(or $(TIME),2h) $(GO) test ./internal/robustness -run 'TestSoak$$' -v -timeout 6h

.PHONY: torture
torture: ## The long forms of tests: upgrades interrupted at every statement, nodes of two versions, backups that are killed, damaged, and of a million messages, a million hostile requests, the image, a thousand kills, two hundred power cuts, forty failovers, clocks that jump, little memory, fifty workspaces side by side and two hundred histories
	PARLEY_TORTURE=1 $(GO) test ./internal/store ./cmd/parley -run 'TestUpgrades|TestRollingUpgrade|Killed|TestImageRuns' -v -timeout 60m
	PARLEY_TORTURE=1 $(GO) test ./internal/backup -run 'TestEncrypted|TestVerify|TestBackupUnderLoad' -v
	PARLEY_TORTURE=1 $(GO) test ./internal/publicapi ./internal/dashboard ./internal/widget -p 1 -run TestHostileRequests -v -timeout 120m
	PARLEY_TORTURE=1 $(GO) test ./internal/calendar -run TestCalendarAgainstWalker -v
	PARLEY_TORTURE=1 $(GO) test ./internal/threads -run OfManyMessages -v
	PARLEY_BACKUP_MESSAGES=1000000 $(GO) test ./internal/backup -run TestBackupBesidePosting -v -timeout 60m
	PARLEY_TORTURE=1 $(GO) test ./internal/robustness -v -timeout 180m

.PHONY: fault
fault: ## Show a fault that was mended (NAME=unconfirmed-commit; docs/track-record.md has the names): its test on the code before, and now
	sh scripts/show-fault.sh "$(NAME)"

.PHONY: faults
faults: ## Show all faults that were mended, one by one; takes an hour or two
	sh scripts/show-fault.sh

.PHONY: release
release: ## Make the archives of a release in bin/release, with their sums (VERSION=1.2.3)
	sh scripts/release.sh "$(VERSION)"

.PHONY: postgres-versions
postgres-versions: ## Run the short tests of the store and the public API, and the kills, on PostgreSQL 16, 17 and 18 from npm
	sh scripts/postgres-versions.sh

.PHONY: reproduce
reproduce: ## Build the committed tree twice, in two folders, and compare the programs byte by byte
	sh scripts/reproduce.sh

.PHONY: lint
lint: $(GOLANGCI) ## Formatting and the linters of .golangci.yaml, vet and staticcheck among them
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "not formatted, run gofmt -w: $$unformatted"; exit 1; }
	$(GOLANGCI) run

$(GOLANGCI):
	GOBIN=$(CURDIR)/$(BIN) $(GO) install -ldflags '-s -w' github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(BIN)/golangci-lint $@

.PHONY: openapi
openapi: web/openapi/node_modules ## Lint the OpenAPI documents
	cd web/openapi && npm run --silent lint

.PHONY: clients
clients: build web/openapi/node_modules ## Generate clients in TypeScript and Go, compile them, and call a running server with each
	cd web/openapi && npm run --silent generate && npm run --silent clients

.PHONY: types
types: web/openapi/node_modules ## Write the pages' types of the API from the OpenAPI documents
	cd web/openapi && npm run --silent types

.PHONY: notices
notices: web/dashboard/node_modules web/widget/node_modules ## Write what is linked and shipped, and its licences, into THIRD_PARTY_NOTICES.txt and SBOM.cdx.json
	$(GO) run ./scripts/notices > THIRD_PARTY_NOTICES.tmp
	mv THIRD_PARTY_NOTICES.tmp THIRD_PARTY_NOTICES.txt
	$(GO) run ./scripts/notices sbom > SBOM.tmp
	mv SBOM.tmp SBOM.cdx.json

.PHONY: generated
generated: clients notices ## Check that what is copied or generated is current
	cd web/openapi && npm run --silent viewer && npm run --silent types:check
	$(GO) mod tidy -diff
	cd web/openapi/goclient && $(GO) mod tidy -diff
	git diff --exit-code -- internal/reference/viewer THIRD_PARTY_NOTICES.txt SBOM.cdx.json

.PHONY: dashboard
dashboard: web/node_modules web/dashboard/node_modules ## Check and test the dashboard, build it, and check that the built files are current
	cd web && npm run --silent test
	cd web/dashboard && npm run --silent check && npm run --silent test && npm run --silent build
	git diff --exit-code --stat -- web/dashboard/dist
	@untracked=$$(git ls-files --others --exclude-standard web/dashboard/dist); [ -z "$$untracked" ] || { echo "not committed: $$untracked"; exit 1; }

.PHONY: widget
widget: web/node_modules web/widget/node_modules ## Check and test the chat widget, build it, check its size and that the built files are current
	cd web/widget && npm run --silent check && npm run --silent test && npm run --silent build
	git diff --exit-code --stat -- web/widget/dist
	@untracked=$$(git ls-files --others --exclude-standard web/widget/dist); [ -z "$$untracked" ] || { echo "not committed: $$untracked"; exit 1; }

.PHONY: reference
reference: build web/openapi/node_modules ## Open the API reference in a real browser and look for anything it loads from outside
	cd web/openapi && node reference.test.mjs ../../$(BIN)/parley

.PHONY: browser
browser: browser-dashboard browser-widget ## Use dashboard and widget in a real browser: what they do, markup as text, axe, keys, speed

.PHONY: browser-dashboard
browser-dashboard: build web/dashboard/node_modules web/dashboard/test/node_modules ## The dashboard's part of browser (SHORT=true: the short form, as check runs it)
	cd web/dashboard/test && node run.mjs ../../../$(BIN)/parley

.PHONY: browser-widget
browser-widget: build web/dashboard/test/node_modules web/widget/node_modules ## The widget's part of browser
	cd web/widget/test && node run.mjs ../../../$(BIN)/parley

.PHONY: format
format: web/node_modules ## Format the browser's side
	cd web && npm run --silent format

web/node_modules: web/package-lock.json
	cd web && npm ci --no-audit --no-fund --ignore-scripts
	@touch $@

web/dashboard/test/node_modules: web/dashboard/test/package-lock.json
	cd web/dashboard/test && npm ci --no-audit --no-fund --ignore-scripts
	@touch $@

web/openapi/node_modules: web/openapi/package-lock.json
	cd web/openapi && npm ci --no-audit --no-fund
	@touch $@

web/dashboard/node_modules: web/dashboard/package-lock.json
	cd web/dashboard && npm ci --no-audit --no-fund
	@touch $@

web/widget/node_modules: web/widget/package-lock.json
	cd web/widget && npm ci --no-audit --no-fund
	@touch $@

.PHONY: tools
tools: web/node_modules web/dashboard/node_modules web/dashboard/test/node_modules web/widget/node_modules web/openapi/node_modules $(GOLANGCI) ## Download what check needs

# Two at a time, because each waits now and then. The steps have an order: the
# compiler embeds what the builds of the pages write, gofmt and tests read what
# the generators write, and a scene measures how fast the pages are.
.PHONY: check
check: tools ## Exactly what CI runs behind the tests
	$(MAKE) check-web
	$(MAKE) --jobs=2 --output-sync=recurse test-race lint nodemo
	SHORT=true $(MAKE) --jobs=2 --output-sync=recurse browser-dashboard reference browser-widget

.PHONY: check-web
check-web: ## What check does to pages, documents and clients, without opening a browser
	$(MAKE) --jobs=2 --output-sync=recurse dashboard widget openapi
	$(MAKE) --jobs=2 --output-sync=recurse generated

.PHONY: new-migration
new-migration: ## Make the next migration: make new-migration name=add_something
	@sh scripts/new-migration.sh "$(name)"
