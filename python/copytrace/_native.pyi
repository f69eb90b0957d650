"""The native module."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Literal, Protocol, Self, TypeAlias, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import disjoint_base

__all__ = [
    "__version__",
    "_command",
    "Document",
    "Index",
    "Joined",
    "MinHash",
    "MinHashLSH",
    "Pairs",
    "Part",
    "Passage",
    "QueryTables",
    "Report",
    "Reports",
    "Settings",
    "Table",
    "band_keys",
    "check",
    "compare",
    "count_keys",
    "failed",
    "merge_findings",
    "near",
    "pairs",
    "signatures",
    "simhash",
    "similar",
]

__version__: str

def _command() -> None: ...

class _Arrow(Protocol):
    """A data frame: the columns id and text, perhaps title, author, date and collection."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Path: TypeAlias = str | PathLike[str]
_Texts: TypeAlias = _Path | Document | _Arrow | Iterable[_Path | Document]
_Progress: TypeAlias = bool | Callable[[int, int | None, str], object]  # done, in all, of what
_Language: TypeAlias = Literal["en", "zh"]
_Format: TypeAlias = Literal["csv", "html", "json", "xlsx"]

@disjoint_base
class Table:
    """A table, its columns named as in the CSV file of the same content.

    Any library that knows Arrow reads it without copying: `polars.DataFrame(table)`, `pyarrow.table(table)`,
    `pandas.DataFrame(table)`; `to_polars`, `to_arrow` and `to_pandas` do so. `table["jaccard"]` is a column, `table[0]` a row,
    `table[:10]` a table of ten rows. Texts are strings, numbers of things unsigned 64-bit integers, ratios and
    similarities floats from 0 to 1. Offsets count characters and index a `str`.

    Examples
    --------
    >>> import copytrace
    >>> table = copytrace.pairs([copytrace.Document("one two three four five six", id="a"),
    ...                          copytrace.Document("One, two, three, four, five, six!", id="b")])
    >>> len(table), table.columns[:2]
    (1, ['first', 'second'])
    >>> table.to_pylist()[0]["jaccard"]
    1.0
    """
    @staticmethod
    def _restored(stream: bytes) -> Table: ...
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: str, /) -> list[Any]: ...
    @overload
    def __getitem__(self, key: int, /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice, /) -> Table: ...
    def __iter__(self) -> Iterator[dict[str, Any]]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows as dictionaries, by column."""
    def to_polars(self) -> Any:
        """A `polars.DataFrame`."""
    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`."""
    def to_arrow(self) -> Any:
        """A `pyarrow.Table`."""
    def to_csv(self, path: _Path) -> None:
        """Writes the CSV file that the `copytrace` program would write: UTF-8, its lines ended by CR LF, ratios with four decimals. Texts
        that a spreadsheet would run as a formula get an apostrophe before them. The file appears whole or not at all.
        """
    def _repr_html_(self) -> str: ...

