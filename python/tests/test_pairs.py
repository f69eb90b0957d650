"""`pairs`, signatures and fingerprints."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import planted, run, same

import copytrace
from copytrace import Document, Settings, _native


def corpus() -> polars.DataFrame:
    """Near-copies, copies, and texts by themselves."""
    sources, _ = planted(30)
    texts = {document.id: document.text for document in sources}
    for number in range(0, 30, 3):
        words = sources[number].text.split()
        texts[f"near-{number}"] = " ".join(words[:290])
        texts[f"copy-{number}"] = sources[number].text.upper()
    return polars.DataFrame({"id": list(texts), "text": list(texts.values())})


def test_pairs_and_clusters_are_those_of_the_program(program: str, tmp_path: Path) -> None:
    df = corpus()
    df.write_ndjson(tmp_path / "corpus.jsonl")
    run(program, "pairs", "corpus.jsonl", "-o", "program/pairs.csv", "--clusters", "program/clusters.csv", cwd=tmp_path)
    pairs = copytrace.pairs(df)
    pairs.to_csv(tmp_path / "wheel" / "pairs.csv")
    pairs.clusters().to_csv(tmp_path / "wheel" / "clusters.csv")
    same(tmp_path / "program", tmp_path / "wheel")
    assert len(pairs) == 30
    index = copytrace.Index.create()
    index.add(df)
    assert copytrace.pairs(index).to_pylist() == pairs.to_pylist()


def test_of_each_cluster_the_representative_is_kept() -> None:
    df = corpus()
    pairs = copytrace.pairs(df)
    kept = df.filter(pairs.keep(df["id"]))
    assert len(kept) == 30
    assert len(copytrace.pairs(kept)) == 0


def test_rows_that_cannot_be_read_are_named_and_warned_of() -> None:
    df = polars.DataFrame({"id": ["a", None, "c", "d"], "text": [None, "one two three four five", "one", "one two three four five"]})
    with pytest.warns(copytrace.UnreadableWarning):
        pairs = copytrace.pairs(df)
    reasons = {row["document"]: row["reason"] for row in pairs.unread.to_pylist()}
    assert reasons["a"] == "its text is null"
    assert reasons["row 1"] == "its id is null or empty"
    assert reasons["c"].startswith("too short")


def test_whole_numbers_may_be_ids() -> None:
    df = polars.DataFrame({"id": [7, 8], "text": ["one two three four five six"] * 2})
    pairs = copytrace.pairs(df)
    assert pairs.to_pylist()[0]["second"] == "8"
    assert pairs.keep(df["id"]).tolist() == [True, False]


def test_signatures_estimate_the_jaccard_similarity_that_pairs_count() -> None:
    df = corpus()
    signatures = copytrace.signatures(df)
    assert signatures.shape == (50, 256) and signatures.dtype == numpy.uint32
    rows = {id: row for id, row in zip(df["id"], signatures)}
    for pair in copytrace.pairs(df).to_pylist():
        estimate = float(numpy.mean(rows[pair["first"]] == rows[pair["second"]]))
        assert estimate == pytest.approx(pair["estimated_jaccard"])
    assert copytrace.signatures(df, Settings(hashes=64)).shape == (50, 64)


def test_a_text_without_a_signature_resembles_nothing() -> None:
    with pytest.warns(copytrace.UnreadableWarning, match="too short"):
        signatures = copytrace.signatures([Document("a b", id="short"), Document("one two three four five")])
    assert signatures[0].tolist() == [2**32 - 1] * 256
    texts = [Document("...", id="dots"), Document("one marsh"), Document("", id="empty")]
    with pytest.warns(copytrace.UnreadableWarning, match=r"row 0: dots: no features.*\(and row 2\)"):
        fingerprints = copytrace.simhash(texts)
    assert fingerprints[[0, 2]].tolist() == [0, 0]
    with pytest.warns(copytrace.UnreadableWarning) as warned:
        assert copytrace.near(fingerprints, fingerprints[1:]).to_pylist() == [{"query": 0, "match": 1, "hamming": 0}]
    said = "row {}: the fingerprint 0, of a text without features, matches nothing"
    assert [str(warning.message) for warning in warned] == [f"stored, {said} (and row 2)".format(0), f"queries, {said}".format(1)]


@pytest.mark.parametrize("kind", [list, tuple, polars.Series, pandas.Series])
def test_fingerprints_may_be_any_sequence_of_whole_numbers(kind: Callable[[list[int]], Any]) -> None:
    near = copytrace.near(kind([1, 2**64 - 1, 255]), kind([3]))
    assert near.to_pylist() == [{"query": 0, "match": 0, "hamming": 1}]


def test_fingerprints_near_each_other_are_all_found() -> None:
    draw = numpy.random.default_rng(1)
    stored = draw.integers(0, 2**64, 3000, dtype=numpy.uint64)
    queries = numpy.concatenate([stored[:40] ^ numpy.uint64(0b101), draw.integers(0, 2**64, 20, dtype=numpy.uint64)])
    for left, right in [(stored, queries), (queries, stored)]:
        expected = [
            {"query": q, "match": m, "hamming": int(right[q] ^ left[m]).bit_count()}
            for q in range(len(right))
            for m in range(len(left))
            if int(right[q] ^ left[m]).bit_count() <= 3
        ]
        assert copytrace.near(left, right).to_pylist() == expected
    with pytest.raises(TypeError, match="queries has 2 dimensions: expected .*uint64"):
        copytrace.near(stored, queries.reshape(-1, 2))
    with pytest.raises(TypeError, match=r"stored\[0\] is .*uint64"):
        copytrace.near(stored.astype(numpy.float64), queries)
    with pytest.raises(TypeError, match=r"queries\[1\] is -1"):
        copytrace.near(stored, [1, -1])
    with pytest.raises(TypeError, match="stored is bytes"):
        copytrace.near(b"abc", queries)
    with pytest.raises(ValueError, match="k is -1: expected a whole number of bits from 0 to 7"):
        copytrace.near(stored, queries, k=-1)
    with pytest.raises(ValueError):
        copytrace.near(stored, queries, k=8)


def test_pairs_that_come_in_batches_join_their_ids() -> None:
    draw, joined = random.Random(8), _native.Joined()
    least: dict[str, str] = {}
    for kind in (pyarrow.string(), pyarrow.large_string()):
        for _ in range(20):
            pairs = [tuple(draw.sample([f"é{n}" for n in range(300)], 2)) for _ in range(4)]
            for a, b in pairs:
                heads = {least.setdefault(a, a), least.setdefault(b, b)}
                least.update({id: min(heads) for id, head in least.items() if head in heads})
            first, second = (pyarrow.array(column, kind) for column in zip(*pairs))
            joined.join(pyarrow.table({"first": first, "second": second}))
    assert len(joined) == len(least) > 150
    rows = [row for start in range(0, 300, 70) for row in joined.members(start, 70).to_pylist()]
    assert {row["document"]: row["representative"] for row in rows} == least and len(rows) == len(least)
    with pytest.raises(ValueError, match="a null in the place of an id"):
        joined.join(pyarrow.table({"first": ["a"], "second": pyarrow.array([None], pyarrow.string())}))
    with pytest.raises(ValueError, match="two columns of strings"):
        joined.join(pyarrow.table({"first": [1], "second": [2]}))
