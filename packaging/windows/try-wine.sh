#!/bin/sh
# Runs the program for Windows under Wine: everything that packaging/same-results.sh compares, an index whose writer is killed again and
# again, Ctrl-C, files that others keep open, names that Windows alone has, the service, the installer.
# Usage: packaging/windows/try-wine.sh PROGRAM.exe OWN [SETUP.exe] (OWN is the program of this machine)
set -eu
program=$(realpath "$1") own=$(realpath "$2") setup=${3:+$(realpath "$3")}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill -9 "$service" 2>/dev/null; wineserver -k 2>/dev/null || true; rm -rf "$work"' EXIT
. packaging/windows/wine.sh
failed() { echo "copytrace under Wine: $*" >&2; exit 1; }
windows() { wine "$program" "$@"; }

# Keeps a file open, as other programs do: FILE SECONDS SHARED (0: nobody else reads it).
compile -o "$work/hold.exe" <<'C'
#include <stdio.h>
#include <windows.h>
int wmain(int count, wchar_t **words) {
    if (count < 4) return 2;
    DWORD shared = words[3][0] == L'0' ? 0 : FILE_SHARE_READ;
    HANDLE file = CreateFileW(words[1], GENERIC_READ, shared, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE) return 1;
    wprintf(L"held\n");
    fflush(stdout);
    Sleep((DWORD)_wtoi(words[2]) * 1000);
    return 0;
}
C
hold() { # FILE SHARED: in the background; $holder is its process
    : >"$work/held"
    wine "$work/hold.exe" "$1" 60 "$2" >"$work/held" &
    holder=$!
    until grep -q held "$work/held"; do kill -0 "$holder" && sleep 0.1; done
}

mkdir "$work/same"
packaging/same-results.sh "$work/same" "$own" wine "$program"
cd "$work/same"

# Twelve thousand generated texts, added by writers that are killed at later and later moments until one ends.
python3 - many.jsonl <<'PYTHON'
import json, random, sys
chosen = random.Random(20261122)
words = ["".join(chosen.choice("abcdefghilmnoprstuv") for _ in range(chosen.randrange(3, 9))) for _ in range(5000)]
with open(sys.argv[1], "w") as lines:
    for number in range(12000):
        text = " ".join(chosen.choice(words) for _ in range(400))
        lines.write(json.dumps({"id": f"{number:05}", "text": text}) + "\n")
        if number % 50 == 0:
            lines.write(json.dumps({"id": f"{number:05}-again", "text": text + " " + text[:500]}) + "\n")
PYTHON
windows --quiet index create library
killed=0
for tenths in $(seq 3 2 300); do
    wine "$program" --quiet index add library many.jsonl &
    writer=$!
    sleep "$(echo "$tenths" | awk '{ print $1 / 10 }')"
    kill -9 "$writer" 2>/dev/null || true
    code=0
    wait "$writer" 2>/dev/null || code=$?
    # Wine may let go of a killed writer's lock a moment later; the next one is refused then.
    case $code in 0) break ;; 137) killed=$((killed + 1)) ;; esac
    windows --quiet index verify library
done
[ "$killed" -ge 3 ] || failed "no writer was killed while it worked"
"$own" --quiet index create own-library
"$own" --quiet index add own-library many.jsonl
windows --quiet pairs --index library -o killed.csv
"$own" --quiet pairs --index own-library -o own.csv
cmp killed.csv own.csv
[ "$(wc -l <own.csv)" -gt 50 ]
echo "the index of $killed killed writers and one that ended gives the same $(($(wc -l <own.csv) - 1)) pairs"

# Ctrl-C at a terminal: code 130, and nothing is left.
for copy in 0 1 2; do sed "s/\"id\": \"/&$copy/" many.jsonl; done >more.jsonl
mkdir interrupted
python3 - wine "$program" fingerprint more.jsonl -o interrupted/prints.csv <<'PYTHON' || failed "Ctrl-C"
import os, pty, sys, time
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
deadline = time.time() + 60
while not os.listdir("interrupted") and time.time() < deadline:
    time.sleep(0.05)
os.write(terminal, b"\x03")
try:
    while os.read(terminal, 4096):
        pass
except OSError:
    pass  # The terminal ends with its program.
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.exit(f"ended with {code}" if code != 130 else f"left {os.listdir('interrupted')}" if os.listdir("interrupted") else 0)
PYTHON
echo "Ctrl-C ends it, and nothing is left"

