#!/bin/sh
# A real server and a real load that are killed, a load that lies, a disk that
# is full: the run says so, is tried again, and nothing is left behind.
# shellcheck disable=SC2016 # awk's programs
. tests/e2e/tap.sh

if ! is_root; then
	skip "killed servers and loads" "needs root for one journal of its own"
	done_testing
	exit 0
fi
lock_host
export THPBENCH_CACHE="$dir/cache"
journal=/run/thpbench/journal.tsv
mkdir "$dir/tmp"
export TMPDIR="$dir/tmp"

cat >"$dir/small.conf" <<EOF
[experiment]
blocks = 1
[server]
buffer_pool = 32M
my.innodb_log_file_size = 8M
[workload]
script = oltp_point_select
tables = 1
table_size = 1000
threads = 2
load = 2s
settle = 2s
measure = 3s
[collect]
interval = 500ms
[arm "A"]
EOF

# The pid of a program in the journal of the run that goes on.
pid_of() # NAME
{
	awk -F '\t' '$1 == "pid" { print $2 }' "$journal" 2>/dev/null |
		while read -r pid; do
			[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$1" ] &&
				echo "$pid"
		done | tail -n 1
}

# Run, and kill a program once when a phase begins.
kill_in() # PHASE PROGRAM SIGNAL
{
	rm -rf "$dir/r"
	./thpbench run "$dir/small.conf" -o "$dir/r" >"$dir/out" \
		2>"$dir/err" &
	runner=$!
	pids="$pids $runner"
	i=0
	while ! grep -q "A: $1" "$dir/err" && [ "$i" -lt 600 ]; do
		sleep 0.1
		i=$((i + 1))
	done
	victim=
	while [ -z "$victim" ] && [ "$i" -lt 600 ]; do
		victim=$(pid_of "$2")
		[ -n "$victim" ] || sleep 0.05
		i=$((i + 1))
	done
	[ "$1" != measure ] || sleep 1
	kill "-$3" "$victim"
	wait "$runner"
	status=$?
}

first_is() # STATE
{
	[ "$(cell "$dir/r/journal.tsv" state 1)" = "$1" ] && return
	cat "$dir/r/journal.tsv"
	return 1
}

reason_has() # PATTERN
{
	cell "$dir/r/journal.tsv" reason 1 | grep -q -e "$1" && return
	cat "$dir/r/journal.tsv"
	return 1
}

for phase in start load settle measure; do
	kill_in "$phase" mariadbd KILL
	check "server killed in $phase: tried again, and well" exits 0
	check "server killed in $phase: recorded as failed" first_is failed
	check "server killed in $phase: named" reason_has 'SIGKILL'
	check "server killed in $phase: second attempt counts" test \
		"$(cell "$dir/r/journal.tsv" attempt 2)" = 2
done
kill_in measure mariadbd SEGV
check "server crashed: recorded as failed" first_is failed
check "server crashed: the end of its log is shown" says 'signal 11'
kill_in measure sysbench KILL
check "sysbench killed: tried again, and well" exits 0
check "sysbench killed: named" reason_has 'SIGKILL'
kill_in load sysbench SEGV
check "sysbench crashed: named" reason_has 'SIGSEGV'

./thpbench report "$dir/r" --table tps >"$dir/tps"
check "the failed attempt is in the report" grep -q 'SIGSEGV' "$dir/tps"

sed "s|^script.*|&\nsysbench = $PWD/tests/fake-sysbench\nopt.fake = sum|" \
	"$dir/small.conf" | sed '/^my\./d;/buffer_pool/d;/\[server\]/d' \
	>"$dir/fake.conf"
sed -i 's/^script.*/&\ndry_run = yes/' "$dir/fake.conf"
thpbench run "$dir/fake.conf" -o "$dir/fake"
check "a load that lies is not believed" exits 3
check "nor the second time" test "$(grep -c '	failed	\|	invalid	' \
	"$dir/fake/journal.tsv")" -ge 1

# Results on a full disk: said, status of I/O, nothing left in the system.
mkdir "$dir/tiny"
if mount -t tmpfs -o size=64k tmpfs "$dir/tiny" 2>/dev/null; then
	sed -e 's/^measure.*/measure = 20s/' -e 's/500ms/10ms/' \
		-e '/^\[collect/a budget = 0' "$dir/small.conf" \
		>"$dir/long.conf"
	thpbench run "$dir/long.conf" -o "$dir/tiny/r"
	check "results on a full disk" exits 74
	check "it is said" says 'No space left'
	umount "$dir/tiny"
else
	skip "results on a full disk" "no tmpfs can be mounted"
fi

check "no server is left" sh -c "! ps -eo args | grep -F '$dir' |
	grep -v grep"
check "no temporary folder is left" test -z "$(ls -A "$dir/tmp")"
check "no cgroup is left" sh -c \
	'! find /sys/fs/cgroup -maxdepth 3 -name "thpbench.*" | grep .'
check "no journal is left" test ! -e "$journal"
done_testing
