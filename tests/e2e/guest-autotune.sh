#!/bin/sh
# DAMON's goal tuners on a real 7.x kernel, in a guest: at every tick the
# quota of the kernel is what the formula says; temporal stops at its target,
# consist begins with a byte and overshoots. And a scheme's traps are named.
# shellcheck disable=SC2016 # awk's programs
. tests/e2e/tap.sh

if ! command -v qemu-system-x86_64 >/dev/null && [ "$(uname -m)" = x86_64 ]
then
	skip "tuners in a guest" "no qemu-system-x86_64"
	done_testing
	exit 0
fi
./thpbench guest fetch >"$dir/fetch" 2>&1
if ! ./thpbench guest list 2>/dev/null | grep -q '^damon '; then
	skip "tuners in a guest" "no guest kernel: $(tail -n 1 "$dir/fetch")"
	done_testing
	exit 0
fi

cat >"$dir/a.conf" <<'END_OF_CONF'
[experiment]
title   = tuners and traps
kernel  = guest
blocks  = 1
primary = huge_bytes

[workload]
program        = memtouch
memtouch_bytes = 128M
threads        = 1
load           = 2s
settle         = 20s
measure        = 4s

[collect]
interval = 500ms
budget   = 0

[arm *]
thp                  = never
damos.intervals      = 20ms 200ms 60s
damos.regions        = 10 100

[arm "hugepage"]
damos = hugepage

[arm "temporal"]
damos                = collapse
damos.ops            = fvaddr
damos.quota_bytes    = 8M
damos.quota_interval = 1s
damos.goal           = process_huge_bp 2500
damos.tuner          = temporal

[arm "consist"]
damos                = collapse
damos.ops            = fvaddr
damos.quota_interval = 500ms
damos.goal           = process_huge_bp 1000
damos.tuner          = consist

[arm "slow"]
damos                = collapse
damos.ops            = fvaddr
damos.quota_bytes    = 8M
damos.quota_interval = 2s
damos.goal           = process_huge_bp 1000
damos.tuner          = consist
END_OF_CONF

lock_host
thpbench run "$dir/a.conf" -o "$dir/r"
check "four arms run in a guest" exits 0

samples() { cat "$(counted "$dir/r" "$1")/samples.tsv"; }

# The kernel's quota and the formula's at every tick: within 1 %, and many.
agree() # ARM LEAST_TICKS
{
	samples "$1" | awk -F '\t' -v least="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["damos_quota_bytes"] ~ /^[0-9]/ {
			quota = $at["damos_quota_bytes"]
			formula = $at["damos_predicted_bytes"]
			off = quota > formula ? quota - formula : formula - quota
			if (off > quota / 100) {
				print "quota " quota ", formula " formula
				bad = 1
			}
			n++
		}
		END { print n " ticks"; exit bad || n < least }'
}

# A figure of one column's ticks: its first, last, least or most number.
figure() # ARM COLUMN WHICH
{
	samples "$1" | awk -F '\t' -v col="$2" -v which="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == col) at = i; next }
		at && $at ~ /^[0-9]/ {
			if (first == "") {
				first = $at
				least = $at
				most = $at
			}
			last = $at
			if ($at > most) most = $at
			if ($at < least) least = $at
		}
		END {
			figure["first"] = first
			figure["last"] = last
			figure["least"] = least
			figure["most"] = most
			print figure[which]
		}'
}

is() # ARM COLUMN WHICH CONDITION ("v" is the figure)
{
	v=$(figure "$1" "$2" "$3")
	echo "$1: the $3 $2 is '$v', wanted: $4"
	awk -v v="$v" "BEGIN { exit !(v != \"\" && ($4)) }"
}

says_report() # PATTERN: in the report, its lines joined
{
	./thpbench report "$dir/r" | tr '\n' ' ' | tr -s ' ' >"$dir/text"
	grep -q -e "$1" "$dir/text" && return
	echo "no '$1' in:"
	fold -s "$dir/text" | tail -n 30
	return 1
}

check "hugepage under never: nothing is huge" \
	is hugepage huge_bytes most 'v == 0'
check "hugepage under never: and yet applied" \
	is hugepage damos_applied_bytes last 'v > 0'
check "that is diagnosed" says_report 'hugepage was applied to .* and made nothing huge'

check "temporal: the quota is the formula's at every tick" agree temporal 30
check "temporal: in every interval, too" \
	is temporal damos_error_pct last 'v <= 1'
check "temporal: the full quota at first" \
	is temporal damos_quota_bytes first 'v == 8388608'
check "temporal: none at the target" \
	is temporal damos_quota_bytes last 'v == 0'
# 8 of 128 MiB an interval are 625 basis points.
check "temporal: within one interval's worth of its target" \
	is temporal damos_goal_bp last 'v >= 2500 && v <= 2500 + 625 + 50'
check "temporal: by DAMOS alone" \
	is temporal tr_collapse_damos last 'v >= 15'
check "temporal: not by khugepaged" \
	is temporal tr_collapse_khugepaged last 'v == 0'

check "consist: the quota is the formula's at every tick" agree consist 30
check "consist: in every interval, too" \
	is consist damos_error_pct last 'v <= 1'
check "consist: begins with bytes" \
	is consist damos_quota_bytes first 'v > 0 && v <= 8'
check "consist: 21 intervals later it makes huge pages" \
	is consist huge_bytes last 'v > 0'
check "consist: and overshoots its target" \
	is consist damos_goal_bp last 'v > 1000'

check "slow: no huge page in 12 intervals" is slow huge_bytes most 'v == 0'
check "slow: as the formula says" agree slow 30
check "slow: that is diagnosed" says_report \
	'slow, in 1 of 1 runs: the tuner still allows [0-9]* bytes an interval'
done_testing
