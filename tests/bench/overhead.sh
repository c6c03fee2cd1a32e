#!/bin/sh
# TPS of full runs without collectors, with all but the counters, and with all,
# at 1 s: paired blocks, with interval.
set -eu
cd "$(dirname "$0")/../.."
if [ "$(id -u)" -ne 0 ]; then
	echo "overhead: n/a: kernel settings are changed and put back: as root"
	exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
./thpbench run tests/bench/overhead.conf -o "$dir/results" \
	>"$dir/out" 2>"$dir/log" || {
	tail -n 5 "$dir/log" >&2
	exit 1
}
echo "overhead: TPS, collectors at 1 s: none (off) and all (on) against all"
echo "but the counters, blocks of pairs:"
./thpbench report "$dir/results" --table tps | sed -n '/^arm/,/^$/p'
# As a ratio: on / no counters.
./thpbench report "$dir/results" --table tps --format csv |
	awk -F , '
		NR == 1 { for (i = 1; i <= NF; i++) {
			if ($i == "change_pct") c = i
			if ($i == "change_low_pct") l = i
			if ($i == "change_high_pct") h = i } }
		$3 == "on" {
			printf "overhead: counters on against off: TPS ratio " \
				"%.4f [%.4f, %.4f]\n", 1 + $c / 100, \
				1 + $l / 100, 1 + $h / 100 }'