@final
class Document:
    """A text with its id and what is known of it.

    Parameters
    ----------
    text : str
        The text. Every offset in a result counts its characters, as Python does.
    id : str, optional
        What results call it.
    title, author, date, collection : str, optional
        What is known of it; the date by ISO 8601.

    Examples
    --------
    >>> from copytrace import Document
    >>> thesis = Document("The marsh rises.", id="thesis-7", author="A. Writer")
    >>> thesis.id, thesis.author, len(thesis.text)
    ('thesis-7', 'A. Writer', 16)
    """
    def __new__(
        cls,
        text: str,
        *,
        id: str | None = None,
        title: str | None = None,
        author: str | None = None,
        date: str | None = None,
        collection: str | None = None,
    ) -> Self: ...
    @staticmethod
    def read(path: _Path, *, ocr: bool = False) -> Document:
        """staticmethod(function) -> method

        Convert a function to be a static method.

        A static method does not receive an implicit first argument.
        To declare a static method, use this idiom:

             class C:
                 @staticmethod
                 def f(arg1, arg2, argN):
                     ...

        It can be called either on the class (e.g. C.f()) or on an instance
        (e.g. C().f()). Both the class and the instance are ignored, and
        neither is passed implicitly as the first argument to the method.

        Static methods in Python are similar to those found in Java or C++.
        For a more advanced concept, see the classmethod builtin.
        """
    @property
    def id(self) -> str:
        """What results call it."""
    @property
    def text(self) -> str:
        """The text that offsets index."""
    @property
    def title(self) -> str | None:
        """The title, if it is known."""
    @property
    def author(self) -> str | None:
        """The author, if known. What a file says of its own author is known here, but never excuses a copy."""
    @property
    def date(self) -> str | None:
        """The date, if it is known."""
    @property
    def collection(self) -> str | None:
        """The collection that it belongs to, if it is known."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Settings:
    """What decides when two documents are similar as wholes. What is not given is as in an index, or else the default.

    Parameters
    ----------
    threshold : float
        The Jaccard similarity of the shingle sets from which a pair counts, above 0 and at most 1.
    shingle : str
        What a shingle is: `units:K`, `chars:K` or `words:K`, K from 1 to 64; a unit is a Han character or a word of another script.
    hashes : int
        MinHash functions, 16 to 1024.

    Examples
    --------
    >>> from copytrace import Settings
    >>> Settings(threshold=0.5)
    Settings(threshold=0.5, shingle='units:5', hashes=256)
    >>> Settings(shingle="pages:2")
    Traceback (most recent call last):
        ...
    ValueError: `pages:2` is no shingling; write units:K, chars:K or words:K with K from 1 to 64
    """
    def __new__(cls, *, threshold: float = 0.7, shingle: str = "units:5", hashes: int = 256) -> Self: ...
    @property
    def threshold(self) -> float:
        """The Jaccard similarity from which a pair counts."""
    @property
    def shingle(self) -> str:
        """What a shingle is."""
    @property
    def hashes(self) -> int:
        """The number of MinHash functions."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Passage:
    """A passage that the submission shares with a source.

    `start`, `end`, `source_start` and `source_end` index the two texts as `str`, the end exclusive. `similarity` is that of
    the two wordings, 0 to 1. `excluded` says why it does not count in some ratio (a word of `excluded.csv`, or `weak` where
    it is too thin to count in any); it is empty where it counts in all.
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def start(self) -> int:
        """Where it starts in the submission."""
    @property
    def end(self) -> int:
        """Where it ends in the submission, exclusive."""
    @property
    def source_start(self) -> int:
        """Where it starts in the source."""
    @property
    def source_end(self) -> int:
        """Where it ends in the source, exclusive."""
    @property
    def kind(self) -> Literal["verbatim", "edited", "reordered", "disguised"]:
        """`verbatim`, `edited`, `reordered` or `disguised`."""
    @property
    def source(self) -> str:
        """The id of the source."""
    @property
    def text(self) -> str:
        """The submission's wording."""
    @property
    def source_text(self) -> str | None:
        """The source's wording; `None` where the index keeps no texts."""
    @property
    def similarity(self) -> float:
        """How alike the two wordings are, 0 to 1."""
    @property
    def excluded(self) -> str:
        """Why it does not count in some ratio; empty where it counts in all."""
    @staticmethod
    def _restored(json: str) -> Passage: ...

