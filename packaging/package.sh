#!/bin/sh
# Makes the release files: for each machine a static program, a .tar.gz of it and, where there is dpkg-deb, a .deb.
# Usage: packaging/package.sh FOLDER MACHINE... (x86_64, aarch64; this machine's own first). The same commit gives the same
# bytes, wherever it lies.
set -eu
umask 022
cd "$(dirname "$0")/.."
folder=$(realpath -m "$1")
shift
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
built=${CARGO_TARGET_DIR:-target}
# The time of the commit stands in for that of the build.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8

native=$(rustc -vV | sed -n 's/^host: \([^-]*\).*/\1/p')
packaging/build.sh $(printf '%s-unknown-linux-gnu ' "$@")

staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
mkdir -p "$folder"

# Everything but the program itself is made by the program of this machine.
own=$built/$native-unknown-linux-gnu/dist/copytrace
mkdir -p "$staging/man" "$staging/completions"
"$own" manual-pages "$staging/man"
"$own" completions bash >"$staging/completions/copytrace.bash"
"$own" completions zsh >"$staging/completions/_copytrace"
"$own" completions fish >"$staging/completions/copytrace.fish"

archive() { # NAME: a .tar.gz of the folder of this name
    (cd "$staging" && tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$1") |
        gzip -9n >"$folder/$1.tar.gz"
}

debian() { # ARCHITECTURE ROOT: a .deb of what stands in ROOT
    deb=$staging/deb-$1
    share=$deb/usr/share
    mkdir -p "$deb/DEBIAN" "$deb/usr/bin" "$share/man/man1" "$share/doc/copytrace" "$share/zsh/vendor-completions" \
        "$share/bash-completion/completions" "$share/fish/vendor_completions.d"
    install -m 755 "$2/copytrace" "$deb/usr/bin/copytrace"
    for page in "$2"/man/*.1; do gzip -9n <"$page" >"$share/man/man1/$(basename "$page").gz"; done
    cp "$2/completions/copytrace.bash" "$share/bash-completion/completions/copytrace"
    cp "$2/completions/_copytrace" "$share/zsh/vendor-completions/_copytrace"
    cp "$2/completions/copytrace.fish" "$share/fish/vendor_completions.d/copytrace.fish"
    cp "$2/README.md" "$2/THIRD-PARTY.txt" "$2/sbom.spdx.json" "$2/copytrace.toml" "$share/doc/copytrace/"
    cat LICENSE-MIT LICENSE-APACHE >"$share/doc/copytrace/copyright"
    gzip -9n <CHANGELOG.md >"$share/doc/copytrace/changelog.gz"
    # Not by du: what a file takes depends on where it lies.
    size=$(find "$deb/usr" -type f -printf '%s\n' | awk '{ sum += int(($1 + 1023) / 1024) } END { print sum }')
    sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$1/; s/@SIZE@/$size/" packaging/control >"$deb/DEBIAN/control"
    find "$deb" -type d -exec chmod 755 {} + && find "$share" "$deb/DEBIAN" -type f -exec chmod 644 {} +
    # One thread and xz: the bytes do not depend on the number of processors, and every Debian and Ubuntu reads them.
    dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$deb" "$folder/copytrace_${version}_$1.deb" >/dev/null
}

for machine; do
    target=$machine-unknown-linux-gnu
    name=copytrace-$version-$machine-linux
    root=$staging/$name
    mkdir "$root"
    install -m 755 "$built/$target/dist/copytrace" "$root/copytrace"
    cp -r "$staging/man" "$staging/completions" "$root"
    cp README.md README.zh-CN.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE packaging/copytrace.toml "$root"
    chmod 644 "$root"/*.* "$root"/LICENSE-*
    python3 packaging/components.py "$target" licences >"$root/THIRD-PARTY.txt"
    python3 packaging/components.py "$target" sbom >"$root/sbom.spdx.json"
    cp "$root/sbom.spdx.json" "$folder/$name.spdx.json"
    archive "$name"
    if command -v dpkg-deb >/dev/null; then
        case $machine in x86_64) debian amd64 "$root" ;; aarch64) debian arm64 "$root" ;; esac
    fi
done
