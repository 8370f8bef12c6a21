"""What an FMU consists of: description, binary, files."""

import os
import re
import resource
import shutil
import subprocess
import time
import zipfile
from pathlib import Path

import fmpy
import pytest
from conftest import MBFMU, TWO_LINK, export, mbfmu
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


SCHEMAS = {"modelDescription.xml": "fmi3ModelDescription.xsd",
           "terminalsAndIcons/terminalsAndIcons.xml": "fmi3TerminalsAndIcons.xsd"}


def test_descriptions_validate_against_the_schemas(unpacked):
    for file, schema in SCHEMAS.items():
        done = subprocess.run(["xmllint", "--noout", "--schema",
                               Path(fmpy.__file__).parent / "schema/fmi3" / schema, unpacked / file],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_files(two_link):
    names = zipfile.ZipFile(two_link).namelist()
    assert names == sorted(names)
    assert set(names) == {
        "modelDescription.xml", "binaries/x86_64-linux/two_link.so", "resources/model.json",
        "documentation/index.html", "documentation/diagram.svg", "documentation/diagram.png",
        "documentation/licenses/license.txt", "documentation/licenses/Eigen.txt", "documentation/licenses/MPL-2.0.txt",
        "documentation/licenses/nlohmann-json.txt", "documentation/licenses/FMI-headers.txt",
        "documentation/licenses/gcc-runtime-library.txt", "terminalsAndIcons/terminalsAndIcons.xml",
        "terminalsAndIcons/icon.svg", "terminalsAndIcons/icon.png", "terminalsAndIcons/flange.svg",
        "terminalsAndIcons/flange.png"}


def test_licences_are_whole(unpacked):
    folder = unpacked / "documentation/licenses"
    for file, words in (("MPL-2.0.txt", "Mozilla Public License"), ("nlohmann-json.txt", "Niels Lohmann"),
                        ("FMI-headers.txt", "Redistributions in binary form must reproduce"),
                        ("gcc-runtime-library.txt", "GCC RUNTIME LIBRARY EXCEPTION"), ("Eigen.txt", "MPL")):
        assert words in (folder / file).read_text(), file
        assert file in (folder / "license.txt").read_text()


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


def cpu_time_of_children():
    """What other work the machine has does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_export_needs_no_compiler_and_little_time(tmp_path, sanitized):
    empty = tmp_path / "bin"
    empty.mkdir()
    begin = cpu_time_of_children()
    done = mbfmu("export", TWO_LINK, "-o", tmp_path / "two_link.fmu", env={**os.environ, "PATH": str(empty)})
    elapsed = cpu_time_of_children() - begin
    assert done.returncode == 0, done.stderr
    assert shutil.which("g++", path=str(empty)) is None
    assert sanitized or elapsed < 0.5


def test_set_and_integrator_reach_the_fmu(tmp_path):
    fmu = export(TWO_LINK, tmp_path, "--set", "solver.rtol=1e-5", "--set", "experiment.stop=3")
    experiment = fmpy.read_model_description(str(fmu)).defaultExperiment
    assert float(experiment.stopTime) == 3 and float(experiment.tolerance) == 1e-5


def test_another_folder_and_name_give_the_same_bytes(two_link, tmp_path):
    shutil.copy(TWO_LINK, tmp_path / "another name.json")
    done = mbfmu("export", "another name.json", "-o", "folder.fmu", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "folder.fmu").read_bytes() == two_link.read_bytes()


def test_what_others_put_into_extra_stays(two_link, tmp_path):
    fmu = tmp_path / "two_link.fmu"
    shutil.copy(two_link, fmu)
    with zipfile.ZipFile(fmu, "a") as archive:
        archive.writestr("extra/org.example/notes.txt", "mine")
        archive.writestr("documentation/old.txt", "not extra")
    export(TWO_LINK, tmp_path)
    with zipfile.ZipFile(fmu) as archive:
        assert archive.read("extra/org.example/notes.txt") == b"mine"
        assert "documentation/old.txt" not in archive.namelist()
    assert validate_fmu(str(fmu)) == []


def test_an_fmu_that_cannot_be_written_leaves_nothing(tmp_path):
    done = mbfmu("export", TWO_LINK, "-o", tmp_path / "missing/two_link.fmu")
    assert done.returncode == 1 and "missing/two_link.fmu" in done.stderr
    # The archive breaks off in the middle, as on a full disk.
    limited = f'trap "" XFSZ; ulimit -f 100; exec "{MBFMU}" export "{TWO_LINK}" -o "{tmp_path}/cut.fmu"'
    done = subprocess.run(["bash", "-c", limited], capture_output=True, text=True)
    assert done.returncode == 1 and "cut.fmu" in done.stderr
    assert os.listdir(tmp_path) == []
