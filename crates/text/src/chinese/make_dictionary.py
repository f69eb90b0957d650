#!/usr/bin/env python3
"""Writes dictionary.zst from the data of jieba-rs: make_dictionary.py JIEBA_RS/src/data | zstd -19 -o dictionary.zst

A line `=IDF` (or `=` where there is none) stands before the words that have this inverse document frequency, each a line
`WORD FREQUENCY`; the frequency is 0 for words that are not in the dictionary.
"""

import sys
from pathlib import Path

data = Path(sys.argv[1])
rows = [line.split() for line in (data / "dict.txt").read_text(encoding="utf-8").splitlines()]
frequencies = {row[0]: int(row[1]) for row in rows if row}
rows = [line.split() for line in (data / "idf.txt").read_text(encoding="utf-8").splitlines()]
rarities = {row[0]: row[1] for row in rows if len(row) > 1}
before = None
for rarity, word in sorted((rarities.get(word, ""), word) for word in frequencies | rarities):
    if rarity != before:
        print("=" + rarity)
        before = rarity
    print(word, frequencies.get(word, 0))
