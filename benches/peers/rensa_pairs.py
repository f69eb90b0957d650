"""Near-duplicate pairs by rensa: rensa_pairs.py FILE.jsonl THRESHOLD HASHES BANDS > pairs.csv"""

import json
import re
import sys

from rensa import RMinHash, RMinHashLSH

path, threshold, hashes, bands = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
word = re.compile(r"\w+")
lsh = RMinHashLSH(threshold=threshold, num_perm=hashes, num_bands=bands)
ids, signatures = [], []
for line in open(path, encoding="utf-8"):
    document = json.loads(line)
    words = word.findall(document["text"].lower())
    ids.append(document["id"])
    if len(words) < 5:
        signatures.append(None)
        continue
    signature = RMinHash(num_perm=hashes, seed=42)
    signature.update([" ".join(words[i : i + 5]) for i in range(len(words) - 4)])
    lsh.insert(len(ids) - 1, signature)
    signatures.append(signature)
print("first,second")
for first, signature in enumerate(signatures):
    if signature is None:
        continue
    for second in lsh.query(signature):
        if first < second and signature.jaccard(signatures[second]) >= threshold:
            print(f"{ids[first]},{ids[second]}")
