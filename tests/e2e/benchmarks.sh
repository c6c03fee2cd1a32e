#!/bin/sh
# Benchmarks that end: hackbench, built-in tests of sysbench, any command; what
# two arms of one kernel show; how they fail.
# shellcheck disable=SC2016 # what perl and other shells are given
. tests/e2e/tap.sh

# --- the letter's table, from its numbers ---

thpbench import fastpath tests/letters/khugepaged-v2.txt -o "$dir/letter"
check "letter: imported" exits 0
thpbench report "$dir/letter" --table benchmarks --format csv
check "letter: report has its rows with their marks" perl -e '
	open my $f, "<", shift or die;
	/^change\t(\S+)\t\S+\tless\tpatched\t(\S+)\t(.?)/ and
		$want{"$1 " . $2 * 1} = $3 ? "($3)" : "-" while <$f>;
	while (<>) {
		my @c = split /,/;
		next unless $c[5] =~ /column 1/ && $c[2] =~ m{/\S+ (\S+):};
		my $key = "$1 " . sprintf("%.2f", $c[8]) * 1;
		$want{$key} eq $c[11] or die "$key: $c[11], not $want{$key}";
		delete $want{$key};
		$n++;
	}
	!%want && $n == 53 or die "$n rows; not there: ", join ", ", %want;
' results/published/khugepaged-nonwritable-v2.tsv "$dir/out"
thpbench compare "$dir/letter" --style fastpath
check "letter: compare in its form" [ "$(grep -oE '\([IR]\) +-?[0-9.]+%' \
	"$dir/out" | wc -l)" -eq 26 ]

for program in hackbench sysbench; do
	command -v "$program" >/dev/null && continue
	skip "benchmarks" "no $program"
	done_testing
	exit 0
done

# --- sysbench's own tests under the hook ---

builtin() # TEST OPTION...: its line of JSON in $dir/out
{
	THPBENCH_BUILTIN=$1
	export THPBENCH_BUILTIN
	shift
	sysbench workloads/builtin.lua "$@" run >"$dir/all" 2>"$dir/err"
	status=$?
	tail -n 1 "$dir/all" >"$dir/out"
}

# A condition on a perl hash %j of that line.
holds() # EXPRESSION
{
	perl -MJSON::PP -e 'our %j = %{decode_json(<STDIN>)};
		exit !eval $ARGV[0]' "$1" <"$dir/out" && return
	cat "$dir/all" "$dir/err"
	return 1
}

builtin memory --threads=2 --time=0 --events=0 --memory-total-size=64M
check "memory: 64 MiB in blocks of 1 KiB" holds '$j{events} == 65536'
check "and its rate" holds \
	'abs($j{mib_per_s} * $j{seconds} / 64 - 1) < 1e-6'
builtin memory --time=0 --events=0 --memory-total-size=64M \
	--memory-block-size=1M
check "memory: in blocks of 1 MiB" holds '$j{events} == 64'
builtin mutex --threads=3 --time=0 --events=0 --mutex-locks=1000
check "mutex: an event a thread" holds '$j{events} == 3'
check "threads are told" holds '$j{threads} == 3'
check "no thread takes longer than all" holds \
	'$j{mean_us} > 0 && $j{mean_us} <= 1e6 * $j{seconds}'
builtin threads --threads=2 --time=0 --events=20 --thread-yields=10
check "threads: as many events as asked for" holds '$j{events} == 20'
builtin memory --time=0 --events=0 --memory-block-size=3
check "an option that sysbench refuses" [ "$status" -ne 0 ]
builtin mutex --nonsense=1
check "one that it does not know" [ "$status" -ne 0 ]
builtin cpu
check "another test" grep -q 'none of mutex, memory, threads' "$dir/all"

# --- an experiment of the host's kernel against itself ---

