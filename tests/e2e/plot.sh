#!/bin/sh
# `plot` on recorded and made-up result folders: every plot, as SVG and PNG,
# and what is said of those that cannot be made.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/tap.sh

results=tests/golden/results
all='timeline tps effect tuner tlb mappings latency'
made=$dir/made
tests/make-results "$made"

# The words of a picture, one text a line.
words() { sed -n 's|.*<text[^>]*>\(.*\)</text>.*|\1|p' "$1"; }

has_word() # FILE WORD...: each is (part of) a text in it
{
	file=$1
	shift
	for word; do
		words "$file" | grep -qF -e "$word" && continue
		echo "no '$word' in $file:"
		words "$file"
		return 1
	done
}

is_quiet()
{
	[ ! -s "$dir/err" ] || {
		cat "$dir/err"
		return 1
	}
}

thpbench plot "$made"
check "all plots are made" exits 0
check "without a warning of gnuplot's" is_quiet
for plot in $all; do
	svg=$made/plots/$plot.svg
	check "$plot is named" grep -qx "$svg" "$dir/out"
	check "$plot is well-formed" xmllint --noout "$svg"
	check "$plot shows a browser nothing of its script" \
		hides "<title>.* using " "$svg"
	check "$plot has its data beside it" [ -s "$made/plots/$plot.tsv" ]
	check "$plot says what it is, where and of what" has_word "$svg" \
		"$plot: " "Made up, to look at" "db1, Linux 7.2.0" "T n, D h 10 %" \
		"10.11.19-MariaDB" "oltp_read_only" "threads 32"
done
svg=$made/plots
check "timeline: units, phases, all arms" has_word "$svg/timeline.svg" \
	"huge pages, GiB" "TPS, 1/s" "seconds since the start of the run, s" \
	load settle measure "T n, D h" "T m, D h" "T n, D h 10 %" \
	"n: 5 of 5 planned runs"
check "tps: units, direction, n" has_word "$svg/tps.svg" \
	"TPS, 1/s (higher is better)" "n = 5" "95 % interval"
check "latency: three of them" has_word "$svg/latency.svg" \
	"latency p95, ms (lower" "latency mean, ms" "latency max, ms"
check "effect: metrics, changes, baseline" has_word "$svg/effect.svg" \
	"TPS, more is better" "latency p95, less is better" \
	"change against 'T n, D h', %" "n = 5" "5 blocks"
check "tuner: share, target, quota" has_word "$svg/tuner.svg" \
	"share of huge pages, %" "metric of the goal, bp" \
	"effective quota, MiB" "Dashed: the target" "T n, D h 10 %"
check "tlb: walks" has_word "$svg/tlb.svg" "DTLB MPKI, 1/kinst (lower is better)" \
	"DTLB misses, % (lower is better)"
check "mappings: shares, n" has_word "$svg/mappings.svg" "buffer pool" \
	"resident memory of the server, GiB" "T n, D c (n = 5)" "9 others"

# The numbers are those of the tables.
./thpbench report "$made" --table tps --format csv >"$dir/tps.csv"
change=$(sed -n 's/.*"T n, D c",//p' "$dir/tps.csv" |
	awk -F , '{ printf "%+.2f", $3 }')
check "effect has the change of the table ($change)" \
	has_word "$svg/effect.svg" "$change % ["
dots()
{
	[ "$(sed -n '/every counted run/,/^$/p' "$svg/tps.tsv" |
		grep -vc '^#\|^$')" -eq 20 ]
}
check "tps has a dot for each of 20 runs" dots

# What lies there draws the plot again, without us.
cp -r "$made/plots" "$dir/again"
rm "$dir/again/tps.svg"
check "NAME.gp draws it again" sh -c "cd '$dir/again' &&
	gnuplot -d tps.gp && cmp tps.svg '$made/plots/tps.svg'"

