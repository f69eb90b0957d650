"""The command that the wheel brings is the program."""

import json
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from conftest import DEMO, planted, run, same

COMMAND = str(Path(sys.executable).parent / "copytrace")


def test_it_writes_what_the_program_writes_and_ends_with_its_codes(program: str, tmp_path: Path) -> None:
    for name, command in (("program", program), ("command", COMMAND)):
        run(command, "check", "submissions", "--corpus", "reference", "-o", tmp_path / name, "--lang", "en", cwd=DEMO)
    same(tmp_path / "program", tmp_path / "command")
    (tmp_path / "a.txt").write_text("one two three four five six seven eight")
    for arguments in (["--help"], ["check"], ["text", "a.txt"], ["text", "a.txt", "b.txt"], ["pairs", "nothing", "-o", "x"]):
        told = [
            subprocess.run([command, *arguments], cwd=tmp_path, capture_output=True, text=True) for command in (program, COMMAND)
        ]
        assert (told[1].returncode, told[1].stdout, told[1].stderr) == (told[0].returncode, told[0].stdout, told[0].stderr)


def pdf(text: str) -> bytes:
    """A file of one page."""
    page = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >> stream\n%s\nendstream" % (len(page), page),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    file, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(file)
    return file + b"xref\n0 6\n0000000000 65535 f \n" + table + trailer


def test_a_pdf_file_is_read_by_a_process_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "page.pdf").write_bytes(pdf("the tide leaves silt"))
    trace = subprocess.run([COMMAND, "read-pdf", "page.pdf"], cwd=tmp_path, capture_output=True, check=True)
    assert trace.stdout.startswith(b"copytrace pages\n")
    read = subprocess.run([COMMAND, "text", "page.pdf"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "the tide leaves silt" in read.stdout


def test_ctrl_c_ends_it_with_code_130_and_leaves_nothing(tmp_path: Path) -> None:
    sources, _ = planted(3000)
    lines = tmp_path / "corpus.jsonl"
    lines.write_text("".join(json.dumps({"id": d.id, "text": d.text * 5}) + "\n" for d in sources))
    running = subprocess.Popen([COMMAND, "--quiet", "check", lines, "--corpus", lines, "-o", "report"], cwd=tmp_path)
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 130
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.jsonl"]


def test_the_service_answers_and_its_workers_start(tmp_path: Path) -> None:
    arguments = [COMMAND, "serve", "--data", str(tmp_path / "data"), "--listen", "127.0.0.1:0", "--demo"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = next(word for line in server.stdout for word in line.split() if word.startswith("http://"))
            with urllib.request.urlopen(address) as page:
                assert page.status == 200
            deadline = time.monotonic() + 30
            while not any(b"work" in worker.split(b"\0") for worker in _below(server.pid)):
                assert time.monotonic() < deadline
                time.sleep(0.2)
        finally:
            server.terminate()
            server.wait(30)


def _below(process: int) -> list[bytes]:
    """The command lines of the processes that a process started, whichever of its threads did so."""
    children = [child for task in Path(f"/proc/{process}/task").iterdir() for child in (task / "children").read_text().split()]
    return [Path(f"/proc/{child}/cmdline").read_bytes() for child in children]
