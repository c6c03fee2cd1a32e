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
# A ratio of two arms, the second of which is counted in % of the first.
ratio() # WHAT BASE NEW
{
	# Its status is the verdict.
	./thpbench compare "$dir/results" --metric tps --arm "$2" --arm "$3" \
		--format csv >"$dir/csv" || :
	awk -F , -v what="$1" -v new="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["metric"] == "tps" && $at["arm"] == new {
			printf "overhead: %s: TPS ratio %.4f [%.4f, %.4f], " \
				"n = %d blocks\n", what,
				1 + $at["change_pct"] / 100,
				1 + $at["change_low_pct"] / 100,
				1 + $at["change_high_pct"] / 100, $at["n"]
			found = 1
		}
		END { exit !found }' "$dir/csv"
}
ratio "all collectors against none" off on
ratio "counters on against off" "no counters" on
