"""Spark says what the program says, byte for byte, whatever happens to its executors."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import fsspec
import numpy
import pandas
import pyarrow
import pytest
from conftest import MASTERS, PROJECT, STORE, program
from pyspark.ml import Pipeline
from pyspark.sql import DataFrame, SparkSession

import copytrace
from copytrace.spark import _check, _pairs, _tasks, build, check, clusters, near, pairs, release
from copytrace.spark._frames import to_table
from copytrace.spark.ml import CopytraceCheck, NearDuplicates


def read(spark: SparkSession, path: Path) -> DataFrame:
    return spark.read.schema("id string, text string").json(str(path))


def same(first: Path, second: Path) -> None:
    difference = subprocess.run(["cmp", first, second], capture_output=True, text=True)
    assert difference.returncode == 0, difference.stdout + difference.stderr


def write(df: DataFrame, path: Path) -> Path:
    to_table(df, df.columns).to_csv(path)
    return path


def words(draw: random.Random, count: int) -> list[str]:
    return [f"{draw.choice('bdfgklmnprst')}{draw.choice('aeiou')}{draw.randrange(30_000)}" for _ in range(count)]


@pytest.fixture(scope="session")
def library(work: Path) -> Path:
    """400 sources, 300 theses of which most copied from some of them, and what the program says with one index."""
    draw = random.Random(5)
    sources = [words(draw, 500) for _ in range(400)]
    common = words(draw, 40)
    theses = []
    for number in range(300):
        text = words(draw, 400)
        for _ in range(number % 4):
            stolen, at = draw.choice(sources), draw.randrange(400)
            text[at:at] = stolen[at : at + draw.randrange(25, 90)]
        theses.append(text + common)
    # A declaration that more documents hold than are looked at.
    sources = [source + common if number % 2 == 0 or number < 20 else source for number, source in enumerate(sources)]
    for name, documents in [("sources", sources), ("theses", theses)]:
        with (work / f"{name}.jsonl").open("w") as out:
            for number, document in enumerate(documents):
                out.write(json.dumps({"id": f"{name}-{number:04}", "text": " ".join(document)}) + "\n")
            if name == "theses":
                out.write(json.dumps({"id": "short", "text": "too short"}) + "\n")
    index = copytrace.Index.create(work / "library")
    index.add(work / "sources.jsonl", added=0)
    with pytest.raises(subprocess.CalledProcessError):  # one thesis cannot be checked
        program("check", "theses.jsonl", "--index", "library", "-o", "one", "--format", "csv,json", "--no-shared", cwd=work)
    return work


def written(spark: SparkSession, root: Path | str, library: Path, folder: Path) -> None:
    """Checks the theses, and compares every file with what the program wrote."""
    tables = check(read(spark, library / "theses.jsonl"), str(root))
    for table in ("summary", "sources", "passages"):
        same(library / "one" / f"{table}.csv", write(tables[table], folder / f"{table}.csv"))
    reports = {row["id"]: row["json"] for row in tables["json"].collect()}
    assert len(reports) == 300
    files = {json.loads(path.read_text())["submission"]["id"]: path for path in (library / "one").glob("*.json")}
    assert {id: path.read_text() for id, path in files.items()} == reports


# The first test, because a session that is there is taken for any other: only here one process is all of Spark.
@pytest.mark.parametrize(("spark", "partitions"), [(MASTERS[0], 7), *((MASTERS[1], n) for n in (1, 7, 32))], indirect=["spark"])
def test_a_check_against_many_folders_is_that_of_one_index(
    spark: SparkSession, partitions: int, library: Path, tmp_path: Path
) -> None:
    build(read(spark, library / "sources.jsonl"), str(tmp_path / "root"), partitions, name="library")
    manifest = json.loads((tmp_path / "root" / _check.MANIFEST).read_text())
    assert sum(folder["documents"] for folder in manifest["folders"]) == 400
    written(spark, tmp_path / "root", library, tmp_path)


@pytest.fixture(scope="session")
def expected(corpus: Path, work: Path) -> Path:
    """The pairs and clusters that the program finds."""
    folder = work / "expected"
    program("pairs", corpus, "-o", folder / "pairs.csv", "--clusters", folder / "clusters.csv", cwd=work)
    assert (folder / "pairs.csv").stat().st_size > 1000
    return folder


def test_pairs_and_clusters_are_those_of_the_program(cluster: SparkSession, corpus: Path, expected: Path, tmp_path: Path) -> None:
    found = pairs(read(cluster, corpus)).persist()
    same(expected / "pairs.csv", write(found, tmp_path / "pairs.csv"))
    same(expected / "clusters.csv", write(clusters(found), tmp_path / "clusters.csv"))


def test_an_index_answers_until_the_next_one_is_committed(
    cluster: SparkSession, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "root"
    build(read(cluster, library / "sources.jsonl"), str(root), 3, name="library")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(_check, "_commit", killed)
        build(read(cluster, library / "sources.jsonl").limit(10), str(root), 5)
    written(cluster, root, library, tmp_path)
    build(read(cluster, library / "sources.jsonl"), str(root), 2, name="library")
    assert len(list(root.glob("part-*/*"))) == 2, "what nobody needs is removed"
    written(cluster, root, library, tmp_path)


def test_tasks_may_kill_their_executors(cluster: SparkSession, library: Path, work: Path, tmp_path: Path) -> None:
    (work / "dying").mkdir()
    try:
        build(read(cluster, library / "sources.jsonl"), str(tmp_path / "root"), 3, name="library")
        written(cluster, tmp_path / "root", library, tmp_path)
        few = cluster.createDataFrame([(str(n), "one two three four five six " * 3 + str(n % 5)) for n in range(50)], "id string, text string")
        rows = [(row["id"], row["text"]) for row in few.collect()]
        expected = copytrace.pairs([copytrace.Document(text, id=id) for id, text in rows]).to_pylist()
        assert [row.asDict() for row in pairs(few).collect()] == expected
        numbers = cluster.range(100).selectExpr("id", "id * 4 as fingerprint")
        assert near(numbers, numbers, k=0).count() == 99, "the fingerprint 0 matches nothing"
        assert clusters(cluster.createDataFrame([("b", "a"), ("c", "b")], "first string, second string")).count() == 3
        died = {path.name for path in (work / "dying").iterdir()}
        assert died == {"build", "count", "total", "find", "report", "rows", "documents", "profile", "similar", "meet", "trees", "members"}
    finally:
        shutil.rmtree(work / "dying")


def test_a_bucket_of_near_copies_is_cut_and_the_pairs_are_equal(cluster: SparkSession, work: Path, tmp_path: Path) -> None:
    count = int(os.environ.get("COPYTRACE_CROWD", "20000"))
    draw = random.Random(9)
    # Two texts share the first 60 of some 105 words and little else, so that they meet in many buckets and few are similar.
    shared = words(draw, 60)
    documents = []
    for number in range(count):
        own = words(draw, 45) if number % 40 else documents[number - 40 if number else 0][1].split()[60:] if number else words(draw, 45)
        documents.append((f"{number:06}", " ".join(shared + own)))
    lines = work / "crowd.jsonl"
    with lines.open("w") as out:
        for id, text in documents:
            out.write(json.dumps({"id": id, "text": text}) + "\n")
    program("pairs", lines, "-o", tmp_path / "program.csv", cwd=work)
    same(tmp_path / "program.csv", write(pairs(read(cluster, lines)), tmp_path / "spark.csv"))


def test_fingerprints_are_found_as_the_program_finds_them(cluster: SparkSession, tmp_path: Path) -> None:
    stored_count = int(os.environ.get("COPYTRACE_FINGERPRINTS", "2000000"))
    draw = numpy.random.default_rng(2)
    stored = draw.integers(-(2**63), 2**63, stored_count, dtype=numpy.int64)
    queries = draw.integers(-(2**63), 2**63, stored_count // 100, dtype=numpy.int64)
    queries[: len(queries) // 2] = stored[: len(queries) // 2] ^ (1 << draw.integers(0, 63, len(queries) // 2))
    for name, words_ in [("stored", stored), ("queries", queries)]:
        frame = pandas.DataFrame({"id": numpy.arange(len(words_)), "fingerprint": words_})
        frame.to_parquet(tmp_path / f"{name}.parquet", row_group_size=1 << 20, compression="gzip")
        words_.astype("<i8").tofile(tmp_path / f"{name}.u64")
    program("near", "--table", "stored.u64", "--queries", "queries.u64", "-o", "program.csv", cwd=tmp_path)
    found = near(cluster.read.parquet(str(tmp_path / "queries.parquet")), str(tmp_path / "stored.parquet"))
    same(tmp_path / "program.csv", write(found, tmp_path / "spark.csv"))


def test_clusters_are_connected_components_by_one_task_and_by_rounds(
    cluster: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    draw = random.Random(4)
    edges = {tuple(sorted(draw.sample([f"{n:03}" for n in range(120)], 2))) for _ in range(70)}
    edges |= {(f"x{n:02}", f"x{n + 1:02}") for n in range(20)}
    least = {id: id for edge in edges for id in edge}
    while (joined := {id: min([least[id], *(least[a] for edge in edges if id in edge for a in edge)]) for id in least}) != least:
        least = joined
    assert len(least) > 60
    for limit, folder in ((_pairs.ONE_TASK, None), (0, None), (0, tmp_path / "checkpoints")):
        monkeypatch.setattr(_pairs, "ONE_TASK", limit)
        if folder is not None:
            cluster.sparkContext.setCheckpointDir(str(folder))
        found = clusters(cluster.createDataFrame(sorted(edges), "first string, second string")).collect()
        assert [(row["representative"], row["document"]) for row in found] == sorted((head, id) for id, head in least.items())
    assert clusters(cluster.createDataFrame([], "first string, second string")).count() == 0


@pytest.mark.parametrize("ids", [10, 60, 1000])
def test_a_task_hands_pairs_on_that_are_no_more_than_their_trees(monkeypatch: pytest.MonkeyPatch, ids: int) -> None:
    monkeypatch.setattr(_tasks, "IDS", ids)
    form = pyarrow.schema([pyarrow.field("first", pyarrow.string(), nullable=False), pyarrow.field("second", pyarrow.string())])
    # First all pairs of seven clusters of ten, then pairs that have nothing in common.
    pairs = [(f"{c}-{a}", f"{c}-{b}") for c in range(7) for a in range(10) for b in range(a)] + [(f"x{n}", f"y{n}") for n in range(200)]
    batches = [pyarrow.record_batch([*map(list, zip(*pairs[at : at + 30]))], schema=form) for at in range(0, len(pairs), 30)]
    left = list(_tasks.trees(iter(batches)))
    assert len({str(batch.schema) for batch in left}) == 1, "one schema"
    assert 263 <= sum(batch.num_rows for batch in left) < len(pairs)
    (joined,) = pyarrow.Table.from_batches(_tasks.members(iter(left))).group_by("representative").aggregate([]).to_pydict().values()
    assert len(joined) == 207


def test_nothing_is_done_before_it_is_asked_for(cluster: SparkSession, library: Path, tmp_path: Path) -> None:
    build(read(cluster, library / "sources.jsonl"), str(tmp_path / "root"), 2)
    before = set(cluster.sparkContext._jsc.getPersistentRDDs())
    cluster.sparkContext.setJobGroup("lazy", "")
    try:
        tables = check(read(cluster, library / "theses.jsonl"), str(tmp_path / "root"))
        found = pairs(read(cluster, library / "sources.jsonl"))
        jobs = cluster.sparkContext.statusTracker().getJobIdsForGroup
        assert jobs("lazy") == []
        assert tables["summary"].count() == 301 and found.count() == 0
        assert len(jobs("lazy")) > 0
    finally:
        cluster.sparkContext.setJobGroup("", "")
    assert set(cluster.sparkContext._jsc.getPersistentRDDs()) - before
    release()
    assert set(cluster.sparkContext._jsc.getPersistentRDDs()) <= before


def test_an_index_lies_in_an_object_store(cluster: SparkSession, library: Path, tmp_path: Path) -> None:
    store = fsspec.filesystem(STORE)
    store.mkdir("library")
    root = f"{STORE}://library/index"
    with pytest.raises(FileNotFoundError, match="holds no index"):
        check(read(cluster, library / "theses.jsonl"), root)
    for partitions in (5, 3):
        build(read(cluster, library / "sources.jsonl"), root, partitions, name="library")
    store.invalidate_cache()
    assert len(store.glob("library/index/part-*/*")) == 3, "what nobody needs is removed"
    written(cluster, root, library, tmp_path)
    # What was changed on its way is not taken for the index. Executors that have the folder do not fetch it again.
    build(read(cluster, library / "sources.jsonl"), root, 1, name="library")
    store.invalidate_cache()
    file = max(store.find("library/index/part-00000"), key=store.size)
    store.pipe_file(file, store.cat_file(file)[:-1] + b"?")
    with pytest.raises(Exception, match="is not as it was written"):
        check(read(cluster, library / "theses.jsonl"), root)["summary"].count()


def test_stages_of_a_pipeline_are_saved_and_do_what_the_functions_do(cluster: SparkSession, library: Path, tmp_path: Path) -> None:
    build(read(cluster, library / "sources.jsonl"), str(tmp_path / "root"), 2)
    text = "one two three four five six seven eight"
    rows = [("a", text, 1), ("b", text + "!", 2), ("c", "nothing of that kind is said in here", 3)]
    documents = cluster.createDataFrame(rows, "id string, text string, size int")
    stages = Pipeline(stages=[NearDuplicates(threshold=0.8), CopytraceCheck(root=str(tmp_path / "root"), table="summary")])
    stages.write().save(str(tmp_path / "pipeline"))
    again = Pipeline.load(str(tmp_path / "pipeline")).getStages()
    assert sorted(row["id"] for row in again[0].transform(documents).collect()) == ["a", "c"]
    assert again[0].transform(documents).columns == documents.columns
    summary = Pipeline(stages=again).fit(documents).transform(documents)
    assert sorted(row["submission"] for row in summary.collect()) == ["a", "c"]
    with pytest.raises(ValueError, match="table is 'nothing': expected some of"):
        CopytraceCheck(root=str(tmp_path / "root"), table="nothing").transform(documents)


CONNECT = """
import sys
from pyspark.sql import SparkSession
import copytrace.spark as c
spark = SparkSession.builder.remote("local[2]").config("spark.sql.shuffle.partitions", "8").getOrCreate()
texts = spark.createDataFrame([(str(n), "one two three four five six " * 3 + str(n % 5)) for n in range(20)], "id string, text string")
found = c.pairs(texts)
print(found.count(), c.clusters(found).count(), found.unread.count())
c.build(texts, sys.argv[1], 2)
print(c.check(texts, sys.argv[1])["summary"].count())
numbers = spark.range(100).selectExpr("id", "id * 4 as fingerprint")
print(c.near(numbers, numbers, k=0).count())
c.release()
"""


def test_spark_connect_works(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", CONNECT, str(tmp_path / "root")], capture_output=True, text=True, timeout=300)
    rows = [copytrace.Document("one two three four five six " * 3 + str(n % 5), id=str(n)) for n in range(20)]
    expected = copytrace.pairs(rows)
    assert done.stdout.split() == [str(len(expected)), str(len(expected.clusters())), "0", "20", "99"], done.stderr[-3000:]


SETTINGS = """
import warnings
from pyspark.sql import SparkSession
from copytrace.spark import pairs, release
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
texts = spark.createDataFrame([("a", "one two three four five six"), ("b", "One two three four five six!")], "id string, text string")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    assert pairs(texts).count() == pairs(texts).count() == 1
print([str(one.message) for one in told if "local" in str(one.message)])
print(spark.conf.get("spark.sql.shuffle.partitions"))
spark.stop()
spark = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false").getOrCreate()
release()  # what a session kept that is no more
print(spark.range(5).count())
"""


def test_what_nobody_set_is_set_or_told_in_a_venv_that_is_not_activated() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYSPARK_PYTHON", "VIRTUAL_ENV")}
    environment["PATH"] = "/usr/bin:/bin:/usr/local/bin:" + str(Path(shutil.which("java") or "/usr/bin/java").parent)
    done = subprocess.run([sys.executable, "-c", SETTINGS], capture_output=True, text=True, timeout=300, env=environment)
    assert done.stdout == "['master local[2] never repeats a task that failed: local[2,4] does']\n8\n5\n", done.stderr[-3000:]


def test_what_cannot_be_used_is_refused(cluster: SparkSession, tmp_path: Path) -> None:
    good = [("a", "one two three four five"), ("b", "x")]
    df = cluster.createDataFrame(good, "id string, text string")
    with pytest.raises(ValueError, match="no column"):
        pairs(df.drop("text"))
    twice, nameless = df.union(df), df.selectExpr("nullif(id, 'a') as id", "text")
    for wrong, said in ((twice, "occurs several times"), (nameless, "a document without an id")):
        for ask in (lambda: pairs(wrong).count(), lambda: build(wrong, str(tmp_path / "root"), 2)):
            with pytest.raises(Exception, match=said):
                ask()
    with pytest.raises(FileNotFoundError, match="holds no index"):
        check(df, str(tmp_path))
    for ask in (lambda: build(df, "dbfs:/index", 2), lambda: check(df, "dbfs:/index")):
        with pytest.raises(ValueError, match="'dbfs:/index': expected a folder .*, or an address"):
            ask()
    with pytest.raises(ValueError, match="0 to 7"):
        near(df, df, k=8)
    found = pairs(df)
    assert found.count() == 0
    ((id, reason),) = found.unread.collect()
    assert id == "b" and reason.startswith("too short")


def test_the_example_of_the_page_runs(cluster: SparkSession, tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (PROJECT / "docs" / "SPARK.md").read_text(), re.DOTALL)
    # Snappy, the default, has a native library that not every machine can load.
    cluster.conf.set("spark.sql.parquet.compression.codec", "gzip")
    draw = random.Random(6)
    texts = [" ".join(words(draw, 200)) for _ in range(20)]
    documents = cluster.createDataFrame([(str(n), text) for n, text in enumerate(texts + texts[:3])], "id string, text string")
    for name in ("library", "theses", "crawl"):
        documents.write.parquet(str(tmp_path / name))
    for name in ("queries", "fingerprints"):
        cluster.createDataFrame([(1, 5), (2, -7)], "id long, fingerprint long").write.parquet(str(tmp_path / name))
    exec(example.replace("/data", str(tmp_path)), {})
    assert cluster.read.parquet(str(tmp_path / "clusters")).count() == 6
    assert cluster.read.parquet(str(tmp_path / "near")).count() == 2
    assert cluster.read.parquet(str(tmp_path / "summary")).count() == 23
