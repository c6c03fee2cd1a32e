#!/bin/sh
# Benchmarks in a guest: their programs, a command's files, their figures.
# shellcheck disable=SC2016 # what other shells are given
. tests/e2e/tap.sh

case $(uname -m) in
x86_64) qemu="qemu-system-x86_64" arch=amd64 ;;
*) qemu="qemu-system-aarch64" arch=arm64 ;;
esac
for program in "$qemu" hackbench sysbench; do
	command -v "$program" >/dev/null && continue
	skip "benchmarks in a guest" "no $program"
	done_testing
	exit 0
done
./thpbench guest fetch >"$dir/fetch" 2>&1
image=$(./thpbench guest list --json | arch=$arch perl -MJSON::PP -0777 -ne '
	my @own = grep { $_->{arch} eq $ENV{arch} } @{decode_json($_)};
	print $own[-1]{image} if @own')
if [ -z "$image" ]; then
	skip "benchmarks in a guest" \
		"no guest kernel: $(tail -n 1 "$dir/fetch")"
	done_testing
	exit 0
fi

echo "from the host" >"$dir/file"
cat >"$dir/g.conf" <<END
[experiment]
blocks = 1
kernel = $image
[workload]
program = hackbench sysbench-mutex command
groups = 1
loops = 10
threads = 2
opt.mutex-locks = 500
command = printf '{"bytes": [%s]}' \$(wc -c <$dir/file)
command_unit = B
command_better = neither
command_json = .bytes[0]
command_files = $dir/file
[collect]
counters = software
budget = 0
[arm "a"]
thp = always
END
lock_host
thpbench run "$dir/g.conf" -o "$dir/g"
check "it runs" exits 0
run=$(counted "$dir/g")
value() { awk -F '\t' -v m="$1" '$1 == m { print $2, $3 }' "$run/totals.tsv"; }
check "with the groups asked for" grep -q 'with 1 groups' "$run/points.log"
check "a figure, in its unit" sh -c 'echo "$1" | grep -qE "^[0-9.]+ s$"' - \
	"$(value process-sockets-1)"
check "sysbench ran" sh -c 'echo "$1" | grep -qE "^[0-9.]+ us$"' - \
	"$(value sysbenchmutex-2)"
check "a command found its file" [ "$(value command)" = "14 B" ]
check "its setting held" [ "$(awk -F '\t' '$1 ~ /hugepage.enabled$/ {
	print $4 }' "$run/settings.tsv")" = always ]

done_testing
