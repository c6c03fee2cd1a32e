#!/bin/sh
# guest fetch and server fetch without a network: an apt that says what the
# real one said (tests/fake-apt), and packages of the same layout.
. tests/e2e/tap.sh

if ! command -v dpkg-deb >/dev/null; then
	skip "fetching" "no Debian system"
	done_testing
	exit 0
fi
export PATH="$PWD/tests/fake-apt:$PATH"
export THPBENCH_CACHE="$dir/cache" FAKE_APT_SOURCES="$dir/sources"
export FAKE_APT_LOG="$dir/log"
kernels=$dir/cache/kernels
mkdir "$dir/sources"
codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)

# A machine with the distribution, its fixes, and packages of others, who call
# what they have by the same name.
cat >"$dir/sources/main.sources" <<END
Types: deb
# a comment
URIs: http://mirror.example/debian
Suites: $codename $codename-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: $codename-security
Components: main
Trusted: yes
END
echo "deb [arch=amd64] http://others.example/apt $codename main" \
	>"$dir/sources/a.list"

fetch() # ARGUMENT...
{
	thpbench guest fetch --arch amd64 "$@"
}

prints() # PATTERN
{
	grep -q -e "$1" "$dir/out" && return
	echo "no '$1' in:"
	cat "$dir/out"
	return 1
}

# What is there of kernels, without what counts for nothing.
there() # NAME...: exactly these
{
	find "$kernels" -mindepth 1 -maxdepth 1 ! -name lock -printf '%f\n' |
		sort >"$dir/there"
	for one; do echo "$one"; done | sort | diff - "$dir/there"
}

nothing_left() # no folder that was being filled, no package
{
	find "$dir/cache" -name '.making-*' -o -name '*.deb' -o \
		-name '.debs' >"$dir/left"
	[ -s "$dir/left" ] || return 0
	cat "$dir/left"
	return 1
}

FAKE_APT=offline fetch
check "offline: 69" exits 69
check "offline: why" says "cannot be had: Failed to fetch .*Could not resolve"
FAKE_APT=unsigned fetch
check "a signature that cannot be checked: 69" exits 69
check "a signature that cannot be checked: why" \
	says "cannot be checked: .*NO_PUBKEY.*debian-archive-keyring"
fetch nosuch
check "an unknown suite: 66" exits 66
check "an unknown suite: its name" says "no suite nosuch where this machine"
fetch trixie-backports/9
check "an unknown version: 66" exits 66
check "an unknown version: why" says "trixie-backports has no cloud kernel 9"
fetch trixie-backports/linux-image-none
check "an unknown package: 66" exits 66
fetch trixie-backports --arch arm64
check "no kernel for an architecture: 66" exits 66
fetch /no/such/file
check "neither a file nor a suite: 64" exits 64
check "one line each" test "$(wc -l <"$dir/err")" -eq 1
check "nothing is there" there
check "nothing is left" nothing_left

fetch
check "the default kernel is fetched" exits 0
new=$kernels/7.3.4+deb13-cloud-amd64
check "its name and image are printed" prints "^7.3.4+deb13-cloud-amd64	$new/vmlinuz$"
check "image" grep -q "image of 7.3.4" "$new/vmlinuz"
check "modules" test -f "$new/modules/kernel/mm/x.ko"
check "configuration" grep -q CONFIG_DAMON=y "$new/config"
check "where it came from" grep -q "^suite	trixie-backports" "$new/info.tsv"
check "all its packages" grep -q \
	"^packages	linux-image-cloud-amd64=.* linux-modules-7.3.4+deb13" \
	"$new/info.tsv"
check "nothing is left over" nothing_left

