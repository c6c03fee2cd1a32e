#!/bin/sh
# The main job on this machine: THP modes under sysbench and a private
# MariaDB, and the tables of it. Called by `make demo`.
set -eu
cd "$(dirname "$0")/.."

config=configs/quick.conf
as_root=
if [ "$(id -u)" -ne 0 ]; then
	if command -v sudo >/dev/null 2>&1; then
		as_root=sudo
		echo "demo: kernel settings are changed and put back: by sudo"
	else
		echo "demo: kernel settings are to be changed: run it as root," \
			"or install sudo" >&2
		exit 77
	fi
fi

./thpbench plan "$config"
echo
set +e
dir=$($as_root ./thpbench run "$config")
status=$?
set -e
if [ -z "$dir" ]; then
	echo "demo: no results (status $status)" >&2
	exit "$status"
fi
echo
./thpbench report "$dir"
echo
echo "The results are in $dir; more: ./thpbench report --help"
exit "$status"
