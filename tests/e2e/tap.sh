# shellcheck shell=sh
# For scripts of this folder: dir is theirs until they end; each check is a
# line of TAP; done_testing closes the plan.
set -u
dir=$(mktemp -d)
n=0
pids=

tap_end()
{
	for pid in $pids; do
		kill -9 "$pid" 2>/dev/null
	done
	rm -rf "$dir"
}
trap tap_end EXIT
trap 'exit 130' INT TERM

check() # NAME COMMAND...
{
	name=$1
	shift
	n=$((n + 1))
	if "$@" >"$dir/check.out" 2>&1; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		sed 's/^/# /' "$dir/check.out"
	fi
}

skip() # NAME REASON
{
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

done_testing() { echo "1..$n"; }

is_root() { [ "$(id -u)" -eq 0 ]; }

# Run thpbench with its output in $dir/out and $dir/err; status holds its exit.
thpbench()
{
	./thpbench "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}

exits() # STATUS
{
	[ "$status" -eq "$1" ] && return
	echo "status $status, not $1; stderr ends:"
	tail -n 5 "$dir/err"
	return 1
}

says() # PATTERN: in stderr
{
	grep -q -e "$1" "$dir/err" && return
	echo "no '$1' in:"
	tail -n 20 "$dir/err"
	return 1
}

hides() # PATTERN FILE: that is there
{
	[ -s "$2" ] && ! grep -e "$1" "$2"
}

# A cell of a TSV file by the header of its column, row 1 the first.
cell() # FILE COLUMN ROW
{
	awk -F '\t' -v col="$2" -v row="$3" 'NR == 1 {
		for (i = 1; i <= NF; i++) if ($i == col) c = i
	} NR == row + 1 { print $c }' "$1"
}

# The folders of the runs that count, of one arm or of all: a run that failed
# is tried again, in another folder.
counted() # FOLDER [ARM]
{
	awk -F '\t' -v top="$1" -v arm="${2-}" '
		NR > 1 && ($5 == "ok" || $5 == "marked") &&
		(arm == "" || $3 == arm) { print top "/" $6 }' "$1/journal.tsv"
}

# Start thpbench, end it by SIGTERM once a file of this pattern is there, and
# set status.
stopped_at() # PATTERN ARGUMENTS...
{
	pattern=$1
	shift
	./thpbench "$@" >"$dir/out" 2>"$dir/err" &
	pid=$!
	pids="$pids $pid"
	for _ in $(seq 500); do
		# shellcheck disable=SC2086 # is a pattern
		! ls -d $pattern >"$dir/seen" 2>"$dir/seen.err" || break
		sleep 0.01
	done
	kill -TERM "$pid"
	wait "$pid"
	status=$?
	[ -s "$dir/seen" ]
}

# All settings of the machine that a run may change, one a line.
knobs()
{
	for f in /sys/kernel/mm/transparent_hugepage/* \
		/sys/kernel/mm/transparent_hugepage/khugepaged/* \
		/sys/kernel/mm/transparent_hugepage/hugepages-*/*enabled \
		/proc/sys/vm/min_free_kbytes \
		/proc/sys/vm/compaction_proactiveness \
		/proc/sys/kernel/numa_balancing \
		/proc/sys/kernel/randomize_va_space \
		/proc/sys/kernel/perf_event_paranoid \
		/proc/sys/kernel/nmi_watchdog; do
		case $f in
		*/full_scans | */pages_collapsed) continue ;;
		esac
		[ -f "$f" ] && echo "$f $(cat "$f" 2>/dev/null)"
	done
}

# Tests that change the machine's settings wait for each other.
lock_host()
{
	exec 8>/tmp/hostknobs.lock
	flock 8
}