sources=$dir/cache/apt/trixie-backports-amd64/sources
cat >"$dir/wanted" <<'END'
types: deb
suites: trixie-backports
uris: http://mirror.example/debian
components: main
signed-by: /usr/share/keyrings/debian-archive-keyring.gpg
END
sed -i 's/keyring.gpg .*/keyring.gpg/' "$sources"/*
check "the machine's source with another suite, nothing else" \
	diff -B "$dir/wanted" "$sources/suite.sources"

: >"$dir/log"
fetch
check "again: it was there" says "was there already"
check "again: no package is downloaded" test "$(grep -c download "$dir/log")" -eq 0

fetch trixie-backports/7.2
check "the newest of 7.2" prints '^7.2.12+deb13-cloud-amd64	'
fetch 'trixie-backports/7.2.[0-9]+*'
check "by a pattern" prints '^7.2.9+deb13-cloud-amd64	'
fetch linux-image-7.3.4+deb13-cloud-amd64
check "by the package: another set of packages, the same kernel" \
	prints '^7.3.4+deb13-cloud-amd64	'
fetch bookworm
check "an older layout" prints '^6.1.0-57-cloud-amd64	'
check "an older layout: all parts" test -f \
	"$kernels/6.1.0-57-cloud-amd64/config" -a -d \
	"$kernels/6.1.0-57-cloud-amd64/modules/kernel"
check "a release has its fixes beside it" grep -q \
	'^suites: bookworm-security$' \
	"$dir/cache/apt/bookworm-amd64/sources/suite.sources"
check "nobody is trusted without a signature" test \
	"$(grep -ci trusted "$dir/cache/apt/bookworm-amd64/sources/suite.sources")" -eq 0
check "four kernels" there 6.1.0-57-cloud-amd64 7.2.12+deb13-cloud-amd64 \
	7.2.9+deb13-cloud-amd64 7.3.4+deb13-cloud-amd64
thpbench guest list
check "what is no image is said" prints 'no kernel image of x86-64 or arm64'
thpbench guest list --json
check "as JSON" prints '"missing": "no kernel image of x86-64 or arm64"'

# Nobody needs to be root.
nobody()
{
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}
if is_root && command -v setpriv >/dev/null && chmod 755 "$dir" &&
	nobody test -x ./thpbench && nobody test -x tests/fake-apt/apt-get; then
	mkdir "$dir/nobody" && chown 65534:65534 "$dir/nobody"
	nobody env HOME="$dir/nobody" THPBENCH_CACHE="$dir/nobody/cache" \
		FAKE_APT_LOG=/dev/null \
		./thpbench guest fetch --arch amd64 >"$dir/out" 2>"$dir/err"
	status=$?
	check "an ordinary user fetches too" exits 0
	check "an ordinary user: into a cache of the user's" prints \
		"	$dir/nobody/cache/kernels/7.3.4+deb13-cloud-amd64/vmlinuz$"
else
	skip "an ordinary user fetches too" "no root, or no setpriv"
fi

# Ended while it waits for the last package.
slow_fetch() # SIGNAL; sets victim, status
{
	FAKE_APT=slow ./thpbench guest fetch --arch amd64 >"$dir/slow" 2>&1 &
	victim=$!
	pids="$pids $victim"
	for _ in $(seq 40); do
		grep -qs "fetching linux-modules-7" "$dir/slow" && break
		sleep 0.25
	done
	begin=$(date +%s)
	kill "-$1" "$victim"
	wait "$victim" 2>/dev/null
	status=$?
}
rm -r "$kernels"
slow_fetch TERM
check "stopped: by the signal" exits 143
took=$(($(date +%s) - begin))
check "stopped: at once ($took s)" [ "$took" -lt 10 ]
check "stopped: nothing is left" nothing_left
slow_fetch KILL
filled()
{
	[ -d "$kernels/.making-$victim" ] && return
	cat "$dir/slow"
	return 1
}
check "killed: a folder was being filled" filled
thpbench guest list
check "killed: no kernel counts" prints "no kernel in the cache"
fetch
check "killed: the next one works" exits 0
check "killed: nothing is left then" nothing_left

# A disk that is too small.
if is_root && mkdir "$dir/small" &&
	mount -t tmpfs -o size=8m thpbench "$dir/small" 2>/dev/null; then
	THPBENCH_CACHE=$dir/small fetch
	umount "$dir/small"
	check "a full disk: 74" exits 74
	check "a full disk: how much is needed" says \
		"the kernel needs about .* MiB in .*, where .* are free"
else
	skip "a full disk" "no root, or no tmpfs"
fi

# Files.
(cd "$dir" && PATH=$OLDPWD/tests/fake-apt:$PATH apt-get -q -c \
	cache/apt/bookworm-amd64/apt.conf download \
	linux-image-6.1.0-57-cloud-amd64=6.1.192-3)
rm -r "$kernels"
fetch "$dir/linux-image-6.1.0-57-cloud-amd64.deb"
check "a .deb" prints '^6.1.0-57-cloud-amd64	'
echo none >"$dir/image"
fetch "$dir/image"
check "a file that is no image" says 'image: no kernel image of'
echo none >"$dir/bad.deb"
fetch "$dir/bad.deb"
check "a file that is no package" says 'bad.deb: .*not a Debian format archive'
check "only one is there" there 6.1.0-57-cloud-amd64

# Servers.
thpbench server fetch ..
check "no name of a suite: 64" exits 64
thpbench server fetch bookworm
check "a suite without a server: 66" exits 66
check "a suite without a server: why" says 'bookworm has no mariadb-server'
thpbench server fetch
check "a server that does not run is not kept: 69" exits 69
check "a server that does not run: said" says 'does not run on this machine'
thpbench server list
check "no server is there" prints 'no server in the cache'
check "only the core was downloaded" test "$(grep -c 'download mariadb-\(server\|client\)-core-10.5=' "$dir/log")" -eq 2
check "no more of it" test "$(grep -c 'download mariadb-server-10.5' "$dir/log")" -eq 0
cat >"$dir/c.conf" <<'END'
[workload]
tables = 1
[arm "a"]
mariadbd = debian:bullseye
END
thpbench check "$dir/c.conf"
check "check says how to get it" prints \
	'^arm "a": missing: .*thpbench server fetch bullseye'
done_testing
