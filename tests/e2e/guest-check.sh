#!/bin/sh
# check --probe in guests: what DAMON takes is found by trying, put back, and
# said for each arm. Needs kernels in the cache (thpbench guest fetch) and
# qemu; about half a minute a kernel under emulation.
. tests/e2e/tap.sh

kernel_of() # PATTERN: the first kernel in the cache whose name is like it
{
	./thpbench guest list 2>/dev/null |
		sed -n 's/^[^:]*: \([^,]*\), amd64,.*/\1/p' |
		grep "^$1" | head -n 1
}

found() # PATTERN...: each in the output
{
	for pattern in "$@"; do
		grep -q -e "$pattern" "$dir/out" && continue
		echo "no '$pattern' in:"
		cat "$dir/out" "$dir/err"
		return 1
	done
}

cat >"$dir/a.conf" <<'END'
[workload]
program = memtouch
load = 1s
settle = 1s
measure = 3s
[arm "none"]
thp = never
[arm "collapse"]
damos = collapse
damos.quota_ms = 10
damos.fail_charge = 1/4096
[arm "monitor"]
damos = monitor
[arm "temporal"]
damos = hugepage
damos.goal = hugepage_mem_bp 1000
damos.tuner = temporal
END

# Run check --probe under a kernel, then say what is left of its work.
boot() # KERNEL
{
	./thpbench guest boot "$1" --limit 3m --add "$dir/a.conf" \
		--add build/memtouch -- sh -c "
			$PWD/build/thpbench check --probe $dir/a.conf
			echo kdamonds: \
			\$(cat /sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds)
		" >"$dir/out" 2>"$dir/err"
}

if ! command -v qemu-system-x86_64 >/dev/null; then
	skip "check --probe in guests" "no qemu-system-x86_64"
	done_testing
	exit 0
fi

kernel=$(kernel_of '7[.]')
if [ -n "$kernel" ]; then
	boot "$kernel"
	check "Linux 7: all that the arms ask for is taken" found \
		'^damon *ok: nobody uses it; it takes operations vaddr fvaddr' \
		'action .* hugepage .* collapse .* stat; goal user_input' \
		'tuner consist temporal' 'file .*fail_charge' \
		'^arm "collapse": ok' '^arm "monitor": ok' \
		'^arm "temporal": ok' '^It can run here'
	check "Linux 7: no kdamond is left" found '^kdamonds: 0$'
else
	skip "check --probe under Linux 7" "no such kernel in the cache"
fi

kernel=$(kernel_of '6[.]12')
if [ -n "$kernel" ]; then
	boot "$kernel"
	check "Linux 6.12: what is missing is said for each arm" found \
		'^arm "none": ok' '^arm "monitor": ok' \
		'^arm "collapse": .*action collapse is not offered (EINVAL)' \
		'^arm "collapse": .*file fail_charge is not offered' \
		'^arm "collapse": .*or damos = madvise-collapse' \
		'^arm "temporal": .*tuner temporal is not offered' \
		'^It cannot run here'
	check "Linux 6.12: no kdamond is left" found '^kdamonds: 0$'

	# What an arm in a guest lacks is seen in the image, without booting.
	sed "s/^damos = [cmh].*/&\nkernel = $kernel/" "$dir/a.conf" >"$dir/g.conf"
	./thpbench check --root tests/roots/guest-7.3 "$dir/g.conf" \
		>"$dir/out" 2>"$dir/err"
	check "Linux 6.12: arms in a guest, by its image" found \
		'^guest *ok: 6[.]12.*, for 3 arms' '^arm "none": ok' \
		'^arm "monitor": ok' \
		'^arm "collapse": .*its guest action collapse is not offered' \
		'^arm "temporal": .*tuner temporal.*; another kernel: '
else
	skip "check --probe under Linux 6.12" "no such kernel in the cache"
fi
done_testing
