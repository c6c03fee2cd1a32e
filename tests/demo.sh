#!/bin/sh
# The main job on this machine, in small: DAMOS hugepage and collapse under
# MariaDB, then autotuning; tables at the end. On this kernel where it has what
# the arms need, else in a guest; where no guest can be had, THP modes on the
# host. Called by `make demo`.
set -eu
cd "$(dirname "$0")/.."

collapse=configs/emulated/damos-collapse.conf
tuning=configs/emulated/autotune-memtouch.conf
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Settings of this kernel are root's: ourselves, or by sudo; "none" if neither.
if [ "$(id -u)" -eq 0 ]; then
	as_root=
elif command -v sudo >/dev/null 2>&1; then
	as_root=sudo
else
	as_root=none
fi

# Run a configuration, print its tables.
show() # PREFIX CONFIG OPTION...
{
	prefix=$1
	config=$2
	shift 2
	set +e
	dir=$($prefix ./thpbench run "$config" "$@")
	status=$?
	set -e
	if [ -z "$dir" ]; then
		echo "demo: no results (status $status)" >&2
		exit "$status"
	fi
	echo
	./thpbench report "$dir" --table memory --table tps --table origin \
		--table how-quickly --table settings --table timeline
	echo
	echo "demo: the results are in $dir; all tables: ./thpbench report $dir"
	echo
	[ "$status" -eq 0 ] || exit "$status"
}

letter() # PREFIX OPTION...
{
	prefix=$1
	shift
	show "$prefix" "$collapse" "$@" --arm "T n, D h" --arm "T m, D h" \
		--arm "T n, D c"
	show "$prefix" "$tuning" "$@" --arm "T n, D n" \
		--arm "T n, D ct 25 %" --arm "T n, D cc 25 %"
}

if [ "$as_root" != none ] &&
	$as_root ./thpbench check --kernel host "$collapse" >"$log" 2>&1; then
	echo "demo: on this kernel, $(uname -r), which has what the arms need"
	letter "$as_root" --kernel host
	exit 0
fi

echo "demo: this kernel, $(uname -r), lacks what the arms need:"
grep '^damon' "$log" | cut -c1-200 || :
if ./thpbench guest fetch || ./thpbench guest list | grep -q '^damon '; then
	echo "demo: in a guest, under emulation where KVM does not work"
	letter "" --kernel guest
	exit 0
fi

echo "demo: no guest kernel can be had; THP modes on this kernel instead"
echo "demo: missing: DAMON's actions hugepage and collapse, and their tuners"
if [ "$as_root" = none ]; then
	echo "demo: and settings cannot be changed: be root, or install sudo" >&2
	exit 77
fi
show "$as_root" configs/quick.conf
