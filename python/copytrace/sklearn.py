"""Signatures for scikit-learn, which has to be installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

import copytrace


class Signatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turns texts into MinHash signatures, a row of `hashes` 32-bit numbers for each.

    The share of places in which two rows differ (scikit-learn's metric `hamming`) estimates 1 - J, the Jaccard distance of the texts'
    shingle sets, with an error of at most 1/√hashes. Nothing is learned: `fit` only makes it fit for a pipeline.

    Parameters
    ----------
    shingle : str
        What the sets are made of, as in `copytrace.Settings`.
    hashes : int
        Numbers in a row, 16 to 1024.
    threads : int or None
        As many as there are processors, unless told.

    Examples
    --------
    >>> from sklearn.neighbors import NearestNeighbors
    >>> from copytrace.sklearn import Signatures
    >>> texts = ["each tide leaves a thin layer of silt", "Each tide leaves a thin layer of silt!", "and nothing else was said of it"]
    >>> rows = Signatures(hashes=64).fit_transform(texts)
    >>> NearestNeighbors(n_neighbors=2, metric="hamming").fit(rows).kneighbors(rows[:1])[1].tolist()
    [[0, 1]]
    """

    def __init__(self, *, shingle: str = "units:5", hashes: int = 256, threads: int | None = None) -> None:
        self.shingle = shingle
        self.hashes = hashes
        self.threads = threads

    def fit(self, X: Iterable[str], y: object = None) -> Self:
        """Does nothing but to say that it was done."""
        self.n_features_out_ = self.hashes
        return self

    def transform(self, X: Iterable[str]) -> NDArray[np.uint32]:
        """The signatures of texts: strings, which are texts here and never paths.

        Raises
        ------
        TypeError
            Where one of them is no string.
        """
        if isinstance(X, str):
            raise TypeError("X is a str: expected several texts")
        documents = [copytrace.Document(text, id=f"row {row}") for row, text in enumerate(X)]
        if not documents:
            return np.empty((0, self.hashes), dtype=np.uint32)
        settings = copytrace.Settings(shingle=self.shingle, hashes=self.hashes)
        return copytrace.signatures(documents, settings, threads=self.threads)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """`hash0`, `hash1` and so on."""
        return np.array([f"hash{number}" for number in range(self.hashes)], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        return tags
