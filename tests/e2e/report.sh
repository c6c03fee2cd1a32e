#!/bin/sh
# `report` on recorded result folders: what it prints and how it exits.
# With --update the expected texts are written anew (make golden); look at
# the difference before you commit it.
set -u
cd "$(dirname "$0")/../.." || exit 1

golden=tests/golden
results=$golden/results
program=./thpbench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

# formats and the endings of their files
endings="text:txt markdown:md csv:csv json:json"

expected() { # FOLDER FORMAT
	for pair in $endings; do
		[ "${pair%%:*}" != "$2" ] ||
			echo "$golden/report-$1.${pair#*:}"
	done
}

if [ "${1-}" = --update ]; then
	for dir in "$results"/*; do
		for pair in $endings; do
			name=$(basename "$dir")
			$program report "$dir" --format "${pair%%:*}" \
				>"$(expected "$name" "${pair%%:*}")" || exit
		done
	done
	exit 0
fi

is() { # NAME CONDITION...: one line of TAP
	name=$1
	shift
	n=$((n + 1))
	if "$@"; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		[ ! -s "$work/err" ] || sed 's/^/# /' "$work/err"
	fi
}

# Run report with arguments; *status*, $work/out and $work/err.
report() {
	$program report "$@" >"$work/out" 2>"$work/err"
	status=$?
}

exits() { # STATUS TEXT: the last one exited so and said so, on one line
	[ "$status" -eq "$1" ] && grep -qF -- "$2" "$work/err" &&
		[ "$(wc -l <"$work/err")" -eq 1 ]
}

same() {
	diff -u "$1" "$work/out" >"$work/err"
}

# Lines of mail: at most 72 columns of ASCII, none that git cuts off.
is_mail() {
	! LC_ALL=C grep -nE '^.{73}|^#|^---|[^ -~]| $' "$work/out" >"$work/err"
}

for dir in "$results"/*; do
	folder=$(basename "$dir")
	for pair in $endings; do
		format=${pair%%:*}
		report "$dir" --format "$format"
		is "$folder as $format" same "$(expected "$folder" "$format")"
	done
	report "$dir"
	is "$folder is fit for mail" is_mail
	is "$folder exits with 0" [ "$status" -eq 0 ]
done

two="$results/thp-modes $results/cut-off"
# shellcheck disable=SC2086
report $two --table tps
is "two folders, one after another" \
	[ "$(grep -c '^tps: ' "$work/out")" -eq 2 ]
is "each under its own header" [ "$(grep -c '^Workload: ' "$work/out")" -eq 2 ]
# shellcheck disable=SC2086
report $two --table tps --format csv
is "CSV tells them apart" [ "$(grep -c '^tps,cut-off' "$work/out")" -eq 2 ]

report "$results/thp-modes" --table origin --table tps
is "tables in the order asked for" [ "$(sed -n \
	's/^\(origin\|tps\): .*/\1/p' "$work/out" | tr '\n' ' ')" = \
	"origin tps " ]
is "and no others" [ "$(grep -cE '^(memory|latency|cost): ' \
	"$work/out")" -eq 0 ]

report "$results/thp-modes" --table memry
is "a wrong table: the nearest" exits 64 "did you mean 'memory'?"
report "$results/thp-modes" --table zzzzzzzzzz
is "no near table: the list" exits 64 "there are memory, tps, "
report "$results/thp-modes" --format markdwn
is "a wrong format: the nearest" exits 64 "did you mean 'markdown'?"
report
is "no folder" exits 64 "no result folder"
report "$work/none"
is "a folder that is not there" exits 66 "$work/none"
mkdir "$work/empty"
report "$work/empty"
is "a folder without a manifest" exits 66 "$work/empty"
report "$results/thp-modes" "$work/none"
is "the second folder is not there" exits 66 "$work/none"

cp -r "$results/thp-modes" "$work/failed"
sed -i 's/\t\(ok\|marked\)\t/\tfailed\t/' "$work/failed/journal.tsv"
report "$work/failed"
is "no run counts: exit 3" [ "$status" -eq 3 ]
is "and no figure is made up" [ "$(grep -c 'n/a' "$work/out")" -gt 20 ]
cp -r "$results/thp-modes" "$work/broken"
echo '{' >"$work/broken/manifest.json"
report "$work/broken"
is "a broken manifest is named" grep -qF "broken/manifest.json" "$work/err"
is "and is an error" [ "$status" -ge 64 ]

if [ -w /dev/full ]; then
	$program report "$results/thp-modes" >/dev/full 2>"$work/err"
	status=$?
	is "a full disk" exits 74 "No space left"
fi
echo "1..$n"