@final
class Report:
    """What was found in one submission: how much of it stands in sources, and where.

    Ratios are shares of the characters that count, 0 to 1; they are `nan` for a submission that could not be checked, whose
    `error` tells why. In a notebook a report shows itself as its page.

    Examples
    --------
    >>> from copytrace import Document, check
    >>> tide = "each tide leaves a thin layer of silt between the stems and the surface grows by a few millimetres a year"
    >>> reports = check(Document(f"We measured that {tide}, we found.", id="thesis"), Document(f"The marsh rises. {tide}", id="book"))
    >>> report = reports["thesis"]
    >>> passage, = report.passages
    >>> passage.kind, passage.source, report.text[passage.start:passage.end] == passage.text
    ('verbatim', 'book', True)
    >>> report.without("book").copy_ratio
    0.0
    """
    @property
    def id(self) -> str:
        """The submission's id."""
    @property
    def number(self) -> str:
        """Twelve hexadecimal digits that are the same whenever submission, corpus, settings and findings are; empty for a
        submission that could not be checked.
        """
    @property
    def error(self) -> str | None:
        """Why the submission could not be checked; `None` when it was."""
    @property
    def text(self) -> str:
        """The submission's text, which offsets index; empty when it could not be checked."""
    @property
    def copy_ratio(self) -> float:
        """The share of the submission that stands in sources, 0 to 1."""
    @property
    def top_source_ratio(self) -> float:
        """The share that stands in the one source with the most, 0 to 1."""
    @property
    def copy_ratio_without_quotes(self) -> float:
        """The share without what is quoted and cited, 0 to 1."""
    @property
    def copy_ratio_without_own_work(self) -> float:
        """The share without what only the author's own works hold, 0 to 1."""
    @property
    def short_run_ratio(self) -> float:
        """The share outside of passages in runs of a few words that stand in some document, 0 to 1; in no other ratio."""
    @property
    def compared_share(self) -> float:
        """The share of what a reader sees that was compared as language, 0 to 1: below .9 the ratios are at least what they are, below .7
        they say nothing.
        """
    @property
    def passages(self) -> list[Passage]:
        """The passages in the order of the submission, those that are too thin to count among them."""
    @property
    def sources(self) -> Table:
        """The sources, as in `sources.csv`."""
    @property
    def chapters(self) -> Table:
        """The chapters with their ratios, as in `chapters.csv`."""
    @property
    def excluded(self) -> Table:
        """What some ratio leaves out, as in `excluded.csv`."""
    @property
    def flags(self) -> Table:
        """Signs of manipulation, as in `flags.csv`."""
    @property
    def _summary(self) -> Table: ...
    @property
    def _passages(self) -> Table: ...
    @staticmethod
    def _restored(json: str) -> Report: ...
    def without(self, *sources: str) -> Report:
        """The report as if these sources were not there: every ratio is counted anew, exactly.

        Parameters
        ----------
        *sources : str
            Their ids.

        Raises
        ------
        ValueError
            When one of them is no source of the report.
        """
    def to_html(self, lang: _Language = "en") -> str:
        """The report's page: one HTML file that needs nothing besides. `lang` is `en` or `zh`."""
    def to_json(self) -> str:
        """The report as JSON, as `docs/report.schema.json` describes it."""
    def _repr_html_(self) -> str: ...

@final
class Reports:
    """The reports on submissions that were checked together, in their order, and what they share with each other.

    `reports[0]`, `reports["thesis.pdf"]` and `for report in reports` give a `Report`, `reports[:10]` a list of them; the tables are those of the CSV files, in the
    order of the ids. After a pickle all is there but the pages that `save` writes of two submissions side by side.
    """
    @property
    def summary(self) -> Table:
        """A row for each submission, as in `summary.csv`."""
    @property
    def sources(self) -> Table:
        """A row for each submission and source, as in `sources.csv`."""
    @property
    def passages(self) -> Table:
        """A row for each passage, as in `passages.csv`."""
    @property
    def shared(self) -> Table:
        """A row for each two submissions that share text, as in `shared.csv`; empty when they were not compared."""
    @property
    def unread(self) -> Table:
        """Documents of the corpus that could not be read or compared: `document` and `reason`. Nothing was compared with them."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int | str, /) -> Report: ...
    @overload
    def __getitem__(self, key: slice, /) -> list[Report]: ...
    def __iter__(self) -> Iterator[Report]: ...
    def save(
        self,
        folder: _Path,
        formats: Sequence[_Format] = ("csv", "html"),
        *,
        lang: _Language = "en",
        overwrite: bool = False,
    ) -> None:
        """Writes the folder that `copytrace check` would write: the same files with the same bytes. It appears whole or not at all.

        Parameters
        ----------
        folder : path
            Where it goes.
        formats : list of str
            Some of `csv`, `html`, `json` and `xlsx`.
        lang : str
            The language of the pages, `en` or `zh`.
        overwrite : bool
            Whether an earlier report is replaced.

        Raises
        ------
        FileExistsError
            When the folder holds an earlier report that is not to be replaced, or anything else.
        """
    def _repr_html_(self) -> str: ...

@final
class Pairs(Table):
    """Pairs of similar documents, as the program's `pairs` writes them: a row for each, ordered by the two ids."""
    @staticmethod
    def _restored(stream: bytes, unread: str) -> Pairs: ...  # type: ignore[override]
    @property
    def unread(self) -> Table:
        """Documents that could not be read or compared: `document` and `reason`."""
    def clusters(self) -> Table:
        """The clusters that similar documents form: each document of one with its representative, the smallest id."""
    def keep(self, ids: Iterable[str] | Iterable[int]) -> NDArray[np.bool_]:
        """Which of the documents to keep so that one of each cluster stays, its representative: a NumPy array of booleans, as long as
        `ids`, so that `df.filter(pairs.keep(df["id"]))` is free of near-duplicates.
        """

