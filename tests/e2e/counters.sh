#!/bin/sh
# Counters of a run: software events on any machine, and all above the kernel
# by counts that are replayed.
# shellcheck disable=SC2016 # awk's programs
. tests/e2e/tap.sh

if ! is_root; then
	skip "counters of a run" "needs root"
	done_testing
	exit 0
fi
lock_host

config() # NAME; prints the path
{
	cat >"$dir/$1.conf"
	echo "$dir/$1.conf"
}

# The reason or the value of a metric in the only run.
metric() # DIR METRIC
{
	./thpbench report "$1" --format json | awk -v metric="\"$2\":" '
		$1 == metric { line = $0
			if ($2 == "{") { getline; line = $0 }
			sub(/^ *("missing": )?/, "", line); print line; exit }'
}

is() # DIR METRIC PATTERN
{
	metric "$1" "$2" | grep -q -e "$3" && return
	metric "$1" "$2"
	return 1
}

touch='[experiment]
blocks = 1
[workload]
program = memtouch
memtouch_bytes = 64M
threads = 3
load = 1s
settle = 0s
measure = 2s
[collect]
interval = 200ms
budget = 0'

conf=$(config touch <<END
$touch
[arm "a"]
END
)
thpbench run "$conf" -o "$dir/r"
check "memtouch is counted" exits 0
run=$dir/r/runs/001-a
check "its events are recorded" grep -q \
	"^event	software	page_faults	perf::PAGE-FAULTS	1:0x2	ctr_" \
	"$run/counters.tsv"
# 64 MiB in pages of 4 KiB, or of 2 MiB where THP gave some.
check "its page faults too" awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) {
		if ($i == "ctr_software_page_faults") f = i
		if ($i == "vm_thp_fault_alloc") t = i } }
	NR > 1 && $f != "-" { last = $f }
	END { exit !(last > 32) }' "$run/samples.tsv"
check "task clock is the CPU time that /proc has" awk -F '\t' '
	NR == 1 { for (i = 1; i <= NF; i++) {
		if ($i == "ctr_software_task_clock") c = i
		if ($i == "cpu_server_s") s = i } }
	NR > 1 && $c != "-" && $s != "-" { if (!n++) { c0 = $c; s0 = $s }
		c1 = $c; s1 = $s }
	END { counted = (c1 - c0) / 1e9; used = s1 - s0
		printf "%.3f s counted, %.3f s used\n", counted, used
		d = counted - used
		exit !(used > 0 && d < 0.05 + used / 20 &&
			d > -0.05 - used / 20) }' "$run/samples.tsv"
thpbench report "$dir/r" --table software
check "they are in a table" grep -q "task clock" "$dir/out"

roles='dtlb_access itlb_access dtlb_walk itlb_walk dtlb_walk_share_pct
	itlb_walk_share_pct dtlb_walk_mpki instructions cycles'
if ls -d /sys/bus/event_source/devices/cpu /sys/bus/event_source/devices/armv8* \
	/sys/bus/event_source/devices/cpu_core >/dev/null 2>&1; then
	skip "each role says that there is no PMU" "there is one"
else
	all_missing()
	{
		for role in $roles; do
			is "$dir/r" "$role" '^"no PMU: ' || return
		done
	}
	check "each role says that there is no PMU" all_missing
fi

conf=$(config none <<END
$touch
counters = none
[arm "a"]
END
)
thpbench run "$conf" -o "$dir/none"
check "counters = none" exits 0
check "says so" is "$dir/none" page_faults '^"counters: counters = none'
check "and leaves no counters.tsv" test ! -e "$dir/none/runs/001-a/counters.tsv"

# Whoever cannot be counted is named, and never the PMU for it.
for scope in cgroup system; do
	conf=$(config "$scope" <<END
$touch
counters = software
scope = $scope
[arm "a"]
END
	)
	thpbench run "$conf" -o "$dir/$scope"
	check "scope = $scope" is "$dir/$scope" page_faults \
		': [0-9]\|the cgroup is not in a hierarchy\|not permitted'
	thpbench report "$dir/$scope" --table software
	check "the table speaks of it alone" sh -c '
		! grep -q "of the server" "$0" &&
			grep -q -e "of the $1," \
				-e "^No run has counted any" "$0"
		' "$dir/out" "$scope"
done

# --- replayed ---

# 1000 accesses, 20 walks from the window's start on; group turns is there for
# 60 % of the time, never is not, and NONE is an event that the PMU lacks.
cat >"$dir/counts" <<'END'
t_s	group	role	event	code	value	enabled_ns	running_ns
0	tlb	dtlb_access	LOADS	4:0x25	500	1000	1000
0	tlb	dtlb_walk	WALKS	4:0x34	10	1000	1000
0	tlb	itlb_access	NONE	4:0x26	0	1000	1000
0	turns	dtlb_stlb_hit	STLB	4:0x2	1	1000	600
0	never	cycles	CYCLES	4:0x11	0	1000	0
1.2	tlb	dtlb_access	LOADS	4:0x25	1500	2000	1990
1.2	tlb	dtlb_walk	WALKS	4:0x34	30	2000	1990
1.2	tlb	itlb_access	NONE	4:0x26	0	2000	1990
1.2	turns	dtlb_stlb_hit	STLB	4:0x2	9	2000	1200
1.2	never	cycles	CYCLES	4:0x11	0	2000	0
END
replay='[experiment]
blocks = 1
[workload]
program = null
load = 500ms
settle = 0s
measure = 2s
[collect]
interval = 100ms
budget = 0'
conf=$(config replay <<END
$replay
counters_from = $dir/counts
[arm "a"]
END
)
thpbench run "$conf" -o "$dir/p"
check "counts are replayed" exits 0
check "the run is marked" grep -q "replayed from $dir/counts, not measured" \
	"$dir/p/journal.tsv"
check "a share is that of the counts" is "$dir/p" dtlb_walk_share_pct '^.*: 2.0,'
# 1000 * 1000 / 990
check "a count is scaled" is "$dir/p" dtlb_access ': 1010.10101'
check "multiplexed is no number" is "$dir/p" dtlb_stlb_hit \
	'^"multiplexed: group turns was on the PMU 60.0 %'
check "nor is what was never on the PMU" is "$dir/p" cycles \
	'^"group never was never on the PMU'
check "nor 0 of an event of the PMU" is "$dir/p" itlb_access \
	'^"unsupported: NONE (4:0x26) counted nothing'
thpbench report "$dir/p" --table counters
check "below the table: replayed, and the event" grep -q \
	"Source: replayed from" "$dir/out"
check "with its code" grep -q "dtlb_walk: WALKS (4:0x34)" "$dir/out"
check "and the time on the PMU" grep -q "group tlb 99.00 %" "$dir/out"

sed -i '4s/	0	1000/	x	1000/' "$dir/counts"
thpbench run "$conf" -o "$dir/bad"
check "a bad file is refused" exits 78
check "by its line" says "^thpbench: $dir/counts:4: value = x: not a number"
check "and nothing is left" test ! -e "$dir/bad"
done_testing
