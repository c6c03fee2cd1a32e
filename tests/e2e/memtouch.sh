#!/bin/sh
# memtouch alone: its memory, its lines, its ends, its options.
set -u
dir=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null; rm -rf "$dir"' EXIT
memtouch=build/memtouch
n=0

check() # NAME COMMAND...
{
	name=$1
	shift
	n=$((n + 1))
	if "$@"; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
	fi
}

skip() # NAME REASON
{
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# Until it has made a line, so that all its memory was touched.
start() # ARGUMENT...
{
	: >"$dir/out"
	"$memtouch" --bytes=64M "$@" >"$dir/out" 2>"$dir/err" &
	pid=$!
	i=0
	while [ ! -s "$dir/out" ] && [ "$i" -lt 200 ]; do
		sleep 0.05
		i=$((i + 1))
	done
}

stop() # SIGNAL; sets status
{
	kill "-$1" "$pid"
	wait "$pid"
	status=$?
	pid=
}

rollup() { awk -v k="$1:" '$1 == k { print $2 }' "/proc/$pid/smaps_rollup"; }

huge_of() # ARGUMENT...; prints kB
{
	start "$@"
	rollup AnonHugePages
	stop TERM
}

# The lines' transactions against the final line's.
sums_up()
{
	awk -F '\t' '$1 == "line" { sum += $5 }
		$1 == "final" { total = $4; finals++ }
		END { exit !(finals == 1 && sum == total && sum > 0) }' \
		"$dir/out"
}

refused() # ARGUMENT...
{
	"$memtouch" --seconds=1 "$@" >"$dir/out" 2>"$dir/err"
	[ $? -eq 1 ] && [ ! -s "$dir/out" ] &&
		[ "$(wc -l <"$dir/err")" -eq 1 ] &&
		grep -q '^memtouch: ' "$dir/err"
}

hpage=$(cat /sys/kernel/mm/transparent_hugepage/hpage_pmd_size 2>/dev/null)
thp=$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)
case "$thp" in
"") why="no THP in this kernel" ;;
*"[never]"*) why="THP is off on this machine" ;;
*) why= ;;
esac
[ "$hpage" = 2097152 ] || why=${why:-"huge pages of $hpage bytes"}
[ "$(awk '/^THP_enabled/ { print $2 }' /proc/self/status)" != 0 ] ||
	why="THP is switched off for this process"

start --threads=2
check "all its memory is resident" [ "$(rollup Rss)" -ge 65536 ]
stop TERM
check "SIGTERM ends it with 0" [ "$status" -eq 0 ]
check "its lines sum up to its total" sums_up
for pattern in hot sequential; do
	start --threads=3 --pattern="$pattern" --friendly=off
	stop INT
	check "$pattern: SIGINT ends it with 0" [ "$status" -eq 0 ]
	check "$pattern: its lines sum up" sums_up
done
if [ -z "$why" ]; then
	friendly=$(huge_of --advise=on)
	unfriendly=$(huge_of --advise=on --friendly=off)
	check "friendly memory becomes huge" [ "$friendly" -ge 32768 ]
	check "unfriendly memory cannot" [ "$unfriendly" -eq 0 ]
else
	skip "friendly memory becomes huge" "$why"
	skip "unfriendly memory cannot" "$why"
fi
"$memtouch" --bytes=8M --seconds=1 >"$dir/out"
check "--seconds ends it with 0" [ $? -eq 0 ]
check "after seconds too its lines sum up" sums_up
check "no size is refused" refused
check "too small a size is refused" refused --bytes=1M
check "no thread is refused" refused --bytes=8M --threads=0
check "a size with a rest is refused" refused --bytes=8MB
check "a size too large is refused" refused --bytes=99999999T
check "a negative size is refused" refused --bytes=-8M
check "an unknown pattern is refused" refused --bytes=8M --pattern=random
check "an unknown switch is refused" refused --bytes=8M --friendly=maybe
check "a share above 100 is refused" refused --bytes=8M --hot-share=101
check "an unknown option is refused" refused --bytes=8M --colour=red
check "an argument is refused" refused --bytes=8M 5
export THPBENCH_CONTROL=nonsense
check "a control page that is none is refused" refused --bytes=8M
echo "1..$n"
