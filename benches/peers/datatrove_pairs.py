"""Near-duplicate pairs by datatrove: datatrove_pairs.py FILE.jsonl BUCKETS HASHES_PER_BUCKET [words] > pairs.csv

Its pipeline gives clusters, whose members it has not compared with each other: each two of a cluster are a pair. With `words` it
cuts texts by a regular expression in place of spaCy.
"""

import json
import os
import re
import struct
import sys
import tempfile
from collections import defaultdict
from itertools import combinations

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupSignature
from datatrove.pipeline.readers import JsonlReader
from datatrove.utils.word_tokenizers import WordTokenizer


class Words(WordTokenizer):
    def word_tokenize(self, text):
        return re.findall(r"\w+", text)

    sent_tokenize = span_tokenize = None


path = os.path.abspath(sys.argv[1])
settings = MinhashConfig(n_grams=5, num_buckets=int(sys.argv[2]), hashes_per_bucket=int(sys.argv[3]))
cut = Words() if sys.argv[4:] == ["words"] else "eng"
with tempfile.TemporaryDirectory() as work:
    reader = JsonlReader(os.path.dirname(path), glob_pattern=os.path.basename(path), compression=None)
    stages = [
        (1, [reader, MinhashDedupSignature(f"{work}/signatures", settings, language=cut)]),
        (settings.num_buckets, [MinhashDedupBuckets(f"{work}/signatures", f"{work}/buckets", config=settings)]),
        (1, [MinhashDedupCluster(f"{work}/buckets", f"{work}/clusters", config=settings, save_cluster_id=True)]),
    ]
    for number, (tasks, stage) in enumerate(stages):
        LocalPipelineExecutor(stage, tasks=tasks, workers=1, logging_dir=f"{work}/logs{number}").run()
    with open(f"{work}/clusters/000000.clusters", "rb") as file:
        cluster_of = dict(struct.iter_unpack("<2I", file.read()))
clusters = defaultdict(list)
for number, line in enumerate(open(path, encoding="utf-8")):
    if number in cluster_of:
        clusters[cluster_of[number]].append(json.loads(line)["id"])
print("first,second")
for members in clusters.values():
    for first, second in combinations(members, 2):
        print(f"{first},{second}")
