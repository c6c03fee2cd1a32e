#!/bin/sh
# TPS with all collectors at 1 s against none: paired blocks, with interval.
set -eu
cd "$(dirname "$0")/../.."
if [ "$(id -u)" -ne 0 ]; then
	echo "overhead: n/a: kernel settings are changed and put back: as root"
	exit 0
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
./thpbench run tests/bench/overhead.conf -o "$dir/results" \
	>"$dir/out" 2>"$dir/log" || {
	tail -n 5 "$dir/log" >&2
	exit 1
}
echo "overhead: TPS, all collectors at 1 s against none, blocks of pairs:"
./thpbench report "$dir/results" --table tps | sed -n '/^arm/,/^$/p'
