#!/bin/sh
# Shows faults that were mended, by their names in scripts/faults/list.txt, or all of them: runs
# the test of the mend on the code as it was before, where an assertion must fail, and then on the
# present code, where it must pass. It needs the history of the repository.
set -eu
cd "$(dirname "$0")/.."
list=scripts/faults/list.txt
[ $# -gt 0 ] || set -- $(grep '^[a-z]' $list)

top=$(mktemp -d)
end() {
	git worktree remove --force "$top/old" 2>/dev/null || true
	rm -rf "$top"
}
trap end EXIT
trap 'exit 1' INT TERM

# field NAME KEY prints what the list says of a fault.
field() {
	awk -v name="$1" -v key="$2" '/^[a-z]/ { found = $0 == name } found && $1 == key { sub(/^[ \t]*[a-z]+ /, ""); print }' $list
}

# product_files COMMIT prints the product's files that a commit changed, without tests and their tools.
product_files() {
	git diff --name-only --no-renames "$1~1" "$1" | grep -Ev '_test\.go$|\.test\.|/testdata/|test/[^/]*\.go$|^internal/robustness/|^docs/|\.md$|^api/|/dist/|^Makefile$|^\.ci/|^scripts/'
}

# old_tree COMMIT TREE BACK TESTS makes the code before a mend, with the tests of another commit,
# which is the mend's as a rule, or with some of today's.
old_tree() {
	git worktree remove --force "$top/old" 2>/dev/null || true
	git worktree add --quiet --detach "$top/old" "$2" || return 1
	for file in $4; do cp "$file" "$top/old/$file" || return 1; done
	for folder in web web/dashboard web/widget; do
		if [ -d "$folder/node_modules" ] && [ -d "$top/old/$folder" ]; then ln -s "$PWD/$folder/node_modules" "$top/old/$folder/node_modules"; fi
	done
	case "$3" in
	*.patch)
		git -C "$top/old" apply "$PWD/scripts/faults/$3"
		return
		;;
	esac
	for file in ${3:-$(product_files "$1")}; do
		if git cat-file -e "$1~1:$file" 2>/dev/null; then
			git -C "$top/old" checkout --quiet "$1~1" -- "$file" || return 1
		else
			rm "$top/old/$file" || return 1
		fi
	done
}

show() {
	commit=$(field "$1" commit)
	now=$(field "$1" test)
	[ -n "$commit" ] && [ -n "$now" ] || { echo "$1: $list does not have this fault"; return 1; }
	before=$(field "$1" before)
	tree=$(field "$1" tree)
	old_tree "$commit" "${tree:-$commit}" "$(field "$1" back)" "$(field "$1" tests)" || { echo "$1: the code before $commit cannot be made"; return 1; }
	if (cd "$top/old" && sh -c "${before:-$now}") >"$top/output" 2>&1; then
		cat "$top/output"
		echo "$1: the test passes on the code before $commit, so it does not show the fault"
		return 1
	fi
	if ! grep -Eq -e '--- FAIL|AssertionError' "$top/output" || grep -Eq 'build failed|setup failed|test timed out' "$top/output"; then
		tail -40 "$top/output"
		echo "$1: no assertion of the test fails on the code before $commit"
		return 1
	fi
	grep -Em 8 -e '--- FAIL|_test.go:[0-9]*:|FAIL .*test.ts|(Assertion|Range)Error' "$top/output"
	if ! sh -c "$now" >"$top/output" 2>&1 || grep -q 'no tests to run' "$top/output"; then
		tail -40 "$top/output"
		echo "$1: the test fails on the present code"
		return 1
	fi
	echo "$1: there before $commit, and not there now"
}

failed=
for name; do show "$name" || failed="$failed $name"; done
[ -z "$failed" ] || { echo "not shown:$failed"; exit 1; }
