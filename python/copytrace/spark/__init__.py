"""copytrace on Apache Spark: corpora that outgrow one machine, with the results of one machine.

Spark moves the data: it shuffles, sorts, joins and repeats what failed. What is compared is compared by the same native
code in its Python workers, so that tables and reports are equal byte for byte to those of the `copytrace` program. Data frames have
the columns `id` and `text`, perhaps also `title`, `author`, `date` and `collection`; every id occurs once.
"""

from copytrace.spark._check import build, check
from copytrace.spark._near import near
from copytrace.spark._pairs import clusters, pairs
from copytrace.spark._session import release

__all__ = ["build", "check", "clusters", "near", "pairs", "release"]
