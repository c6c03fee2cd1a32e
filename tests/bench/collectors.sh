#!/bin/sh
# What the collectors cost against a shell loop that reads the same kernel
# files at the same rate, at the same time: CPU a tick of each. The loop does
# but one cat and one sleep a tick, and takes nothing apart.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-10}
interval_ms=50

make -s build/tools/collect_tool build/memtouch
dir=$(mktemp -d /tmp/thpbench-bench.XXXXXX)
tool=
trap '[ -z "$tool" ] || kill "$tool" 2>/dev/null || :; rm -rf "$dir"' EXIT

build/tools/collect_tool "$seconds" "$interval_ms" "$dir" \
	build/memtouch --bytes=256M --threads=1 >"$dir/tool" &
tool=$!
tries=0
while [ ! -s "$dir/files" ]; do
	kill -0 "$tool" || exit 1
	tries=$((tries + 1))
	[ "$tries" -lt 100 ] || exit 1
	sleep 0.1
done
# In seconds of user and system time of the loop and what it started.
sh -c '
	files=$(cat "$1/files")
	n=0
	while kill -0 "$2" 2>/dev/null; do
		cat $files >>"$1/raw" 2>/dev/null || :
		sleep "$3"
		n=$((n + 1))
	done
	echo "$n"
	times
' loop "$dir" "$tool" "0.0$interval_ms" >"$dir/shell"
wait "$tool"
tool=
awk -v files="$(wc -l <"$dir/files")" -v seconds="$seconds" '
	function s(text) { split(text, p, /[ms]/); return 60 * p[1] + p[2] }
	FILENAME ~ /tool$/ { ours = $4 / $2; n = $2; next }
	FNR == 1 { m = $1; next }
	{ theirs += s($1) + s($2) }
	END {
		theirs /= m
		printf "collectors: %.2f ms CPU a tick, shell loop %.2f ms: " \
			"ratio %.3f (%d and %d ticks in %d s, %d files)\n",
			1000 * ours, 1000 * theirs, ours / theirs, n, m,
			seconds, files
	}
' "$dir/tool" "$dir/shell"
