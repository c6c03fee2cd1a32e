#!/bin/sh
# What an arm cannot have on this machine: one line, its exit status, and
# nothing changed; on a recorded machine.
. tests/e2e/tap.sh
root=$dir/root
thp=sys/kernel/mm/transparent_hugepage
cp -r tests/roots/host-6.18 "$root"
cp -r "$root" "$dir/untouched"
chmod 755 "$dir"

same() # that nothing was written, and no results were begun
{
	diff -r "$dir/untouched" "$root" && [ ! -e "$dir/results" ]
}

# NAME STATUS PATTERN LINE...: a run whose arm has these lines.
refused()
{
	name=$1
	want=$2
	pattern=$3
	shift 3
	{
		printf '[workload]\nprogram = null\n[arm "x"]\n'
		printf '%s\n' "$@"
	} >"$dir/x.conf"
	thpbench run --root "$root" "$dir/x.conf" -o "$dir/results"
	check "$name: status" exits "$want"
	check "$name: said" says "x.conf:[45]: .*$pattern"
	check "$name: one line" test "$(wc -l <"$dir/err")" -eq 1
	check "$name: nothing changed" same
}

refused "unknown word" 78 "did you mean .never" \
	"thp = nevr"
refused "unknown word in the second line" 78 "did you mean defer" \
	"thp = never" "thp.defrag = defr"
refused "no number" 78 "takes a whole number" \
	"thp.khugepaged.max_ptes_none = none"
refused "a slip in the name" 78 "did you mean pages_to_scan" \
	"thp.khugepaged.pages_to_scn = 1"
refused "no such size" 69 "this kernel has no" \
	"thp.hugepages-48kB.enabled = always"
refused "no such sysctl" 69 "this kernel has no" "sysctl.vm.no_such_thing = 1"
chmod 444 "$root/$thp/defrag" "$dir/untouched/$thp/defrag"
refused "not to be written" 77 "may not write .*defrag" \
	"thp = never" "thp.defrag = never"

if is_root; then
	# What the kernel's own files are to one who is not root.
	cp build/thpbench "$dir/thpbench"
	printf '[workload]\nprogram = null\n[arm "x"]\nthp = never\n' \
		>"$dir/x.conf"
	chmod 755 "$root"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$dir/thpbench" run \
		--root "$root" "$dir/x.conf" -o "$dir/results" \
		>"$dir/out" 2>"$dir/err"
	status=$?
	check "not root: status" exits 77
	check "not root: said" says "x.conf:4: arm \"x\": .*run as root"
	check "not root: nothing changed" same
else
	skip "not root" "needs root to stop being it"
fi
done_testing
