"""What cannot be used is refused with what was expected."""

from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import copytrace
from copytrace import Document, Settings

GOOD = Document("one two three four five six", id="good")


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        (None, TypeError, "corpus is NoneType: expected a path"),
        (7, TypeError, "corpus is int"),
        ([GOOD, 7], TypeError, r"corpus\[1\] is int"),
        ([None], TypeError, r"corpus\[0\] is NoneType"),
        ({"a": "one"}, TypeError, r"corpus is dict: .*corpus.items\(\)"),
        (polars.LazyFrame({"id": ["a"], "text": ["b"]}), TypeError, r"corpus is LazyFrame: .*corpus.collect\(\)"),
        (polars.Series(["one"]), TypeError, "corpus is Series: .*a column of texts needs one of ids"),
        (pandas.Series(["one"]), TypeError, "corpus is Series: .*a column of texts needs one of ids"),
        (b"bytes", TypeError, r"corpus\[0\] is int"),
        ([], ValueError, "no readable document"),
        (polars.DataFrame({"id": [], "text": []}, schema={"id": str, "text": str}), ValueError, "no readable document"),
        (polars.DataFrame({"id": [], "text": []}), ValueError, "no readable document"),
        (polars.DataFrame({"id": ["a"], "words": ["b"]}), ValueError, "no column `text`"),
        (polars.DataFrame({"text": ["a"]}), ValueError, "no column `id`"),
        (polars.DataFrame({"id": ["a"], "text": [1.5]}), TypeError, "the column `text` of corpus holds Float64: expected strings"),
        (polars.DataFrame({"id": [1.5], "text": ["a"]}), TypeError, "the column `id`"),
        (polars.DataFrame({"id": ["a"], "text": ["b"], "author": [3]}), TypeError, "the column `author`"),
        (pandas.DataFrame({"id": ["a"], "text": [b"b"]}), TypeError, "the column `text`"),
        (pyarrow.table({"id": ["a"], "text": [["b"]]}), TypeError, "the column `text`"),
    ],
)
def test_texts(texts: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        copytrace.check(GOOD, texts)


@pytest.mark.parametrize("texts", ["nope.jsonl", Path("nope.jsonl"), ["nope.jsonl", "a second text"]])
@pytest.mark.parametrize("make", [copytrace.pairs, copytrace.simhash, copytrace.signatures])
def test_strings_that_are_no_paths_are_named_and_not_taken_for_empty_texts(make: Any, texts: Any) -> None:
    with pytest.raises(copytrace.UnreadableError, match=r"nope.jsonl: no such file or folder; a text is given as copytrace.Document"):
        make(texts)


def test_a_corpus_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("{}\n")
    with pytest.raises(ValueError, match="no readable document: .*empty.jsonl"):
        copytrace.pairs(tmp_path / "empty.jsonl")


@pytest.mark.parametrize("threads", [0, -1, 1.5, "two"])
def test_threads_say_what_they_take(threads: Any) -> None:
    for call in (copytrace.pairs, copytrace.simhash, copytrace.Index.create().add):
        with pytest.raises(ValueError, match="threads is .*: expected a whole number from 1 on, or None"):
            call(GOOD, threads=threads)
    with pytest.raises(ValueError, match="threads is"):
        copytrace.check(GOOD, GOOD, threads=threads)


def test_nothing_to_check() -> None:
    with pytest.raises(ValueError, match="no submission"):
        copytrace.check([], GOOD)
    with pytest.raises(ValueError, match="no readable document"):
        copytrace.pairs([])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"threshold": 0}, "above 0 and at most 1"),
        ({"threshold": float("nan")}, "above 0 and at most 1"),
        ({"hashes": 8}, "16 to 1024"),
        ({"shingle": "units"}, "write units:K"),
    ],
)
def test_settings(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Settings(**settings)


def test_lone_surrogates_and_other_types() -> None:
    with pytest.raises(ValueError, match="text holds a lone surrogate"):
        Document("one \ud800 two")
    with pytest.raises(ValueError, match="id holds a lone surrogate"):
        Document("one", id="\udfff")
    with pytest.raises(TypeError, match="text is NoneType: expected str"):
        Document(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="author is int: expected str"):
        Document("one", author=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        copytrace.compare(GOOD, "good")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected 'en' or 'zh'"):
        copytrace.compare(GOOD, GOOD).to_html("fr")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected some of"):
        copytrace.check(GOOD, GOOD).save("/no/such", ["pdf"])  # type: ignore[list-item]
    with pytest.raises(copytrace.UnreadableError, match="no such file"):
        Document.read("/no/such/file.txt")
    with pytest.raises(ValueError, match="memory"):
        copytrace.pairs([GOOD, GOOD], memory=1)
    with pytest.raises(TypeError, match="formats is 'csv': expected a list of some of"):
        copytrace.check(GOOD, GOOD).save("/no/such", "csv")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="k is 8"):
        copytrace.Index.create().near("text", 8)
    with pytest.raises(IndexError, match="1 reports"):
        copytrace.check(GOOD, GOOD)[1]
    with pytest.raises(KeyError):
        copytrace.check(GOOD, GOOD)["bad"]
