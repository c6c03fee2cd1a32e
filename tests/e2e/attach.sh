#!/bin/sh
# A process that we did not start: watched under THP modes, counted from the
# moment it is attached to, and left as it was.
. tests/e2e/tap.sh

if ! is_root; then
	skip "a process that is attached to" "needs root"
	done_testing
	exit 0
fi
lock_host

start() # ARGUMENT... of memtouch; pid
{
	# It reports through fd 3 to whoever started it.
	build/memtouch "$@" 3>/dev/null >/dev/null 2>&1 &
	pid=$!
	sleep 0.5
}

config() # PID [ARM LINE]...
{
	cat >"$dir/a.conf" <<END_OF_CONF
[experiment]
blocks = 1
seed   = 3
[workload]
program = attach
pid     = $1
load    = 1s
settle  = 1s
measure = 3s
[collect]
interval = 500ms
budget   = 0
END_OF_CONF
	shift
	printf '%s\n' "$@" >>"$dir/a.conf"
}

started() { cut -d ' ' -f 22 "/proc/$1/stat"; }
# The state of each thread is one of these letters.
states_are() # LETTERS
{
	! sed 's/.*) //' "/proc/$pid"/task/*/stat | grep -v "^[$1]"
}

value() # ARM METRIC
{
	./thpbench report "$dir/r" --format csv --table memory \
		--table software >"$dir/csv"
	perl -F, -lane '
		BEGIN { ($arm, $metric) = splice @ARGV, 0, 2 }
		@names = @F if $F[0] eq "table";
		%row = (); @row{@names} = @F;
		print $row{$metric} if defined $row{$metric} && $row{arm} eq $arm;
	' "$1" "$2" "$dir/csv"
}
is_about() # ARM METRIC LEAST MOST
{
	got=$(value "$1" "$2")
	[ -n "$got" ] && awk -v got="$got" -v least="$3" -v most="$4" 'BEGIN {
		exit !(got >= least + 0 && got <= most + 0) }' && return
	echo "$1, $2: $got, not $3 to $4"
	return 1
}

knobs >"$dir/before"
echo never >/sys/kernel/mm/transparent_hugepage/enabled
start --bytes=64M --threads=3 --seconds=120
sed 's|\(transparent_hugepage/enabled \).*|\1|' "$dir/before" >"$dir/b"
began=$(started "$pid")
config "$pid" '[arm "never"]' 'thp = never' '[arm "collapse"]' 'thp = never' \
	'damos = madvise-collapse'
thpbench check "$dir/a.conf"
check "check names the process" grep -q "^process  *ok: pid $pid, memtouch" \
	"$dir/out"
thpbench run "$dir/a.conf" -o "$dir/r"
check "a process that is attached to" exits 0
check "it runs on" states_are RSD
check "it is the same" test "$(started "$pid")" = "$began"
check "nothing huge under never" is_about never "huge (GiB)" 0 0
check "all of it after a collapse" is_about collapse "huge (GiB)" \
	0.055 0.067
check "three threads are counted, in all their CPU time" \
	is_about never "task clock (s)" 0.3 9.5
thpbench report "$dir/r"
check "the report says whose process it is" grep -q \
	"Workload: attach, pid $pid, memtouch, load 1s" "$dir/out"
check "no server of ours" grep -q 'Server: a process that was there already' \
	"$dir/out"
sed -i 's/^blocks = 1/blocks = 2/' "$dir/a.conf"
thpbench run "$dir/a.conf" -o "$dir/again"
check "what was huge before the run is said" says \
	'marked: 6[0-9] MiB were huge before the run: the process is not started'
knobs | sed 's|\(transparent_hugepage/enabled \).*|\1|' >"$dir/after"
check "no setting differs" cmp "$dir/b" "$dir/after"

# One that stands still: nothing is let go on that somebody else stopped.
kill -STOP "$pid"
thpbench run "$dir/a.conf" -o "$dir/still" --arm never --blocks 1
check "a process that stands still" exits 0
check "it stands still after it" states_are T
check "of what had no CPU nothing is counted" \
	grep -q 'had a CPU in the window' <<END_OF_REPORT
$(./thpbench report "$dir/still" --table software | tr '\n' ' ' |
	sed 's/  */ /g')
END_OF_REPORT
kill -CONT "$pid"
kill "$pid"
wait "$pid"

# One that ends in mid-run.
start --bytes=16M --threads=1 --seconds=3
config "$pid" '[arm "never"]' 'thp = never'
thpbench run "$dir/a.conf" -o "$dir/short"
check "one that ends: no run counts" exits 3
check "one that ends: that is said" says \
	"the process that is watched, pid $pid, has ended"
wait "$pid"
thpbench run "$dir/a.conf" -o "$dir/none"
check "one that is gone: no run counts" exits 3
check "one that is gone: that is said" says "pid $pid: no such process"
thpbench check "$dir/a.conf"
check "one that is gone: check says so" exits 69
check "one that is gone: check names it" grep -q \
	"^process  *missing: no process has pid $pid" "$dir/out"
thpbench run "$dir/a.conf" --kernel guest -o "$dir/guest"
check "no guest has it" says 'kernel = guest: program = attach watches a process'
sed -n 's|.*transparent_hugepage/enabled .*\[\(.*\)\].*|\1|p' "$dir/before" \
	>/sys/kernel/mm/transparent_hugepage/enabled
knobs >"$dir/after"
check "all settings are as before" cmp "$dir/before" "$dir/after"
done_testing