quick=configs/khugepaged-nonwritable-host.conf
points=10
thpbench plan "$quick" --json
check "plan: each point with its command" [ "$(perl -MJSON::PP -0777 -ne '
	print join " ", map { "$_->{metric}=$_->{command}" }
		grep { $_->{metric} =~ /^thread-pipes-4|mutex-1/ }
		@{decode_json($_)->{points}}' "$dir/out")" = \
	"thread-pipes-4=hackbench -T -p -g 4 -l 20 -f 20 -s 100\
 sysbenchmutex-1=sysbench builtin.lua --mutex-locks=2000 --threads=1\
 --time=0 --events=0 run" ]

if ! is_root; then
	skip "an experiment" "needs root"
	done_testing
	exit 0
fi
lock_host
enabled=/sys/kernel/mm/transparent_hugepage/enabled
before=$(cat $enabled)

verdicts() { perl -MJSON::PP -0777 -ne '
	my $m = decode_json($_)->{comparisons}[0]{metrics};
	print join "\n", map { "$_ $m->{$_}{verdict}" } sort keys %$m' "$dir/out"; }
none_differs()
{
	thpbench compare "$dir/aa" --arm "this kernel" --arm A/A --format json
	[ "$status" -ne 1 ] || return 1
	verdicts >"$dir/verdicts"
	[ "$(grep -cE '^(process|thread|sysbench).* (equivalent|inconclusive)$' \
		"$dir/verdicts")" -eq $points ] && return
	cat "$dir/verdicts"
	return 1
}
# Of sound experiments one in twenty says something by chance, in each family
# of points; three in a row hardly do.
for seed in 1 2 3; do
	rm -rf "$dir/aa"
	sed "s/^seed .*/seed = $seed/" "$quick" >"$dir/aa.conf"
	thpbench run "$dir/aa.conf" -o "$dir/aa"
	ran=$status
	none_differs >"$dir/differs" && break
	sed 's/^/# /' "$dir/differs"
done
status=$ran
check "host: it runs" exits 0
check "A/A: no point of the same kernel differs" none_differs
check "host: all runs count" [ "$(counted "$dir/aa" | wc -l)" -eq 8 ]
check "host: THP is as it was" [ "$(cat $enabled)" = "$before" ]
check "host: both arms had what was asked" [ "$(cat "$dir"/aa/runs/*/settings.tsv |
	awk -F '\t' '$1 ~ /hugepage.enabled$/ && $4 == "always"' |
	wc -l)" -eq 8 ]
each_point_is_there()
{
	for run in $(counted "$dir/aa"); do
		[ "$(awk -F '\t' '$2 > 0 && /^(process|thread|sysbench)/' \
			"$run/totals.tsv" | wc -l)" -eq $points ] || return 1
	done
}
check "host: each point has a figure in each run" each_point_is_there
# Two executions make a figure: its mean.
mean_of_events()
{
	run=$(counted "$dir/aa" | head -n 1)
	awk -F '\t' '$2 == "point" { split($3, p, /[: ]+/);
			sum[p[1]] += p[2]; n[p[1]]++ }
		END { for (m in sum) printf "%s\t%.6g\n", m, sum[m] / n[m] }' \
		"$run/events.tsv" | sort >"$dir/means"
	awk -F '\t' '/^(process|thread|sysbench)/ {
		printf "%s\t%.6g\n", $1, $2 }' "$run/totals.tsv" | sort |
		cmp - "$dir/means"
}
check "host: a figure is the mean of its executions" mean_of_events
check "host: what programs printed is kept" [ "$(cat "$dir"/aa/runs/*/points.log |
	grep -c '^Time: ')" -eq $((8 * 8 * 2)) ]

thpbench report "$dir/aa" --table points --format csv
check "report: a row a point and arm" [ "$(grep -cE \
	'^points,[^,]*,(process|thread|sysbench)' "$dir/out")" -eq \
	$((2 * points)) ]
thpbench report "$dir/aa"
check "report: says that the order of points is one" grep -q \
	'^Order: in each run that of the table' "$dir/out"
check "report: no table without a figure" \
	sh -c '! grep -q "^tps:\|^memory:" "$1"' - "$dir/out"
