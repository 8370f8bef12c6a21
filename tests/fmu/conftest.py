"""Finished FMUs for the tests, made by the command line under test (MBFMU, or the release build)."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MBFMU = os.environ.get("MBFMU", str(ROOT / "build/release/mbfmu"))
RESULTS = Path(MBFMU).resolve().parent / "results"  # what is worth a look after the tests
TWO_LINK = ROOT / "examples/two_link.json"


def mbfmu(*arguments, **options):
    """Runs the command line and returns the finished process."""
    return subprocess.run([MBFMU, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options)


def export(model, folder, *arguments):
    fmu = Path(folder) / (Path(model).stem + ".fmu")
    done = mbfmu("export", model, "-o", fmu, *arguments)
    assert done.returncode == 0, done.stderr
    return fmu


@pytest.fixture(scope="session")
def two_link(tmp_path_factory):
    return export(TWO_LINK, tmp_path_factory.mktemp("two_link"))


@pytest.fixture(scope="session")
def sanitized():
    return os.environ.get("MBFMU_PRESET", "release") in ("asan", "tsan")
