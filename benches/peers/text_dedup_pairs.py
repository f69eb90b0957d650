"""Near-duplicate pairs by text-dedup: text_dedup_pairs.py FILE.jsonl THRESHOLD HASHES > pairs.csv

Its own command gives clusters, whose members it has not compared with each other: each two of a cluster are a pair.
"""

import json
import pickle
import subprocess
import sys
import tempfile
from collections import defaultdict
from itertools import combinations

path, threshold, hashes = sys.argv[1:4]
with tempfile.TemporaryDirectory() as work:
    command = [sys.executable, "-m", "text_dedup.minhash", "--path", "json", "--data_files", path, "--split", "train"]
    command += ["--cache_dir", f"{work}/cache", "--output", f"{work}/output", "--debug", "--column", "text", "--idx_column", "id"]
    command += ["--threshold", threshold, "--num_perm", hashes, "--ngram", "5", "--num_proc", "1"]
    subprocess.run(command, check=True, stdout=sys.stderr)
    with open(f"{work}/output/uf.pkl", "rb") as file:
        joined = pickle.load(file)
clusters = defaultdict(list)
for line in open(path, encoding="utf-8"):
    id = json.loads(line)["id"]
    clusters[joined.find(id)].append(id)
print("first,second")
for members in clusters.values():
    for first, second in combinations(members, 2):
        print(f"{first},{second}")
