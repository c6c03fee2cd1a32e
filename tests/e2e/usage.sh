#!/bin/sh
# The command line of all subcommands: help, what is wrong in one line, and a
# standard output that takes nothing.
# shellcheck source=tests/e2e/tap.sh
. tests/e2e/tap.sh

commands=$(./thpbench help --names | grep -v ' ')
results=tests/golden/results/thp-modes

# 64, nothing on stdout, one line that begins like all and has PATTERN.
is_refused() # PATTERN
{
	exits 64 || return 1
	[ ! -s "$dir/out" ] || { echo "stdout: $(cat "$dir/out")"; return 1; }
	[ "$(wc -l <"$dir/err")" -eq 1 ] || { cat "$dir/err"; return 1; }
	grep -q "^thpbench: " "$dir/err" && says "$1"
}

# Usage, in 80 columns.
is_help() # COMMAND
{
	exits 0 && [ ! -s "$dir/err" ] || return 1
	grep -q "^Usage: thpbench $1 " "$dir/out" || return 1
	[ "$(awk 'length > 80' "$dir/out" | tee /dev/stderr | wc -l)" -eq 0 ]
}

thpbench --help
check "help" is_help SUBCOMMAND
for command in $commands; do
	thpbench "$command" --help
	check "$command: help" is_help "$command"
	thpbench "$command" --no-such-option
	check "$command: no such option" is_refused \
		"$command: no option --no-such-option; see thpbench $command --help"
	thpbench "$command" --root
	check "$command: no value" is_refused \
		"$command: no value after --root; see thpbench $command --help"
done
for command in plan run report compare plot claims import lint history guest \
	server; do
	thpbench "$command"
	check "$command: without an argument" is_refused \
		"$command: .*; see thpbench $command --help"
done
for command in check plan run restore compare plot claims lint; do
	thpbench "$command" 1 2 3
	check "$command: too many arguments" is_refused \
		"$command: .*; see thpbench $command --help"
done
for command in history guest server; do
	thpbench "$command" xyzzy
	check "$command: no such word" is_refused \
		"$command: no word 'xyzzy'; there are "
	thpbench "$command" lisd
	check "$command: nearly a word" is_refused \
		"$command: no word 'lisd'; did you mean 'list'?"
	thpbench "$command" --help
	check "$command: its words in the help" grep -q '^  list  ' "$dir/out"
done
thpbench xyzzy
check "no such subcommand" is_refused "no subcommand 'xyzzy'; see thpbench --help"
thpbench reprot
check "nearly a subcommand" is_refused "did you mean 'report'"
thpbench help reprot
check "help of nearly one" is_refused "did you mean 'report'"

thpbench help report plot
check "help of two" is_refused "help: one subcommand at a time"
thpbench help --names report
check "help of one and of all" is_refused "help: one subcommand at a time"

thpbench compare --format html "$results"
check "compare makes no page" is_refused \
	"compare: no format 'html'; there are text, markdown, csv, json"
thpbench import cvs "$dir/none" -o "$dir/i"
check "nearly a format" is_refused "import: no format 'cvs'; did you mean 'csv'?"

# A folder where a file is wanted; a file that is something else.
mkdir "$dir/empty"
for command in plan "run --root /nonexistent" check lint "import -o $dir/i csv"; do
	# shellcheck disable=SC2086 # are words
	thpbench $command "$dir/empty"
	check "$command: a folder" exits 66
	check "$command: says so" says "$dir/empty: Is a directory"
done
thpbench plan README.md
check "a text of another kind" exits 78
check "is not answered line by line" [ "$(wc -l <"$dir/err")" -le 51 ]
check "but counted" says "README.md: and [0-9]* more; is it a configuration?"
thpbench plot -o /proc/none "$results"
check "a folder that cannot be made" exits 66
check "says which" says "plot: make /proc/none"

for command in report compare plot claims "history --store $dir/h add"; do
	# shellcheck disable=SC2086 # are words
	thpbench $command "$dir/empty"
	check "$command: a folder of something else" exits 66
	check "$command: says so" says "$dir/empty: no result folder"
done

thpbench history --store "$dir/history.sqlite" add "$results"
thpbench history --store "$dir/history.sqlite" --host nobody list
check "a history without what was asked for" grep -q '^None yet, or none' \
	"$dir/out"
rm "$dir/history.sqlite"

# All that print: nothing is lost without a word.
store=$dir/history.sqlite
thpbench history --store "$store" add "$results"
check "a history to list" exits 0
while read -r arguments; do
	# shellcheck disable=SC2086 # are words
	if [ -w /dev/full ]; then
		./thpbench $arguments >/dev/full 2>"$dir/err"
		status=$?
		check "full: $arguments" exits 74
		check "full: says so" says "standard output: "
	fi
	# shellcheck disable=SC2086 # are words
	./thpbench $arguments >&- 2>"$dir/err"
	status=$?
	check "closed: $arguments" exits 74
	check "closed: says so" says "standard output: "
done <<END
--help
--version
report --help
help --names
help --metrics
check --root tests/roots/host-6.18
check --root tests/roots/host-6.18 --json
plan configs/quick.conf
plan configs/quick.conf --json
report $results
report $results --format json
compare $results
compare $results --format csv
lint tests/letters/bad.txt
lint --json tests/letters/bad.txt
history --store $store list
guest list
server list --json
END
check "the history is whole: what was printed did not get into it" \
	./thpbench history --store "$store" list
./thpbench lint - <&- >"$dir/out" 2>"$dir/err"
status=$?
check "closed standard input" exits 74
done_testing
