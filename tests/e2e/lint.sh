#!/bin/sh
# `lint`: letters give what *.expected of tests/letters says, reports of ours
# give nothing. With --update the expected texts are written anew (make golden).
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/tap.sh

letters=tests/letters

if [ "${1-}" = --update ]; then
	for file in "$letters"/*.txt; do
		./thpbench lint "$file" >"${file%.txt}.expected"
	done
	exit 0
fi

# Status 1 if there is anything, 0 if not, and exactly those lines.
finds() # FILE EXPECTED
{
	thpbench lint "$1"
	diff -u "$2" "$dir/out" || return
	want=0
	[ ! -s "$2" ] || want=1
	exits $want
}
for file in "$letters"/*.txt; do
	check "$(basename "$file")" finds "$file" "${file%.txt}.expected"
done

# What the notes of the published figures say is wrong, in so many words.
has() # FILE TEXT
{
	grep -q -- "$2" "$letters/$1.expected"
}
check "v1: a label twice" has damos-collapse-v1 "duplicate: label 'T n, D h'"
check "v1: no unit on memory" has damos-collapse-v1 "no unit for 'Total memory"
check "v1: no n, no spread" has damos-collapse-v1 '(n), nor how far they spread'
check "v2: slower in the text, faster in the table" has damos-collapse-v2 \
	'claim: .*slightly lower'
check "rfc3: no units" has hugepage-autotune-rfc3 "'Time', 'Total', 'Huge'"
check "2.7 for 0.27" has hugepage-autotune-reply '2.7 % is 10 times'
check "shares of v1 are right" sh -c "! grep -q share: $letters/damos*.expected"
check "a letter that is in order" test ! -s "$letters/good.expected"

: >"$dir/nothing"
for report in tests/golden/report-*.txt; do
	check "nothing in $(basename "$report")" finds "$report" "$dir/nothing"
done
for name in sysbench gobench fastpath; do
	case $name in
	sysbench) set -- sysbench a=tests/import/sysbench-oltp.log \
		b=tests/import/sysbench-totals.log ;;
	gobench) set -- gobench tests/import/go.txt --by note ;;
	fastpath) set -- fastpath tests/import/fastpath.txt ;;
	esac
	./thpbench import "$@" -o "$dir/$name" >"$dir/out"
	./thpbench report "$dir/$name" >"$dir/$name.txt"
	check "nothing in a report of imported $name" \
		finds "$dir/$name.txt" "$dir/nothing"
done

# Every style of compare, of recorded, made and imported folders.
style_is_clean() # STYLE FOLDER...
{
	style=$1
	shift
	thpbench compare "$@" --rules --emulated --style "$style"
	if [ ! -s "$dir/out" ]; then
		says 'has one arm'
		return
	fi
	mv "$dir/out" "$dir/style.txt"
	finds "$dir/style.txt" "$dir/nothing"
}
tests/make-results "$dir/made"
cp -r "$dir/made" "$dir/other"
for style in thpbench fastpath mmtests damon; do
	for folder in tests/golden/results/* "$dir"/made "$dir"/sysbench \
		"$dir"/gobench "$dir"/fastpath; do
		check "nothing in $(basename "$folder"), style $style" \
			style_is_clean $style "$folder"
	done
	check "nothing in two folders, style $style" \
		style_is_clean $style "$dir/made" "$dir/other"
done

# Claims of all letters, beside runs that have some of them.
for file in results/published/*.tsv; do
	letter=$(basename "$file" .tsv)
	./thpbench claims "$dir/made" --published "$letter" >"$dir/claims.txt"
	check "nothing in the claims of $letter" \
		finds "$dir/claims.txt" "$dir/nothing"
done

crc=${THPBENCH_DATA:-../shared/data}/benchstat
if [ -d "$crc" ]; then
	./thpbench import gobench "$crc/crc-old.txt" "$crc/crc-new.txt" \
		-o "$dir/crc" >"$dir/out"
	./thpbench report "$dir/crc" >"$dir/crc.txt"
	check "nothing in a report of 72 imported benchmarks" \
		finds "$dir/crc.txt" "$dir/nothing"
else
	skip "a report of 72 benchmarks" "no $crc; THPBENCH_DATA names data"
fi

stdin()
{
	./thpbench lint - <"$letters/damos-collapse-v1.txt" >"$dir/out"
	[ $? -eq 1 ] && grep -q '^-:30: duplicate: ' "$dir/out"
}
check "standard input" stdin
json()
{
	./thpbench lint --json "$letters/hugepage-autotune-reply.txt" \
		>"$dir/out"
	[ $? -eq 1 ] && grep -q '"rule": "factor"' "$dir/out" &&
		grep -q '"line": 8' "$dir/out" &&
		python3 -m json.tool "$dir/out" >/dev/null
}
check "JSON" json

refuses() # STATUS TEXT ARGUMENTS...
{
	want=$1
	text=$2
	shift 2
	thpbench lint "$@"
	exits "$want" && says "$text" && [ "$(wc -l <"$dir/err")" -eq 1 ] &&
		[ ! -s "$dir/out" ]
}
check "no file" refuses 64 'one FILE'
check "two files" refuses 64 'one FILE' a b
check "a file that is not there" refuses 66 'nosuch' nosuch
printf 'a\0b' >"$dir/nul"
check "no text" refuses 65 'NUL byte' "$dir/nul"
done_testing
