#!/bin/sh
# Every way to end a run, on this machine's own knobs: each is as before, no
# process and no folder is left. Needs root. The same ends on a recorded
# machine are in tests/unit/test_guard.c.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=./build/thpbench
thp=/sys/kernel/mm/transparent_hugepage

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ "$(id -u)" -eq 0 ] || skip "not root"
[ -w "$thp/enabled" ] || skip "no transparent huge pages that may be set"
# Whoever else changes this machine's knobs in a test holds it too.
exec 9>>/tmp/hostknobs.lock
flock -w 600 9 || skip "another test holds this machine's knobs"
[ ! -e /run/thpbench/journal.tsv ] || skip "a run is going on or was killed"
scratch=$(mktemp -d /tmp/thpbench-ends.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
number=0
ends=0
differences=0

report() { # STATUS NAME
	number=$((number + 1))
	[ "$1" -eq 0 ] || printf 'not '
	echo "ok $number - $2"
}

# Every file that kern/knobs.c knows, and what it says.
state() {
	for file in "$thp"/* "$thp"/hugepages-*/*enabled "$thp"/khugepaged/* \
		/proc/sys/vm/min_free_kbytes \
		/proc/sys/vm/compaction_proactiveness \
		/proc/sys/kernel/numa_balancing \
		/proc/sys/kernel/perf_event_paranoid \
		/proc/sys/kernel/randomize_va_space \
		/proc/sys/kernel/nmi_watchdog \
		/sys/module/damon_*/parameters/enabled \
		/sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds; do
		case $file in
		*/full_scans | */pages_collapsed) continue ;;
		esac
		[ ! -f "$file" ] || echo "$file: $(cat "$file" 2>&1)"
	done
}

# Does anything still carry the mark of this guard?
is_marked() { # PID
	grep -lzs "^THPBENCH_GUARD=$1:" /proc/[0-9]*/environ 2>/dev/null |
		grep -q .
}

cat >"$scratch/ends.conf" <<'END'
[experiment]
blocks = 1
baseline = x
[workload]
program = memtouch
memtouch_bytes = 16M
threads = 1
load = 0s
settle = 0s
measure = 60s
[collect]
interval = 100ms
budget = 0
[arm "x"]
thp = always
thp.khugepaged.pages_to_scan = 8192
thp.khugepaged.scan_sleep_millisecs = 5000
END
sed 's/60s/2s/; s/always/never/' "$scratch/ends.conf" >"$scratch/short.conf"
sed 's/always/alwys/' "$scratch/ends.conf" >"$scratch/wrong.conf"
sed 's/= 8192/= 99999999999/' "$scratch/ends.conf" >"$scratch/refused.conf"

begin() { # CONFIG
	rm -rf "$scratch/out"
	: >"$scratch/log"
	state >"$scratch/before"
	# Whoever started this test may have told it to ignore signals.
	env --default-signal "$program" run "$scratch/$1.conf" \
		-o "$scratch/out" \
		>"$scratch/log" 2>&1 9>&- &
	guard=$!
}

# Until the run is in its measurement; then worker and folders are known.
wait_measure() {
	tries=0
	until grep -q "x: measure" "$scratch/log" 2>/dev/null; do
		tries=$((tries + 1))
		kill -0 "$guard" 2>/dev/null && [ "$tries" -lt 400 ] || return 1
		sleep 0.05
	done
	worker=$(cat "/proc/$guard/task/$guard/children")
	worker=${worker%% *}
	sed -n 's/^dir	//p; s/^cgroup	/\//p' /run/thpbench/journal.tsv \
		>"$scratch/dirs"
	state | cmp -s - "$scratch/before" && return 1
	return 0
}

