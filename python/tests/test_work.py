"""Work beside the interpreter: interrupted, counted, with the interpreter's lock free."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import planted

import copytrace

SLOW = """
import copytrace, os, random, signal, sys, threading, time
draw = random.Random(1)
text = lambda: " ".join(str(draw.randrange(10**6)) for _ in range(20_000))
corpus = [copytrace.Document(text(), id=str(number)) for number in range(150)]
def interrupt():
    time.sleep(0.3)
    stop.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
stop = []
threading.Thread(target=interrupt, daemon=True).start()
try:
    copytrace.check(corpus, corpus)
    print("finished")
except KeyboardInterrupt:
    print(time.monotonic() - stop[0])
"""


def test_an_interrupt_ends_a_call_at_once() -> None:
    took = []
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        took.append(float(done.stdout))
    # Whatever else the machine does meanwhile, one of three is not held up by it.
    assert min(took) < 0.2


AGAIN = """
import copytrace, os, signal, sys, threading, time
index = copytrace.Index.create()
text = lambda number: " ".join(f"w{number}x{word}" for word in range(20_000))
corpus = [copytrace.Document(text(number), id=str(number)) for number in range(80)]
threading.Thread(target=lambda: (time.sleep(0.3), os.kill(os.getpid(), signal.SIGINT)), daemon=True).start()
try:
    index.add(corpus)
    sys.exit("not interrupted")
except KeyboardInterrupt:
    print([row["status"] for row in index.add(corpus[0])], len(index))
"""


def test_an_index_can_be_added_to_right_after_an_interrupt() -> None:
    done = subprocess.run([sys.executable, "-c", AGAIN], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "['new'] 1\n"), done.stderr


def test_other_threads_go_on_while_work_is_done() -> None:
    sources, _ = planted(60)
    counted, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    beside = threading.Thread(target=count)
    beside.start()
    started = time.monotonic()
    while time.monotonic() < started + 1:
        copytrace.pairs(sources, threads=1)
    done.set()
    beside.join()
    assert counted[0] > 50


def test_a_count_shows_itself_on_a_terminal_and_nowhere_else() -> None:
    script = (
        "import copytrace._progress as p, time\n"
        "bar = p.bar('documents', 2000, False)\n"
        "print('none' if bar is None else 'bar')\n"
        "if bar: bar._next = 0; bar(1234, 2000, 'documents'); bar.close()\n"
    )
    piped = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (piped.stdout, piped.stderr) == ("none\n", "")
    master, slave = os.openpty()
    on_terminal = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=slave, text=True)
    shown = os.read(master, 1000).decode()
    assert on_terminal.stdout == "bar\n" and "documents: 1,234 of 2,000" in shown and shown.endswith("\x1b[K")


def test_it_is_imported_within_a_tenth_of_a_second_and_without_numpy() -> None:
    script = "import time, sys; t = time.perf_counter(); import copytrace; print(time.perf_counter() - t, 'numpy' in sys.modules)"
    runs = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout.split() for _ in range(5)]
    assert min(float(seconds) for seconds, _ in runs) < 0.1
    assert {numpy for _, numpy in runs} == {"False"}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_texts_of_a_table_are_not_copied() -> None:
    script = """
import polars, copytrace, random
draw = random.Random(1)
word = [str(number) for number in range(10**5)]
df = polars.DataFrame({"id": [str(n) for n in range(2000)], "text": [" ".join(draw.choices(word, k=8000)) for _ in range(2000)]})
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) * 1024
copytrace.signatures(df[:10])
open("/proc/self/clear_refs", "w").write("5")
before = peak()
copytrace.pairs(df)
print(df["text"].str.len_bytes().sum(), peak() - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    texts, grown = map(int, done.stdout.split())
    assert texts > 90_000_000
    assert grown < texts / 2


def test_signals_of_other_kinds_reach_their_handlers_while_work_is_done() -> None:
    told: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: told.append(number))
    threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGUSR1]).start()
    sources, _ = planted(30)
    started = time.monotonic()
    while time.monotonic() < started + 1:
        copytrace.pairs(sources)
    signal.signal(signal.SIGUSR1, before)
    assert told == [signal.SIGUSR1]
