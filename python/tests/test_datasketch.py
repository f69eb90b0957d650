"""datasketch's own tests, run with our `MinHash`, `LeanMinHash` and `MinHashLSH` in place of its own."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT

# `make python` unpacks the source distribution there; later ones have no tests.
SUITE = PROJECT / "target" / "python" / "datasketch-1.6.5" / "test"
FILES = ("minhash", "lean_minhash", "lsh", "lshforest", "lshensemble")

CONFTEST = """
import sys, types, copytrace, datasketch, datasketch.lean_minhash, datasketch.lsh, datasketch.minhash
for name, module in [("MinHash", "minhash"), ("LeanMinHash", "lean_minhash"), ("MinHashLSH", "lsh")]:
    setattr(getattr(datasketch, module), name, getattr(copytrace, name))
    setattr(datasketch, name, getattr(copytrace, name))
for name in ("mock", "mockredis"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["mock"].patch = None
"""

# What the source distribution leaves out.
UTILS = "def fake_hash_func(d):\n    return d\n"


@pytest.mark.skipif(not SUITE.is_dir(), reason="datasketch's source distribution is not unpacked: make python")
def test_the_table_of_datasketchs_own_tests_is_true(tmp_path: Path) -> None:
    shutil.copytree(SUITE, tmp_path / "test")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test" / "utils.py").write_text(UTILS)
    (tmp_path / "test" / "__init__.py").touch()
    files = [f"test/test_{name}.py" for name in FILES]
    arguments = [sys.executable, "-m", "pytest", "-q", "-rA", "--tb=line", "-p", "no:cacheprovider", *files]
    run = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True)
    outcomes = re.findall(r"^(PASSED|FAILED) test/test_\w+\.py::(\w+)::test_+(\w+)", run.stdout, re.MULTILINE)
    assert len(outcomes) > 50, run.stdout
    ran: dict[str, tuple[int, list[str]]] = {}
    for outcome, case, name in outcomes:
        passed, failed = ran.get(case, (0, []))
        ran[case] = (passed + 1, failed) if outcome == "PASSED" else (passed, [*failed, name])
    page = (PROJECT / "docs" / "PYTHON.md").read_text()
    rows = re.findall(r"^\| `(Test\w+)` \| (\d+) \| (.*?) \|", page, re.MULTILINE)
    told = {case: (int(passed), re.findall(r"`(\w+)`", failed)) for case, passed, failed in rows}
    assert {case: (passed, sorted(failed)) for case, (passed, failed) in told.items()} == {
        case: (passed, sorted(failed)) for case, (passed, failed) in ran.items()
    }, run.stdout