@final
class Index:
    """A reference index in a folder, or in several that are searched as one; the same that `copytrace index` makes.

    It shows what it held when it was opened or last changed through this object. An index is pickled by the paths of its
    folders, and can be closed by `close` or `with`.

    Examples
    --------
    >>> from copytrace import Document, Index
    >>> index = Index.create()
    >>> index.add([Document("the tide leaves a thin layer of silt between the stems", id="book")]).to_pylist()
    [{'document': 'book', 'status': 'new', 'message': ''}]
    >>> len(index), "book" in index, "film" in index
    (1, True, False)
    """
    @staticmethod
    def create(path: _Path | None = None, *, texts: bool = True, settings: Settings | None = None) -> Index:
        """staticmethod(function) -> method

        Convert a function to be a static method.

        A static method does not receive an implicit first argument.
        To declare a static method, use this idiom:

             class C:
                 @staticmethod
                 def f(arg1, arg2, argN):
                     ...

        It can be called either on the class (e.g. C.f()) or on an instance
        (e.g. C().f()). Both the class and the instance are ignored, and
        neither is passed implicitly as the first argument to the method.

        Static methods in Python are similar to those found in Java or C++.
        For a more advanced concept, see the classmethod builtin.
        """
    @staticmethod
    def open(*paths: _Path) -> Index:
        """staticmethod(function) -> method

        Convert a function to be a static method.

        A static method does not receive an implicit first argument.
        To declare a static method, use this idiom:

             class C:
                 @staticmethod
                 def f(arg1, arg2, argN):
                     ...

        It can be called either on the class (e.g. C.f()) or on an instance
        (e.g. C().f()). Both the class and the instance are ignored, and
        neither is passed implicitly as the first argument to the method.

        Static methods in Python are similar to those found in Java or C++.
        For a more advanced concept, see the classmethod builtin.
        """
    def add(
        self,
        documents: _Texts,
        *,
        added: int | None = None,
        ocr: bool = False,
        threads: int | None = None,
        progress: _Progress | None = None,
    ) -> Table:
        """Adds documents; one that has the id of another takes its place, one that did not change is passed over. All of it is on the disk
        when this returns, and none of it is if it is interrupted.

        Parameters
        ----------
        documents : path, Document, list of these, or table
            A path (file or folder), a `Document`, a list of these, or a table of any Arrow library with the columns `id` and `text`,
            perhaps also `title`, `author`, `date` and `collection`, which is read where it lies.
        added : int, optional
            The time that is noted, in seconds since 1970 (UTC); now unless told.
        ocr : bool
            Whether pages that are pictures are read, by poppler and tesseract.
        threads : int, optional
            As many as there are processors, unless told.
        progress : bool or callable, optional
            `True` shows a bar, `False` none; a callable is told the documents done, how many there are (`None` where that is not known)
            and what they are.

        Returns
        -------
        Table
            A row for each document: `document`, `status` (`new`, `replaced`, `unchanged` or `error`) and `message`.
        """
    def remove(self, *ids: str) -> int:
        """Removes documents by their ids; gives how many were there."""
    def near(self, query: str | int, k: int = 3) -> Table:
        """The documents whose SimHash fingerprints are near to another one.

        Parameters
        ----------
        query : str or int
            A text, or a fingerprint of 64 bits.
        k : int
            Bits that may differ, 0 to 7.

        Returns
        -------
        Table
            `match`, the id, and `hamming`, the bits, nearest first.
        """
    def compact(self) -> None:
        """Writes the index anew without what was removed, and merges its segments."""
    def verify(self) -> Table:
        """Reads every byte and checks it. Returns a row for each damage; none for a sound index."""
    def close(self) -> None:
        """Lets go of the files. Every later use raises `ValueError`."""
    @property
    def paths(self) -> list[PathLike[str]]:
        """Its folders."""
    @property
    def settings(self) -> Settings:
        """How its documents were made numbers; the threshold is the default one."""
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        type: type[BaseException] | None = None,
        value: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...
    def __bool__(self) -> bool: ...
    def __len__(self) -> int: ...
    def __contains__(self, id: str, /) -> bool: ...

