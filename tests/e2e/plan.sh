#!/bin/sh
# thpbench plan: the shipped configurations, the forms of its output.
# With --update the expected writes are written anew (make golden); look at
# the difference before you commit it.
set -u
program=./build/thpbench
golden=tests/golden/plan-damon
if [ "${1-}" = --update ]; then
	"$program" plan "$golden.conf" --writes >"$golden.txt"
	exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
number=0

report() { # STATUS NAME
	number=$((number + 1))
	[ "$1" -eq 0 ] || printf 'not '
	echo "ok $number - $2"
}

found=0
for file in configs/*.conf configs/*/*.conf; do
	found=$((found + 1))
	"$program" plan "$file" --writes >"$scratch/out" 2>"$scratch/err"
	status=$?
	[ "$status" -eq 0 ] && [ ! -s "$scratch/err" ] &&
		grep -q '(baseline)' "$scratch/out" &&
		grep -q 'in these phases' "$scratch/out"
	report $? "plan $file"
	sed 's/^/# /' "$scratch/err"
	# What is offered in comments must be right as well. Prose begins
	# with a blank behind the ';', a key or a section does not.
	sed 's/^;\([a-z[]\)/\1/' "$file" >"$scratch/uncommented.conf"
	"$program" plan "$scratch/uncommented.conf" >/dev/null \
		2>"$scratch/err"
	report $? "plan $file with its examples"
	sed 's/^/# /' "$scratch/err"
done
[ "$found" -ge 16 ]
report $? "$found configurations"

cat >"$scratch/a.conf" <<'END'
[experiment]
blocks = 2
seed = 7
[server]
drop_caches = yes
[workload]
load = 1s
settle = until-stable 20s
measure = 4s
[arm "A"]
sysctl.vm.swappiness = 1
thp.khugepaged.pages_to_scan = 8
thp = always
[arm "B"]
thp = never
damos = madvise-collapse
END

"$program" plan "$scratch/a.conf" --writes >"$scratch/plan"
report $? "plan of a small configuration"
# In each block every arm once.
runs=$(sed -n 's/^ *[0-9]* *\([12]\)  \([AB]\).*/\1\2/p' "$scratch/plan" |
	sort | tr '\n' ' ')
[ "$runs" = "1A 1B 2A 2B " ]
report $? "each block has every arm once: $runs"
grep -q '^In all: 1m8s at the least, 1m40s at the most' "$scratch/plan"
report $? "the total time"

writes() { # ARM
	sed -n "/^arm \"$1\" writes/,/^\$/p" "$scratch/plan" |
		sed -n 's/^  \(.*\)/\1/p'
}
writes A >"$scratch/a"
cat >"$scratch/want" <<'END'
/sys/kernel/mm/transparent_hugepage/enabled  always
/sys/kernel/mm/transparent_hugepage/khugepaged/pages_to_scan  8
/proc/sys/vm/swappiness  1
/proc/sys/vm/min_free_kbytes  (its first value, if it changed)
/sys/module/damon_stat/parameters/enabled  N  (if it is on)
/sys/module/damon_reclaim/parameters/enabled  N  (if it is on)
/sys/module/damon_lru_sort/parameters/enabled  N  (if it is on)
/proc/sys/vm/drop_caches  3
END
diff "$scratch/want" "$scratch/a" | sed 's/^/# /'
cmp -s "$scratch/want" "$scratch/a"
report $? "arm A's writes in their order"
writes B >"$scratch/b"
cat >"$scratch/want" <<'END'
/sys/kernel/mm/transparent_hugepage/enabled  never
/sys/kernel/mm/transparent_hugepage/khugepaged/pages_to_scan  (its first value, if it changed)
/proc/sys/vm/swappiness  (its first value, if it changed)
/proc/sys/vm/min_free_kbytes  (its first value, if it changed)
/sys/module/damon_stat/parameters/enabled  N  (if it is on)
/sys/module/damon_reclaim/parameters/enabled  N  (if it is on)
/sys/module/damon_lru_sort/parameters/enabled  N  (if it is on)
/proc/sys/vm/drop_caches  3
no file, but process_madvise(MADV_COLLAPSE) when settling starts
END
diff "$scratch/want" "$scratch/b" | sed 's/^/# /'
cmp -s "$scratch/want" "$scratch/b"
report $? "arm B's: what arm A sets goes back"

"$program" plan "$golden.conf" --writes >"$scratch/damon"
diff "$golden.txt" "$scratch/damon" | sed 's/^/# /'
cmp -s "$golden.txt" "$scratch/damon"
report $? "the writes of DAMON schemes"
"$program" plan "$golden.conf" --json >"$scratch/json"
for text in '"value": "migrate_hot"' '"value": "PID"' '"value": "START"' \
	'"optional": true' '"damon": \[\]'; do
	grep -q "$text" "$scratch/json" || echo "no $text"
done >"$scratch/missing"
[ ! -s "$scratch/missing" ]
report $? "and as JSON"
sed 's/^/# /' "$scratch/missing"

"$program" plan "$scratch/a.conf" --json --blocks 3 >"$scratch/json"
report $? "plan --json"
[ "$(grep -c '"run": ' "$scratch/json")" -eq 6 ] &&
	grep -q '"least_s": 102.0' "$scratch/json" &&
	grep -q '"seed": "7"' "$scratch/json" &&
	grep -q '"collapse": true' "$scratch/json" &&
	grep -q '"table_size": "200000"' "$scratch/json"
report $? "the JSON has 6 runs, the time, the seed, the defaults"
"$program" plan "$scratch/a.conf" --json --blocks 3 |
	cmp -s - "$scratch/json"
report $? "the same seed gives the same plan"

refused() { # STATUS TEXT ARGUMENT...
	want=$1
	text=$2
	shift 2
	"$program" plan "$@" >"$scratch/out" 2>"$scratch/err"
	[ $? -eq "$want" ] && grep -qF -- "$text" "$scratch/err"
	report $? "plan $* is refused with $want"
	[ ! -s "$scratch/out" ]
	report $? "plan $* prints no plan"
}
refused 66 'read no/such.conf: No such file' no/such.conf
refused 64 'one configuration is wanted'
refused 64 '--blocks 0: not a number' --blocks 0 configs/quick.conf
refused 64 'no option' --blokcs 2 configs/quick.conf
echo "1..$number"
