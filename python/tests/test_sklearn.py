"""Signatures in a pipeline of scikit-learn."""

import doctest
import pickle

import numpy
import pytest
from conftest import planted
from sklearn.base import clone
from sklearn.cluster import DBSCAN
from sklearn.pipeline import make_pipeline

import copytrace
import copytrace.sklearn
from copytrace.sklearn import Signatures


def test_the_example_of_the_transformer_is_true() -> None:
    result = doctest.testmod(copytrace.sklearn)
    assert result.attempted >= 4 and result.failed == 0


def test_signatures_stand_in_a_pipeline_and_find_the_copies() -> None:
    sources, _ = planted(10)
    texts = [document.text for document in sources] * 2
    labels = make_pipeline(Signatures(hashes=128), DBSCAN(eps=0.1, min_samples=2, metric="hamming")).fit_predict(texts)
    assert labels.tolist() == list(range(10)) * 2
    rows = Signatures(hashes=128).set_params(threads=1).transform(texts)
    assert rows.dtype == numpy.uint32
    assert (rows == copytrace.signatures(sources * 2, copytrace.Settings(hashes=128))).all()


def test_it_is_cloned_pickled_and_asked_as_every_transformer_is() -> None:
    made = Signatures(hashes=16, shingle="chars:9")
    for again in (clone(made), pickle.loads(pickle.dumps(made))):
        assert again.get_params() == {"hashes": 16, "shingle": "chars:9", "threads": None}
    assert made.get_feature_names_out()[-1] == "hash15"
    assert made.fit([]).transform([]).shape == (0, 16)
    with pytest.raises(TypeError, match="X is a str"):
        made.transform("one text")
    with pytest.raises(TypeError, match="text is int"):
        made.transform([1])  # type: ignore[list-item]
