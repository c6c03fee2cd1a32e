#!/bin/sh
# Experiments whose load needs no database: what they leave, resume, refusals.
# shellcheck disable=SC2016 # awk's programs
. tests/e2e/tap.sh

config() # NAME SETTINGS...; prints the path
{
	cat >"$dir/$1.conf"
	echo "$dir/$1.conf"
}

quick='load = 0s
settle = 0s
measure = 1s
[collect]
interval = 100ms
budget = 0'

if is_root; then
	lock_host
	knobs >"$dir/before"
	null=$(config null <<EOF
[experiment]
blocks = 2
[workload]
program = null
$quick
[arm "T n"]
thp = never
[arm "T a"]
thp = always
EOF
)
	thpbench run "$null" -o "$dir/r"
	check "a null load runs" exits 0
	check "its folder is printed" grep -qx "$dir/r" "$dir/out"
	check "four runs are in the journal" test "$(grep -c '	ok	' \
		"$dir/r/journal.tsv")" -eq 4
	check "each asked for its mode and read it back" awk -F '\t' '
		/enabled\t/ && $3 != "" && $3 != $4 { bad = 1 }
		/enabled\t/ && $3 != "" { seen++ }
		END { exit bad || seen != 4 }' "$dir"/r/runs/*/settings.tsv
	knobs >"$dir/after"
	check "all settings are as before" cmp "$dir/before" "$dir/after"

	thpbench run "$null" -o "$dir/r"
	check "results are not overwritten" exits 64
	check "and it is said how to go on" says "holds results already"
	mkdir "$dir/mine" && touch "$dir/mine/notes"
	thpbench run "$null" -o "$dir/mine"
	check "nor put among other files" exits 64
	check "which are named" says "mine holds other files; -o names"
	check "and stay alone" [ "$(ls "$dir/mine")" = notes ]

	thpbench run "$null" -o "$dir/r" --resume
	check "resuming what is complete does nothing" exits 0
	check "still four runs" test "$(grep -c '	ok	' \
		"$dir/r/journal.tsv")" -eq 4

	sed -i '$d' "$dir/r/journal.tsv"
	thpbench run "$null" -o "$dir/r" --resume
	check "resuming runs what is missing" exits 0
	check "that run alone" test "$(tail -n +2 "$dir/r/journal.tsv" |
		wc -l)" -eq 4
	thpbench report "$dir/r" --table settings
	check "it is reported" exits 0

	thpbench run "$null" -o "$dir/r" --resume --blocks 3
	check "resuming another plan is refused" exits 64
	check "and said" says "another configuration"

	thpbench run "$null" -o "$dir/arm" --arm "T a" --blocks 1
	check "one arm alone" exits 0
	check "one run" test "$(tail -n +2 "$dir/arm/journal.tsv" |
		wc -l)" -eq 1
	thpbench run "$null" -o "$dir/arm" --arm "T n" --blocks 1 --resume
	check "another arm does not go on with its folder" exits 64
	check "and it is said" says "choice of arms"
	check "nor is it run" test "$(tail -n +2 "$dir/arm/journal.tsv" |
		wc -l)" -eq 1
	cp "$dir/arm/manifest.json" "$dir/manifest"
	sed 's/"kernel_version": "/&#0 /' "$dir/manifest" \
		>"$dir/arm/manifest.json"
	thpbench run "$null" -o "$dir/arm" --arm "T a" --blocks 1 --resume
	check "nor another build of the kernel" exits 64
	check "which is named" says "another build of Linux .*#0 "
	sed 's/"server": {/&"version": "1.2.3",/' "$dir/manifest" \
		>"$dir/arm/manifest.json"
	thpbench run "$null" -o "$dir/arm" --arm "T a" --blocks 1 --resume
	check "nor another server" exits 64
	check "whose version is named" says "begun with MariaDB 1.2.3"
	sed 's/"workload": {/&"sysbench_version": "0.9",/' "$dir/manifest" \
		>"$dir/arm/manifest.json"
	thpbench run "$null" -o "$dir/arm" --arm "T a" --blocks 1 --resume
	check "nor another sysbench" exits 64
	check "whose version is named too" says "begun with sysbench 0.9"
	cp "$dir/manifest" "$dir/arm/manifest.json"
	thpbench run "$null" -o "$dir/arm" --arm "T a" --blocks 1 --resume
	check "the same goes on" exits 0
	thpbench run "$null" -o "$dir/x" --arm "T b"
	check "an unknown arm" exits 64
	check "the nearest is named" says 'did you mean'
else
	skip "a null load with settings" "needs root"
fi

dry=$(config dry <<EOF
[experiment]
blocks = 2
[workload]
dry_run = yes
threads = 2
load = 1s
settle = 1s
measure = 2s
[collect]
interval = 200ms
[arm "dry"]
EOF
)
thpbench run "$dry" -o "$dir/dry"
check "sysbench without a server runs" exits 0
thpbench report "$dir/dry" --table tps --format csv
check "its TPS is in the table" awk -F , '/dry/ { for (i = 1; i <= NF; i++)
	if ($i + 0 > 100) ok = 1 } END { exit !ok }' "$dir/out"

