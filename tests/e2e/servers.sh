#!/bin/sh
# Two MariaDB servers, the system's and that of Debian bullseye, under the same
# arms in one experiment: each is what the record says, its pool is found, and
# whether THP is on for it is read.
# shellcheck disable=SC2016 # awk's programs
. tests/e2e/tap.sh

if ! is_root; then
	skip "two servers" "needs root to set THP modes"
	done_testing
	exit 0
fi
if ! ./thpbench server fetch bullseye >"$dir/fetch" 2>&1; then
	skip "two servers" "none of bullseye: $(tail -n 1 "$dir/fetch")"
	done_testing
	exit 0
fi
# What it is called in the record: 10.5.29-MariaDB-0+deb11u1
fetched=$(./thpbench server list | awk -F '\t' '$1 == "debian:bullseye" {
	print $2 }')
system=$(mariadbd --version | sed 's/.* Ver \([^ ]*\) .*/\1/')

# Data of its own; the servers stay where they are.
at=$(./thpbench server list | awk -F '\t' '$1 == "debian:bullseye" {
	print $3 }')
mkdir "$dir/cache"
ln -s "$(dirname "$at")" "$dir/cache/servers"
export THPBENCH_CACHE="$dir/cache"

cat >"$dir/a.conf" <<'END_OF_CONF'
[experiment]
title    = two servers
blocks   = 1
baseline = never, system
primary  = huge_bytes

[server]
buffer_pool = 64M
thp_disable = block
my.innodb_log_file_size = 8M

[workload]
script     = oltp_point_select
tables     = 1
table_size = 10000
threads    = 2
load       = 1s
settle     = 1s
measure    = 3s

[collect]
interval = 500ms
budget   = 0

[arm "never, system"]
thp = never

[arm "always, system"]
thp = always

[arm "never, bullseye"]
thp      = never
mariadbd = debian:bullseye

[arm "always, bullseye"]
thp      = always
mariadbd = debian:bullseye
END_OF_CONF
lock_host
knobs >"$dir/knobs"
thpbench run "$dir/a.conf" -o "$dir/r"
check "both run under the same arms" exits 0
knobs >"$dir/knobs.after"
check "the settings are as they were" diff "$dir/knobs" "$dir/knobs.after"

folder() # LABEL: of its run
{
	awk -F '\t' -v arm="$1" -v dir="$dir/r" \
		'$3 == arm { print dir "/" $6 }' "$dir/r/journal.tsv"
}

total() # LABEL NAME
{
	awk -F '\t' -v name="$2" '$1 == name { print $2 }' \
		"$(folder "$1")/totals.tsv"
}

logged() # LABEL VERSION: what the server says of itself when it starts
{
	grep -F "Version: '$2" "$(folder "$1")/server.log" && return
	grep Version "$(folder "$1")/server.log"
	return 1
}

is_huge() # LABEL CONDITION ("v": bytes of the pool that are huge)
{
	v=$(awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == "buffer pool" { n += $at["huge_bytes"]; any = 1 }
		END { if (any) print n + 0 }' "$(folder "$1")/smaps-end.tsv")
	echo "$1: $v bytes of the pool are huge, wanted: $2"
	awk -v v="$v" "BEGIN { exit !(v != \"\" && ($2)) }"
}

check "they are of two versions" test "$fetched" != "$system"
check "the record has the version of both" test 2 -eq "$(grep -c \
	"\"mariadbd\": \"debian:bullseye, $fetched" "$dir/r/manifest.json")"
check "and the system's" grep -q "\"version\": \".*$system" \
	"$dir/r/manifest.json"
for mode in never always; do
	check "$mode: the system's server says that it is it" \
		logged "$mode, system" "${system%%-*}"
	check "$mode: bullseye's server says that it is it" \
		logged "$mode, bullseye" "${fetched%%-*}"
done
for arm in "never, system" "never, bullseye"; do
	check "$arm: the pool is found, nothing of it is huge" \
		is_huge "$arm" 'v == 0'
done
for arm in "always, system" "always, bullseye"; do
	check "$arm: the pool is found, and huge in part" \
		is_huge "$arm" 'v >= 8 * 1048576'
done
for arm in "never, system" "always, system" "never, bullseye" \
	"always, bullseye"; do
	check "$arm: THP is on for the server" test 1 = \
		"$(total "$arm" server_thp_enabled)"
done

thpbench report "$dir/r" --table memory
check "the table has both" grep -q '^always, bullseye ' "$dir/out"
./thpbench report "$dir/r" | tr '\n' ' ' | tr -s ' ' >"$dir/text"
check "the report says whose server is which" grep -q -e "Server: $system, .*; of 'never, bullseye', 'always, bullseye': debian:bullseye, $fetched\." \
	"$dir/text"
./thpbench report "$dir/r" --table settings >"$dir/out"
check "the settings table has it" grep -q 'bullseye  *debian:bullseye' "$dir/out"
done_testing
