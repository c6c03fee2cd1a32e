#!/bin/sh
# Shards of an experiment: their plans, two at once that wait for each other,
# what report makes of them on one host and on two, and what it refuses.
. tests/e2e/tap.sh

cat >"$dir/s.conf" <<EOF
[experiment]
title = in shards
blocks = 5
seed = 3
[workload]
program = memtouch
memtouch_bytes = 16M
threads = 1
load = 0s
settle = 0s
measure = 2s
[collect]
interval = 500ms
budget = 0
[arm "A"]
env.X = a
[arm "B"]
env.X = b
EOF

# The runs of a plan: number, block, arm.
rows() { awk '$1 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ { print $1, $2, $3 }' \
	"$dir/out" | sort -n; }

# --- plan ---
thpbench plan "$dir/s.conf"
rows >"$dir/whole"
check "the plan has ten runs" [ "$(wc -l <"$dir/whole")" -eq 10 ]
for of in 1 2 3 5; do
	i=0
	while [ $((i += 1)) -le "$of" ]; do
		thpbench plan "$dir/s.conf" --shard "$i/$of"
		[ "$status" -eq 0 ] && rows
	done | sort -n >"$dir/union"
	check "$of shards are the plan, nothing twice" \
		cmp "$dir/whole" "$dir/union"
done
thpbench plan "$dir/s.conf" --shard 2/2
check "plan says which shard" grep -qx \
	'shard 2 of 2: 4 of these runs' "$dir/out"
thpbench plan "$dir/s.conf" --shard 2/2 --json
check "and as JSON" grep -q '"shard": "2/2"' "$dir/out"
check "its blocks alone" [ "$(grep -c '"block": [24]' "$dir/out")" -eq 4 ]
for wrong in 3/2 0/2 2 a/b ''; do
	thpbench plan "$dir/s.conf" --shard "$wrong"
	check "--shard '$wrong': exit 64" exits 64
done
thpbench plan "$dir/s.conf" --shard 1/6
check "more shards than blocks: exit 64" exits 64
check "and how many there can be" says 'so at most 5 shards'
thpbench run "$dir/s.conf" --shard 1/6 -o "$dir/no"
check "run refuses it too" exits 64
thpbench run "$dir/s.conf" --shard 1/2 --pilot 3 -o "$dir/no"
check "a pilot has no shards" exits 64
check "nothing was made" [ ! -e "$dir/no" ]

# --- run: on hosts of other names where that can be had ---
if is_root && unshare --uts true 2>/dev/null; then
	has_hosts=1
	lock_host
else
	has_hosts=
fi
on() # HOST COMMAND...
{
	host=$1
	shift
	if [ -n "$has_hosts" ]; then
		# shellcheck disable=SC2016 # for the shell inside
		unshare --uts sh -c 'hostname "$0" && exec "$@"' "$host" "$@"
	else
		"$@"
	fi
}
on n1 ./thpbench run "$dir/s.conf" --wait --shard 1/2 -o "$dir/r" \
	>"$dir/out1" 2>"$dir/err1" &
first=$!
pids=$first
on n2 ./thpbench run "$dir/s.conf" --wait --shard 2/2 -o "$dir/r/" \
	>"$dir/out2" 2>"$dir/err2"
status=$?
check "shard 2 ran" [ "$status" -eq 0 ]
wait "$first"
status=$?
pids=
check "shard 1 ran too" [ "$status" -eq 0 ]
check "each in a folder of its own" [ \
	"$(cat "$dir/out1" "$dir/out2" | sort | tr '\n' ' ')" = \
	"$dir/r/shard-1-of-2 $dir/r/shard-2-of-2 " ]
check "one waited for the other" grep -q 'waiting for its end' \
	"$dir/err1" "$dir/err2"
