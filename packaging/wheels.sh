#!/bin/sh
# Builds the Python wheels as released, and the source distribution: Linux on x86-64 and Arm, with glibc and with musl, and Windows.
# Usage: packaging/wheels.sh FOLDER PYTHON (an interpreter that has maturin and ziglang; MinGW besides). PROFILE=dev is quick.
set -eu
cd "$(dirname "$0")/.."
folder=$(realpath -m "$1") profile=${PROFILE:-dist}
# maturin calls zig by the first interpreter that it finds.
PATH=$(dirname "$2"):$PATH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"

build() { maturin build --profile "$profile" --locked --strip --out "$folder" "$@"; }

rm -rf "$folder"
maturin sdist --out "$folder"
for machine in x86_64 aarch64; do
    build --zig --target $machine-unknown-linux-gnu --compatibility manylinux2014
    build --zig --target $machine-unknown-linux-musl --compatibility musllinux_1_2
done
build --target x86_64-pc-windows-gnu
