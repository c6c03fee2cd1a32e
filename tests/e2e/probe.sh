#!/bin/sh
# probe: what it says on this machine, with a PMU or without.
. tests/e2e/tap.sh

prints() # TEXT: in stdout
{
	grep -qF -e "$1" "$dir/out" && return
	cat "$dir/out"
	return 1
}

thpbench probe tlb
if [ "$status" -eq 69 ]; then
	check "tlb: n/a with the reason" prints "tlb: n/a: "
	check "on one line" test "$(wc -l <"$dir/out")" -eq 1
else
	check "tlb: walks are what they should be" exits 0
	check "and it says how many" prints "tlb: ok: page table walks a touch"
fi
thpbench probe --root tests/roots/host-6.18 tlb
check "a machine without a PMU" exits 69
check "and said" prints "tlb: n/a: no PMU: "
thpbench probe --root tests/roots/pmu/zen2
check "all of them, below a recorded root" exits 69
check "and why" prints "nothing can be counted below a recorded root"
thpbench probe tbl
check "an unknown one" exits 64
check "the nearest is named" says "did you mean 'tlb'"
thpbench probe tlb tlb
check "two names" exits 64
done_testing
