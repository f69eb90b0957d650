"""What the documentation shows is true: docstrings, the page, and the notebook as a browser shows it."""

import doctest
import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import stubs
from conftest import DEMO, PROJECT

import copytrace


@pytest.mark.parametrize("name", copytrace.__all__)
def test_examples_in_docstrings_are_true(name: str) -> None:
    thing = getattr(copytrace, name)
    assert inspect.getdoc(thing), f"{name} has no docstring"
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in finder.find(thing, name, module=False):
        assert runner.run(test).failed == 0
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            if not member.startswith("_"):
                assert inspect.getdoc(value), f"{name}.{member} has no docstring"


def test_the_stub_has_the_docstrings_of_the_module() -> None:
    assert stubs.STUB.read_text() == stubs.documented(stubs.STUB.read_text()), "python stubs.py writes them there"


def test_the_reference_is_built_without_a_warning_and_names_everything(tmp_path: Path) -> None:
    config = PROJECT / "python" / "api" / "mkdocs.yml"
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(config), "--site-dir", str(tmp_path)]
    built = subprocess.run(build, capture_output=True, text=True)
    assert built.returncode == 0 and "WARNING" not in built.stderr, built.stderr
    page = (tmp_path / "index.html").read_text()
    missing = [name for name in copytrace.__all__ if f'id="copytrace.{name}"' not in page]
    assert missing == []
    assert 'id="copytrace.Index.add"' in page and "What they are compared with." in page


def snippets() -> list[str]:
    pages = (PROJECT / "README.md").read_text() + (PROJECT / "docs" / "PYTHON.md").read_text()
    return re.findall(r"```python\n(.*?)```", pages, re.DOTALL)


def test_the_snippets_of_the_page_run_and_their_types_are_right(tmp_path: Path) -> None:
    for folder in ("submissions", "reference"):
        shutil.copytree(DEMO / folder, tmp_path / folder)
    assert len(snippets()) >= 4
    script = tmp_path / "snippets.py"
    # Every snippet writes its report.
    script.write_text("\n".join(snippets()).replace('save("report")', 'save("report", overwrite=True)'))
    run = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    types = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", script],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert types.returncode == 0, types.stdout


def shown_by(name: str, folder: Path) -> list[dict[str, str]]:
    """What the cells of a notebook show, each by its kinds."""
    nbformat = pytest.importorskip("nbformat")
    from nbclient import NotebookClient

    notebook = nbformat.read(PROJECT / "examples" / name, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "kept without outputs"
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return [output["data"] for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]


def test_an_ordinary_day_runs_and_is_plotted(tmp_path: Path) -> None:
    shown = shown_by("ordinary-day.ipynb", tmp_path)
    assert len([data for data in shown if "image/png" in data]) == 2
    assert (tmp_path / "day" / "summary.csv").exists() and (tmp_path / "crawl-index").is_dir()


def test_the_notebook_runs_and_its_reports_show_in_a_browser(tmp_path: Path) -> None:
    shown = [data["text/html"] for data in shown_by("guide.ipynb", tmp_path) if "text/html" in data]
    frames = [html for html in shown if html.startswith("<iframe")]
    assert len(frames) == 2
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("there is no chromium")
    page = tmp_path / "notebook.html"
    page.write_text("<!doctype html><meta charset=utf-8><title>notebook</title>" + "\n".join(shown))
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    arguments = [browser, "--headless", *root, "--disable-gpu", "--enable-logging=stderr", "--v=0", "--virtual-time-budget=4000",
                 f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1200,2600", f"--screenshot={tmp_path / 'shot.png'}",
                 page.as_uri()]  # fmt: skip
    opened = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    console = [line for line in opened.stderr.splitlines() if "CONSOLE" in line]
    assert console == []
    assert (tmp_path / "shot.png").stat().st_size > 20_000
    if keep := os.environ.get("COPYTRACE_SCREENSHOT"):
        shutil.copy(tmp_path / "shot.png", keep)
