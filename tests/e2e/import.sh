#!/bin/sh
# `import`: what each format becomes, as tests/golden/import.txt has it, that
# report reads it, and that bad files leave nothing behind. With --update the
# expected text is written anew (make golden).
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/tap.sh

golden=tests/golden/import.txt
data=${THPBENCH_DATA:-../shared/data}

# The folder as text, without what every run lacks in the same way.
dump() # NAME
{
	echo "== $1"
	sed -n 's/^ *"label": /arm /p' "$dir/$1/manifest.json"
	[ ! -e "$dir/$1/metrics.tsv" ] || sed 1d "$dir/$1/metrics.tsv"
	for run in "$dir/$1"/runs/*; do
		echo "-- $(basename "$run")"
		sed 1d "$run/totals.tsv" | grep -v 'file does not say it'
		sed 1d "$run/events.tsv"
		sed 1d "$run/sysbench.tsv"
	done
	cut -f 2-5,9 "$dir/$1/journal.tsv" | sed 1d
	sed -n '/"marks"/,/\]/p' "$dir/$1/manifest.json"
}

# NAME and the arguments of import, files below tests/import.
all()
{
	cat <<-'END'
		sysbench sysbench a=sysbench-oltp.log a=sysbench-totals.log
		window sysbench a=sysbench-oltp.log --window 1:4
		old-words sysbench sysbench-0.5.log
		cpu sysbench sysbench-cpu.log
		fatal sysbench sysbench-fatal.log
		gobench gobench go.txt --by note --baseline after
		benchstat benchstat benchstat.csv
		gbench gbench gbench.json
		mmtests mmtests mmtests.txt
		results mmtests-results base=mmtests-results.txt
		fastpath fastpath fastpath.txt
		perf perf one=perf.txt two=perf-mux.txt
		perf-comma perf perf-comma.txt
		perf-csv perf-csv a=perf.csv a=perf.csv
		csv csv table.csv --measured 2024-01-03
	END
}

make_all()
{
	all | while read -r name arguments; do
		# shellcheck disable=SC2086 # words are arguments
		(cd tests/import && ../../thpbench import $arguments \
			-o "$dir/$name" >/dev/null) || return
	done
	all | while read -r name _; do
		dump "$name"
	done
}

if [ "${1-}" = --update ]; then
	make_all >$golden
	exit
fi

same() { make_all >"$dir/found" && diff -u $golden "$dir/found"; }

check "each format becomes what is expected" same
for name in $(all | cut -d ' ' -f 1); do
	thpbench report "$dir/$name"
	if [ "$name" = fatal ]; then
		check "report $name: no run counts" exits 3
	else
		check "report $name" exits 0
	fi
done

knows() # NAME TEXT: the report has it
{
	thpbench report "$dir/$1"
	grep -qF -- "$2" "$dir/out" || { cat "$dir/out"; return 1; }
}
check "what is unknown is said: machine" knows gobench 'Machine: amd64'
check "when" knows gobench 'Measured: unknown'
check "when it is told" knows csv 'Measured: 2024-01-03'
check "why a counter has no number" knows perf \
	'multiplexed: counted 83.30 % of the time'
check "that the ramp is in the window" knows sysbench 'it holds the ramp'
check "JSON has the benchmarks" sh -c "./thpbench report --format json \
	'$dir/gobench' | grep -q '\"FloatSub/100-4:ns/op\"'"

# One line, the status, and no folder.
bad() # NAME STATUS TEXT ARGUMENTS...
{
	name=$1
	want=$2
	text=$3
	shift 3
	(cd tests/import && ../../thpbench import "$@") \
		>"$dir/out" 2>"$dir/err"
	status=$?
	refused()
	{
		exits "$want" && says "$text" &&
			[ "$(wc -l <"$dir/err")" -eq 1 ] &&
			[ -z "$(find "$dir" -maxdepth 1 -name 'bad*')" ]
	}
	check "$name" refused
}
bad "a word where a number must be" 65 "go-bad.txt:2: 'fast' is no number" \
	gobench go-bad.txt -o "$dir/bad"
bad "the first file good, the second not" 65 'go-bad.txt:2' \
	gobench go.txt go-bad.txt -o "$dir/bad"
bad "a row too short" 65 'bad.csv:2: 1 cells where the header has 2' \
	csv bad.csv -o "$dir/bad"
bad "perf's intervals" 65 'perf-bad.csv:1: ' perf-csv perf-bad.csv -o "$dir/bad"
bad "another format: no JSON" 65 'go.txt:1: no JSON' gbench go.txt \
	-o "$dir/bad"
for format in sysbench benchstat mmtests mmtests-results fastpath perf; do
	bad "another format: $format" 65 'go.txt: ' $format go.txt -o "$dir/bad"
done
bad "no such file" 66 'nosuch' csv nosuch -o "$dir/bad"
bad "no such format" 64 "did you mean 'gobench'" gobnch go.txt -o "$dir/bad"
bad "no folder named" 64 'o DIR is needed' gobench go.txt
bad "no file named" 64 'no FILE' gobench -o "$dir/bad"
bad "no such arm" 64 "no arm 'x' for --baseline" gobench go.txt --baseline x \
	-o "$dir/bad"
bad "no such column" 65 "no column 'x'" csv table.csv --by x -o "$dir/bad"
bad "a window that ends before it begins" 64 'window' sysbench \
	sysbench-oltp.log --window 5:1 -o "$dir/bad"
bad "a window behind the end of a log" 65 \
	'sysbench-oltp.log: its lines end at second 5: none is in the window' \
	sysbench sysbench-oltp.log --window 60: -o "$dir/bad"
bad "a window of what has no seconds" 64 'window means nothing to csv' \
	csv table.csv --window 1:2 -o "$dir/bad"
bad "a key of what has none" 64 'by means nothing to perf' \
	perf perf.txt --by x -o "$dir/bad"
mkdir "$dir/taken" && touch "$dir/taken/mine"
bad "a folder that holds something" 64 'taken is there already' gobench go.txt -o "$dir/taken"
check "which is as it was" test "$(ls "$dir/taken")" = mine

# What a small file becomes: lines of totals.tsv that a first run has.
becomes() # FORMAT TEXT PATTERN [OPTION]...
{
	printf '%b' "$2" >"$dir/small"
	want=$3
	format=$1
	shift 3
	rm -rf "$dir/small.d"
	./thpbench import "$format" "$@" "x=$dir/small" -o "$dir/small.d" &&
		grep -qE "$want" "$dir"/small.d/runs/001-*/totals.tsv
}
refuses() # FORMAT TEXT PATTERN
{
	printf '%b' "$2" >"$dir/small"
	rm -rf "$dir/small.d"
	./thpbench import "$1" "$dir/small" -o "$dir/small.d" 2>"$dir/err"
	[ $? -eq 65 ] && [ ! -e "$dir/small.d" ] && grep -q "$3" "$dir/err"
}
check "CSV with a mark of byte order has its first column" becomes csv \
	'\0357\0273\0277arm,lat (ms)\na,1\nb,2\n' '^lat:ms	1	'
