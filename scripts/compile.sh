#!/bin/sh
# Compiles the program so that equal sources give equal bytes, whoever builds
# them and in whichever folder: compile.sh FILE. VERSION and COMMIT name the
# release, GOOS and GOARCH the platform.
set -eu
[ $# = 1 ] || { echo "usage: compile.sh FILE" >&2; exit 2; }
# The compiler's own version decides about the bytes too.
export GOTOOLCHAIN=go1.26.8 CGO_ENABLED=0 GOFLAGS= GOEXPERIMENT= GOAMD64=v1 GOARM64=v8.0
exec go build -trimpath -buildvcs=false -ldflags "-s -w -buildid= -X main.version=${VERSION:-} -X main.commit=${COMMIT:-}" -o "$1" ./cmd/parley
