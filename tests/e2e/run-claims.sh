#!/bin/sh
# From a configuration with claims to what its runs say of them: `run`, then
# `claims`, with memtouch for a database. Some 20 seconds.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/tap.sh

if ! is_root; then
	skip "claims of a run" "needs root: kernel settings are changed"
	done_testing
	exit 0
fi
lock_host
export THPBENCH_CACHE="$dir/cache"
cat >"$dir/a.conf" <<EOF
[experiment]
title = claims of a run
blocks = 2
baseline = T n
primary = huge_bytes
[workload]
program = memtouch
memtouch_bytes = 64M
threads = 1
load = 1s
settle = 1s
measure = 2s
[collect]
interval = 500ms
[arm "T n"]
thp = never
[arm "T n, D mc"]
thp = never
damos = madvise-collapse
[claim "never makes none"]
metric = huge_bytes
arm = T n
expect = <= 0
[claim "collapse needs no mode"]
metric = huge_bytes
arm = T n, D mc
expect = > 32M
[claim "more than the baseline"]
metric = huge_bytes
arm = T n, D mc
expect = > baseline
[claim "never makes many"]
metric = huge_bytes
arm = T n
expect = > 32M
[claim "no walks counted here"]
metric = server_thp_enabled
arm = T n
expect = > 5
EOF
thpbench run "$dir/a.conf" -o "$dir/r"
check "the experiment runs" exits 0

# A row below a heading: ARM and the outcome at its end.
says_of() # CLAIM ARM OUTCOME
{
	sed -n "/^$1: /,/^[^ ]/p" "$dir/out" | grep -q -e "^  $2 .* $3\$" &&
		return
	cat "$dir/out"
	return 1
}
thpbench claims "$dir/r"
check "one is contradicted: exit 1" exits 1
check "none under never" says_of 'never makes none' 'T n' reproduced
check "an amount" says_of 'collapse needs no mode' 'T n, D mc' reproduced
check "against the baseline's 0" says_of 'more than the baseline' \
	'T n, D mc' reproduced
check "the wrong one" says_of 'never makes many' 'T n' contradicted
check "judged together" grep -q "corrected by Holm's method for the [45] claims" \
	"$dir/out"
check "of so many runs" grep -q '^n: 2 of 2 planned runs' "$dir/out"
cp "$dir/out" "$dir/claims.txt"
thpbench lint "$dir/claims.txt"
check "nothing that lint would find" exits 0
thpbench claims "$dir/r" --format json
outcomes()
{
	perl -MJSON::PP -0777 -e 'my $t = decode_json(<STDIN>);
		print join ",", map { $_->[-1] } @{$t->[0]{rows}}' \
		<"$dir/out"
}
check "as JSON" [ "$(outcomes | cut -d , -f 1-4)" = \
	reproduced,reproduced,reproduced,contradicted ]
thpbench claims "$dir/r" --published damos-collapse-v1
check "a letter about a database: not the same set-up" grep -qE \
	'^workload.program +sysbench .*memtouch' "$dir/out"
done_testing
