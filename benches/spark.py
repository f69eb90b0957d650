#!/usr/bin/env python3
"""How evenly Spark's tasks share the work, what memory executors take, and how fast fingerprints stream.

    make spark && target/python-spark/bin/python benches/spark.py [--crowd 20000] [--fingerprints 10000000] [--compression gzip]
        [--clusters 50]

Runs, on two executors of one core and 1 GB each, `pairs` over a crowd of documents that share more than half of their words, and
`near` of a hundredth as many queries against stored fingerprints. Prints, from Spark's own event log: of the stage that took
longest the slowest task beside the median; the peak memory of an executor's Java process and of its Python workers; and stored
fingerprints for each second that a processor worked for the executors, Java's compiler and collector included. `--crowd 0` leaves the
crowd out. `--clusters` joins so many million pairs of clusters of forty instead, in an order in which no task can shorten its share.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy
import pandas
from pyspark.sql import SparkSession

from copytrace.spark import clusters, near, pairs


def session(work):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.local.dir": f"{work}/spark",
        "spark.driver.memory": "2g",
        "spark.executor.memory": "1g",
        "spark.sql.shuffle.partitions": "16",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{work}",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.compress": "false",
        "spark.eventLog.logStageExecutorMetrics": "true",
        "spark.executor.processTreeMetrics.enabled": "true",
        "spark.executor.metrics.pollingInterval": "500",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("copytrace")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def crowd(path, count):
    """Documents whose first 60 of 105 words are the same; every fortieth is like the one forty before."""
    draw = random.Random(9)

    def words(count):
        return [f"{draw.choice('bdfgklmnprst')}{draw.choice('aeiou')}{draw.randrange(30_000)}" for _ in range(count)]

    shared, own = words(60), []
    with path.open("w") as out:
        for number in range(count):
            own.append(own[number - 40] if number and number % 40 == 0 else words(45))
            out.write(json.dumps({"id": f"{number:06}", "text": " ".join(shared + own[number])}) + "\n")
    return path


def worked():
    """Processor seconds of the executors so far: of Java, and of its Python workers."""
    stats, seconds = {}, {"java": 0.0, "python": 0.0}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            line = (folder / "cmdline").read_text()
        except OSError:
            continue
        # The parent; user and system time of the process, and of its children that ended.
        stats[int(folder.name)] = int(fields[1]), [int(field) for field in fields[11:15]], line
    def below(above):
        found = set(above)
        while more := {pid for pid, (parent, _, _) in stats.items() if parent in found} - found:
            found |= more
        return found

    executors = {pid for pid in below({os.getpid()}) if "CoarseGrainedExecutorBackend" in stats[pid][2]}
    workers = below(executors)
    ticks = os.sysconf("SC_CLK_TCK")
    for pid in workers:
        own, ended = stats[pid][1][:2], stats[pid][1][2:]
        seconds["java" if pid in executors else "python"] += sum(own) / ticks
        seconds["python"] += sum(ended) / ticks
    return seconds


def fingerprints(work, count, compression):
    draw = numpy.random.default_rng(2)
    for name, rows in [("stored", count), ("queries", count // 100)]:
        values = draw.integers(-(2**63), 2**63, rows, dtype=numpy.int64)
        table = pandas.DataFrame({"id": numpy.arange(rows), "fingerprint": values})
        table.to_parquet(work / f"{name}.parquet", row_group_size=1 << 19, compression=compression)


def forties(spark, millions):
    """Pairs of clusters of forty documents, whose ids are hashes; the pairs of one cluster stand as far from each other as can be."""
    each = 40 * 39 // 2
    clusters = millions * 10**6 // each
    numbers = spark.range(0, clusters * each, 1, 32).selectExpr(f"id % {clusters} as c", f"id div {clusters} as k")
    numbers = numbers.selectExpr("c", "k", "cast(floor((79 - sqrt(79 * 79 - 8 * k)) / 2) as int) as i")
    numbers = numbers.selectExpr("c", "i", "cast(k - (i * 79 - i * i) / 2 + i + 1 as int) as j")
    ids = numbers.selectExpr("lower(hex(xxhash64(c, i))) as a", "lower(hex(xxhash64(c, j))) as b")
    return ids.selectExpr("least(a, b) as first", "greatest(a, b) as second"), clusters


def told(work):
    """Seconds of the tasks of each stage, by the job group that it belongs to, and the peak memory of an executor in megabytes."""
    seconds, group_of, memory = defaultdict(list), {}, defaultdict(dict)
    (log,) = [path for path in work.iterdir() if path.is_file() and path.name.startswith("app-")]
    for line in log.open():
        event = json.loads(line)
        match event["Event"]:
            case "SparkListenerJobStart":
                group = event["Properties"].get("spark.jobGroup.id")
                group_of.update(dict.fromkeys(event["Stage IDs"], group))
            case "SparkListenerTaskEnd" if "Task Metrics" in event:
                seconds[event["Stage ID"]].append(event["Task Metrics"]["Executor Run Time"] / 1000)
            case "SparkListenerStageExecutorMetrics" if event["Executor ID"] != "driver":
                peaks = memory[group_of.get(event["Stage ID"])]
                for process in ("JVM", "Python"):
                    peak = event["Executor Metrics"][f"ProcessTree{process}RSSMemory"] // 10**6
                    peaks[process] = max(peaks.get(process, 0), peak)
    return {group: [seconds[stage] for stage in seconds if group_of.get(stage) == group] for group in ("pairs",)}, memory


def joined(work, millions):
    spark = session(work)
    found, expected = forties(spark, millions)
    began = time.monotonic()
    sizes = clusters(found).groupBy("representative").count().groupBy("count").count().collect()
    assert [tuple(row) for row in sizes] == [(40, expected)], sizes
    seconds = {kind: f"{took:.0f} core-seconds" for kind, took in worked().items()}
    print(f"clusters of {millions} million pairs: {time.monotonic() - began:.0f} s;", seconds)
    spark.stop()
    print("peak memory of an executor in MB:", dict(told(work)[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crowd", type=int, default=20_000)
    parser.add_argument("--fingerprints", type=int, default=10_000_000)
    parser.add_argument("--compression", choices=["gzip", "none", "snappy", "zstd"], default="gzip")
    parser.add_argument("--clusters", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if arguments.clusters:
            return joined(work, arguments.clusters)
        documents = crowd(work / "crowd.jsonl", arguments.crowd)
        fingerprints(work, arguments.fingerprints, None if arguments.compression == "none" else arguments.compression)
        spark = session(work)
        if arguments.crowd:
            spark.sparkContext.setJobGroup("pairs", "pairs")
            found = pairs(spark.read.schema("id string, text string").json(str(documents))).count()
        # The first time Java compiles what it runs; streams of billions are not felt by that.
        for group in ("warming", "warming", "near"):
            spark.sparkContext.setJobGroup(group, group)
            before = worked()
            met = near(spark.read.parquet(str(work / "queries.parquet")), str(work / "stored.parquet")).count()
            seconds = {kind: after - before[kind] for kind, after in worked().items()}
        spark.stop()
        stages, memory = told(work)
    if arguments.crowd:
        longest = max(stages["pairs"], key=sum)
        slowest, median = max(longest), statistics.median(longest)
        print(f"pairs of {arguments.crowd} documents: {found} pairs, {sum(map(sum, stages['pairs'])):.0f} core-seconds;", end=" ")
        print(f"{len(longest)} tasks of the longest stage: slowest {slowest:.1f} s, median {median:.1f} s, {slowest / median:.2f} times")
    print(f"near: {met} pairs; {arguments.fingerprints / sum(seconds.values()) / 1e6:.2f} million fingerprints a core-second;", end=" ")
    print("of one of them", {kind: f"{took / arguments.fingerprints * 1e9:.0f} ns" for kind, took in seconds.items()})
    print("peak memory of an executor in MB:", {group: peaks for group, peaks in memory.items() if group})


if __name__ == "__main__":
    main()
