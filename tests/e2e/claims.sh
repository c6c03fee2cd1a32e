#!/bin/sh
# `claims` on made-up and recorded result folders: what it says of configured
# claims and of letters, and how it exits.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/tap.sh

made=$dir/made
tests/make-results "$made"

# NAME METRIC ARM EXPECT...: a copy of the folder with these claims.
with_claims() # FOLDER CLAIM...: each NAME|METRIC|ARM|EXPECT
{
	cp -r "$made" "$dir/$1"
	to=$dir/$1/manifest.json
	shift
	list=
	for claim; do
		list="$list${list:+, }$(echo "$claim" | awk -F '|' '{
			printf "{\"name\": \"%s\", \"metric\": \"%s\", " \
				"\"arm\": \"%s\", \"expect\": \"%s\"}", \
				$1, $2, $3, $4 }')"
	done
	sed -i "s/^{/{\"claims\": [$list], /" "$to"
}

# A row below a heading: ARM and the outcome at its end.
says_of() # HEADING ARM OUTCOME
{
	sed -n "/^$1/,/^[^ ]/p" "$dir/out" | grep -q -e "^  $2 .* $3\$" &&
		return
	cat "$dir/out"
	return 1
}

with_claims good 'needs no mode|huge_bytes|T n, D c|> 0' \
	'faster|tps|T n, D c|> baseline' \
	'settles|huge_share_pct|T n, D h 10 %|= 10 +- 1' \
	'not slower|tps|T m, D h|>= -0.5 %'
thpbench claims "$dir/good"
check "all borne out: exit 0" exits 0
check "an amount" says_of 'needs no mode: huge_bytes' 'T n, D c' reproduced
check "against the baseline" says_of 'faster: tps' 'T n, D c' reproduced
check "a share" says_of 'settles: huge_share_pct' 'T n, D h 10 %' reproduced
check "both numbers stand side by side" grep -qE \
	'> baseline +\+0\.[0-9]+ % \[\+0\.[0-9]+, \+[01]\.[0-9]+\]' "$dir/out"
check "in lines for a mail" sh -c "! LC_ALL=C grep -nE \
	'^.{73}|^#|^---|[^ -~]| \$' '$dir/out'"

with_claims bad 'needs no mode|huge_bytes|T n, D c|> 0' \
	'slower|tps|T n, D c|< -0.1 %' 'much faster|tps|T n, D c|> +5 %'
thpbench claims "$dir/bad"
check "one not borne out: exit 1" exits 1
check "contradicted" says_of 'slower: tps' 'T n, D c' contradicted
check "not reproduced" says_of 'much faster: tps' 'T n, D c' 'not reproduced'

with_claims open 'needs no mode|huge_bytes|T n, D c|> 0' \
	'same|tps|T n, D h 10 %|> baseline' 'gone|tps|T x|> 0'
thpbench claims "$dir/open"
check "one open: exit 2" exits 2
check "cannot tell" says_of 'same: tps' 'T n, D h 10 %' 'cannot tell'
check "and why not" grep -q 'no such arm here' "$dir/out"

thpbench claims "$made"
check "none configured: exit 66" exits 66
check "and what to do" says 'a section \[claim "NAME"\]'

letter=damos-collapse-v1
thpbench claims "$made" --published $letter
check "$letter: exit 1" exits 1
for arm in 'T m, D h/+0.70 %' 'T n, D c/+0.59 %'; do
	check "the published change, ${arm#*/}" sh -c "sed -n '/^tps/,/^dtlb/p' \
		'$dir/out' | grep -qF '${arm%/*}   ${arm#*/}'"
done
check "tps is reproduced" says_of tps 'T n, D c' reproduced
check "what is 0 in the letter and not here" says_of \
	'hugepage makes none under never: huge_bytes' 'T n, D h' contradicted
check "both numbers" grep -qE 'T n, D c +18432\.17 1/s +18461 1/s' "$dir/out"
check "the other server" grep -qE \
	'^server.version +10\.5 +10\.11\.19-MariaDB$' "$dir/out"
check "the kernel that is not told" grep -qE '^host.kernel +not said +7\.2' \
	"$dir/out"
for error in 'label twice: the second TPS row' 'unit missing: memory' \
	'no n: how many runs'; do
	check "its own error, ${error%%:*}" grep -q "^Error: $error" "$dir/out"
done
check "its shares" grep -q '^6 shares computed again' "$dir/out"
check "in lines for a mail" sh -c "! LC_ALL=C grep -nE \
	'^.{73}|^#|^---|[^ -~]| \$' '$dir/out'"

for file in results/published/*.tsv; do
	letter=$(basename "$file" .tsv)
	thpbench claims "$made" --published "$letter" --format csv
	check "$letter: each value is judged" sh -c "[ \$(grep -c '^claims,' \
		'$dir/out') -eq \$(awk -F '\t' '
		\$1 == \"base\" { base = \$2 }
		\$1 == \"claim\" || \$1 == \"change\" { n++ }
		\$1 == \"value\" && \$5 == base { has[\$2] = 1 }
		\$1 == \"value\" && \$5 != base { n += has[\$2] }
		END { print n }' '$file') ]"
done
thpbench claims "$made" --published khugepaged-nonwritable-v2
check "a benchmark that was not run has the letter's direction" \
	grep -q '^process-pipes-1 (lower is better)$' "$dir/out"
thpbench claims "$made" --published damos-collapse-v1 --published \
	damos-collapse-v2 --format json
# shellcheck disable=SC2016 # perl's
check "as JSON, two letters" perl -MJSON::PP -e 'local $/;
	my $t = decode_json(<STDIN>); @$t == 8 or die scalar @$t' <"$dir/out"
thpbench claims "$made" --published ./results/published/damos-collapse-v2.tsv
check "a letter by its path" grep -q 'say the opposite' "$dir/out"

thpbench claims "$made" --published damos-colapse-v1
check "a wrong name: exit 64" exits 64
check "and the nearest" says "did you mean 'damos-collapse-v1'"
printf 'title\ta\nsource\tb\nvalue\ttps\n' >"$dir/x.tsv"
thpbench claims "$made" --published "$dir/x.tsv"
check "a bad letter: exit 78" exits 78
check "and its row" says "row 3, 'value': wanted is more cells"
thpbench claims
check "no folder: exit 64" exits 64
thpbench claims "$made" --format html
check "no such format: exit 64" exits 64
done_testing
