"""What a release is made of: every crate linked into it, from `cargo metadata`.

Usage: components.py TARGET licences|sbom. `licences` prints the licence texts of all of them, `sbom` an SPDX 2.3 document (JSON).
"""

import json
import os
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path


def components(target: str) -> list[dict]:
    """The packages that the program is built of, for a target, sorted by name and version. Those for tests and builds alone are none."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    program = next(id for id, package in packages.items() if package["name"] == "copytrace-cli")
    found, waiting = {program}, [program]
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if linked and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    return sorted((packages[id] for id in found), key=lambda package: (package["name"], package["version"]))


def licences(packages: list[dict]) -> None:
    print("copytrace is made of the crates below, each with its licence and, where it brings one, the licence's text.")
    said: dict[str, str] = {}
    for package in packages:
        name = f"{package['name']} {package['version']}"
        print(f"\n{'=' * 100}\n{name} · {package['license'] or package['license_file']}\n{package['repository'] or ''}")
        folder = Path(package["manifest_path"]).parent
        texts = [path for path in sorted(folder.iterdir()) if path.name.upper().startswith(("LICEN", "COPYING", "NOTICE", "UNLICENSE"))]
        for path in (path for path in texts if path.is_file()):
            text = path.read_text(encoding="utf-8", errors="replace").strip()
            same = said.setdefault(text, name)
            print(f"\n{path.name}: as of {same}" if same != name else f"\n{text}")


def sbom(packages: list[dict]) -> None:
    def entry(package: dict) -> dict:
        known = package["source"] is not None
        name, version = package["name"], package["version"]
        purl = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:cargo/{name}@{version}"}
        return {
            "SPDXID": f"SPDXRef-{name}-{version}".replace("_", "-").replace("+", "-"),
            "name": name,
            "versionInfo": version,
            "licenseDeclared": (package["license"] or "NOASSERTION").replace("/", " OR "),
            "licenseConcluded": "NOASSERTION",
            "downloadLocation": package["repository"] or "NOASSERTION",
            "copyrightText": "NOASSERTION",
            **({"externalRefs": [purl]} if known else {}),
        }

    entries = [entry(package) for package in packages]
    program = next(entry for entry in entries if entry["name"] == "copytrace-cli")
    made = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    name = f"copytrace-{program['versionInfo']}"
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"urn:copytrace:{program['versionInfo']}:{made:%Y%m%d%H%M%S}",
        "creationInfo": {"created": f"{made:%Y-%m-%dT%H:%M:%SZ}", "creators": ["Tool: copytrace packaging"]},
        "packages": entries,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": program["SPDXID"]},
            *(
                {"spdxElementId": program["SPDXID"], "relationshipType": "DEPENDS_ON", "relatedSpdxElement": entry["SPDXID"]}
                for entry in entries
                if entry is not program
            ),
        ],
    }
    print(json.dumps(document, indent=1))


if __name__ == "__main__":
    {"licences": licences, "sbom": sbom}[sys.argv[2]](components(sys.argv[1]))
