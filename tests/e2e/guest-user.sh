#!/bin/sh
# Guests need no root: fetching, running and a shell as an ordinary user, with
# a cache, a home and temporary files of its own.
. tests/e2e/tap.sh

case $(uname -m) in
x86_64) qemu="qemu-system-x86_64" arch=amd64 ;;
*) qemu="qemu-system-aarch64" arch=arm64 ;;
esac
if ! command -v "$qemu" >/dev/null; then
	skip "guests without root" "no $qemu"
	done_testing
	exit 0
fi
./thpbench guest fetch >"$dir/fetch" 2>&1
image=$(./thpbench guest list --json | arch=$arch perl -MJSON::PP -0777 -ne '
	my @own = grep { $_->{arch} eq $ENV{arch} } @{decode_json($_)};
	print $own[-1]{image} if @own')
if [ -z "$image" ]; then
	skip "guests without root" "no guest kernel: $(tail -n 1 "$dir/fetch")"
	done_testing
	exit 0
fi

# Somebody who owns nothing else: nobody, or who we are.
home=$dir/home
mkdir -p "$home/cache/thpbench/kernels" "$home/tmp" "$home/run"
cp -r "$(dirname "$image")" "$home/cache/thpbench/kernels/"
user=
if is_root; then
	user="setpriv --reuid=65534 --regid=65534 --clear-groups"
	chown -R 65534:65534 "$home"
	chmod 755 "$dir"
fi
as_user() # COMMAND...
{
	# shellcheck disable=SC2086 # words of a command
	$user env -u THPBENCH_CACHE HOME="$home" TMPDIR="$home/tmp" \
		XDG_CACHE_HOME="$home/cache" XDG_RUNTIME_DIR="$home/run" \
		"$@" >"$dir/out" 2>"$dir/err"
	status=$?
}
if ! as_user test -x build/thpbench || [ "$status" -ne 0 ]; then
	skip "guests without root" "others may not read this folder"
	done_testing
	exit 0
fi
prints() # PATTERN
{
	tr -d '\r' <"$dir/out" | grep -q -e "$1" && return
	tail -n 20 "$dir/out" "$dir/err"
	return 1
}

as_user id -u
check "this is no root" test "$(cat "$dir/out")" -ne 0

as_user ./thpbench guest fetch
if [ "$status" -eq 0 ]; then
	check "fetching works without root" prints "$home/cache/thpbench/kernels"
else
	skip "fetching without root" "no packages: $(tail -n 1 "$dir/err")"
fi
as_user ./thpbench guest list
check "list shows what is there" prints '^damon  *yes'

cat >"$home/a.conf" <<'END_OF_CONF'
[experiment]
title   = a guest of a user's
kernel  = guest
blocks  = 1
primary = huge_bytes

[workload]
program        = memtouch
memtouch_bytes = 64M
threads        = 1
load           = 1s
settle         = 1s
measure        = 2s

[collect]
interval = 500ms
budget   = 0

[arm "never"]
thp = never
END_OF_CONF
lock_host
knobs >"$dir/knobs"
as_user timeout 300 ./thpbench run "$home/a.conf" -o "$home/r"
check "a run in a guest works without root" exits 0
check "and has set the guest's THP mode" grep -q '	never	never' \
	"$home/r/$(cell "$home/r/journal.tsv" dir 1)/settings.tsv"
as_user ./thpbench report "$home/r" --table memory
check "its table is there" prints '^never'

# What is typed before the machine is up is lost.
printf '# a line to lose\nid -u\nthpbench help --names | head -n 1\nexit\n' >"$home/words"
as_user timeout 300 sh -c "./thpbench guest shell <$home/words"
check "guest shell works without root" exits 0
check "it is root's there" prints '^0$'
check "and thpbench is there" prints '^any --root'

knobs >"$dir/knobs.after"
check "the host's settings are as they were" \
	diff "$dir/knobs" "$dir/knobs.after"
check "no temporary file is left" test -z "$(ls -A "$home/tmp")"
done_testing
