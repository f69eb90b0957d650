"""Sessions of Spark, on one machine and on a cluster of two executors, and what the program says."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

PROJECT = Path(__file__).parents[2]
MASTERS = ["local[2]", "local-cluster[2,1,1024]"]

# The kind of object store that tests put an index into: for others than S3, `make spark-stores` starts a server and tells where it is.
STORE = os.environ.get("COPYTRACE_STORE", "s3")
if STORE == "s3":
    # A server whose address Java hands to the workers, with credentials that it does not look at.
    from moto.server import ThreadedMotoServer

    S3 = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    S3.start()
    os.environ["AWS_ENDPOINT_URL"] = "http://{}:{}".format(*S3.get_host_and_port())
    os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1")

os.environ["PYSPARK_PYTHON"] = sys.executable
# What makes tasks die: see dying/sitecustomize.py.
os.environ["PYTHONPATH"] = str(Path(__file__).parent / "dying")


def session(master: str, work: Path) -> SparkSession:
    return (
        SparkSession.builder.master(master)
        .appName("copytrace")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.local.dir", str(work / "spark"))
        .config("spark.driver.memory", "2g")
        .config("spark.executor.memory", "1g")
        .config("spark.deploy.maxExecutorRetries", "-1")
        .config("spark.executorEnv.COPYTRACE_TEST_DIE", str(work / "dying"))
        .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
        .getOrCreate()
    )


@pytest.fixture(scope="module")
def spark(request: pytest.FixtureRequest, work: Path) -> Iterator[SparkSession]:
    made = session(request.param, work)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def cluster(work: Path) -> Iterator[SparkSession]:
    made = session(MASTERS[1], work)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


def program(*arguments: object, cwd: Path) -> None:
    # The command that the wheel brings: nothing else needs to be built.
    path = os.environ.get("COPYTRACE", Path(sys.executable).parent / "copytrace")
    subprocess.run([path, "--quiet", *map(str, arguments)], cwd=cwd, check=True)


@pytest.fixture(scope="session")
def corpus(work: Path) -> Path:
    """Documents as JSON lines, some of them near-copies of others: 100,000, or as many as COPYTRACE_DOCUMENTS says."""
    path = work / "corpus.jsonl"
    draw = random.Random(3)
    vocabulary = [f"{draw.choice('bdfgklmnprst')}{draw.choice('aeiou')}{number}" for number in range(30_000)]
    texts: list[list[str]] = []
    with path.open("w") as out:
        for number in range(int(os.environ.get("COPYTRACE_DOCUMENTS", "100000"))):
            text = draw.choices(vocabulary, k=draw.randrange(40, 400))
            if number % 20 == 1:
                # A near-copy of an earlier one, or a copy.
                text = list(texts[draw.randrange(len(texts))])
                for at in draw.sample(range(len(text)), draw.randrange(0, 4)):
                    text[at] = draw.choice(vocabulary)
            if number % 5 == 0:
                texts.append(text)
            out.write(json.dumps({"id": f"doc-{draw.randrange(10**6):06}-{number:06}", "text": " ".join(text)}) + "\n")
    return path
