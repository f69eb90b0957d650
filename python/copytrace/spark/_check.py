"""An index in many folders, and submissions checked against it."""

from __future__ import annotations

import json
import os
import uuid
from functools import partial
from typing import TYPE_CHECKING, Any

import copytrace
from copytrace.spark import _session, _store, _tasks
from copytrace.spark._frames import arrow, documents, schema, warn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MANIFEST = "copytrace-spark.json"


def build(
    df: DataFrame,
    root: str,
    partitions: int,
    settings: copytrace.Settings | None = None,
    added: int = 0,
    *,
    texts: bool = True,
    name: str | None = None,
) -> None:
    """Builds an index of `partitions` folders below `root`, a folder that the driver and every executor reach by this path, or an
    address that fsspec knows, such as `s3://bucket/index`.

    A document belongs to the folder that a hash of its id says, whatever task writes it. A task writes its folder aside and copies
    it under a name of its own attempt; the manifest is put in its place last, in one step. Until then an earlier index under
    `root` answers, and afterwards its folders are removed. `added` is the time that is noted, in seconds since 1970 (UTC);
    `name` is what reports call the index, `root` unless told; without `texts` no wordings are kept.

    Documents that cannot be indexed are warned of (`UnreadableWarning`); the others are there. A missing or repeated id ends the
    work, and so is told as an error of Spark's.
    """
    from pyspark.sql import functions as F

    if partitions < 1:
        raise ValueError(f"partitions is {partitions}: expected at least 1")
    _session.prepare(df.sparkSession)
    if not _store.is_address(root):
        os.makedirs(root, exist_ok=True)
    rows = documents(df).withColumn("part", F.pmod(F.xxhash64("id"), F.lit(partitions)).cast("int"))
    token = uuid.uuid4().hex[:12]
    task = partial(_tasks.build, root=root, token=token, settings=settings, texts=texts, added=added)
    shuffled = rows.repartition(partitions, "part").sortWithinPartitions("part", "id")
    built = shuffled.mapInArrow(task, "part int, folder string, documents long, files string, refused string").collect()
    if not any(row["documents"] for row in built):
        raise ValueError("there is no readable document")
    folders = [
        {"part": row["part"], "folder": row["folder"], "documents": row["documents"], "files": json.loads(row["files"])}
        for row in built
    ]
    manifest = {
        "format": 1,
        "name": root if name is None else name,
        "partitions": partitions,
        "folders": sorted((folder for folder in folders if folder["documents"]), key=lambda folder: folder["part"]),
    }
    _commit(root, manifest)
    refused = [(id, reason) for row in built for id, reason in json.loads(row["refused"])]
    warn(refused[:3], len(refused) > 3)


def _commit(root: str, manifest: dict[str, Any]) -> None:
    _store.commit(root, MANIFEST, manifest)


def manifest_of(root: str) -> dict[str, Any]:
    """The manifest of an index in many folders."""
    try:
        content = _store.read(root, MANIFEST)
    except FileNotFoundError:
        raise FileNotFoundError(f"{root}: holds no index of copytrace.spark.build ({MANIFEST} is not there)") from None
    try:
        manifest: dict[str, Any] = json.loads(content)
    except ValueError as error:
        raise copytrace.DamagedError(f"{root}/{MANIFEST}: {error}") from None
    if manifest.get("format") != 1:
        raise copytrace.CopytraceError(f"{root}: written in format {manifest.get('format')}; this version reads format 1")
    return manifest


def check(df: DataFrame, root: str, *, threshold: float = 0.7) -> dict[str, DataFrame]:
    """Checks submissions against an index that `build` made: `summary`, `sources` and `passages`, with the columns and in the order of
    the CSV files, and `json`, the reports by `id`. They say what `copytrace check` says with one index of all documents
    (but without comparing the submissions with each other).

    First every folder counts how many of its documents hold the keys of each submission; with the sums each finds what one
    index would find among its documents; then findings are merged and counted. Nothing is done before the tables are asked for; what
    all of them are made of is kept until `release`.
    """
    from pyspark.sql import functions as F

    manifest = manifest_of(root)
    spark = _session.prepare(df.sparkSession)
    submissions = documents(df)
    folders = [(folder["part"], folder["folder"]) for folder in manifest["folders"]]
    parts = spark.createDataFrame(folders, "part int, folder string")
    asked = submissions.crossJoin(F.broadcast(parts))
    sums = {folder["folder"]: folder.get("files", {}) for folder in manifest["folders"]}
    context = {"root": root, "name": manifest["name"], "threshold": threshold, "sums": sums}
    by_part = (len(folders), "part")

    shuffled = asked.repartition(*by_part).sortWithinPartitions("part", "id")
    counted = shuffled.mapInArrow(partial(_tasks.count, **context), _tasks.COUNTED)
    total = counted.groupBy("id").applyInArrow(_tasks.total, _tasks.COUNTED)
    readable = total.where("error is null").select("id", "counted")
    shuffled = asked.join(readable, "id").repartition(*by_part).sortWithinPartitions("part", "id")
    found = shuffled.mapInArrow(partial(_tasks.find, **context), _tasks.FOUND)
    unread = total.where("error is not null").select(
        "id", F.lit(0).alias("part"), F.lit(None).cast("binary").alias("found"), "error"
    )
    reports = found.unionByName(unread).groupBy("id").applyInArrow(_tasks.report, _tasks.REPORTED)
    reports = _session.keep(reports)

    empty = copytrace.compare(copytrace.Document("one two three four five"), copytrace.Document("one two three four five"))
    forms: dict[str, Any] = {
        "summary": empty._summary,
        "sources": empty.sources,
        "passages": empty._passages,
    }
    result = {}
    for table, form in forms.items():
        columns = schema(arrow(form).schema)
        rows = reports.mapInArrow(partial(_tasks.rows, table=table), f"{columns}, place long")
        result[table] = rows.orderBy("submission", "place").drop("place")
    result["json"] = reports.mapInArrow(_tasks.documents, "id string, json string").orderBy("id")
    return result
