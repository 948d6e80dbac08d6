#!/bin/sh
# Copies the viewer of /docs, with its licences, from its package into the
# server's sources. With --check it copies nothing and fails where the sources
# hold another version.
set -eu
cd "$(dirname "$0")"
from=node_modules/swagger-ui-dist
sources=../../internal/reference/viewer
to=$sources
if [ "${1:-}" = --check ]; then
  to=$(mktemp -d)
  trap 'rm -r "$to"' EXIT
fi
mkdir -p "$to"
# The line that names a source map would make browsers ask for a file that is
# not there.
sed '/^\/\/# sourceMappingURL=/d' "$from/swagger-ui-bundle.js" > "$to/swagger-ui-bundle.js"
sed '/^\/\*# sourceMappingURL=/d' "$from/swagger-ui.css" > "$to/swagger-ui.css"
cp "$from/LICENSE" "$from/NOTICE" "$from/swagger-ui-bundle.js.LICENSE.txt" "$to/"
if [ "$to" != "$sources" ]; then
  diff -r "$sources" "$to" || { echo "the viewer is not that of the package: run npm run viewer" >&2; exit 1; }
fi
