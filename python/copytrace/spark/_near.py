"""Fingerprints within some bits of each other."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

from copytrace.spark import _tasks
from copytrace.spark._session import is_remote, prepare

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def near(df: DataFrame, root: str | DataFrame, k: int = 3) -> DataFrame:
    """The pairs of a query and a stored fingerprint that differ in at most `k` bits (0 to 7): `query`, `match` and `hamming`, ordered by
    the first two.

    Both sides have the columns `id` (a whole number) and `fingerprint` (64 bits, as a `long`); the stored ones are a data frame,
    or a folder of Parquet files. The queries are collected when this is called, and sent to every executor, 16 bytes each, and the
    stored fingerprints stream past their tables (Manku, Jain and Das Sarma 2007).
    """
    if not 0 <= k <= 7:
        raise ValueError(f"k is {k}: expected 0 to 7 bits")
    spark = prepare(df.sparkSession)
    stored = spark.read.parquet(root) if isinstance(root, str) else root
    columns = ["cast(id as long) id", "cast(fingerprint as long) fingerprint"]
    asked = df.selectExpr(*columns).where("id is not null and fingerprint is not null").toArrow()
    parts = [asked.column(name).combine_chunks().to_numpy().astype("<i8").tobytes() for name in ("id", "fingerprint")]
    # Spark Connect has no broadcast: there the queries go with the code.
    queries = SimpleNamespace(value=tuple(parts)) if is_remote(spark) else spark.sparkContext.broadcast(tuple(parts))
    rows = stored.selectExpr(*columns).where("id is not null and fingerprint is not null")
    met = rows.mapInArrow(partial(_tasks.meet, queries=queries, k=k), "query long, match long, hamming long")
    return met.orderBy("query", "match")
