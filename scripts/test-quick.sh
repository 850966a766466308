#!/bin/sh
# The tests that say most within three minutes, for daily work: formatting, lints, the tests of all Rust libraries with their golden files,
# vectors and error corpus, those of the command that start no other compiler, and one schema of each format through the languages
# that do not take long. `make test` is everything.
set -u
cd "$(dirname "$0")/.."
. scripts/steps.sh

CARGO_PROFILE_DEV_DEBUG=none
export CARGO_PROFILE_DEV_DEBUG

# Tests that compile generated code, or try random schemas or limits, are left to `make test`, and so are Dialyzer and `mix format`.
libraries() {
    cargo test --quiet --workspace --no-fail-fast --lib --bins --test golden --test errors --test layering --test circles --test language \
        --test plans --test vectors --test fbe_vectors --test sbe_vectors --test capnp_vectors \
        --test capnp_json --test json_keys --test explain -- --skip dialyzer --skip every_schema_of_ours
}

command_line() {
    cargo test --quiet -p aldis --test command -- codes:: explain:: fmt:: lint:: plugin:: project:: schema:: stats:: stream:: watch:: \
        usage_errors help_teaches support_matrix
}

conform() {
    status=0
    for schema in conformance/schemas/market.fbe conformance/schemas/market.xml conformance/schemas/addressbook.capnp; do
        "${CARGO_TARGET_DIR:-target}/debug/aldis" conform "$schema" --exact=javascript --count 5 \
            --lang interpreter,erlang,cpp,elixir,javascript || status=1
    done
    return $status
}

if ! cargo build -p aldis; then
    echo 'failed: the command aldis cannot be built'
    exit 1
fi

queue first
step 'formatting' cargo fmt --all --check
step 'lints' cargo clippy --workspace --all-targets --quiet -- -D warnings
step 'tests of the libraries' libraries
step 'tests of the command' command_line
queue shared
step 'conformance of one schema a format' conform
run_steps
