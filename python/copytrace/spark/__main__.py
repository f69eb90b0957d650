"""A program to submit: `spark-submit …/copytrace/spark/__main__.py`, or `python -m copytrace.spark`, with a command."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

import copytrace
from copytrace.spark import build, check, clusters, near, pairs
from copytrace.spark._frames import to_table, warn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def _read(spark: SparkSession, path: str) -> DataFrame:
    """A folder or file of Parquet, or of JSON lines."""
    if any(path.endswith(ending) for ending in (".jsonl", ".jsonl.gz", ".ndjson", ".json")):
        return spark.read.json(path)
    return spark.read.parquet(path)


def _write(df: DataFrame, path: str) -> None:
    """A CSV file as the `copytrace` program writes it, on the driver; or a folder of Parquet on the cluster."""
    if path.endswith(".csv"):
        to_table(df, df.columns).to_csv(path)
    else:
        df.write.parquet(path)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m copytrace.spark", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    ending = "Parquet, or JSON lines (.jsonl)"

    of_build = commands.add_parser("build", help="make an index of many folders")
    of_build.add_argument("documents", help=f"columns id and text: {ending}")
    of_build.add_argument("root", help="the index: a folder that all machines reach by this path")
    of_build.add_argument("--partitions", type=int, required=True, help="the number of folders")
    of_build.add_argument("--added", type=int, default=0, help="the time to note, in seconds since 1970")
    of_build.add_argument("--no-text", action="store_true", help="keep no wordings")

    of_check = commands.add_parser("check", help="check submissions against an index")
    of_check.add_argument("submissions", help=f"columns id and text: {ending}")
    of_check.add_argument("root", help="the index")
    of_check.add_argument("-o", "--output", required=True, help="the folder for the tables")
    of_check.add_argument("--format", choices=["csv", "parquet"], default="csv", help="csv is written by the driver")

    of_pairs = commands.add_parser("pairs", help="find all similar documents of a corpus")
    of_pairs.add_argument("documents", help=f"columns id and text: {ending}")
    of_pairs.add_argument("-o", "--output", required=True, help="a .csv file (by the driver) or a folder of Parquet")
    of_pairs.add_argument("--clusters", help="the same for clusters")
    of_pairs.add_argument("--threshold", type=float, default=0.7, help="the Jaccard similarity from which a pair counts")

    of_near = commands.add_parser("near", help="find fingerprints near to others")
    of_near.add_argument("queries", help=f"columns id and fingerprint: {ending}")
    of_near.add_argument("stored", help="the same, Parquet")
    of_near.add_argument("-o", "--output", required=True, help="a .csv file (by the driver) or a folder of Parquet")
    of_near.add_argument("--distance", type=int, default=3, help="bits, 0 to 7")
    return parser.parse_args()


def main() -> None:
    """Runs a command."""
    from pyspark.sql import SparkSession

    arguments = _arguments()
    spark = SparkSession.builder.appName("copytrace").getOrCreate()
    match arguments.command:
        case "build":
            documents = _read(spark, arguments.documents)
            build(documents, arguments.root, arguments.partitions, added=arguments.added, texts=not arguments.no_text)
        case "check":
            tables = check(_read(spark, arguments.submissions), arguments.root)
            for name, table in tables.items():
                ending = ".csv" if arguments.format == "csv" and name != "json" else ""
                _write(table, os.path.join(arguments.output, name + ending))
        case "pairs":
            settings = copytrace.Settings(threshold=arguments.threshold)
            found = pairs(_read(spark, arguments.documents), settings).persist()
            _write(found, arguments.output)
            unread = found.unread.limit(4).collect()
            warn([(row["id"], row["reason"]) for row in unread[:3]], len(unread) > 3)
            if arguments.clusters:
                _write(clusters(found), arguments.clusters)
        case "near":
            found = near(_read(spark, arguments.queries), arguments.stored, arguments.distance)
            _write(found, arguments.output)
    spark.stop()


if __name__ == "__main__":
    main()
