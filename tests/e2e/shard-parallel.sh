#!/bin/sh
# The commands of examples/ssh/README.md, with an ssh that reaches this machine
# under other hostnames: shards over hosts by GNU parallel.
. tests/e2e/tap.sh

why=
is_root && unshare --uts true 2>/dev/null || why="needs root and unshare --uts"
parallel --version 2>/dev/null | grep -q '^GNU parallel' ||
	why="no GNU parallel (sh tests/deps.sh cluster)"
command -v rsync >/dev/null || why="no rsync (sh tests/deps.sh cluster)"
if [ -n "$why" ]; then
	skip "shards by parallel and ssh" "$why"
	done_testing
	exit
fi
lock_host

mkdir -p "$dir/bin" "$dir/here/results" "$dir/srv"
cat >"$dir/bin/ssh" <<'END'
#!/bin/sh
# ssh [-l USER] HOST [--] COMMAND...: in a namespace with that hostname, with
# the environment that sshd gives to a login
if [ "$1" = -l ]; then shift 2; fi
host=${1#*@}
shift
if [ "${1-}" = -- ]; then shift; fi
exec env -i PATH="$PATH" HOME="${HOME:-/}" SHELL=/bin/sh \
	USER=root LOGNAME=root \
	unshare --uts sh -c 'hostname "$0" && cd / && exec sh -c "$1"' \
	"$host" "$*"
END
chmod +x "$dir/bin/ssh"
ln -s "$PWD/thpbench" "$dir/bin/thpbench"
program=$PWD/thpbench
cat >"$dir/here/CONFIG" <<'END'
[experiment]
blocks = 2
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
END
cp "$dir/here/CONFIG" "$dir/srv"
PATH=$dir/bin:$PATH
cd "$dir/here" || exit 1

reported() # FOLDER
{
	"$program" report "$1" >"$dir/out" 2>"$dir/err"
	status=$?
	exits 0 && grep -q '2 of 2, on 2 hosts: db[12] (' "$dir/out"
}

# shellcheck disable=SC2046 # two words
parallel --will-cite --link --jobs 2 \
	ssh '{1}' thpbench run "$dir/srv/CONFIG" --wait --shard '{2}/2' \
	-o "$dir/srv/results/x" ::: db1 db2 ::: $(seq 2) >"$dir/out" \
	2>"$dir/err"
status=$?
check "a host a shard" exits 0
for h in db1 db2; do
	rsync -a -e "$dir/bin/ssh" "$h:$dir/srv/results/x" results \
		>"$dir/out" 2>"$dir/err" || status=$?
done
check "fetched by rsync" exits 0
check "the first host has the first shard" reported results/x
check "by name" grep -q ': db1 (shard 1), db2 (shard 2)' "$dir/out"

# shellcheck disable=SC2046 # two words
parallel --will-cite --sshlogin root@db1,root@db2 --jobs 1 \
	--workdir "$dir/srv" --transferfile CONFIG \
	--return 'results/y/shard-{}-of-2' \
	"$program" run CONFIG --wait --shard '{}/2' -o results/y \
	::: $(seq 2) >"$dir/out" 2>"$dir/err"
status=$?
check "shards over hosts that are free" exits 0
check "folders are brought back and merged" reported results/y
cd / || exit 1
done_testing
