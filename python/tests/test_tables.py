"""Tables as those expect them who work with data frames."""

import pickle
from typing import Any

import pandas
import polars
import pytest

import copytrace
from copytrace import Document

TIDE = "each tide leaves a thin layer of silt between the stems and the surface grows by a few millimetres a year"


@pytest.fixture(scope="module")
def pairs() -> copytrace.Pairs:
    return copytrace.pairs([Document(f"{TIDE} {word}", id=word) for word in ("reed", "silt", "creek")])


def test_a_table_is_indexed_by_columns_rows_and_slices(pairs: copytrace.Pairs) -> None:
    rows = pairs.to_pylist()
    assert len(rows) == 3 and list(pairs) == rows
    assert pairs["first"] == [row["first"] for row in rows]
    assert pairs[0] == rows[0] and pairs[-1] == rows[2]
    for some in (slice(1, None), slice(None, None, -1), slice(5, 9), slice(0, 3, 2)):
        assert isinstance(pairs[some], copytrace.Table)
        assert pairs[some].to_pylist() == rows[some]
    assert polars.DataFrame(pairs[:2]).equals(polars.DataFrame(pairs)[:2])
    with pytest.raises(KeyError, match="no column .*the columns are first,second"):
        pairs["third"]
    for place in (3, -4):
        with pytest.raises(IndexError, match="there are 3 rows"):
            pairs[place]
    wrong: Any = 1.5
    with pytest.raises(TypeError, match=r"a column \(str\), a row \(int\) or a slice"):
        pairs[wrong]


def test_a_table_becomes_a_frame_of_each_library(pairs: copytrace.Pairs) -> None:
    rows = pairs.to_pylist()
    assert pairs.to_polars().to_dicts() == pairs.to_arrow().to_pylist() == rows
    for frame in (pairs.to_pandas(), pandas.DataFrame(pairs)):
        assert isinstance(frame, pandas.DataFrame)
        assert frame.to_dict("records") == rows


def test_reports_have_slices_and_passages_are_pickled() -> None:
    reports = copytrace.check([Document(f"{TIDE} {number}", id=f"thesis-{number}") for number in range(3)], Document(TIDE, id="book"))
    assert [report.id for report in reports[1:]] == ["thesis-1", "thesis-2"]
    assert [report.id for report in reports[::-2]] == ["thesis-2", "thesis-0"]
    (passage,) = reports[0].passages
    again = pickle.loads(pickle.dumps(passage))
    fields = [name for name in dir(passage) if not name.startswith("_")]
    assert len(fields) == 10
    assert all(getattr(again, name) == getattr(passage, name) for name in fields)
    wrong: Any = 1.5
    with pytest.raises(TypeError, match="by an id"):
        reports[wrong]


def test_the_version_is_that_of_the_wheel() -> None:
    from importlib.metadata import version

    assert copytrace.__version__ == version("copytrace")
