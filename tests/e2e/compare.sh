#!/bin/sh
# `compare` on recorded and made result folders: what it says, refuses, and how
# it exits; what `plan --cv` foresees.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/tap.sh

modes=tests/golden/results/thp-modes
damos=tests/golden/results/damos

# A folder with the runs of the golden one, whose TPS is what FIGURES say:
# "run tps", one a line.
make_folder() # NAME FIGURES
{
	cp -r $modes "$dir/$1"
	while read -r run tps; do
		for file in "$dir/$1"/runs/*"$run"-*/totals.tsv; do
			printf 'tps\t%s\t1/s\ttest\t\n' "$tps" >>"$file"
		done
	done <<-END
		$2
	END
}

out_has() # PATTERN...
{
	for pattern; do
		grep -qE -e "$pattern" "$dir/out" && continue
		echo "no '$pattern' in:"
		head -n 60 "$dir/out"
		return 1
	done
}

# Lines of mail: at most 72 columns of ASCII, none that git cuts off.
is_mail()
{
	! LC_ALL=C grep -nE '^.{73}|^#|^---|[^ -~]| $' "$dir/out"
}

# Fastpath's grid has '-' and '+' at the head of lines, which git leaves alone.
out_is_narrow()
{
	! LC_ALL=C grep -nE '^.{73}|^#|^---|[^ -~]' "$dir/out"
}

thpbench compare $modes
check "arms of a folder: improved is exit 0" exits 0
check "and the table says so" out_has \
	'^  T a  .*\+3\.48 % \[\+0\.66, \+6\.37\]  0\.047  improved$'
check "with what the inconclusive could show" out_has '^power: ' \
	'^latency p95 +T a +3 +9\.30 +19$'
check "and diagnostics" out_has '^drift  .*look$' '^outlying runs +none +fine$'
check "fit for mail" is_mail
thpbench compare $modes --metric latency_p95_ms
check "of a named metric: inconclusive is exit 2" exits 2
thpbench compare $modes --metric tps --rules
check "marks of other tools" out_has \
	'^  T a +improved +- +- +\* +yes +1\.10$' \
	'^  T n, M c +improved +\(I\) +\* +\* +yes +0\.73$'
check "in mail too" is_mail

thpbench compare $modes --arm "T n, M c" --arm "T n" --metric tps
check "two arms: the second against the first, exit 1" exits 1
check "regressed" out_has '^  T n  .*-6\.31 % .*regressed$'
thpbench compare $modes --metric tps --dunnett
check "by Dunnett's method" out_has 'by Dunnett.s);' \
	'^  T n, M c  .*\+6\.73 % .*improved$' 'for all arms together'
check "in mail too" is_mail
thpbench compare tests/golden/results/cut-off --dunnett
check "not where a block is not whole, and it says so" out_has \
	"^Not by Dunnett's method"
cp -r $modes "$dir/fewer"
awk -F '\t' -v OFS='\t' '$1 == 9 { $5 = "failed" } { print }' \
	$modes/journal.tsv >"$dir/fewer/journal.tsv"
thpbench compare "$dir/fewer" --metric tps
check "a change of fewer blocks than the values beside it" out_has \
	'^Changes of fewer blocks ' 'shown: TPS, T a: 2 of 3 and 2\.'
check "in mail too" is_mail

thpbench compare $modes --margin 25 --metric latency_max_ms
check "equivalent within a wide margin" out_has '^  T a .* equivalent$'
thpbench compare $modes --format json --metric tps --rules
check "JSON" out_has '"verdict": "improved"' '"mmtests-2018": "\*"' \
	'"margin_pct": 1\.0'
thpbench compare $modes --format csv
check "CSV" out_has '^verdicts,thp-modes.*,tps,1/s,more,primary,T a,'

for style in fastpath mmtests damon; do
	thpbench compare $modes --style $style
	check "style $style" exits 0
	check "with unit, n, direction, estimator and interval" out_has \
		'TPS \(1/s' '^n: 3 of 3 planned' '^In brackets behind a metric|^Higher is better: TPS' \
		'mean over the runs' '\+3\.48 % \[\+0\.66, \+6\.37\]' \
		'95 % Student interval' '^Folder: .* Linux 6\.18\.44'
	check "fit for mail" out_is_narrow