@disjoint_base
class MinHash:
    """A MinHash signature (Broder 1997), with the names of `datasketch.MinHash`.

    The values are 32-bit numbers of copytrace's own functions: two signatures can be compared when both were made here with equal
    `num_perm` and `seed`, and never with one of datasketch. Jaccard estimates have the same error, 1/√num_perm at most; of empty sets
    the estimate is 0 here and 1 there.

    Parameters
    ----------
    num_perm : int
        Hash functions, 1 to 1024.
    seed : int
        What they are drawn from.
    hashfunc : callable, optional
        Makes a whole number from 0 to 2**64 - 1 of an element, which then need not be `bytes`.
    hashvalues : iterable of int, optional
        The values of another signature, which this one begins with.

    Examples
    --------
    >>> from copytrace import MinHash
    >>> a, b = MinHash(), MinHash()
    >>> a.update_batch(word.encode() for word in "the tide leaves silt between the stems".split())
    >>> b.update_batch(word.encode() for word in "the tide leaves silt between the reeds".split())
    >>> 0.5 < a.jaccard(b) < 0.9
    True
    """
    def __new__(
        cls,
        num_perm: int = 128,
        seed: int = 1,
        hashfunc: Callable[[Any], int] | None = None,
        *,
        hashvalues: Iterable[int] | None = None,
    ) -> Self: ...
    @staticmethod
    def _restored(num_perm: int, seed: int, hashfunc: Callable[[Any], int] | None, values: list[int]) -> MinHash: ...
    def update(self, b: Any) -> None:
        """Adds an element: `bytes`, or what `hashfunc` takes."""
    def update_batch(self, b: Iterable[Any]) -> None:
        """Adds elements, each `bytes` or what `hashfunc` takes; much faster than one by one."""
    def jaccard(self, other: MinHash) -> float:
        """The estimated Jaccard similarity of the two sets, 0 to 1."""
    def count(self) -> float:
        """The estimated number of different elements."""
    def merge(self, other: MinHash) -> None:
        """Makes this the signature of the union of the two sets."""
    @staticmethod
    def union(*mhs: MinHash) -> MinHash:
        """staticmethod(function) -> method

        Convert a function to be a static method.

        A static method does not receive an implicit first argument.
        To declare a static method, use this idiom:

             class C:
                 @staticmethod
                 def f(arg1, arg2, argN):
                     ...

        It can be called either on the class (e.g. C.f()) or on an instance
        (e.g. C().f()). Both the class and the instance are ignored, and
        neither is passed implicitly as the first argument to the method.

        Static methods in Python are similar to those found in Java or C++.
        For a more advanced concept, see the classmethod builtin.
        """
    @staticmethod
    def bulk(
        b: Iterable[Iterable[Any]], *, num_perm: int = 128, seed: int = 1, hashfunc: Callable[[Any], int] | None = None
    ) -> list[MinHash]:
        """staticmethod(function) -> method

        Convert a function to be a static method.

        A static method does not receive an implicit first argument.
        To declare a static method, use this idiom:

             class C:
                 @staticmethod
                 def f(arg1, arg2, argN):
                     ...

        It can be called either on the class (e.g. C.f()) or on an instance
        (e.g. C().f()). Both the class and the instance are ignored, and
        neither is passed implicitly as the first argument to the method.

        Static methods in Python are similar to those found in Java or C++.
        For a more advanced concept, see the classmethod builtin.
        """
    def digest(self) -> NDArray[np.uint32]:
        """The signature: a NumPy array of `num_perm` 32-bit numbers."""
    @property
    def hashvalues(self) -> NDArray[np.uint32]:
        """The same as `digest()`."""
    @property
    def num_perm(self) -> int:
        """The number of hash functions."""
    @property
    def seed(self) -> int:
        """What the hash functions are drawn from."""
    def is_empty(self) -> bool:
        """Whether nothing was added."""
    def clear(self) -> None:
        """Forgets all elements."""
    def copy(self) -> MinHash:
        """Another one with the same elements."""
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class MinHashLSH:
    """An index of MinHash signatures that finds those likely to be similar, with the names of `datasketch.MinHashLSH`.

    A signature is a `MinHash` of copytrace, one of datasketch or rensa, or an array of `num_perm` integers; all in one index must
    be of one kind, made with one seed. Its first b·r values are cut into `b` bands of `r`, and two signatures meet when any band is
    equal. Without `params`, (b, r), these are chosen as datasketch does for `threshold` and `weights` (of false
    positives and false negatives). With equal signatures and equal b and r a query finds what datasketch finds.

    Examples
    --------
    >>> from copytrace import MinHash, MinHashLSH
    >>> lsh = MinHashLSH(threshold=0.5)
    >>> a = MinHash(); a.update_batch([b"tide", b"silt", b"reed"])
    >>> lsh.insert("a", a)
    >>> lsh.query(a), "a" in lsh
    (['a'], True)
    """
    def __new__(
        cls,
        threshold: float = 0.9,
        num_perm: int = 128,
        weights: tuple[float, float] = (0.5, 0.5),
        params: tuple[int, int] | None = None,
        storage_config: dict[str, Any] | None = None,
    ) -> Self: ...
    def merge(self, other: MinHashLSH, check_overlap: bool = False) -> None:
        """Adds the signatures of another index, whose bands must be as these.

        Raises `ValueError` when they are not, or with `check_overlap` when a key is in both; without, the other's takes its place.
        """
    @property
    def b(self) -> int:
        """The number of bands."""
    @property
    def r(self) -> int:
        """The values in a band."""
    @property
    def h(self) -> int:
        """The values in a signature."""
    @property
    def threshold(self) -> float:
        """The Jaccard similarity that the banding was chosen for."""
    def insert(self, key: Hashable, minhash: object, check_duplication: bool = True) -> None:
        """Adds a signature under a key, which any dictionary could have.

        Raises `ValueError` when the key is there already, unless `check_duplication` is false: then the new signature takes its place.
        """
    def insert_many(self, keys: Sequence[Hashable], signatures: ArrayLike) -> None:
        """Adds the rows of an array of integers of the shape (keys, `num_perm`)."""
    def query(self, minhash: object) -> list[Any]:
        """The keys of the signatures that share a band with this one, in the order in which they were inserted."""
    def remove(self, key: Hashable) -> None:
        """Removes a key. Raises `ValueError` when it is not there, as datasketch does."""
    def is_empty(self) -> bool:
        """Whether there is no signature."""
    def insertion_session(self, buffer_size: int = 50000) -> Self:
        """For scripts that insert many signatures in a `with` block: the index itself, which needs no buffer."""
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        type: type[BaseException] | None = None,
        value: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...
    def __contains__(self, key: Hashable, /) -> bool: ...
    def __len__(self) -> int: ...

