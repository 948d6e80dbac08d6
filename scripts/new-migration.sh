#!/bin/sh
# Makes the file of the next migration.
set -eu
cd "$(dirname "$0")/../internal/store/migrations"
name=${1:-}
case $name in
  "" | *[!a-z0-9_]*)
    echo "usage: make new-migration name=add_something (lower case, digits, _)" >&2
    exit 2
    ;;
esac
last=$(ls | sed -n 's/^0*\([0-9]*\)_.*\.sql$/\1/p' | sort -n | tail -n 1)
file=$(printf '%04d' $((${last:-0} + 1)))_$name.sql
cat > "$file" <<'SQL'
-- compatible: why the version before can serve the store after this step; without this line it is refused.
-- What changes and why. One text for SQLite and PostgreSQL; workspace_id leads
-- every primary key, unique index and foreign key.
SQL
echo "internal/store/migrations/$file"
