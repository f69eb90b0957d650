"""Near-duplicate pairs by datasketch: datasketch_pairs.py FILE.jsonl THRESHOLD HASHES BANDS > pairs.csv"""

import json
import re
import sys

import numpy
from datasketch import MinHash, MinHashLSH

path, threshold, hashes, bands = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
word = re.compile(r"\w+")
lsh = MinHashLSH(num_perm=hashes, params=(bands, hashes // bands))
signatures = {}
for line in open(path, encoding="utf-8"):
    document = json.loads(line)
    words = word.findall(document["text"].lower())
    if len(words) < 5:
        continue
    shingles = {" ".join(words[i : i + 5]).encode() for i in range(len(words) - 4)}
    signature = MinHash(num_perm=hashes)
    signature.update_batch(shingles)
    signatures[document["id"]] = signature
    lsh.insert(document["id"], signature)
print("first,second")
for first, signature in signatures.items():
    for second in lsh.query(signature):
        if first < second and signature.jaccard(signatures[second]) >= threshold:
            print(f"{first},{second}")
