"""`check` and `compare`: the same results as the program's, from texts of every kind."""

import json
import math
import pickle
import sys
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest
from conftest import DEMO, planted, run, same

import copytrace
from copytrace import Document


def test_what_is_saved_is_what_the_program_writes(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DEMO)
    run(program, "check", "submissions", "--corpus", "reference", "-o", tmp_path / "program", "--lang", "en",
        "--format", "csv,html,json,xlsx", cwd=DEMO)  # fmt: skip
    reports = copytrace.check("submissions", "reference")
    reports.save(tmp_path / "wheel", ["csv", "html", "json", "xlsx"])
    same(tmp_path / "program", tmp_path / "wheel")
    with pytest.raises(FileExistsError, match="earlier check"):
        reports.save(tmp_path / "wheel")
    reports.save(tmp_path / "wheel", ["csv", "html", "json", "xlsx"], overwrite=True)
    same(tmp_path / "program", tmp_path / "wheel")


def frames() -> dict[str, Any]:
    return {
        "polars": polars.DataFrame,
        "pyarrow": pyarrow.table,
        "pandas": pandas.DataFrame,
        "duckdb": lambda rows: duckdb.from_arrow(pyarrow.table(rows)),
        "documents": lambda rows: [
            Document(text, id=id, author=author) for id, text, author in zip(rows["id"], rows["text"], rows["author"])
        ],
    }


@pytest.mark.parametrize("kind", frames())
def test_rows_of_every_library_are_checked_as_json_lines_are(kind: str, program: str, tmp_path: Path) -> None:
    sources, submissions = planted(200)
    tables = []
    for name, documents in [("corpus", sources), ("submissions", submissions)]:
        rows = {"id": [d.id for d in documents], "text": [d.text for d in documents], "author": [d.author for d in documents]}
        (tmp_path / name).mkdir()
        with open(tmp_path / name / "rows.jsonl", "w") as lines:
            for values in zip(*rows.values()):
                lines.write(json.dumps(dict(zip(rows, values))) + "\n")
        tables.append(frames()[kind](rows))
    run(program, "check", "submissions", "--corpus", "corpus", "-o", "program", "--lang", "en", cwd=tmp_path)
    reports = copytrace.check(tables[1], tables[0])
    reports.save(tmp_path / "wheel")
    same(tmp_path / "program", tmp_path / "wheel")
    assert sum(len(report.passages) for report in reports) >= 90


def test_offsets_index_the_texts() -> None:
    tide = "每一次潮水都在植物的茎之间留下薄薄一层淤泥，地面随着海面一起升高，直到下一场风暴把它带走。"
    thesis, book = Document(f"😀 序言：{tide} 以上。", id="thesis"), Document(f"𝔄 {tide}", id="book")
    report = copytrace.check(thesis, book)[0]
    (passage,) = report.passages
    assert report.text == thesis.text
    assert thesis.text[passage.start : passage.end] == passage.text
    assert book.text[passage.source_start : passage.source_end] == passage.source_text
    assert passage.text.startswith("每一次潮水")


def test_a_submission_that_cannot_be_read_has_a_report_with_its_error() -> None:
    sources, submissions = planted(2)
    reports = copytrace.check([*submissions, "/no/such/file.txt"], sources)
    failed = reports["file.txt"]
    assert failed.error == "no such file or folder"
    assert math.isnan(failed.copy_ratio)
    assert failed.passages == []
    with pytest.raises(copytrace.UnreadableError) as caught:
        failed.to_html()
    assert (caught.value.document, caught.value.reason) == ("file.txt", "no such file or folder")
    assert [report.error for report in reports] == [None, None, "no such file or folder"]


def test_documents_of_the_corpus_that_cannot_be_read_are_named_and_warned_of() -> None:
    sources, submissions = planted(2)
    with pytest.warns(copytrace.UnreadableWarning, match="file.txt: no such file"):
        reports = copytrace.check(submissions, [*sources, "/no/such/file.txt"])
    assert reports.unread.to_pylist() == [{"document": "file.txt", "reason": "no such file or folder"}]


def test_templates_own_work_and_the_same_author_are_left_out() -> None:
    sources, submissions = planted(2)
    thesis = Document(submissions[1].text, id="thesis", author="Author 1")
    assert copytrace.check(thesis, sources)[0].copy_ratio > 0.1
    assert copytrace.check(thesis, sources)[0].copy_ratio_without_own_work == 0
    assert copytrace.check(thesis, sources, exclude_same_author=True)[0].copy_ratio == 0
    assert copytrace.check(submissions[1], sources, templates=sources[1])[0].copy_ratio == 0
    assert copytrace.check(submissions[1], sources, own_work=["source-001"])[0].copy_ratio_without_own_work == 0


