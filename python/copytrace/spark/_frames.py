"""What the data frames of a job have in common."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import copytrace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

KNOWN = ("title", "author", "date", "collection")


def documents(df: DataFrame) -> DataFrame:
    """The columns that are read, as strings. Raises `ValueError` where one is missing."""
    from pyspark.sql import functions as F

    missing = {"id", "text"} - set(df.columns)
    if missing:
        raise ValueError(f"the data frame has no column {sorted(missing)}, but {df.columns}: expected id and text")
    return df.select(*(F.col(name).cast("string") for name in ("id", "text", *KNOWN) if name in df.columns))


def arrow(table: copytrace.Table) -> pa.Table:
    """A table in types that Spark has: it knows no numbers without a sign."""
    read = pa.table(table)
    wanted = {pa.uint64(): pa.int64(), pa.large_string(): pa.string()}
    return read.cast(pa.schema([(field.name, wanted.get(field.type, field.type)) for field in read.schema]))


def schema(table: pa.Schema) -> str:
    """An Arrow schema as Spark writes it."""
    names = {pa.int64(): "long", pa.string(): "string", pa.float64(): "double", pa.bool_(): "boolean"}
    return ", ".join(f"`{field.name}` {names[field.type]}" for field in table)


def to_table(df: DataFrame, columns: list[str]) -> copytrace.Table:
    """The rows of a result on the driver, as the table whose columns they are, to be written as the program writes it."""
    rows = df.select(*columns).toArrow().combine_chunks()
    wanted = {pa.int64(): pa.uint64(), pa.string(): pa.large_string()}
    rows = rows.cast(pa.schema([(field.name, wanted.get(field.type, field.type)) for field in rows.schema]))
    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, rows.schema) as writer:
        writer.write_table(rows)
    return copytrace.Table._restored(stream.getvalue().to_pybytes())


def warn(missing: list[tuple[str, str]], more: bool) -> None:
    """Warns of documents that are missing from a result."""
    if missing:
        told = "; ".join(f"{id}: {reason}" for id, reason in missing)
        warnings.warn(told + ("; and others" if more else ""), copytrace.UnreadableWarning, stacklevel=3)
