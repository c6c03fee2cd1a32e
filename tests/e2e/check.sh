#!/bin/sh
# thpbench check: on a recorded machine, whole and with parts missing.
set -u
program=$PWD/build/thpbench
scratch=$(mktemp -d)
holder=
trap '[ -z "$holder" ] || kill "$holder" 2>/dev/null; rm -rf "$scratch"' EXIT
number=0
chmod 755 "$scratch"
root=$scratch/root
cp -r tests/roots/host-6.18 "$root"
mkdir -p "$root/run"

report() { # STATUS NAME
	number=$((number + 1))
	[ "$1" -eq 0 ] || printf 'not '
	echo "ok $number - $2"
	[ "$1" -eq 0 ] || sed 's/^/# /' "$scratch/out" "$scratch/err"
}

skip() { # NAME REASON
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

check() { # STATUS [ARGUMENT]...
	expected=$1
	shift
	"$program" check --root "$root" "$@" >"$scratch/out" 2>"$scratch/err"
	[ $? -eq "$expected" ]
}

# has LINE...: each a pattern that must be found
has() {
	for pattern in "$@"; do
		grep -q -- "$pattern" "$scratch/out" || return 1
	done
}

state() {
	find "$root" -type f -exec cksum {} + | sort
	find "$root" | sort
}

# A null load needs no programs: the rest of these tests runs anywhere.
configuration() { # [LINE]...
	printf '%s\n' '[experiment]' 'blocks = 1' '[workload]' 'load = 1s' \
		'settle = 1s' 'measure = 3s' "$@" >"$scratch/a.conf"
}
null='program = null'

state >"$scratch/before"
if [ "$(id -u)" -eq 0 ] && command -v sysbench >/dev/null &&
	command -v mariadbd >/dev/null; then
	check 0 && [ ! -s "$scratch/err" ] &&
		has '^root  *ok: ' \
			'^thp  *ok: offers always, madvise, never; now ' \
			'^knobs  *ok: [1-9][0-9]* knobs' '^cgroup  *ok: ' \
			'^vmstat  *ok: /proc/vmstat' '^mthp  *ok: ' \
			'^khugepaged  *ok: ' '^psi  *ok: ' '^cpu  *ok: ' \
			'^mariadbd  *ok: [0-9].*MariaDB.*, /' \
			'^sysbench  *ok: [01]\..*rand_type .*uniform' \
			'^sysbench .*zipfian' '^other-run  *ok: ' \
			'^damon  *missing, not needed: .*: kdamond 0: on, pid 77, pageout on physical memory;' \
			'^It can run here\.$'
	report $? "a recorded machine"
else
	skip "a recorded machine" "needs root, sysbench and mariadbd"
fi
configuration "$null" '[arm "A"]' 'sysctl.vm.swappiness = 1'
check 0 "$scratch/a.conf" && has '^arm "A": ok$' '^It can run here' &&
	! has '^mariadbd' && ! has '^sysbench' && ! has '^disk'
report $? "a null load needs no programs"

check 0 "$scratch/a.conf" --json && [ ! -s "$scratch/err" ] &&
	has '^  "ok": true,' '"name": "thp",' '"found": "offers always' \
		'"label": "A",' '"missing": "' '"help": "'
report $? "as JSON"
if command -v python3 >/dev/null; then
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
for n in d["needs"]:
    assert n["ok"] == ("found" in n) and n["ok"] != ("missing" in n), n
    assert n["ok"] != ("needed" in n) and n["ok"] != ("help" in n), n
assert d["arms"] == [{"label": "A", "ok": True}], d["arms"]
' "$scratch/out" 2>"$scratch/err"
	report $? "JSON: found or missing, never both"
else
	skip "JSON: found or missing, never both" "no python3"
fi

configuration 'program = memtouch' '[arm "A"]' 'thp = never' '[arm "B"]' \
	'thp.hugepages-3kB.enabled = always' '[arm "C"]' \
	'sysctl.vm.swappiness = some' '[arm "D"]' 'damos = madvise-collapse'
check 69 "$scratch/a.conf" &&
	has '^arm "A": ok$' \
		'^arm "B": missing: .*/a.conf:11: .*has no .*hugepages-3kB' \
		'^arm "C": missing: .*/a.conf:13: .*takes a whole number' \
		'^arm "D": missing: .*/a.conf:14: damos = madvise-collapse' \
		'^madv-collapse  *missing: ' '^It cannot run here\.$'
report $? "arms that cannot run, each with its line"
check 69 "$scratch/a.conf" --json &&
	has '^  "ok": false,' '"missing": ".*a.conf:11:'
report $? "arms that cannot run, as JSON"

configuration "$null" '[collect]' 'off = psi vmstat' '[arm "A"]'
check 0 "$scratch/a.conf" &&
	has '^psi  *missing, not needed: switched off' \
		'^vmstat  *missing, not needed: switched off'
report $? "collectors that are switched off"

configuration 'tables = 100' 'table_size = 1000000000' \
	"sysbench = $scratch/none" "script = $scratch/no.lua" '[server]' \
	"mariadbd = $scratch/none" '[arm "A"]'
check 69 "$scratch/a.conf" &&
	has "^mariadbd  *missing: mariadbd = $scratch/none: no such" \
		'^mariadbd .*apt-get install' \
		"^sysbench  *missing: no program $scratch/none;" \
		"^script  *missing: $scratch/no.lua: No such file" \
		'^disk  *missing: .*GiB' '^free-memory  *missing: needs about'
report $? "no such programs, no room"

configuration 'program = memtouch' '[arm "H"]' 'thp = never' \
	'[arm "G"]' 'kernel = guest'
mkdir "$scratch/no-kernels"
THPBENCH_CACHE=$scratch/no-kernels check 69 "$scratch/a.conf" &&
	has '^guest  *missing: no ..*; guests need qemu and a kernel' '^arm "H": ok$' \
		'^arm "G": missing: .*a.conf:10: kernel = guest: see guest above'
report $? "no kernel to boot"
THPBENCH_CACHE=$scratch/no-kernels check 69 --kernel host "$scratch/a.conf" &&
	has '^arm "H": ok$' '^arm "G": missing: '
report $? "--kernel is for arms that name none"
sed -i 's/^kernel = guest$/thp = always/' "$scratch/a.conf"
THPBENCH_CACHE=$scratch/no-kernels check 69 --kernel guest "$scratch/a.conf" &&
	has '^arm "H": missing: .*kernel = guest: see' '^arm "G": missing: '
report $? "--kernel guest, and none there"
configuration 'program = memtouch' '[arm "H"]' "kernel = $scratch/none/bzImage"
check 69 "$scratch/a.conf" &&
	has "^guest  *missing: no kernel image: $scratch/none/bzImage: No such" \
		'^guest .*path of one that you built .*thpbench guest list'
report $? "no image at the path of an arm"

configuration 'program = memtouch' 'memtouch_bytes = 64M' '[server]' \
	'cpus = 0-1,900' '[arm "A"]'
check 69 "$scratch/a.conf" && has '^memtouch  *ok: ' '^place  *missing: cpus'
report $? "CPUs that this machine does not have"

# DAMON arms on a machine whose DAMON watches physical memory alone, for
# somebody else: each says what is missing and what would do instead.
configuration 'program = memtouch' '[arm "N"]' 'thp = never' '[arm "C"]' \
	'damos = collapse' '[arm "H"]' 'damos = hugepage' '[arm "M"]' \
	'damos = monitor' 'damos.ops = fvaddr' '[arm "P"]' 'damos = pageout' \
	'damos.ops = paddr' 'damos.addresses = 0x100000-0x200000'
check 69 "$scratch/a.conf" && has \
	'^damon  *missing: .* kdamond 0: on, pid 77, pageout on physical mem' \
	'^arm "N": ok$' \
	'^arm "C": .*a.conf:10: damos = collapse: .*operations vaddr is not offered (paddr alone): .*; ' \
	'^arm "C": .*; kernel = guest, or damos = madvise-collapse, which ' \
	'^arm "H": .*a.conf:12: damos = hugepage: .*; kernel = guest, or thp' \
	'^arm "M": .*a.conf:14: damos = monitor: .*operations fvaddr is not offered .*; kernel = gue' \
	'^arm "P": .*a.conf:17: damos = pageout: see damon above; kernel' &&
	! has '^arm "P": .*paddr alone' &&
	[ "$(grep -c '^damon ' "$scratch/out")" -eq 1 ]
report $? "DAMON arms, and another's kdamond"
check 69 "$scratch/a.conf" --json &&
	has '"label": "C"' '"missing": ".*:10: damos = collapse: ' \
		'"help": "kernel = guest, or damos = madvise-collapse'
report $? "DAMON arms, as JSON"
check 69 "$scratch/a.conf" --probe &&
	has '^damon  *missing: .*pid 77'
report $? "nothing is tried beside another's kdamond"

state >"$scratch/after"
cmp -s "$scratch/before" "$scratch/after"
report $? "nothing was written"

damon=$root/sys/kernel/mm/damon/admin/kdamonds
echo 0 >"$damon/nr_kdamonds"
mv "$damon/0" "$scratch/kdamond"
configuration 'program = memtouch' '[arm "C"]' 'damos = collapse'
check 0 "$scratch/a.conf" &&
	has '^damon  *ok: nobody uses it; --probe tries' '^arm "C": ok$'
report $? "a DAMON that nobody uses"
rm -r "$root/sys/kernel/mm/damon"
check 69 "$scratch/a.conf" &&
	has '^damon  *missing: its sysfs tree is not there; a kernel with' \
		'^arm "C": missing: .*: see damon above; kernel = guest'
report $? "no DAMON at all"
configuration "$null" '[arm "A"]'
check 0 "$scratch/a.conf" && has '^damon  *ok: its sysfs tree is not'
report $? "no DAMON, and none wanted"

configuration "$null" '[arm "A"]'
mkdir "$root/run/thpbench"
: >"$root/run/thpbench/journal.tsv"
check 69 "$scratch/a.conf" &&
	has '^other-run  *missing: .*journal.tsv; thpbench restore'
report $? "a journal that a killed run left"
printf '4711\ta.conf\n' >"$root/run/thpbench/lock"
check 69 "$scratch/a.conf" && has 'journal.tsv; thpbench restore'
report $? "a lock that nobody holds"
flock "$root/run/thpbench/lock" sleep 20 &
holder=$!
tries=0
while flock -n "$root/run/thpbench/lock" true && [ $tries -lt 50 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
check 69 "$scratch/a.conf" &&
	has '^other-run  *missing: a run is going on: pid 4711 (a.conf)'
report $? "another run"
kill "$holder"
holder=
rm -r "$root/run/thpbench"

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	configuration "$null" '[arm "A"]' 'thp = always'
	setpriv --reuid 65534 --clear-groups "$program" check --root "$root" \
		"$scratch/a.conf" >"$scratch/out" 2>"$scratch/err"
	[ $? -eq 69 ] && has '^root  *missing: user 65534' \
		'^knobs  *missing: .*Permission denied; run as root' \
		'^arm "A": missing: .*may not write'
	report $? "not root"
	configuration "$null" '[arm "A"]'
	setpriv --reuid 65534 --clear-groups "$program" check --root "$root" \
		"$scratch/a.conf" >"$scratch/out" 2>"$scratch/err" &&
		has '^root  *missing, not needed: '
	report $? "not root, and no knob to set"
else
	skip "not root" "needs root and setpriv"
	skip "not root, and no knob to set" "needs root and setpriv"
fi

configuration "$null" '[arm "A"]' 'thp = always'
mkdir "$scratch/empty"
for tree in "$scratch/empty" tests/roots/broken; do
	"$program" check --root "$tree" "$scratch/a.conf" >"$scratch/out" \
		2>"$scratch/err"
	[ $? -eq 69 ] && has '^thp  *missing: ' '^cgroup  *missing, not' \
		'^psi  *missing, not needed: ' '^khugepaged  *missing, not' \
		'^It cannot run here\.$'
	report $? "a machine without anything: ${tree##*/}"
done
for tree in arm64-6.12 guest-7.3; do
	"$program" check --root "tests/roots/$tree" >"$scratch/out" \
		2>"$scratch/err"
	has '^thp  *ok: offers ' '^vmstat  *ok: '
	report $? "recorded machine $tree"
done

# Raw codes, which libpfm4 has for every architecture.
pmus=tests/roots/pmu
"$program" check --root "$pmus/sierra-forest" >"$scratch/out" 2>"$scratch/err"
has '^pmu  *ok: Intel Sierra Forest, by events of srf: 4 groups in 2 turns on 8 counters and fixed ones for cycles instructions$' \
	'^counters tlb: not tried on a recorded machine: dtlb_access = MEM_UOPS_RETIRED.ALL (raw) 4:0x83d0, dtlb_walk = .* + DTLB_STORE_MISSES.WALK_COMPLETED (raw) 4:0xe49, ' \
	'^counters software: .*page_faults = perf::PAGE-FAULTS 1:0x2' \
	'^counters n/a: dtlb_walk_cycles, itlb_walk_cycles: this core counts how many walks are under way, not the cycles in which one is$' \
	'^counters note: dtlb_access: a proxy: '
report $? "counters of a CPU"
configuration "$null" '[collect]' 'rotate = yes' '[arm "A"]'
sed -i 's/^blocks *=.*/blocks = 1/' "$scratch/a.conf"
"$program" check --root "$pmus/sierra-forest" "$scratch/a.conf" \
	>"$scratch/out" 2>"$scratch/err"
has 'in 2 turns (rotate = yes takes a block for each; there are 1: those after turn 1 are not counted) on 8'
report $? "fewer blocks than turns"
sed -i 's/^blocks *=.*/blocks = 2/' "$scratch/a.conf"
"$program" check --root "$pmus/sierra-forest" "$scratch/a.conf" \
	>"$scratch/out" 2>"$scratch/err"
has '4 groups in 2 turns on 8'
report $? "as many blocks as turns"
"$program" check --root "$pmus/zen3-vm" >"$scratch/out" 2>"$scratch/err"
has '^pmu  *missing, not needed: no PMU: ' \
	'^counters n/a: cycles, instructions, dtlb_access, .*: no PMU: ' &&
	! has '^counters tlb'
report $? "no counters in a virtual machine"
"$program" check --root "$pmus/unknown-arm" --json >"$scratch/out" \
	2>"$scratch/err"
has '"pmu": "armv8_pmuv3"' '"encoding": "4:0x11"' \
	'"dtlb_walk": "the core does not have DTLB_WALK (0x34): '
report $? "counters as JSON"
mkdir "$scratch/events"
sed -e 's/175/250/' -e 's/Sierra Forest/Tomorrow/' \
	workloads/events/intel-sierraforest.ini >"$scratch/events/own.ini"
configuration "$null" '[collect]' "events = $scratch/events" '[arm "A"]'
"$program" check --root "$pmus/unknown-intel" >"$scratch/out" \
	2>"$scratch/err"
has '^pmu  *missing, not needed: no event file is for this CPU, GenuineIntel family 6 model 250'
report $? "a CPU that is not known"
"$program" check --root "$pmus/unknown-intel" "$scratch/a.conf" \
	>"$scratch/out" 2>"$scratch/err"
has '^pmu  *ok: Intel Tomorrow, by events of srf' '^counters tlb: '
report $? "an event file of one's own"
configuration "$null" '[collect]' 'counters = none' '[arm "A"]'
check 0 "$scratch/a.conf" &&
	has '^pmu  *missing, not needed: counters = none in the configuration' &&
	! has '^counters'
report $? "no counters wanted"
configuration "$null" '[collect]' "events = $scratch/events" '[arm "A"]'
sed -i 's/^cycles =/cycle =/' "$scratch/events/own.ini"
check 69 "$scratch/a.conf" &&
	has '^pmu  *missing: .*/events/own.ini:15: no role cycle; did you mean cycles?;'
report $? "a bad one"

"$program" check >"$scratch/out" 2>"$scratch/err"
status=$?
has '^counters software: ok: page_faults = perf::PAGE-FAULTS 1:0x2' ||
	has '^counters software: missing, not needed: '
report $? "events of the kernel on this machine"
"$program" check >"$scratch/out" 2>"$scratch/err"
status=$?
{ [ $status -eq 0 ] && has '^It can run'; } ||
	{ [ $status -eq 69 ] && has '^It cannot' ': missing: \| missing: '; }
report $? "this machine"

root=$scratch/nowhere
check 66 && grep -q 'nowhere: No such file' "$scratch/err"
report $? "no such root"
root=$scratch/root
configuration "$null" '[arm "A"]' 'thpp = always'
check 78 "$scratch/a.conf" && grep -q 'a.conf:9: ' "$scratch/err" &&
	[ ! -s "$scratch/out" ]
report $? "a bad configuration"
check 66 "$scratch/none.conf" && check 64 a b && check 64 --no-such
report $? "bad arguments"

echo "1..$number"
