#!/bin/sh
# workloads/hot-range.lua, in the interpreter that it is made for.
command -v sysbench >/dev/null || { echo "1..0 # SKIP no sysbench"; exit 0; }
exec sysbench tests/lua/hot-range.lua
