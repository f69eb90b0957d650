#!/bin/sh
# Makes the release files for Windows: a zip archive of the program and, where there is makensis, an installer.
# Usage: packaging/windows/package.sh FOLDER. The same commit gives the same bytes.
set -eu
umask 022
cd "$(dirname "$0")/../.."
folder=$(realpath -m "$1")
target=x86_64-pc-windows-gnu
packaging/build.sh "$target"
program=${CARGO_TARGET_DIR:-target}/$target/dist/copytrace.exe
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# Windows loads only what is its own: a library of the compiler beside the program would be missing elsewhere.
libraries=$(x86_64-w64-mingw32-objdump -p "$program" | sed -n 's/.*DLL Name: //p' | tr A-Z a-z | sort -u)
for library in $libraries; do
    case $library in
        api-ms-win-*.dll | advapi32.dll | bcrypt.dll | bcryptprimitives.dll | crypt32.dll | kernel32.dll | msvcrt.dll | ntdll.dll) ;;
        secur32.dll | shell32.dll | user32.dll | userenv.dll | ws2_32.dll) ;;
        *) echo "copytrace: the program needs $library, which Windows may not have" >&2; exit 1 ;;
    esac
done

name=copytrace-$version-x86_64-windows
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
mkdir -p "$folder" "$staging/$name"
cp "$program" README.md README.zh-CN.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE packaging/copytrace.toml "$staging/$name"
python3 packaging/components.py "$target" licences >"$staging/$name/THIRD-PARTY.txt"
python3 packaging/components.py "$target" sbom >"$staging/$name/sbom.spdx.json"
cp "$staging/$name/sbom.spdx.json" "$folder/$name.spdx.json"
python3 - "$staging/$name" "$folder/$name.zip" <<'PYTHON'
import os, sys, time, zipfile
from pathlib import Path
folder, archive = map(Path, sys.argv[1:])
moment = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
with zipfile.ZipFile(archive, "w") as target:
    for file in sorted(folder.iterdir()):
        entry = zipfile.ZipInfo(f"{folder.name}/{file.name}", moment)
        target.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED, 9)
PYTHON
if command -v makensis >/dev/null; then
    find "$staging/$name" -type f -printf '  Delete "$INSTDIR\\%f"\n' | sort >"$staging/$name.nsh"
    find "$staging" -exec touch --date="@$SOURCE_DATE_EPOCH" {} +
    makensis -V2 -NOCD -DVERSION="$version" -DFOLDER="$staging/$name" -DOUTPUT="$folder/$name-setup.exe" packaging/windows/copytrace.nsi
fi