def test_a_report_without_a_source_counts_anew() -> None:
    sources, submissions = planted(2)
    report = copytrace.check(submissions[1], sources)[0]
    assert report.copy_ratio > 0.1
    assert report.without("source-001").copy_ratio == 0
    assert report.without().to_json() == report.to_json()
    with pytest.raises(ValueError, match="'book'|\"book\" is no source"):
        report.without("book")


def test_two_documents_are_compared_with_each_other_alone() -> None:
    sources, submissions = planted(2)
    report = copytrace.compare(submissions[1], sources[1])
    assert [passage.source for passage in report.passages] == ["source-001"]
    with pytest.raises(copytrace.UnreadableError, match="too short"):
        copytrace.compare(Document("a b", id="short"), sources[0])


def test_results_come_back_from_a_pickle_as_they_were() -> None:
    sources, submissions = planted(4)
    reports = copytrace.check([*submissions, "/no/such/file.txt"], sources)
    again = pickle.loads(pickle.dumps(reports))
    for table in ["summary", "sources", "passages", "shared"]:
        assert getattr(again, table).to_pylist() == getattr(reports, table).to_pylist()
    report = pickle.loads(pickle.dumps(reports[1]))
    assert report.to_json() == reports[1].to_json()
    (passage,) = report.passages
    assert pickle.loads(pickle.dumps(passage)) == passage
    every = [passage for each in reports for passage in each.passages]
    assert len(set(every)) == len(every) > 1 and every.count(passage) == 1
    table = pickle.loads(pickle.dumps(reports.passages))
    assert polars.DataFrame(table).equals(polars.DataFrame(reports.passages))
    with pytest.warns(copytrace.UnreadableWarning):
        pairs = copytrace.pairs([*sources, sources[0], "/no/such/file.txt"])
    of_pairs = pickle.loads(pickle.dumps(pairs))
    assert (type(of_pairs), of_pairs.to_pylist()) == (copytrace.Pairs, pairs.to_pylist())
    assert of_pairs.unread.to_pylist() == pairs.unread.to_pylist() != []
    nothing = pickle.loads(pickle.dumps(pairs[:0]))
    assert (len(nothing), nothing.columns) == (0, pairs.columns)
    other = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(other, pyarrow.schema([("first", pyarrow.int64())])):
        pass
    for wrong in (other.getvalue().to_pybytes(), b"not a table"):
        with pytest.raises(ValueError, match="no table"):
            copytrace.Table._restored(wrong)
    assert pickle.loads(pickle.dumps(sources[0])) == sources[0]
    settings = copytrace.Settings(threshold=0.5, shingle="chars:9", hashes=64)
    assert pickle.loads(pickle.dumps(settings)) == settings


def test_every_library_reads_the_tables() -> None:
    sources, submissions = planted(4)
    passages = copytrace.check(submissions, sources).passages
    rows = passages.to_pylist()
    assert polars.DataFrame(passages).to_dicts() == rows
    assert pyarrow.table(passages).to_pylist() == rows
    frame: Any = pandas.DataFrame
    assert frame.from_arrow(passages).to_dict("records") == rows
    assert duckdb.from_arrow(pyarrow.table(passages)).fetchall() == [tuple(row.values()) for row in rows]


def test_a_progress_callback_hears_of_every_document_and_may_end_the_work(tmp_path: Path) -> None:
    sources, submissions = planted(20)
    told: list[tuple[int, int | None, str]] = []
    copytrace.check(submissions, sources, progress=lambda *steps: told.append(steps))
    assert told[-1] == (40, 40, "documents read and checked")
    assert told == sorted(told)
    # How many documents a file holds is not known before it is read.
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps({"id": d.id, "text": d.text}) + "\n" for d in sources))
    of_file: Any = tmp_path / "rows.jsonl"
    for texts, total in [(sources, 20), (of_file, None)]:
        told.clear()
        copytrace.signatures(texts, progress=lambda *steps: told.append(steps))
        assert told[-1] == (20, total, "texts signed")

    def refuse(*_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        copytrace.check(submissions, sources, progress=refuse)
    with pytest.raises(TypeError, match="progress is 'yes': expected a callable, True, False or None"):
        copytrace.check(submissions, sources, progress="yes")  # type: ignore[arg-type]


def test_a_bar_that_is_asked_for_is_shown_with_tqdm_and_without(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sources, _ = planted(20)
    copytrace.simhash(sources, progress=True)
    assert "texts fingerprinted: 100%" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    copytrace.simhash(sources, progress=True)
    assert "texts fingerprinted: 20 of 20\n" in capsys.readouterr().err
    copytrace.simhash(sources, progress=False)
    assert capsys.readouterr().err == ""


def test_the_number_of_threads_changes_nothing() -> None:
    sources, submissions = planted(10)
    tables = [copytrace.check(submissions, sources, threads=n).passages.to_pylist() for n in (1, 2, 3)]
    assert tables[0] == tables[1] == tables[2]
