"""MinHash and MinHashLSH: datasketch's names, and its query sets."""

import pickle
import random

import datasketch
import numpy
import pytest
import rensa

import copytrace
from copytrace import LeanMinHash, MinHash, MinHashLSH


def sets(count: int) -> list[list[bytes]]:
    """Sets, of which each has much in common with the one before."""
    draw = random.Random(3)
    made = [[str(draw.randrange(10_000)).encode() for _ in range(60)]]
    while len(made) < count:
        fresh = draw.randrange(40)
        made.append(made[-1][fresh:] + [str(draw.randrange(10_000)).encode() for _ in range(fresh)])
    return made


def test_a_script_changes_one_import() -> None:
    elements = sets(40)
    found = []
    for library in (datasketch, __import__("copytrace")):
        lsh = library.MinHashLSH(threshold=0.5, num_perm=128)
        signatures = [library.MinHash(num_perm=128) for _ in elements]
        with lsh.insertion_session() as session:
            for key, (signature, words) in enumerate(zip(signatures, elements)):
                signature.update_batch(words)
                session.insert(key, signature)
        found.append((lsh.b, lsh.r, signatures[0].jaccard(signatures[1]), signatures[0].count(), 3 in lsh))
    (b, r, jaccard, count, inside), ours = found
    exact = len({*elements[0]} & {*elements[1]}) / len({*elements[0]} | {*elements[1]})
    assert (b, r, inside) == (ours[0], ours[1], ours[4])
    assert abs(jaccard - exact) < 0.15 and abs(ours[2] - exact) < 0.15
    assert abs(count - 60) < 20 and abs(ours[3] - 60) < 20


@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.7, 0.9])
@pytest.mark.parametrize("num_perm", [64, 128])
def test_the_banding_is_the_one_that_datasketch_chooses(threshold: float, num_perm: int) -> None:
    ours = MinHashLSH(threshold, num_perm)
    theirs = datasketch.MinHashLSH(threshold, num_perm)
    assert (ours.b, ours.r) == (theirs.b, theirs.r)


@pytest.mark.parametrize("params", [(16, 8), (42, 3), (128, 1)])
def test_with_equal_signatures_the_query_sets_are_equal(params: tuple[int, int]) -> None:
    ours, theirs = MinHashLSH(params=params), datasketch.MinHashLSH(params=params)
    rows = MinHashLSH(params=params)
    signatures = []
    for key, words in enumerate(sets(120)):
        signature = datasketch.MinHash(num_perm=128)
        signature.update_batch(words)
        signatures.append(signature)
        ours.insert(key, signature)
        theirs.insert(key, signature)
    rows.insert_many(range(120), numpy.array([signature.hashvalues for signature in signatures]))
    sizes = 0
    for signature in signatures:
        expected = set(theirs.query(signature))
        sizes += len(expected)
        assert set(ours.query(signature)) == set(rows.query(signature)) == expected
    assert sizes > 120
    for key in (5, 50, 119):
        ours.remove(key)
        theirs.remove(key)
    assert all(set(ours.query(signature)) == set(theirs.query(signature)) for signature in signatures)


def test_signatures_of_rensa_are_taken_too() -> None:
    lsh = MinHashLSH(params=(16, 8))
    for key, words in enumerate(sets(3)):
        signature = rensa.RMinHash(num_perm=128, seed=1)
        signature.update([word.decode() for word in words])
        lsh.insert(key, signature)
        assert key in lsh.query(signature)


def test_unions_copies_and_pickles_are_what_they_say() -> None:
    a, b = MinHash.bulk([[b"tide", b"silt"], [b"reed"]])
    both = MinHash()
    both.update_batch([b"tide", b"silt", b"reed"])
    assert MinHash.union(a, b) == both
    copy = a.copy()
    copy.merge(b)
    assert copy == both and a != both
    assert pickle.loads(pickle.dumps(both)) == both
    assert both.digest().dtype == numpy.uint32 and len(both) == 128
    both.clear()
    assert both.is_empty()
    lsh = MinHashLSH(threshold=0.5)
    lsh.insert("a", a)
    lsh.insert(("any", 1), b)
    again = pickle.loads(pickle.dumps(lsh))
    assert again.query(b) == [("any", 1)] and len(again) == 2
    again.remove("a")
    assert again.query(a) == []


