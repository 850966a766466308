#!/bin/sh
# The checks that take seconds, before each commit. To use it: ln -s ../../scripts/pre-commit.sh .git/hooks/pre-commit
set -eu
cd "$(git rev-parse --show-toplevel)"

fail() {
    echo "pre-commit: $*" >&2
    exit 1
}

changed=$(git diff --cached --name-only --diff-filter=ACM)
[ -n "$changed" ] || exit 0

if echo "$changed" | grep -q '\.rs$'; then
    cargo fmt --all --check >/dev/null || fail 'cargo fmt would change files; run make fmt'
fi
if command -v mix >/dev/null 2>&1 && echo "$changed" | grep -q '^runtime/elixir/.*\.exs\{0,1\}$'; then
    (cd runtime/elixir && mix format --check-formatted) || fail 'mix format would change files in runtime/elixir'
fi
git diff --cached --check -- ':!conformance' ':!*/golden/*' || fail 'white space at the end of lines, or marks of a conflict'

# A relative clause in the place of a noun is read twice: "The length of a run", not "What is as long as a run".
if git diff --cached -U0 -- ':!conformance/schemas' ':!conformance/lint' | grep -E '^\+ *(//[/!]?|#|%%?|\*) (What|Of|Whoever|Whatever|Whose) ' | grep -v 'What to '; then
    fail 'these comments begin with a relative clause: begin them with their noun'
fi

# Files made by programs and vectors may be long; code may not.
echo "$changed" | grep -vE '/golden/|/data/|^conformance/|^docs/|\.(json|md|svg|lock|txt)$' | while IFS= read -r file; do
    lines=$(git show ":$file" | wc -l)
    [ "$lines" -le 600 ] || fail "$file has $lines lines; files stay under 600: where is its seam?"
done
