import json
from pathlib import Path

import jsonschema
from audited import start
from sarif_subset import SCHEMA


def write(root: Path, text: str) -> Path:
    root.mkdir()
    (root / "test_a.py").write_text(text, encoding="utf-8")
    return root


def test_findings_are_written_for_a_code_host(tmp_path: Path) -> None:
    """`--sarif FILE` writes them at their lines, beside what else the command gives."""
    root = write(tmp_path / "shop", "import pytest\n@pytest.mark.skip\ndef test_a(): pass\n")
    done = start(root, "audit", "--json", "--sarif", "out/audit.sarif")
    assert done.returncode == 0
    assert json.loads(done.stdout)["findings"]
    log = json.loads((root / "out" / "audit.sarif").read_text(encoding="ascii"))
    jsonschema.validate(log, SCHEMA)
    (run,) = log["runs"]
    assert run["invocations"][0]["executionSuccessful"] is True
    places = {
        result["ruleId"]: result["locations"][0].get("physicalLocation")
        for result in run["results"]
    }
    assert places["audit/always-skipped"]["artifactLocation"]["uri"] == "test_a.py"
    assert places["audit/always-skipped"]["region"]["startLine"] in (2, 3)


def test_where_nothing_could_be_collected_no_sarif_is_written(tmp_path: Path) -> None:
    """A file without results would close what is open."""
    root = write(tmp_path / "shop", "")
    done = start(root, "audit", "--json", "--sarif", "audit.sarif")
    assert done.returncode != 0
    assert "No SARIF was written" in done.stderr
    assert not (root / "audit.sarif").exists()
