"""The spans of submissions that copydetect marks, as CSV: copydetect_spans.py FOLDER PAIRS.csv"""

import csv
import sys
from pathlib import Path

from copydetect import CodeFingerprint, compare_files

folder = Path(sys.argv[1])
out = csv.writer(sys.stdout)
for pair in list(csv.reader(open(sys.argv[2])))[1:]:
    prints = [CodeFingerprint(str(folder / path), 25, 1, filter=False, encoding="utf-8") for path in pair]
    spans = compare_files(*prints)[2]
    for start, end in zip(*spans[0]) if len(spans) else []:
        out.writerow([*pair, start, end])
