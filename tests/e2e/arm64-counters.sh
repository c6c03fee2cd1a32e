#!/bin/sh
# Counters of a real PMU: an emulated arm64 machine has one that counts
# instructions exactly. The program built for arm64 runs in it: the CPU is
# found, events are encoded, opened, grouped, inherited and scaled. Needs
# `make deps ARCH=arm64`; some seconds a CPU.
. tests/e2e/tap.sh

give_up() # WHY
{
	skip "counters in an arm64 guest" "$1"
	done_testing
	exit 0
}

build=$PWD/build/arm64
sysroot=$build/sysroot
[ "$(uname -m)" != aarch64 ] || give_up "this is such a machine"
for program in qemu-system-aarch64 aarch64-linux-gnu-readelf cpio; do
	command -v $program >/dev/null ||
		give_up "no $program; make deps ARCH=arm64"
done
[ -e "$sysroot/packages" ] ||
	give_up "no libraries for arm64; make deps ARCH=arm64"
builds()
{
	MAKEFLAGS='' make -s ARCH=arm64 all build/arm64/tools/pmu
}
check "the program is built for arm64" builds

image()
{
	name=$(./thpbench guest list 2>/dev/null |
		sed -n 's/^[^:]*: \([^,]*\), arm64,.*/\1/p' | tail -n 1)
	echo "${THPBENCH_CACHE:-/var/cache/thpbench}/kernels/$name/vmlinuz"
}
[ -f "$(image)" ] ||
	./thpbench guest fetch --arch arm64 >"$dir/fetch" 2>&1 ||
	give_up "no kernel for arm64: $(tail -n 1 "$dir/fetch")"

# The guest: its files by the paths that they have here; libraries and their
# loader from the sysroot.
guest=$dir/guest
put() # PATH FROM
{
	mkdir -p "$guest$(dirname "$1")"
	cp -L "$2" "$guest$1"
}

libraries() # PROGRAM: what it needs, and what that needs
{
	aarch64-linux-gnu-readelf -d "$1" |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$dir/needs.$2"
	while read -r lib; do
		[ ! -e "$guest/lib/$lib" ] || continue
		for at in lib usr/lib; do
			from=$sysroot/$at/aarch64-linux-gnu/$lib
			[ -e "$from" ] || continue
			put "/lib/$lib" "$from"
			libraries "$from" "$2x"
			break
		done
	done <"$dir/needs.$2"
}

for program in tools/pmu thpbench; do
	put "$build/$program" "$build/$program"
	libraries "$build/$program" n
done
mkdir -p "$guest/proc" "$guest/sys" "$guest/dev" "$guest/tmp" "$guest/bin"
mkdir -p "$guest$PWD"
cp -r workloads "$guest$PWD/"
put /bin/busybox "$sysroot/bin/busybox"
cat >"$guest/init" <<END
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
echo 2 >/proc/sys/kernel/printk
echo "begin"
$build/tools/pmu
echo "pmu ended with \$?"
$build/thpbench check | grep '^counters'
echo "end"
poweroff -f
END
chmod 755 "$guest/init"
(cd "$guest" && find . | cpio --quiet -o -H newc) >"$dir/initrd"

# As a user of its PMU would: with icount, instructions are counted exactly.
boot() # CPU
{
	timeout 240 qemu-system-aarch64 -M virt -cpu "$1" -smp 1 -m 512 \
		-icount shift=0 -nodefaults -no-reboot -display none \
		-serial file:"$dir/console" -kernel "$(image)" \
		-initrd "$dir/initrd" \
		-append "console=ttyAMA0 rdinit=/init panic=-1 quiet" \
		>"$dir/qemu" 2>&1
	tr -d '\r' <"$dir/console" | sed -n '/^begin/,/^end/p' >"$dir/out"
}

says_line() # PATTERN
{
	grep -q -e "$1" "$dir/out" && return
	echo "no '$1' in:"
	cat "$dir/out" "$dir/qemu"
	tail -n 5 "$dir/console"
	return 1
}

near() # NAME PERCENT: all of that name, and there is one
{
	awk -v name="$1" -v limit="$2" '
		$1 == name && $2 == "expected" {
			n++
			off = ($5 - $3) * 100 / $3
			print $0 ": off by " off " %"
			if (off > limit || off < -limit)
				bad = 1
		}
		END { exit bad || !n }' "$dir/out"
}

instructions() # EVENT: a loop of ten million, to 0.1 %
{
	awk -v event="$1" '
		$1 == "event" && $2 == "instructions" && $3 == event {
			print
			n++
			good = $NF >= 10000000 && $NF < 10010000
		}
		END { exit !(n == 1 && good) }' "$dir/out"
}

boot neoverse-n1
check "Neoverse N1 is found" says_line '^pmu arm_n1$'
check "check says so" \
	says_line '^counters tlb: ok: instructions = arm_n1::INST_RETIRED 4:0x8'
check "its instructions are counted" instructions arm_n1::INST_RETIRED
check "a group that fits counts all the time" \
	says_line '^group tlb running_pct 100.00$'
check "an event that the core does not have is n/a, not 0" \
	says_line '^missing dtlb_walk: the core does not have DTLB_WALK'
check "threads that begin after the opening are counted" near exec 0.1
check "and those that were there before, and theirs" near tasks 0.1
check "which were three" says_line '^tasks threads 3$'
check "a group too large is refused where exec begins it" \
	says_line '^large exec, 6 of 14: .*no room in its group'
check "and where it begins at once" \
	says_line '^large thread, 6 of 14: .*no room in its group'
check "groups that take turns are scaled" near scaled 5
check "and they did" says_line '^scaled .* running_pct [1-7]'

boot neoverse-n1,midr=0x481fd010
check "Kunpeng 920 is found" says_line '^pmu arm_kunpeng$'
check "and its instructions are counted" \
	instructions arm_kunpeng::INST_RETIRED
check "those of its threads too" near exec 0.1

boot neoverse-n1,midr=0x481fd020
check "a core that nobody knows is counted as any PMUv3" \
	says_line '^pmu armv8_pmuv3$'
check "by the code of the architecture" instructions INST_RETIRED
check "those of its threads too" near exec 0.1
done_testing
