#!/bin/sh
# Builds the committed tree twice, in two folders, each with an empty cache of
# the compiler, and compares the programs byte by byte.
set -eu
cd "$(dirname "$0")/.."
top=$(mktemp -d)
trap 'chmod -R u+w "$top"; rm -rf "$top"' EXIT
VERSION=reproduced
COMMIT=$(git rev-parse HEAD)
export VERSION COMMIT
for copy in one another/deeper; do
	mkdir -p "$top/$copy"
	git archive HEAD | tar -x -C "$top/$copy"
	(cd "$top/$copy" && GOCACHE="$top/cache" sh scripts/compile.sh "$top/$copy/parley")
	sha256sum "$top/$copy/parley"
	rm -rf "$top/cache"
done
cmp "$top/one/parley" "$top/another/deeper/parley"
echo "the two are equal"
