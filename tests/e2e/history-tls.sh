#!/bin/sh
# A history in a MariaDB server on 127.0.0.1 that several share: TLS with a
# certificate of this test's own, users with passwords, and a server that is
# restarted, killed, stopped and gone.
. tests/e2e/tap.sh
unset THPBENCH_STORE THPBENCH_STORE_PASSWORD

give_up() # REASON
{
	skip "a history over TLS" "$1"
	done_testing
	exit
}

for program in openssl mariadbd mariadb mariadb-install-db; do
	command -v $program >/dev/null ||
		give_up "no $program (make deps)"
done

# --- certificates: one that signs, one of the server, one of nobody's ---
certificate() # NAME SUBJECT EXTENSION [SIGNER]
{
	printf '%s\n' "$3" >"$dir/$1.ext"
	openssl req -newkey rsa:2048 -nodes -keyout "$dir/$1.key" \
		-subj "/CN=$2" -out "$dir/$1.csr" 2>/dev/null &&
		if [ -n "${4-}" ]; then
			openssl x509 -req -in "$dir/$1.csr" -days 2 \
				-CA "$dir/$4.pem" -CAkey "$dir/$4.key" \
				-CAcreateserial -extfile "$dir/$1.ext" \
				-out "$dir/$1.pem" 2>/dev/null
		else
			openssl x509 -req -in "$dir/$1.csr" -days 2 \
				-signkey "$dir/$1.key" -extfile "$dir/$1.ext" \
				-out "$dir/$1.pem" 2>/dev/null
		fi
}
certificate ca "a test's own" basicConstraints=critical,CA:TRUE
certificate server 127.0.0.1 subjectAltName=IP:127.0.0.1,DNS:localhost ca
certificate elsewhere db9 subjectAltName=DNS:db9 ca
certificate stranger "not the one" basicConstraints=critical,CA:TRUE
for name in ca server elsewhere stranger; do
	[ -s "$dir/$name.pem" ] || give_up "openssl made no certificate"
done

# --- the server ---
mariadb-install-db --no-defaults --datadir="$dir/data" --user="$(id -un)" \
	--auth-root-authentication-method=normal --skip-test-db \
	--innodb-log-file-size=8M >"$dir/install" 2>&1 ||
	give_up "mariadb-install-db: $(tail -n 1 "$dir/install")"
