#!/bin/sh
# What the harness itself costs: each line a ratio of two things measured side
# by side in this run. Called by `make bench`.
set -eu
cd "$(dirname "$0")/.."
echo "host: $(uname -srm), $(nproc) CPUs, load $(cut -d' ' -f1 /proc/loadavg)"
for script in tests/bench/*.sh; do
	sh "$script"
done
