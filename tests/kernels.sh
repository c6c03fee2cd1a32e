#!/bin/sh
# What guest list reads from images against what booting each found: each word
# that any of the kernels knows is written into the files of DAMON, in a guest;
# operations are those that a context lists.
#   tests/kernels.sh SPEC...    kernels as guest fetch takes them
# Called by `make test-kernels` with all that matter, by tests/e2e with one.
. tests/e2e/tap.sh

give_up() # REASON
{
	skip "features of kernels" "$1"
	done_testing
	exit 0
}

command -v qemu-system-x86_64 >/dev/null || give_up "no qemu-system-x86_64"
[ "$(uname -m)" = x86_64 ] || give_up "no x86_64 machine"

names=
for spec; do
	thpbench guest fetch "$spec"
	[ "$status" -ne 69 ] || give_up "offline: $(tail -n 1 "$dir/err")"
	check "guest fetch $spec" exits 0
	names="$names $(cut -f 1 "$dir/out")"
done

# "KERNEL FEATURE yes|no", a line each; a list of words as "action collapse".
./thpbench guest list --json >"$dir/list.json"
perl -MJSON::PP -0777 -e '
	my %one = (ops => "ops", actions => "action", goals => "goal",
		   tuners => "tuner");
	my %words;
	my $list = decode_json(<STDIN>);
	for my $k (@$list) {
		my $f = $k->{features};
		for my $kind (keys %one) {
			next unless ref $f->{$kind} eq "ARRAY";
			$words{$kind}{$_} = 1 for @{$f->{$kind}};
		}
	}
	# Not all are taken by a kernel; no kernel takes the last.
	$words{goals}{$_} = 1 for "hugepage_mem_bp", "thpbench_no_goal";
	$words{actions}{thpbench_no_action} = 1;
	for my $k (@$list) {
		my $f = $k->{features};
		for my $name (sort keys %$f) {
			my $v = $f->{$name};
			my $what = ref $v eq "HASH" ? "?" : $v ? "yes" : "no";
			if (!$one{$name}) {
				print "$k->{name} $name $what\n";
				next;
			}
			my %has = ref $v eq "ARRAY" ? map { $_ => 1 } @$v : ();
			for my $word (sort keys %{$words{$name}}) {
				my $says = ref $v ne "ARRAY" ? "?" :
					$has{$word} ? "yes" : "no";
				print "$k->{name} $one{$name} $word $says\n";
			}
		}
	}
' <"$dir/list.json" >"$dir/said"

# Run in the guest: the same lines without the kernel. Its arguments are the
# words to try, as "action:collapse".
cat >"$dir/try.sh" <<'END'
sys=/sys/kernel/mm/damon/admin/kdamonds
thp=/sys/kernel/mm/transparent_hugepage
say() # NAME COMMAND...
{
	name=$1
	shift
	if "$@" >/dev/null 2>&1; then echo "$name yes"; else echo "$name no"; fi
}
any() { [ -e "$1" ]; }
write() { echo "$1" >"$2"; }
one() { write 1 "$1"; } 2>/dev/null

say damon any /sys/kernel/mm/damon
say damon_sysfs any $sys
say damon_stat any /sys/module/damon_stat
say damon_reclaim any /sys/module/damon_reclaim
say damon_lru_sort any /sys/module/damon_lru_sort
say thp any $thp/enabled
say mthp any $thp/hugepages-*kB/enabled
if [ -e $sys ]; then
	one $sys/nr_kdamonds
	one $sys/0/contexts/nr_contexts
	context=$sys/0/contexts/0
	one $context/schemes/nr_schemes
	scheme=$context/schemes/0
	one $scheme/quotas/goals/nr_goals
	goal=$scheme/quotas/goals/0
fi
say refresh_ms any "${sys}/0/refresh_ms"
say intervals_goal any "${context-/none}/monitoring_attrs/intervals/intervals_goal"
say fail_charge any "${scheme-/none}/quotas/fail_charge_num"
say goal_tuner any "${scheme-/none}/quotas/goal_tuner"
for word; do
	what=${word%%:*}
	word=${word#*:}
	case $what in
	ops)
		# Its file operations takes what the kernel does not have, too.
		say "$what $word" grep -qx "$word" \
			"${context-/none}/avail_operations"
		continue
		;;
	action) file=${scheme-/none}/action ;;
	goal) file=${goal-/none}/target_metric ;;
	tuner) file=${scheme-/none}/quotas/goal_tuner ;;
	esac
	say "$what $word" write "$word" "$file"
done
if "$THPBENCH" check 2>/dev/null | grep -q PAGEMAP_SCAN; then
	echo "pagemap_scan yes"
else
	echo "pagemap_scan no"
fi
"$THPBENCH" check --probe 2>/dev/null | sed -n 's/.*it takes /takes /p'
END

same() # SAID FOUND
{
	diff "$1" "$2" | sed 's/^</guest list:/;s/^>/booted:/' >"$dir/diff"
	[ -s "$dir/diff" ] || return 0
	cat "$dir/diff"
	tail -n 3 "$dir/err"
	return 1
}

# Each word that check --probe found is one that guest list has.
probe_agrees() # SAID FOUND
{
	sed -n 's/^takes //p' "$2" | tr ';' '\n' | while read -r kind words; do
		[ "$kind" != operations ] || kind=ops
		case $kind in ops | action | goal | tuner) ;; *) continue ;; esac
		for word in $words; do
			grep -qx "$kind $word yes" "$1" ||
				echo "check --probe: $kind $word"
		done
	done >"$dir/only"
	[ -s "$dir/only" ] || return 0
	cat "$dir/only"
	return 1
}

for kernel in $names; do
	sed -n "s/^$kernel //p" "$dir/said" | sort >"$dir/image"
	words=$(sed -n 's/^\(ops\|action\|goal\|tuner\) \([a-z_]*\) .*/\1:\2/p' \
		"$dir/image")
	# shellcheck disable=SC2086 # a list of words
	./thpbench guest boot "$kernel" --limit 4m --add "$dir/try.sh" -- \
		env "THPBENCH=$PWD/build/thpbench" sh "$dir/try.sh" $words \
		>"$dir/all" 2>"$dir/err"
	grep -v '^takes ' "$dir/all" | sort >"$dir/booted"
	check "$kernel: its image says what it knows" same "$dir/image" "$dir/booted"
	check "$kernel: check --probe finds no other word" \
		probe_agrees "$dir/image" "$dir/all"
done
done_testing
