#!/bin/sh
# Runs every fuzz target of the module for the time given.
set -eu
cd "$(dirname "$0")/.."
time=${1:-20s}
grep -rlE '^func Fuzz' --include='*_test.go' . | while read -r file; do
  grep -oE '^func Fuzz[A-Za-z0-9]+' "$file" | sed 's/func //' | while read -r target; do
    echo "== $target ($(dirname "$file"))"
    go test "$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "$time"
  done
done
