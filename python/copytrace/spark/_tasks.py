"""What runs in Spark's Python workers: from Arrow batches to Arrow batches, by the native code."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import copytrace
from copytrace import _native
from copytrace.spark import _store
from copytrace.spark._frames import arrow

Batches = Iterator[pa.RecordBatch]

# Spark runs a worker for each core; more threads would only stand in each other's way.
os.environ.setdefault("RAYON_NUM_THREADS", "1")

# Bytes of text that are worked on at a time, so that a worker's memory does not grow with its share.
AT_A_TIME = 64 << 20

# Ids of pairs that are joined at a time, some 50 MB.
IDS = 1_000_000

COUNTED = "id string, counted binary, error string"
FOUND = "id string, part int, found binary, error string"
REPORTED = "id string, report string"
PROFILED = (
    "id string, content binary, bands array<int>, keys binary, shingles binary, signature binary, fingerprint long, "
    "error string"
)


def chunks(batches: Batches, *same: str) -> Iterator[pa.Table]:
    """Tables of some megabytes. Rows that are equal in the columns `same` stand together in the input; a table has all of such a group or,
    where they are too many, none but such, and then `more` of them may follow."""
    held: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        for piece in _runs(batch, same):
            changes = bool(held) and bool(same) and _key(held[-1], 0, same) != _key(piece, 0, same)
            if held and (changes or size >= AT_A_TIME):
                yield pa.Table.from_batches(held)
                held, size = [], 0
            held.append(piece)
            size += piece.nbytes
    if held:
        yield pa.Table.from_batches(held)


def _key(batch: pa.RecordBatch, row: int, same: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(batch.column(name)[row].as_py() for name in same)


def _runs(batch: pa.RecordBatch, same: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
    """The batch, cut where a column of `same` changes."""
    if not same or batch.num_rows == 0:
        if batch.num_rows:
            yield batch
        return
    keys = list(zip(*(batch.column(name).to_pylist() for name in same)))
    start = 0
    for row in range(1, len(keys) + 1):
        if row == len(keys) or keys[row] != keys[start]:
            yield batch.slice(start, row - start)
            start = row


def _batch(columns: dict[str, list[Any]], types: dict[str, pa.DataType]) -> pa.RecordBatch:
    return pa.record_batch([pa.array(columns[name], type=types[name]) for name in types], names=list(types))


def build(
    batches: Batches, root: str, token: str, settings: copytrace.Settings | None, texts: bool, added: int
) -> Batches:
    """Writes the index of each part among the rows, and tells its folder. The rows are sorted by part and id."""
    from pyspark import TaskContext

    attempt = TaskContext.get().taskAttemptId()
    types = {"part": pa.int32(), "folder": pa.string(), "documents": pa.int64(), "files": pa.string(), "refused": pa.string()}
    part: int | None = None
    with tempfile.TemporaryDirectory(prefix="copytrace-") as work:
        index: copytrace.Index | None = None
        refused: list[tuple[str, str]] = []

        def finish() -> pa.RecordBatch:
            assert index is not None and part is not None
            # A name of this attempt alone: another one may run beside it.
            folder = f"part-{part:05}/{token}-{attempt}"
            documents = len(index)
            index.close()
            files = json.dumps(_store.put(os.path.join(work, "index"), root, folder))
            shutil.rmtree(os.path.join(work, "index"))
            columns: dict[str, list[Any]] = {
                "part": [part], "folder": [folder], "documents": [documents], "files": [files], "refused": [json.dumps(refused)]
            }  # fmt: skip
            return _batch(columns, types)

        for table in _once(chunks(batches, "part"), "part"):
            if table.column("part")[0].as_py() != part:
                if index is not None:
                    yield finish()
                part, refused = table.column("part")[0].as_py(), []
                index = copytrace.Index.create(os.path.join(work, "index"), texts=texts, settings=settings)
            assert index is not None
            rows = index.add(table.drop_columns(["part"]), added=added).to_pylist()
            refused += [(row["document"], row["message"]) for row in rows if row["status"] == "error"]
        if index is not None:
            yield finish()


Sums = dict[str, dict[str, str]]


def count(batches: Batches, root: str, name: str, threshold: float, sums: Sums) -> Batches:
    """Counts in each part how many of its documents hold the keys of each text."""
    types = {"id": pa.string(), "counted": pa.binary(), "error": pa.string()}
    for part, table in _by_part(batches, root, name, threshold, sums):
        told = part.count(table)
        ids, counted, errors = (list(column) for column in zip(*told))
        yield _batch({"id": ids, "counted": counted, "error": errors}, types)


def _by_part(batches: Batches, root: str, name: str, threshold: float, sums: Sums) -> Iterator[tuple[Any, pa.Table]]:
    opened: str | None = None
    part: Any = None
    for table in _once(chunks(batches, "folder"), "folder"):
        folder = table.column("folder")[0].as_py()
        if folder != opened:
            part, opened = _native.Part(_store.fetch(root, folder, sums[folder]), name, threshold), folder
        yield part, table


def _once(tables: Iterator[pa.Table], same: str) -> Iterator[pa.Table]:
    """Tables sorted by id within what `same` tells, of which every id must be there, and once."""
    before: tuple[Any, Any] | None = None
    for table in tables:
        ids, groups = table.column("id").to_pylist(), table.column(same).to_pylist()
        for row in zip(groups, ids):
            _require_id(row[1])
            if row == before:
                raise ValueError(f"the id {row[1]!r} occurs several times: expected every id once")
            before = row
        yield table


def _require_id(id: str | None) -> None:
    if not id:
        raise ValueError("a document without an id: expected an id that is neither null nor empty")


def total(table: pa.Table) -> pa.Table:
    """Adds up what the parts counted for one text."""
    ids, errors = table.column("id")[:1], [error for error in table.column("error").to_pylist() if error is not None]
    counted = None if errors else _native.count_keys(table.column("counted").to_pylist())
    error = errors[0] if errors else None
    return pa.table({"id": ids, "counted": pa.array([counted], pa.binary()), "error": pa.array([error], pa.string())})


def find(batches: Batches, root: str, name: str, threshold: float, sums: Sums) -> Batches:
    """Finds in each part what each text shares with its documents."""
    types = {"id": pa.string(), "part": pa.int32(), "found": pa.binary(), "error": pa.string()}
    for part, table in _by_part(batches, root, name, threshold, sums):
        numbers = table.column("part").to_pylist()
        told = part.find(table.drop_columns(["part", "folder", "counted"]), table.column("counted").to_pylist())
        ids, found, errors = (list(column) for column in zip(*told))
        yield _batch({"id": ids, "part": numbers, "found": found, "error": errors}, types)


def report(table: pa.Table) -> pa.Table:
    """Merges what the parts found for one text, in their order, and counts."""
    rows = sorted(table.to_pylist(), key=lambda row: row["part"])
    failed = [row["error"] for row in rows if row["error"] is not None]
    if failed:
        made = _native.failed(rows[0]["id"], failed[0])
    else:
        made = _native.merge_findings([row["found"] for row in rows])
    # As it is pickled: what every table is made of.
    return pa.table({"id": [rows[0]["id"]], "report": [made.__reduce__()[1][0]]})


def _reports(batches: Batches) -> Iterator[tuple[str, copytrace.Report]]:
    for batch in batches:
        for id, json_ in zip(batch.column("id").to_pylist(), batch.column("report").to_pylist()):
            yield id, copytrace.Report._restored(json_)


def rows(batches: Batches, table: str) -> Batches:
    """The rows that reports have in a table, with their places in it."""
    for _, made in _reports(batches):
        found: copytrace.Table = made._summary if table == "summary" else made._passages if table == "passages" else made.sources
        read = arrow(found)
        yield from read.append_column("place", pa.array(range(len(read)), pa.int64())).combine_chunks().to_batches()


def documents(batches: Batches) -> Batches:
    """Reports as JSON; those that failed have none."""
    types = {"id": pa.string(), "json": pa.string()}
    for id, made in _reports(batches):
        if made.error is None:
            yield _batch({"id": [id], "json": [made.to_json()]}, types)


def profile(batches: Batches, settings: copytrace.Settings | None) -> Batches:
    """What is needed of each text to find its near-duplicates."""
    types = {
        "id": pa.string(),
        "content": pa.binary(),
        "bands": pa.list_(pa.int32()),
        "keys": pa.binary(),
        "shingles": pa.binary(),
        "signature": pa.binary(),
        "fingerprint": pa.int64(),
        "error": pa.string(),
    }
    import numpy as np

    for table in chunks(batches):
        for id in table.column("id").to_pylist():
            _require_id(id)
        columns: dict[str, list[Any]] = {name: [] for name in types}
        for id, parts, fingerprint, error in _native.band_keys(table, settings):
            content, keys, shingles, signature = parts or (None, None, None, None)
            bands = None if keys is None else np.frombuffer(keys, dtype="<i4")
            row = (id, content, bands, keys, shingles, signature, fingerprint, error)
            for column, value in zip(columns.values(), row):
                column.append(value)
        yield _batch(columns, types)


def similar(batches: Batches, settings: copytrace.Settings | None) -> Batches:
    """The similar pairs in each piece of a bucket, whose rows stand together."""
    # Pieces are small and many: some of them are verified in one call.
    held: list[pa.Table] = []
    size = 0

    def verified() -> Batches:
        found = _native.similar(pa.concat_tables(held), settings)
        return iter(arrow(found).combine_chunks().to_batches())

    for table in _pieces(batches):
        held.append(table)
        size += table.nbytes
        if size >= 8 << 20:
            yield from verified()
            held, size = [], 0
    if held:
        yield from verified()


def trees(batches: Batches) -> Batches:
    """Edges that join what the pairs join: fewer than the pairs, where those are many for each id, or the pairs as they are."""

    def edge(batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.record_batch([column.cast(pa.string()) for column in batch.columns], names=["first", "second"])

    def edges() -> Batches:
        for batch in _members(joined):
            yield edge(batch.filter(pc.not_equal(batch.column(0), batch.column(1))))

    joined, pairs = _native.Joined(), 0
    for batch in batches:
        joined.join(batch)
        pairs += batch.num_rows
        if len(joined) >= IDS:
            yield from edges()
            if pairs < 2 * len(joined):
                yield from map(edge, batches)
            joined, pairs = _native.Joined(), 0
    yield from edges()


def members(batches: Batches) -> Batches:
    """The members of the clusters."""
    joined = _native.Joined()
    for batch in batches:
        joined.join(batch)
    yield from _members(joined)


def _members(joined: _native.Joined) -> Batches:
    for start in range(0, len(joined), 1 << 17):
        yield from arrow(joined.members(start, 1 << 17)).to_batches()


PIECE = ("band", "key", "i", "j")


def _pieces(batches: Batches) -> Iterator[pa.Table]:
    """Tables at whose borders a piece ends."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        if batch.num_rows == 0:
            continue
        last = _key(batch, batch.num_rows - 1, PIECE)
        keys = list(zip(*(batch.column(name).to_pylist() for name in PIECE)))
        start = keys.index(last)
        if start > 0:
            held.append(batch.slice(0, start))
            yield pa.Table.from_batches(held)
            held = []
        elif held and _key(held[-1], 0, PIECE) != last:
            yield pa.Table.from_batches(held)
            held = []
        held.append(batch.slice(start))
    if held:
        yield pa.Table.from_batches(held)


def meet(batches: Batches, queries: Any, k: int) -> Batches:
    """The stored fingerprints that are near to a query: the queries are tables, and the stored stream past."""
    import numpy as np

    types = {"query": pa.int64(), "match": pa.int64(), "hamming": pa.int64()}
    ids, fingerprints = queries.value
    tables: Any = None
    for table in chunks(batches):
        if tables is None:
            tables = _native.QueryTables(np.frombuffer(fingerprints, dtype="<u8"), k)
            names = np.frombuffer(ids, dtype="<i8")
        stored = table.column("fingerprint").combine_chunks().to_numpy().view(np.uint64)
        found = arrow(tables.meet(np.ascontiguousarray(stored)))
        matched = table.column("id").combine_chunks().take(found.column("match"))
        asked = pa.array(names[found.column("query").to_numpy()], pa.int64())
        columns = [asked, matched.combine_chunks() if isinstance(matched, pa.ChunkedArray) else matched,
                   found.column("hamming").combine_chunks()]  # fmt: skip
        yield pa.record_batch(columns, names=list(types))
