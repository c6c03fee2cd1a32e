#!/bin/sh
# Guests that end as they should not: killed, out of memory, never booted,
# without DAMON, without room for what they send. A clear line each, what they
# had is kept, and the host is as it was. And one that ends well leaves what a
# run on the host does.
# shellcheck disable=SC2016 # awk's programs
. tests/e2e/tap.sh

case $(uname -m) in
x86_64) qemu="qemu-system-x86_64" ;;
*) qemu= ;;
esac
if [ -z "$qemu" ] || ! command -v "$qemu" >/dev/null; then
	skip "guests that end badly" "no qemu for x86-64 kernels"
	done_testing
	exit 0
fi
./thpbench guest fetch >"$dir/fetch" 2>&1
if ! ./thpbench guest list 2>/dev/null | grep -q '^damon '; then
	skip "guests that end badly" "no guest kernel: $(tail -n 1 "$dir/fetch")"
	done_testing
	exit 0
fi
image=$(./thpbench guest list --json | perl -MJSON::PP -0777 -ne '
	my @own = grep { $_->{arch} eq "amd64" } @{decode_json($_)};
	print $own[-1]{image}')

# Two short arms; what stands in [guest] is given.
config() # FILE [GUEST_KEY]...
{
	file=$1
	shift
	cat >"$file" <<'END_OF_CONF'
[experiment]
title   = a guest
kernel  = guest
blocks  = 1
primary = huge_bytes

[workload]
program        = memtouch
memtouch_bytes = 64M
threads        = 1
load           = 1s
settle         = 1s
measure        = 3s

[collect]
interval = 500ms
budget   = 0

[arm "never"]
thp = never

[arm "always"]
thp = always

[guest]
kvm = off
END_OF_CONF
	printf '%s\n' "$@" >>"$file"
}

reason_has() # FOLDER PATTERN: the reason of its first run
{
	cell "$1/journal.tsv" reason 1 | grep -q -e "$2" && return
	cat "$1/journal.tsv"
	return 1
}

states_are() # FOLDER STATE...
{
	folder=$1
	shift
	[ "$(awk -F '\t' 'NR > 1 { printf "%s ", $5 }' "$folder/journal.tsv")" \
		= "$* " ] && return
	cat "$folder/journal.tsv"
	return 1
}

# What cannot be booted is refused before there is a folder.
config "$dir/a.conf"
refused() # STATUS PATTERN
{
	exits "$1" && says "$2" || return
	[ "$(wc -l <"$dir/err")" -eq 1 ] && [ ! -e "$dir/refused" ] && return
	cat "$dir/err"
	ls "$dir"
	return 1
}
echo "no kernel" >"$dir/text"
thpbench run "$dir/a.conf" --kernel "$dir/text" -o "$dir/refused"
check "a text for a kernel is refused" refused 66 'text is no kernel image'
head -c 2000000 "$image" >"$dir/cut"
thpbench run "$dir/a.conf" --kernel "$dir/cut" -o "$dir/refused"
check "half a kernel is refused" refused 66 'cut is cut off: 2000000 bytes'
thpbench guest boot "$dir/cut"
check "half a kernel is not booted" refused 66 'is cut off'
thpbench run "$dir/a.conf" --kernel "$dir/none" -o "$dir/refused"
check "no kernel at all is refused" refused 66 'none: No such file'
PATH=/nowhere ./thpbench run "$dir/a.conf" -o "$dir/refused" \
	>"$dir/out" 2>"$dir/err"
status=$?
check "no qemu: the package is named" refused 69 \
	"no $qemu: install the package qemu-system-x86"

# A kernel without DAMON: one of before, or the same by another configuration.
before=$dir/before
if ! THPBENCH_CACHE=$before ./thpbench guest fetch bullseye/5.10 \
	>"$dir/fetch" 2>&1; then
	rm -rf "$before"
	mkdir -p "$before/kernels"
	cp -r "$(dirname "$image")" "$before/kernels/without"
	chmod -R u+w "$before"
	sed -i '/^CONFIG_DAMON/d' "$before"/kernels/without/config
fi
printf '[arm "collapse"]\ndamos = collapse\n' | cat "$dir/a.conf" - \
	>"$dir/damos.conf"
export THPBENCH_CACHE="$before"
thpbench run "$dir/damos.conf" -o "$dir/refused"
check "no DAMON: the arm is named, and what is missing" refused 69 \
	'arm "collapse": .*there is no DAMON (CONFIG_DAMON)'
check "no DAMON: what would help" says \
	'guest fetch.*damos = madvise-collapse needs no DAMON'
thpbench check "$dir/damos.conf"
check "no DAMON: check says it for that arm alone" \
	grep -q 'arm "collapse": missing: .*there is no DAMON' "$dir/out"
unset THPBENCH_CACHE

lock_host
knobs >"$dir/knobs"

# The first guest is killed in its window; the run is done again.
qemu_of() # FOLDER: the pid of the guest whose console is there
{
	pgrep -f "^[^ ]*$qemu .*path=$1/"
}
./thpbench run "$dir/a.conf" -o "$dir/r" >"$dir/out" 2>"$dir/err" &
runner=$!
pids=$runner
i=0
while ! grep -q ': measure' "$dir/err" && [ "$i" -lt 900 ]; do
	sleep 0.1
	i=$((i + 1))
done
sleep 1
kill -9 "$(qemu_of "$dir/r")"
wait "$runner"
status=$?
pids=
check "a killed guest: the run is done again" exits 0
check "a killed guest: and the next one" states_are "$dir/r" failed ok ok
check "a killed guest: that is said" reason_has "$dir/r" \
	'qemu was killed by SIGKILL'
check "a killed guest: and that what it sent is kept" reason_has "$dir/r" \
	'what it had sent is kept'
check "a killed guest: with the way to its console" reason_has "$dir/r" \
	'all of it: .*/runs/.*/console.log'
first=$dir/r/$(cell "$dir/r/journal.tsv" dir 1)
check "a killed guest: what it had measured is kept" \
	grep -q '	measure	' "$first/samples.tsv"
check "no KVM: that is said, and why" says 'are emulated: TPS .*; no KVM: kvm = off$'
./thpbench report "$dir/r" --table memory >"$dir/text"
check "a killed guest: the attempt is in the report" \
	grep -q 'SIGKILL' "$dir/text"

# A run of the guest's beside one of the host's.
# What only some machines have is left out: cgroup 2, tracefs.
form() # FOLDER RUN
{
	for f in "$1/$(cell "$1/journal.tsv" dir "$2")"/*; do
		case $f in
		*/guest.tsv | */console.log | */qemu.log) continue ;;
		*.tsv) echo "$(basename "$f") $(head -n 1 "$f" | tr '\t' '\n' |
			grep -v '^cg_\|^tr_' | tr '\n' ' ')" ;;
		*) basename "$f" ;;
		esac
	done
}
if is_root; then
	thpbench run "$dir/a.conf" --kernel host -o "$dir/host"
	check "the same on the host" exits 0
	form "$dir/r" 2 >"$dir/form.guest"
	form "$dir/host" 1 >"$dir/form.host"
	check "both leave the same files and columns" \
		diff "$dir/form.host" "$dir/form.guest"
