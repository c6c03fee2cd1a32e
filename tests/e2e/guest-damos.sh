#!/bin/sh
# DAMOS on a real 7.x kernel with a real MariaDB, in a guest: hugepage under
# never makes no huge page, collapse under never does, in the buffer pool and by
# DAMOS; hugepage under madvise does by khugepaged.
# shellcheck disable=SC2016 # awk's programs
. tests/e2e/tap.sh

if ! command -v qemu-system-x86_64 >/dev/null && [ "$(uname -m)" = x86_64 ]
then
	skip "DAMOS in a guest" "no qemu-system-x86_64"
	done_testing
	exit 0
fi
./thpbench guest fetch >"$dir/fetch" 2>&1
if ! ./thpbench guest list 2>/dev/null | grep -q '^damon '; then
	skip "DAMOS in a guest" "no guest kernel: $(tail -n 1 "$dir/fetch")"
	done_testing
	exit 0
fi

sed -e 's/^table_size.*/table_size = 50000/' -e 's/^settle.*/settle = 20s/' \
	-e 's/^measure.*/measure = 5s/' configs/emulated/damos-collapse.conf \
	>"$dir/damos.conf"
lock_host
thpbench run "$dir/damos.conf" --kernel guest -o "$dir/r" \
	--arm "T n, D h" --arm "T m, D h" --arm "T n, D c"
check "the three arms of the letter run in a guest" exits 0

./thpbench report "$dir/r" --format json >"$dir/report.json"
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
pool_share() # ARM LEAST MOST
{
	awk -F '\t' -v least="$2" -v most="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == "buffer pool" { rss += $at["rss_bytes"];
			huge += $at["huge_bytes"] }
		END { share = rss ? 100 * huge / rss : -1
			print share " % of " rss
			exit !(share >= least && share <= most) }' \
		"$(counted "$dir/r" "$1")/smaps-end.tsv"
}
check "never, hugepage: 0 huge pages" is "T n, D h" huge_bytes '== 0'
check "never, hugepage: none in the pool" pool_share "T n, D h" 0 0
check "never, collapse: huge pages in the pool" pool_share "T n, D c" 50 100
check "never, collapse: by DAMOS or madvise" \
	is "T n, D c" origin_collapse '>= 10'
check "never, collapse: by DAMOS, by the tracepoint" \
	is "T n, D c" origin_damos '>= 10'
check "never, collapse: not by khugepaged" \
	is "T n, D c" origin_khugepaged '== 0'
check "never, collapse: not by page faults" \
	is "T n, D c" origin_fault '== 0'
check "madvise, hugepage: huge pages in the pool" pool_share "T m, D h" 20 100
check "madvise, hugepage: by khugepaged" \
	is "T m, D h" origin_khugepaged '>= 5'
./thpbench report "$dir/r" --table tps >"$dir/tps"
check "the table says that it was emulated" grep -qi 'emulation' "$dir/tps"
done_testing