def check(
    submissions: _Texts,
    corpus: _Texts | Index,
    *,
    templates: _Texts = (),
    own_work: Sequence[str] = (),
    exclude_same_author: bool = False,
    ignore_common: int | None = None,
    shared: bool = True,
    ocr: bool = False,
    settings: Settings | None = None,
    threads: int | None = None,
    progress: _Progress | None = None,
) -> Reports:
    """Checks submissions against a corpus, and compares them with each other.

    Parameters
    ----------
    submissions : path, Document, list of these, or table
        A path (file or folder), a `Document`, a list of these, or a table of any Arrow library with the columns `id` and `text`,
        perhaps also `title`, `author`, `date` and `collection`, which is read where it lies.
    corpus : the same, or Index
        What they are compared with.
    templates : the same
        Texts that do not count wherever they stand.
    own_work : iterable of str
        Ids of documents that are the author's own.
    exclude_same_author : bool
        Leaves out documents of the submission's author.
    ignore_common : int, optional
        Does not count what this many documents of the corpus hold, or more.
    shared : bool
        Whether submissions are compared with each other.
    ocr : bool
        Whether pages that are pictures are read, by poppler and tesseract.
    settings : Settings, optional
        Those of the index, or the default ones, unless given.
    threads : int, optional
        As many as there are processors, unless told.
    progress : bool or callable, optional
        `True` shows a bar, `False` none; a callable is told the documents done, how many there are (`None` where that is not known)
        and what they are.

    Returns
    -------
    Reports
        One for each submission, with an `error` for one that cannot be read. Documents of the corpus that cannot be read stand in `unread`.

    Raises
    ------
    ValueError
        When there is nothing to check, or nothing to check against.

    Warns
    -----
    UnreadableWarning
        When documents of the corpus cannot be read.

    Examples
    --------
    >>> import copytrace
    >>> corpus = [copytrace.Document("the quick brown fox jumps over the lazy dog while the cat sleeps in the sun", id="fox")]
    >>> essay = copytrace.Document("I saw how the quick brown fox jumps over the lazy dog while the cat sleeps in the sun!", id="essay")
    >>> reports = copytrace.check(essay, corpus)
    >>> reports.summary.to_pylist()[0]["copy_ratio"] > 0.8
    True
    """