check "which tells its arms apart" test -d "$dir/small.d/runs/002-b"
check "a column whose first cell is empty is no column of words" becomes csv \
	'arm,lat (ms)\na,\na,5\n' '^lat:ms	-	.*the row has no value'
check "a metric that we have, with its unit" becomes csv \
	'arm,tps (1/s)\na,100\nb,102\n' '^tps	100	'
check "decimal commas are not guessed at" refuses csv \
	'arm;lat (ms)\na;1,5\n' "small:2: '1,5' in column 'lat (ms)' is no number; write"
check "nor is one of two columns taken" refuses csv \
	'arm,lat (ms),lat (ms)\na,1,2\n' "columns 2 and 3 both are 'lat (ms)'"
check "perf -x with decimal commas" becomes perf-csv \
	'1234,56;msec;task-clock;1234560000;100,00;0,998;CPUs utilized\n' \
	'^task-clock:msec	1234.56	'
check "no window is cut from totals" becomes sysbench \
	'sysbench 1.0.20 (x)\n    transactions:  330    (109.98 per sec.)\n' \
	'^tps	-	.*to cut a window from' --window 1:2

totals_alone()
{
	becomes sysbench \
		'sysbench 1.0.20 (x)\n    transactions:  330    (109.98 per sec.)\n' \
		'^tps	109.98	' &&
		./thpbench report -t tps "$dir/small.d" | grep -q '^Source: the totals'
}
check "and the table says what they are of" totals_alone

