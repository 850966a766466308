# What there is to do here. Every target works from a fresh clone on a Debian-like machine.

.PHONY: help setup demo test bench bench-beam bench-etf fuzz fmt lint

help:
	@echo "make setup   install what is missing (says what; quick when nothing is)"
	@echo "make demo    compile two market schemas, stream a million messages through the generated Erlang codecs"
	@echo "             with your own feed: make demo FEED=FILE SCHEMA=FILE FRAMING=u32le"
	@echo "make test    everything that CI runs"
	@echo "make bench   how fast the interpreter reads and writes"
	@echo "make bench-beam  generated Erlang against the VM's own terms and hand-written code; writes docs/beam.*;"
	@echo "             with your own market data: make bench-beam FEED=FILE SCHEMA=FILE"
	@echo "make bench-etf  terms against JSON: in Node and a browser, and on the BEAM against jiffy (Debian erlang-jiffy);"
	@echo "             writes docs/etf-js.* and docs/etf-beam.*"
	@echo "make fuzz    every fuzz target for five minutes; needs cargo-fuzz and a nightly toolchain"
	@echo "make fmt     format all code"
	@echo "make lint    formatting and lints, no tests"

setup:
	@scripts/setup.sh

demo: setup
	@FEED="$(FEED)" SCHEMA="$(SCHEMA)" FRAMING="$(FRAMING)" scripts/demo.sh

test: setup
	@scripts/test.sh

bench: setup
	@scripts/bench.sh

bench-beam: setup
	@FEED="$(FEED)" SCHEMA="$(SCHEMA)" bench/beam/run.sh

bench-etf: setup
	@cd bench/etf-js && npm ci --silent --no-audit --no-fund && ./run.sh
	@bench/etf-beam/run.sh

fuzz:
	@fuzz/run.sh

fmt:
	cargo fmt --all

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