done
thpbench compare $modes --style fastpath --metric tps
check "Fastpath's grid" out_has '^\| Benchmark ' '^\+=+\+' \
	'^\|   TPS \(1/s, higher\) +\|  0\.00% \| 3\.49% \| \(I\) 6\.74% \|$'

# Two folders.
figures='001 1030
002 1000
003 1100
004 1103
005 1003
006 1033
007 998
008 1098
009 1028'
make_folder old "$figures"
make_folder new "$figures"
sed -i 's/"kernel": "6.18.44"/"kernel": "6.19.1"/' "$dir/new/manifest.json"
thpbench compare "$dir/old" "$dir/new" --metric tps
check "two folders: what differs" out_has \
	'^Differs: kernel: 6\.18\.44 \| 6\.19\.1\.$' 'share no blocks'
check "n and window of both" out_has '^n: runs with a value of TPS: T n, base: 3' \
	'^Base: Window: 10.0 s' '^New: Window: 10.0 s'
check "by Welch, all runs of both" out_has 'by Welch' \
	'^  T n, base +1000\.33 ' '^  T a, new .* equivalent$'
sed -i 's/"hostname": "db1"/"hostname": "db2"/' "$dir/new/manifest.json"
thpbench compare "$dir/old" "$dir/new" --metric tps
check "Fieller's interval beside Welch's" out_has '^Fieller .* fine$'
check "another machine is told" out_has '^Not the same machine'
sed -i 's/"threads": "4"/"threads": "8"/' "$dir/new/manifest.json"
thpbench compare "$dir/old" "$dir/new"
check "another workload is refused" exits 64
check "and says which" says 'threads is 4 in one and 8 in the other'
thpbench compare $modes $damos
check "another program is refused" exits 64

# An A/A arm.
cp -r $modes "$dir/aa"
sed -i 's/"judging": {/&/; s/"host": {/"judging": { "aa": "T n, M c" },\n  &/' \
	"$dir/aa/manifest.json"
thpbench compare "$dir/aa"
check "an A/A arm that differs: exit 3" exits 3
check "no verdict, and why" out_has 'invalid: the A/A arm shows a difference' \
	"^Invalid: 'T n, M c' has the settings of 'T n' and differs"
thpbench report "$dir/aa" --table tps
check "in report too: exit 3" exits 3
check "named in its row" out_has '^T n, M c .* A/A differs$'

thpbench compare $damos --metric tps
check "under emulation no verdict: exit 3" exits 3
check "and how to get one" out_has 'judged only with compare --emulated'
thpbench compare $damos --metric tps --emulated
check "with --emulated: one block is inconclusive" exits 2

# Bad input: one line, exit 64 or 66.
thpbench compare
check "no folder" exits 64
thpbench compare $modes $modes $modes
check "three folders" exits 64
thpbench compare "$dir/none"
check "a folder that is not there" exits 66
thpbench compare $modes --metric tsp
check "no such metric" says "did you mean 'tps'?"
thpbench compare $modes --arm "T b"
check "no such arm" says "did you mean 'T "
thpbench compare $modes --arm "T n"
check "the baseline against itself" exits 64
thpbench compare $modes --style fastpth
check "no such style" says "did you mean 'fastpath'?"
thpbench compare $modes --style mmtests --format csv
check "a style of text as CSV" exits 64
for margin in 0 100 word; do
	thpbench compare $modes --margin $margin
	check "margin $margin" exits 64
done

thpbench plan configs/thp-modes.conf --cv 1%
check "plan --cv: what it will show" out_has \
	'3 blocks show a change of 8\.34 %' 'needs 25 blocks: 100 runs'
thpbench plan configs/thp-modes.conf --cv 1% --blocks 25
check "as many blocks as needed show the margin" out_has \
	'25 blocks show a change of 0\.9[0-9]* %'
thpbench plan configs/thp-modes.conf --cv 0
check "plan --cv 0" exits 64
done_testing
