#!/bin/sh
# Copies the viewer of /docs from its package into the server's sources.
set -eu
cd "$(dirname "$0")"
from=node_modules/swagger-ui-dist
to=../../internal/reference/viewer
mkdir -p "$to"
# The line that names a source map would make browsers ask for a file that is
# not there.
sed '/^\/\/# sourceMappingURL=/d' "$from/swagger-ui-bundle.js" > "$to/swagger-ui-bundle.js"
sed '/^\/\*# sourceMappingURL=/d' "$from/swagger-ui.css" > "$to/swagger-ui.css"
cp "$from/LICENSE" "$to/LICENSE"
cp "$from/NOTICE" "$to/NOTICE"
