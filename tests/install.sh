#!/bin/sh
# Install what `make` built: install.sh BUILD PREFIX. Called by `make install`.
# bin/thpbench looks for the rest in ../share/thpbench and ../lib/thpbench.
set -eu
cd "$(dirname "$0")/.."

[ $# -eq 2 ] || {
	echo "usage: $0 BUILD PREFIX" >&2
	exit 64
}
build=$1
prefix=$2
command -v scdoc >/dev/null || {
	echo "install: scdoc makes the manuals: make deps, or apt-get" \
		"install scdoc" >&2
	exit 69
}

put() { # MODE FOLDER FILE...
	mode=$1
	to=$prefix/$2
	shift 2
	install -d "$to"
	install -m "$mode" "$@" "$to"
}

put 755 bin "$build/thpbench"
put 755 lib/thpbench "$build/memtouch" "$build/libthpkeep.so"
put 644 share/thpbench workloads/*.lua workloads/*.cnf
put 644 share/thpbench/events workloads/events/*.ini
put 755 share/thpbench workloads/guest-init
put 644 share/thpbench plots/*.gp
put 644 share/thpbench/published results/published/*.tsv
put 644 share/doc/thpbench LICENSE
[ ! -e README.md ] || put 644 share/doc/thpbench README.md
for example in slurm ssh; do
	put 644 share/doc/thpbench/examples/$example examples/$example/*
done
put 644 share/doc/thpbench/configs configs/*.conf
put 644 share/doc/thpbench/configs/emulated configs/emulated/*.conf

for page in man/*.scd; do
	name=$(basename "$page" .scd)
	install -d "$prefix/share/man/man${name##*.}"
	scdoc <"$page" >"$prefix/share/man/man${name##*.}/$name"
done
install -d "$prefix/share/bash-completion/completions"
install -m 644 completion/thpbench.bash \
	"$prefix/share/bash-completion/completions/thpbench"
echo "installed below $prefix"