else
	skip "the same on the host" "needs root"
fi

# Guests that do not boot.
config "$dir/panic.conf" 'cmdline = rdinit=/nowhere'
thpbench run "$dir/panic.conf" -o "$dir/panic"
check "a panic at boot: no run counts" exits 3
check "a panic at boot: in the kernel's own words" reason_has "$dir/panic" \
	'before it had booted: its kernel panicked: .*; all of it: .*console.log'
check "a panic at boot: two are enough" says \
	'never.*not begun: .* did not boot in the 2 guests before\|always.*not begun'
check "a panic at boot: three lines of journal" states_are "$dir/panic" \
	failed failed failed

# Two that never end: one jumps where it stands, the other prints before it
# does so, to the first serial port.
kernel() # JUMP CODE, hex digits
{
	perl -e '
		my ($jump, $code) = map { pack "H*", $_ } @ARGV;
		my $image = "\0" x 4096;
		substr($image, 0x1f1, 1) = "\4";
		substr($image, 0x1fe, 8) = "\x55\xaa" . $jump . "HdrS";
		substr($image, 0x206, 2) = "\x0f\x02";
		substr($image, 0x22c, 4) = "\xff\xff\xff\x7f";
		substr($image, 0x236, 1) = "\1";
		substr($image, 0x280, length $code) = $code;
		print $image' "$1" "$2"
}
kernel ebfe '' >"$dir/silent"
# mov dx, 0x3f8; of each letter mov al, out; jump where it stands
kernel eb7e baf803"$(printf 'Hello\n' | od -An -v -tx1 |
	sed 's/ \(..\)/b0\1ee/g')"ebfe >"$dir/hang"
config "$dir/hang.conf" 'boot_limit = 3s'
thpbench run "$dir/hang.conf" --kernel "$dir/hang" -o "$dir/late" --arm never
check "it does not boot: its last words, and where they are" reason_has \
	"$dir/late" 'not boot in 3s; its console ends: Hello; all of it: .*log'
check "it does not boot: no run counts" exits 3
# An exception while a kernel boots under emulation: it gets a second guest.
# The console of this qemu's first guests is written by hand.
mkdir "$dir/fake"
cat >"$dir/fake/$qemu" <<'END_OF_QEMU'
#!/bin/sh
here=$(dirname "$0")
echo guest >>"$here/count"
[ "$(grep -c guest "$here/count")" -le "$FIRST" ] || exec "$REAL_QEMU" "$@"
for arg; do
	case $arg in
	file,id=console,path=*) console=${arg#*path=} ;;
	esac
done
echo "[    1.0] $WORDS" >"$console"
case $WORDS in
*panic*) exit ;;
esac
exec sleep 60
END_OF_QEMU
chmod +x "$dir/fake/$qemu"
boot_by_fake() # FIRST WORDS [OPTION]... -- COMMAND...
{
	rm -f "$dir/fake/count"
	FIRST=$1 WORDS=$2 REAL_QEMU=$(command -v "$qemu")
	export FIRST WORDS REAL_QEMU
	shift 2
	PATH="$dir/fake:$PATH" ./thpbench guest boot guest --kvm off "$@" \
		>"$dir/out" 2>"$dir/err"
	status=$?
}
guests_are() { [ "$(grep -c guest "$dir/fake/count")" -eq "$1" ]; } # N