# A file that another program lets nobody read, and one of an earlier result that is open.
mkdir held && cp submissions/*.txt held
hold held/zh-01-mountain-town.txt 0
code=0
windows check held --corpus reference -o held-report --format csv 2>said || code=$?
kill -9 "$holder"
[ "$code" = 3 ] && grep -q 'zh-01-mountain-town.txt: open in another program' said || failed "a file that is kept open: $code"
hold other/pairs.csv 1
code=0
windows pairs submissions reference --threshold 0.02 -o other/pairs.csv 2>said || code=$?
kill -9 "$holder"
[ "$code" = 2 ] && grep -q 'is it open in another program' said || failed "a table that is open: $code"
cmp own/pairs.csv other/pairs-2.csv && cmp own/pairs.csv other/pairs.csv
echo "files that others keep open are named, and what was to replace one is kept beside it"

# A share of a server, and a path of 380 characters.
mkdir -p "$WINEPREFIX/dosdevices/unc/server"
ln -s "$PWD" "$WINEPREFIX/dosdevices/unc/server/share"
windows --quiet check '\\server\share\submissions' --corpus '\\server\share\reference' --format csv -o '\\server\share\of-server'
cmp of-server/summary.csv own/report/summary.csv
long=$(python3 -c 'print("/".join(["abcdefghij" * 9] * 4))')
mkdir -p "long/$long" && cp submissions/* "long/$long"
windows --quiet check "long/$long" --corpus reference --format csv -o "long-report/$long"
cmp "long-report/$long/summary.csv" own/report/summary.csv
echo "a share of a server, and a path of $(find "$PWD/long-report" -name summary.csv | tr -d '\n' | wc -c) characters"

# The service, from its start to a report in a browser's hands.
wine "$program" serve --data data --demo --listen 127.0.0.1:0 >served 2>&1 &
service=$!
until grep -q '^Serving' served; do kill -0 "$service" && sleep 0.2; done
address=$(sed -n 's/^Serving .* at \(http[^ ]*\)\/.*/\1/p' served | tr -d '\r')
password=$(sed -n 's/.*password of each is //p' served | tr -d '\r')
curl -sS -c cookies -o signed-in "$address/login" -H "Origin: $address" --data "number=supervisor&password=$password"
for second in $(seq 60); do
    curl -sS -b cookies -o overview "$address/"
    grep -q '50.3%' overview && break
    sleep 1
done
report=$(grep -o '/submissions/[0-9a-f]*' overview | sort -u | head -1)
curl -sSf -b cookies -o report.html "$address$report/report"
grep -q '<title>.*Similarity report' report.html || failed "no report from the service"
kill -9 "$service" && service=
echo "the service: its demo checked, a report of $(wc -c <report.html) bytes fetched"

# The desk, as a double-click starts it: without arguments. Its page is asked for as a browser does, the demo is made, and each report is the
# one that this machine's own desk gives, but for the names that each desk gives by chance.
desk() { # NAME PROGRAM...: starts a desk, and fetches the reports of its demo into NAME-reports
    name=$1
    shift
    rm -f cookies "$name-reports"
    : >"$name-said"
    "$@" >"$name-said" 2>&1 &
    service=$!
    # The line may come in pieces; the secret has 64 digits.
    until grep -q 'for you alone: http.*/desk/[0-9a-f]\{64\}' "$name-said"; do kill -0 "$service" && sleep 0.05; done
    page=$(sed -n 's/.*for you alone: //p' "$name-said" | tr -d '\r')
    address=${page%/desk/*}
    [ "$(curl -sS -o /dev/null -w '%{http_code}' "$address/")" = 401 ] || failed "$name: served without the secret"
    curl -sS -o /dev/null -c cookies "$page"
    check=$(curl -sS -o /dev/null -w '%{redirect_url}' -b cookies -X POST -H "Origin: $address" "$address/desk/demo")
    for second in $(seq 300); do
        [ -n "$(curl -sS -b cookies "$check/progress")" ] || break
        sleep 1
    done
    for one in $(curl -sS -b cookies "$check" | grep -o 'href="/submissions/[0-9a-f]*"' | cut -d'"' -f2 | sort -u); do
        curl -sSf -b cookies "$address$one/report.json" >>"$name-reports"
        echo >>"$name-reports"
        curl -sSf -b cookies -o "$name.html" "$address$one/report"
    done
    grep -q '<title>.*Similarity report' "$name.html" || failed "$name: no report"
}
end_desk() {
    curl -sS -o /dev/null -b cookies -X POST -H "Origin: $address" "$address/desk/end"
    wait "$service" || failed "a desk that was told to end ended with $?"
    service=
}
desk windows-desk wine "$program"
# A second double-click opens the page of the first, and ends.
wine "$program" >second-said 2>&1 && grep -q 'is open already at' second-said || failed "a second double-click"
end_desk
desk own-desk "$own" desk --no-browser own-desk
end_desk
python3 - windows-desk-reports own-desk-reports <<'PYTHON'
import json, sys
def reports(file):
    # One behind the other, each over many lines.
    text, read, decoder = open(file).read().lstrip(), [], json.JSONDecoder()
    while text:
        report, end = decoder.raw_decode(text)
        read.append(report)
        text = text[end:].lstrip()
    for report in read:
        # Ids of submissions and the number of a report that holds them are made by chance.
        report["number"] = report["submission"]["id"] = report["corpus"]["name"] = report["corpus"]["updated"] = None
    return sorted(read, key=lambda report: report["text"])
windows, own = map(reports, sys.argv[1:])
sys.exit(0 if len(own) == 3 and windows == own else f"the desk's reports differ: {len(windows)}, {len(own)}")
PYTHON
echo "the desk: the 3 reports of its demo are the same, a second start joins the first"

# The installer: there, running, gone.
if [ -n "$setup" ]; then
    wine "$setup" /S
    installed=$(find "$WINEPREFIX/drive_c/users" -path '*Programs/copytrace' -type d)
    wine "$installed/copytrace.exe" --version | tr -d '\r' | grep -q "^$("$own" --version)\$"
    wine "$installed/uninstall.exe" /S
    for second in $(seq 20); do [ -e "$installed" ] || break; sleep 1; done
    [ ! -e "$installed" ] || failed "uninstalling left $(ls "$installed")"
    echo "installed, run, removed: nothing is left"
fi
