"""NumPy arrays and data frames, for which the library is imported when the first is asked for."""

from typing import Any


def array(data: bytes, kind: str) -> Any:
    """The numbers in `data` as an array, which cannot be written to."""
    try:
        import numpy
    except ImportError as error:
        raise ImportError("this result is a NumPy array: pip install 'copytrace[numpy]'") from error
    return numpy.frombuffer(data, dtype=kind)


def to_polars(table: Any) -> Any:
    import polars

    return polars.DataFrame(table)


def to_arrow(table: Any) -> Any:
    import pyarrow

    return pyarrow.table(table)


def to_pandas(table: Any) -> Any:
    import pandas

    try:
        return pandas.DataFrame.from_arrow(table)  # type: ignore[attr-defined]
    except (AttributeError, ImportError):  # pandas before 3, or pandas without pyarrow
        return pandas.DataFrame({name: table[name] for name in table.columns})
