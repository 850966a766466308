# The tasks of this repository. Every target works from a fresh clone on a Debian-like machine.

.PHONY: help setup demo test test-quick test-otp playground book release bench bench-check bench-beam bench-cpp bench-js bench-java bench-csharp bench-python bench-account bench-all bench-etf bench-tcp bench-captures wheel spark torture fuzz fuzz-beam fuzz-cpp fuzz-js fuzz-python asan-python fmt lint deny

help:
	@echo "make setup   install what is missing (says what; quick when nothing is)"
	@echo "make demo    compile two market schemas, stream a million messages through the generated Erlang codecs"
	@echo "             with your own feed: make demo FEED=FILE SCHEMA=FILE FRAMING=u32le"
	@echo "make test    everything that CI runs"
	@echo "make test-quick  the part of it that says most in three minutes"
	@echo "make test-otp  the Erlang and Elixir tests and conformance on OTP 27 with Elixir 1.18, and OTP 29 with 1.20:"
	@echo "             installs Debian's trixie and sid in target/otp, from apt's own mirror; as root, not in CI"
	@echo "make bench   how fast the interpreter reads and writes"
	@echo "make bench-cpp  generated C++ against hand-written C++, protobuf, FlatBuffers, libcapnp and sbe-tool;"
	@echo "             writes docs/cpp.*"
	@echo "make bench-check runs bench-cpp and bench-beam, and fails when a ratio got worse than its limit"
	@echo "make bench-beam  generated Erlang against the VM's own terms and hand-written code; writes docs/beam.*;"
	@echo "             with your own market data: make bench-beam FEED=FILE SCHEMA=FILE"
	@echo "make bench-js  generated JavaScript against codecs by hand, JSON and other libraries, in Node and Chromium; writes docs/js.*"
	@echo "make bench-java  generated Java against codecs by hand and other libraries; writes docs/java.*"
	@echo "make bench-csharp  generated C# against codecs by hand and other libraries; writes docs/csharp.*"
	@echo "make bench-python  generated Python against codecs by hand, protobuf and pycapnp; writes docs/python.txt"
	@echo "make bench-account  FBE's account in every language: serialize, deserialize, verify; writes docs/account.*"
	@echo "make bench-all  every table of generated code and of the transport, some half an hour on a quiet machine"
	@echo "make bench-etf  terms against JSON: in Node and a browser, and on OTP 27 against its json, Elixir's JSON and jiffy;"
	@echo "             writes docs/etf-js.* and docs/etf-beam.*; as root, in target/otp/trixie as test-otp"
	@echo "make bench-tcp  the transport's tiers against a plain C++ server; writes docs/tcp.*"
	@echo "             with NATS JetStream beside it (needs Go): make bench-tcp JETSTREAM=1"
	@echo "make bench-captures  captures to Parquet and statistics, beside the crates alone and sbe-tool on the fly;"
	@echo "             writes docs/captures.*; with your own: make bench-captures SCHEMA=FILE FEED=FILE, u32le-framed"
	@echo "make wheel   the Python package with the engine and the command in it, in target/wheel, tried in an empty environment"
	@echo "make spark   framed files in Spark with two workers of this machine, by the Python package and by parts of aldis convert;"
	@echo "             fetches PySpark into target/tools/spark the first time, not in CI"
	@echo "make playground  a page that tries schemas and messages in a browser, in target/playground/index.html"
	@echo "make book    the pages of docs as a site, in target/book; compiles mdBook the first time"
	@echo "make release all packages from one version number, in target/release-VERSION, and each tried in a clean place"
	@echo "make torture servers, clients and connections die at random, and no acked message is lost or doubled;"
	@echo "             a hundred rounds, or: make torture ROUNDS=n SEED=s; with NATS JetStream as the log (needs Go):"
	@echo "             make torture SINK=jetstream"
	@echo "make fuzz    every fuzz target for five minutes; needs cargo-fuzz and a nightly toolchain"
	@echo "make fuzz-beam  mutated messages of every wire form into generated Erlang and Elixir, 100,000 a form, or:"
	@echo "             make fuzz-beam COUNT=n"
	@echo "make fuzz-js  damaged messages of every wire form into generated JavaScript in Node, 100,000 a form, or:"
	@echo "             make fuzz-js COUNT=n"
	@echo "make fuzz-python  the same into generated Python, or: make fuzz-python COUNT=n"
	@echo "make asan-python  the engine of Python's wheel under AddressSanitizer for ten minutes, or: make asan-python SECONDS=n"
	@echo "make fuzz-cpp  libFuzzer on generated C++, five minutes a target, or: make fuzz-cpp TIME=seconds"
	@echo "make fmt     format all code"
	@echo "make lint    formatting and lints, no tests"
	@echo "make deny    licences, duplicates and known faults of the dependencies; compiles cargo-deny the first time"

setup:
	@scripts/setup.sh

demo:
	@scripts/setup.sh demo
	@FEED="$(FEED)" SCHEMA="$(SCHEMA)" FRAMING="$(FRAMING)" scripts/demo.sh

test: setup
	@scripts/test.sh

test-quick: setup
	@scripts/test-quick.sh

test-otp: setup
	@cargo build --quiet --package aldis
	@scripts/with-otp.sh trixie 27 1.18
	@scripts/with-otp.sh sid 29 1.20

bench: setup
	@scripts/bench.sh

bench-cpp: setup
	@bench/cpp/run.sh

bench-beam: setup
	@FEED="$(FEED)" SCHEMA="$(SCHEMA)" bench/beam/run.sh

bench-js: setup
	@bench/js/run.sh

bench-java: setup
	@bench/java/run.sh

bench-csharp: setup
	@bench/csharp/run.sh

bench-python: setup
	./bench/python/run.sh

bench-account: setup
	@bench/account/run.sh

# One after another, also under `make -j`: they measure.
bench-all: setup
	@for bench in cpp beam js java csharp python account tcp; do $(MAKE) --no-print-directory "bench-$$bench" || exit 1; done
	@bench/figures.py write

bench-check: bench-cpp bench-beam
	@bench/check.py

bench-etf: setup
	@cd bench/etf-js && npm ci --silent --no-audit --no-fund && ./run.sh
	@bench/etf-beam/run.sh trixie

bench-tcp: setup
	@JETSTREAM="$(JETSTREAM)" bench/tcp/run.sh

bench-captures: setup
	@bench/captures/run.sh $(if $(FEED),"$(SCHEMA)" "$(FEED)")

ROUNDS ?= 100
torture: setup
	@SINK="$(SINK)" torture/run.sh "$(ROUNDS)" "$(SEED)"

fuzz:
	@fuzz/run.sh

COUNT ?= 100000
fuzz-beam: setup
	@fuzz/beam/run.sh "$(COUNT)"

fuzz-js: setup
	@fuzz/js/run.sh "$(COUNT)"

fuzz-python: setup
	@fuzz/python/run.sh "$(COUNT)"

SECONDS ?= 600
asan-python: setup
	@fuzz/python/asan.sh "$(SECONDS)"

wheel: setup
	@scripts/wheel.sh

spark: setup
	@scripts/spark.sh

playground: setup
	@playground/build.sh

book: setup
	@scripts/book.sh

release: setup
	@scripts/release.sh
	@scripts/release-try.sh

TIME ?= 300
fuzz-cpp: setup
	@cargo build --quiet --package aldis
	@fuzz/cpp/run.sh "$(TIME)"

fmt:
	cargo fmt --all

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings

deny:
	@scripts/deny.sh
