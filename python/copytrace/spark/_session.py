"""What a session must have, set where nobody chose, or told in one sentence."""

from __future__ import annotations

import os
import sys
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Without it Spark starts the first `python3` that it finds, which in an environment that is not activated has no copytrace. It counts
# for sessions that are made after this import, and executors on other machines go by their own.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

# The most rows of a batch that reaches Python, beside the 64 MB that Spark allows: fingerprints take a third less time than by the 10,000
# rows that Spark would put into one, and texts end a batch by their bytes.
BATCH_ROWS = 1 << 20

# For each core of one machine; Spark's own 200 tasks, each with a Python worker, take minutes on small data.
PARTITIONS_A_CORE = 4

_told: set[str] = set()
_kept: list[DataFrame] = []


def prepare(spark: SparkSession) -> SparkSession:
    """Sets what nobody chose: the size of batches and, on one machine, the number of shuffle partitions. Warns once of what would go
    wrong."""
    default: dict[str, Any] = {"spark.sql.execution.arrow.maxRecordsPerBatch": ("10000", BATCH_ROWS)}
    context = None if is_remote(spark) else spark.sparkContext
    if context is not None and context.master.startswith("local") and not context.master.startswith("local-cluster"):
        default["spark.sql.shuffle.partitions"] = ("200", PARTITIONS_A_CORE * context.defaultParallelism)
        if "," not in context.master:
            cores = context.master.removeprefix("local").strip("[]") or "1"
            _tell(f"master {context.master} never repeats a task that failed: local[{cores},4] does")
    for name, (usual, ours) in default.items():
        chosen = context is not None and context.getConf().contains(name)
        if not chosen and spark.conf.get(name) == usual:
            spark.conf.set(name, ours)
    return spark


def is_remote(spark: SparkSession) -> bool:
    """Whether a session speaks to its cluster by Spark Connect."""
    return type(spark).__module__.startswith("pyspark.sql.connect")


def _tell(what: str) -> None:
    if what not in _told:
        _told.add(what)
        warnings.warn(what, stacklevel=4)


def keep(df: DataFrame, level: Any = None) -> DataFrame:
    """Persists a frame that is read several times, until `release`."""
    _kept.append(df.persist() if level is None else df.persist(level))
    return _kept[-1]


def release() -> None:
    """Lets go of what earlier calls of this process keep on the cluster's disks: frames that several of their steps read. Results that
    are asked for afterwards are made anew."""
    while _kept:
        frame = _kept.pop()
        spark = frame.sparkSession
        # A session that was stopped has let go of everything, and cannot be asked.
        if not (spark.is_stopped if is_remote(spark) else spark.sparkContext._jsc is None):
            frame.unpersist()