port=$(awk 'FNR > 1 { split($2, a, ":"); used[a[2]] }
	END { for (p = 33061; p < 33161; p++)
		if (!(sprintf("%04X", p) in used)) { print p; exit } }' \
	/proc/net/tcp /proc/net/tcp6 2>/dev/null)

start() # [CERTIFICATE [OPTION...]]; none: without TLS
{
	tls=
	[ "${1-server}" = none ] || tls="--ssl-ca=$dir/ca.pem
		--ssl-cert=$dir/${1-server}.pem --ssl-key=$dir/${1-server}.key"
	[ $# -eq 0 ] || shift
	rm -f "$dir/s.sock"
	# shellcheck disable=SC2086 # options, none of which has a blank
	mariadbd --no-defaults --datadir="$dir/data" --socket="$dir/s.sock" \
		--bind-address=127.0.0.1 --port="$port" $tls \
		--user="$(id -un)" --tmpdir="$dir" --pid-file="$dir/pid" \
		--innodb-log-file-size=8M --innodb-buffer-pool-size=32M \
		"$@" 2>>"$dir/log" &
	server=$!
	pids=$server
	for _ in $(seq 300); do
		mariadb --no-defaults -uroot -S "$dir/s.sock" -e '' \
			2>/dev/null && return
		sleep 0.1
	done
}
stop() # SIGNAL
{
	kill "-$1" "$server"
	wait "$server" 2>/dev/null
	pids=
}
sql() { mariadb --no-defaults -uroot -S "$dir/s.sock" -N -e "$1" thp; }

start
mariadb --no-defaults -uroot -S "$dir/s.sock" -e "CREATE DATABASE thp;
	CREATE USER team@'%' IDENTIFIED BY 'geheim';
	GRANT ALL ON thp.* TO team@'%';
	CREATE USER reader@'%' IDENTIFIED BY 'offen';
	GRANT SELECT ON thp.* TO reader@'%';" 2>"$dir/err" ||
	give_up "the server did not come up: $(tail -n 1 "$dir/log")"

awk 'BEGIN { for (i = 1; i <= 9; i++) print "n" i, "6." i, 1000 + i }' |
	tests/make-history "$dir/r"
url="mariadb://team@127.0.0.1:$port/thp?tls_ca=$dir/ca.pem"
unsafe="mariadb://team@127.0.0.1:$port/thp"
export THPBENCH_STORE_PASSWORD=geheim

# Runs and values of all experiments, counted by the server itself.
holds() # RUNS
{
	found=$(sql "SELECT CONCAT((SELECT COUNT(*) FROM run), ' ',
		(SELECT COUNT(DISTINCT experiment, number) FROM run), ' ',
		(SELECT COUNT(DISTINCT experiment, run) FROM measured))")
	[ "$found" = "$1 $1 $1" ] && return
	echo "runs, different ones, ones with values: $found; not $1"
	return 1
}

# --- whom it trusts ---
thpbench history add --store "$url" "$dir/r/n1"
check "over TLS, with the password of the environment" exits 0
check "six runs" holds 6
thpbench history list --store "$url" --format csv
check "and back" [ "$(grep -c '^experiments,' "$dir/out")" -eq 1 ]
check "it was TLS" [ "$(mariadb --no-defaults -uteam -pgeheim -h 127.0.0.1 \
	-P "$port" --ssl-ca="$dir/ca.pem" -N \
	-e "SHOW STATUS LIKE 'Ssl_version'" | grep -c TLS)" -eq 1 ]
sql "ALTER USER team@'%' REQUIRE SSL"
thpbench history list --store "$url"
check "a user who must have it is let in" exits 0
sql "ALTER USER team@'%' REQUIRE NONE"

thpbench history list --format csv --store \
	"mariadb://team@localhost:$port/thp?tls_ca=$dir/ca.pem"
check "localhost is a host with this port, no socket" exits 0
check "the one with the six runs" [ "$(grep -c '^experiments,' "$dir/out")" \
	-eq 1 ]

thpbench history add --store "$unsafe" "$dir/r/n2"
check "a certificate that nobody vouches for: not 0" [ "$status" -ne 0 ]
check "a line says so" says 'ertificate'
thpbench history add --store "${unsafe}?tls_ca=$dir/stranger.pem" "$dir/r/n2"
check "another signer's: not 0" [ "$status" -ne 0 ]
check "and says so" says 'ertificate'
check "one line" [ "$(wc -l <"$dir/err")" -eq 1 ]
THPBENCH_STORE_PASSWORD=falsch thpbench history add --store "$url" "$dir/r/n2"
check "a wrong password: exit 77" exits 77
check "is not printed" sh -c "! grep -q falsch '$dir/err'"
unset THPBENCH_STORE_PASSWORD
thpbench history add --store "$url" "$dir/r/n2"
check "no password: exit 77" exits 77
printf '[client]\nuser = nobody\n[thpbench]\nuser = team\npassword = geheim\n' \
	>"$dir/my.cnf"
thpbench history add "$dir/r/n2" --store \
	"mariadb://127.0.0.1:$port/thp?tls_ca=$dir/ca.pem&option_file=$dir/my.cnf"
check "user and password of an option file" exits 0
check "twelve runs" holds 12
printf '[client]\nskip-ssl\nssl-verify-server-cert=0\n' >>"$dir/my.cnf"
thpbench history list --store \
	"mariadb://127.0.0.1:$port/thp?option_file=$dir/my.cnf"
check "an option file does not switch TLS off" [ "$status" -ne 0 ]
check "it is still about the certificate" says 'ertificate'
export THPBENCH_STORE_PASSWORD=offen
thpbench history list --store "mariadb://reader@${url#*@}"
check "one who may read reads" exits 0
thpbench history add --store "mariadb://reader@${url#*@}" "$dir/r/n3"
check "but adds nothing: exit 77" exits 77
export THPBENCH_STORE_PASSWORD=geheim

stop TERM
start elsewhere
thpbench history list --store "$url"
check "a certificate of another host: not 0" [ "$status" -ne 0 ]
stop TERM
start none
thpbench history list --store "$url"
check "a server without TLS: not 0" [ "$status" -ne 0 ]
check "is said in one line" [ "$(wc -l <"$dir/err")" -eq 1 ]
check "nothing went there" holds 12
stop TERM

# --- that goes away: an add waits for a lock meanwhile, in its transaction ---
begin_held() # FOLDER: behind a transaction that holds what it needs
{
	sql "START TRANSACTION;
		SELECT * FROM meta WHERE name = 'version' FOR UPDATE;
		SELECT SLEEP(60)" >/dev/null 2>&1 &
	holder=$!
	for _ in $(seq 100); do
		[ "$(sql "SELECT COUNT(*) FROM information_schema.innodb_trx")" \
			-ge 1 ] && break
		sleep 0.1
	done
	./thpbench history add --store "$url" "$dir/r/$1" >"$dir/out" \
		2>"$dir/err" &
	adder=$!
	for _ in $(seq 100); do
		[ "$(sql "SELECT COUNT(*) FROM information_schema.innodb_trx
			WHERE trx_state = 'LOCK WAIT'")" -ge 1 ] && return
		sleep 0.1
	done
	echo "# the add does not wait"
}
end_held()
{
	wait "$adder"
	status=$?
	kill "$holder" 2>/dev/null
	wait "$holder" 2>/dev/null
}

start
begin_held n3
stop KILL
start
end_held
check "killed in mid-add and back: added" exits 0
check "with a line that says so" says 'once more'
check "nothing lost, nothing twice" holds 18

begin_held n4
stop TERM
start
end_held
check "restarted in mid-add: added" exits 0
check "nothing lost, nothing twice" holds 24

begin_held n5
stop KILL
end_held
check "killed for good: exit 75" exits 75
check "and it says that nothing was added" says 'nothing of .*n5 was added'
thpbench history add --store "$url" "$dir/r/n5"
check "nobody there: exit 75" exits 75
check "in one line that names the server" says '127.0.0.1'
check "one line" [ "$(wc -l <"$dir/err")" -eq 1 ]
start
check "nothing of it is there" holds 24
thpbench history add --store "$url" "$dir/r/n5"
check "added when the server is there" exits 0
check "nothing twice" holds 30

kill -STOP "$server"
begin=$(date +%s)
thpbench history add --store "$url" "$dir/r/n6"
check "a server that does not answer: exit 75" exits 75
check "within its time" [ $(($(date +%s) - begin)) -le 20 ]
kill -CONT "$server"

# All of them at once, half of them twice, and the server killed meanwhile: who
# was not yet connected leaves with 75, and may come again.
adders=
for i in 1 2 3 4 5 6 7 8 9 6 7 8 9; do
	./thpbench history add --store "$url" "$dir/r/n$i" \
		>>"$dir/many.out" 2>>"$dir/many.err" &
	adders="$adders $!"
done
sleep 0.3
stop KILL
start
: >"$dir/ends"
for pid in $adders; do
	wait "$pid"
	echo $? >>"$dir/ends"
done
check "each was added, or is to try again" sh -c \
	"! grep -vxE '0|75' '$dir/ends'"
runs=$(sql "SELECT COUNT(*) FROM run")
check "only whole folders are there" [ $((runs % 6)) -eq 0 ]
check "each run once" holds "$runs"
thpbench history add --store "$url" "$dir"/r/n?
check "again, all of them" exits 0
check "nothing lost, nothing twice" holds 54
stop TERM
done_testing
