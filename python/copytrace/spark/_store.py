"""Where an index lies: a folder that all machines reach by one path, or an address (`s3://bucket/index`), through fsspec."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import copytrace


def is_address(root: str) -> bool:
    # Python would make a folder of this name, where nobody looks for it.
    if match := re.match(r"([A-Za-z][A-Za-z0-9+.-]+):/(?!/)", root):
        raise ValueError(f"root is {root!r}: expected a folder (on Databricks /dbfs/… or /Volumes/…), or an address such as {match[1]}://…")
    return "://" in root


def _files(root: str) -> tuple[Any, str]:
    """The file system of an address, and what stands behind its scheme."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ImportError(f"{root}: addresses are read by fsspec: pip install fsspec, and s3fs, gcsfs or adlfs") from error
    files, base = url_to_fs(root)
    # What other machines wrote since is not in its list.
    files.invalidate_cache()
    return files, base.rstrip("/")


def _sums(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file, by its path."""
    sums = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        with path.open("rb") as file:
            sums[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return sums


def put(folder: str, root: str, name: str) -> dict[str, str]:
    """Puts a folder of this machine under a name; gives the checksums of what lies at an address."""
    if not is_address(root):
        shutil.copytree(folder, os.path.join(root, name))
        return {}
    files, base = _files(root)
    sums = _sums(Path(folder))
    for file in sums:
        files.makedirs(os.path.dirname(f"{base}/{name}/{file}"), exist_ok=True)
        files.put_file(os.path.join(folder, file), f"{base}/{name}/{file}")
    return sums


def fetch(root: str, name: str, sums: dict[str, str]) -> str:
    """A folder of this machine with what was put: what lies at an address is fetched once for each executor, and removed with it."""
    if not is_address(root):
        return os.path.join(root, name)
    near = os.environ.get("SPARK_LOCAL_DIRS", tempfile.gettempdir()).split(",")[0]
    kept = Path(near) / f"copytrace-{hashlib.sha256(f'{root}/{name}'.encode()).hexdigest()[:32]}"
    if kept.is_dir():
        return str(kept)
    files, base = _files(root)
    with tempfile.TemporaryDirectory(dir=near) as work:
        folder = Path(work) / "folder"
        for file in sums:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            files.get_file(f"{base}/{name}/{file}", str(folder / file))
        damaged = [file for file, found in _sums(folder).items() if found != sums[file]]
        if damaged:
            raise copytrace.DamagedError(f"{root}/{name}/{damaged[0]}: is not as it was written")
        try:
            folder.rename(kept)
        except OSError:
            # Another worker of this executor was sooner.
            if not kept.is_dir():
                raise
    return str(kept)


def read(root: str, file: str) -> bytes:
    """A file. Raises `FileNotFoundError` where there is none."""
    if not is_address(root):
        return Path(root, file).read_bytes()
    files, base = _files(root)
    found: bytes = files.cat_file(f"{base}/{file}")
    return found


def commit(root: str, file: str, manifest: dict[str, Any]) -> None:
    """Puts a manifest in its place, in one step, and removes the folders of parts that it does not name."""
    content = json.dumps(manifest, indent=1).encode()
    named = {folder["folder"] for folder in manifest["folders"]}
    if is_address(root):
        files, base = _files(root)
        files.pipe_file(f"{base}/{file}", content)
        for part in files.glob(f"{base}/part-*"):
            for attempt in files.ls(part, detail=False):
                if "/".join(attempt.rstrip("/").split("/")[-2:]) not in named:
                    files.rm(attempt, recursive=True)
        return
    path = os.path.join(root, file)
    with open(path + ".part", "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    os.replace(path + ".part", path)
    for part in sorted(entry for entry in os.listdir(root) if entry.startswith("part-")):
        for attempt in os.listdir(os.path.join(root, part)):
            if f"{part}/{attempt}" not in named:
                shutil.rmtree(os.path.join(root, part, attempt), ignore_errors=True)
        if not os.listdir(os.path.join(root, part)):
            os.rmdir(os.path.join(root, part))
