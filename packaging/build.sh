#!/bin/sh
# Builds the program as released for targets, each in its folder under target/.
# Usage: packaging/build.sh TARGET... (x86_64-unknown-linux-gnu, aarch64-unknown-linux-gnu, x86_64-pc-windows-gnu)
set -eu
cd "$(dirname "$0")/.."
built=${CARGO_TARGET_DIR:-target}
# The time of the commit stands in for that of the build.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# Statically linked with the C library, so that it needs nothing of the system's but its kernel; and without this machine's paths.
cargo_home=${CARGO_HOME:-$HOME/.cargo}
library=$(rustc --print sysroot)/lib/rustlib/src/rust
commit=$(rustc -vV | sed -n 's/^commit-hash: //p')
native=$(rustc -vV | sed -n 's/^host: //p')
flags="-C target-feature=+crt-static --remap-path-prefix=$PWD=. --remap-path-prefix=$(realpath -m "$built")=target"
flags="$flags --remap-path-prefix=$cargo_home=cargo --remap-path-prefix=$library=/rustc/$commit"
export CFLAGS="-ffile-prefix-map=$PWD=. -ffile-prefix-map=$cargo_home=cargo"
targets=
for target; do
    upper=$(echo "$target" | tr a-z- A-Z_)
    export "CARGO_TARGET_${upper}_RUSTFLAGS=$flags"
    case $target in
        "$native" | *-windows-gnu) ;; # rustc knows MinGW's linker by its name.
        *-unknown-linux-gnu) export "CARGO_TARGET_${upper}_LINKER=${target%-unknown-linux-gnu}-linux-gnu-gcc" ;;
    esac
    targets="$targets --target $target"
done
# All at once, so that one's linking fills what the other's leaves idle.
cargo build --locked --profile dist $targets -p copytrace-cli
