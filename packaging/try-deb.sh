#!/bin/sh
# Installs the .deb of this machine in a fresh Debian, checks the demo there and removes it: the report is that of the program
# in target/, and nothing else stays. As root, with debootstrap.
# Usage: packaging/try-deb.sh FOLDER (where `make dist` put the packages)
set -eu
cd "$(dirname "$0")/.."
package=$(realpath "$1"/copytrace_*_"$(dpkg --print-architecture)".deb)
program=$(realpath "${CARGO_TARGET_DIR:-target}/$(rustc -vV | sed -n 's/^host: //p')/dist/copytrace")
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root
debootstrap --variant=minbase "${SUITE:-bookworm}" "$root" >"$work/log" || { tail "$work/log"; exit 1; }

# Every file with its kind, rights, size and target, but for what dpkg and apt keep of their own doing.
files() {
    (cd "$root" && find . -path ./var/lib/dpkg -prune -o -path ./var/log -prune -o -path ./var/cache -prune -o -path ./demo -prune \
        -o ! -path . -printf '%p %y %m %s %l\n' | sed 's/ d \([0-7]*\) [0-9]* / d \1/' | sort)
}
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"; }

files >"$work/before"
mkdir "$root/demo"
cp -r corpora/demo/submissions corpora/demo/reference "$package" "$root/demo"
in_root dpkg --install "/demo/$(basename "$package")"
in_root sh -c 'cd /demo && copytrace check submissions --corpus reference -o report'
test -e "$root/usr/share/man/man1/copytrace-check.1.gz"
test -e "$root/usr/share/bash-completion/completions/copytrace"
(cd corpora/demo && LC_ALL=C.UTF-8 "$program" --quiet check submissions --corpus reference -o "$work/report")
diff -r "$work/report" "$root/demo/report"
in_root dpkg --purge copytrace
files >"$work/after"
diff "$work/before" "$work/after"
if in_root dpkg --status copytrace >/dev/null 2>&1; then exit 1; fi
echo "installed, checked the demo, removed: nothing is left of $(basename "$package")"
