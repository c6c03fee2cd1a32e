#!/bin/sh
# How long `thpbench report` takes for 1000 runs of 600 samples, as a multiple
# of reading the same files with cat: the best of five each, by turns.
set -eu
runs=${BENCH_RUNS:-1000}
samples=${BENCH_SAMPLES:-600}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
sh tests/bench/make-results "$dir/r" "$runs" "$samples"

# Print how many ms a command takes.
ms()
{
	begin=$(date +%s%N)
	"$@" >/dev/null
	echo $((($(date +%s%N) - begin) / 1000000))
}

raw()
{
	find "$dir/r" -type f -exec cat {} +
}

least_raw=$(ms raw)
least_report=$(ms ./thpbench report "$dir/r")
for _ in 1 2 3 4; do
	t=$(ms raw)
	[ "$t" -ge "$least_raw" ] || least_raw=$t
	t=$(ms ./thpbench report "$dir/r")
	[ "$t" -ge "$least_report" ] || least_report=$t
done
awk -v a="$least_report" -v b="$least_raw" -v what="${runs}x$samples" -v \
	bytes="$(raw | wc -c)" 'BEGIN {
	printf "report %s: %.1f times the raw read of its input (%d ms " \
		"against %d ms for %.0f MB)\n", what, a / (b ? b : 1), a, b, \
		bytes / 1e6
}'
