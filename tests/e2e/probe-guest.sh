#!/bin/sh
# probe in a guest: what a 7.x kernel answers, and what it does otherwise than
# the answers of another that were kept.
. tests/e2e/tap.sh

if ! command -v qemu-system-x86_64 >/dev/null && [ "$(uname -m)" = x86_64 ]
then
	skip "probes in a guest" "no qemu-system-x86_64"
	done_testing
	exit 0
fi
./thpbench guest fetch >"$dir/fetch" 2>&1
if ! ./thpbench guest list 2>/dev/null | grep -q '^damon '; then
	skip "probes in a guest" "no guest kernel: $(tail -n 1 "$dir/fetch")"
	done_testing
	exit 0
fi

# The answers of 6.18, as probe keeps them.
old()
{
	cat <<-'END'
	{"host": {"kernel": "6.18.44", "where": "host"}, "probes": [
	{"name": "collapse", "asks": "?", "answer": "collapsed"},
	{"name": "collapse-part", "asks": "?", "answer": "refused: EINVAL"},
	{"name": "damos-collapse", "asks": "?", "missing": "no vaddr"}]}
	END
}
old >"$dir/old"

lock_host
thpbench probe --kernel guest --output "$dir/kept"
check "all of them, in a guest" exits 0
check "the table names the kernel and the guest" \
	grep -q '^probe: what the kernel does: .*, guest$' "$dir/out"

answer() # NAME
{
	perl -MJSON::PP -0777 -e '
		for (@{decode_json(<STDIN>)->{probes}}) {
			next unless $_->{name} eq $ARGV[0];
			print exists $_->{missing} ? "n/a: $_->{missing}"
				: $_->{answer};
		}' "$1" <"$dir/kept"
}
says_of() # NAME PATTERN: of all of it
{
	is=$(answer "$1")
	echo "$1: $is; wanted: $2"
	echo "$is" | grep -qx -e "$2"
}
check "collapse" says_of collapse collapsed
check "collapse ignores never" says_of collapse-never collapsed
check "collapse ignores max_ptes_none" says_of collapse-one-page collapsed
check "no page, no collapse" says_of collapse-empty 'refused: EINVAL'
check "VM_NOHUGEPAGE is heeded" says_of collapse-nohugepage 'refused: EINVAL'
check "PR_SET_THP_DISABLE is heeded" says_of collapse-disabled 'refused: EINVAL'
check "with except-advised it is not" says_of collapse-except collapsed
check "a hole is told, the rest is collapsed" \
	says_of collapse-hole '7 of 8 huge pages, then ENOMEM'
check "less than a huge page: done" says_of collapse-part \
	'done, but no huge page'
check "read-only memory" says_of collapse-readonly collapsed
check "khugepaged on non-writable ptes" says_of khugepaged-readonly collapsed
check "collapse from outside" says_of collapse-other collapsed
check "advice from outside" says_of hugepage-other 'refused: EINVAL'
check "page faults: always" says_of fault-always 'huge pages'
check "page faults: never, advised" says_of fault-never 'small pages'
check "page faults with except-advised" says_of fault-except \
	'advised: huge pages; others: small pages'
check "no PMU is there, and that is said" says_of tlb 'n/a: no PMU.*'
check "under stress" \
	says_of collapse-stress 'no complaint, and memory as written'
# Chance has a part in where DAMON sees borders: the words leave room for it.
damos() # NAME TEXT
{
	case $(answer "$1") in
	*"too slow, or too busy"*) skip "$2" "$(answer "$1")" ;;
	*) check "$2" says_of "$1" 'most of the hot range, little else' ;;
	esac
}
damos damos-hugepage "DAMOS hugepage finds the hot range"
damos damos-collapse "DAMOS collapse does, under never"

thpbench probe --compare "$dir/old" "$dir/kept"
check "compared with 6.18" exits 0
check "one does something else" \
	grep -q '^answers that differ: 1; alike: 1$' "$dir/out"
check "it is named" grep -q '^collapse-part .*refused' "$dir/out"
check "and what one alone could not answer" \
	grep -q '^found out on one alone: 1; on neither: 0$' "$dir/out"

# 7.2, booted for it, does the same; where it is at hand.
older=$(./thpbench guest list --json | perl -MJSON::PP -0777 -ne '
	my @of = grep { $_->{name} =~ /^7\.2\..*amd64$/ } @{decode_json($_)};
	print $of[-1]{name} if @of')
if [ -n "$older" ]; then
	thpbench probe --compare "$dir/kept" "$older" collapse collapse-never \
		collapse-disabled collapse-except collapse-nohugepage \
		collapse-readonly collapse-one-page collapse-empty \
		collapse-hole collapse-part collapse-other hugepage-other \
		khugepaged khugepaged-readonly fault-always fault-never
	check "7.2 does the same" exits 0
	check "in all of 16 answers" \
		grep -q '^answers that differ: 0; alike: 16$' "$dir/out"
else
	skip "7.2 does the same" "no 7.2 in the cache"
fi
done_testing
