#!/bin/sh
# Serves a demo workspace, prints its address, login and key, and starts again
# whenever a source file changes. The data stay in ./parley-data/dev.
set -eu
cd "$(dirname "$0")/.."
data=parley-data/dev
mkdir -p "$data"
sum() { find . -name '*.go' -o -name '*.sql' -o -name openapi.yaml | xargs ls -l --time-style=full-iso | cksum; }
server=
stop() {
  [ -z "$server" ] && return
  kill "$server" 2>/dev/null || :
  wait "$server" || :
  server=
}
trap stop EXIT
trap 'exit 130' INT TERM
while :; do
  before=$(sum)
  if go build -o bin/parley ./cmd/parley; then
    stop
    # Login and key are printed once, so they are kept beside the data.
    bin/parley serve --demo --data "$data" >>"$data/welcome.txt" &
    server=$!
    until curl -fs http://127.0.0.1:8080/readyz >/dev/null || ! kill -0 "$server" 2>/dev/null; do sleep 0.2; done
    grep -E 'serves on|reference|Login|Password|API key' "$data/welcome.txt" | tail -n 6
  fi
  while [ "$before" = "$(sum)" ]; do sleep 1; done
  echo "— changed, building —"
done