cut -f 1-3 "$dir"/r/*/journal.tsv | tr '\t' ' ' | grep -v '^run' |
	sort -n >"$dir/ran"
check "what ran is the plan" cmp "$dir/whole" "$dir/ran"
thpbench run "$dir/s.conf" --shard 2/2 -o "$dir/r"
check "not over a shard that is there" exits 64
on n2 ./thpbench run "$dir/s.conf" --wait --shard 2/2 -o "$dir/r" --resume \
	>"$dir/out" 2>"$dir/err"
status=$?
check "resume does nothing more" exits 0
if [ -n "$has_hosts" ]; then
	on n3 ./thpbench run "$dir/s.conf" --wait --shard 2/2 -o "$dir/r" \
		--resume >"$dir/out" 2>"$dir/err"
	status=$?
	check "resume on another host: exit 64" exits 64
	check "and which it was" says 'was begun on n2 with Linux'
else
	skip "resume on another host" "needs root and a UTS namespace"
fi
check "still four runs" [ \
	"$(tail -n +2 "$dir/r/shard-2-of-2/journal.tsv" | wc -l)" -eq 4 ]
mkdir "$dir/x"
cp -r "$dir/r/shard-2-of-2" "$dir/x/shard-1-of-2"
thpbench run "$dir/s.conf" --shard 1/2 -o "$dir/x" --resume
check "another shard's folder: exit 64" exits 64

# --- report ---
thpbench report "$dir/r" --format json
check "merged: ten runs" [ "$(grep -c '"number":' "$dir/out")" -eq 10 ]
check "of ten" grep -q '"runs_planned": 10' "$dir/out"
check "each once" [ "$(grep '"number":' "$dir/out" | sort -u | wc -l)" -eq 10 ]
check "each in its shard's folder" [ "$(grep -cE \
	'"dir": "shard-[12]-of-2/runs/' "$dir/out")" -eq 10 ]
thpbench report "$dir/r/shard-2-of-2" "$dir/r/shard-1-of-2"
cp "$dir/out" "$dir/two"
thpbench report "$dir/r"
check "both shards: the same as the folder of both" cmp "$dir/out" "$dir/two"
check "no shard is missed" sh -c "! grep -q 'not among' '$dir/out'"
thpbench report "$dir/r" --table verdicts --format csv
check "five blocks are paired" grep -qE '^verdicts,r,tps,.*,B,.*,5,' "$dir/out"
if [ -n "$has_hosts" ]; then
	thpbench report "$dir/r" --table hosts
	check "two hosts by name" grep -q \
		'on 2 hosts: n1 (shard 1), n2 (shard 2)' "$dir/out"
	check "blocks of each" [ "$(grep -cE '^  n(1 +3|2 +2) ' "$dir/out")" \
		-eq 2 ]
	check "host x arm is judged" grep -q "^Host x arm, 'B'" "$dir/out"
	thpbench history add --store "$dir/h.db" "$dir/r"
	check "history: each shard for its host" [ \
		"$(grep -cE '	(6 of 6|4 of 4) runs added' "$dir/out")" -eq 2 ]
	thpbench history add --store "$dir/h.db" "$dir/r/shard-2-of-2" "$dir/r"
	check "again: nothing" [ \
		"$(grep -c '	0 of [64] runs added' "$dir/out")" -eq 3 ]
	thpbench history list --store "$dir/h.db" --format csv
	check "history: hosts are not pooled" [ "$(grep -cE \
		'^experiments,.*n[12],' "$dir/out")" -eq 2 ]
	thpbench compare "$dir/r" "$dir/r/shard-1-of-2"
	check "compare does not pool hosts: exit 64" exits 64
	check "and says why" says 'runs of 2 hosts'
else
	skip "two hosts" "needs root and a UTS namespace of its own"
fi
thpbench compare "$dir/r" --metric tps --format csv
check "compare: the arms of all shards" grep -qE ',tps,.*,B,.*,5,' "$dir/out"
thpbench report "$dir/r/shard-1-of-2" "$dir/r/shard-1-of-2"
check "a shard twice: exit 64" exits 64
check "both are named" says \
	"$dir/r/shard-1-of-2 and $dir/r/shard-1-of-2 are both shard 1 of 2"
thpbench report "$dir/r/shard-1-of-2"
check "a shard alone: reported" exits 0
check "the missing one is named" grep -q \
	'shard 2 of 2 is not among the folders: blocks 2, 4 of 5' "$dir/out"
cp -r "$dir/r" "$dir/y"
sed -i 's/"seed": "3"/"seed": "4"/' "$dir/y/shard-2-of-2/manifest.json"
thpbench report "$dir/y"
check "another seed: exit 64" exits 64
check "and what differs" says 'the seed is 3 in one and 4 in the other'
mkdir "$dir/empty"
thpbench report "$dir/empty"
check "an empty folder: exit 66" exits 66
done_testing
