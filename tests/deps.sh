#!/bin/sh
# Install what is missing, and say what for. Called by `make deps`.
#   deps.sh        what building, running and testing need
#   deps.sh all    and what `make check` needs besides
#   deps.sh cluster  and what trying the examples of Slurm and ssh here needs
#   deps.sh arm64  and what building for arm64 and trying that here need: the
#                  libraries go to build/arm64/sysroot (tests/sysroot.sh)
set -eu

build='gcc:compiler
libc6-dev:C library
pkg-config:finds the libraries
libgsl-dev:statistics
libjansson-dev:JSON
libinih-dev:configuration files
libpfm4-dev:events of the CPU by name
libmariadb-dev:MariaDB Connector/C
libsqlite3-dev:history in a file'
case $(uname -m) in
aarch64) qemu='qemu-system-arm' ;;
*) qemu='qemu-system-x86' ;;
esac
run="mariadb-server-core:the server under test
mariadb-client-core:its set-up script
sysbench:the load
rt-tests:hackbench, a benchmark
$qemu:guests, to run on other kernels
busybox-static:the tools in a guest
xz-utils:kernels for guests, and their modules
zstd:kernels for guests, and their modules
lz4:kernels for guests
gnuplot-nox:plots"
tests='libcmocka-dev:unit tests
perl:prove, for end-to-end tests
scdoc:manual pages
mandoc:checks manual pages
strace:shows that nothing is written
procps:process lists in tests
cpio:reads what a guest is booted with
openssl:certificates of a server that tests talk to
libxml2-utils:xmllint, which reads plots and pages
wkhtmltopdf:the smallest browser engine, renders a report'
check='clang:second compiler, fuzzing
libclang-rt-14-dev:sanitizers of clang
clang-format:form
clang-tidy:static analysis
cppcheck:static analysis
codespell:spelling
shellcheck:shell scripts
gcovr:coverage'
cluster='slurmctld:jobs on several hosts, tried here
slurmd:its daemon on a host
slurm-client:its commands
munge:how its daemons know each other
parallel:runs on several hosts by ssh
rsync:brings their results back'
cross='gcc-aarch64-linux-gnu:compiler for arm64
qemu-user-static:unit tests built for arm64
qemu-system-arm:arm64 guests, to count events in'

wanted="$build
$run
$tests"
has_cross=
for word; do
	case $word in
	all) wanted="$wanted
$check" ;;
	cluster) wanted="$wanted
$cluster" ;;
	arm64)
		has_cross=1
		wanted="$wanted
$cross"
		;;
	*)
		echo "deps: no set of packages '$word': all," \
			"cluster, arm64" >&2
		exit 64
		;;
	esac
done

# The libraries and headers of the lists, for another architecture; and what a
# guest of it has.
cross_libraries() # ARCH
{
	[ -n "$has_cross" ] || return 0
	# shellcheck disable=SC2046 # a list of names
	sh "$(dirname "$0")/sysroot.sh" "$1" "build/$1/sysroot" \
		$(printf '%s\n' "$build" "$tests" |
			sed -n 's/^\(lib[a-z0-9-]*-dev\):.*/\1/p') busybox-static
}

if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "deps: not a Debian system; these packages' like are needed:"
	echo "$wanted" | sed 's/^/  /'
	exit 0
fi

missing=
list=$(echo "$wanted" | cut -d: -f1)
for package in $list; do
	status=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" \
		2>/dev/null || :)
	case $status in
	ii*) continue ;;
	esac
	missing="$missing $package"
	echo "deps: $(echo "$wanted" | grep "^$package:" | sed 's/:/, /')"
done
if [ -z "$missing" ]; then
	cross_libraries arm64
	exit
fi

as_root=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "deps: to install them root is needed:" \
			"apt-get install$missing" >&2
		exit 77
	fi
	as_root=sudo
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run_apt() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get \
		-o DPkg::Lock::Timeout=300 -qq "$@" >"$log" 2>&1 || {
		cat "$log" >&2
		echo "deps: apt-get $* failed" >&2
		exit 69
	}
}
run_apt update
# shellcheck disable=SC2086 # a list of names
run_apt install -y --no-install-recommends $missing
echo "deps: installed$missing"
cross_libraries arm64
