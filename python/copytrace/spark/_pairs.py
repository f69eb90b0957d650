"""All pairs of similar documents, and the clusters they form."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import copytrace
from copytrace.spark import _tasks
from copytrace.spark._frames import arrow, documents, schema
from copytrace.spark._session import is_remote, keep, prepare

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# A bucket of more members is cut into blocks of about this many, and each two blocks are a piece of work of its own: the pairs
# are the same, but no task has more than its share.
BLOCK = 1000

# Documents that are joined by one task, in about a gigabyte; more are joined by rounds on the cluster, of which each takes
# minutes where one task takes seconds.
ONE_TASK = 16_000_000


def pairs(df: DataFrame, settings: copytrace.Settings | None = None) -> DataFrame:
    """All pairs of documents whose Jaccard similarity is at least `settings.threshold`, with the columns and in the order of the
    CSV file of `copytrace pairs`.

    Documents of one normalised text are one until the end. The bands of the others are grouped; a pair is verified exactly, once,
    in the bucket of the first band that it shares. Nothing is done before the pairs are asked for; what several steps read is kept
    until `release`. Documents that cannot be read or compared are rows of the result's attribute `unread`, a data frame of `id` and
    `reason`; a missing or repeated id ends the work.
    """
    from pyspark.sql import functions as F
    from pyspark.storagelevel import StorageLevel

    prepare(df.sparkSession)
    rows = documents(df).select("id", "text")
    profiles = rows.mapInArrow(partial(_tasks.profile, settings=settings), _tasks.PROFILED)
    profiles = keep(profiles, StorageLevel.DISK_ONLY)

    # Ids and hashes alone are shuffled to see whether an id is there twice.
    once = profiles.groupBy("id").agg(F.count("*").alias("rows"), F.first("content").alias("content"))
    twice = F.concat(F.lit("the id "), "id", F.lit(" occurs several times: expected every id once"))
    content = F.when(F.col("rows") == 1, F.col("content")).otherwise(F.raise_error(twice).cast("binary"))
    read = once.select("id", content.alias("content")).where("content is not null")

    # One original for each text: that of the smallest id.
    originals = read.groupBy("content").agg(F.min("id").alias("original"), F.count("*").alias("copies"))
    copied = keep(read.join(originals.where("copies > 1"), "content").select("id", "original"))
    unique = profiles.where("error is null").join(
        copied.where("id != original").select("id"), "id", "left_anti"
    )

    buckets = unique.select("id", F.posexplode("bands").alias("band", "key"))
    sizes = buckets.groupBy("band", "key").agg(F.count("*").alias("members")).where("members > 1")
    members = buckets.join(sizes, ["band", "key"])
    blocks = F.ceil(F.col("members") / F.lit(BLOCK)).cast("long")
    members = members.withColumn("blocks", blocks).withColumn("block", F.expr("pmod(xxhash64(id), blocks)"))
    # A block meets every block, itself among them.
    meetings = F.expr("explode(transform(sequence(0L, blocks - 1), o -> struct(least(block, o) as i, greatest(block, o) as j)))")
    pieces = members.select("id", "band", "key", "block", meetings.alias("piece"))
    pieces = pieces.select(
        "id", F.col("band").cast("long"), F.col("key").cast("long"), "block", F.col("piece.i").alias("i"), F.col("piece.j").alias("j")
    )
    profiled = unique.select("id", "keys", "shingles", "signature", "fingerprint")
    work = pieces.join(profiled, "id").repartition(*_tasks.PIECE).sortWithinPartitions(*_tasks.PIECE, "id")
    form: Any = arrow(copytrace.pairs(copytrace.Document("one two three four five")))
    found = work.mapInArrow(partial(_tasks.similar, settings=settings), schema(form.schema))

    result = _expanded(found, copied).orderBy("first", "second")
    result.unread = profiles.where("error is not null").selectExpr("id", "error as reason").orderBy("id")
    return result


def _expanded(found: DataFrame, copied: DataFrame) -> DataFrame:
    """The pairs of originals, and those of their copies."""
    from pyspark.sql import functions as F

    def members(side: str) -> DataFrame:
        return copied.select(F.col("original").alias(side), F.col("id").alias(f"{side}_copy"))

    every = found.join(members("first"), "first", "left").join(members("second"), "second", "left")
    first, second = F.coalesce("first_copy", "first"), F.coalesce("second_copy", "second")
    every = every.withColumn("a", first).withColumn("b", second)
    swapped = F.col("a") > F.col("b")
    others = [name for name in found.columns if name not in ("first", "second", "containment_first", "containment_second")]
    every = every.select(
        F.least("a", "b").alias("first"),
        F.greatest("a", "b").alias("second"),
        F.when(swapped, F.col("containment_second")).otherwise(F.col("containment_first")).alias("containment_first"),
        F.when(swapped, F.col("containment_first")).otherwise(F.col("containment_second")).alias("containment_second"),
        *others,
    ).select(*found.columns)
    left = copied.select("original", F.col("id").alias("first"))
    right = copied.select("original", F.col("id").alias("second"))
    alike = left.join(right, "original").where("first < second")
    equal = {"hamming": F.lit(0).cast("long"), "simhash_agrees": F.lit(True)}
    columns = [
        F.col(name) if name in ("first", "second") else equal.get(name, F.lit(1.0)).alias(name) for name in found.columns
    ]
    return every.unionByName(alike.select(*columns))


def clusters(pairs: DataFrame) -> DataFrame:
    """The clusters that pairs form: `representative`, the smallest id, and `document`, in the order of both, as `copytrace pairs
    --clusters` writes them.

    They are the connected components. Each task joins its share of the pairs to trees; the trees are joined by one task or, where
    their documents are too many for it, by alternating stars (Kiveris et al. 2014): every round hands each node's larger neighbours, then
    all of its neighbours but the smallest, to the smallest of them, until nothing changes. The pairs are read once, when this is called,
    because only what one step comes to tells which is next; the driver holds none of them.
    """
    from pyspark.sql import functions as F
    from pyspark.storagelevel import StorageLevel

    prepare(pairs.sparkSession)
    ids = pairs.select(F.col("first").cast("string"), F.col("second").cast("string"))
    trees = keep(ids.mapInArrow(_tasks.trees, "first string, second string"), StorageLevel.DISK_ONLY)
    # Of the documents of a cluster all but one are second somewhere.
    if trees.agg(F.approx_count_distinct("second")).collect()[0][0] > ONE_TASK:
        return _stars(trees)
    members = trees.coalesce(1).mapInArrow(_tasks.members, "representative string, document string")
    return members.orderBy("representative", "document")


def _stars(edges: DataFrame) -> DataFrame:
    """The clusters that any number of edges form."""
    from pyspark.sql import functions as F

    def star(edges: DataFrame, large: bool) -> DataFrame:
        """Joins the neighbours of each node to the smallest one."""
        both = edges.union(edges.select(F.col("second").alias("first"), F.col("first").alias("second")))
        both = both if large else both.where("second < first")
        least = both.groupBy("first").agg(F.min("second").alias("near")).select("first", F.least("first", "near").alias("least"))
        joined = both.join(least, "first")
        kept = joined.where("second > first") if large else joined
        moved = kept.select(F.col("least").alias("first"), "second")
        if not large:
            moved = moved.union(least.select(F.col("least").alias("first"), F.col("first").alias("second")))
        return moved.where("first < second").distinct()

    def sign(edges: DataFrame) -> Any:
        return edges.agg(F.count("*"), F.sum(F.xxhash64("first", "second").cast("decimal(38,0)"))).collect()[0]

    spark = edges.sparkSession
    # An executor that dies takes what it holds with it: a folder for checkpoints, where the session has one, survives it.
    kept = not is_remote(spark) and spark.sparkContext.getCheckpointDir() is not None
    edges = edges.distinct()
    before = None
    while True:
        edges = star(star(edges, large=True), large=False)
        edges = edges.checkpoint() if kept else edges.localCheckpoint()
        now = sign(edges)
        if now == before:
            break
        before = now
    heads = edges.select(F.col("first").alias("representative")).distinct()
    members = edges.select(F.col("first").alias("representative"), F.col("second").alias("document"))
    all_members = members.union(heads.select("representative", F.col("representative").alias("document")))
    return all_members.orderBy("representative", "document")