thpbench compare "$dir/aa" --arm "this kernel" --arm A/A --style fastpath
check "compare in Fastpath's form" [ "$(grep -cE \
	'^\|   (process|thread|sysbench)[a-z-]*[0-9]+ \((s|us), lower\) ' \
	"$dir/out")" -eq $points ]
thpbench compare "$dir/aa" "$dir/aa" --metric thread-pipes-1
check "two folders, by a point" [ "$status" -ne 64 ]
thpbench history add --store "$dir/h.db" "$dir/aa"
check "history takes them" exits 0
thpbench history show --store "$dir/h.db" --arm "this kernel" \
	--metric sysbenchmutex-4 --format csv
check "and has a point of them" [ "$(grep -c '^points,' "$dir/out")" -eq 1 ]
thpbench plot "$dir/aa" -o "$dir/plots"
check "plot" exits 0

# --- any command ---

command_conf() # FILE COMMAND KEY...
{
	cat >"$1" <<END
[experiment]
blocks = 2
[workload]
program = command
command = $2
command_unit = MB/s
command_better = more
$3
[collect]
budget = 0
[arm "a"]
env.WORD = from the arm
END
}
command_conf "$dir/c.conf" \
	'test "$WORD $LC_ALL" = "from the arm C.UTF-8" && echo "{} MB/s"' \
	'command_values = 1 2.5
command_name = rate
command_regex = ^([0-9.]+) MB/s$'
LC_ALL=de_DE.UTF-8
export LC_ALL
thpbench run "$dir/c.conf" -o "$dir/c"
unset LC_ALL
check "command: it runs" exits 0
check "command: values are rows" [ "$(cat "$dir"/c/runs/*/totals.tsv |
	awk -F '\t' '/^rate/ { print $1, $2, $3 }' | sort -u | tr '\n' ,)" = \
	"rate-1 1 MB/s,rate-2.5 2.5 MB/s," ]
command_conf "$dir/j.conf" 'echo start && echo "{\"x\": [0, 7.5]}"' \
	'command_json = .x[1]'
thpbench run "$dir/j.conf" -o "$dir/j"
check "command: JSON" [ "$(awk -F '\t' '$1 == "command" { print $2 }' \
	"$dir"/j/runs/001*/totals.tsv)" = 7.5 ]

fails() # NAME COMMAND REASON [KEY]
{
	command_conf "$dir/f.conf" "$2" "command_regex = ([0-9]+)
${4-}"
	thpbench run "$dir/f.conf" --blocks 1 -o "$dir/$1"
	check "$1: no run counts" exits 3
	check "$1: and why" says "$3"
}
fails status 'echo 5 && echo lost && exit 4' \
	'command: /bin/sh exited with 4: lost'
fails figure 'echo five' 'command: nothing in its output matches'
fails limit 'echo 5 && sleep 611' \
	'command did not end within its limit of 1s' 'point_limit = 1s'
check "limit: nothing stays behind" sh -c '! pgrep -f "^sleep 611$"'
fails program 'no-such-program-here' 'exited with 127'

command_conf "$dir/i.conf" 'sleep 612 && echo 5' 'command_regex = ([0-9]+)'
sed -i 's/^env.WORD.*/thp = always/' "$dir/i.conf"
./thpbench run "$dir/i.conf" -o "$dir/i" >"$dir/out" 2>"$dir/err" 8>&- &
run=$!
pids="$pids $run"
i=0
while ! pgrep -f '^sleep 612$' >/dev/null && [ $i -lt 100 ]; do
	sleep 0.1
	i=$((i + 1))
done
check "interrupt: it works" [ $i -lt 100 ]
kill -INT $run
wait $run
check "interrupt: nothing stays behind" sh -c '! pgrep -f "^sleep 612$"'
check "interrupt: THP is as it was" [ "$(cat $enabled)" = "$before" ]
check "interrupt: the run says so" grep -q 'failed.*interrupted' \
	"$dir/i/journal.tsv"

done_testing
