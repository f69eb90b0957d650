"""Stages of a pipeline of `pyspark.ml`, which can be saved and loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.ml import Transformer
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable

import copytrace
from copytrace.spark._check import check
from copytrace.spark._pairs import clusters, pairs

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class _Stage(Transformer, DefaultParamsReadable, DefaultParamsWritable):  # type: ignore[misc]
    threshold: Any = Param(Params._dummy(), "threshold", "Jaccard similarity from which documents are alike", TypeConverters.toFloat)

    def __init__(self, **values: Any) -> None:
        super().__init__()
        self._setDefault(threshold=0.7)
        self._set(**values)


class NearDuplicates(_Stage):
    """Keeps one document of each cluster of near-duplicates, that of the smallest id.

    The columns are those of the input, which must have `id` and `text`. Parameters are `threshold` and `shingle`, as of
    `copytrace.Settings`. Finding clusters takes rounds on the cluster, which are run when `transform` is called.
    """

    shingle: Any = Param(Params._dummy(), "shingle", "what a shingle is", TypeConverters.toString)

    def __init__(self, *, threshold: float = 0.7, shingle: str = "units:5") -> None:
        super().__init__(threshold=threshold, shingle=shingle)

    def _transform(self, dataset: DataFrame) -> DataFrame:
        settings = copytrace.Settings(threshold=self.getOrDefault("threshold"), shingle=self.getOrDefault("shingle"))
        members = clusters(pairs(dataset, settings))
        others = members.where("document != representative").selectExpr("document as id")
        return dataset.join(others, "id", "left_anti")


class CopytraceCheck(_Stage):
    """Checks submissions against an index that `build` made: a table of results by `id`.

    Parameters are `root`, the index; `table`, which of the tables of `check`: `summary`, `sources`, `passages` or `json`; and `threshold`.
    """

    root: Any = Param(Params._dummy(), "root", "the index", TypeConverters.toString)
    table: Any = Param(Params._dummy(), "table", "summary, sources, passages or json", TypeConverters.toString)

    def __init__(self, *, root: str = "", table: str = "summary", threshold: float = 0.7) -> None:
        super().__init__(root=root, table=table, threshold=threshold)

    def _transform(self, dataset: DataFrame) -> DataFrame:
        tables = check(dataset, self.getOrDefault("root"), threshold=self.getOrDefault("threshold"))
        name = self.getOrDefault("table")
        if name not in tables:
            raise ValueError(f"table is {name!r}: expected some of {sorted(tables)}")
        return tables[name]
