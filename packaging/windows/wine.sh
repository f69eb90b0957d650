# A Windows 10 of Wine's own below $work, for scripts that source this.
# Wine takes the documents of a person to be in the home folder, as it is when it begins.
export HOME="$work/home" && mkdir "$HOME"
export WINEPREFIX="$work/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" LC_ALL=C.UTF-8
compile() { x86_64-w64-mingw32-gcc -Os -s -municode -x c - "$@"; }

wineboot -i >/dev/null 2>&1
wine reg add 'HKCU\Software\Wine' /v Version /d win10 /f >/dev/null 2>&1
# Debian 12's Wine lacks a library that Windows 10 has: random numbers.
[ -e "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" ] ||
    compile -shared -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" -ladvapi32 <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, (ULONG)size); }
C
