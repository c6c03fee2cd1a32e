#!/bin/sh
# How long `thpbench compare` and `report` take for 1000 runs of 600 samples,
# and in how much memory, beside a script in Python that does a part of the
# same (four metrics), and a shell loop in the manner of mmtests (TPS alone, a
# process or two a run). By turns, the best of each; the scripts twice.
set -eu
runs=${BENCH_RUNS:-1000}
samples=${BENCH_SAMPLES:-600}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
if ! command -v python3 >/dev/null; then
	echo "compare: n/a: no python3 to compare with (apt-get install python3)"
	exit 0
fi
sh tests/bench/make-results "$dir/r" "$runs" "$samples"

# "ms KiB" of a command: wall clock, and the most memory it held at once.
cost()
{
	python3 -c 'import resource, subprocess, sys, time
begin = time.monotonic()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
if done.returncode > 3:
    sys.exit("exit status %d: %s" % (done.returncode, sys.argv[1:]))
print(int(1000 * (time.monotonic() - begin)),
      resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

# The mean TPS of each run's window, then mean and deviation of each arm.
cat >"$dir/loop.sh" <<'END_OF_LOOP'
for arm in 0 1 2 3; do
	for run in "$1"/runs/*-arm-$arm; do
		begin=$(awk '$3 == "measure" { print $1 }' "$run/events.tsv")
		end=$(awk '$3 == "stop" { print $1 }' "$run/events.tsv")
		awk -v b="$begin" -v e="$end" 'NR > 1 && $1 - $2 >= b &&
			$1 <= e { n += $4; s += $2 } END { print n / s }' \
			"$run/sysbench.tsv"
	done | awk -v arm="$arm" '{ n++; s += $1; q += $1 * $1 } END {
		printf "arm %d %.2f +- %.2f\n", arm, s / n,
			sqrt((q - s * s / n) / (n - 1)) }'
done
END_OF_LOOP

turn()
{
	cost ./thpbench compare "$dir/r" >>"$dir/compare"
	cost ./thpbench report "$dir/r" >>"$dir/report"
	cost python3 tests/bench/compare.py "$dir/r" >>"$dir/python"
	cost sh "$dir/loop.sh" "$dir/r" >>"$dir/shell"
}
# Both find the same, or the figures below are of two different things.
same()
{
	python3 tests/bench/compare.py "$dir/r" >"$dir/theirs"
	./thpbench compare "$dir/r" --format csv >"$dir/ours" || [ $? -le 3 ]
	awk -F '[],[]|, | %' 'FNR == NR { split($1, word, " ")
			if (word[3] == "tps") theirs[word[1] " " word[2]] = word[4]
			next }
		/^verdicts,/ { split($0, cell, ",")
			if (cell[3] == "tps" && cell[7] in theirs) {
				n++
				off = cell[9] - theirs[cell[7]]
				if (off > 0.0051 || off < -0.0051) {
					print cell[7] ": " cell[9] " and " theirs[cell[7]]
					bad = 1
				}
			} }
		END { exit bad || !n }' "$dir/theirs" "$dir/ours"
}
if ! same; then
	echo "compare: failed: the script finds other changes of TPS" >&2
	exit 1
fi
turn
turn

best() { sort -n "$dir/$1" | head -n 1; }
# shellcheck disable=SC2046 # two words each
set -- $(best compare) $(best report) $(best python) $(best shell)
for what in compare report; do
	[ "$what" = compare ] || shift 2
	awk -v what="$what" -v n="${runs}x$samples" -v ms="$1" -v kib="$2" \
		-v python="$([ "$what" = compare ] && echo "$5" || echo "$3")" \
		-v shell="$([ "$what" = compare ] && echo "$7" || echo "$5")" \
		'BEGIN {
		printf "%s %s: %.3f of the Python script (%d against %d ms), " \
			"%.3f of the shell loop (%d ms); %.0f MiB at most\n", \
			what, n, ms / python, ms, python, ms / shell, shell, \
			kib / 1024
	}'
done