# The guard is gone and all is as it was. STATUS WANTED NAME
finish() {
	ends=$((ends + 1))
	good=0
	[ "$1" -eq "$2" ] || { echo "# status $1, not $2"; good=1; }
	state >"$scratch/after"
	if ! diff "$scratch/before" "$scratch/after" >"$scratch/diff"; then
		differences=$((differences + $(grep -c '^>' "$scratch/diff")))
		sed 's/^/# /' "$scratch/diff"
		good=1
	fi
	while read -r dir; do
		[ ! -e "$dir" ] || { echo "# $dir is left"; good=1; }
	done <"$scratch/dirs"
	is_marked "$guard" && { echo "# a process is left"; good=1; }
	[ -e /run/thpbench ] && { echo "# a journal or lock is left"; good=1; }
	[ "$good" -eq 0 ] || sed 's/^/# log: /' "$scratch/log"
	report "$good" "$3"
}

give_up() { # NAME
	kill -TERM "$guard" 2>/dev/null
	wait "$guard"
	sed 's/^/# log: /' "$scratch/log"
	report 1 "$1: did not get to measure"
}

# NAME STATUS COMMANDS: they end the run.
end() {
	begin ends
	wait_measure || { give_up "$1"; return; }
	eval "$3"
	wait "$guard"
	finish $? "$2" "$1"
}

# NAME COMMANDS: the same where the guard dies; restore must come to help.
end_restore() {
	begin ends
	wait_measure || { give_up "$1"; return; }
	eval "$2"
	wait "$guard" 2>/dev/null
	"$program" run "$scratch/short.conf" -o "$scratch/second" \
		>"$scratch/log" 2>&1
	status=$?
	[ "$status" -eq 75 ] && grep -q "thpbench restore" "$scratch/log" &&
		[ ! -e "$scratch/second" ]
	report $? "$1: a second run is refused"
	"$program" restore >"$scratch/log" 2>&1
	finish $? 0 "$1: restore"
}

for conf in short:0 wrong:78 refused:3; do
	: >"$scratch/dirs"
	begin "${conf%:*}"
	wait "$guard"
	finish $? "${conf#*:}" "ends by itself: ${conf%:*}"
done

# shellcheck disable=SC2016 # they are expanded once both are known
{
end "SIGINT to the guard" 130 'kill -INT $guard'
end "SIGTERM to the guard" 143 'kill -TERM $guard'
end "SIGHUP to the guard" 129 'kill -HUP $guard'
end "SIGQUIT to the guard" 131 'kill -QUIT $guard'
end "two signals" 130 'kill -INT $guard; sleep 0.4; kill -INT $guard 2>/dev/null'
end "SIGKILL of the worker" 137 'kill -KILL $worker'
end "SIGABRT of the worker" 134 'kill -ABRT $worker'
end "SIGSEGV of the worker" 139 'kill -SEGV $worker'
end "stopped worker, SIGTERM" 143 'kill -STOP $worker; kill -TERM $guard'
end_restore "SIGKILL of the guard" 'kill -KILL $guard'
end_restore "SIGKILL of guard and worker" 'kill -KILL $guard $worker'
end_restore "stopped worker, SIGKILL of the guard" \
	'kill -STOP $worker; kill -KILL $guard'
}

# The first run is named to the second, and does not mind.
begin ends
if wait_measure; then
	"$program" run "$scratch/short.conf" -o "$scratch/second" \
		>"$scratch/second.log" 2>&1
	[ $? -eq 75 ] && grep -q "pid $guard (.*ends.conf)" "$scratch/second.log"
	report $? "two runs: the second is refused"
	"$program" restore >"$scratch/second.log" 2>&1
	[ $? -eq 75 ] && grep -q "pid $guard (.*ends.conf)" "$scratch/second.log"
	report $? "two runs: restore is refused"
	kill -TERM "$guard"
fi
wait "$guard"
finish $? 143 "two runs: the first ends"

out=$("$program" restore) && [ "$out" = "nothing to restore" ]
report $? "nothing is left to restore"
echo "# ends tried: $ends, differences: $differences"
[ "$differences" -eq 0 ]
report $? "no knob differs"
echo "1..$number"