def compare(a: Document, b: Document, settings: Settings | None = None) -> Report:
    """Compares a document with another one, and with nothing else. Every passage that they share is found, however common its words.

    Parameters
    ----------
    a, b : Document
        The submission and its source.
    settings : Settings, optional
        The default ones, unless given.

    Returns
    -------
    Report
        What of `a` stands in `b`.

    Raises
    ------
    UnreadableError
        When one of them is too short to be compared.

    Examples
    --------
    >>> from copytrace import Document, compare
    >>> tide = "each tide leaves a thin layer of silt between the stems and the surface grows by a few millimetres a year"
    >>> compare(Document(tide, id="a"), Document("It is said that " + tide, id="b")).copy_ratio
    1.0
    """
def pairs(
    corpus: _Texts | Index,
    *,
    settings: Settings | None = None,
    memory: int = 1073741824,
    threads: int | None = None,
    progress: _Progress | None = None,
) -> Pairs:
    """All pairs of documents whose Jaccard similarity is at least `settings.threshold`, each verified exactly.

    Parameters
    ----------
    corpus : path, Document, list of these, table, or Index
        A path (file or folder), a `Document`, a list of these, or a table of any Arrow library with the columns `id` and `text`,
        perhaps also `title`, `author`, `date` and `collection`, which is read where it lies, and twice.
    settings : Settings, optional
        The threshold and what is compared; those of the index, or the default ones, unless given.
    memory : int
        Bytes that are used besides; what does not fit goes to a temporary file.
    threads : int, optional
        As many as there are processors, unless told.
    progress : bool or callable, optional
        `True` shows a bar, `False` none; a callable is told the documents done, how many there are (`None` where that is not known)
        and what they are.

    Returns
    -------
    Pairs
        A row for each pair, ordered by the two ids. Documents that cannot be read stand in `unread`.

    Raises
    ------
    ValueError
        When no document can be read, or `memory` is too little.

    Warns
    -----
    UnreadableWarning
        When some documents cannot be read.

    Examples
    --------
    >>> import copytrace
    >>> texts = {"a": "one two three four five six seven", "b": "One two three, four five six seven.", "c": "something else altogether in these few words"}
    >>> pairs = copytrace.pairs([copytrace.Document(text, id=id) for id, text in texts.items()])
    >>> [(row["first"], row["second"]) for row in pairs.to_pylist()]
    [('a', 'b')]
    >>> pairs.clusters().to_pylist()[1]
    {'representative': 'a', 'document': 'b'}
    """
def signatures(
    texts: _Texts, settings: Settings | None = None, *, threads: int | None = None, progress: _Progress | None = None
) -> NDArray[np.uint32]:
    """The MinHash signatures of texts: a NumPy array of 32-bit numbers of the shape (documents, `settings.hashes`).

    The share of equal numbers in two rows estimates the Jaccard similarity of their shingle sets.

    Parameters
    ----------
    texts : path, Document, list of these, or table
        A path (file or folder), a `Document`, a list of these, or a table of any Arrow library with the columns `id` and `text`,
        perhaps also `title`, `author`, `date` and `collection`, which is read where it lies.
    settings : Settings, optional
        What a shingle is, and how many numbers a row has.
    threads : int, optional
        As many as there are processors, unless told.
    progress : bool or callable, optional
        `True` shows a bar, `False` none; a callable is told the documents done, how many there are (`None` where that is not known)
        and what they are.

    Returns
    -------
    numpy.ndarray
        Of uint32. The row of a text that cannot be read or has no shingle is all ones (4294967295), which resembles nothing.

    Warns
    -----
    UnreadableWarning
        When there is such a row.

    Examples
    --------
    >>> import copytrace
    >>> copytrace.signatures([copytrace.Document("one two three four five six")]).shape
    (1, 256)
    """
