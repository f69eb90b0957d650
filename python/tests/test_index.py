"""An index on disk."""

import multiprocessing
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from conftest import planted, run

import copytrace
from copytrace import Document, Index, Settings


def test_an_index_of_the_wheel_is_one_of_the_program(program: str, tmp_path: Path) -> None:
    sources, submissions = planted(6)
    index = Index.create(tmp_path / "index")
    assert {row["status"] for row in index.add(sources, added=0).to_pylist()} == {"new"}
    assert {row["status"] for row in index.add(sources).to_pylist()} == {"unchanged"}
    changed = Document("another text with more than five words in it", id="source-000")
    assert index.add(changed).to_pylist() == [{"document": "source-000", "status": "replaced", "message": ""}]
    run(program, "index", "verify", tmp_path / "index", cwd=tmp_path)
    assert len(index.verify()) == 0
    assert len(index) == 6 and "source-003" in index and "source-999" not in index
    from_index = copytrace.check(submissions, index)
    from_texts = copytrace.check(submissions, [changed, *sources[1:]])
    assert from_index.passages.to_pylist() == from_texts.passages.to_pylist()
    assert index.remove("source-003", "source-999") == 1
    index.compact()
    assert len(index) == 5 and "source-003" not in index


def test_documents_that_cannot_be_added_are_told_and_the_others_are_added(tmp_path: Path) -> None:
    index = Index.create(tmp_path / "index")
    documents = [Document("one two three four five", id=id) for id in ("a", "a", "../b")] + [Document("short", id="c")]
    rows = index.add(documents).to_pylist()
    assert [row["status"] for row in rows] == ["new", "error", "error", "error"]
    assert all(row["message"] for row in rows[1:])
    assert len(index) == 1


def test_a_near_text_is_found_by_its_fingerprint() -> None:
    index = Index.create()
    text = "the marsh rises with the sea as long as silt settles between the stems of the plants"
    index.add(Document(text, id="marsh"))
    assert index.near(text).to_pylist() == [{"match": "marsh", "hamming": 0}]
    fingerprint = int(copytrace.simhash(Document(text))[0])
    assert index.near(fingerprint ^ 0b11, k=2).to_pylist() == [{"match": "marsh", "hamming": 2}]
    assert index.near("...").to_pylist() == []
    with pytest.raises(TypeError, match="expected a text"):
        index.near(-1)
    with pytest.raises(ValueError, match="0 to 7"):
        index.near(fingerprint, k=8)


def test_a_closed_index_says_so() -> None:
    with Index.create() as index:
        index.add(Document("one two three four five", id="a"))
    uses: list[Callable[[], object]] = [index.__len__, index.verify, index.compact, partial(index.add, []), partial(copytrace.pairs, index)]
    for use in uses:
        with pytest.raises(ValueError, match="closed"):
            use()


def test_what_is_no_index_or_damaged_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="not an index"):
        Index.open(tmp_path / "nothing")
    index = Index.create(tmp_path / "index")
    index.add(planted(3)[0])
    with pytest.raises(FileExistsError):
        Index.create(tmp_path / "index")
    for segment in (tmp_path / "index" / "segments").iterdir():
        if segment.is_file():
            segment.unlink()
    with pytest.raises(copytrace.DamagedError):
        Index.open(tmp_path / "index")


def test_settings_that_need_another_index_are_refused() -> None:
    index = Index.create(settings=Settings(shingle="units:3"))
    index.add(Document("one two three four five", id="a"))
    assert index.settings.shingle == "units:3"
    with pytest.raises(ValueError, match="units:3"):
        copytrace.pairs(index, settings=Settings(shingle="units:5"))


def length(index: Index) -> int:
    return len(index)


def ratio(document: Document, index: Index) -> float:
    return copytrace.check(document, index)[0].copy_ratio


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes_of_a_pool_open_the_index_by_its_path(method: str, tmp_path: Path) -> None:
    sources, submissions = planted(4)
    index = Index.create(tmp_path / "index")
    index.add(sources)
    expected = [report.copy_ratio for report in copytrace.check(submissions, index)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(length, [index] * 2) == [4, 4]
        assert pool.starmap(ratio, [(submission, index) for submission in submissions]) == expected
    with pytest.raises(ValueError, match="without a path"):
        pickle.dumps(Index.create())
