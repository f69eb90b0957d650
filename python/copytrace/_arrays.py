"""NumPy arrays, for which NumPy is imported when the first is asked for."""

from typing import Any


def array(data: bytes, kind: str) -> Any:
    """The numbers in `data` as an array, which cannot be written to."""
    try:
        import numpy
    except ImportError as error:
        raise ImportError("this result is a NumPy array: pip install 'copytrace[numpy]'") from error
    return numpy.frombuffer(data, dtype=kind)
