"""datasketch's other names: `LeanMinHash`, and what to use in place of those that are not here."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any, NoReturn, Self

from copytrace._native import MinHash


class LeanMinHash(MinHash):
    """A MinHash that takes no more elements and can be hashed and written to a buffer, with the names of `datasketch.LeanMinHash`.

    >>> from copytrace import LeanMinHash, MinHash
    >>> signature = MinHash(num_perm=64)
    >>> signature.update(b"tide")
    >>> lean = LeanMinHash(signature)
    >>> buffer = bytearray(lean.bytesize())
    >>> lean.serialize(buffer)
    >>> LeanMinHash.deserialize(buffer) == lean
    True
    """

    def __new__(cls, minhash: MinHash | None = None, seed: int | None = None, hashvalues: Iterable[int] | None = None) -> Self:
        if minhash is not None:
            seed, hashvalues = minhash.seed, minhash.hashvalues.tolist()
        if seed is None or hashvalues is None:
            raise ValueError("expected a MinHash, or both seed and hashvalues")
        return super().__new__(cls, seed=seed, hashvalues=hashvalues)

    def update(self, b: object) -> NoReturn:
        """Raises `TypeError`."""
        raise TypeError("a LeanMinHash takes no more elements: update a MinHash")

    def update_batch(self, b: object) -> NoReturn:
        """Raises `TypeError`."""
        self.update(b)

    def copy(self) -> LeanMinHash:
        """Another one with the same values."""
        return LeanMinHash(self)

    @staticmethod
    def union(*mhs: MinHash) -> LeanMinHash:
        """The signature of the union of several sets."""
        return LeanMinHash(MinHash.union(*mhs))

    def bytesize(self, byteorder: str = "@") -> int:
        """The bytes that `serialize` writes: the seed in 8, the number of values in 4, each value in 4."""
        return struct.calcsize(f"{byteorder}qi{len(self)}I")

    def serialize(self, buf: bytearray | memoryview, byteorder: str = "@") -> None:
        """Writes it into a buffer; `byteorder` is one of the characters of `struct`."""
        if len(buf) < self.bytesize(byteorder):
            raise ValueError(f"a buffer of {len(buf)} bytes: expected at least {self.bytesize(byteorder)}")
        struct.pack_into(f"{byteorder}qi{len(self)}I", buf, 0, self.seed, len(self), *self.hashvalues.tolist())

    @staticmethod
    def deserialize(buf: bytes | bytearray | memoryview, byteorder: str = "@") -> LeanMinHash:
        """What `serialize` wrote."""
        seed, count = struct.unpack_from(f"{byteorder}qi", buf, 0)
        values = struct.unpack_from(f"{byteorder}{count}I", buf, struct.calcsize(f"{byteorder}qi"))
        return LeanMinHash(seed=seed, hashvalues=values)

    def __hash__(self) -> int:
        return hash((self.seed, self.hashvalues.tobytes()))

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    def __reduce__(self) -> tuple[type[LeanMinHash], tuple[Any, ...]]:
        return LeanMinHash, (None, self.seed, self.hashvalues.tolist())


_INSTEAD = {
    "MinHashLSHForest": "MinHashLSH finds all above a threshold; take the nearest of them by jaccard",
    "MinHashLSHEnsemble": "copytrace.pairs gives containment_first and containment_second of every similar pair",
    "WeightedMinHash": "copytrace.simhash weighs terms by how often they occur",
    "WeightedMinHashGenerator": "copytrace.simhash weighs terms by how often they occur",
    "bBitMinHash": "copytrace.simhash gives 64 bits for each text",
    "HyperLogLog": "MinHash.count estimates the number of different elements",
    "HyperLogLogPlusPlus": "MinHash.count estimates the number of different elements",
    "HNSW": "Index.near and copytrace.near find fingerprints within some bits",
}


def missing(name: str) -> NoReturn:
    """What a module says of a name that it has not."""
    if name in _INSTEAD:
        raise ImportError(f"copytrace has no {name}, as datasketch has; {_INSTEAD[name]}. datasketch's own takes signatures of copytrace.MinHash")
    raise AttributeError(f"module 'copytrace' has no attribute {name!r}")
