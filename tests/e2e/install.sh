#!/bin/sh
# `make install` into a folder of its own: all is there, and works from there.
set -u
cd "$(dirname "$0")/../.." || exit 1

tree=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

is() { # NAME CONDITION...: one line of TAP
	name=$1
	shift
	n=$((n + 1))
	if "$@" >"$work/log" 2>&1; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		sed 's/^/# /' "$work/log"
	fi
}

is "make install" make -s install DESTDIR="$work/dest" PREFIX=/opt/thp
to=$work/dest/opt/thp
is "nothing outside the prefix" [ -z "$(find "$work/dest" -type f \
	! -path "$to/*")" ]
for file in bin/thpbench lib/thpbench/memtouch; do
	is "$file can be run" [ -x "$to/$file" ]
done
for file in lib/thpbench/libthpkeep.so share/thpbench/report.lua \
	share/thpbench/mariadb.cnf share/doc/thpbench/LICENSE \
	share/doc/thpbench/examples/slurm/thpbench.sbatch \
	share/doc/thpbench/examples/ssh/README.md \
	share/doc/thpbench/configs/quick.conf; do
	is "$file is there" [ -r "$to/$file" ]
done
for file in workloads/*.lua workloads/*.cnf; do
	is "$file is there as it is" \
		cmp "$file" "$to/share/thpbench/$(basename "$file")"
done
for file in workloads/events/*.ini; do
	is "$file is there as it is" \
		cmp "$file" "$to/share/thpbench/events/$(basename "$file")"
done
for file in plots/*.gp; do
	is "$file is there as it is" \
		cmp "$file" "$to/share/thpbench/$(basename "$file")"
done
for file in results/published/*.tsv; do
	is "$file is there as it is" \
		cmp "$file" "$to/share/thpbench/published/$(basename "$file")"
done
is "no source goes along" [ -z "$(find "$to" -name '*.[cho]')" ]
for page in man1/thpbench.1 man5/thpbench.conf.5 man5/thpbench-events.5; do
	is "$page is a manual" mandoc -T lint -W error "$to/share/man/$page"
done
# shellcheck disable=SC2016
is "the completion is one" bash -c \
	'source "$0" && declare -F _thpbench' \
	"$to/share/bash-completion/completions/thpbench"

cd "$work" || exit 1
is "the program runs from there" "$to/bin/thpbench" --version
is "and reports" "$to/bin/thpbench" report \
	"$tree/tests/golden/results/thp-modes" --table tps
for conf in "$to"/share/doc/thpbench/configs/*.conf; do
	is "and plans $(basename "$conf")" "$to/bin/thpbench" plan "$conf"
done
echo "1..$n"