# Public files of others, where they are.
if [ -d "$data/benchstat" ]; then
	counts()
	{
		./thpbench import gobench "$data"/benchstat/crc-old.txt \
			"$data"/benchstat/crc-new.txt -o "$dir/crc" &&
			[ "$(find "$dir/crc/runs" -name totals.tsv | wc -l)" \
				-eq 20 ] &&
			[ "$(grep -c '^CRC32.*	MB/s	more	' \
				"$dir/crc/metrics.tsv")" -eq 36 ]
	}
	check "36 benchmarks of crc32, ten runs of two arms" counts
	# What benchstat printed of the same files: medians, intervals, p.
	agrees() # EXPECTED ROWS FIRST ARGUMENTS...
	{
		want=$1
		rows=$2
		first=$3
		shift 3
		rm -rf "$dir/agrees"
		./thpbench import gobench "$@" -o "$dir/agrees" &&
			./thpbench report --table medians --format csv \
				"$dir/agrees" >"$dir/medians.csv" &&
			awk -v first="$first" -v expected="$rows" \
				-f tests/e2e/benchstat.awk "$dir/medians.csv" \
				"$data/benchstat/$want.stdout"
	}
	b=$data/benchstat
	check "benchstat of crc32" agrees crcIgnore 72 crc-old \
		"$b/crc-old.txt" "$b/crc-new.txt"
	for name in issue19565 issue19634 smallSample; do
		check "benchstat of $name" agrees $name 1 before --by note \
			"$b/$name.txt"
	done
	old_new()
	{
		sed -n 's/^Encode.*,\(.*\)%,\(.*\)%,\(.*\),p=\(.*\) n=.*/\3 \4/p' \
			"$b/csvOldNew.stdout" >"$dir/want"
		./thpbench import gobench "$b/old.txt" "$b/new.txt" \
			-o "$dir/old-new" &&
			./thpbench report --table medians --format csv \
				"$dir/old-new" >"$dir/medians.csv" &&
			grep -q 'old,1718,.*,-,-,10' "$dir/medians.csv" &&
			grep -q 'new,1422.5,.*,-17.20,0.000,10' \
				"$dir/medians.csv" &&
			grep -q 'new,3070,.*,0.446,10' "$dir/medians.csv" &&
			grep -q '^-17.20% 0.000' "$dir/want" &&
			grep -q '^~ 0.446' "$dir/want"
	}
	check "benchstat of old and new" old_new
	gbench()
	{
		./thpbench import gbench "$data"/gbench/test1_run1.json \
			"$data"/gbench/test1_run2.json -o "$dir/gb" &&
			grep -q '^BM_2xFaster real_time:ns	25	' \
				"$dir/gb"/runs/002-*/totals.tsv
	}
	check "google-benchmark's own pair of files" gbench
	otava()
	{
		./thpbench import csv "$data"/otava/sample-semicolons.csv \
			-o "$dir/otava" &&
			grep -q '^metric2:unknown	10.43	' \
				"$dir/otava"/runs/001-*/totals.tsv
	}
	check "semicolons" otava
else
	skip "public files" "no $data; THPBENCH_DATA names it"
fi

# Ctrl-C and the like leave nothing behind.
awk 'BEGIN { print "arm,tps (1/s)"
	for (i = 0; i < 2000; i++) print "a," 1000 + i % 7 }' >"$dir/long.csv"
stops()
{
	stopped_at "$dir/stopped.part-*" import csv "$dir/long.csv" \
		-o "$dir/stopped" && exits 143 &&
		! ls -d "$dir"/stopped* 2>"$dir/seen.err"
}
check "stopped half-way: nothing is left" stops
done_testing
