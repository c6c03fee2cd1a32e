#!/bin/sh
# Libraries of another architecture for a cross build, and what they need, in
# a folder of their own: sysroot.sh ARCH FOLDER PACKAGE... Called by `make deps
# ARCH=arm64`.
#
# Nothing is installed and the machine's dpkg is left alone: not all of
# Debian's -dev packages can be installed for two architectures at once
# (libgsl-dev, libmariadb-dev). apt gets them from where this machine gets its
# packages, checks their signatures and finds what they depend on; it has
# lists and a cache of its own, as if nothing were installed. dpkg unpacks
# them; their scripts are not run. Root is not needed.
set -eu

arch=$1
folder=$2
shift 2

if ! command -v apt-get >/dev/null 2>&1; then
	echo "sysroot: no apt-get here: $folder needs for $arch: $*" >&2
	exit 69
fi
# There already, of these packages.
if [ "$(cat "$folder/packages" 2>/dev/null)" = "$*" ]; then
	exit 0
fi

mkdir -p "$folder.new"
new=$(cd "$folder.new" && pwd)
apt=$new/apt
log=$new/log
rm -rf "$apt"
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
: >"$apt/status"
cat >"$apt/conf" <<END
#clear APT::Architectures;
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Get::AllowUnauthenticated "false";
Acquire::AllowInsecureRepositories "false";
Acquire::Languages "none";
Acquire::Retries "3";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt";
Dir::Cache::archives "$apt/archives";
END

give_up()
{
	cat "$log" >&2
	echo "sysroot: $1 failed" >&2
	exit 69
}

call() { APT_CONFIG="$apt/conf" apt-get -q "$@" >"$log" 2>&1; }

call update || give_up "apt-get update for $arch"
call -y --no-install-recommends --download-only install "$@" ||
	give_up "apt-get download of $* for $arch"
for deb in "$apt"/archives/*.deb; do
	dpkg-deb -x "$deb" "$new" >"$log" 2>&1 || give_up "unpacking $deb"
done
# Where /lib is a link to /usr/lib, a package of its own makes it.
[ -e "$new/lib" ] || ln -s usr/lib "$new/lib"
# Links are to stay in it.
find "$new" -type l -lname '/*' | while read -r link; do
	ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" \
		"$new$(readlink "$link")")" "$link"
done
count=$(find "$apt/archives" -name '*.deb' | wc -l)
# Nothing looks for a manual here.
rm -rf "$apt" "$log" "$new/usr/share/doc" "$new/usr/share/man" \
	"$new/usr/share/locale"
echo "$*" >"$new/packages"
rm -rf "$folder"
mv "$folder.new" "$folder"
echo "sysroot: $folder holds $count packages of $arch," \
	"$(du -sh "$folder" | cut -f1)"
