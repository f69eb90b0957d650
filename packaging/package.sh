#!/bin/sh
# Makes the release files of one target: a static program, a .tar.gz of it and, on Debian's machines, a .deb.
# Usage: packaging/package.sh x86_64|aarch64 FOLDER. The same commit gives the same bytes, wherever it lies.
set -eu
cd "$(dirname "$0")/.."
machine=$1 folder=$(realpath -m "$2")
target=$machine-unknown-linux-gnu
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
# The time of the commit stands in for that of the build.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# Statically linked with the C library, so that it runs on any Linux; and without this machine's paths.
cargo_home=${CARGO_HOME:-$HOME/.cargo}
upper=$(echo "$target" | tr a-z- A-Z_)
export "CARGO_TARGET_${upper}_RUSTFLAGS=-C target-feature=+crt-static --remap-path-prefix=$PWD=. --remap-path-prefix=$cargo_home=cargo"
export CFLAGS="-ffile-prefix-map=$PWD=. -ffile-prefix-map=$cargo_home=cargo"
native=$(rustc -vV | sed -n 's/^host: \([^-]*\).*/\1/p')
if [ "$machine" != "$native" ]; then
    export "CARGO_TARGET_${upper}_LINKER=$machine-linux-gnu-gcc"
fi
cargo build --locked --profile dist --target "$target" -p copytrace-cli
program=${CARGO_TARGET_DIR:-target}/$target/dist/copytrace

# What lies beside it is made by the program of this machine.
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
name=copytrace-$version-$machine-linux
root=$staging/$name
mkdir -p "$root/man" "$root/completions" "$folder"
install -m 755 "$program" "$root/copytrace"
own=$program
[ "$machine" = "$native" ] || own=${CARGO_TARGET_DIR:-target}/$native-unknown-linux-gnu/dist/copytrace
"$own" manual-pages "$root/man"
"$own" completions bash >"$root/completions/copytrace.bash"
"$own" completions zsh >"$root/completions/_copytrace"
"$own" completions fish >"$root/completions/copytrace.fish"
cp README.md README.zh-CN.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE packaging/copytrace.toml "$root"
python3 packaging/components.py "$target" licences >"$root/THIRD-PARTY.txt"
python3 packaging/components.py "$target" sbom >"$root/sbom.spdx.json"
cp "$root/sbom.spdx.json" "$folder/$name.spdx.json"

(cd "$staging" && tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name") |
    gzip -9n >"$folder/$name.tar.gz"

if command -v dpkg-deb >/dev/null; then
    case $machine in x86_64) debian=amd64 ;; aarch64) debian=arm64 ;; esac
    deb=$staging/deb
    mkdir -p "$deb/DEBIAN" "$deb/usr/bin" "$deb/usr/share/man/man1" "$deb/usr/share/doc/copytrace" "$deb/usr/share/zsh/vendor-completions" \
        "$deb/usr/share/bash-completion/completions" "$deb/usr/share/fish/vendor_completions.d"
    install -m 755 "$root/copytrace" "$deb/usr/bin/copytrace"
    for page in "$root"/man/*.1; do gzip -9n <"$page" >"$deb/usr/share/man/man1/$(basename "$page").gz"; done
    cp "$root/completions/copytrace.bash" "$deb/usr/share/bash-completion/completions/copytrace"
    cp "$root/completions/_copytrace" "$deb/usr/share/zsh/vendor-completions/_copytrace"
    cp "$root/completions/copytrace.fish" "$deb/usr/share/fish/vendor_completions.d/copytrace.fish"
    cp "$root/README.md" "$root/THIRD-PARTY.txt" "$root/sbom.spdx.json" "$root/copytrace.toml" "$deb/usr/share/doc/copytrace/"
    cat LICENSE-MIT LICENSE-APACHE >"$deb/usr/share/doc/copytrace/copyright"
    gzip -9n <CHANGELOG.md >"$deb/usr/share/doc/copytrace/changelog.gz"
    size=$(du -sk --apparent-size "$deb/usr" | cut -f1)
    sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$debian/; s/@SIZE@/$size/" packaging/control >"$deb/DEBIAN/control"
    find "$deb" -type d -exec chmod 755 {} + && find "$deb/usr/share" -type f -exec chmod 644 {} +
    dpkg-deb --root-owner-group --build "$deb" "$folder/copytrace_${version}_$debian.deb" >/dev/null
fi
