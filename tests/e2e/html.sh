#!/bin/sh
# `report --format html`: one file that holds everything, rendered once.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/tap.sh

results=tests/golden/results
made=$dir/made
page=$dir/report.html
tests/make-results "$made"

has() # FILE PATTERN...
{
	file=$1
	shift
	for pattern; do
		grep -q -e "$pattern" "$file" && continue
		echo "no '$pattern' in it"
		return 1
	done
}

saves() # NAME FILE: the link NAME holds what the file has
{
	perl tests/tools/data-link "$page" "$1" >"$dir/saved" &&
		diff "$dir/saved" "$2"
}

thpbench report "$made" --format html
cp "$dir/out" "$page"
check "made" exits 0
check "and nothing said" [ ! -s "$dir/err" ]
check "well-formed" xmllint --noout "$page"
check "the title, machine and workload" has "$page" "Made up, to look at" \
	"db1, Linux 7.2.0" "oltp_read_only" "seed 1"
for table in memory tps latency origin cost settings mappings timeline; do
	check "table $table" has "$page" "<h2>$table: "
done
check "a change with its interval" has "$page" \
	"<td class=\"right\">+0\.[0-9]* % \[+0\."
check "a missing value with its reason" has "$page" \
	'<td class="right missing">n/a<sup>(1)</sup></td>' "^<ol>"
for plot in timeline tps effect tuner tlb mappings latency; do
	check "plot $plot" has "$page" "<figure id=\"plot-$plot\">"
done
check "seven pictures" [ "$(grep -c '<svg' "$page")" -eq 7 ]
check "nothing left behind" [ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 \
	-name 'thpbench-plots-*' -newer "$made/manifest.json")" ]

# What it names, it holds.
others()
{
	grep -oE '(src|href|xlink:href)="[^"]{0,20}' "$page" |
		grep -vE 'href="(data:|#)'
}
check "nothing comes from elsewhere" [ -z "$(others)" ]
check "no script" [ "$(grep -ciE '<script|javascript:|onload=' "$page")" -eq 0 ]
ids() { grep -oE "[< ]id=[\"'][^\"']*" "$page" | sort | uniq -d; }
check "no id twice" [ -z "$(ids)" ]

./thpbench report "$made" --table tps --format csv >"$dir/tps.csv"
check "tps.csv is that of the table" saves tps.csv "$dir/tps.csv"
./thpbench report "$made" --format json >"$dir/json"
check "experiment.json is that of --format json" saves experiment.json \
	"$dir/json"
# The seconds of every run, byte by byte.
seconds()
{
	perl tests/tools/data-link "$page" runs.tar.gz >"$dir/runs.tgz" &&
		mkdir "$dir/unpacked" && tar -C "$dir/unpacked" -xzf "$dir/runs.tgz" &&
		[ "$(find "$dir/unpacked" -name samples.tsv | wc -l)" -eq 20 ] &&
		diff -r "$dir/unpacked/runs" "$made/runs"
}
check "runs.tar.gz holds what each run recorded" seconds
./thpbench plot "$made" --name tps -o "$dir" >/dev/null
check "tps.tsv is that of plot" saves tps.tsv "$dir/tps.tsv"
values()
{
	perl tests/tools/data-link "$page" runs.csv >"$dir/runs.csv" || return
	[ "$(grep -c ',tps,1/s,[0-9.]*,$' "$dir/runs.csv")" -eq 20 ] &&
		[ "$(grep -c '"T n, D h 10 %"' "$dir/runs.csv")" -ge 5 ] &&
		grep -q ',n/a,.' "$dir/runs.csv"
}
check "runs.csv has every metric of every run" values

# A browser shows it: the colours of all arms, and how long it is.
cat >"$dir/look" <<'END'
page=$1 picture=$2
for browser in chromium-headless-shell chromium; do
	command -v $browser >/dev/null || continue
	exec timeout 120 $browser --no-sandbox --disable-gpu \
		--hide-scrollbars --window-size=640,16000 \
		--screenshot="$picture" "file://$page"
done
QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$(dirname "$picture") \
	exec timeout 120 wkhtmltoimage -q --width 640 \
	--disable-javascript "$page" "$picture"
END
check "a browser renders it" sh "$dir/look" "$page" "$dir/page.png"
rendered()
{
	perl tests/tools/png-colours "$dir/page.png" ffffff d55e00 0072b2 \
		009e73 dfebf5 f3f3f3 >"$dir/colours" || return
	cat "$dir/colours"
	awk 'NR == 1 { if ($1 < 640 || $2 < 5000) exit 1; next }
		$2 < 400 { exit 1 }
		END { if (NR < 7) exit 1 }' "$dir/colours"
}
check "with tables, phases and the marks of all arms" rendered

thpbench report "$made" --table tps --format html
check "one table alone: no others, no plots" [ "$(grep -cE \
	'<h2>memory|<figure|<h2>raw' "$dir/out")" -eq 0 ]
thpbench report "$results"/* --format html
check "several folders in one page" [ "$(grep -c "<article>" "$dir/out")" -eq \
	"$(find "$results" -mindepth 1 -maxdepth 1 | wc -l)" ]
check "well-formed too" xmllint --noout "$dir/out"
check "marks and failures are told" has "$dir/out" "<h2>doubts: "
PATH=/nowhere ./thpbench report "$made" --format html >"$dir/out" 2>"$dir/err"
status=$?
check "without gnuplot: all but the plots" exits 0
check "and it says so" says "no plots, as there is no gnuplot"
check "on the page too" has "$dir/out" "None: there was no gnuplot" "<h2>tps: "
check "nor without tar the seconds" has "$dir/out" \
	"runs.tar.gz: not made: tar: No such file"

# Texts of the record stay text.
cp -r "$made" "$dir/evil"
rm -rf "$dir/evil/plots"
sed -i 's/Made up, to look at/<script>alert(1)<\/script>\&amp;/' \
	"$dir/evil/manifest.json"
thpbench report "$dir/evil" --format html
check "markup in a title: exit 0" exits 0
check "and stays text" has "$dir/out" \
	'&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;'
check "no script of it" [ "$(grep -c '<script' "$dir/out")" -eq 0 ]

# Two experiments on a page: what one draws is not the other's.
thpbench report "$made" tests/golden/results/thp-modes --format html
cp "$dir/out" "$page"
check "two folders: well-formed" xmllint --noout "$page"
check "two folders: no id twice" [ -z "$(ids)" ]
refers() # each id that is named is there
{
	grep -oE "(href=[\"']|url\()#[^\"')]*" "$page" | sed 's/.*#//' |
		sort -u >"$dir/named"
	grep -oE "[< ]id=[\"'][^\"']*" "$page" | sed "s/.*[\"']//" |
		sort -u >"$dir/there"
	[ -s "$dir/named" ] && [ -z "$(comm -23 "$dir/named" "$dir/there")" ]
}
check "and each that is named is there" refers

# Ctrl-C and the like leave no folder of plots behind.
mkdir "$dir/tmp"
stops()
{
	TMPDIR=$dir/tmp stopped_at "$dir/tmp/thpbench-plots-*" \
		report tests/golden/results/thp-modes --format html &&
		exits 143 && [ -z "$(ls -A "$dir/tmp")" ]
}
check "stopped while it draws: nothing is left" stops
done_testing
