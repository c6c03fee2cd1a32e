#!/bin/sh
# How long change points of 100,000 values take, as a multiple of a tenth of
# them with the same number of random orders (CPU time; n log n would be 12.5),
# and `history check` of as many points as a user runs it.
set -eu
n=${BENCH_POINTS:-100000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
make -s build/tools/history_tool >/dev/null
tool=build/tools/history_tool
"$tool" cuts $((n / 10)) >"$dir/tenth"
"$tool" cuts "$n" >"$dir/all"
"$tool" fill "$dir/h.db" "$n"
begin=$(date +%s%N)
status=0
./thpbench history check --store "$dir/h.db" --order time --magnitude 0.05% \
	--format csv >"$dir/check" || status=$?
end=$(date +%s%N)
[ "$status" -le 1 ]
awk -v n="$n" -v found="$(grep -c '^changes,' "$dir/check")" \
	-v ms=$(((end - begin) / 1000000)) '
	FNR == 1 && NR == 1 { tenth = $1; next }
	{ printf "change points of %d values: %.1f times those of %d (%.2f s " \
		"against %.2f s CPU; n log n: %.1f); history check %.1f s, " \
		"%d changes\n", n, $1 / tenth, n / 10, $1, tenth, \
		10 * log(n) / log(n / 10), ms / 1000, found }
' "$dir/tenth" "$dir/all"
