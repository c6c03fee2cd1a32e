#!/bin/sh
# Bad configurations: every fault of tests/bad-configs/*.conf is said with its
# file and line, the exit status is 78, and nothing below the root, recorded or
# live, is written. The first lines of each file say what is expected:
#   ; expect LINE: part of the message
set -u
program=./build/thpbench
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -a tests/roots/host-6.18 "$scratch/root"
number=0

report() { # STATUS NAME
	number=$((number + 1))
	[ "$1" -eq 0 ] || printf 'not '
	echo "ok $number - $2"
}

# All that could tell a write: names, modes, sizes, times and contents.
fingerprint() {
	(cd "$scratch/root" &&
		find . -printf '%p %M %s %T@ %l\n' | sort &&
		find . -type f -exec cksum {} + | sort)
}

# What FILE's first lines expect is what FOUND says, no less and no more.
check_lines() { # FILE FOUND
	expected=$(grep -ac '^; expect ' "$1")
	said=$(grep -acF "thpbench: $1:" "$2")
	if [ "$expected" -eq 0 ] || [ "$expected" -ne "$said" ]; then
		echo "# $expected lines expected, $said said"
		return 1
	fi
	grep -a '^; expect ' "$1" >"$scratch/expected"
	while IFS= read -r line; do
		line=${line#; expect }
		at=${line%%: *}
		if ! grep -aF "thpbench: $1:$at: " "$2" |
			grep -aqF -- "${line#*: }"; then
			echo "# missing: $line"
			return 1
		fi
	done <"$scratch/expected"
}

check_file() { # COMMAND FILE
	"$program" "$1" --root "$scratch/root" "$2" >"$scratch/out" \
		2>"$scratch/err"
	status=$?
	bad=0
	[ "$status" -eq 78 ] || bad=1
	[ ! -s "$scratch/out" ] || bad=1
	check_lines "$2" "$scratch/err" || bad=1
	report $bad "$1 $(basename "$2" .conf)"
	[ $bad -eq 0 ] || sed "s/^/# status $status: /" "$scratch/err"
}

fingerprint >"$scratch/before"
files=0
for file in tests/bad-configs/*.conf; do
	files=$((files + 1))
	for command in plan run; do
		check_file "$command" "$file"
	done
done
fingerprint >"$scratch/after"
cmp -s "$scratch/before" "$scratch/after"
report $? "the recorded root is as it was"
[ "$files" -ge 60 ]
report $? "$files bad configurations, at least 60"

# On the live root: no file of the kernel's is opened for writing.
if command -v strace >/dev/null 2>&1 &&
	strace -o /dev/null true 2>/dev/null; then
	for command in plan run; do
		for file in tests/bad-configs/*.conf; do
			echo "$program $command $file"
		done
	done >"$scratch/calls"
	strace -f -qq -e trace=open,openat,creat,openat2 \
		-o "$scratch/trace" sh "$scratch/calls" >"$scratch/out" 2>&1
	opened=$(grep -c 'tests/bad-configs/.*O_RDONLY' "$scratch/trace")
	[ "$opened" -ge "$files" ]
	report $? "strace saw $opened configurations opened"
	! grep -E '"/?(sys|proc)/[^"]*", [^)]*(O_WRONLY|O_RDWR|O_CREAT)' \
		"$scratch/trace" | sed 's/^/# /' | grep .
	report $? "nothing below /sys and /proc is opened for writing"
else
	number=$((number + 1))
	echo "ok $number - trace # SKIP no strace, or it may not trace"
fi
echo "1..$number"