# A line whose time lies wholly in the window counts, the others do not.
run=$dir/dry/runs/001-dry
check "TPS is that of the window's lines" awk -F '\t' '
	FILENAME ~ /events/ && $3 == "measure" { a = $1 }
	FILENAME ~ /events/ && $3 == "stop" { b = $1 }
	FILENAME ~ /sysbench/ && $1 - $2 >= a && $1 <= b && $2 > 0 {
		n += $4; s += $2 }
	END { exit !(s > 0.9 && s < 2.1 && n / s > 100) }' \
	"$run/events.tsv" "$run/sysbench.tsv"

thpbench run "$dry" --pilot 2 -o "$dir/pilot"
check "a pilot runs the baseline alone" test "$(cut -f 3 \
	"$dir/pilot/journal.tsv" | sort -u | tr '\n' ' ')" = "arm dry "
check "and says what its spread would show" grep -q \
	'^Pilot: 2 runs, TPS .* CV .* 95 %' "$dir/out"
# A sentence that is wrapped, where depends on its figures.
tr '\n' ' ' <"$dir/out" >"$dir/one-line"
check "one arm is compared with nothing" grep -q \
	'has nothing to be compared with' "$dir/one-line"
thpbench run "$dry" --pilot 1 -o "$dir/pilot1"
check "one run has no spread" exits 64
thpbench run "$dry" --pilot 2 --blocks 3 -o "$dir/pilot1"
check "a pilot has no blocks" exits 64

sed 's/blocks = 2/&\naa = yes/' "$dry" >"$dir/aa.conf"
thpbench run "$dir/aa.conf" -o "$dir/aa"
verdict=$status
check "the baseline runs twice in each block" test "$(grep -c '	A/A	' \
	"$dir/aa/journal.tsv")" -eq 2
thpbench report "$dir/aa" --table tps
check "its verdict is the exit status of run and of report" test \
	"$status" -eq "$verdict" -a "$(grep -c '^A/A .* A/A sound$' \
	"$dir/out")" -eq "$((verdict == 0))"

touch=$(config touch <<EOF
[experiment]
blocks = 1
[workload]
program = memtouch
memtouch_bytes = 64M
threads = 1
load = 1s
settle = until-stable 2s
measure = 2s
[collect]
interval = 100ms
[arm "D mc"]
damos = madvise-collapse
EOF
)
thpbench run "$touch" -o "$dir/touch"
check "memtouch with madvise-collapse runs" exits 0
check "its memory became huge" awk -F '\t' 'NR == 1 {
	for (i = 1; i <= NF; i++) if ($i == "huge_bytes") c = i }
	{ last = $c } END { exit !(last >= 60 * 1048576) }' \
	"$dir/touch/runs/001-D-mc/samples.tsv"
check "each mapping's collapse is an event" grep -q 'collapsed, ' \
	"$dir/touch/runs/001-D-mc/events.tsv"
thpbench report "$dir/touch" --table origin --format csv
check "the origin is madvise, not khugepaged" grep -q 'madvise' "$dir/out"

sed 's/measure = 2s/measure = 60s/' "$touch" >"$dir/long.conf"
./thpbench run "$dir/long.conf" -o "$dir/long" >/dev/null 2>"$dir/long.err" &
first=$!
pids="$pids $first"
i=0
while ! grep -q settle "$dir/long.err" && [ "$i" -lt 100 ]; do
	sleep 0.1
	i=$((i + 1))
done
thpbench run "$dry" -o "$dir/second"
check "a second run is refused" exits 75
check "naming the first" says "$first"
check "and its configuration" says "long.conf"
kill -INT "$first"
wait "$first"
status=$?
check "Ctrl-C ends the first" exits 130
check "its run is recorded as interrupted" grep -q 'interrupted' \
	"$dir/long/journal.tsv"
check "and it is said how to go on" grep -q \
	"cut off; the same command with --resume and -o $dir/long goes on" \
	"$dir/long.err"
check "memtouch is gone" sh -c '! pgrep -f -- "memtouch --bytes=6710886[4]"'
thpbench run "$dry" -o "$dir/third"
check "and the next may run" exits 0

thpbench run "$dir/none.conf"
check "no such configuration" exits 66
thpbench run
check "no configuration" exits 64
thpbench run "$dry" --blocks none
check "no number of blocks" exits 64
thpbench run "$dry" --resume
check "resume needs its folder" exits 64
thpbench run "$dry" -o /proc/results
check "a folder that cannot be made" sh -c "[ $status -ge 64 ]"
thpbench run "$dry" --root "$dir/nowhere" -o "$dir/q"
check "a root that is not there" exits 66

# A wall clock that jumps does not move a record: faked for the program alone.
if cc -shared -fPIC -o "$dir/step.so" tests/tools/clockstep.c 2>/dev/null; then
	LD_PRELOAD=$dir/step.so ./thpbench run "$touch" -o "$dir/step" \
		>"$dir/out" 2>"$dir/err"
	status=$?
	check "a run while the wall clock steps" exits 0
	check "its time goes forward, tick by tick" awk -F '\t' 'NR > 1 {
		if ($1 < last || $1 > 30) bad = 1; last = $1 }
		END { exit bad || NR < 10 }' \
		"$dir/step/runs/001-D-mc/samples.tsv"
	check "the window has its length" awk -F '\t' '
		$3 == "measure" { a = $1 } $3 == "stop" { b = $1 }
		END { exit !(b - a > 1.99 && b - a < 2.5) }' \
		"$dir/step/runs/001-D-mc/events.tsv"
else
	skip "steps of the clock" "no compiler"
fi
done_testing
