#!/bin/sh
# examples/slurm/thpbench.sbatch, run by Slurm's own daemons on this machine as
# two nodes n1 and n2, all in a folder of this test's own. A machine has one set
# of settings: the jobs of the two nodes run at the same time as far as Slurm is
# concerned, and wait for each other by `run --wait`.
. tests/e2e/tap.sh

give_up() # REASON
{
	skip "a job array of Slurm's" "$1"
	done_testing
	exit
}

for program in slurmctld slurmd sbatch munged; do
	command -v $program >/dev/null ||
		give_up "no $program (sh tests/deps.sh cluster)"
done
is_root || give_up "needs root"
unshare --uts true 2>/dev/null || give_up "needs unshare --uts"

# Three ports that nobody listens on.
ports=$(awk 'FNR > 1 { split($2, a, ":"); used[a[2]] }
	END { for (p = 27800; n < 3 && p < 27900; p++)
		if (!(sprintf("%04X", p) in used)) { print p; n++ } }' \
	/proc/net/tcp /proc/net/tcp6 2>/dev/null | tr '\n' ' ')
# shellcheck disable=SC2086 # three words
set -- $ports
head -c 128 /dev/urandom >"$dir/key"
chmod 600 "$dir/key"
mkdir "$dir/state"
chmod 711 "$dir" # as munged asks for
cat >"$dir/slurm.conf" <<END
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$1
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=n1 NodeHostname=n1 NodeAddr=127.0.0.1 Port=$2 CPUs=1
NodeName=n2 NodeHostname=n2 NodeAddr=127.0.0.1 Port=$3 CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES State=UP MaxTime=10
END
export SLURM_CONF="$dir/slurm.conf"
export THPBENCH="$PWD/thpbench"

munged -F --socket="$dir/munge" --key-file="$dir/key" \
	--log-file="$dir/munged.log" --pid-file="$dir/munged.pid" \
	--seed-file="$dir/seed" >"$dir/munged.out" 2>&1 &
pids=$!
for _ in $(seq 50); do
	[ -S "$dir/munge" ] && break
	sleep 0.1
done
[ -S "$dir/munge" ] || give_up "munged: $(tail -n 1 "$dir/munged.out")"
slurmctld -D -c -f "$SLURM_CONF" >"$dir/slurmctld.out" 2>&1 &
pids="$pids $!"
for node in n1 n2; do
	# shellcheck disable=SC2016 # for the shell inside
	unshare --uts sh -c 'hostname "$0" && exec slurmd -D -N "$0"' $node \
		>"$dir/slurmd.$node.out" 2>&1 &
	pids="$pids $!"
done
idle() { timeout 5 sinfo -h -N -t idle 2>/dev/null | wc -l; }
end=$(($(date +%s) + 30))
until [ "$(idle)" -eq 2 ]; do
	if [ "$(date +%s)" -ge "$end" ]; then
		for file in "$dir"/*.log "$dir"/*.out; do
			tail -n 5 "$file" | sed 's/^/# /'
		done
		give_up "two nodes did not become idle"
	fi
	sleep 0.1
done
# Behind the daemons, so that none of them can hold it longer than this.
lock_host

config() # MEASURE BLOCKS
{
	cat <<END
[experiment]
title = in jobs
blocks = $2
[workload]
program = memtouch
memtouch_bytes = 16M
threads = 1
load = 0s
settle = 0s
measure = $1
[collect]
interval = 500ms
budget = 0
[arm "A"]
sysctl.vm.swappiness = 61
[arm "B"]
sysctl.vm.swappiness = 62
END
}
script=$PWD/examples/slurm/thpbench.sbatch
top=$PWD
config 2s 3 >"$dir/x.conf"
knobs >"$dir/before"
cat /proc/sys/vm/swappiness >>"$dir/before"

# --- three jobs on two nodes ---
cd "$dir" || exit 1
timeout 180 sbatch --wait --array=1-3 "$script" "$dir/x.conf" "$dir/r" 3 \
	>"$dir/out" 2>"$dir/err"
status=$?
cd "$top" || exit 1
check "the array ran" exits 0
[ "$status" -eq 0 ] || cat "$dir"/thpbench-*.log "$dir/slurmctld.log" |
	sed 's/^/# /'
check "each node ran a job" sh -c "cat '$dir'/r/*/manifest.json |
	sed -n 's/.*\"hostname\": //p' | sort -u | tr -d '\n' |
	grep -qx '\"n1\",\"n2\",'"
thpbench plan "$dir/x.conf"
awk '$1 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ { print $1, $2, $3 }' "$dir/out" |
	sort -n >"$dir/plan"
check "the plan has six runs" [ "$(wc -l <"$dir/plan")" -eq 6 ]
# In one line each: number, block and label of the arm that it is below.
thpbench report "$dir/r" --format json
awk -F '[:,]' '/"label":/ { gsub(/[ "]/, "", $2); arm = $2 }
	/"number":/ { number = $2 + 0 }
	/"block":/ { print number, $2 + 0, arm }' "$dir/out" | sort -n \
	>"$dir/merged"
check "what is merged is the unsharded plan" cmp "$dir/plan" "$dir/merged"
check "all of it counts" [ "$(grep -c '"state": "ok"' "$dir/out")" -eq 6 ]
check "nothing is missed" grep -q '"runs_done": 6' "$dir/out"
thpbench report "$dir/r" --table hosts
check "hosts are named" grep -qE 'on 2 hosts: n[12] \(' "$dir/out"
knobs >"$dir/after"
cat /proc/sys/vm/swappiness >>"$dir/after"
check "all settings are as before" cmp "$dir/before" "$dir/after"

# --- a job that is cancelled ---
config 60s 1 >"$dir/long.conf"
job=$(cd "$dir" && sbatch --parsable --array=1 "$script" "$dir/long.conf" \
	"$dir/long" 1)
log=$dir/thpbench-$job-1.log
for _ in $(seq 300); do
	grep -q ': measure' "$log" 2>/dev/null && break
	sleep 0.1
done
check "a job sets what its arm asks for" grep -qx '6[12]' \
	/proc/sys/vm/swappiness
scancel "$job"
for _ in $(seq 300); do
	[ -z "$(squeue -h)" ] && break
	sleep 0.1
done
knobs >"$dir/after"
cat /proc/sys/vm/swappiness >>"$dir/after"
check "scancel: all settings are as before" cmp "$dir/before" "$dir/after"
check "and the log says so" grep -q 'all is put back' "$log"

# In their order: the nodes first, and munge last.
for pid in $(echo "$pids" | tr ' ' '\n' | tac); do
	kill "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
done
pids=
done_testing
