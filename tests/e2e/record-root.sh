#!/bin/sh
# tests/record-root: what it takes, what it leaves out, and that the tree that
# it makes is a machine to thpbench.
set -u
# shellcheck source=tests/e2e/tap.sh
. tests/e2e/tap.sh

same() # FILE TEXT
{
	[ "$(cat "$1")" = "$2" ] && return
	echo "$1 holds '$(cat "$1")', not '$2'"
	return 1
}

lacks() # PATTERN DIR
{
	! grep -rn -e "$1" "$2"
}

few() { [ "$(find "$1" -type f | wc -l)" -lt 400 ]; }

# This machine, with a process of ours from a folder that is nobody's business.
mkdir "$dir/secret-folder"
cp /bin/sleep "$dir/secret-folder/sleeper"
"$dir/secret-folder/sleeper" 60 &
pids=$!
check "records this machine" tests/record-root "$dir/live" "$pids"
check "is small" few "$dir/live"
check "hides the host's name" same "$dir/live/proc/sys/kernel/hostname" recorded
check "hides folders in mappings" lacks secret-folder "$dir/live/proc/$pids"
check "keeps their names" grep -q sleeper "$dir/live/proc/$pids/maps"
check "keeps sums" grep -q '^Rss:' "$dir/live/proc/$pids/smaps_rollup"
check "keeps the kernel's release" same \
	"$dir/live/proc/sys/kernel/osrelease" "$(uname -r)"
thpbench check --root "$dir/live"
check "is a machine to thpbench" grep -q "^thp .*offers" "$dir/out"
check "does not overwrite" sh -c "! tests/record-root $dir/live"

# A machine typed by hand, with names in every place.
from=$dir/from
mkdir -p "$from/proc/self" "$from/proc/sys/kernel" "$from/etc" \
	"$from/sys/fs/cgroup/mine.slice/build.scope"
echo 'BOOT_IMAGE=/vmlinuz-of-bob root=UUID=1-2 ro init=/home/bob/init quiet -- bob' \
	>"$from/proc/cmdline"
echo 'Linux version 6.1 (bob@bobs-host) (gcc 12) #1 SMP' \
	>"$from/proc/version"
echo bobs-host >"$from/proc/sys/kernel/hostname"
echo '0::/mine.slice/build.scope' >"$from/proc/self/cgroup"
echo '30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
31 23 8:1 / /home/bob rw - ext4 /dev/bobs-disk rw' \
	>"$from/proc/self/mountinfo"
echo memory >"$from/sys/fs/cgroup/mine.slice/build.scope/cgroup.controllers"
echo 'anon 1' >"$from/sys/fs/cgroup/mine.slice/build.scope/memory.stat"
printf 'processor\t: %s\nmodel name\t: x\n\n' 0 1 2 3 >"$from/proc/cpuinfo"
printf 'PRETTY_NAME="Debian"\nBUILD_OF=bob\n' >"$from/etc/os-release"
check "records another tree" env RECORD_FROM="$from" \
	tests/record-root "$dir/other"
check "leaves out names" lacks bob "$dir/other"
check "leaves out our cgroup's path" lacks mine.slice "$dir/other"
check "puts our cgroup where its path says" same \
	"$dir/other/sys/fs/cgroup/ours/memory.stat" "anon 1"
check "keeps the rest of the command line" same "$dir/other/proc/cmdline" \
	"BOOT_IMAGE=X root=X ro quiet"
check "takes two processors of four" sh -c \
	"[ \$(grep -c ^processor '$dir/other/proc/cpuinfo') -eq 2 ]"
done_testing
