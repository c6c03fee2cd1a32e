#!/bin/sh
# probe: what it says of this machine and its kernel, that it puts back what it
# sets, and two kernels side by side.
. tests/e2e/tap.sh

prints() # TEXT: in stdout
{
	grep -qF -e "$1" "$dir/out" && return
	cat "$dir/out"
	return 1
}

answer() # NAME [FILE]: its answer, or "n/a: REASON"
{
	perl -MJSON::PP -0777 -e '
		my ($name) = @ARGV;
		for (@{decode_json(<STDIN>)->{probes}}) {
			next unless $_->{name} eq $name;
			print exists $_->{missing} ? "n/a: $_->{missing}"
				: $_->{answer};
		}' "$1" <"${2-$dir/kept}"
}
says_of() # NAME TEXT
{
	is=$(answer "$1")
	echo "$1: $is; wanted: $2"
	[ "$is" = "$2" ]
}
begins_of() # NAME TEXT
{
	is=$(answer "$1")
	echo "$1: $is; wanted: $2..."
	case $is in "$2"*) ;; *) return 1 ;; esac
}

thpbench probe --root tests/roots/host-6.18 tlb
check "a machine without a PMU" exits 69
check "and said" prints "(1) no PMU: "
thpbench probe --root tests/roots/pmu/zen2 collapse tlb
check "below a recorded root" exits 69
check "nothing is counted" prints "nothing can be counted below a recorded root"
check "nothing is tried" prints "nothing can be tried below a recorded root"
thpbench probe tbl
check "an unknown one" exits 64
check "the nearest is named" says "did you mean 'tlb'"
thpbench probe --compare host
check "compared with nothing" exits 64
thpbench probe --compare host host --kernel guest
check "compared, and another kernel" exits 64
echo '{"host":{},"probes":[{"name":"x"}]}' >"$dir/bad"
thpbench probe --compare "$dir/bad" "$dir/bad"
check "a file that is none" exits 65
check "what is wrong with it" says "bad: probe 'x' has neither answer nor missing"
thpbench probe --kernel "$dir/nothing"
check "no such kernel" exits 66

if ! is_root; then
	thpbench probe collapse-never mmap-aligned
	check "without root: what needs none is answered" exits 0
	skip "this kernel's answers" "not root"
	done_testing
	exit 0
fi
lock_host
knobs >"$dir/before"
thpbench probe --output "$dir/kept"
check "all of them" exits 0
check "all have a line" test "$(perl -MJSON::PP -0777 -ne \
	'print scalar @{decode_json($_)->{probes}}' "$dir/kept")" -ge 27
knobs >"$dir/after"
check "settings are as before" diff "$dir/before" "$dir/after"
check "no journal is left" test ! -e /run/thpbench/journal.tsv

tlb=$(answer tlb)
# shellcheck disable=SC2016 # sh's own argument
check "tlb: yes, or n/a with the reason" \
	sh -c 'case $1 in yes | "n/a: "?*) ;; *) echo "$1"; exit 1 ;; esac' \
	sh "$tlb"

# What kernel documentation and earlier runs say, of any kernel since 6.1.
check "collapse" says_of collapse collapsed
check "collapse ignores never" says_of collapse-never collapsed
check "collapse ignores max_ptes_none" says_of collapse-one-page collapsed
check "no page, no collapse" says_of collapse-empty 'refused: EINVAL'
check "VM_NOHUGEPAGE is heeded" says_of collapse-nohugepage 'refused: EINVAL'
check "PR_SET_THP_DISABLE is heeded" says_of collapse-disabled 'refused: EINVAL'
check "a hole is told, the rest is collapsed" \
	says_of collapse-hole '7 of 8 huge pages, then ENOMEM'
check "collapse from outside" says_of collapse-other collapsed
check "advice from outside" says_of hugepage-other 'refused: EINVAL'
check "khugepaged" says_of khugepaged collapsed
check "page faults: always" says_of fault-always 'huge pages'
check "page faults: madvise" says_of fault-madvise 'small pages'
check "page faults: madvise, advised" says_of fault-advised 'huge pages'
check "page faults: never, advised" says_of fault-never 'small pages'
check "page faults: disabled" says_of fault-disabled 'small pages'
check "under stress" \
	says_of collapse-stress 'no complaint, and memory as written'
case $(uname -r) in
6.18.*)
	check "6.18: less than a huge page" \
		says_of collapse-part 'refused: EINVAL'
	check "6.18: except-advised, collapse" says_of collapse-except collapsed
	check "6.18: except-advised, page faults" says_of fault-except \
		'advised: huge pages; others: small pages'
	check "6.18: DAMOS has no collapse, or no vaddr" \
		begins_of damos-collapse 'n/a: '
	;;
*) skip "answers of 6.18" "this is $(uname -r)" ;;
esac
damon=/sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds
if [ "$(cat $damon 2>/dev/null || echo 0)" -ne 0 ]; then
	check "somebody else's kdamond: left alone" begins_of damos-hugepage \
		'n/a: somebody else uses DAMON'
else
	skip "somebody else's kdamond" "there is none"
fi

thpbench probe --compare "$dir/kept" "$dir/kept"
check "the same twice" exits 0
check "nothing differs" prints "answers that differ: 0;"
sed 's/7 of 8 huge pages, then ENOMEM/collapsed/' "$dir/kept" >"$dir/other"
thpbench probe --compare host "$dir/other" collapse-hole collapse
check "this kernel with a file" exits 0
check "one differs" prints "answers that differ: 1; alike: 1"
check "it is named" prints "collapse-hole"

# SIGKILL to all of it, in the middle: restore puts back what was set.
enabled=/sys/kernel/mm/transparent_hugepage/enabled
mode=$(sed 's/.*\[\(.*\)\].*/\1/' $enabled)
echo always >$enabled
./thpbench probe collapse-stress >/dev/null 2>&1 &
guard=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	sleep 0.2
	grep -q '\[madvise\]' $enabled && break
done
check "a probe's setting holds" grep -q '\[madvise\]' $enabled
worker=$(cat "/proc/$guard/task/$guard/children" 2>/dev/null)
[ -n "$worker" ] || worker=$(pgrep -P "$guard")
kill -STOP "$guard"
# shellcheck disable=SC2086 # pids
kill -9 "$guard" $worker
wait "$guard" 2>/dev/null
thpbench probe collapse
check "killed: the next one is refused" exits 75
check "killed: restore is named" says "thpbench restore"
thpbench restore
check "killed: restore" exits 0
check "killed: the mode is back" grep -q '\[always\]' $enabled
echo "$mode" >$enabled
knobs >"$dir/after"
check "killed: all settings are as before" diff "$dir/before" "$dir/after"
done_testing