thpbench plot "$made" --format png -o "$dir/png/new"
check "as PNG, into a new folder" exits 0
check "without a warning of gnuplot's" is_quiet
coloured() # PLOT COLOUR...: 900 wide, mostly white, enough of each colour
{
	png=$dir/png/new/$1.png
	shift
	perl tests/tools/png-colours "$png" ffffff "$@" >"$dir/colours" ||
		return
	cat "$dir/colours"
	awk 'NR == 1 { if ($1 != 900 || $2 < 300) exit 1; all = $1 * $2; next }
		NR == 2 { if ($2 < all / 3) exit 1; next }
		$2 < 200 { exit 1 }
		END { if (NR < 3) exit 1 }' "$dir/colours"
}
arms='000000 d55e00 0072b2 009e73'
# shellcheck disable=SC2086
for plot in timeline tps effect tuner tlb mappings latency; do
	case $plot in
	timeline) colours="$arms dfebf5" ;;
	effect) colours=${arms#* } ;;
	tuner) colours='009e73 dfebf5' ;;
	mappings) colours='0072b2 c9d8e4' ;;
	*) colours=$arms ;;
	esac
	check "$plot.png has pixels of each arm" coloured $plot $colours
done

for folder in "$results"/*; do
	which=$(basename "$folder")
	thpbench plot "$folder" -o "$dir/$which"
	check "$which: plotted" exits 0
	check "$which: without a warning" is_quiet
	check "$which: says which are not made, and why" \
		grep -qE '^[a-z]+: not made: .{10}' "$dir/out"
	check "$which: all that is made is well-formed" \
		xmllint --noout "$dir/$which"/*.svg
done
check "a tuner of a recorded run" has_word "$dir/damos/tuner.svg" \
	"effective quota" "T n, D cc 25 %"
check "and of no other" [ ! -e "$dir/thp-modes/tuner.svg" ]

thpbench plot "$results/thp-modes" --name tuner -o "$dir/none"
check "one asked for without its data: exit 66" exits 66
check "and the reason" grep -q '^tuner: not made: no counted run has' \
	"$dir/out"
thpbench plot "$made" --name tps --name latency -o "$dir/two"
check "two by name, no others" [ "$(wc -l <"$dir/out")" -eq 2 ]
thpbench plot "$made" --name timelin
check "a wrong name: exit 64" exits 64
check "and the nearest" says "did you mean 'timeline'"
thpbench plot "$made" --format pdf
check "a wrong format: the nearest" says "did you mean 'png'"
thpbench plot
check "no folder: exit 64" exits 64
thpbench plot "$dir/nowhere"
check "a folder that is not there: exit 66" exits 66
PATH=/nowhere ./thpbench plot "$made" -o "$dir/x" >"$dir/out" 2>"$dir/err"
status=$?
check "no gnuplot: exit 69" exits 69
check "and what would help" says "apt-get install gnuplot-nox"

# Labels are taken as they are, whatever they hold.
evil="T'n \`touch $dir/pwned\` <&> %s \\\\ \$1"
cp -r "$made" "$dir/evil"
rm -r "$dir/evil/plots"
label=$(printf '%s' "$evil" | sed 's/[\\&|]/\\&/g')
sed -i "s|T n, D c|$label|g" "$dir/evil/manifest.json"
sed -i "s|T n, D c|$label|g" "$dir/evil/journal.tsv"
thpbench plot "$dir/evil"
check "a label with signs of all sorts" exits 0
check "without a warning" is_quiet
check "nothing of it is executed" [ ! -e "$dir/pwned" ]
check "well-formed" xmllint --noout "$dir/evil"/plots/*.svg
check "and there as it is" has_word "$dir/evil/plots/tps.svg" \
	"T'n \`touch $dir/pwned\` &lt;&amp;> %s"

# Imported runs share no blocks: the interval is Welch's.
./thpbench import gobench tests/import/go.txt --by note -o "$dir/go" \
	>"$dir/out"
thpbench plot "$dir/go" --name effect
check "effects of imported runs" exits 0
change=$(./thpbench report "$dir/go" --table benchmarks |
	sed -n 's/.* \([+-][0-9.]* %\) \[\([-+0-9., ]*\)\].*/\1 [\2]/p' |
	head -n 1)
check "as the table has them ($change), by Welch" \
	has_word "$dir/go/plots/effect.svg" "$change" "95 % by Welch" \
	"n: runs with a value"

# Ctrl-C and the like leave whole pictures or none.
stops()
{
	stopped_at "$dir/stop/timeline.gp" plot "$made" -o "$dir/stop" &&
		exits 143 || return
	for svg in "$dir"/stop/*.svg; do
		[ ! -e "$svg" ] || xmllint --noout "$svg" || return
	done
	[ ! -e "$dir/stop/latency.svg" ] && ! ls "$dir"/stop/*.new \
		2>"$dir/seen.err"
}
check "stopped while it draws: no half of a picture" stops
done_testing
