#!/bin/sh
# Whether a program gives what this machine's own gives, byte for byte: reports, texts as read, pairs, fingerprints and what is near
# among them; and whether each reads the index that the other wrote.
# Usage: packaging/same-results.sh FOLDER OWN PROGRAM... (an empty folder; the own program; the other, with what runs it). If MODEL names a
# model folder, what is retold and translated is looked for, too.
set -eu
folder=$(realpath "$1") own=$(realpath "$2") model=${MODEL:+$(realpath "$MODEL")}
shift 2
cp -r "$(dirname "$0")/../corpora/demo/submissions" "$(dirname "$0")/../corpora/demo/reference" "$folder"

# Twenty thousand fingerprints, of which every other one is the last with up to seven bits changed.
python3 - "$folder/many.u64" <<'PYTHON'
import random, struct, sys
chosen = random.Random(20261122)
with open(sys.argv[1], "wb") as table:
    for _ in range(10_000):
        first = chosen.getrandbits(64)
        second = first
        for _ in range(chosen.randrange(8)):
            second ^= 1 << chosen.randrange(64)
        table.write(struct.pack("<QQ", first, second))
PYTHON

everything() { # NAME PROGRAM...: all results, in a folder of this name
    mkdir "$folder/$1" && cd "$folder/$1"
    shift
    "$@" --quiet check ../submissions --corpus ../reference --format csv,json,html,xlsx -o report
    "$@" --quiet check ../submissions --corpus ../reference --format csv,html -o report-zh --lang zh
    [ -z "$model" ] || "$@" --quiet check ../submissions --corpus ../reference --semantic "$model" --format csv,json -o report-semantic
    "$@" --quiet index create library
    "$@" --quiet index add library ../reference
    "$@" --quiet check ../submissions --index library --format csv,json -o report-of-index
    for text in en-01-estuary-crossing zh-01-mountain-town; do "$@" text "../submissions/$text.txt" >"$text"; done
    "$@" --quiet pairs ../submissions ../reference --threshold 0.02 --clusters clusters.csv -o pairs.csv
    "$@" --quiet fingerprint ../submissions ../reference -o prints.u64 -o prints.csv
    "$@" --quiet fingerprint --sentences ../submissions -o sentences.csv
    for engine in blocks multi-index permuted compressed; do
        "$@" --quiet near --table ../many.u64 -k 5 --engine "$engine" --build "$engine.tables"
        "$@" --quiet near --table "$engine.tables" --queries ../many.u64 -k 5 -o "near-$engine.csv"
    done
    "$@" --quiet near --table ../many.u64 --queries ../many.u64 -k 5 -o near.csv
}
everything own "$own"
everything other "$@"
cd "$folder"
# An index may be carried from one to the other.
mv own/library exchanged && mv other/library own/library && mv exchanged other/library
(cd own && "$own" --quiet check ../submissions --index library --format csv,json -o report-of-others-index)
(cd other && "$@" --quiet check ../submissions --index library --format csv,json -o report-of-others-index)
# A workbook is an archive that tells on which kind of system it was written; its parts are the same.
for name in own other; do
    python3 -m zipfile -e "$name/report/report.xlsx" "$name/workbook" && rm "$name/report/report.xlsx"
done
# An index tells when its documents were added.
diff -r --exclude=library own other
for table in near.csv pairs.csv clusters.csv sentences.csv; do [ "$(wc -l <"own/$table")" -gt 1 ]; done
echo "the same: $(find other -path other/library -prune -o -type f -print | wc -l) files of reports, texts, pairs and fingerprints"
