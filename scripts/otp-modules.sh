#!/bin/sh
# Adds the modules of the OTP that is installed to those whose names generated Erlang modules do not take. Names of other
# versions stay: a codec must not take one of theirs either.
set -eu
cd "$(dirname "$0")/.."
list=compiler/languages/erlang/src/otp_modules.txt
found=$(mktemp)
# Applications of OTP say what they run on; erts has no folder of that kind everywhere.
erl -noshell -eval '
    Files = filelib:wildcard(filename:join([code:lib_dir(), "*", "ebin", "*.app"])),
    Named = [Modules || File <- Files, {ok, [{application, _, About}]} <- [file:consult(File)],
        proplists:is_defined(runtime_dependencies, About), Modules <- proplists:get_value(modules, About, [])],
    Preloaded = erlang:pre_loaded(),
    [io:format("~ts~n", [Name]) || Name <- lists:usort(Named ++ Preloaded), is_atom(Name)],
    halt().' >"$found"
LC_ALL=C sort -u -o "$found" "$found" "$list"
mv "$found" "$list"
chmod 644 "$list"
wc -l "$list"
