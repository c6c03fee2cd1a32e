#!/bin/sh
# thpbench restore: what it undoes, what it says, and its exit status.
. tests/e2e/tap.sh
root=$dir/root
state=$root/run/thpbench
thp=sys/kernel/mm/transparent_hugepage
cp -r tests/roots/host-6.18 "$root"
chmod 755 "$dir" "$root"

prints() # TEXT: is all of stdout
{
	[ "$(cat "$dir/out")" = "$1" ] && return
	cat "$dir/out"
	return 1
}

holds() # FILE TEXT
{
	[ "$(cat "$root/$1")" = "$2" ] && return
	cat "$root/$1"
	return 1
}

thpbench restore --root "$root"
check "nothing to do: status" exits 0
check "nothing to do: said" prints "nothing to restore"

# A half-written last line, as a power cut leaves it.
mkdir -p "$state" "$dir/thpbench.data/sub" "$dir/other"
: >"$dir/thpbench.data/sub/file"
ln -s "$dir/other" "$dir/thpbench.data/link"
: >"$dir/other/kept"
sleep 300 &
sleeper=$!
pids="$pids $sleeper"
start=$(cut -d' ' -f22 "/proc/$sleeper/stat")
{
	printf 'guard\t%s\t%s\n' 4194000 1
	printf 'pid\t%s\t%s\n' "$sleeper" "$start"
	printf 'setting\t%s\t%s\t10\n' "$thp/enabled" madvise
	printf 'setting\t%s\t%s\t30\n' proc/sys/vm/min_free_kbytes 67584
	printf 'dir\t%s\n' "$dir/thpbench.data" "$dir/other"
	printf 'setting\t%s\tnev' "$thp/defrag"
} >"$state/journal.tsv"
echo "always madvise [never]" >"$root/$thp/enabled"
echo 5581 >"$root/proc/sys/vm/min_free_kbytes"
thpbench run --root "$root" configs/null.conf -o "$dir/results"
check "run is refused" exits 75
check "run names restore" says "thpbench restore --root $root"
check "run left no results" test ! -e "$dir/results"
thpbench restore --root "$root"
check "put back: status" exits 0
check "put back: said" prints "put back: 2 settings, 1 process, 1 folder"
check "put back: foreign line left out" says "lines left out that are not ours: 1"
check "put back: THP" holds "$thp/enabled" "always [madvise] never"
check "put back: min_free_kbytes" holds proc/sys/vm/min_free_kbytes 67584
check "put back: half a line did nothing" holds "$thp/defrag" \
	"always defer defer+madvise [madvise] never"
check "folder gone" test ! -e "$dir/thpbench.data"
check "not our folder stays" test -e "$dir/other/kept"
wait "$sleeper" 2>/dev/null
check "process killed" test $? -eq 137
check "journal gone" test ! -e "$state"

mkdir -p "$state"
printf 'setting\t%s\t%s\t10\n' "$thp/enabled" nonsense >"$state/journal.tsv"
thpbench restore --root "$root"
check "not restored: status" exits 74
check "not restored: named" says "restore $root/$thp/enabled to nonsense"
check "not restored: the journal stays" test -e "$state/journal.tsv"
check "not restored: said" prints "put back: nothing; not all: the journal stays"
rm -r "$state"

if is_root; then
	# Not root: the journal is his, the setting is not.
	mkdir -p "$dir/user/thpbench"
	printf 'setting\t%s\t%s\t10\n' "$thp/enabled" never \
		>"$dir/user/thpbench/journal.tsv"
	chmod -R 700 "$dir/user"
	chown -R 65534:65534 "$dir/user"
	cp build/thpbench "$dir/thpbench"
	XDG_RUNTIME_DIR=$dir/user setpriv --reuid 65534 --regid 65534 \
		--clear-groups "$dir/thpbench" restore --root "$root" \
		>"$dir/out" 2>"$dir/err"
	status=$?
	check "not permitted: status" exits 77
	check "not permitted: named" says "$thp/enabled to never: Permission"
	check "not permitted: the journal stays" \
		test -e "$dir/user/thpbench/journal.tsv"
else
	skip "not permitted" "needs root"
fi

thpbench restore --root "$dir/nowhere"
check "no such root" exits 66
thpbench restore all
check "takes no argument" exits 64
done_testing
