#!/bin/sh
# Makes the archives of a release in bin/release, with their sums: release.sh
# VERSION. Equal sources give equal archives.
set -eu
VERSION=${1:?usage: release.sh VERSION}
COMMIT=$(git rev-parse HEAD)
export VERSION COMMIT
cd "$(dirname "$0")/.."
[ -z "$(git status --porcelain)" ] || { echo "release: the tree has changes that are not committed" >&2; exit 1; }
out=bin/release
rm -rf "$out"
mkdir -p "$out"
for platform in linux/amd64 linux/arm64 darwin/arm64; do
	name=parley-$VERSION-$(echo "$platform" | tr / -)
	mkdir "$out/$name"
	GOOS=${platform%/*} GOARCH=${platform#*/} sh scripts/compile.sh "$out/$name/parley"
	cp LICENSE THIRD_PARTY_NOTICES.txt SBOM.cdx.json packaging/parley.service packaging/parley.sysusers "$out/$name/"
	# The order, the owner, the permissions and the time of what is inside must
	# not depend on the machine.
	chmod 755 "$out/$name" "$out/$name/parley"
	tar -C "$out" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar -cf - "$name" | gzip -9n > "$out/$name.tar.gz"
	rm -r "${out:?}/$name"
done
cp SBOM.cdx.json "$out/parley-$VERSION.cdx.json"
(cd "$out" && sha256sum -- * > SHA256SUMS && cat SHA256SUMS)
