#!/bin/sh
# The main job in small: a real MariaDB under never, always and never with
# madvise-collapse, and what the tables say of it.
# shellcheck disable=SC2016 # awk's programs
. tests/e2e/tap.sh

if ! is_root; then
	skip "THP modes under MariaDB" "needs root: kernel settings are changed"
	done_testing
	exit 0
fi
lock_host
knobs >"$dir/before"
export THPBENCH_CACHE="$dir/cache"
cat >"$dir/modes.conf" <<EOF
[experiment]
title = THP modes in small
blocks = 2
baseline = T n
[workload]
script = oltp_read_only
tables = 2
table_size = 50000
threads = 2
load = 1s
settle = 3s
measure = 4s
[collect]
interval = 500ms
[arm "T n"]
thp = never
[arm "T a"]
thp = always
[arm "T n, D mc"]
thp = never
damos = madvise-collapse
EOF
thpbench run "$dir/modes.conf" -o "$dir/r"
check "the experiment runs" exits 0

# Share of the buffer pool that is huge at the end, of each run of an arm.
pool_share() # ARM LEAST MOST
{
	counted "$dir/r" "$1" >"$dir/counted"
	[ -s "$dir/counted" ] || return 1
	while read -r d; do
		awk -F '\t' -v least="$2" -v most="$3" -v run="$d" '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			$1 == "buffer pool" { rss += $at["rss_bytes"];
				huge += $at["huge_bytes"] }
			END { share = rss ? 100 * huge / rss : -1
				print run ": " share " % of " rss
				exit !(share >= least && share <= most) }' \
			"$d/smaps-end.tsv" || return 1
	done <"$dir/counted"
}
check "never: no huge page in the pool" pool_share "T n" 0 0
check "always: most of the pool is huge" pool_share "T a" 80 100
check "madvise-collapse under never: so too" pool_share "T n, D mc" 80 100

thpbench report "$dir/r" --format json
cp "$dir/out" "$dir/report.json"
metric() # ARM METRIC; its value
{
	perl -MJSON::PP -0777 -e '
		my ($arm, $metric) = @ARGV;
		my $r = decode_json(<STDIN>);
		for (@{$r->{arms}}) {
			next unless $_->{label} eq $arm;
			my $m = $_->{metrics}{$metric};
			print defined $m->{value} ? $m->{value} : "n/a"
		}' "$1" "$2" <"$dir/report.json"
}
is() # ARM METRIC CONDITION ("$v" is the value)
{
	v=$(metric "$1" "$2")
	echo "$1 $2: $v, wanted $3"
	awk -v v="$v" "BEGIN { exit !(v != \"n/a\" && v $3) }"
}
check "never: 0 huge pages" is "T n" huge_bytes '== 0'
check "never: none by page fault" is "T n" origin_fault '< 5'
check "always: by page faults" is "T a" origin_fault '>= 15'
check "collapse: by madvise" is "T n, D mc" origin_collapse '>= 15'
check "collapse: not by khugepaged" is "T n, D mc" origin_khugepaged '== 0'
check "collapse: not by page fault" is "T n, D mc" origin_fault '< 5'
check "TPS is there" is "T a" tps '> 10'
check "THP stayed on in the server" is "T a" server_thp_enabled '== 1'
check "the pool was warm" is "T a" pool_warm_pct '>= 99'

# TPS from the load's lines inside the window against the commits that the
# server counted in the same seconds: between ticks, a straight line.
agree()
{
	counted "$dir/r" >"$dir/counted"
	[ -s "$dir/counted" ] || return 1
	while read -r d; do
		awk -F '\t' -v run="$d" '
		function commits_at(t, k) {
			for (k = 2; k < ticks && at_s[k] < t; k++) ;
			return count[k - 1] + (count[k] - count[k - 1]) * \
				(t - at_s[k - 1]) / (at_s[k] - at_s[k - 1])
		}
		FNR == 1 {
			file++
			for (i = 1; i <= NF; i++) at[file, $i] = i
			next }
		file == 1 && $3 == "measure" { a = $1 }
		file == 1 && $3 == "stop" { b = $1 }
		file == 2 && $1 - $at[2, "interval_s"] >= a && $1 <= b {
			if (!s) from = $1 - $at[2, "interval_s"]
			to = $1
			n += $at[2, "transactions"]
			s += $at[2, "interval_s"] }
		file == 3 && $at[3, "my_com_commit"] ~ /^[0-9]/ {
			at_s[++ticks] = $1
			count[ticks] = $at[3, "my_com_commit"] }
		END { tps = n / s
			commits = (commits_at(to) - commits_at(from)) / (to - from)
			print run ": lines " tps "/s, server " commits "/s"
			exit !(tps > 0.8 * commits && tps < 1.25 * commits) }' \
			"$d/events.tsv" "$d/sysbench.tsv" "$d/samples.tsv" ||
			return 1
	done <"$dir/counted"
}
check "TPS agrees with the commits that the server counted" agree

knobs >"$dir/after"
check "all settings are as before" cmp "$dir/before" "$dir/after"
done_testing