def test_an_index_holds_signatures_of_one_make() -> None:
    ours, theirs = MinHash(), datasketch.MinHash(num_perm=128)
    lsh = MinHashLSH()
    lsh.insert("ours", ours)
    for kept in (lsh, pickle.loads(pickle.dumps(lsh))):
        for use in (kept.query, lambda signature: kept.insert("other", signature)):
            with pytest.raises(ValueError, match="is of datasketch with seed 1: expected one of copytrace with seed 1, as this index holds"):
                use(theirs)
            with pytest.raises(ValueError, match="is of copytrace with seed 2"):
                use(MinHash(seed=2))
        assert kept.query(ours) == kept.query(ours.digest()) == ["ours"]
    lsh.remove("ours")
    lsh.insert("theirs", theirs)
    assert lsh.query(theirs) == ["theirs"]


def length(element: str) -> int:
    return len(element)


def test_a_hash_function_of_ones_own_hashes_and_is_pickled() -> None:
    a, b = MinHash(hashfunc=length), MinHash(hashfunc=length)
    a.update_batch(["tide", "reed"])
    b.update("silt")
    assert a == b and a.jaccard(b) == 1.0 and not a.is_empty()
    again = pickle.loads(pickle.dumps(a))
    again.update("marsh at the creek")
    b.update("creek at the marsh")
    assert again == b != a
    # Numbers of 64 bits that are alike in their lower half are not one.
    wide, low = MinHash(hashfunc=lambda bits: 7 + (1 << bits)), MinHash(hashfunc=lambda _: 7)
    wide.update(40)
    low.update(0)
    assert wide.jaccard(low) < 0.5


def test_lean_signatures_are_keys_are_written_and_take_no_more() -> None:
    signature = MinHash(num_perm=64, seed=3)
    signature.update_batch([b"tide", b"silt"])
    lean = LeanMinHash(signature)
    assert {lean: 1}[LeanMinHash(seed=3, hashvalues=signature.hashvalues)] == 1
    assert lean == pickle.loads(pickle.dumps(lean)) == lean.copy() == signature
    with pytest.raises(TypeError, match="takes no more elements"):
        lean.update(b"reed")
    with pytest.raises(ValueError, match="a buffer of 9 bytes: expected at least 268"):
        lean.serialize(bytearray(9))
    lsh = MinHashLSH(num_perm=64)
    lsh.insert("a", signature)
    assert lsh.query(lean) == ["a"]


def test_indexes_are_merged() -> None:
    a, b = MinHash.bulk([[b"tide", b"silt"], [b"reed"]])
    first, second = MinHashLSH(threshold=0.5), MinHashLSH(threshold=0.5)
    first.insert("a", a)
    second.insert("a", b)
    second.insert("b", b)
    with pytest.raises(ValueError, match="the key 'a' is in both"):
        first.merge(second, check_overlap=True)
    first.merge(second)
    assert (first.query(a), first.query(b), len(first)) == ([], ["a", "b"], 2)
    for other in (MinHashLSH(params=(4, 4)), first):
        with pytest.raises(ValueError, match="different bands|not merged with itself"):
            first.merge(other)


def test_what_cannot_be_used_is_refused_with_what_was_expected() -> None:
    a = MinHash()
    with pytest.raises(TypeError, match="element 1 is str: expected bytes"):
        a.update_batch([b"one", "two"])
    for num_perm in (0, 1025):
        with pytest.raises(ValueError, match="1 to 1024"):
            MinHash(num_perm=num_perm)
    with pytest.raises(TypeError, match="hashfunc gave -1: expected a whole number"):
        MinHash(hashfunc=lambda _: -1).update("tide")
    with pytest.raises(ValueError, match="hashfunc is 'sha1': expected a callable"):
        MinHash(hashfunc="sha1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="storage_config of type 'redis': this index lives in memory"):
        MinHashLSH(storage_config={"type": "redis"})
    for name in ("MinHashLSHForest", "MinHashLSHEnsemble", "WeightedMinHashGenerator"):
        with pytest.raises(ImportError, match=f"copytrace has no {name}, as datasketch has; .*copytrace"):
            getattr(copytrace, name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        copytrace.nothing
    with pytest.raises(ValueError, match="expected num_perm=128, seed=1"):
        a.jaccard(MinHash(seed=2))
    lsh = MinHashLSH(params=(16, 8))
    with pytest.raises(ValueError, match="64 values: expected 128"):
        lsh.insert("a", MinHash(num_perm=64))
    with pytest.raises(TypeError, match="expected a MinHash"):
        lsh.insert("a", None)
    lsh.insert("a", a)
    with pytest.raises(ValueError, match="there already"):
        lsh.insert("a", a)
    for library in (lsh, datasketch.MinHashLSH()):
        with pytest.raises(ValueError, match="does not exist"):
            library.remove("b")
    with pytest.raises(ValueError, match="at most 128"):
        MinHashLSH(params=(64, 8))
    with pytest.raises(ValueError, match=r"shape \(2, 128\)"):
        lsh.insert_many(["x", "y"], numpy.zeros((1, 128), dtype=numpy.uint32))
