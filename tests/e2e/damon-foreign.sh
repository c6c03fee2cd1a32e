#!/bin/sh
# Somebody else's kdamond: nothing below DAMON's tree is opened for writing,
# whatever is asked for, and each command says why in a line. On a recorded
# machine and, where DAMON is in use here, on this one.
. tests/e2e/tap.sh

cat >"$dir/a.conf" <<'END_OF_CONF'
[experiment]
blocks = 1
[workload]
program = memtouch
memtouch_bytes = 16M
load = 1s
settle = 1s
measure = 3s
[arm "none"]
thp = never
[arm "collapse"]
thp = never
damos = collapse
END_OF_CONF

root=$dir/root
cp -r tests/roots/host-6.18 "$root"
mkdir -p "$root/run"

calls=openat,open,openat2,creat,truncate,rename,renameat,renameat2
calls=$calls,unlink,unlinkat,mkdir,mkdirat,rmdir

# traced STATUS ARGUMENT...: the program under strace, and its exit status
traced() {
	expected=$1
	shift
	strace -f -qq -o "$dir/trace" -e trace="$calls" \
		./thpbench "$@" >"$dir/out" 2>"$dir/err"
	status=$?
	[ "$status" -eq "$expected" ] && return
	echo "exit status $status, not $expected"
	cat "$dir/out" "$dir/err"
	return 1
}

# Of the calls on DAMON's tree all are openat() without a writing flag.
only_read() {
	grep 'kernel/mm/damon' "$dir/trace" >"$dir/touched"
	[ -s "$dir/touched" ] || {
		echo "DAMON's tree was not looked at"
		return 1
	}
	if grep -v 'openat(' "$dir/touched" ||
		grep -E 'O_WRONLY|O_RDWR|O_CREAT|O_TRUNC' "$dir/touched"; then
		echo "that is no reading"
		return 1
	fi
}

looks() { # STATUS ARGUMENT...
	traced "$@" && only_read
}

refuses() { # PATTERN FILE: one line that says so
	[ "$(grep -c "$1" "$2")" -eq 1 ] || {
		echo "not once '$1' in:"
		cat "$2"
		return 1
	}
}

run_refused() { # OPTION...
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		looks 75 run "$dir/a.conf" -o "$dir/results" "$@" || return
		grep -q 'another run is going on' "$dir/err" || break
		sleep 10
	done
	refuses 'arm "collapse": damos = collapse: somebody else uses DAMON.*: kdamond 0: ' \
		"$dir/err" || return
	[ ! -e "$dir/results" ] || {
		echo "a result folder was made"
		return 1
	}
}

same_tree() {
	diff -r tests/roots/host-6.18/sys/kernel/mm/damon \
		"$root/sys/kernel/mm/damon"
}

if ! command -v strace >/dev/null || ! strace -qq true 2>/dev/null; then
	skip "no writing below DAMON's tree" "strace cannot trace here"
	done_testing
	exit 0
fi

check "check reads alone" looks 69 check "$dir/a.conf" --root "$root"
check "check --probe reads alone" \
	looks 69 check --probe "$dir/a.conf" --root "$root"
check "run refuses before it writes" run_refused --root "$root"
check "the tree is as it was" same_tree

mine=/sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds
if [ "$(cat $mine 2>/dev/null || echo 0)" -eq 0 ]; then
	skip "the same on this machine" "nobody uses DAMON here"
	done_testing
	exit 0
fi
lock_host
check "here: check reads alone" looks 69 check "$dir/a.conf"
check "here: check --probe reads alone" looks 69 check --probe "$dir/a.conf"
check "here: run refuses before it writes" run_refused
check "here: plan --writes touches nothing" traced 0 plan --writes "$dir/a.conf"
check "here: and not DAMON's tree" \
	sh -c "! grep -q kernel/mm/damon '$dir/trace'"
done_testing
