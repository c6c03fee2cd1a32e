#!/bin/sh
# How long change points of 100,000 values take, as a multiple of a tenth of
# them with the same changes and number of random orders (CPU time, the least of
# several turns; n log n would be 12.5), and `history check` of as many points
# as a user runs it. And what history check says of series in which nothing
# changes.
set -eu
n=${BENCH_POINTS:-100000}
turns=${BENCH_TURNS:-4}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
make -s build/tools/history_tool >/dev/null
tool=build/tools/history_tool
turn=0
while [ $((turn += 1)) -le "$turns" ]; do
	"$tool" cuts $((n / 10)) >>"$dir/tenth"
	"$tool" cuts "$n" >>"$dir/all"
done
"$tool" fill "$dir/h.db" "$n"
begin=$(date +%s%N)
status=0
./thpbench history check --store "$dir/h.db" --order time --magnitude 0.05% \
	--format csv >"$dir/check" || status=$?
end=$(date +%s%N)
[ "$status" -le 1 ]
least() { sort -n "$1" | head -n 1; }
{
	least "$dir/tenth"
	least "$dir/all"
} | awk -v n="$n" -v found="$(grep -c '^changes,' "$dir/check")" \
	-v turns="$turns" -v ms=$(((end - begin) / 1000000)) '
	NR == 1 { tenth = $1; changes = $2; next }
	{ printf "change points of %d values: %.1f times those of %d (%.2f s " \
		"against %.2f s CPU, least of %d; n log n: %.1f%s); history " \
		"check %.1f s, %d changes\n", n, $1 / tenth, n / 10, $1, \
		tenth, turns, 10 * log(n) / log(n / 10), changes == $2 ? "" : \
		", but " changes " and " $2 " changes were found", ms / 1000, \
		found }
'
series=${BENCH_SERIES:-1000}
# shellcheck disable=SC2046 # four numbers
set -- $("$tool" chance "$series")
awk -v n="$series" -v changed="$1" -v off="$2" -v any="$3" -v worse="$4" '
	function pct(x) { return sprintf("%.1f %%", 100 * x / n) }
	BEGIN { print "history check by chance: of " n " series of 50 " \
		"points of noise, one arm each, " pct(changed) " have a " \
		"change, " pct(off) " an off newest point, " pct(any) \
		" one of both; " pct(worse) " a regression" }
'
