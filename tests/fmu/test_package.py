"""What an FMU consists of: description, binary, files."""

import os
import re
import shutil
import subprocess
import time
import zipfile
from pathlib import Path

import fmpy
import pytest
from conftest import TWO_LINK, export, mbfmu
from fmpy.validation import validate_fmu


@pytest.fixture(scope="module")
def unpacked(two_link, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    zipfile.ZipFile(two_link).extractall(folder)
    return folder


@pytest.fixture(scope="module")
def binary(unpacked):
    return unpacked / "binaries/x86_64-linux/two_link.so"


def test_fmpy_finds_no_problem(two_link):
    assert validate_fmu(str(two_link)) == []


def test_description_validates_against_the_schema(unpacked):
    schema = Path(fmpy.__file__).parent / "schema/fmi3/fmi3ModelDescription.xsd"
    done = subprocess.run(["xmllint", "--noout", "--schema", schema, unpacked / "modelDescription.xml"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_files(two_link):
    names = zipfile.ZipFile(two_link).namelist()
    assert names == sorted(names)
    assert {"modelDescription.xml", "binaries/x86_64-linux/two_link.so", "resources/model.json",
            "documentation/index.html"} <= set(names)


def test_variables(two_link):
    variables = {v.name: v for v in fmpy.read_model_description(str(two_link)).modelVariables}
    for name in ("x1", "y1", "theta1", "x2", "y2", "theta2", "energy"):
        assert variables[name].causality == "output"
    assert variables["torque1"].causality == "input"
    assert [v.name for v in variables.values() if v.causality == "independent"] == ["time"]


def test_only_fmi_symbols(binary):
    listing = subprocess.run(["nm", "-D", "--defined-only", binary], capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[-1] for line in listing.splitlines()]
    assert len(symbols) == 75
    assert all(symbol.startswith("fmi3") for symbol in symbols), symbols


def test_dynamic_dependencies(binary, sanitized):
    if sanitized:
        pytest.skip("a sanitizer is a dependency of its own")
    listing = subprocess.run(["readelf", "-d", binary], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", listing))
    assert needed <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
    assert "RPATH" not in listing and "RUNPATH" not in listing


def test_same_model_same_bytes(two_link, tmp_path):
    first = two_link.read_bytes()
    time.sleep(2.1)  # a zip archive's times count in steps of two seconds
    environment = {**os.environ, "TZ": "Asia/Tokyo"}
    done = mbfmu("export", TWO_LINK, "-o", tmp_path / "again.fmu", env=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "again.fmu").read_bytes() == first


def test_export_needs_no_compiler_and_little_time(tmp_path, sanitized):
    empty = tmp_path / "bin"
    empty.mkdir()
    begin = time.perf_counter()
    done = mbfmu("export", TWO_LINK, "-o", tmp_path / "two_link.fmu", env={**os.environ, "PATH": str(empty)})
    elapsed = time.perf_counter() - begin
    assert done.returncode == 0, done.stderr
    assert shutil.which("g++", path=str(empty)) is None
    assert sanitized or elapsed < 0.5


def test_set_and_integrator_reach_the_fmu(tmp_path):
    fmu = export(TWO_LINK, tmp_path, "--set", "solver.rtol=1e-5", "--set", "experiment.stop=3")
    experiment = fmpy.read_model_description(str(fmu)).defaultExperiment
    assert float(experiment.stopTime) == 3 and float(experiment.tolerance) == 1e-5
