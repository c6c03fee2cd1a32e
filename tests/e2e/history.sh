#!/bin/sh
# `history`: made-up nights with a regression in 6.19-rc1-23, in an SQLite file
# and in a MariaDB server of this test's own.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/tap.sh
unset THPBENCH_STORE THPBENCH_STORE_PASSWORD

# NAME KERNEL TPS: the fifth is 5 % worse, and what comes after it.
nights='a 6.17 1000
b 6.18-rc1 1000
c 6.18 1000
d 6.18.1 1000
e 6.19-rc1 1000
f 6.19-rc1-23-gabcdef012345 950
g 6.19-rc3 950
h 6.19-rc4 950
i 6.19 950'
printf '%s\n' "$nights" | tests/make-history "$dir/r"

# check, and what it rests on, in one store
the_store() # WHAT STORE
{
	what=$1
	store=$2
	thpbench history add --store "$store" "$dir/r/a" "$dir/r/b"
	check "$what: added" exits 0
	check "$what: six runs of each" [ \
		"$(grep -c '6 of 6 runs added' "$dir/out")" -eq 2 ]
	thpbench history add --store "$store" "$dir"/r/*
	check "$what: again, with the rest" exits 0
	check "$what: what is there stays" [ \
		"$(grep -c '0 of 6 runs added, 0 values' "$dir/out")" -eq 2 ]
	thpbench history list --store "$store" --format csv
	check "$what: nine experiments" [ \
		"$(grep -c '^experiments,' "$dir/out")" -eq 9 ]
	thpbench history show --store "$store" --arm 'T n' --format csv
	check "$what: nine points of an arm" [ \
		"$(grep -c '^points,' "$dir/out")" -eq 9 ]
	check "$what: kernels in their order" [ "$(cut -d, -f8 "$dir/out" |
		tail -n +2 | tr '\n' ' ')" = \
		"$(printf '%s\n' "$nights" | cut -d' ' -f2 | tr '\n' ' ')" ]
	thpbench history check --store "$store" --format csv
	check "$what: a regression: exit 1" exits 1
	check "$what: between which kernels" [ "$(grep -c \
		'6.19-rc1,6.19-rc1-23-gabcdef012345,-[45]\..*regressed' \
		"$dir/out")" -eq 2 ]
	cp "$dir/out" "$dir/check.$what"
	thpbench history check --store "$store" --since 6.19
	check "$what: accepted by --since" exits 0
	thpbench history check --store "$store" --since 2026-11-30
	check "$what: or by a time" exits 0
	thpbench history bisect --store "$store" --arm 'T n'
	check "$what: bisect names both sides" grep -qx \
		'bad	6.19-rc1-23-gabcdef012345' "$dir/out"
	check "$what: and that git knows more" grep -q \
		'git bisect start abcdef012345 v6.19-rc1' "$dir/out"
	thpbench history pin --store "$store" v6.18 \
		"$(./thpbench history list --store "$store" --format csv |
			awk -F, '$9 == "c" { print $8 }')"
	check "$what: pinned" exits 0
	thpbench history list --store "$store" --format csv
	check "$what: a blank line parts the tables" [ "$(grep -n -A 1 '^$' \
		"$dir/out" | grep -c ':$\|^[0-9]*-table,')" -eq 2 ]
	thpbench history gate --store "$store" --baseline v6.18 --format csv
	check "$what: gate: exit 1" exits 1
	check "$what: both arms" [ "$(grep -c 'regressed' "$dir/out")" -eq 2 ]
	thpbench history pin --store "$store" v6.18
	check "$what: a pin does not move by itself" exits 64
	check "$what: and says how" says '--move moves it'
	thpbench history pin --store "$store" v6.18 --move
	check "$what: but by --move" exits 0
	thpbench history gate --store "$store" --baseline v6.18
	check "$what: nothing is newer: exit 2" exits 2
	check "$what: and says so" says 'nothing newer than the baseline i'
	thpbench history gate --store "$store" --baseline v7
	check "$what: no such pin: exit 66" exits 66
}

the_store sqlite "$dir/share/h.db"

# For scripts, and as a picture.
thpbench history check --store "$dir/share/h.db" --format json
check "JSON: each change with its kernels" [ "$(grep -c \
	'"kernel": "6.19-rc1-23-gabcdef012345"' "$dir/out")" -eq 2 ]
if command -v gnuplot >/dev/null; then
	thpbench history plot --store "$dir/share/h.db" -o "$dir/p"
	check "plot" exits 0
	check "plot: no warning" [ ! -s "$dir/err" ]
	check "plot: its name" grep -qx "$dir/p/history.svg" "$dir/out"
	check "plot: both series, kernels, the change" [ "$(grep -cE \
		'more is better|>6.19-rc1-23-gabcde<' \
		"$dir/p/history.svg")" -ge 4 ]
	thpbench history plot --store "$dir/share/h.db" --format csv
	check "plot: a wrong format" says 'svg or png'
else
	skip "plot" "no gnuplot"
fi

# Without any option, below XDG_DATA_HOME.
XDG_DATA_HOME=$dir/xdg thpbench history add "$dir/r/a"
check "the usual place" [ -s "$dir/xdg/thpbench/history.db" ]
XDG_DATA_HOME=$dir/none thpbench history check
check "no history yet: exit 66" exits 66
check "and how to make one" says 'history add DIR makes one'
check "nothing was made" [ ! -e "$dir/none" ]

# A single night behind a good series, too few for a change point.
printf '%s\n' "$nights" | sed '6,$d' >"$dir/short"
echo 'z 6.19-rc2 900' >>"$dir/short"
tests/make-history "$dir/s" <"$dir/short"
thpbench history add --store "$dir/s.db" "$dir"/s/*
thpbench history check --store "$dir/s.db" --format csv
check "the newest alone: exit 1" exits 1
check "and called so" grep -q 'newest regressed' "$dir/out"
thpbench history add --store "$dir/t.db" "$dir/s/a" "$dir/s/b"
thpbench history check --store "$dir/t.db"
check "too short to say: exit 2" exits 2
check "and why" grep -q '2 points; change points need 9' "$dir/out"

# Other hosts are series of their own.
printf '%s\n' "$nights" | sed 's/950$/1000/' |
	tests/make-history "$dir/other" db2
thpbench history add --store "$dir/share/h.db" "$dir"/other/*
thpbench history check --store "$dir/share/h.db" --host db2
check "another host has no regression" exits 0
thpbench history check --store "$dir/share/h.db" --host db3
check "no such host: exit 66" exits 66

# What goes wrong.
thpbench history
check "no word: exit 64" exits 64
thpbench history chekc
check "a wrong word: the nearest" says "did you mean 'check'"
for wrong in 6 next-20260101 foo 2026-11-3 '2026-11-30 12:00'; do
	thpbench history check --store "$dir/share/h.db" --since "$wrong"
	check "--since $wrong: exit 64" exits 64
done
printf '%s\n' "$nights" | awk '{ $2 = $3 < 1000 ? "patched-" NR : "a-" NR
	print }' | tests/make-history "$dir/names"
thpbench history add --store "$dir/w.db" "$dir"/names/*
thpbench history check --store "$dir/w.db" --since 6.19
check "a kernel without a version is not taken for an old one" exits 1
thpbench history add --store mariadb://u:geheim@h/d "$dir/r/a"
check "a password in the URL: exit 64" exits 64
check "is not printed" sh -c "! grep -q geheim '$dir/err'"
thpbench history add --store "mariadb:///d?socket=$dir/no.sock" "$dir/r/a"
check "no server there: exit 75" exits 75
check "and which" says "no.sock"
echo 'no database, but long enough to look like one, or is it' >"$dir/text"
thpbench history check --store "$dir/text"
check "no database: exit 74" exits 74
sed -i 's/"hostname": "db1", //' "$dir/s/a/manifest.json"
thpbench history add --store "$dir/u.db" "$dir/s/a"
check "no host recorded: exit 65" exits 65
check "and what says it" says '--host'
thpbench history add --store "$dir/u.db" "$dir/s/a" --host db1
check "said by --host" exits 0

# A slow drift, with a little noise.
awk 'BEGIN { for (i = 1; i <= 20; i++) print "n" i, "6." i, 1000 - 8 * i }' |
	tests/make-history "$dir/drift"
thpbench history add --store "$dir/d.db" "$dir"/drift/*
thpbench history check --store "$dir/d.db"
check "a drift regresses" exits 1
check "and is called one" grep -q '^Drift: a straight line' "$dir/out"
thpbench history bisect --store "$dir/d.db" --arm 'T n'
check "bisect says so" grep -q '^drift	' "$dir/out"

# Points that do not vary, but for the last.
awk 'BEGIN { for (i = 1; i <= 5; i++) print "n" i, "6." i, 1000, i < 5 ? 8 : 6 }' |
	tests/make-history "$dir/same"
thpbench history add --store "$dir/e.db" "$dir"/same/*
thpbench history check --store "$dir/e.db" --metric huge_bytes
check "without any spread, that is said" grep -q \
	'^Of points that do not vary' "$dir/out"
thpbench history check --store "$dir/e.db"
check "and where there is some, not" hides \
	'^Of points that do not vary' "$dir/out"

# Builds of a distribution: git has one name for both.
printf '%s\n' "$nights" | awk '{ $2 = "6.8.0-" 30 + NR "-generic"; print }' |
	tests/make-history "$dir/builds"
thpbench history add --store "$dir/v.db" "$dir"/builds/*
thpbench history bisect --store "$dir/v.db" --arm 'T n' --git "$dir/none"
check "bisect: two builds of one version" exits 0
check "have no commit between them" grep -qx \
	'next	nothing by name: both are v6.8 to git, .*' "$dir/out"

# bisect in a clone: a commit between the two.
if command -v git >/dev/null; then
	git init -q "$dir/git"
	commit() { git -C "$dir/git" -c user.name=t -c user.email=t@t \
		commit -q --allow-empty -m "$1"; }
	commit 1
	git -C "$dir/git" tag v6.19-rc1
	for i in 2 3 4 5; do commit "$i"; done
	git -C "$dir/git" tag v6.19-rc2
	printf '%s\n' "$nights" | sed 's/6.19-rc1-23-gabcdef012345/6.19-rc2/' |
		tests/make-history "$dir/g"
	thpbench history add --store "$dir/g.db" "$dir"/g/*
	thpbench history bisect --store "$dir/g.db" --arm 'T n' \
		--git "$dir/git"
	check "bisect --git: the commit halfway" grep -qE \
		'^next	v6.19-rc1-2-g[0-9a-f]+$' "$dir/out"
	thpbench history bisect --store "$dir/g.db" --git "$dir/none"
	check "bisect --git, no clone: exit 66" exits 66
else
	skip "bisect --git" "no git"
fi

# The same in a MariaDB server.
if command -v mariadbd >/dev/null; then
	mkdir "$dir/data"
	echo "CREATE DATABASE thp;" >"$dir/init"
	mariadbd --no-defaults --datadir="$dir/data" --socket="$dir/s.sock" \
		--skip-networking --skip-grant-tables --user="$(id -un)" \
		--tmpdir="$dir" --pid-file="$dir/pid" \
		--innodb-log-file-size=8M --innodb-buffer-pool-size=32M \
		--init-file="$dir/init" 2>"$dir/log" &
	pids=$!
	for _ in $(seq 300); do
		[ -S "$dir/s.sock" ] && break
		sleep 0.1
	done
	the_store mariadb "mariadb://root@/thp?socket=$dir/s.sock"
	check "both stores say the same" cmp "$dir/check.sqlite" \
		"$dir/check.mariadb"
else
	skip "mariadb" "no mariadbd"
fi
done_testing