def simhash(
    texts: _Texts, features: str = "terms", *, threads: int | None = None, progress: _Progress | None = None
) -> NDArray[np.uint64]:
    """The SimHash fingerprints of texts (Charikar 2002): a NumPy array of 64-bit numbers, one for each text.

    Similar texts differ in few of the 64 bits.

    Parameters
    ----------
    texts : path, Document, list of these, or table
        A path (file or folder), a `Document`, a list of these, or a table of any Arrow library with the columns `id` and `text`,
        perhaps also `title`, `author`, `date` and `collection`, which is read where it lies.
    features : str
        `terms`, which an index uses, `chars:K`, `words` or `keywords:K`.
    threads : int, optional
        As many as there are processors, unless told.
    progress : bool or callable, optional
        `True` shows a bar, `False` none; a callable is told the documents done, how many there are (`None` where that is not known)
        and what they are.

    Returns
    -------
    numpy.ndarray
        Of uint64. A text that cannot be read or has no features has the fingerprint 0, which is near to nothing.

    Warns
    -----
    UnreadableWarning
        When there is such a text; it names the row.

    Examples
    --------
    >>> import copytrace
    >>> texts = [copytrace.Document("the marsh rises with the sea"), copytrace.Document("The marsh rises with the sea.")]
    >>> a, b = copytrace.simhash(texts)
    >>> int(a ^ b).bit_count()
    0
    """
def near(stored: ArrayLike | _Arrow, queries: ArrayLike | _Arrow, k: int = 3) -> Table:
    """The pairs of a query and a stored fingerprint that differ in at most `k` bits. All are compared (Manku, Jain and Das Sarma 2007), none
    is sampled.

    Parameters
    ----------
    stored, queries : array, column or sequence
        64-bit numbers, from 0 to 2**64 - 1. The fingerprint 0 is that of a text without features, and matches nothing.
    k : int
        Bits, 0 to 7.

    Returns
    -------
    Table
        `query` and `match`, the positions in the two arrays, from 0, and `hamming`, the bits; ordered by both positions.

    Warns
    -----
    UnreadableWarning
        When a fingerprint is 0; it names the rows.

    Examples
    --------
    >>> import numpy, copytrace
    >>> stored = numpy.array([0b1111, 1 << 40], dtype=numpy.uint64)
    >>> copytrace.near(stored, numpy.array([0b1011], dtype=numpy.uint64)).to_pylist()
    [{'query': 0, 'match': 0, 'hamming': 1}]
    """

# What copytrace.spark does in its tasks.

_Told: TypeAlias = tuple[str, bytes | None, str | None]

@final
class Part:
    """One folder of an index in many folders."""
    def __new__(cls, folder: _Path, name: str, threshold: float) -> Self: ...
    def count(self, texts: _Arrow) -> list[_Told]:
        """Counts how many documents here hold each key of each text."""
    def find(self, texts: _Arrow, frequencies: Sequence[bytes]) -> list[_Told]:
        """Finds what each text shares with documents here; `frequencies`, one for each text, are those of all parts."""

@final
class Joined:
    """Ids joined to clusters by pairs that come in tables. An id takes its own bytes and some thirty more, a pair nothing."""
    def __new__(cls) -> Self: ...
    def __len__(self) -> int: ...
    def join(self, pairs: _Arrow) -> None:
        """Joins the two ids of each row."""
    def members(self, start: int, count: int) -> Table:
        """Some ids, in the order in which they came, each with its representative: the smallest id of its cluster."""

@final
class QueryTables:
    """Queries as tables that any number of stored fingerprints stream past."""
    def __new__(cls, queries: ArrayLike, k: int) -> Self: ...
    def meet(self, stored: ArrayLike) -> Table:
        """The pairs of a query and a stored fingerprint within the distance, by their positions."""

def count_keys(counted: Sequence[bytes]) -> bytes:
    """The sum of what several parts counted for one text."""
def merge_findings(found: Sequence[bytes]) -> Report:
    """The report on what several parts found for one text, in the order of the parts."""
def failed(id: str, reason: str) -> Report:
    """The row of a submission that was not checked, as reports have it."""
def band_keys(
    texts: _Texts, settings: Settings | None
) -> list[tuple[str, list[bytes] | None, int, str | None]]:
    """Profiles texts for `similar`."""
def similar(rows: _Arrow, settings: Settings | None) -> Table:
    """The similar pairs among documents of the same buckets, verified exactly. The rows of a bucket stand together: `band`, `key`, `i` and
    `j` tell which it is (blocks i and j of a bucket that was cut), `block` the row's own block, then `id`, `keys`, `shingles`,
    `signature` and `fingerprint`. A pair that shares several buckets is verified in that of the first band alone.
    """