panic='Kernel panic - not syncing'
boot_by_fake 1 "$panic: Fatal exception in interrupt" -- sh -c 'echo booted; exit 7'
check "an exception at boot: a second guest is tried" exits 7
check "an exception at boot: it does what is asked" grep -qx booted "$dir/out"
check "an exception at boot: why is said" says \
	'had booted: its kernel panicked: Fatal exception.*; trying again'
check "an exception at boot: two guests" guests_are 2
boot_by_fake 9 "$panic: Fatal exception" -- true
check "a second exception at boot: the end" exits 74
check "a second exception at boot: no third guest" guests_are 2
boot_by_fake 9 "$panic: No working init found" -- true
check "another panic at boot: no second guest" guests_are 1
boot_by_fake 1 'smpboot: Total of 2 processors activated' --boot-limit 25s -- \
	sh -c 'exit 7'
check "one that hangs as it boots: a second guest is tried" exits 7
check "one that hangs as it boots: why is said" says \
	'not boot in 25s; its console ends: .*smpboot.*; trying again'

thpbench guest boot "$dir/silent" --boot-limit 1s
check "it prints nothing: a line, and status of I/O" exits 74
check "it prints nothing: that is said" says \
	'silent: the guest printed nothing in 1s: its kernel does not start'

# 512 MiB to touch, of 256.
config "$dir/full.conf" 'memory = 256M'
sed -i 's/^memtouch_bytes.*/memtouch_bytes = 512M/' "$dir/full.conf"
thpbench run "$dir/full.conf" -o "$dir/full" --arm never
check "full memory: no run counts" exits 3
check "full memory: whose it was, and the key" reason_has "$dir/full" \
	"the guest's memory, 256 MiB, was full, and its kernel killed memtouch; raise memory in \[guest\]"
check "full memory: what it had sent is kept" test -s \
	"$dir/full/$(cell "$dir/full/journal.tsv" dir 1)/events.tsv"

head -c 120M /dev/zero >"$dir/large"
thpbench guest boot guest --memory 128M --kvm off --add "$dir/large" -- true
check "too little memory to boot: whose, and the option" says \
	"the guest's memory, 128 MiB, .*raise --memory"

# The memory of this machine, as far as a cgroup allows it, is another's.
group=
if is_root; then
	for at in /sys/fs/cgroup/memory /sys/fs/cgroup; do
		[ -e "$at/cgroup.procs" ] || continue
		mkdir "$at/thpbench-test.$$" 2>/dev/null || continue
		group=$at/thpbench-test.$$
		break
	done
fi
# Run in the cgroup; what is left of it moves out again.
limited() # BYTES ARGUMENT...
{
	for f in memory.limit_in_bytes memory.max; do
		[ ! -e "$group/$f" ] || echo "$1" >"$group/$f"
	done
	shift
	sh -c 'echo $$ >"$0/cgroup.procs" && exec ./thpbench "$@"' "$group" \
		"$@" >"$dir/out" 2>"$dir/err"
	status=$?
}
if [ -n "$group" ] && [ -e "$group/memory.limit_in_bytes" ] ||
	[ -e "$group/memory.max" ]; then
	limited 160M run "$dir/a.conf" -o "$dir/outer" --arm never
	check "a full host: it is said that it was not the guest's memory" \
		reason_has "$dir/outer" "SIGKILL.*this machine's memory, or what \
a cgroup allows of it, was full meanwhile.*: lower memory in \[guest\]"
	limited 160M run "$dir/full.conf" -o "$dir/outer.host" --arm never \
		--kernel host
	check "a full host: said of a run on the host, too" reason_has \
		"$dir/outer.host" "SIGKILL; this machine's memory, or what a \
cgroup allows of it, was full meanwhile, and its kernel killed"
else
	skip "a full host" "no memory cgroup can be made"
fi
[ -z "$group" ] || rmdir "$group"

mkdir "$dir/tiny"
if mount -t tmpfs -o size=96k tmpfs "$dir/tiny" 2>/dev/null; then
	thpbench run "$dir/a.conf" -o "$dir/tiny/r"
	check "a full disk: status of I/O" exits 74
	check "a full disk: it is said" says 'No space left'
	check "a full disk: what had room is kept" test -s "$dir/tiny/r/manifest.json"
	umount "$dir/tiny"
else
	skip "results of a guest on a full disk" "no tmpfs can be mounted"
fi

knobs >"$dir/knobs.after"
check "the host's settings are as they were" \
	diff "$dir/knobs" "$dir/knobs.after"
check "no guest is left" test -z "$(qemu_of "$dir")"
done_testing
